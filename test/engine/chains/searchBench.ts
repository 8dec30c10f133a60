import type { SearchBudget } from '../../../engine/chains/evm/searchCalls.ts'
import { assetOf } from '../../support/anOrder.ts'
import { benchOver, never, refuses, resets } from './evidenceBench.ts'
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

export type Filter = {
  readonly address: string
  readonly fromBlock: string
  readonly toBlock: string
  readonly topics: readonly unknown[]
}
type Range = { readonly from: number; readonly to: number }
type ByHost = { [host: string]: number }

type Chain = {
  readonly chainId?: number
  readonly blockMs?: number
  /** By host: how many blocks one call may span. */
  readonly logBlocks?: Readonly<ByHost>
  readonly finalityBlocks?: number | null
}

/** A chain that grows with the clock, whose nodes search the logs of the payee in windows of blocks. */
export const searchBench = (chain: Chain = {}) => {
  const { chainId = 143, blockMs = 400, logBlocks = { a: 100 }, finalityBlocks = 2 } = chain
  const asset = assetOf(chainId as 143, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48')
  const calls: (Range & { readonly at: number; readonly host: string })[] = []
  const paid = new Set<number>()
  /**
   * By host, in blocks. `latest`: how far ahead of the chain its newest block is. `stuck`: how far behind everything is that it has,
   * without a refusal. `blocks`: how many it shows.
   */
  const wrong: { readonly [fault in 'latest' | 'stuck' | 'blocks']: ByHost } = { latest: {}, stuck: {}, blocks: {} }
  /** By host: what it answers in the place of the logs that it found in a range of blocks. */
  const lies: { [host: string]: (logs: readonly object[], range: Range) => unknown } = {}
  let [fork, forkedAt, brokenAfter] = ['a', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const now = () => bench.clock.at
  const headOf = () => Math.floor((now() - START_S * 1_000) / blockMs)
  const block = (height: number) => ({
    number: hex(height),
    hash: `0x${(height >= forkedAt ? fork : 'a').repeat(8)}${height.toString(16).padStart(56, '0')}`,
    timestamp: hex(START_S + Math.floor((height * blockMs) / 1_000)),
  })
  const ownHead = (host: string) => headOf() - (wrong.stuck[host] ?? 0)
  const count = (host: string, from: number, to: number) => calls.push({ at: now() - bench.clock.jumped, host, from, to })
  const searches = () => calls.filter(({ from }) => from >= 0).length
  const blockOf = (host: string, where: string) => {
    if (where === 'finalized') return finalityBlocks === null ? null : block(ownHead(host) - finalityBlocks)
    if (where === 'latest') return block(ownHead(host) + (wrong.latest[host] ?? 0))
    count(host, -1, -1)
    const isShown = Number(where) <= ownHead(host) && Number(where) > headOf() - (wrong.blocks[host] ?? headOf())
    return isShown ? block(Number(where)) : null
  }
  const logsOf = (host: string, { fromBlock, toBlock, topics }: Filter) => {
    const [from, to] = [Number(fromBlock), Number(toBlock)]
    if (searches() >= brokenAfter) return resets
    count(host, from, to)
    const isOwn = topics.includes(word(payee))
    if (to - from >= (logBlocks[host] ?? 0)) return refuses('block range is too large')
    const found = [...paid].filter((height) => isOwn && height >= from && height <= to && height <= ownHead(host))
    const logs = found.map((height) => logAt(height))
    return lies[host]?.(logs, { from, to }) ?? logs
  }
  const nodeOf = (host: string) => ({
    eth_getBlockByNumber: (where: string) => blockOf(host, where),
    eth_getLogs: (filter: Filter) => logsOf(host, filter),
  })
  const bench = benchOver(Object.fromEntries(Object.keys(logBlocks).map((host) => [host, nodeOf(host)])))
  bench.clock.at = START_S * 1_000 + 1_000_000 * blockMs
  const { evidence, clock, lags } = bench

  return {
    ...{ calls, paid, wrong, lies, evidence, clock, lags },
    head: headOf,
    ago: (ms: number) => clock.at - ms,
    pass: (ms: number) => {
      clock.at += ms
    },
    /** Blocks from there on are others from now on. */
    reorganize: (height: number) => {
      fork = 'b'
      forkedAt = height
    },
    /** The connections break after so many searches of logs more. */
    breakAfter: (more: number) => {
      brokenAfter = searches() + more
    },
    search: (
      since: number,
      { budget = 'partner', recipient = payee }: { budget?: SearchBudget; recipient?: typeof payee } = {},
      signal = never(),
    ) => evidence.search({ asset, recipient, since, budget }, signal),
    sentBy: (since: number, after: number | null = null) => evidence.sentBy({ asset, sender: payee, since, after }, never()),
    /** The most calls of one host in any 60 s. */
    busiestMinute: () =>
      Math.max(
        0,
        ...calls.map((one) => calls.filter(({ host, at }) => host === one.host && at >= one.at && at < one.at + 60_000).length),
      ),
  }
}
