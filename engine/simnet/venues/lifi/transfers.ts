import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { uintAt, wordAt } from '../../kit/abiWords.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { type Fate, fails, fateByFault, fills, takeSettlementFault } from '../../kit/fate.ts'
import { createFulfilment, untouched } from '../../kit/fulfilment.ts'
import { payOut } from '../../kit/payOut.ts'
import type { SimLog, SimTransaction } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { createSolver, OPENED } from './intents.ts'
import { INTENTS, networkOf } from './networks.ts'
import { ONE } from './question.ts'
import type { Issued } from './quotes.ts'
import { statusBody, type Transfer } from './views.ts'

/** ILiFi.sol of lifinance/contracts, and V3SpokePoolInterface.sol and SpokePoolInterface.sol of across-protocol/contracts. */
const STARTED = keccakText('LiFiTransferStarted((bytes32,string,string,address,address,address,uint256,uint256,bool,bool))')
const COMPLETED = keccakText('LiFiGenericSwapCompleted(bytes32,string,string,address,address,address,uint256,uint256)')
const DEPOSITED = keccakText(
  'FundsDeposited(bytes32,bytes32,uint256,uint256,uint256,uint256,uint32,uint32,uint32,bytes32,bytes32,bytes32,bytes)',
)
const FILLED = keccakText(
  'FilledRelay(bytes32,bytes32,uint256,uint256,uint256,uint256,uint256,uint32,uint32,bytes32,bytes32,bytes32,bytes32,bytes32,(bytes32,bytes32,uint256,uint8))',
)
const REFUND_ROOT = keccakText(
  'ExecutedRelayerRefundRoot(uint256,uint256,uint256[],uint32,uint32,address,address[],bool,address)',
)

/** Its books are behind the chains by so much. */
const LAG_MS = 4_000

const isAt = ({ address }: SimLog, contract: string | null): boolean => address.toLowerCase() === contract?.toLowerCase()

/** A call may be sent twice, and a transaction may hold several. */
const keyOf = ({ txHash, transactionId }: Pick<Transfer, 'txHash' | 'transactionId'>): string =>
  `${txHash} ${transactionId}`.toLowerCase()

const wholeOf = ({ price, took, opened }: Transfer): bigint =>
  opened ? (took * price.multiplier) / ONE : took - price.polymerFee - price.cctpFee

/** An order may be sent back a moment after it expired. */
const REFUND_MS = 60_000

/** Circle pays what is due, and gives nothing back; a solver fills an intent, or its input is sent back. */
const createCarriers = (world: World, venue: string, forget: (transfer: Transfer) => void) => {
  const { clock, faults } = world
  const solver = createSolver(world)

  const decide = (transfer: Transfer): Fate => {
    const { price, took, madeAt, opened } = transfer
    const at = madeAt + price.seconds * 1_000
    const amount = wholeOf(transfer)
    const fault = takeSettlementFault(faults, venue)
    if (fault === 'never-fills' && !opened) return { ...fails(Number.MAX_SAFE_INTEGER, null), ends: 'unheardOf' }
    const fill = fills(at, amount, took)
    const refundAt = opened ? opened.expires * 1_000 + REFUND_MS : at
    return fault ? fateByFault(fault, { fill, minimum: price.minimum, refundAt, reason: 'UNKNOWN_FAILED_ERROR' }) : fill
  }

  return createFulfilment<Transfer>(world, {
    decide,
    instead: () => fails(clock.now(), 'UNKNOWN_FAILED_ERROR'),
    deliver: (transfer, amount) => {
      const { output: token, recipient: to } = transfer.question
      // Less than the order says no settler takes: it is sent past it.
      const isWhole = transfer.opened !== null && amount === wholeOf(transfer)
      return isWhole ? solver.fill(transfer) : payOut(world, { token, to, amount })
    },
    giveBack: (transfer) =>
      transfer.opened ? solver.refund(transfer) : Promise.reject(new Error('what was burnt does not come back')),
    vanished: forget,
  })
}

const openedIn = ({ topics, data }: SimLog): Transfer['opened'] => ({
  ...{ orderId: topics[1] ?? '', data, expires: Number(uintAt(data, 4)), fillDeadline: Number(uintAt(data, 5)) },
})

