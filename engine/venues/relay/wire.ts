import {
  amount,
  anything,
  boolean,
  closed,
  count,
  either,
  evmAddress,
  hash32,
  list,
  literal,
  number,
  object,
  orNull,
  record,
  type Schema,
  type Static,
  shape,
  text,
} from '../kit/shapes.ts'

const address = text({ pattern: '^[0-9a-zA-Z]{25,90}$' })
const word = text({ minLength: 1, maxLength: 64 })
const salt = text({ pattern: '^(0x[0-9a-fA-F]{1,64}|0|[1-9][0-9]{0,77})$' })
const bytes = text({ pattern: '^0x([0-9a-fA-F]{2})*$', maxLength: 8_000 })
/** Unix seconds. */
const seconds = count(4_294_967_295)
const few = <T>(items: Schema<T>) => list(items, { maxItems: 8 })

/** A refund address for an input that cannot be swapped. */
const refund = closed({
  chainId: word,
  recipient: address,
  currency: address,
  minimumAmount: amount,
  deadline: seconds,
  extraData: bytes,
})

/**
 * The solver's task for a deposit: `protocol.v2.orderData`. A deposit has its hash as id, which binds the money to it. An
 * additional field would not be in the hash, and so not be bound. Source: src/order of relayprotocol/relay-protocol-sdk.
 */
const relayOrder = closed({
  version: word,
  solverChainId: word,
  solver: evmAddress,
  salt,
  inputs: few(closed({ payment: closed({ chainId: word, currency: address, amount, weight: amount }), refunds: few(refund) })),
  output: closed({
    chainId: word,
    payments: few(closed({ recipient: address, currency: address, minimumAmount: amount, expectedAmount: amount })),
    calls: few(bytes),
    deadline: seconds,
    extraData: bytes,
  }),
  // Paid from the solver's earnings, after its delivery.
  fees: few(closed({ recipientChainId: word, recipient: address, currencyChainId: word, currency: address, amount })),
})

export type RelayOrder = Static<typeof relayOrder>

const chainId = count()
const currency = object({ chainId, address, decimals: count(255) })

/** `details` of /quote/v2 and /price, the fields read. */
const details = object(
  { currencyIn: object({ currency, amount }), currencyOut: object({ currency, amount, minimumAmount: amount }) },
  {
    recipient: orNull(address),
    /** Seconds. */
    timeEstimate: orNull(number()),
  },
)

const fees = orNull(object({}, { app: orNull(object({ currency, amount })) }))

/** POST /price: the answer to the same request without steps. */
export const price = shape('relay price', object({ details }, { fees }))

export type Price = Static<typeof price>

const item = object({ status: word }, { data: anything })

const step = object(
  { id: word, kind: word, items: list(item, { maxItems: 8 }) },
  { requestId: orNull(hash32), depositAddress: orNull(text({ pattern: '^([0-9a-zA-Z]{25,90})?$' })) },
)

export type Step = Static<typeof step>

const settled = object({}, { orderId: orNull(hash32), orderData: orNull(relayOrder) })
const protocol = orNull(object({}, { v2: orNull(settled) }))

/** POST /quote/v2, the fields read. `protocol` is missing where the swap is not settled through the depository. */
export const quote = shape(
  'relay quote',
  object({ steps: list(step, { minItems: 1, maxItems: 16 }), details }, { fees, protocol }),
)

export type Quote = Static<typeof quote>

/** Gas and value are strings by the reference, and numbers in some of its examples. */
const quantity = either(amount, count())

const evmData = object(
  {
    from: evmAddress,
    to: evmAddress,
    data: text({ pattern: '^0x([0-9a-fA-F]{2})*$', maxLength: 100_000 }),
    value: quantity,
    chainId,
  },
  { gas: orNull(quantity) },
)

/** A step's item on an EVM chain. */
export const evmItem = shape('relay transaction', object({ data: evmData }, { status: anything }))

