import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { uintAt, wordAt } from '../../kit/abiWords.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { type Fate, fails, fateByFault, fills, takeSettlementFault } from '../../kit/fate.ts'
import { inventedTxHash } from '../../kit/freshAddress.ts'
import { createFulfilment, type Progress, type Terms, untouched } from '../../kit/fulfilment.ts'
import { payOut } from '../../kit/payOut.ts'
import type { SimLog, SimTransaction } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { networkOf, tokenBody } from './networks.ts'
import type { Issued } from './quotes.ts'

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

type Transfer = Issued &
  Terms &
  Progress & {
    readonly txHash: string
    /** Epoch ms. */
    readonly madeAt: number
    readonly took: bigint
    /** At Across's pool of the origin; null for all others. */
    readonly deposit: { readonly id: bigint; readonly fillDeadline: number } | null
    readonly lie: 'lying-success' | 'unknown-status' | null
    /** What was seen on the chains of it. */
    done: { readonly substatus: 'COMPLETED' | 'REFUNDED'; readonly txHash: string; readonly amount: bigint } | null
  }

const isAt = ({ address }: SimLog, contract: string | null): boolean => address.toLowerCase() === contract?.toLowerCase()

/** What is paid over LI.FI, and what becomes of it: by Circle, which is simulated here, or by Across, which is only watched. */
export const createTransfers = (world: World, venue: string) => {
  const { clock, faults, random, market } = world
  const issued = new BoundedMap<string, Issued>()
  const transfers = new BoundedMap<string, Transfer>()

  const dueAt = ({ madeAt, price }: Transfer): number => madeAt + price.seconds * 1_000

  /** Circle gives nothing back. */
  const decide = (transfer: Transfer): Fate => {
    const { price, took } = transfer
    const at = dueAt(transfer)
    const fault = takeSettlementFault(faults, venue)
    const amount = took - price.polymerFee - price.cctpFee
    if (fault === 'never-fills') return { ...fails(Number.MAX_SAFE_INTEGER, null), ends: 'unheardOf' }
    if (fault)
      return fateByFault(fault, {
        fill: fills(at, amount, took),
        minimum: price.minimum,
        refundAt: at,
        reason: 'UNKNOWN_FAILED_ERROR',
      })
    return fills(at, amount, took)
  }

  const fulfilment = createFulfilment<Transfer>(world, {
    decide,
    instead: () => fails(clock.now(), 'UNKNOWN_FAILED_ERROR'),
    deliver: async ({ question: { output: token, recipient: to } }, amount) => payOut(world, { token, to, amount }),
    giveBack: () => Promise.reject(new Error('what was burnt does not come back')),
    vanished: (transfer) => void transfers.delete(transfer.txHash.toLowerCase()),
  })

  const start = (log: SimLog, before: readonly SimLog[], { txHash, chainId }: SimTransaction): void => {
    const own = issued.get(`0x${wordAt(log.data, 1)}`)
    const network = networkOf(chainId)
    if (!own || !network || own.question.origin !== network) return
    const deposited = before.findLast((one) => one.topics[0] === DEPOSITED && isAt(one, network.spokePool))
    const isAcross = own.price.tool === 'across'
    const lie =
      isAcross && faults.take(venue, 'lying-success')
        ? 'lying-success'
        : faults.take(venue, 'unknown-status')
          ? 'unknown-status'
          : null
    const took = uintAt(log.data, 7)
    const transfer: Transfer = {
      ...own,
      ...untouched(),
      ...{ txHash, madeAt: clock.now(), took, lie, done: null },
      deposit: deposited ? { id: BigInt(deposited.topics[2] ?? '0'), fillDeadline: Number(uintAt(deposited.data, 5)) } : null,
      ...{ input: network, amountNeeded: took, refundCost: 0n, openUntil: clock.now(), settleMs: 0 },
    }
    transfers.set(txHash.toLowerCase(), transfer)
    if (!isAcross) fulfilment.pay(transfer, { txHash, amount: took })
  }

  const complete = (log: SimLog, { txHash, chainId }: SimTransaction): void => {
    const own = issued.get(log.topics[1] ?? '')
    const network = networkOf(chainId)
    if (!own || !network) return
    const amount = uintAt(log.data, 6)
    const done = { substatus: 'COMPLETED', txHash, amount } as const
    transfers.set(txHash.toLowerCase(), {
      ...own,
      ...untouched(),
      ...{ txHash, madeAt: clock.now(), took: own.question.amount, deposit: null, lie: null, done },
      ...{ input: network, amountNeeded: 0n, refundCost: 0n, openUntil: 0, settleMs: 0 },
    })
  }

  /** Fills and refunds of deposits that this made, as Across's pools tell of them. */
  const settled = (log: SimLog, { txHash, chainId }: SimTransaction): void => {
    const [topic, first = '', second = ''] = log.topics
    for (const transfer of transfers.values()) {
      const { deposit, question, took, done } = transfer
      if (deposit === null || done !== null) continue
      const isFill = topic === FILLED && question.destination.chainId === chainId && isAt(log, question.destination.spokePool)
      if (isFill && BigInt(first) === BigInt(question.origin.id) && BigInt(second) === deposit.id)
        transfer.done = { substatus: 'COMPLETED', txHash, amount: uintAt(log.data, 13) }
      const isRoot = topic === REFUND_ROOT && question.origin.chainId === chainId && isAt(log, question.origin.spokePool)
      if (isRoot && clock.now() >= deposit.fillDeadline * 1_000 && log.data.includes(question.sender.slice(2).toLowerCase()))
        transfer.done = { substatus: 'REFUNDED', txHash, amount: took }
    }
  }

  const onTransaction = (transaction: SimTransaction): boolean => {
    const { logs = [], chainId } = transaction
    const diamond = networkOf(chainId)?.diamond ?? null
    let isOurs = false
    logs.forEach((log, at) => {
      const [topic] = log.topics
      if (topic === FILLED || topic === REFUND_ROOT) settled(log, transaction)
      if (!isAt(log, diamond)) return
      isOurs = true
      if (topic === STARTED) start(log, logs.slice(0, at), transaction)
      if (topic === COMPLETED) complete(log, transaction)
    })
    return isOurs
  }

  const stateOf = (
    transfer: Transfer,
  ): { status: string; substatus: string; txHash?: string; amount?: bigint; isBack?: true } => {
    const { lie, done, end, deposit, fate, price } = transfer
    if (lie === 'unknown-status') return { status: 'WANDERING', substatus: 'NOBODY_KNOWS' }
    if (lie === 'lying-success' || (end?.ends === 'filled' && end.txHash === null))
      return {
        status: 'DONE',
        substatus: 'COMPLETED',
        txHash: inventedTxHash(transfer.question.destination.chainId, random),
        amount: price.expected,
      }
    if (done) return { status: 'DONE', ...done, ...(done.substatus === 'REFUNDED' ? { isBack: true } : {}) }
    if (end?.ends === 'filled') return { status: 'DONE', substatus: 'COMPLETED', txHash: end.txHash ?? '', amount: end.amount }
    if (end?.ends === 'failed') return { status: 'FAILED', substatus: 'UNKNOWN_FAILED_ERROR' }
    if (deposit && clock.now() >= deposit.fillDeadline * 1_000) return { status: 'PENDING', substatus: 'REFUND_IN_PROGRESS' }
    const isTaken = fate !== null || deposit !== null
    return { status: 'PENDING', substatus: isTaken ? 'WAIT_DESTINATION_TRANSACTION' : 'WAIT_SOURCE_CONFIRMATIONS' }
  }

  const bodyOf = (transfer: Transfer) => {
    const { question, transactionId, txHash, took, price } = transfer
    const { origin, destination, input, output, sender, recipient } = question
    const { status, substatus, txHash: at, amount, isBack } = stateOf(transfer)
    const back = price.exchange?.to ?? input
    const token = isBack ? back : output
    const chainId = isBack ? origin.id : destination.id
    return {
      ...{ transactionId, fromAddress: sender, toAddress: recipient, tool: price.tool ?? 'lifidexaggregator' },
      sending: {
        txHash,
        chainId: origin.id,
        amount: (price.tool === null ? question.amount : took).toString(),
        token: tokenBody(input, market.usdMicros(input)),
      },
      receiving:
        at === undefined
          ? { chainId: destination.id }
          : {
              txHash: at,
              chainId,
              amount: String(amount ?? 0n),
              token: tokenBody(token, market.usdMicros(token)),
              timestamp: Math.floor(clock.now() / 1_000),
            },
      ...{
        status,
        substatus,
        substatusMessage: substatus.toLowerCase(),
        lifiExplorerLink: `https://explorer.li.fi/tx/${txHash}`,
      },
    }
  }

  return {
    issue: (one: Issued) => void issued.set(one.transactionId, one),
    onTransaction,
    /** Null while its books do not have it. */
    status: (txHash: string) => {
      const transfer = transfers.get(txHash.toLowerCase())
      return transfer && clock.now() >= transfer.madeAt + LAG_MS ? bodyOf(transfer) : null
    },
  }
}
