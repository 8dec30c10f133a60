import { ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { SOLANA } from '../../../core/chain.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { callData } from '../../kit/callData.ts'
import { formatUnits } from '../../kit/dollars.ts'
import { type Fate, fails, fateByFault, fills, refunds, takeSettlementFault } from '../../kit/fate.ts'
import { inventedTxHash } from '../../kit/freshAddress.ts'
import { createFulfilment, type Fulfilment, type Progress, type Terms, untouched } from '../../kit/fulfilment.ts'
import { land, payOut } from '../../kit/payOut.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { addressIn, contractOf, FILLS, type Network, networkById, SWIFT, tokenOfWord, unitOf } from './networks.ts'
import type { SeenOrder } from './orders.ts'
import { worthOf } from './pricing.ts'
import type { Quoted } from './quotes.ts'

export type Order = SeenOrder &
  Terms &
  Progress & {
    readonly txHash: string
    readonly destination: Network
    readonly token: SimToken
    readonly output: SimToken
    readonly madeAt: number
    readonly claimTxHash: string
  }

const DRIVER = '0x754DCFB2861547015b221E963b4133a71DbdC024'
const FILL_MS = 9_000
/** From the deadline to the refund: Wormhole carries it back. */
const REFUND_AFTER_MS = 10 * 60_000
const FULFILL = 'function fulfill(bytes32 key, address token, address to, uint256 amount) payable'
const REFUND = 'function refund(bytes32 key, address token, address trader, uint256 amount)'

const fillOnEvm = async ({ evm }: World, { hash, output, destination, destAddr }: Order, amount: bigint): Promise<string> => {
  const { chainId, address: token, isNative } = output
  const to = addressIn(destination, destAddr)
  await evm.fund({ chainId, token, holder: isNative ? DRIVER : FILLS, amount })
  const data = await callData(FULFILL, [hash, isNative ? ZERO_EVM_ADDRESS : contractOf(output), to, amount])
  return (await land(evm, { chainId, from: DRIVER, to: FILLS, data, ...(isNative ? { value: amount } : {}) })).txHash
}

const refundOnEvm = async ({ evm }: World, { hash, token, origin, trader }: Order, amount: bigint): Promise<string> => {
  const { chainId } = origin
  const data = await callData(REFUND, [hash, contractOf(token), addressIn(origin, trader), amount])
  return (await land(evm, { chainId, from: DRIVER, to: SWIFT, data })).txHash
}

/** Orders in memory, and what becomes of them: the auction's winner fills, or the deadline passes and they are given back. */
export const createBook = (world: World, venue: string, quotes: ReadonlyMap<string, Quoted>) => {
  const { clock, tokens, market, faults, random } = world
  const orders = new BoundedMap<string, Order>()

  const decide = (order: Order): Fate => {
    const { deadline, locked, token, output, referrerBps, quoteId } = order
    const minimum = order.minAmountOut * unitOf(output)
    const refundAt = Math.max(deadline * 1_000, clock.now()) + REFUND_AFTER_MS
    const today = worthOf(market, { locked: token, amount: locked, output, referrerBps })
    // Better prices than the winning bid was made at are the driver's own.
    const bid = quotes.get(quoteId)?.expected ?? minimum
    const isWorse = today < bid
    const fill = fills(clock.now() + FILL_MS, isWorse ? today : bid, locked)
    const fault = takeSettlementFault(faults, venue)
    if (fault === 'fails') return refunds(refundAt, 'ORDER_CANCELED')
    if (fault) return fateByFault(fault, { fill, minimum, refundAt, reason: 'ORDER_EXPIRED' })
    if (faults.take(venue, 'unknown-status')) return { ...fails(clock.now(), null), ends: 'unheardOf' }
    // SwiftDest.sol, `DeadlineViolation`.
    const isLate = fill.at >= deadline * 1_000
    return fill.amount >= minimum && !isLate ? fill : refunds(refundAt, 'ORDER_EXPIRED')
  }

  const fulfilment: Fulfilment<Order> = createFulfilment<Order>(world, {
    decide,
    instead: ({ deadline }) => refunds(Math.max(deadline * 1_000, clock.now()) + REFUND_AFTER_MS, 'ORDER_EXPIRED'),
    deliver: (order, amount) => {
      const { destination, output, destAddr } = order
      if (destination.chainId === SOLANA) return payOut(world, { token: output, to: addressIn(destination, destAddr), amount })
      return fillOnEvm(world, order, amount)
    },
    giveBack: (order, amount) => {
      const { origin, token, trader } = order
      if (origin.chainId === SOLANA) return payOut(world, { token, to: addressIn(origin, trader), amount })
      return refundOnEvm(world, order, amount)
    },
    vanished: (order) => {
      orders.delete(order.hash)
      order.end = { ...fails(clock.now(), null), txHash: null }
    },
  })

  return {
    /** Takes note of an order that a chain took. One for a chain or token that nobody knows is left alone. */
    add: (seen: SeenOrder, txHash: string): void => {
      const destination = networkById(seen.destChainId)
      const token = tokenOfWord(tokens, seen.origin, seen.tokenIn)
      const output = destination && tokenOfWord(tokens, destination, seen.tokenOut)
      if (!destination || !token || !output) return
      const order: Order = {
        ...seen,
        ...untouched(),
        ...{ txHash, destination, token, output, madeAt: clock.now() },
        claimTxHash: inventedTxHash(destination.chainId, random),
        input: token,
        amountNeeded: seen.locked,
        refundCost: (seen.cancelFee + seen.refundFee) * unitOf(token) + (seen.locked % unitOf(token)),
        openUntil: clock.now(),
        settleMs: 0,
      }
      orders.set(order.hash, order)
      fulfilment.pay(order, { txHash, amount: seen.locked })
    },
    /** The first of a transaction. */
    byTransaction: (txHash: string): Order | null =>
      [...orders.values()].find((order) => order.txHash === txHash || order.txHash === txHash.toLowerCase()) ?? null,
    byHash: (hash: string): Order | null => orders.get(hash.toLowerCase()) ?? null,
  }
}

const rawOf = ({ fate, end, deadline, refunds: sent }: Order, now: number): readonly [clientStatus: string, status: string] => {
  if (end?.ends === 'filled') return ['COMPLETED', end.isClaim ? 'ORDER_FULFILLED' : 'ORDER_SETTLED']
  if (end?.ends === 'refunded' && sent.length > 0) return ['REFUNDED', 'ORDER_REFUNDED']
  if (end?.ends === 'failed') return ['INPROGRESS', 'ORDER_CANCELED']
  if (end?.ends === 'unheardOf') return ['PARKED', 'ORDER_PARKED']
  if (fate?.reason === 'ORDER_CANCELED') return ['INPROGRESS', 'ORDER_CANCELED']
  return ['INPROGRESS', now >= deadline * 1_000 ? 'ORDER_EXPIRED' : 'ORDER_CREATED']
}

/** GET /swap/trx/{hash}: https://docs.mayan.finance/integration/explorer-api */
export const statusBody = (order: Order, now: number) => {
  const { origin, destination, output, end, txHash, hash, refunds: sent, token } = order
  const [clientStatus, status] = rawOf(order, now)
  const fulfillTxHash = end?.ends === 'filled' ? (end.txHash ?? order.claimTxHash) : null
  const [refund] = sent
  return {
    trader: addressIn(origin, order.trader),
    sourceTxHash: txHash,
    sourceChain: String(origin.wormholeId),
    destChain: String(destination.wormholeId),
    destAddress: addressIn(destination, order.destAddr),
    service: 'SWIFT_SWAP',
    status,
    clientStatus,
    orderHash: hash,
    fromAmount: formatUnits(order.locked, token.decimals),
    toAmount: fulfillTxHash === null ? null : formatUnits(end?.amount ?? 0n, output.decimals),
    minAmountOut64: order.minAmountOut.toString(),
    deadline: new Date(order.deadline * 1_000).toISOString(),
    initiatedAt: new Date(order.madeAt).toISOString(),
    fulfillTxHash,
    refundTxHash: refund?.txHash ?? null,
    refundAmount: refund ? formatUnits(refund.amount, token.decimals) : null,
    txs: [{ txHash, goals: ['SEND'] }, ...(fulfillTxHash === null ? [] : [{ txHash: fulfillTxHash, goals: ['SETTLE'] }])],
  }
}
