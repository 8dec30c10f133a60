import { ChainError, type ChainFailure, type Chains } from '../../engine/chains/chains.ts'
import type { Address } from '../../engine/core/address.ts'
import { type Asset, isNative, nativeToken, type Token } from '../../engine/core/asset.ts'
import type { ChainId } from '../../engine/core/chain.ts'
import { assetOf } from './anOrder.ts'

const tokenOf = (chainId: ChainId, address: string, symbol: string, decimals: number): Token => ({
  ...assetOf(chainId, address),
  symbol,
  name: symbol,
  decimals,
  isNative: false,
})

/** Real tokens, as their chains describe them. */
export const TOKENS = {
  usdcEthereum: tokenOf(1, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'USDC', 6),
  usdtEthereum: tokenOf(1, '0xdAC17F958D2ee523a2206206994597C13D831ec7', 'USDT', 6),
  wbtcEthereum: tokenOf(1, '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599', 'WBTC', 8),
  daiEthereum: tokenOf(1, '0x6B175474E89094C44Da98b954EedeAC495271d0F', 'DAI', 18),
  usdcArbitrum: tokenOf(42161, '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 'USDC', 6),
  daiArbitrum: tokenOf(42161, '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1', 'DAI', 18),
  usdcBase: tokenOf(8453, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'USDC', 6),
  usdcSolana: tokenOf(-2, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'USDC', 6),
} as const

/** `[chainId, address]`, as `anOrder` takes it. */
export const pair = ({ chainId, address }: Asset): readonly [ChainId, string] => [chainId, address]

export type ChainsCall = { readonly method: keyof Chains; readonly query: unknown; readonly signal: AbortSignal }

/** Replaces one read. */
export type ChainsScript = { -readonly [method in Exclude<keyof Chains, 'close' | 'isKnownMissing'>]: Chains[method] }

export type FakeChains = Chains & {
  readonly script: ChainsScript
  /** Every read, in the order it was started. */
  readonly calls: ChainsCall[]
  /** Tokens that are known to be none, as `chainId:address`. */
  readonly missing: Set<string>
  /** Sets an allowance of any token, by spender. */
  allow(spender: Address, amount: bigint): void
}

export const chainFails =
  (failure: ChainFailure, chainId: ChainId): (() => Promise<never>) =>
  () =>
    Promise.reject(new ChainError(failure, chainId, `scripted ${failure}`))

/** Stops when told to, as the real reads do. */
export const chainHangs =
  (chainId: ChainId): ((query: unknown, signal: AbortSignal) => Promise<never>) =>
  (_query, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new ChainError('timeout', chainId, 'cut')), { once: true })
    })

/** What Bebop's router of the offline network answers to `routerSigner()`. */
const BEBOP_SIGNER = '0x000000000000000000000000f8bb599f5fe3a904fa032c83da7352e9abee5667'

/** Chains in memory: the tokens above, no allowances, 2 gwei, no contract wallets; all of it scriptable and recorded. */
export const createFakeChains = (): FakeChains => {
  const allowances = new Map<Address, bigint>()
  const calls: ChainsCall[] = []
  const missing = new Set<string>()
  const known = new Map<string, Token>(Object.values(TOKENS).map((token) => [`${token.chainId}:${token.address}`, token]))
  const script: ChainsScript = {
    token: async (asset) => {
      const token = isNative(asset) ? nativeToken(asset.chainId) : known.get(`${asset.chainId}:${asset.address}`)
      if (!token) throw new ChainError('notAToken', asset.chainId, 'nothing is there')
      return token
    },
    allowance: async ({ spender }) => allowances.get(spender) ?? 0n,
    refusesReapproval: async ({ asset }) => asset.address === TOKENS.usdtEthereum.address,
    feePrice: async (chainId) => (chainId === -1 ? 12n : chainId === -2 ? 5_000n : 2_000_000_000n),
    isValidContractSignature: async () => false,
    code: async () => '0x',
    call: async (_contract, data) => (data === '0x3411dbdc' ? BEBOP_SIGNER : '0x'),
    latestBlockhash: async () => ({ blockhash: 'EETubP5AKHgjPAhzPAFcb8BAY1hMH639CWCFTqi3hq1k', lastValidBlockHeight: 1 }),
    lookupTable: async () => null,
    solanaAccount: async () => null,
    computeUnits: async () => null,
  }
  const recorded =
    <M extends Exclude<keyof ChainsScript, 'latestBlockhash' | 'call'>>(method: M) =>
    (query: Parameters<ChainsScript[M]>[0], signal: AbortSignal): ReturnType<ChainsScript[M]> => {
      calls.push({ method, query, signal })
      // One signature for all reads: the table above keeps each query with its own method.
      return (script[method] as (query: unknown, signal: AbortSignal) => ReturnType<ChainsScript[M]>)(query, signal)
    }
  return {
    script,
    calls,
    allow: (spender, amount) => {
      allowances.set(spender, amount)
    },
    token: recorded('token'),
    isKnownMissing: ({ chainId, address }) => missing.has(`${chainId}:${address}`),
    missing,
    allowance: recorded('allowance'),
    refusesReapproval: recorded('refusesReapproval'),
    feePrice: recorded('feePrice'),
    isValidContractSignature: recorded('isValidContractSignature'),
    code: recorded('code'),
    call: (contract, data, signal) => {
      calls.push({ method: 'call', query: { ...contract, data }, signal })
      return script.call(contract, data, signal)
    },
    latestBlockhash: (signal) => {
      calls.push({ method: 'latestBlockhash', query: null, signal })
      return script.latestBlockhash(signal)
    },
    lookupTable: recorded('lookupTable'),
    solanaAccount: recorded('solanaAccount'),
    computeUnits: recorded('computeUnits'),
    close: async () => undefined,
  }
}
