import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { keccakText } from '../../../chains/evm/evmCodec.ts'
import type { Hex } from '../../../core/execution.ts'
import { addressAt, bytesAt, uintAt, wordAt, wordOf } from '../../kit/abiWords.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { callData, encodedArguments } from '../../kit/callData.ts'
import { type Fate, fateByFault, fills, refunds, takeSettlementFault } from '../../kit/fate.ts'
import { createFulfilment, type Progress, type Terms, untouched } from '../../kit/fulfilment.ts'
import { land, letTake } from '../../kit/payOut.ts'
import type { SimLog } from '../../kit/simVenue.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { contractOf, isSvm, type Network, networkByWireId, wordAddress, wordOn } from './networks.ts'
import { isSlow } from './pricing.ts'
import { fillOnSolana, refundOnSolana, type SeenDeposit } from './svm.ts'

export type Deposit = SeenDeposit &
  Terms &
  Progress & {
    readonly txHash: string
    readonly origin: Network
    readonly destination: Network
    /** Epoch ms. */
    readonly madeAt: number
    readonly fillsAt: number
    /** Filled by the protocol itself, for want of a relayer. */
    readonly isSlow: boolean
    /** Whether the calls of the message were done; null without a message, or a fill. */
    actionsSucceeded: boolean | null
  }

/** contracts/interfaces/V3SpokePoolInterface.sol and SpokePoolPeripheryInterface.sol of across-protocol/contracts. */
const FUNDS_DEPOSITED = keccakText(
  'FundsDeposited(bytes32,bytes32,uint256,uint256,uint256,uint256,uint32,uint32,uint32,bytes32,bytes32,bytes32,bytes)',
)
const SWAP_BEFORE_BRIDGE = keccakText('SwapBeforeBridge(address,bytes,address,address,uint256,uint256,bytes32,uint256)')
const FILL_RELAY = [
  'struct RelayData { bytes32 depositor; bytes32 recipient; bytes32 exclusiveRelayer; bytes32 inputToken; bytes32 outputToken; uint256 inputAmount; uint256 outputAmount; uint256 originChainId; uint256 depositId; uint32 fillDeadline; uint32 exclusivityDeadline; bytes message; }',
  'function fillRelay(RelayData relayData, uint256 repaymentChainId, bytes32 repaymentAddress)',
]
/** contracts/spoke-pools/SpokePool.sol */
const LEAF =
  'struct RelayerRefundLeaf { uint256 amountToReturn; uint256 chainId; uint256[] refundAmounts; uint32 leafId; address l2TokenAddress; address[] refundAddresses; }'
const EXECUTE_LEAF = [
  LEAF,
  'function executeRelayerRefundLeaf(uint32 rootBundleId, RelayerRefundLeaf relayerRefundLeaf, bytes32[] proof)',
]
const RELAY_ROOT = 'function relayRootBundle(bytes32 relayerRefundRoot, bytes32 slowRelayRoot)'
const ROOT_RELAYED = keccakText('RelayedRootBundle(uint32,bytes32,bytes32)')
const CALLS_FAILED = keccakText('CallsFailed((address,bytes,uint256)[],address)')

const readEvent = ({ topics, data }: SimLog, swap: SeenDeposit['swap']): SeenDeposit => {
  const [, destinationChainId = '', depositId = '', depositor = ''] = topics
  const word = (index: number): Hex => `0x${wordAt(data, index)}`
  const seconds = (index: number) => Number(uintAt(data, index))
  return {
    ...{ depositId: BigInt(depositId), destinationChainId: BigInt(destinationChainId), depositor: depositor as Hex, swap },
    ...{ inputToken: word(0), outputToken: word(1), inputAmount: uintAt(data, 2), outputAmount: uintAt(data, 3) },
    ...{ quoteTimestamp: seconds(4), fillDeadline: seconds(5), exclusivityDeadline: seconds(6) },
    ...{ recipient: word(7), exclusiveRelayer: word(8), message: `0x${bytesAt(data, 9)}` },
  }
}

/** The deposits that the SpokePool of a chain logged; the periphery logs an exchange just before its deposit. */
export const readDeposits = (logs: readonly SimLog[], { spokePool, periphery }: Network): readonly SeenDeposit[] => {
  const deposits: SeenDeposit[] = []
  let swap: SeenDeposit['swap'] = null
  for (const log of logs) {
    const [topic, token = ''] = log.topics
    if (topic === SWAP_BEFORE_BRIDGE && log.address === periphery) swap = { token, amount: uintAt(log.data, 2) }
    if (topic !== FUNDS_DEPOSITED || log.address !== spokePool) continue
    deposits.push(readEvent(log, swap))
    swap = null
  }
  return deposits
}

