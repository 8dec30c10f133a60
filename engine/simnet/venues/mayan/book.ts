import { ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { type ChainId, SOLANA } from '../../../core/chain.ts'
import type { Hex } from '../../../core/execution.ts'
import { addressOfWord, chainOfWormhole, pinned, SWIFT, SWIFT_FILLS, unitOf } from '../../../venues/mayan/protocol.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { callData } from '../../kit/callData.ts'
import { formatUnits } from '../../kit/dollars.ts'
import { type Fate, fails, fateByFault, fills, refunds, takeSettlementFault } from '../../kit/fate.ts'
import { inventedTxHash } from '../../kit/freshAddress.ts'
import { createFulfilment, type Fulfilment, type Progress, type Terms, untouched } from '../../kit/fulfilment.ts'
import { land, payOut } from '../../kit/payOut.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import type { PlacedOrder } from './orders.ts'
import { contractOf, tokenOfWord, worthOf } from './prices.ts'

type Order = PlacedOrder &
  Terms &
  Progress & {
    readonly txHash: string
    readonly destination: ChainId
    readonly token: SimToken
    readonly output: SimToken
    readonly claimTxHash: string
  }

const DRIVER = '0x754DCFB2861547015b221E963b4133a71DbdC024'
const FILL_MS = 9_000
/** From the deadline to the refund: Wormhole carries it back. */
const REFUND_AFTER_MS = 10 * 60_000
const FULFILL = 'function fulfill(bytes32 key, address token, address to, uint256 amount) payable'
const REFUND = 'function refund(bytes32 key, address token, address trader, uint256 amount)'

const addressIn = (chainId: ChainId, word: Hex): string => addressOfWord(chainId, word) ?? ''

const fillOnEvm = async ({ evm }: World, { hash, output, destination, destAddr }: Order, amount: bigint): Promise<string> => {
  const { chainId, address: token, isNative } = output
  const to = addressIn(destination, destAddr)
  await evm.fund({ chainId, token, holder: isNative ? DRIVER : SWIFT_FILLS, amount })
  const data = await callData(FULFILL, [hash, isNative ? ZERO_EVM_ADDRESS : contractOf(output), to, amount])
  return (await land(evm, { chainId, from: DRIVER, to: SWIFT_FILLS, data, ...(isNative ? { value: amount } : {}) })).txHash
}

const refundOnEvm = async ({ evm }: World, { hash, token, origin: chainId, trader }: Order, amount: bigint): Promise<string> => {
  const data = await callData(REFUND, [hash, contractOf(token), addressIn(chainId, trader), amount])
  return (await land(evm, { chainId, from: DRIVER, to: SWIFT, data })).txHash
}

const deadlineOf = ({ deadline }: Order): number => Number(deadline) * 1_000

/** Orders in memory, and what becomes of them: the auction's winner fills, or the deadline passes and they are given back. */
export const createBook = (world: World, venue: string, bids: ReadonlyMap<string, bigint>) => {
  const { clock, tokens, market, faults, random } = world
  const orders = new BoundedMap<string, Order>()

  const refundTime = (order: Order): number => Math.max(deadlineOf(order), clock.now()) + REFUND_AFTER_MS

  const decide = (order: Order): Fate => {
    const { locked, token, output, referrerBps, random: name } = order
    const minimum = order.minAmountOut * unitOf(output.decimals)
    const refundAt = refundTime(order)
    const today = worthOf(market, { locked: token, amount: locked, output, referrerBps })
    // Better prices than the winning bid was made at are the driver's own.
    const bid = bids.get(name.slice(0, 34)) ?? minimum
    const isWorse = today < bid
    const fill = fills(clock.now() + FILL_MS, isWorse ? today : bid, locked)
    const fault = takeSettlementFault(faults, venue)
    if (fault === 'fails') return refunds(refundAt, 'ORDER_CANCELED')
    if (fault) return fateByFault(fault, { fill, minimum, refundAt, reason: 'ORDER_EXPIRED' })
    if (faults.take(venue, 'unknown-status')) return { ...fails(clock.now(), null), ends: 'unheardOf' }
    // SwiftDest.sol, `DeadlineViolation`.
    const isLate = fill.at >= deadlineOf(order)
    return fill.amount >= minimum && !isLate ? fill : refunds(refundAt, 'ORDER_EXPIRED')
  }

  const fulfilment: Fulfilment<Order> = createFulfilment<Order>(world, {
    decide,
    instead: (order) => refunds(refundTime(order), 'ORDER_EXPIRED'),
    deliver: (order, amount) => {
      const { destination, output, destAddr } = order
      if (destination === SOLANA) return payOut(world, { token: output, to: addressIn(destination, destAddr), amount })
      return fillOnEvm(world, order, amount)
    },
    giveBack: (order, amount) => {
      const { origin, token, trader } = order
      if (origin === SOLANA) return payOut(world, { token, to: addressIn(origin, trader), amount })
      return refundOnEvm(world, order, amount)
    },
    vanished: (order) => {
      orders.delete(order.hash)
      order.end = { ...fails(clock.now(), null), txHash: null }
    },
  })

  return {
    /** Takes note of an order that a chain took. One for a chain or token that nobody knows is left alone. */
    add: (seen: PlacedOrder, txHash: string): void => {
      const destination = chainOfWormhole(seen.destChainId)
      const token = tokenOfWord(tokens, seen.origin, seen.tokenIn)
      const output = destination && tokenOfWord(tokens, destination, seen.tokenOut)
      if (!destination || !token || !output) return
      const order: Order = {
        ...seen,
        ...untouched(),
        ...{ txHash, destination, token, output },
        claimTxHash: inventedTxHash(destination, random),
        input: token,
        amountNeeded: seen.locked,
        refundCost: (seen.cancelFee + seen.refundFee) * unitOf(token.decimals) + (seen.locked % unitOf(token.decimals)),
        openUntil: clock.now(),
        settleMs: 0,
      }
      orders.set(order.hash, order)
      fulfilment.pay(order, { txHash, amount: seen.locked })
    },
    /** By its hash, or the first of a transaction. */
    find: (ref: string): Order | null =>
      orders.get(ref.toLowerCase()) ??
      [...orders.values()].find(({ txHash }) => txHash === ref || txHash === ref.toLowerCase()) ??
      null,
  }
}

const rawOf = (order: Order, now: number): readonly [clientStatus: string, status: string] => {
  const { fate, end, refunds: sent } = order
  if (end?.ends === 'filled') return ['COMPLETED', end.isClaim ? 'ORDER_FULFILLED' : 'ORDER_SETTLED']
  if (end?.ends === 'refunded' && sent.length > 0) return ['REFUNDED', 'ORDER_REFUNDED']
  if (end?.ends === 'unheardOf') return ['PARKED', 'ORDER_PARKED']
  if (end?.ends === 'failed' || fate?.reason === 'ORDER_CANCELED') return ['INPROGRESS', 'ORDER_CANCELED']
  return ['INPROGRESS', now >= deadlineOf(order) ? 'ORDER_EXPIRED' : 'ORDER_CREATED']
}

/** GET /swap/trx/{hash}: https://docs.mayan.finance/integration/explorer-api */
export const statusBody = (order: Order, now: number) => {
  const { origin, destination, output, end, txHash: sourceTxHash, hash: orderHash, refunds: sent } = order
  const [clientStatus, status] = rawOf(order, now)
  const fulfillTxHash = end?.ends === 'filled' ? (end.txHash ?? order.claimTxHash) : null
  const chains = { sourceChain: String(pinned(origin)?.wormholeId), destChain: String(pinned(destination)?.wormholeId) }
  return {
    ...{ sourceTxHash, ...chains, destAddress: addressIn(destination, order.destAddr), status, clientStatus, orderHash },
    toAmount: fulfillTxHash === null ? null : formatUnits(end?.amount ?? 0n, output.decimals),
    ...{ fulfillTxHash, refundTxHash: sent[0]?.txHash ?? null },
    txs: [{ txHash: sourceTxHash, goals: ['SEND'] }, ...(fulfillTxHash ? [{ txHash: fulfillTxHash, goals: ['SETTLE'] }] : [])],
  }
}
