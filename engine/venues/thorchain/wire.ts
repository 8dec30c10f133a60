import {
  amount,
  boolean,
  closed,
  count,
  either,
  list,
  literal,
  number,
  object,
  orNull,
  record,
  type Static,
  shape,
  text,
} from '../kit/shapes.ts'

const word = text({ minLength: 1, maxLength: 64 })
const name = text({ minLength: 1, maxLength: 128 })
/** Empty where the chain is halted. */
const address = text({ pattern: '^([0-9a-zA-Z]{25,90})?$' })
const memo = text({ maxLength: 250 })
/** Some numbers come as their digits. */
const whole = either(amount, count())

/** GET /thorchain/inbound_addresses, the fields read. Amounts in eight-decimal units of the chain's coin. */
export const inboundAddresses = shape(
  'thorchain inbound addresses',
  list(
    object(
      {
        chain: word,
        address,
        halted: boolean,
        global_trading_paused: boolean,
        chain_trading_paused: boolean,
        outbound_fee: amount,
      },
      { router: address },
    ),
    { minItems: 1, maxItems: 64 },
  ),
)

export type Inbound = Static<typeof inboundAddresses>[number]

/** GET /thorchain/pools, the fields read. Prices in dollars of eight decimals. */
export const pools = shape(
  'thorchain pools',
  list(
    object(
      { asset: name, status: word, balance_rune: amount, trading_halted: boolean },
      { decimals: count(77), asset_tor_price: amount },
    ),
    { minItems: 1, maxItems: 1_000 },
  ),
)

export type Pool = Static<typeof pools>[number]

/** GET /thorchain/quote/swap, the fields read: all that the answers of 2026 had in common, and what some had besides. */
export const quote = shape(
  'thorchain quote',
  object(
    {
      expected_amount_out: amount,
      fees: object({ asset: name, affiliate: amount }),
      expiry: count(4_294_967_295),
    },
    { inbound_address: address, router: address, memo, total_swap_seconds: count(604_800) },
  ),
)

export type Quote = Static<typeof quote>

const done = object({}, { completed: boolean })
const coin = object({ amount })

/** GET /thorchain/tx/status/{hash}, the fields read. Only that the network has looked for it is always there. */
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
      planned_out_txs: orNull(list(object({ chain: word, to_address: name }, { refund: boolean }), { maxItems: 64 })),
      out_txs: orNull(
        list(
          object(
            { id: text({ maxLength: 128 }), chain: word, to_address: name, memo: text({ maxLength: 512 }) },
            { coins: orNull(list(coin, { maxItems: 16 })) },
          ),
          { maxItems: 64 },
        ),
      ),
    },
  ),
)

export type TxStatus = Static<typeof txStatus>

/** GET /thorchain/mimir: what the network's operators have set. */
export const mimir = shape('thorchain mimir', record(number()))

/** GET /thorchain/lastblock, the fields read of each chain: how far the network itself has come. */
export const lastBlocks = shape('thorchain last block', list(object({ thorchain: count() }), { minItems: 1, maxItems: 64 }))

/** GET /thorchain/memo/{registration}, the fields read. Hashes in capitals, without 0x. */
export const registration = shape(
  'thorchain registration',
  object({ memo, reference: whole }, { used_by_txs: orNull(list(text({ maxLength: 128 }), { maxItems: 64 })) }),
)

/** GET /thorchain/memo/check/{asset}/{amount}, the fields read: what a deposit of that amount would be taken for. */
export const memoCheck = shape(
  'thorchain memo check',
  object({ reference: whole, expires_at: whole, usage_count: whole }, { memo }),
)

export type MemoCheck = Static<typeof memoCheck>

/** POST /register of the registration service, the fields read. */
export const registered = shape(
  'thorchain registered',
  object(
    { success: literal(true), reference: whole, registration_hash: text({ pattern: '^(0x)?[0-9a-fA-F]{64}$' }) },
    { memo, asset: name },
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

/** What an offer carries to execute time: nothing but its version, as a price is asked for afresh. */
export const offerCarry = shape('thorchain carry', closed({ v: literal(1) }))

/** The memo that the network keeps for a deposit without one. Null where the transaction has it in its own bytes. */
export const evidence = shape('thorchain evidence', orNull(closed({ v: literal(1), memo })))

/** What is needed to follow a swap. */
export const trackingCarry = shape(
  'thorchain carry',
  closed({
    v: literal(1),
    /** Where the network keeps the memo of a deposit without one, and tells what used it. */
    registration: orNull(text({ pattern: '^[0-9A-F]{64}$' })),
    /** What it took of the input, when the swap was built, to send some of it back. Smallest units. */
    outboundFee: amount,
  }),
)

export type TrackingCarry = Static<typeof trackingCarry>