/** The account that fills: any may. */
const RELAYER = '0x07aE8551Be970cB1cCa11Dd7a11F47Ae82e70E67'

const fillOnEvm = async ({ evm }: World, deposit: Deposit, amount: bigint): Promise<string> => {
  const { chainId, spokePool, multicallHandler } = deposit.destination
  const token = wordAddress(deposit.destination, deposit.outputToken)
  await evm.fund({ chainId, token, holder: RELAYER, amount })
  await letTake(evm, { chainId, token, owner: RELAYER, spender: spokePool })
  const originChainId = BigInt(deposit.origin.wireId)
  const args = [{ ...deposit, outputAmount: amount, originChainId }, originChainId, `0x${wordOf(RELAYER)}`]
  const { txHash, logs } = await land(evm, { chainId, from: RELAYER, to: spokePool, data: await callData(FILL_RELAY, args) })
  const isFailed = logs.some(({ address, topics }) => address === multicallHandler && topics[0] === CALLS_FAILED)
  deposit.actionsSucceeded = deposit.message === '0x' ? null : !isFailed
  return txHash
}

/** By a root of this refund alone. On mainnet Ethereum reports roots to the pool, some hours after they were proposed. */
const refundOnEvm = async (
  { evm }: World,
  { chainId, spokePool: to }: Network,
  token: string,
  refundTo: string,
  amount: bigint,
) => {
  const sums = { refundAmounts: [amount], refundAddresses: [refundTo] }
  const leaf = { amountToReturn: 0n, chainId: BigInt(chainId), leafId: 0, l2TokenAddress: token, ...sums }
  const words = await encodedArguments([LEAF, 'function leaf(RelayerRefundLeaf leaf)'], [leaf])
  const root = `0x${bytesToHex(keccak_256(hexToBytes(words.slice(2))))}`
  const owner = addressAt(await evm.call({ chainId, to, data: keccakText('owner()').slice(0, 10) }), 0)
  const { logs } = await land(evm, { chainId, from: owner, to, data: await callData(RELAY_ROOT, [root, root]) })
  const relayed = logs.find(({ address, topics }) => address === to && topics[0] === ROOT_RELAYED)
  const data = await callData(EXECUTE_LEAF, [Number(relayed?.topics[1]), leaf, []])
  return (await land(evm, { chainId, from: RELAYER, to, data })).txHash
}

const refund = (world: World, { origin, inputToken, depositor }: Deposit, amount: bigint): Promise<string> => {
  const [token, to] = [inputToken, depositor].map((word) => wordAddress(origin, word)) as [string, string]
  return isSvm(origin) ? refundOnSolana(world, { token, to, amount }) : refundOnEvm(world, origin, token, to, amount)
}

const FILL_MS = 12_000
/** A slow fill takes so long, and so does a refund after the deadline: in batches, after a challenge window. */
const BATCH_MS = 90 * 60_000
/** The indexer sees a deposit a few seconds after it was made. */
const INDEXER_LAG_MS = 5_000

const refundOf = ({ fillDeadline }: SeenDeposit, reason: string | null): Fate => ({
  ...refunds(fillDeadline * 1_000 + BATCH_MS, ''),
  reason,
})

