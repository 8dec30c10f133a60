import type { Address } from '../../core/address.ts'
import type { Hex } from '../../core/execution.ts'
import { parseTransactionId } from '../../core/transactionId.ts'
import { type EvmNode, evmAnswer, toQuantity } from './evmAnswers.ts'
import type { SearchBudget } from './searchCalls.ts'
import { type FoundLog, forgetAbove, type Order, type Range, type SearchRecord, startAt } from './searchRecord.ts'

const METHOD = 'eth_getLogs'
const WORD_LENGTH = 66

/** Which logs are searched for, back to those of before `since`, epoch ms by the chain's own time. */
export type LogQuery = {
  readonly address: Address
  /** By eth_getLogs: null for any, a list for one of several. */
  readonly topics: readonly (Hex | readonly Hex[] | null)[]
  /** Logs of zero amounts are left out: any account can send empty transfers in the name of another. */
  readonly areTransfers: boolean
  readonly since: number
  /** Begins behind this height in the place of `since`. */
  readonly after?: number | null
  readonly order: Order
  /** At most so many transactions: the latest, or with `oldest` the first. */
  readonly most: number
  /** Transactions of less make room for those of so much. */
  readonly least?: bigint
  readonly budget: SearchBudget
}

/** Reads the logs of one range. */
export const readLogs = async (
  node: EvmNode,
  { address, topics, areTransfers }: LogQuery,
  { from, to }: Range,
  signal: AbortSignal,
) => {
  const answer = evmAnswer(node.chainId, METHOD)
  const filter = { address, topics, fromBlock: toQuantity(from), toBlock: toQuantity(to) }
  const found = answer.list(await node.call(METHOD, [filter], signal)).map((log): FoundLog => {
    const hash = parseTransactionId(node.chainId, answer.word(log['transactionHash']))
    if (hash === null) throw answer.malformed()
    const [height, index] = [answer.count(log['blockNumber']), answer.count(log['logIndex'])]
    const data = answer.data(log['data'])
    return { hash, height, index, amount: data.length === WORD_LENGTH ? BigInt(data) : 0n }
  })
  return found.filter(({ amount }) => !areTransfers || amount > 0n)
}

/**
 * Drops logs beyond `most`. With `oldest`: the latest. Otherwise: first those below `least`. When all reach it, the search then
 * starts at the oldest log left.
 */
export const trim = (record: SearchRecord, { order, most, least = 0n }: LogQuery): void => {
  const last = record.logs[most - 1]
  if (order === 'oldest' && last !== undefined) forgetAbove(record, last.height)
  if (order === 'oldest' || last === undefined) return
  const [small, enough] = [
    record.logs.filter(({ amount }) => amount < least),
    record.logs.filter(({ amount }) => amount >= least),
  ]
  const dropped = new Set([...small, ...enough].slice(0, -most))
  record.logs = record.logs.filter((log) => !dropped.has(log))
  const [first] = record.logs
  if (enough.length < most || first === undefined) return
  record.isFromStart = false
  record.blindAt = null
  startAt(record, first.height)
}
