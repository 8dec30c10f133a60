import { BITCOIN, type ChainId, SOLANA } from '../../core/chain.ts'
import { chainNames } from '../kit/settings.ts'

export const PUBLIC_BASE_URL = 'https://1click.chaindefuser.com'

/** The venue's code of each common chain: https://docs.near-intents.org/resources/chain-support */
export const CHAIN_CODES: { readonly [chainId in ChainId]?: string } = {
  1: 'eth',
  10: 'op',
  56: 'bsc',
  137: 'pol',
  143: 'monad',
  8453: 'base',
  42161: 'arb',
  43114: 'avax',
  [SOLANA]: 'sol',
  [BITCOIN]: 'btc',
}

/** Codes of its other chains, by the OpenAPI document of the API. A row with another code may be of a renamed chain above. */
export const OTHER_CODE =
  /^(adi|aleo|aptos|bch|bera|cardano|dash|doge|fogo|gnosis|hlevm|hood|hypercore|ltc|movement|near|plasma|scroll|starknet|stellar|sui|ton|tron|xlayer|xrp|zec)$/

/** Chains whose native coin used the venue's first bridge. */
export const BRIDGED_NATIVES: readonly ChainId[] = [1, 56, 137, 8453, 42161, SOLANA, BITCOIN]

/**
 * Chains by the names of the Omni Bridge. The venue moved BNB Chain, Polygon and Avalanche to it on 9 November 2026: changelog of
 * docs.near-intents.org. Source of the names: CHAIN_PREFIXES of @omni-bridge/core 0.9.1, which lacks Avalanche. For Avalanche the
 * venue's own code.
 */
export const OMNI_CHAINS: ReadonlyMap<string, ChainId> = new Map<string, ChainId>(
  Object.entries({ bnb: 56, pol: 137, base: 8453, arb: 42161, avax: 43114, sol: SOLANA } as const),
)

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

/** In signed answers of the same SDK's tests: the venue's 20 bps without a key, its half of a fee with one. */
export const VENUE_FEE_ACCOUNT = '5880ad2b362620fadf759cbceb1cd5737ce8c6ed7fb8e9942881e6731f9247dd'

/** Documented range of a fee, in basis points. https://docs.near-intents.org/integration/distribution-channels/1click-api/fee-config */
export const FEE_BPS_MAX = 500
