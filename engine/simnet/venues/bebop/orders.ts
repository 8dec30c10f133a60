import { bytesToHex } from '@noble/hashes/utils.js'
import { isAcceptedBy } from '../../kit/chainReads.ts'
import { takeSettlementFault } from '../../kit/fate.ts'
import { takesFor } from '../../kit/lies.ts'
import { found, ok, orRefused } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import { signerOf } from '../../kit/typedHash.ts'
import { checkCover, type Desk, grossOf, type Placed, type Quoted } from './desk.ts'
import { jamDigest, netOf } from './jamQuote.ts'
import { CONTRACTS } from './networks.ts'
import { refusing } from './refusal.ts'
import { readOrderRequest } from './request.ts'
import { settleOrder, settleShort } from './settle.ts'

/** From an order to its settlement, and how long it then is called what: ms. */
const SETTLED_AFTER_MS = 2_000
const SENT_MS = 2_000
const FRESH_MS = 6_000

const endOf = ({ order }: Quoted): number => Number(order.expiry) * 1_000

/** Fills when the market still gives the signed minimum after both fees; else the order runs out. */
const fillAtMarket = async (desk: Desk, { order, pair }: Quoted, signature: string): Promise<string | null> => {
  const gross = orRefused(() => grossOf(desk, pair, order.sellAmount, desk.network.gasUsdMicros))
  if (gross === null || netOf(gross, order.partnerInfo) < order.buyAmount) return null
  return settleOrder(desk, order, { signature, gross })
}

const settle = async (desk: Desk, quoted: Quoted, placed: Placed): Promise<string | null> => {
  const { world } = desk
  placed.fate ??= takeSettlementFault(world.faults, 'bebop')
  switch (placed.fate) {
    case 'fails':
      placed.hasFailed = true
      return null
    case 'never-fills':
      return null
    case 'lying-success':
      return `0x${world.random.hex(64)}`
    case 'short-fill':
      return settleShort(desk, quoted.order)
    case null:
      return fillAtMarket(desk, quoted, placed.signature)
  }
}

const attempt = async (desk: Desk, quoted: Quoted, placed: Placed): Promise<void> => {
  const at = desk.world.clock.now()
  if (at >= endOf(quoted)) return
  const txHash = await settle(desk, quoted, placed)
  if (txHash !== null) placed.settled = { txHash, at }
}

const checkSignature = async ({ world, network }: Desk, { order }: Quoted, signature: string, scheme: string): Promise<void> => {
  const { chainId } = network
  const digest = jamDigest(chainId, order)
  if (scheme === 'ETHSIGN') throw refusing(208, 'only typed data is simulated')
  const isGood =
    scheme === 'EIP1271'
      ? await isAcceptedBy(world, chainId, order.taker, `0x${bytesToHex(digest)}`, signature)
      : signerOf(digest, signature) === order.taker.toLowerCase()
  if (!isGood) throw refusing(212, 'the signature is not the taker’s')
}

/** POST /jam/{chain}/v2/order */
export const postOrder = async (desk: Desk, sent: SimRequest): Promise<SimResponse> => {
  const { quoteId, signature, scheme } = readOrderRequest(sent)
  const quoted = desk.quotes.get(quoteId)
  if (!quoted || quoted.placed !== null) throw refusing(210, 'quote id is unknown or used')
  const { order } = quoted
  const { clock, schedule, faults } = desk.world
  if (clock.now() >= endOf(quoted)) throw refusing(203, 'the quote has expired')
  await checkSignature(desk, quoted, signature, scheme)
  await checkCover(desk, { token: order.sellToken, owner: order.taker, spender: CONTRACTS.manager, amount: order.sellAmount })
  const placed: Placed = { signature, fate: takeSettlementFault(faults, 'bebop'), settled: null, hasFailed: false }
  quoted.placed = placed
  schedule.at(clock.now() + SETTLED_AFTER_MS, () => attempt(desk, quoted, placed))
  return ok({ status: 'Success', expiry: Number(order.expiry), txHash: null })
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
  const placed = found(quoted?.placed, '210', 'quote id is unknown', { status: 200 })
  if (!quoted) throw refusing(210, 'quote id is unknown')
  const isGarbled = takesFor(desk.world.faults, 'bebop', path)('unknown-status')
  const status = isGarbled ? 'Netting' : statusOf(desk, quoted, placed)
  const { order } = quoted
  const amounts = placed.settled === null ? null : { [order.buyToken]: order.buyAmount.toString() }
  return ok({ status, txHash: placed.settled?.txHash ?? null, amounts })
}
