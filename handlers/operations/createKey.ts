import type { Handler } from '../handler.ts'

export const createKey: Handler<'createKey'> = async ({ body: { feeBps = null, ...contacts } }, engine) => {
  const { apiKey, partnerId, feeBps: set } = await engine.signUp({ feeBps, contacts })
  return { apiKey, partnerId, feeBps: set ?? 0 }
}
