import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../engine/config/config.ts'
import type { Secret } from '../../engine/core/secret.ts'
import { loadOrCreateTokenKey } from '../../engine/store/tokenKeyFile.ts'
import { failed } from './operatorError.ts'

/** The keys that webhook secrets are sealed with, as the service has them. Makes none: another than the service's opens nothing. */
export const webhookKeysOf = ({ dataDir, partners: { webhooks } }: Config): readonly Secret[] => {
  if (webhooks.secretKeys.length > 0) return webhooks.secretKeys
  if (!existsSync(join(dataDir, 'webhook-secret.key')))
    throw failed(`There is no webhook-secret.key in ${dataDir}: set WEBHOOK_SECRET_KEYS as the service has it.`)
  return [loadOrCreateTokenKey(dataDir, 'webhook-secret.key')]
}
