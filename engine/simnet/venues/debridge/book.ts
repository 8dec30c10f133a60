import { SOLANA } from '../../../core/chain.ts'
import type { Hex } from '../../../core/execution.ts'
import { DLN_DESTINATION, DLN_SOURCE, idOfOrder, ORDER, type Order, SOLVER } from '../../../venues/debridge/protocol.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { callData } from '../../kit/callData.ts'
import { type Fate, fails, fateByFault, fills, refunds, takeSettlementFault } from '../../kit/fate.ts'
import { inventedTxHash } from '../../kit/freshAddress.ts'
import { createFulfilment, type Progress, type Terms, untouched } from '../../kit/fulfilment.ts'
import { land, letTake, payOut } from '../../kit/payOut.ts'
import type { World } from '../../kit/world.ts'
import { orderOf, type Plan } from './orders.ts'

/** An order that a contract took, and what became of it. */
type Entry = Plan &
  Terms &
  Progress & {
    readonly order: Order
    readonly orderId: Hex
    readonly txHash: string
    /** Of a delivery that never was. */
    readonly invented: string
    /** Whether the solver has been paid. */
    isUnlocked: boolean
  }

/** From the order to its fill, and to its unlocking. */
const FILL_MS = 6_000
const UNLOCK_MS = 60_000
/** deBridge cancels for those integrators who asked for it: after this long. As long again it takes until it is claimed. */
const CANCEL_MS = 15 * 60_000
const CLAIM_MS = 15 * 60_000

/** What unlocks and cancellations come through. */
const GATE = '0x43dE2d77BF8027e25dBD179B491e8d64f38398aA'
/** IDlnDestination.sol and IDlnSource.sol of debridge-finance/dln-contracts. */
const FULFILL = [
  ORDER,
  'function fulfillOrder(Order order, uint256 fulFillAmount, bytes32 orderId, bytes permitEnvelope, address unlockAuthority) payable',
]
const CLAIM = {
  unlock: 'function claimUnlock(bytes32 orderId, address beneficiary)',
  cancel: 'function claimCancel(bytes32 orderId, address beneficiary)',
} as const

/** What a solver would do: it fills what pays for itself. */
const decideFate = ({ market, faults, clock }: World, venue: string, entry: Entry, completedAt: number | null): Fate => {
  const at = (completedAt ?? clock.now()) + FILL_MS
  const { takeAmount: minimum, given, net, output, gross } = entry
  const fill = fills(at, minimum, gross)
  const refundAt = at + CANCEL_MS + CLAIM_MS
  const fault = takeSettlementFault(faults, venue)
  if (fault) return fateByFault(fault, { fill, minimum, refundAt, reason: 'OrderCancelled' })
  if (faults.take(venue, 'unknown-status')) return { ...fails(at, null), ends: 'unheardOf' }
  return market.convert(given, net, output) >= minimum ? fill : refunds(refundAt, 'UNPROFITABLE')
}

/** What deBridge and its solver do on the chains. */
const createHands = (world: World) => {
  const { evm, schedule, clock } = world
  const fulfil = async ({ order, orderId, takeAmount, destination: chainId, output }: Entry): Promise<string> => {
    const { address: token, isNative } = output
    await evm.fund({ chainId, token, holder: SOLVER.evm, amount: takeAmount })
    if (!isNative) await letTake(evm, { chainId, token, owner: SOLVER.evm, spender: DLN_DESTINATION })
    const data = await callData(FULFILL, [order, takeAmount, orderId, '0x', SOLVER.evm])
    const value = isNative ? takeAmount : 0n
    return (await land(evm, { chainId, from: SOLVER.evm, to: DLN_DESTINATION, data, value })).txHash
  }

  const claim = async ({ orderId, origin }: Entry, kind: keyof typeof CLAIM, beneficiary: string): Promise<string> => {
    const data = await callData(CLAIM[kind], [orderId, beneficiary])
    return (await land(evm, { chainId: origin, from: GATE, to: DLN_SOURCE, data })).txHash
  }

  const unlockLater = (entry: Entry): void =>
    schedule.at(clock.now() + UNLOCK_MS, async () => {
      if (entry.origin !== SOLANA) await claim(entry, 'unlock', SOLVER.evm)
      entry.isUnlocked = true
    })

  return {
    /** Less than the order demands no contract would take: it is sent past them. */
    deliver: async (entry: Entry, amount: bigint): Promise<string> => {
      const { takeAmount, destination, output: token, recipient: to } = entry
      const isByContract = amount === takeAmount && destination !== SOLANA
      const txHash = await (isByContract ? fulfil(entry) : payOut(world, { token, to, amount }))
      if (amount === takeAmount) unlockLater(entry)
      return txHash
    },
    giveBack: (entry: Entry, amount: bigint): Promise<string> => {
      const { origin, given: token, beneficiary: to } = entry
      return origin === SOLANA ? payOut(world, { token, to, amount }) : claim(entry, 'cancel', to)
    },
  }
}

