import { describe, expect, it } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import { nativeAsset } from '../../../engine/core/asset.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { type Answers, benchOver, never, outcome, refuses, resets } from './evidenceBench.ts'
import { block, HEIGHT, hex, node, payee, query, receipt, transaction } from './evmBench.ts'
import words from './nodeWords.json' with { type: 'json' }

const balances =
  (before: unknown, after: unknown, latest: unknown = '0x0') =>
  (_owner: string, where: string): unknown =>
    where === 'latest' ? latest : Number(where) < HEIGHT ? before : after
const grows = (before: unknown, after: unknown, latest?: unknown) => ({ eth_getBalance: balances(before, after, latest) })
const inBlock = (transactions: readonly unknown[] | null, rest: object = {}) => ({
  eth_getBlockByNumber: (where: string) => block(where === 'latest' ? 200 : Number(where), { transactions, ...rest }),
})
const other = (rest: object) => transaction({ hash: `0x${'cd'.repeat(32)}`, ...rest })
const [own, us] = [transaction(), payee.toLowerCase()]

/** The coins by contracts, where the recipient's balance grows from 100 to 110. */
const coins = async (answers: Answers = {}, seen: Partial<SeenTransaction> = {}) => {
  const { evidence, nodes } = benchOver({ a: node(grows('0x64', '0x6e')) })
  const honest = await evidence.transaction(query(), never())
  if (honest === null) throw new Error('no transaction')
  nodes['a'] = node({ ...grows('0x64', '0x6e'), ...answers })
  return outcome(evidence.coinsByBalance({ ...honest, ...seen }, payee, never()))
}
const withdrawals = [{ address: us, amount: '0x1' }]
const sentByPayee = { call: { from: payee, to: WALLETS.evmOther, data: '0x', value: 0n } } as const

describe('coins from contracts [status-native-coins]', () => {
  it.each<[string, bigint, Answers, Partial<SeenTransaction>?]>([
    ['the growth of the balance in the block', 10n, {}],
    ['and the fee that the recipient paid', 10n + 0x5208n * 2n, {}, sentByPayee],
    ['and its fee to the layer below', 15n + 0x5208n * 2n, { eth_getTransactionReceipt: receipt({ l1Fee: '0x5' }) }, sentByPayee],
    ['less the value of another transaction', 6n, inBlock([own, other({ to: us, value: '0x4' })])],
    ['less the value of a failed one, which looks alike', 0n, inBlock([own, other({ to: payee, value: '0xff' })])],
    ['less the value of the transaction itself', 7n, inBlock([transaction({ to: payee, value: '0x3' })])],
    ['less the values of several', 1n, inBlock([own, other({ to: payee, value: '0x4' }), other({ to: payee, value: '0x5' })])],
    ['not less coins sent to itself', 10n, inBlock([own, other({ from: payee, to: payee, value: '0x4' })])],
    ['not less coins sent to others', 10n, inBlock([own, other({ value: '0x4' }), other({ to: null, value: '0x4' })])],
    ['less withdrawals of a validator', 7n, { ...grows('0x64', hex(1_000_000_107n)), ...inBlock([own], { withdrawals }) }],
    ['none for the recipient of the fees of the block', 0n, inBlock([own], { miner: us })],
    ['none where the balance fell', 0n, grows('0x64', '0x1')],
  ])('are %s: %s', async (_what, amount, answers, seen) => {
    expect(await coins(answers, seen)).toBe(amount)
  })

  it.each(words.forgets as [string, number][])(
    'are unknown for good where a healthy node answers "%s" (%i)',
    async (message, code) => {
      const forgets = refuses(message, code)
      expect([await coins(grows(forgets, '0x6e')), await coins(grows(forgets, forgets))]).toEqual([null, null])
    },
  )

  const noState = refuses('missing trie node')
  it.each<[string, Answers, Partial<SeenTransaction>?]>([
    ['the node resets', grows(resets, '0x6e')],
    ['the node reports a limit', grows(refuses('too many requests', -32_005), '0x6e')],
    ['the node reports an internal error', grows(refuses('Internal error', -32_603), '0x6e')],
    ['a balance is a text', grows('archive only', '0x6e')],
    ['a balance is null', grows(null, '0x6e')],
    ['a balance reverts', grows(refuses('execution reverted', 3), '0x6e')],
    ['the node has no balance at all', { eth_getBalance: noState }],
    ['the node has old balances only', grows(noState, '0x0', resets)],
    ['the block is missing', { eth_getBlockByNumber: () => null }],
    ['the block is another one by now', inBlock([other({})])],
    ['the block has no list of transactions', inBlock(null)],
    ['the block has hashes only', inBlock([`0x${'ab'.repeat(32)}`])],
    ['a value is a number', inBlock([own, other({ to: payee, value: 4 })])],
    ['a receiver is no address', inBlock([own, other({ to: 'me' })])],
    ['the fee is missing', { eth_getTransactionReceipt: receipt({ gasUsed: null }) }, sentByPayee],
    ['the receipt is missing', { eth_getTransactionReceipt: null }, sentByPayee],
  ])('are unreadable for now where %s', async (_what, answers, seen) => {
    expect(await coins(answers, seen)).toBe('unreachable')
  })

  it('on HyperEVM, whose nodes answer old blocks with the latest state, are unknown, and so is an unpaid address', async () => {
    const latest = { eth_getBalance: () => '0x0', eth_getTransactionCount: () => '0x0', eth_getCode: () => '0x' }
    const { evidence, asked } = benchOver({ a: node(latest) })
    const seen = (await evidence.transaction(query(999), never())) as SeenTransaction
    const [asset, since] = [nativeAsset(999), 0]
    expect(await evidence.coinsByBalance(seen, payee, never())).toBeNull()
    expect(await evidence.untouchedUntil({ asset, recipient: payee, since }, never())).toBeNull()
    const sent = await evidence.sentBy({ asset, sender: payee, since, after: 100 }, never())
    expect(sent).toEqual({ transactions: [], reached: null, at: null })
    const read = asked.filter(({ method }) => method === 'eth_getBalance' || method === 'eth_getTransactionCount')
    expect(read.map(({ params }) => params[1])).toEqual(['latest'])
  })
})
