import { hashTypedData, recoverTypedData } from '../../../chains/evm/evmCodec.ts'
import type { Hex } from '../../../core/execution.ts'
import { BALANCE_MANAGER, JAM_SETTLEMENT, jamTypedData, NO_HOOKS } from '../../../venues/bebop/protocol.ts'
import { isAcceptedBy } from '../../kit/chainReads.ts'
import { takeSettlementFault } from '../../kit/fate.ts'
import { takesFor } from '../../kit/lies.ts'
import { ok, orRefused } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import {
  type Desk,
  gasOf,
  grossOf,
  type JamOrder,
  minimumOf,
  numberOf,
  type Placed,
  type Quoted,
  shareOf,
  startQuote,
} from './desk.ts'
import { readOrderRequest, refusing } from './request.ts'
import { SOLVER, settleOrder, settleShort } from './settle.ts'

/** The fee of the venue itself. */
const PROTOCOL_BPS = 1n

/** After both fees, each of the gross. */
const netOf = (gross: bigint, partnerInfo: bigint): bigint =>
  gross - shareOf(gross, partnerInfo & 0xffffn) - shareOf(gross, (partnerInfo >> 16n) & 0xffffn)

/** GET /jam/{chain}/v2/quote */
export const answerJamQuote = (desk: Desk, sent: SimRequest): SimResponse => {
  const quote = startQuote(desk, sent, 108)
  const { sell, buy, feeBps, feeRecipient, taker, isGasless, pair, expiry, takes } = quote
  if (!isGasless || feeBps > 0n !== (feeRecipient !== null)) throw refusing(101, 'InvalidApiRequest')
  const partnerInfo = (BigInt(feeRecipient ?? 0) << 32n) | (feeBps << 16n) | PROTOCOL_BPS
  const amount = netOf(quote.gross(gasOf(desk)), partnerInfo)
  const minimum = minimumOf(amount, quote.slippageBps)
  const quoteId = `121-${numberOf(desk)}`
  const terms = quote.terms(minimum, JAM_SETTLEMENT)
  const order: JamOrder = {
    ...{ taker, receiver: terms.recipient, expiry: String(expiry), exclusivityDeadline: String(expiry) },
    ...{ nonce: String(numberOf(desk)), executor: SOLVER, partnerInfo: String(partnerInfo) },
    ...{ sellTokens: [sell], buyTokens: [buy], sellAmounts: [String(terms.amount)], buyAmounts: [String(terms.minimum)] },
    hooksHash: takes('bad-signature') ? `0x${'b'.repeat(64)}` : NO_HOOKS,
  }
  desk.quotes.set(quoteId, { order, pair, placed: null })
  const parties = { settlementAddress: terms.contract, approvalTarget: BALANCE_MANAGER }
  const toSign = { ...order, expiry, exclusivityDeadline: expiry }
  return quote.answer(quoteId, amount, minimum, { status: 'Success', ...parties, toSign })
}

const endOf = ({ order }: Quoted): number => Number(order.expiry) * 1_000

/** The transaction that settles an order; null where it runs out, as when the market gives less than the signed minimum. */
const settle = async (desk: Desk, { order, pair }: Quoted, placed: Placed): Promise<string | null> => {
  const { random, faults } = desk.world
  placed.fate ??= takeSettlementFault(faults, 'bebop')
  placed.hasFailed = placed.fate === 'fails'
  if (placed.fate === 'lying-success') return `0x${random.hex(64)}`
  if (placed.fate === 'short-fill') return settleShort(desk, order)
  if (placed.fate !== null) return null
  const gross = orRefused(() => grossOf(desk, pair, BigInt(order.sellAmounts[0]), gasOf(desk)))
  if (gross === null || netOf(gross, BigInt(order.partnerInfo)) < BigInt(order.buyAmounts[0])) return null
  return settleOrder(desk, order, { signature: placed.signature, gross })
}

const attempt = async (desk: Desk, quoted: Quoted, placed: Placed): Promise<void> => {
  const at = desk.world.clock.now()
  const txHash = at < endOf(quoted) ? await settle(desk, quoted, placed) : null
  if (txHash !== null) placed.settled = { txHash, at }
}

/** From an order to its settlement, and the time of each later status: ms. */
const SETTLED_AFTER_MS = 2_000
const SENT_MS = 2_000
const FRESH_MS = 6_000

/** POST /jam/{chain}/v2/order */
export const postOrder = async (desk: Desk, sent: SimRequest): Promise<SimResponse> => {
  const { quote_id: quoteId, signature, sign_scheme: scheme } = readOrderRequest(sent)
  const { clock, schedule, faults } = desk.world
  const { chainId } = desk.network
  const quoted = desk.quotes.get(quoteId)
  if (!quoted || quoted.placed !== null) throw refusing(210, 'quote id is unknown or used')
  if (clock.now() >= endOf(quoted)) throw refusing(203, 'the quote has expired')
  const { taker, expiry } = quoted.order
  const typedData = jamTypedData(chainId, quoted.order)
  const isSigned =
    scheme === 'EIP1271'
      ? await isAcceptedBy(desk.world, chainId, taker, await hashTypedData(typedData), signature)
      : (await recoverTypedData(typedData, signature as Hex)) === taker
  if (!isSigned) throw refusing(212, 'the signature is not the taker’s')
  const placed: Placed = { signature, fate: takeSettlementFault(faults, 'bebop'), settled: null, hasFailed: false }
  quoted.placed = placed
  schedule.at(clock.now() + SETTLED_AFTER_MS, () => attempt(desk, quoted, placed))
  return ok({ status: 'Success', expiry: Number(expiry), txHash: null })
}

const statusOf = ({ world: { clock } }: Desk, quoted: Quoted, { settled, hasFailed }: Placed): string => {
  if (settled === null) return hasFailed || clock.now() >= endOf(quoted) ? 'Failed' : 'Pending'
  const age = clock.now() - settled.at
  if (age < SENT_MS) return 'Success'
  return age < FRESH_MS ? 'Settled' : 'Confirmed'
}

/** GET /jam/{chain}/v2/order-status */
export const readStatus = (desk: Desk, { query, path }: SimRequest): SimResponse => {
  const quoted = desk.quotes.get(query.get('quote_id') ?? '')
  if (!quoted?.placed) throw refusing(210, 'quote id is unknown')
  const isGarbled = takesFor(desk.world.faults, 'bebop', path)('unknown-status')
  const status = isGarbled ? 'Netting' : statusOf(desk, quoted, quoted.placed)
  return ok({ status, txHash: quoted.placed.settled?.txHash ?? null })
}
