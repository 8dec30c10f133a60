import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, createBase58check } from '@scure/base'
import { decodeSolanaTransaction, encodeSolanaTransaction } from '../../engine/chains/solana/solanaCodec.ts'
import { type Address, addressOf, parseAddress } from '../../engine/core/address.ts'
import { parseAmount, toAmount } from '../../engine/core/amount.ts'
import { isNative, nativeAsset } from '../../engine/core/asset.ts'
import { CHAIN_IDS, type ChainId, type Ecosystem, ecosystemOf, isChainId, isEvmChainId } from '../../engine/core/chain.ts'
import type { Binding, Execution, Payload, PayloadClaims } from '../../engine/core/execution.ts'
import type { Json } from '../../engine/core/json.ts'
import type { ExecutionType, Offer } from '../../engine/core/offer.ts'
import type { VenueOrder } from '../../engine/core/order.ts'
import type { ExecutedSwap, SealedOffer } from '../../engine/core/swap.ts'
import type { SwapStatus, VenueWord } from '../../engine/core/swapStatus.ts'
import { keptAtVenue } from '../../engine/venues/kit/feeCustody.ts'
import { addressKeys } from '../../engine/venues/kit/swapKeys.ts'
import type { SignedPayload, Venue, VenueProfile } from '../../engine/venues/venue.ts'
import { VenueError, type VenueErrorKind, type VenueErrorOptions } from '../../engine/venues/venueError.ts'
import { assetOf } from './anOrder.ts'

/** The toy venues' one contract, published on every EVM chain. */
export const TOY_CONTRACT = addressOf('evm', '0x5FbDB2315678afecb367f032d93F642f64180aa3')
/** Where a toy venue sends the integrator fee. */
export const TOY_FEE_ACCOUNT = 'toy-fees'

/** Scripted behaviour: what is asked, and the engine's signal. */
export type Answer<Asked, Told> = (asked: Asked, signal: AbortSignal) => Promise<Told>

/** An offer of that much, ordinary in all else but `wish`. */
export const offers =
  (outputAmount: bigint, wish: Partial<Offer> = {}): Answer<VenueOrder, Partial<Offer>> =>
  async () => ({ outputAmount: toAmount(outputAmount), ...wish })

export const fails =
  (error: unknown): Answer<unknown, never> =>
  async () => {
    throw error
  }

export const declines = (kind: VenueErrorKind, options: VenueErrorOptions = {}): Answer<unknown, never> =>
  fails(new VenueError(kind, `scripted ${kind}`, options))

/** Never answers, but stops when told to, as `fetch` does. */
export const hangs: Answer<unknown, never> = (_asked, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

/** Never answers, and does not care that nobody waits any more. */
export const ignoresSignal: Answer<unknown, never> = () => new Promise(() => undefined)

/** The same answer, so much later by the (faked) timers. */
export const delayed =
  <Asked, Told>(ms: number, answer: Answer<Asked, Told>): Answer<Asked, Told> =>
  async (asked, signal) => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    return answer(asked, signal)
  }

/** What one toy venue does; a test may change it between calls. */
export type VenueScript = {
  quote: Answer<VenueOrder, Partial<Offer>>
  /** Runs before the honest build; throw or hang here. */
  execute: Answer<SealedOffer & { binding: Binding }, void>
  /** Tampers with what was honestly built. */
  alter: (execution: Execution) => Execution
  decode: (honest: PayloadClaims) => Promise<PayloadClaims>
  submit: Answer<SignedPayload & { swap: ExecutedSwap }, { statusRef: string }>
  track: Answer<{ ref: string; executed: ExecutedSwap | null }, VenueWord>
}

/** What the engine asked of one toy venue, in order. */
export type VenueCalls = {
  readonly quote: { readonly order: VenueOrder; readonly signal: AbortSignal }[]
  readonly execute: { readonly sealed: SealedOffer; readonly binding: Binding; readonly signal: AbortSignal }[]
  readonly submit: { readonly swap: ExecutedSwap; readonly signed: SignedPayload; readonly signal: AbortSignal }[]
  readonly track: { readonly ref: string; readonly executed: ExecutedSwap | null; readonly signal: AbortSignal }[]
}

export type FakeVenue = Venue & { readonly script: VenueScript; readonly calls: VenueCalls }

export const statusOf = (state: SwapStatus['state'], rest: Partial<Omit<SwapStatus, 'state'>> = {}): SwapStatus => ({
  state,
  venueStatus: `TOY_${state.toUpperCase()}`,
  deliveredAmount: null,
  txHash: null,
  ...rest,
})