/** Orders in memory, and what becomes of them. */
export const createBook = (world: World, venue: string) => {
  const { clock, random } = world
  const entries = new BoundedMap<string, Entry>()
  const fulfilment = createFulfilment<Entry>(world, {
    decide: (entry, completedAt) => decideFate(world, venue, entry, completedAt),
    instead: () => refunds(clock.now() + CANCEL_MS + CLAIM_MS, 'OrderCancelled'),
    ...createHands(world),
    vanished: (entry) => {
      entry.end = { ...fails(clock.now(), 'reorged'), keeps: 0n, txHash: null }
      entries.delete(entry.orderId)
    },
  })

  return {
    byId: (orderId: string) => entries.get(orderId.toLowerCase()) ?? null,
    byTx: (txHash: string) => [...entries.values()].filter((entry) => entry.txHash === txHash),
    /** Takes note of an order that a contract took of this maker, and sees it through. */
    record: (plan: Plan, makerSrc: Hex | undefined, txHash: string): void => {
      const order = orderOf(plan, makerSrc)
      const orderId = idOfOrder(order)
      const terms = { amountNeeded: plan.gross, refundCost: 0n, openUntil: clock.now(), settleMs: 0 } as const
      const invented = inventedTxHash(plan.destination, random)
      const entry: Entry = { ...plan, ...untouched(), ...terms, order, orderId, txHash, invented, isUnlocked: false }
      entries.set(orderId, entry)
      fulfilment.pay(entry, { txHash, amount: plan.gross })
    },
  }
}

/** Raw status at a moment. */
const statusOf = ({ end, fate, refunds: back, isUnlocked }: Entry, now: number): string => {
  if (end?.ends === 'unheardOf') return 'UnderReview'
  if (end?.ends === 'filled') return isUnlocked ? 'ClaimedUnlock' : 'Fulfilled'
  if (back.length > 0) return 'ClaimedOrderCancel'
  if (end) return 'OrderCancelled'
  // Cancelled on the one chain before it is claimed on the other.
  const isCancelled = fate?.ends === 'refunded' && now >= fate.at - CLAIM_MS
  return isCancelled ? 'SentOrderCancel' : 'Created'
}

export const wrapped = (stringValue: string | null) => ({ stringValue })
const metadataOf = (hash: string | null) => (hash === null ? null : { transactionHash: wrapped(hash) })

/** GET /api/Orders/{orderId} of the tracking API. */
export const orderBody = (entry: Entry, now: number) => {
  const { orderId, txHash, order, end, invented, origin, maker } = entry
  const filled = end?.ends === 'filled' ? (end.isClaim ? invented : end.txHash) : null
  return {
    orderId: wrapped(orderId),
    state: statusOf(entry, now),
    makerSrc: wrapped(origin === SOLANA ? maker : order.makerSrc),
    createdSrcEventMetadata: metadataOf(txHash),
    fulfilledDstEventMetadata: metadataOf(filled),
    claimedOrderCancelSrcEventInfo: { transactionMetadata: metadataOf(entry.refunds.at(-1)?.txHash ?? null) },
  }
}
