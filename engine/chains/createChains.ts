import type { Address } from '../core/address.ts'
import { BITCOIN, type ChainId, type EvmChainId, isEvmChainId, SOLANA } from '../core/chain.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { USER_AGENT } from '../core/serviceVersion.ts'
import type { HttpClient } from '../net/httpClient.ts'
import { createReadCache } from '../net/readCache.ts'
import { createHttpClient } from '../net/undiciClient.ts'
import { readBitcoinFee } from './bitcoin/bitcoinFee.ts'
import { ChainError, type Chains } from './chains.ts'
import { chainEndpoints, type RpcUrls } from './endpoints/chainEndpoints.ts'
import { createEndpointHealth, type EndpointHealth } from './endpoints/endpointHealth.ts'
import { createJsonRpc, type JsonRpc } from './endpoints/jsonRpc.ts'
import { createBatchedEvmCall } from './evm/batchedEvmCall.ts'
import {
  createEvmCall,
  readAllowance,
  readCode,
  readGasPrice,
  readIsValidContractSignature,
  readRefusesReapproval,
} from './evm/evmReads.ts'
import { readComputeUnits, readLatestBlockhash, readLookupTable, readSolanaAccount } from './solana/solanaTransaction.ts'
import { createTokenBook, type TokenKnowledge } from './tokens/tokenBook.ts'
import { createTokenSources } from './tokens/tokenSources.ts'

export type ChainsOptions = {
  /** By chain, in order of preference; JSON-RPC, or Esplora for Bitcoin. None: the public ones. */
  readonly rpcUrls: RpcUrls
  /** For one read, all its endpoints together. */
  readonly deadlineMs?: number
  readonly clock?: Clock
  /** Shared with the other readers of these endpoints. Default: one of its own, without a log. */
  readonly health?: EndpointHealth
  /** The user agent of its own client. Left out: that of the service. */
  readonly userAgent?: string
  /** Knowledge of tokens from outside the chains. Left out: nothing. */
  readonly tokens?: TokenKnowledge
  /** The caller closes it. Left out: one of its own, closed with the chains. */
  readonly http?: HttpClient
}

const DEADLINE_MS = 3_000
const RESPONSE_BYTES_MAX = 1024 * 1024
const FEE_LIFETIME_MS = 5_000
/** Addresses are only ever added to a table; one that is being closed stays readable for some five hundred slots. */
const LOOKUP_TABLE_LIFETIME_MS = 60_000

/** https://solana.com/docs/core/fees: the base fee of one signature, the same for ever so far. */
const LAMPORTS_PER_SIGNATURE = 5_000n

const NOTHING_KNOWN: TokenKnowledge = {
  records: { all: async () => [], keep: async () => undefined, drop: async () => undefined },
  listed: [],
  observe: () => undefined,
}

/** Never aborts: callers share the read, which ends by its own deadline. */
const sharedSignal = (): AbortSignal => new AbortController().signal

/** Reads of the chains over their public interfaces. */
export const createChains = ({
  rpcUrls,
  deadlineMs = DEADLINE_MS,
  clock = systemClock,
  health = createEndpointHealth({ clock }),
  userAgent = USER_AGENT,
  tokens = NOTHING_KNOWN,
  http: givenHttp,
}: ChainsOptions): Chains => {
  const http = givenHttp ?? createHttpClient({ bytesMax: RESPONSE_BYTES_MAX, userAgent })
  const fees = createReadCache<bigint>({ entriesMax: 32, lifetimeMs: FEE_LIFETIME_MS }, clock)
  const lookupTables = createReadCache<readonly Address[] | null>(
    { entriesMax: 500, lifetimeMs: LOOKUP_TABLE_LIFETIME_MS },
    clock,
  )

  const endpointsOf = chainEndpoints(rpcUrls, health, deadlineMs)
  const rpcOf = (chainId: EvmChainId | typeof SOLANA): JsonRpc => createJsonRpc(http, endpointsOf(chainId))
  const alone = createEvmCall(rpcOf)
  const batched = createBatchedEvmCall({ alone, rpc: rpcOf, clock, deadlineMs })

  const callerOf = (chainId: ChainId, signal: AbortSignal) => ({
    signal,
    onAbort: () => new ChainError('timeout', chainId, `chain ${chainId}: cut by the caller`),
  })

  const read = createTokenSources({ endpointsOf, http, clock, deadlineMs, any: { evm: batched, rpcOf } })
  const book = createTokenBook({ ...tokens, read, clock })

  const readFee = (chainId: ChainId): Promise<bigint> =>
    isEvmChainId(chainId)
      ? readGasPrice(rpcOf, chainId, sharedSignal())
      : readBitcoinFee(http, endpointsOf(BITCOIN), sharedSignal())

  return {
    token: book.token,
    isKnownMissing: book.isKnownMissing,
    allowance: readAllowance(batched),
    refusesReapproval: readRefusesReapproval(batched),
    feePrice: async (chainId, signal) =>
      chainId === SOLANA ? LAMPORTS_PER_SIGNATURE : fees.get(String(chainId), () => readFee(chainId), callerOf(chainId, signal)),
    // A contract's answer may depend on its caller. It must not depend on other calls in the batch.
    call: (contract, data, signal) => alone(contract, data, signal, contract.from),
    isValidContractSignature: readIsValidContractSignature(alone),
    code: readCode(rpcOf),
    latestBlockhash: (signal) => readLatestBlockhash(rpcOf(SOLANA), signal),
    lookupTable: (address, signal) =>
      lookupTables.get(address, () => readLookupTable(rpcOf(SOLANA), address, sharedSignal()), callerOf(SOLANA, signal)),
    solanaAccount: (address, signal) => readSolanaAccount(rpcOf(SOLANA), address, signal),
    computeUnits: (base64, signal) => readComputeUnits(rpcOf(SOLANA), base64, signal),
    close: async () => {
      await book.close()
      if (!givenHttp) await http.close()
    },
  }
}
