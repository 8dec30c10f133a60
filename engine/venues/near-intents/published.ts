import { BITCOIN, type ChainId, SOLANA } from '../../core/chain.ts'
import { chainNames } from '../kit/settings.ts'
import { CHAIN_CODES, OMNI_CHAINS } from './protocol.ts'

export const PUBLIC_BASE_URL = 'https://1click.chaindefuser.com'

/** Codes of its other chains, by the OpenAPI document of the API. A row with another code may be of a renamed chain above. */
export const OTHER_CODE =
  /^(adi|aleo|aptos|bch|bera|cardano|dash|doge|fogo|gnosis|hlevm|hood|hypercore|ltc|movement|near|plasma|scroll|starknet|stellar|sui|ton|tron|xlayer|xrp|zec)$/

/** Chains whose native coin used the venue's first bridge. */
export const BRIDGED_NATIVES: readonly ChainId[] = [1, 56, 137, 8453, 42161, SOLANA, BITCOIN]

/**
 * Parts of asset ids that identify the bridge, in the order of the venue's migrations. An asset with several bridges has a row
 * for each. The older rows are deprecated, yet may come first. https://partners.near-intents.org/omni-migration
 */
export const BRIDGES: readonly string[] = ['.omft.near', 'nep245:', '.omdep.near', '1cs_v1:']

/** The code alone identifies a chain in an id. Each chain has one code, and no bridge uses it for another chain. */
export const [CODES_SETTING, chainCodesIn] = chainNames(
  'CHAIN_CODES',
  'newer codes of chains',
  new Map(Object.entries(CHAIN_CODES).map(([chainId, code]) => [code, Number(chainId) as ChainId])),
  (code, chainId) => OTHER_CODE.test(code) || (OMNI_CHAINS.get(code) ?? chainId) !== chainId,
)

/** The key `verifyQuoteSignature` of @defuse-protocol/one-click-sdk-typescript 0.1.25 checks production quotes with. */
export const PUBLIC_KEY = 'ed25519:reYaWhvwu8Jzo3WUM3zhn6VrhuMEF4eADL17qtRVifc'