/** The toy venues' own wire format: everything a payload does, in plain words. */
type Words = {
  readonly chainId: ChainId
  readonly pays: string
  readonly inputToken: string
  readonly inputAmount: string
  readonly outputChainId: ChainId
  readonly outputToken: string
  readonly minimum: string
  readonly recipient: string
  readonly refundTo: string
  readonly feeRecipient: string
  readonly feeBps: string
  readonly deadlineAt: string
}

const WORD_FIELDS = [
  'inputToken',
  'inputAmount',
  'outputToken',
  'minimum',
  'recipient',
  'refundTo',
  'feeRecipient',
  'feeBps',
  'deadlineAt',
] as const

const base58check = createBase58check(sha256)

/** A well-formed address of its own for each text. */
export const addressFor = (ecosystem: Ecosystem, text: string): Address => {
  const digest = sha256(utf8ToBytes(text))
  switch (ecosystem) {
    case 'evm':
      return addressOf('evm', `0x${bytesToHex(digest.slice(0, 20))}`)
    case 'solana':
      return addressOf('solana', base58.encode(digest))
    case 'bitcoin':
      return addressOf('bitcoin', base58check.encode(Uint8Array.of(0, ...digest.slice(0, 20))))
  }
}

const contractOn = (chainId: ChainId): Address =>
  isEvmChainId(chainId) ? TOY_CONTRACT : addressFor(ecosystemOf(chainId), 'toy program')

const toHex = (text: string): string => Buffer.from(text, 'utf8').toString('hex')
const TOY_SELECTOR = '0x70a70a70'

/** The toy venue's signature over a deposit: without it, evidence is only hearsay. */
const sealOf = (words: Json): string => bytesToHex(sha256(utf8ToBytes(`toy seal ${JSON.stringify(words)}`)))

/** Evidence as a toy venue seals it. */
export const sealed = (words: { readonly [word: string]: Json }): Json => ({ words, seal: sealOf(words) })

/** One call of the toy program, signed by the payer, on a blockhash of its own. */
const writeSolana = (words: Words, payer: Address, blockhash: Address): Promise<string> =>
  encodeSolanaTransaction({
    feePayer: payer,
    recentBlockhash: blockhash,
    instructions: [
      { programId: words.pays, accounts: [{ address: payer, isSigner: true }], data: utf8ToBytes(JSON.stringify(words)) },
    ],
  })

type Author = { readonly payer: Address; readonly blockhash: Address }

const writePayload = async (
  kind: ExecutionType,
  words: Words,
  { payer, blockhash }: Author,
): Promise<{ payload: Payload; evidence: Json }> => {
  const { chainId } = words
  const pays = words.pays as Address
  switch (kind) {
    case 'TRANSACTION': {
      if (!isEvmChainId(chainId)) {
        const serialized = await writeSolana(words, payer, blockhash)
        const transaction = { chainId, to: pays, data: serialized, serialized, value: toAmount(0n) }
        return { payload: { executionType: 'TRANSACTION', transaction }, evidence: null }
      }
      const isPaidInCoins = words.inputToken === nativeAsset(chainId).address
      const value = toAmount(isPaidInCoins ? BigInt(words.inputAmount) : 0n)
      const data = `${TOY_SELECTOR}${toHex(JSON.stringify(words))}`
      return { payload: { executionType: 'TRANSACTION', transaction: { chainId, to: pays, data, value } }, evidence: null }
    }
    case 'SIGNATURE': {
      const message = { ...words, outputChainId: String(words.outputChainId), chainId: undefined, pays: undefined }
      const fields = Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >
      return {
        payload: {
          executionType: 'SIGNATURE',
          chainId,
          typedData: {
            domain: { name: 'Toy', version: '1', chainId, verifyingContract: pays },
            types: { ToyOrder: [...WORD_FIELDS, 'outputChainId'].map((name) => ({ name, type: 'string' })) },
            primaryType: 'ToyOrder',
            message: fields,
          },
          approvalData: null,
        },
        evidence: null,
      }
    }
    case 'DEPOSIT':
      return {
        payload: {
          executionType: 'DEPOSIT',
          deposit: { chainId, address: pays, amount: toAmount(BigInt(words.inputAmount)) },
        },
        evidence: sealed(words),
      }
  }
}

const unreadable = (why: string): VenueError => new VenueError('badResponse', why)

const parseWords = (text: string): Words => {
  try {
    return JSON.parse(text) as Words
  } catch (cause) {
    throw new VenueError('badResponse', 'not toy words', { cause })
  }
}

