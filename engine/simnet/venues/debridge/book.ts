import { SOLANA } from '../../../core/chain.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { callData } from '../../kit/callData.ts'
import { type Fate, fails, fateByFault, fills, refunds, takeSettlementFault } from '../../kit/fate.ts'
import { inventedTxHash } from '../../kit/freshAddress.ts'
import { createFulfilment, type Progress, type Terms, untouched } from '../../kit/fulfilment.ts'
import { land, letTake, payOut } from '../../kit/payOut.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { CONTRACTS, findToken, isSvm, type Network, networkByWireId, SOLVER } from './networks.ts'
import { type Order, type SeenOrder, textOf } from './order.ts'

/** An order that a contract took, and what became of it. */
export type DlnOrder = SeenOrder &
  Terms &
  Progress & {
    readonly origin: Network
    readonly destination: Network
    readonly given: SimToken
    readonly output: SimToken
    readonly txHash: string
    /** Epoch ms. */
    readonly madeAt: number
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

const ORDER =
  'struct Order { uint64 makerOrderNonce; bytes makerSrc; uint256 giveChainId; bytes giveTokenAddress; uint256 giveAmount; uint256 takeChainId; bytes takeTokenAddress; uint256 takeAmount; bytes receiverDst; bytes givePatchAuthoritySrc; bytes orderAuthorityAddressDst; bytes allowedTakerDst; bytes allowedCancelBeneficiarySrc; bytes externalCall; }'
/** IDlnDestination.sol and IDlnSource.sol of debridge-finance/dln-contracts. */
const FULFILL = [
  ORDER,
  'function fulfillOrder(Order order, uint256 fulFillAmount, bytes32 orderId, bytes permitEnvelope, address unlockAuthority) payable',
]
const CLAIM = {
  unlock: 'function claimUnlock(bytes32 orderId, address beneficiary)',
  cancel: 'function claimCancel(bytes32 orderId, address beneficiary)',
} as const

const REORGED = 'reorged'

/** What a solver would do: it fills what pays for itself. */
const decideFate = ({ market, faults, clock }: World, venue: string, entry: DlnOrder, completedAt: number | null): Fate => {
  const at = (completedAt ?? clock.now()) + FILL_MS
  const { order, given, output, gross } = entry
  const fill = fills(at, order.takeAmount, gross)
  const refundAt = at + CANCEL_MS + CLAIM_MS
  const fault = takeSettlementFault(faults, venue)
  if (fault) return fateByFault(fault, { fill, minimum: order.takeAmount, refundAt, reason: 'OrderCancelled' })
  if (faults.take(venue, 'unknown-status')) return { ...fails(at, null), ends: 'unheardOf' }
  const isProfitable = market.convert(given, order.giveAmount, output) >= order.takeAmount
  return isProfitable ? fill : refunds(refundAt, 'UNPROFITABLE')
}

/** What DlnDestination takes of the solver. */
const takingOf = ({ chainId, address }: Pick<SimToken, 'chainId' | 'address'>) => ({
  ...{ chainId, token: address, owner: SOLVER.evm, spender: CONTRACTS.destination },
})

/** What deBridge and its solver do on the chains. */
const createHands = ({ evm, solana, bitcoin, schedule, clock }: World) => {
  const fulfil = async ({ order, orderId, destination, output }: DlnOrder): Promise<string> => {
    const { chainId } = destination
    const { takeAmount } = order
    await evm.fund({ chainId, token: output.address, holder: SOLVER.evm, amount: takeAmount })
    if (!output.isNative) await letTake(evm, takingOf(output))
    const data = await callData(FULFILL, [order, takeAmount, orderId, '0x', SOLVER.evm])
    const value = output.isNative ? takeAmount : 0n
    return (await land(evm, { chainId, from: SOLVER.evm, to: CONTRACTS.destination, data, value })).txHash
  }

  const claim = async ({ orderId, origin }: DlnOrder, kind: keyof typeof CLAIM, beneficiary: string): Promise<string> => {
    const data = await callData(CLAIM[kind], [orderId, beneficiary])
    const { txHash } = await land(evm, { chainId: origin.chainId, from: CONTRACTS.gate, to: CONTRACTS.source, data })
    return txHash
  }

  const unlockLater = (entry: DlnOrder): void =>
    schedule.at(clock.now() + UNLOCK_MS, async () => {
      if (!isSvm(entry.origin)) await claim(entry, 'unlock', SOLVER.evm)
      entry.isUnlocked = true
    })

  return {
    /** Less than the order demands no contract would take: it is sent past them. */
    deliver: async (entry: DlnOrder, amount: bigint): Promise<string> => {
      const { order, destination, output: token } = entry
      const isWhole = amount === order.takeAmount && !isSvm(destination)
      const to = textOf(destination, order.receiverDst)
      const txHash = await (isWhole ? fulfil(entry) : payOut({ evm, solana, bitcoin }, { token, to, amount }))
      if (amount === order.takeAmount) unlockLater(entry)
      return txHash
    },
    giveBack: ({ order, origin, given, ...entry }: DlnOrder, amount: bigint): Promise<string> => {
      const to = textOf(
        origin,
        order.allowedCancelBeneficiarySrc === '0x' ? order.givePatchAuthoritySrc : order.allowedCancelBeneficiarySrc,
      )
      if (isSvm(origin)) return solana.transfer({ token: given.address, to, amount })
      return claim({ ...entry, order, origin, given }, 'cancel', to)
    },
  }
}

const tokensOf = (world: World, { giveTokenAddress, takeTokenAddress }: Order, origin: Network, destination: Network) => ({
  given: findToken(world.tokens, origin, textOf(origin, giveTokenAddress)),
  output: findToken(world.tokens, destination, textOf(destination, takeTokenAddress)),
})

/** Orders in memory, and what becomes of them. */
export const createBook = (world: World, venue: string) => {
  const { clock, random } = world
  const entries = new BoundedMap<string, DlnOrder>()
  const hands = createHands(world)
  const fulfilment = createFulfilment<DlnOrder>(world, {
    decide: (entry, completedAt) => decideFate(world, venue, entry, completedAt),
    instead: () => refunds(clock.now() + CANCEL_MS + CLAIM_MS, 'OrderCancelled'),
    ...hands,
    vanished: (entry) => {
      entry.end = { ...fails(clock.now(), REORGED), keeps: 0n, txHash: null }
      entries.delete(entry.orderId)
    },
  })

  const prepared = new Set<string>()

  return {
    /** Once for each token, before the first order that asks for it. */
    prepare: async ({ chainId, address, isNative }: SimToken): Promise<void> => {
      const key = `${chainId}:${address}`
      if (isNative || chainId === SOLANA || prepared.has(key)) return
      prepared.add(key)
      await letTake(world.evm, takingOf({ chainId, address }))
    },
    byId: (orderId: string) => entries.get(orderId.toLowerCase()) ?? null,
    byTx: (txHash: string) => [...entries.values()].filter((entry) => entry.txHash === txHash),
    /** Takes note of an order that a contract took, and sees it through. */
    record: (seen: SeenOrder, origin: Network, txHash: string): void => {
      const destination = networkByWireId(Number(seen.order.takeChainId))
      const { given, output } = destination ? tokensOf(world, seen.order, origin, destination) : { given: null, output: null }
      if (!destination || !given || !output) return
      const entry: DlnOrder = {
        ...seen,
        ...untouched(),
        ...{ origin, destination, given, output, txHash, madeAt: clock.now(), isUnlocked: false },
        invented: inventedTxHash(destination.chainId, random),
        input: { chainId: origin.chainId },
        amountNeeded: seen.gross,
        refundCost: 0n,
        openUntil: clock.now(),
        settleMs: 0,
      }
      entries.set(entry.orderId, entry)
      fulfilment.pay(entry, { txHash, amount: seen.gross })
    },
  }
}

export type Book = Readonly<ReturnType<typeof createBook>>

/** Raw status at a moment. */
export const statusOf = ({ end, fate, refunds: back, isUnlocked }: DlnOrder, now: number): string => {
  if (end?.ends === 'unheardOf') return 'UnderReview'
  if (end?.ends === 'filled') return isUnlocked ? 'ClaimedUnlock' : 'Fulfilled'
  if (back.length > 0) return 'ClaimedOrderCancel'
  if (end) return 'OrderCancelled'
  // Cancelled on the one chain before it is claimed on the other.
  const isCancelled = fate?.ends === 'refunded' && now >= fate.at - CLAIM_MS
  return isCancelled ? 'SentOrderCancel' : 'Created'
}
