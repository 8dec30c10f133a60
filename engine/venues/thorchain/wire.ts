import {
  amount,
  anything,
  boolean,
  closed,
  count,
  either,
  list,
  literal,
  number,
  object,
  orNull,
  type Schema,
  type Static,
  shape,
  text,
} from '../kit/shapes.ts'

const word = text({ minLength: 1, maxLength: 64 })
const name = text({ minLength: 1, maxLength: 128 })
const memo = text({ maxLength: 250 })
/** Some numbers are strings of digits. */
const whole = either(amount, count())

/** GET /thorchain/inbound_addresses. The adapter reads the rows of its chains; other rows may have any form. */
export const inboundAddresses = shape('thorchain inbound addresses', list(anything, { minItems: 1 }))

/** The fields that every row needs. */
export const anyInbound = shape(
  'thorchain inbound row',
  object({}, { chain: anything, router: anything, global_trading_paused: anything }),
)

/** A row to read. `address`: empty where the chain is halted. The fee in eight-decimal units of the chain's coin. */
export const inboundRow = shape(
  'thorchain inbound row',
  object(
    { halted: boolean, global_trading_paused: boolean, chain_trading_paused: boolean, address: text() },
    { outbound_fee: amount, router: orNull(text()) },
  ),
)

/** GET /thorchain/vaults/asgard, the fields read. `frozen`: the chains where the vault is not used. */
export const vaults = shape(
  'thorchain vaults',
  list(
    object(
      {},
      {
        status: text(),
        addresses: orNull(list(object({}, { chain: text(), address: text() }))),
        frozen: orNull(list(text())),
      },
    ),
    { minItems: 1 },
  ),
)

export type Vaults = Static<typeof vaults>

/** GET /thorchain/pools. The adapter reads the rows that it needs. */
export const pools = shape('thorchain pools', list(anything, { minItems: 1 }))

/** The name of any row of the pools. */
export const poolName = shape('thorchain pool', object({ asset: text() }))

/** A row of the pools, the fields read. Prices in dollars of eight decimals. */
export const poolRow = shape(
  'thorchain pool',
  object(
    { asset: name, status: text(), trading_halted: boolean },
    { balance_rune: amount, balance_asset: amount, decimals: count(77), asset_tor_price: amount },
  ),
)

export type Pool = Static<typeof poolRow>

/** GET /thorchain/quote/swap, the fields read: the common fields of answers in 2026, and optional ones. */
export const quote = shape(
  'thorchain quote',
  object(
    {
      expected_amount_out: amount,
      fees: object({ asset: name }, { affiliate: amount }),
      expiry: count(4_294_967_295),
    },
    {
      inbound_address: text(),
      router: orNull(text()),
      memo: text(),
      recommended_min_amount_in: amount,
      total_swap_seconds: anything,
    },
  ),
)

export type Quote = Static<typeof quote>

const done = object({}, { completed: boolean })

/** GET /thorchain/tx/status/{hash}, the fields read. Only the state of the observation is always there. */
export const txStatus = shape(
  'thorchain status',
  object(
    {
      stages: object(
        { inbound_observed: object({}, { started: boolean, final_count: count(), completed: boolean }) },
        { inbound_finalised: done, swap_finalised: done, outbound_delay: done, outbound_signed: done },
      ),
    },
    {
      planned_out_txs: orNull(list(object({}, { refund: boolean }))),
      // The adapter ignores a leg that lacks one of these.
      out_txs: orNull(list(object({}, { id: text(), chain: text(), to_address: text(), memo: text() }))),
    },
  ),
)

export type TxStatus = Static<typeof txStatus>

/** GET /thorchain/mimir, the key read. Keys are in capitals, and some key is always set. */
export const mimir = shape('thorchain mimir', {
  ...object({}, { HALTMEMOLESS: either(number(), amount) }),
  not: { propertyNames: { pattern: '[a-z]' } },
} as Schema<{ readonly HALTMEMOLESS?: number | string }>)

export type Mimir = Static<typeof mimir>

/** GET /thorchain/lastblock, the fields read of each chain: the network's own block. */
export const lastBlocks = shape('thorchain last block', list(object({ thorchain: count() }), { minItems: 1 }))

/** GET /thorchain/memo/{registration}, the fields read. Hashes in capitals, without 0x. */
export const registration = shape(
  'thorchain registration',
  object({ memo: text(), reference: whole }, { used_by_txs: orNull(list(text())) }),
)

/** GET /thorchain/memo/check/{asset}/{amount}, the fields read: the interpretation of a deposit of that amount. */
export const memoCheck = shape(
  'thorchain memo check',
  object({ reference: whole, expires_at: whole, usage_count: whole }, { memo: text() }),
)

export type MemoCheck = Static<typeof memoCheck>

/** POST /register of the registration service, the fields read. */
export const registered = shape(
  'thorchain registered',
  object(
    {
      success: literal(true),
      /** With or without leading zeros. */
      reference: either(text({ pattern: '^[0-9]{1,10}$' }), count()),
      registration_hash: text({ pattern: '^(0x)?[0-9a-fA-F]{64}$' }),
    },
    { memo: text(), asset: text() },
  ),
)

/** Errors: of the network, of its older gateways, and of the registration service. */
export const apiError = shape(
  'thorchain error',
  object(
    {},
    {
      code: either(count(), word),
      message: text({ maxLength: 8_000 }),
      error: either(text({ maxLength: 8_000 }), object({}, { message: text({ maxLength: 8_000 }) })),
    },
  ),
)

/** The data that an offer carries to execute: only its version, because execute asks for a new price. */
export const offerCarry = shape('thorchain carry', closed({ v: literal(1) }))

/** The network's stored memo of a deposit without one. Null where the transaction itself contains it. */
export const evidence = shape('thorchain evidence', orNull(closed({ v: literal(1), memo })))

/** The values that a tracker needs. */
export const trackingCarry = shape(
  'thorchain carry',
  closed({
    v: literal(1),
    /** The registration of the memo for a deposit without one; it also shows the transaction that used the memo. */
    registration: orNull(text({ pattern: '^[0-9A-F]{64}$' })),
    /** The outbound fee for a refund when the swap was built. Smallest units. */
    outboundFee: amount,
  }),
)

export type TrackingCarry = Static<typeof trackingCarry>
