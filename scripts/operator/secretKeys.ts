import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../engine/config/config.ts'
import type { Secret } from '../../engine/core/secret.ts'
import { loadOrCreateTokenKey } from '../../engine/store/tokenKeyFile.ts'
import { loadTokenKeyRing, type TokenKeyRing } from '../../engine/store/tokenKeyRing.ts'
import { failed } from './operatorError.ts'

/** Makes none, as the service would: another key than the service's opens nothing. An empty file holds none. */
const requireKeyFile = (dataDir: string, name: string, setting: string): void => {
  if ((statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0) === 0)
    throw failed(`There is no ${name} in ${dataDir}: set ${setting} as the service has it`)
}

/** The keys that webhook secrets are sealed with, as the service has them. */
export const webhookKeysOf = ({ dataDir, partners: { webhooks } }: Config): readonly Secret[] => {
  if (webhooks.secretKeys.length > 0) return webhooks.secretKeys
  requireKeyFile(dataDir, 'webhook-secret.key', 'WEBHOOK_SECRET_KEYS')
  return [loadOrCreateTokenKey(dataDir, 'webhook-secret.key')]
}

/** The keys of quote tokens in the data folder. */
export const tokenKeyRingOf = ({ dataDir }: Pick<Config, 'dataDir'>): TokenKeyRing => {
  requireKeyFile(dataDir, 'quote-token.key', 'QUOTE_TOKEN_KEYS')
  return loadTokenKeyRing(dataDir)
}