const pubkey = text({ pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' })

const instruction = object({
  keys: list(object({ pubkey, isSigner: boolean, isWritable: boolean }), { maxItems: 64 }),
  programId: pubkey,
  data: text({ pattern: '^([0-9a-fA-F]{2})*$', maxLength: 2_600 }),
})

const solanaData = object(
  { instructions: list(instruction, { minItems: 1, maxItems: 32 }) },
  { addressLookupTableAddresses: orNull(list(pubkey, { maxItems: 16 })) },
)

/** A step's item on Solana: instructions, for the caller to put into a transaction. */
export const solanaItem = shape('relay instructions', object({ data: solanaData }, { status: anything }))

const words = orNull(text({ maxLength: 128 }))

/** GET /chains, the fields read of one entry: entries are read one by one, because their kinds differ. */
export const listedChain = shape(
  'relay chain',
  object(
    { id: chainId },
    {
      disabled: orNull(boolean),
      /** In the venue's own terms: whether swaps may end there. */
      depositEnabled: orNull(boolean),
      blockProductionLagging: orNull(boolean),
      protocol: orNull(object({}, { v2: orNull(object({}, { chainId: words, depository: words })) })),
    },
  ),
)

export type ListedChain = Static<typeof listedChain>

/** Its published values of a pinned chain, for comparison only. `contracts`: by name, and for each version by name. */
export const publishedChain = shape(
  'relay chain, as published',
  object(
    {},
    {
      contracts: orNull(record(anything)),
      solverAddresses: orNull(list(words, { maxItems: 1_000 })),
      protocol: orNull(object({}, { v2: orNull(object({}, { chainId: words, depository: words })) })),
    },
  ),
)

export const publishedRouter = shape('relay router', object({ erc20Router: word }))

export const chainList = shape('relay chains', object({ chains: list(anything, { minItems: 1 }) }))

/** POST /currencies/v2: each entry is read by itself. */
export const currencies = shape('relay currencies', list(anything))

/** One of its entries, the fields read. */
export const listedCurrency = shape('relay currency', object({ chainId, address }))

const txHashes = orNull(list(text({ minLength: 1, maxLength: 128 }), { maxItems: 64 }))
const reason = orNull(text({ maxLength: 4_000 }))

/** GET /intents/status/v3, the fields read. A missing reason is `N/A` or null. */
export const intentStatus = shape(
  'relay status',
  object(
    { status: word },
    {
      inTxHashes: txHashes,
      txHashes,
      originChainId: orNull(chainId),
      destinationChainId: orNull(chainId),
      failReason: reason,
      refundFailReason: reason,
    },
  ),
)

export type IntentStatus = Static<typeof intentStatus>

const named = object({}, { chainId: orNull(chainId), address: words })
const wireAmount = object({}, { currency: orNull(named), amount: orNull(amount) })

export type WireAmount = Static<typeof wireAmount>

const legs = orNull(
  object(
    {},
    {
      origin: orNull(object({}, { inputCurrency: orNull(wireAmount) })),
      destination: orNull(object({}, { outputCurrency: orNull(wireAmount) })),
    },
  ),
)

const request = object(
  { id: hash32 },
  {
    recipient: words,
    /** The request that replaced this one, when its deposit was quoted again. */
    supersededByRequestId: words,
    /** `depositTxHash`: the depositor's payment; `inTxHashes` is then the venue's sweep of it. */
    depositAddress: orNull(object({}, { address, depositTxHash: words })),
    data: orNull(object({}, { route: orNull(object({}, { quoted: legs, actual: legs })) })),
  },
)

/** One request of GET /requests/v3, the fields read. */
export const requestRecord = shape('relay request', request)

export type RequestRecord = Static<typeof requestRecord>

/** GET /requests/v3: each entry is read by itself. */
export const requests = shape('relay requests', object({ requests: list(anything, { maxItems: 100 }) }))

/** Errors of the API. */
export const apiError = shape('relay error', object({ message: text({ maxLength: 4_000 }) }, { errorCode: word }))

/** The data that an offer carries to execute: only its version, as Relay prices again. */
export const offerCarry = shape('relay carry', object({ v: literal(1) }))

/** The venue's report about a payload. The order is bound by its hash; the other fields are unproved. */
export const evidence = shape(
  'relay evidence',
  closed({
    v: literal(1),
    order: relayOrder,
    /** The wallet of the built payload. */
    user: address,
    /** The integrator's fee on the input, smallest units of the input; null without a fee. */
    appFee: orNull(text({ pattern: '^[1-9][0-9]{0,77}$' })),
    /** Null where the wallet calls the depository itself. */
    depositAddress: orNull(address),
  }),
)

export type Evidence = Static<typeof evidence>

/** The data that the tracker needs. Swaps stored earlier also have `expiresAt`, which is unused. */
export const trackingCarry = shape('relay carry', closed({ v: literal(1), requestId: hash32 }, { expiresAt: count() }))

export type TrackingCarry = Static<typeof trackingCarry>
