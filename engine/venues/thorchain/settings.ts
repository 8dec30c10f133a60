import type { ChainId } from '../../core/chain.ts'
import { addressesByChainSetting, addressesOn } from '../kit/settings.ts'
import type { VenueConfig, VenueDefinition, VenueProfile } from '../venue.ts'
import { ROUTERS } from './protocol.ts'
import { SECOND_URL } from './published.ts'

export type ThorchainSettings = {
  /** Of the second node. */
  readonly secondUrl: string
  /** Of the registration service; null: bitcoin is not sold. */
  readonly memolessUrl: string | null
  /** THORName or address that gets the fees; null: no fee. */
  readonly affiliate: string | null
  readonly clientId: string | null
  /** By chain, with the operator's own. */
  readonly routers: VenueProfile['contracts']
}

const URL_OR_PATH = /^(https?:\/\/[^\s/?#]+)?(\/[\w.~-]+)*\/?$/
/** A THORName, or an address of the network itself. */
const AFFILIATE = /^([a-zA-Z0-9_+-]{1,30}|thor1[02-9ac-hj-np-z]{38})$/
const EXTRA_ROUTERS = addressesByChainSetting('ROUTERS', 'routers beyond those published', (chainId) => chainId in ROUTERS)

export const THORCHAIN_SETTINGS: VenueDefinition['settings'] = [
  { name: 'SECOND_URL', pattern: URL_OR_PATH, expects: 'the URL of a node of another operator' },
  { name: 'MEMOLESS_URL', pattern: URL_OR_PATH, expects: 'the URL of a registration service for deposits without a memo' },
  { name: 'AFFILIATE', pattern: AFFILIATE, expects: 'a THORName, or an address that begins with thor1' },
  EXTRA_ROUTERS,
  { name: 'CLIENT_ID', pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, expects: 'up to 64 letters, digits, ., - and _' },
]

const routersOf = (config: VenueConfig): VenueProfile['contracts'] => {
  const added = addressesOn(config, EXTRA_ROUTERS)
  return Object.fromEntries(
    Object.entries(ROUTERS).map(([id, own]) => [id, [...new Set([...own, ...added(Number(id) as ChainId)])]]),
  )
}

/** A path belongs to the node's own host. */
const urlOf = ({ baseUrl }: VenueConfig, text: string): string =>
  (text.startsWith('/') ? `${baseUrl}${text}` : text).replace(/\/$/, '')

export const readSettings = (config: VenueConfig): ThorchainSettings => {
  const { SECOND_URL: second, MEMOLESS_URL: memoless, AFFILIATE: affiliate, CLIENT_ID: clientId } = config.settings
  return {
    secondUrl: urlOf(config, second ?? SECOND_URL),
    memolessUrl: memoless ? urlOf(config, memoless) : null,
    affiliate: affiliate ?? null,
    clientId: clientId ?? null,
    routers: routersOf(config),
  }
}
