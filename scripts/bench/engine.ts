import { ChainError, type Chains } from '../../engine/chains/chains.ts'
import type { SolanaTransactions } from '../../engine/chains/solana/solanaTransactions.ts'
import { type Config, parseConfig } from '../../engine/config/config.ts'
import { isSameAsset, parseAsset, type Token } from '../../engine/core/asset.ts'
import type { ChainId } from '../../engine/core/chain.ts'
import { systemClock } from '../../engine/core/clock.ts'
import { createEngine, type Engine } from '../../engine/engine.ts'
import { createHttpClient } from '../../engine/net/undiciClient.ts'
import { observeToLog } from '../../engine/observe/jsonLog.ts'
import { openSqliteStore } from '../../engine/store/sqliteStore.ts'
import type { Venue } from '../../engine/venues/venue.ts'
import { createLog } from '../log.ts'
import { QUOTE_BODY, TOKEN_KEY } from './sample.ts'

const usdc = (chainId: ChainId, address: string): Token => {
  const asset = parseAsset(chainId, address)
  if (!asset) throw new TypeError(`not an asset: ${address}`)
  return { ...asset, symbol: 'USDC', name: 'USD Coin', decimals: 6, isNative: false }
}

/** The tokens of the sample request. */
const TOKENS = [usdc(QUOTE_BODY.inputChainId, QUOTE_BODY.inputToken), usdc(QUOTE_BODY.outputChainId, QUOTE_BODY.outputToken)]

const uncalled = () => Promise.reject(new Error('a quote does not call this'))

const solana: SolanaTransactions = {
  ...{ simulate: uncalled, send: uncalled, landing: uncalled },
  ...{ isBlockhashValid: uncalled, finality: uncalled, firstSlot: uncalled },
}

/** Chains that answer at once from memory. Nothing is approved. */
const chains: Chains = {
  token: async (asset) => {
    const token = TOKENS.find((known) => isSameAsset(known, asset))
    if (!token) throw new ChainError('notAToken', asset.chainId, 'not a token of the benchmark')
    return token
  },
  isKnownMissing: () => false,
  allowance: async () => 0n,
  feePrice: async () => 1_000_000n,
  code: async () => '0x',
  call: async () => '0x',
  close: async () => {},
  ...{ refusesReapproval: uncalled, isValidContractSignature: uncalled, latestBlockhash: uncalled },
  ...{ lookupTable: uncalled, solanaAccount: uncalled, computeUnits: uncalled },
}

/** The service's own log, to a standard output that goes nowhere. */
export const observe = observeToLog(createLog('info').sink)

/** The real engine with the default configuration, a store in memory, and chains in memory. */
export const createBenchEngine = async (venues: readonly Venue[], rules: Partial<Config['quote']> = {}): Promise<Engine> => {
  const config = parseConfig({ QUOTE_TOKEN_KEYS: TOKEN_KEY, WEBHOOK_SECRET_KEYS: TOKEN_KEY })
  const http = { ...config.http, anonymousPerMinute: Number.MAX_SAFE_INTEGER }
  return createEngine(
    { ...config, http, quote: { ...config.quote, ...rules } },
    {
      http: createHttpClient(),
      chains,
      solana,
      store: await openSqliteStore({ file: ':memory:', network: 'simnet' }, systemClock),
      evidence: 'trustVenues',
      observe,
      venues,
    },
  )
}
