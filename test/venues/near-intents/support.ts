import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ed25519 } from '@noble/curves/ed25519.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import type { Chains } from '../../../engine/chains/chains.ts'
import { NATIVE, NATIVE_SOL } from '../../../engine/core/asset.ts'
import { BITCOIN, SOLANA } from '../../../engine/core/chain.ts'
import type { Binding, Execution } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { ExecutedSwap, SealedOffer } from '../../../engine/core/swap.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import type { SimDeposit, SimRequest } from '../../../engine/simnet/kit/simVenue.ts'
import { createNearIntents } from '../../../engine/simnet/venues/near-intents/nearIntents.ts'
import { createQuoteSigner } from '../../../engine/simnet/venues/near-intents/signer.ts'
import type { SimEvm, SimSolana } from '../../../engine/simnet/world.ts'
import { quoteDigest } from '../../../engine/venues/near-intents/quoteSignature.ts'
import { nearIntents } from '../../../engine/venues/near-intents/venue.ts'
import type { SignedWords } from '../../../engine/venues/near-intents/wire.ts'
import type { Venue } from '../../../engine/venues/venue.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { createVenueBench, START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'

export const USDC = {
  ethereum: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  base: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  bsc: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
  solana: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
} as const

/** Where the simulated venue, as the real one, pays its own share of fees to. */
export const VENUE_FEE_ACCOUNT = '5880ad2b362620fadf759cbceb1cd5737ce8c6ed7fb8e9942881e6731f9247dd'
export const FEE_ACCOUNT = 'acme-fees.near'
export const API_KEY = 'test-api-key-0001'

/** This venue reads no chain: a call to any would fail. */
export const noChains = (): Chains => ({}) as Chains

type Payout = {
  readonly chainId: number
  readonly token: string
  readonly to: string
  readonly amount: bigint
  readonly txHash: string
}

/** What the venue did on the EVM chains and Solana, which are not there; Bitcoin is. */
export type ChainDiary = {
  readonly payouts: Payout[]
  /** Set, every payment is refused for this reason. */
  refusal: string | null
  /** Transactions of EVM chains that are on them no more. */
  readonly gone: Set<string>
}

export type NearIntentsBench = VenueBench & { readonly diary: ChainDiary }

const signatureOf = (count: number): string => base58.encode(new Uint8Array(64).fill(count, 1).fill(255, 0, 1))

const diaryChains = (diary: ChainDiary) => {
  const paid = async (payment: Omit<Payout, 'txHash'>, hashOf: (count: number) => string): Promise<string> => {
    if (diary.refusal !== null) throw new Error(diary.refusal)
    const txHash = hashOf(diary.payouts.length + 1)
    diary.payouts.push({ ...payment, txHash })
    return txHash
  }
  const evm: Partial<SimEvm> = {
    transfer: (payment) => paid(payment, (count) => `0x${String(count).padStart(64, '0')}`),
    receipt: async (_, txHash) =>
      diary.gone.has(txHash) ? null : { txHash, blockNumber: 1, timestamp: 0, status: 'success', logs: [] },
  }
  const refuse = () => Promise.reject(new Error('the venue does not need this of Solana'))
  const solana: SimSolana = {
    treasury: () => WALLETS.solana,
    transfer: (payment) => paid({ chainId: SOLANA, ...payment }, signatureOf),
    balance: refuse,
    blockhash: refuse,
    install: () => undefined,
    onTransaction: () => undefined,
  }
  return { evm, solana }
}

export const aBench = async (options: { settings?: Record<string, string>; apiKey?: string } = {}): Promise<NearIntentsBench> => {
  const diary: ChainDiary = { payouts: [], refusal: null, gone: new Set() }
  const bench = await createVenueBench(nearIntents, createNearIntents, {
    chains: noChains(),
    ...diaryChains(diary),
    ...options,
  })
  return { ...bench, diary }
}

export const never = (): AbortSignal => new AbortController().signal

/** What the venue is asked for where the caller gives none. */
const slippageBps = 100

/** 1,000 USDC from Base to Solana's USDC. */
export const usdcToSolana = (wish: Partial<OrderWish> = {}): VenueOrder =>
  anOrder({
    from: [8453, USDC.base],
    to: [SOLANA, USDC.solana],
    amount: 1_000_000_000n,
    recipient: WALLETS.solana,
    slippageBps,
    ...wish,
  })

/** 0.01 BTC to USDC on Base. */
export const bitcoinToBase = (wish: Partial<OrderWish> = {}): VenueOrder =>
  anOrder({
    from: [BITCOIN, 'BTC'],
    to: [8453, USDC.base],
    amount: 1_000_000n,
    recipient: WALLETS.evmOther,
    refundTo: WALLETS.bitcoin,
    slippageBps,
    ...wish,
  })

/** 1 SOL to ether on Arbitrum. */
export const solanaToArbitrum = (wish: Partial<OrderWish> = {}): VenueOrder =>
  anOrder({
    from: [SOLANA, NATIVE_SOL],
    to: [42161, NATIVE],
    amount: 1_000_000_000n,
    recipient: WALLETS.evmOther,
    slippageBps,
    ...wish,
  })

