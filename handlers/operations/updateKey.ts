import type { Handler } from '../handler.ts'
import { toChangedSettings } from '../map/partner.ts'

export const updateKey: Handler<'updateKey'> = async ({ body, context }, engine) => {
  const { feeBps = null, payoutAddresses = null, webhookUrl = null } = body
  return toChangedSettings(await engine.changeSettings({ feeBps, payoutAddresses, webhookUrl }, context))
}