const readSolana = async (serialized: string): Promise<Words> => {
  const [call] = (await decodeSolanaTransaction(serialized))?.instructions ?? []
  if (!call) throw unreadable('no toy transaction')
  return parseWords(Buffer.from(call.data).toString('utf8'))
}

/** The words in a payload, from its bytes (or its sealed evidence) alone. */
const readWords = async ({ payload, evidence }: Execution): Promise<Words> => {
  switch (payload.executionType) {
    case 'TRANSACTION': {
      const { chainId, data, serialized } = payload.transaction
      if (serialized !== undefined) return readSolana(serialized)
      if (!data.startsWith(TOY_SELECTOR)) throw unreadable('no toy call')
      const words = parseWords(Buffer.from(data.slice(TOY_SELECTOR.length), 'hex').toString('utf8'))
      return { ...words, chainId, pays: payload.transaction.to }
    }
    case 'SIGNATURE': {
      const { domain, message } = payload.typedData
      const { chainId = 0, verifyingContract = '' } = domain
      if (!isChainId(chainId)) throw unreadable('no such chain')
      const words = message as unknown as Words
      return { ...words, chainId, pays: verifyingContract, outputChainId: Number(words.outputChainId) as ChainId }
    }
    case 'DEPOSIT': {
      const { words, seal } = evidence as { words: Words; seal: string }
      if (seal !== sealOf(words)) throw unreadable('the seal is broken')
      return words
    }
  }
}

const addressIn = (chainId: ChainId, text: string): Address => {
  const address = parseAddress(ecosystemOf(chainId), text)
  if (!address) throw unreadable(`no address on chain ${chainId}`)
  return address
}

const amountIn = (text: string): bigint => {
  const amount = parseAmount(text)
  if (amount === null) throw unreadable('no amount')
  return amount
}

const readClaims = async (execution: Execution): Promise<PayloadClaims> => {
  const words = await readWords(execution)
  const { chainId, outputChainId } = words
  const asset = assetOf(chainId, words.inputToken)
  const needsAllowance = execution.payload.executionType !== 'DEPOSIT' && isEvmChainId(chainId) && !isNative(asset)
  return {
    chainId,
    pays: addressIn(chainId, words.pays),
    spender: needsAllowance ? TOY_CONTRACT : null,
    nativeFee: 0n,
    input: { asset, amount: amountIn(words.inputAmount) },
    output: { asset: assetOf(outputChainId, words.outputToken), minimum: amountIn(words.minimum) },
    recipient: addressIn(outputChainId, words.recipient),
    refundTo: words.refundTo === '' ? null : addressIn(chainId, words.refundTo),
    fee: words.feeBps === '0' ? null : { recipient: words.feeRecipient, bps: Number(words.feeBps) },
    deadlineAt: Number(words.deadlineAt),
    unread: [],
  }
}

export type FakeVenueOptions = {
  readonly kind?: ExecutionType
  readonly quote?: VenueScript['quote']
  readonly profile?: Partial<VenueProfile>
  /** Null: the venue lacks the ability. */
  readonly tracker?: null
  readonly submitter?: null
  readonly prices?: Venue['prices']
  readonly bitcoinReach?: Venue['bitcoinReach']
  /** Null, and where left out: its contracts emit nothing. */
  readonly events?: Venue['events']
  readonly unfilled?: Venue['unfilled']
  /** Tells the deadline of what it builds; the engine's clock in most tests. */
  readonly now?: () => number
}

const OFFERED = 1_000_000n

const baseOffer = (id: string, kind: ExecutionType, order: VenueOrder, outputAmount: bigint): Offer => ({
  venue: id,
  executionType: kind,
  outputAmount: toAmount(outputAmount),
  fee: { bps: order.feeBps, amount: toAmount((outputAmount * BigInt(order.feeBps)) / 10_000n) },
  slippage: {
    isFirm: true,
    guaranteedMin: toAmount(outputAmount - (outputAmount * BigInt(order.slippageBps)) / 10_000n),
  },
  gasUnits: kind === 'TRANSACTION' ? 150_000n : null,
  spender: kind !== 'DEPOSIT' && isEvmChainId(order.input.chainId) && !isNative(order.input) ? TOY_CONTRACT : null,
  nativeFee: toAmount(0n),
  estimatedTimeSeconds: 30,
  expiresAt: null,
  decimals: { input: null, output: null },
  carry: { v: 1, toy: id },
})

/**
 * A toy venue, honest unless scripted otherwise: it offers, builds payloads in a wire format of its own, reads them
 * back from their bytes, takes signatures and knows where its swaps are. Records everything it is asked.
 */