/** 1 ether on Ethereum to bitcoin. */
export const etherToBitcoin = (wish: Partial<OrderWish> = {}): VenueOrder =>
  anOrder({
    from: [1, NATIVE],
    to: [BITCOIN, 'BTC'],
    amount: 10n ** 18n,
    recipient: WALLETS.bitcoin,
    slippageBps,
    ...wish,
  })

export const bindingOf = ({ recipient, refundTo }: VenueOrder): Binding => ({ recipient, refundTo })

/** Quotes and executes an order, as the engine would. */
export const executed = async (venue: Venue, order: VenueOrder): Promise<ExecutedSwap> => {
  const offer = await venue.quote(order, never())
  const binding = bindingOf(order)
  return { order, offer, binding, execution: await venue.execute({ order, offer }, binding, never()) }
}

export const depositFor = ({ execution, order }: ExecutedSwap, change: Partial<SimDeposit> = {}): SimDeposit => {
  if (execution.payload.executionType !== 'DEPOSIT') throw new TypeError('not a deposit')
  const { chainId, address, amount } = execution.payload.deposit
  return { chainId, address, amount, token: order.input.address, txHash: `tx-${address}-${amount}`, ...change }
}

/**
 * Pays the deposit address, on Bitcoin by a transaction that is there, and gives its hash. Whatever differs from the
 * swap is said in `change`. Fails when the venue does not take the deposit for its own.
 */
export const deposit = async (bench: VenueBench, swap: ExecutedSwap, change: Partial<SimDeposit> = {}): Promise<string> => {
  const planned = depositFor(swap, change)
  const { chainId, address, amount } = planned
  const txHash = chainId === BITCOIN ? await bench.world.bitcoin.transfer({ to: address, amount }) : planned.txHash
  if (!bench.sim.onDeposit({ ...planned, txHash })) throw new Error('the venue does not know the address')
  return txHash
}

export const quoteRequestsIn = (sent: readonly SimRequest[]): readonly Record<string, unknown>[] =>
  sent.filter(({ path }) => path === '/v0/quote').map(({ body }) => body as Record<string, unknown>)

export const trackedBy = (swap: ExecutedSwap): SealedOffer & { executed: ExecutedSwap } => ({
  order: swap.order,
  offer: swap.offer,
  executed: swap,
})

export const refOf = ({ execution }: { readonly execution: Execution }): string => execution.venueRef ?? ''

/** The VenueError a call ends in; anything else, or no error at all, fails the test. */
export const venueErrorOf = async (call: Promise<unknown>): Promise<VenueError> => {
  const outcome: unknown = await call.then(
    (value) => new Error(`no error: ${JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? v.toString() : v))}`),
    (error: unknown) => error,
  )
  if (outcome instanceof VenueError) return outcome
  throw outcome
}

export type Answering = (call: { readonly path: string; readonly body: unknown }) => {
  readonly status?: number
  readonly body: unknown
  readonly raw?: string
}

/** The real adapter against a server of canned answers, with its own clock. */
export const againstAnswers = async (
  answering: Answering,
  settings: Record<string, string> = {},
  now: () => number = () => START_OF_TIME,
) => {
  const paths: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      paths.push(request.url ?? '')
      const { status = 200, body, raw } = answering({ path: request.url ?? '', body: text === '' ? undefined : JSON.parse(text) })
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(raw ?? JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const http = createHttpClient()
  const notices: string[] = []
  const notice = (what: string): void => {
    notices.push(what)
  }
  const venue = nearIntents.create({ baseUrl, apiKey: null, settings }, { http, chains: noChains(), clock: { now }, notice })
  const close = async () => {
    await http.close()
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { venue, paths, notices, close }
}

/** Answers of a simulated venue, by the bench it stands on, changed on their way. */
export const relayedFrom = (bench: VenueBench, change: (path: string, body: Record<string, unknown>) => unknown): Answering => {
  return ({ path, body }) => {
    const url = new URL(path, 'http://relay')
    const answer = bench.sim.handle({
      method: body === undefined ? 'GET' : 'POST',
      path: url.pathname,
      query: url.searchParams,
      headers: {},
      body,
      rawBody: JSON.stringify(body) ?? '',
    })
    if (answer instanceof Promise) throw new TypeError('this simulator answers at once')
    return { status: answer.status, body: change(url.pathname, structuredClone(answer.body) as Record<string, unknown>) }
  }
}

/** Signs answers anew after they were changed, as a venue that lies with its own key would. */
export const aLiar = () => {
  const secretKey = new Uint8Array(32).fill(7)
  const signer = createQuoteSigner(secretKey)
  const resign = (answer: Record<string, unknown>): Record<string, unknown> => {
    const { timestamp, quoteRequest, quote } = answer as {
      timestamp: string
      quoteRequest: Record<string, unknown>
      quote: Record<string, unknown>
    }
    return { ...answer, signature: signer.sign(timestamp, quoteRequest, quote) }
  }
  const signWords = (words: SignedWords): string =>
    `ed25519:${base58.encode(ed25519.sign(utf8ToBytes(quoteDigest(words)), secretKey))}`
  return { publicKey: signer.publicKey, resign, signWords }
}