/** Records the deposits that chains took, and sees to what becomes of them. */
export const createBook = (world: World) => {
  const { clock, tokens, market, faults } = world
  const byHash = new BoundedMap<string, readonly Deposit[]>(5_000)
  /** As the indexer compares it: as text. */
  const keyOf = (txHash: string): string => (txHash.startsWith('0x') ? txHash.toLowerCase() : txHash)
  const tokenOf = (network: Network | null, word: string): SimToken | null =>
    tokens.all.find((token) => token.chainId === network?.chainId && wordOn(network, contractOf(network, token)) === word) ?? null

  /** No relayer fills at a loss, and none delivers an unknown token. A deposit to nowhere just expires. */
  const isWorthFilling = (seen: SeenDeposit, input: SimToken | null): boolean => {
    const output = tokenOf(networkByWireId(seen.destinationChainId), seen.outputToken)
    return input !== null && output !== null && market.convert(input, seen.inputAmount, output) >= seen.outputAmount
  }

  const decide = (deposit: Deposit): Fate => {
    const { fillsAt, outputAmount, inputAmount, origin } = deposit
    const back = refundOf(deposit, null)
    const fault = takeSettlementFault(faults, 'across')
    if (fault === 'fails') return refundOf(deposit, 'deposit-failed')
    const fill = fills(fillsAt, outputAmount, inputAmount)
    if (fault) return { ...fateByFault(fault, { fill, minimum: outputAmount, refundAt: back.at, reason: '' }), reason: null }
    if (faults.take('across', 'unknown-status')) return refundOf(deposit, 'reorged')
    return isWorthFilling(deposit, tokenOf(origin, deposit.inputToken)) ? fill : back
  }

  const fulfilment = createFulfilment<Deposit>(world, {
    decide,
    instead: (deposit) => refundOf(deposit, null),
    deliver: (deposit, amount) => (isSvm(deposit.destination) ? fillOnSolana : fillOnEvm)(world, deposit, amount),
    giveBack: (deposit, amount) => refund(world, deposit, amount),
    vanished: (deposit) => {
      const key = keyOf(deposit.txHash)
      byHash.set(key, byHash.get(key)?.filter((each) => each !== deposit) ?? [])
      deposit.end = { ...refundOf(deposit, null), keeps: null, txHash: null }
    },
  })

  return {
    record: (seen: SeenDeposit, origin: Network, txHash: string): void => {
      const madeAt = clock.now()
      const input = tokenOf(origin, seen.inputToken)
      const isLate = input !== null && isWorthFilling(seen, input) && isSlow(market, input, seen.inputAmount)
      const deposit: Deposit = {
        ...{ ...seen, ...untouched(), txHash, origin, destination: networkByWireId(seen.destinationChainId) ?? origin },
        ...{ madeAt, fillsAt: madeAt + (isLate ? BATCH_MS : FILL_MS), isSlow: isLate, actionsSucceeded: null },
        ...{ input: origin, amountNeeded: seen.inputAmount, refundCost: 0n, openUntil: madeAt, settleMs: 0 },
      }
      byHash.set(keyOf(txHash), [...(byHash.get(keyOf(txHash)) ?? []), deposit])
      fulfilment.pay(deposit, { txHash, amount: seen.inputAmount })
    },
    /** The deposits of a transaction, or of a number, that the indexer knows by now. */
    find: (isIt: (deposit: Deposit) => boolean, txHash: string | null): readonly Deposit[] =>
      (txHash === null ? [...byHash.values()].flat() : (byHash.get(txHash) ?? [])).filter(
        (deposit) => isIt(deposit) && clock.now() >= deposit.madeAt + INDEXER_LAG_MS,
      ),
  }
}

/** Raw status over time. A deposit that goes back for a reason of the venue's own has that for a status. */
const statusOf = ({ end, fate, refunds: back, isSlow: isLate, fillsAt, fillDeadline }: Deposit, now: number): string => {
  if (end?.ends === 'filled') return isLate ? 'slowFilled' : 'filled'
  if (fate?.ends === 'refunded' && fate.reason !== null && now >= fillsAt) return fate.reason
  if (back.length > 0) return 'refunded'
  if (now >= fillDeadline * 1_000) return 'expired'
  return isLate ? 'slowFillRequested' : 'pending'
}

/** GET /deposit/status: packages/indexer-api/src/services/deposits.ts of across-protocol/indexer. */
export const statusBody = (deposit: Deposit, now: number) => {
  const { txHash, depositId, end, origin, destination, actionsSucceeded } = deposit
  const [refundTx, fillTx] = [deposit.refunds.at(-1)?.txHash ?? null, end?.ends === 'filled' ? end.txHash : null]
  return {
    ...{ status: statusOf(deposit, now), depositId: String(depositId), actionsSucceeded },
    ...{ originChainId: origin.wireId, destinationChainId: destination.wireId },
    ...{
      fillTx,
      fillTxnRef: fillTx,
      depositTxHash: txHash,
      depositTxnRef: txHash,
      depositRefundTxHash: refundTx,
      depositRefundTxnRef: refundTx,
    },
  }
}

/** GET /deposit. */
export const detailsBody = (deposit: Deposit, now: number) => {
  const { origin, destination, swap, end } = deposit
  const { fillTx, ...facts } = statusBody(deposit, now)
  return {
    deposit: {
      ...{ ...facts, fillTx, originChainId: String(origin.wireId), destinationChainId: String(destination.wireId) },
      depositor: wordAddress(origin, deposit.depositor),
      recipient: wordAddress(destination, deposit.recipient),
      inputToken: wordAddress(origin, deposit.inputToken),
      inputAmount: deposit.inputAmount.toString(),
      outputToken: wordAddress(destination, deposit.outputToken),
      outputAmount: (fillTx === null ? deposit.outputAmount : (end?.amount ?? 0n)).toString(),
      message: deposit.message,
      fillDeadline: new Date(deposit.fillDeadline * 1_000).toISOString(),
      swapToken: swap && wordAddress(origin, swap.token),
      swapTokenAmount: swap?.amount.toString() ?? null,
    },
  }
}
