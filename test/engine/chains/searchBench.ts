import type { SearchBudget } from '../../../engine/chains/evm/searchCalls.ts'
import { assetOf } from '../../support/anOrder.ts'
import { evidenceOver, patient, refuses, resets } from './evidenceBench.ts'
import { hex, payee, TRANSFER, word } from './evmBench.ts'

const START_S = 1_700_000_000
export const hashOf = (height: number, index = 0): string =>
  `0x${'e'.repeat(8)}${index.toString(16).padStart(8, '0')}${height.toString(16).padStart(48, '0')}`

export const logAt = (height: number, index = 0, amount = 1n) => ({
  blockNumber: hex(height),
  logIndex: hex(index),
  transactionHash: hashOf(height, index),
  topics: [TRANSFER, word('0x01'), word(payee)],
  data: word(amount),
})

type Filter = { readonly fromBlock: string; readonly toBlock: string; readonly topics: readonly unknown[] }
type Call = { readonly at: number; readonly host: string; readonly from: number; readonly to: number; readonly isTaken: boolean }

type Chain = {
  readonly chainId?: number
  readonly blockMs?: number
  /** By host: how many blocks one call may span. */
  readonly logBlocks?: { readonly [host: string]: number }
  readonly finalityBlocks?: number | null
  /** By host: how many blocks behind the head it is, so that it refuses newer ones. */
  readonly behind?: { readonly [host: string]: number }
  /** By host: how many blocks below the head it keeps. */
  readonly keeps?: { readonly [host: string]: number }
}

/** A chain that goes on with the clock, and whose nodes search the logs of the payee in windows of blocks. */
export const searchBench = ({
  chainId = 143,
  blockMs = 400,
  logBlocks = { a: 100 },
  finalityBlocks = 2,
  behind = {},
  keeps = {},
}: Chain = {}) => {
  const asset = assetOf(chainId as 143, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48')
  const calls: Call[] = []
  const paid = new Set<number>()
  /** By host, in blocks: `latest`: how far ahead of the chain its newest block is; `stuck`: how far behind all that it has, without a refusal; `blocks`: how many it shows;
   * `busy`: in how many it finds too much of anybody but the payee; `breaks`: over how many it breaks. */
  const none = (): { [host: string]: number } => ({})
  const wrong = { latest: none(), stuck: none(), blocks: none(), busy: none(), breaks: none() }
  /** By host: what it answers in the place of the logs that it found in a range of blocks. */
  const lies: { [host: string]: (logs: readonly object[], range: { readonly from: number; readonly to: number }) => unknown } = {}
  let [fork, forkedAt, brokenAfter] = ['a', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const now = () => bench.clock.at
  const headOf = () => Math.floor((now() - START_S * 1_000) / blockMs)
  const block = (height: number) => ({
    number: hex(height),
    hash: `0x${(height >= forkedAt ? fork : 'a').repeat(8)}${height.toString(16).padStart(56, '0')}`,
    timestamp: hex(START_S + Math.floor((height * blockMs) / 1_000)),
  })
  const ownHead = (host: string) => headOf() - (wrong.stuck[host] ?? 0)
  const eth_getBlockByNumber = (host: string) => (where: string) => {
    if (where === 'finalized') return finalityBlocks === null ? null : block(ownHead(host) - finalityBlocks)
    if (where === 'latest') return block(ownHead(host) + (wrong.latest[host] ?? 0))
    calls.push({ at: now() - bench.clock.jumped, host, from: -1, to: -1, isTaken: true })
    const isShown = Number(where) <= ownHead(host) && Number(where) > headOf() - (wrong.blocks[host] ?? headOf())
    return isShown ? block(Number(where)) : null
  }
  const eth_getLogs = (host: string) => (filter: Filter) => {
    const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)]
    const isKept =
      from >= headOf() - (keeps[host] ?? headOf()) && to <= (behind[host] === undefined ? to : headOf() - behind[host])
    const isTaken = to - from < (logBlocks[host] ?? 0) && isKept
    if (calls.filter(({ from: first }) => first >= 0).length >= brokenAfter) return resets
    calls.push({ at: now() - bench.clock.jumped, host, from, to, isTaken })
    if (to - from >= (wrong.breaks[host] ?? Number.POSITIVE_INFINITY)) return resets
    if (to - from >= (wrong.busy[host] ?? Number.POSITIVE_INFINITY) && !filter.topics.includes(word(payee)))
      return refuses('too many results')
    if (!isTaken) return refuses('block range is too large')
    const isFound = (height: number) => height >= from && height <= to && height <= ownHead(host)
    const found = [...paid].filter((height) => isFound(height) && filter.topics.includes(word(payee)))
    const logs = found.map((height) => logAt(height))
    return lies[host]?.(logs, { from, to }) ?? logs
  }
  const nodes = Object.keys(logBlocks).map((host) => {
    return [host, { eth_getBlockByNumber: eth_getBlockByNumber(host), eth_getLogs: eth_getLogs(host) }] as const
  })
  const bench = evidenceOver(Object.fromEntries(nodes))
  bench.clock.at = START_S * 1_000 + 1_000_000 * blockMs

  return {
    calls,
    paid,
    wrong,
    lies,
    evidence: bench.evidence,
    asked: bench.asked,
    clock: bench.clock,
    lags: () => bench.events.flatMap((event) => (event.event === 'chain.lag' ? [[event.endpoint, event.lagging]] : [])),
    head: headOf,
    pass: (ms: number) => {
      bench.clock.at += ms
    },
    /** Blocks from there on are others from now on. */
    reorganize: (height: number) => {
      fork = 'b'
      forkedAt = height
    },
    /** The connections break after so many searches of logs more. */
    breakAfter: (more: number) => {
      brokenAfter = calls.filter(({ from }) => from >= 0).length + more
    },
    search: (
      since: number,
      { budget = 'partner', recipient = payee }: { budget?: SearchBudget; recipient?: typeof payee } = {},
      signal = patient(),
    ) => bench.evidence.search({ asset, recipient, since, budget }, signal),
    searchByTwo: (since: number, signal: AbortSignal) =>
      bench.evidence.searchByTwo({ asset, recipient: payee, since, budget: 'partner' }, signal),
    sentBy: (since: number, after: number | null = null) =>
      bench.evidence.sentBy({ asset, sender: payee, since, after }, patient()),
    /** The most calls of one host in any 60 s. */
    busiestMinute: () =>
      Math.max(
        0,
        ...calls.map((one) => calls.filter(({ host, at }) => host === one.host && at >= one.at && at < one.at + 60_000).length),
      ),
  }
}