export const createFakeVenue = (id: string, options: FakeVenueOptions = {}): FakeVenue => {
  const {
    kind = 'TRANSACTION',
    now = () => Date.now(),
    prices = null,
    events = null,
    unfilled = null,
    bitcoinReach = null,
  } = options
  const calls: VenueCalls = { quote: [], execute: [], submit: [], track: [] }
  const script: VenueScript = {
    quote: options.quote ?? offers(OFFERED),
    execute: async () => undefined,
    alter: (execution) => execution,
    decode: async (honest) => honest,
    submit: async ({ swap }) => ({ statusRef: swap.execution.venueRef ?? 'toy-order' }),
    track: async () => statusOf('pending'),
  }
  const profile: VenueProfile = {
    id,
    name: `Toy ${id}`,
    serves: () => true,
    bindsAtQuote: { recipient: [], refundTo: [] },
    hasSandbox: true,
    contracts: Object.fromEntries(CHAIN_IDS.map((chainId) => [chainId, [contractOn(chainId)]])),
    feeRecipient: () => TOY_FEE_ACCOUNT,
    feeCustody: () => keptAtVenue('creditedAtVenue', 'output'),
    slippage: () => ({ defaultBps: 50, minBps: 1, maxBps: 5_000 }),
    takesOnTrust: [],
    holdsInput: (_route, executionType) => executionType === 'DEPOSIT',
    nativeFeeMax: () => 0n,
    refundKeeps: () => ({ amount: 0n, bps: 0 }),
    amountCarriesReference: () => 0n,
    toldApartBy: async ({ order, execution: { payload } }) =>
      payload.executionType === 'DEPOSIT' ? addressKeys(payload.deposit, order.input) : [],
    limits: null,
    deadlineMsMax: 3_600_000,
    ...options.profile,
  }

  const quote: Venue['quote'] = async (order, signal) => {
    calls.quote.push({ order, signal })
    const wish = await script.quote(order, signal)
    return { ...baseOffer(id, kind, order, wish.outputAmount ?? OFFERED), ...wish }
  }

  const build = async ({ order, offer }: SealedOffer, { recipient, refundTo }: Binding): Promise<Execution> => {
    const { chainId } = order.input
    const isDeposit = kind === 'DEPOSIT'
    const words: Words = {
      chainId,
      pays: isDeposit ? addressFor(ecosystemOf(chainId), `${id} deposit ${calls.execute.length}`) : contractOn(chainId),
      inputToken: order.input.address,
      inputAmount: order.inputAmount.toString(),
      outputChainId: order.output.chainId,
      outputToken: order.output.address,
      minimum: (offer.slippage?.guaranteedMin ?? 1n).toString(),
      recipient,
      refundTo: isDeposit ? refundTo : '',
      feeRecipient: TOY_FEE_ACCOUNT,
      feeBps: String(offer.fee.bps),
      deadlineAt: String(now() + 600_000),
    }
    const { outputAmount, slippage } = offer
    const venueRef = isDeposit ? words.pays : kind === 'SIGNATURE' ? `${id}-order-${calls.execute.length}` : null
    const author = { payer: order.sender, blockhash: addressFor('solana', `block ${calls.execute.length}`) }
    return { ...(await writePayload(kind, words, author)), venueRef, outputAmount, slippage, carry: null }
  }

  const execute: Venue['execute'] = async (sealed, binding, signal) => {
    calls.execute.push({ sealed, binding, signal })
    await script.execute({ ...sealed, binding }, signal)
    return script.alter(await build(sealed, binding))
  }

  return {
    profile,
    script,
    calls,
    quote,
    execute,
    decode: (execution) => Promise.resolve(execution).then(readClaims).then(script.decode),
    submitter:
      options.submitter === null || kind !== 'SIGNATURE'
        ? null
        : {
            submit: (swap, signed, signal) => {
              calls.submit.push({ swap, signed, signal })
              return script.submit({ ...signed, swap }, signal)
            },
          },
    tracker:
      options.tracker === null
        ? null
        : {
            track: (ref, { executed }, signal) => {
              calls.track.push({ ref, executed, signal })
              return script.track({ ref, executed }, signal)
            },
          },
    events,
    unfilled,
    prices,
    pins: [],
    bitcoinReach,
  }
}

/** A price list that knows these assets (`chainId:address`), in whole dollars per unit. */
export const pricesOf = (prices: { readonly [asset: string]: string }, readAt = 0): NonNullable<Venue['prices']> => ({
  usd: async ({ chainId, address }) => {
    const usd = prices[`${chainId}:${address}`]
    return usd === undefined ? null : { usd, readAt }
  },
})
