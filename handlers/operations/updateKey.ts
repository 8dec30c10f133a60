import type { Handler } from '../handler.ts'
import { toChangedSettings } from '../map/partner.ts'

export const updateKey: Handler<'updateKey'> = async ({ body, context }, engine) => {
  const { feeBps = null, payoutAddresses = null, webhookUrl } = body
  const webhook = webhookUrl === undefined ? null : { url: webhookUrl }
  return toChangedSettings(await engine.changeSettings({ feeBps, payoutAddresses, webhook }, context))
}