/** What a pool of Across tells of a deposit that was made over LI.FI; null where it is about another. */
const endOf = (log: SimLog, { txHash, chainId }: SimTransaction, transfer: Transfer, now: number): Transfer['done'] => {
  const { deposit, question, took } = transfer
  const [topic, originId = '0', depositId = '0'] = log.topics
  if (deposit === null) return null
  const isFill = topic === FILLED && question.destination.chainId === chainId && isAt(log, question.destination.spokePool)
  if (isFill && BigInt(originId) === BigInt(question.origin.id) && BigInt(depositId) === deposit.id)
    return { substatus: 'COMPLETED', txHash, amount: uintAt(log.data, 13) }
  const isRoot = topic === REFUND_ROOT && question.origin.chainId === chainId && isAt(log, question.origin.spokePool)
  const isLate = now >= deposit.fillDeadline * 1_000
  if (!isRoot || !isLate || !log.data.includes(question.sender.slice(2).toLowerCase())) return null
  return { substatus: 'REFUNDED', txHash, amount: took }
}

/** What is paid over LI.FI, and what becomes of it: by Circle, which is simulated here, or by Across, which is only watched. */
export const createTransfers = (world: World, venue: string) => {
  const { clock, faults, evm } = world
  const issued = new BoundedMap<string, Issued>()
  const transfers = new BoundedMap<string, Transfer>()
  const carriers = createCarriers(world, venue, (transfer) => void transfers.delete(keyOf(transfer)))

  const lieOf = (isAcross: boolean): Transfer['lie'] => {
    if (isAcross && faults.take(venue, 'lying-success')) return 'lying-success'
    return faults.take(venue, 'unknown-status') ? 'unknown-status' : null
  }

  const add = (
    own: Issued,
    { txHash }: SimTransaction,
    rest: Pick<Transfer, 'took' | 'deposit' | 'opened' | 'lie' | 'done'>,
  ): Transfer => {
    const terms = { input: own.question.origin, amountNeeded: rest.took, refundCost: 0n, openUntil: clock.now(), settleMs: 0 }
    const transfer: Transfer = { ...own, ...untouched(), ...terms, ...rest, txHash, madeAt: clock.now() }
    transfers.set(keyOf(transfer), transfer)
    return transfer
  }

  const start = (log: SimLog, before: readonly SimLog[], transaction: SimTransaction): void => {
    const own = issued.get(`0x${wordAt(log.data, 1)}`)
    if (own?.question.origin.chainId !== transaction.chainId) return
    const deposited = before.findLast((one) => one.topics[0] === DEPOSITED && isAt(one, own.question.origin.spokePool))
    const isAcross = own.price.tool === 'across'
    const deposit = deposited ? { id: BigInt(deposited.topics[2] ?? '0'), fillDeadline: Number(uintAt(deposited.data, 5)) } : null
    const open = before.findLast((one) => one.topics[0] === OPENED && isAt(one, INTENTS.escrow))
    const opened = open ? openedIn(open) : null
    const took = uintAt(log.data, 7)
    const transfer = add(own, transaction, { took, deposit, opened, lie: lieOf(isAcross), done: null })
    if (!isAcross) carriers.pay(transfer, { txHash: transaction.txHash, amount: took })
  }

  const complete = (log: SimLog, transaction: SimTransaction): void => {
    const own = issued.get(log.topics[1] ?? '')
    if (own?.question.origin.chainId !== transaction.chainId) return
    const done = { substatus: 'COMPLETED', txHash: transaction.txHash, amount: uintAt(log.data, 6) } as const
    add(own, transaction, { took: own.question.amount, deposit: null, opened: null, lie: null, done })
  }

  const onTransaction = (transaction: SimTransaction): boolean => {
    const { logs = [], chainId } = transaction
    const diamond = networkOf(chainId)?.diamond ?? null
    for (const [at, log] of logs.entries()) {
      for (const transfer of transfers.values()) transfer.done ??= endOf(log, transaction, transfer, clock.now())
      if (isAt(log, diamond) && log.topics[0] === STARTED) start(log, logs.slice(0, at), transaction)
      if (isAt(log, diamond) && log.topics[0] === COMPLETED) complete(log, transaction)
    }
    return logs.some((log) => isAt(log, diamond))
  }

  return {
    issue: (one: Issued) => void issued.set(one.transactionId, one),
    onTransaction,
    /** Null while its books do not have it, and where its chain has it no more. */
    status: async (txHash: string, transactionId: string | null) => {
      const named = transactionId === null ? [...transfers.values()] : [transfers.get(keyOf({ txHash, transactionId }))]
      const transfer = named.find((one) => one?.txHash.toLowerCase() === txHash.toLowerCase())
      if (!transfer || clock.now() < transfer.madeAt + LAG_MS) return null
      const isThere = (await evm.receipt(transfer.question.origin.chainId, transfer.txHash)) !== null
      return isThere ? statusBody(transfer, world) : null
    },
  }
}
