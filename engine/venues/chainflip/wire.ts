import {
  amount,
  anything,
  boolean,
  closed,
  count,
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

/*
 * The used part of the answers of the backend and a node. https://github.com/chainflip-io/chainflip-sdk-monorepo,
 * packages/shared/src/api and packages/swap/src/routes/v2
 */
const word = text({ minLength: 1, maxLength: 64 })
const address = text({ pattern: '^[0-9a-zA-Z]{25,90}$' })
const hex = text({ pattern: '^0x([0-9a-fA-F]{2})*$', maxLength: 20_000 })
const bps = count(10_000)
/** `<block>-<chain>-<number>`: the State Chain's block, and the number of the channel. */
const channelId = text({ pattern: '^[0-9]{1,10}-[A-Za-z]{1,16}-[0-9]{1,20}$' })
/** Decimal, without an exponent. */
const price = text({ pattern: '^[0-9]{1,80}(\\.[0-9]{1,120})?$', maxLength: 201 })
const asset = object({ chain: word, asset: word })

const fee = object({ type: word, chain: word, asset: word, amount })

/** One row of GET /v2/quote: the row of a plain swap is read. */
export const quote = shape(
  'chainflip quote',
  object(
    {
      type: word,
      srcAsset: asset,
      destAsset: asset,
      depositAmount: amount,
      egressAmount: amount,
      includedFees: list(fee, { maxItems: 16 }),
    },
    {
      isVaultSwap: orNull(boolean),
      /** Seconds. */
      estimatedDurationSeconds: orNull(number({ minimum: 0, maximum: 604_800 })),
      recommendedRetryDurationMinutes: orNull(number({ minimum: 0, maximum: 1_440 })),
    },
  ),
)

export type Quote = Static<typeof quote>

export const quotes = shape('chainflip quotes', list(anything, { minItems: 1 }))

/** One row of GET /api/networkInfo: assets are read one by one, because some are on other chains. */
export const listedAsset = shape(
  'chainflip asset',
  object({
    asset: word,
    vaultSwapDepositsEnabled: boolean,
    depositChannelDepositsEnabled: boolean,
    depositChannelCreationEnabled: boolean,
    egressEnabled: boolean,
  }),
)

export type ListedAsset = Static<typeof listedAsset>

export const networkInfo = shape('chainflip network', object({ assets: list(anything, { minItems: 1 }) }))

/** POST /api/openSwapDepositChannel. */
export const openedChannel = shape(
  'chainflip channel',
  object({
    id: channelId,
    depositAddress: address,
    brokerCommissionBps: bps,
    maxBoostFeeBps: bps,
    /** Epoch ms. Absent while the venue does not follow the chain: the end of the payment time is then unknown. */
    estimatedExpiryTime: count(),
  }),
)

export type OpenedChannel = Static<typeof openedChannel>

/** POST /api/encodeVaultSwapData, for an EVM chain. */
export const vaultSwap = shape(
  'chainflip vault swap',
  object({ chain: word, to: text({ pattern: '^0x[0-9a-fA-F]{40}$' }), calldata: hex, value: amount }),
)

const time = orNull(count())
const hash = orNull(text({ maxLength: 128 }))
const egress = orNull(object({ amount }, { txRef: hash, witnessedAt: time }))

/** GET /v2/swaps/{id}, the fields read. */
export const swapStatus = shape(
  'chainflip swap',
  object(
    { state: word, srcChain: word, srcAsset: word, destChain: word, destAsset: word },
    {
      destAddress: orNull(text()),
      depositChannel: orNull(object({ id: channelId, depositAddress: address, isExpired: boolean })),
      deposit: orNull(object({}, { txRef: hash, failure: orNull(object({}, { mode: orNull(word) })) })),
      swapEgress: egress,
      refundEgress: egress,
      fillOrKillParams: orNull(object({}, { refundAddress: orNull(text()), minPrice: orNull(price) })),
    },
  ),
)

export type SwapReport = Static<typeof swapStatus>

/**
 * `cf_get_vault_addresses` of a node: `bitcoin_vault` is the address of the key that makes all of Bitcoin's deposit addresses
 * now, as bytes of text. `VaultAddresses` in state-chain/runtime/src/runtime_apis of chainflip-backend, 2026-08-21.
 */
export const vaultAddresses = shape('chainflip vaults', object({ result: record(anything) }))

export const bitcoinVault = shape(
  'chainflip vault of bitcoin',
  object({ result: object({ bitcoin_vault: object({ Btc: list(count(255), { minItems: 1, maxItems: 90 }) }) }) }),
)

/** An address of one of these fields, under the name of its chain. */
export const encodedAddress = shape('chainflip vault', record(list(count(255), { minItems: 20, maxItems: 32 })))

/** Errors of the backend. */
export const apiError = shape('chainflip error', object({ message: text({ maxLength: 100_000 }) }))

/** The data that an offer carries to execute: only its version, because execute asks for a new price. */
export const offerCarry = shape('chainflip carry', closed({ v: literal(1) }))

const digits = text({ pattern: '^(0|[1-9][0-9]{0,77})$' })

/** The network's own fees at the highest amount that is expected, in smallest units of the asset that pays each. */
const fees: { readonly ingress: Schema<string>; readonly egress: Schema<string> } = { ingress: digits, egress: digits }

/** The venue's report of facts that no payload shows. */
export const evidence = shape(
  'chainflip evidence',
  closed(
    { v: literal(1), ...fees },
    {
      /** The opened channel, by the venue's report; absent where the wallet calls the vault itself. */
      channel: closed({
        id: channelId,
        src: word,
        dest: closed({ chain: word, asset: word }),
        destAddress: address,
        refundAddress: address,
        minPriceX128: digits,
        /** Epoch ms. */
        expiresAt: count(),
      }),
    },
  ),
)

export type Evidence = Static<typeof evidence>
export type Channel = NonNullable<Evidence['channel']>

/** The data that the tracker needs. Without a channel, the payment's own hash identifies the swap. */
export const trackingCarry = shape('chainflip carry', closed({ v: literal(1), channelId: orNull(channelId) }))

export type TrackingCarry = Static<typeof trackingCarry>
