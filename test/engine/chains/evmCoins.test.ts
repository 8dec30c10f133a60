import { describe, expect, it } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import { nativeAsset } from '../../../engine/core/asset.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { type Answers, evidenceOver, isUnreadable, patient, refuses, resets } from './evidenceBench.ts'
import { block, HEIGHT, hex, node, payee, query, receipt, transaction } from './evmBench.ts'
import words from './nodeWords.json' with { type: 'json' }

const balances =
  (before: unknown, after: unknown, latest: unknown = '0x0') =>
  (_owner: string, where: string): unknown =>
    where === 'latest' ? latest : Number(where) < HEIGHT ? before : after

const blockOf =
  (transactions: readonly object[], rest: object = {}) =>
  (where: string) =>
    block(where === 'latest' ? 200 : Number(where), { transactions, ...rest })

const other = (rest: object) => transaction({ hash: `0x${'cd'.repeat(32)}`, ...rest })

/** The coins seen, where the recipient's balance goes from 100 to 110. */
const coins = async (answers: Answers = {}, seen: Partial<SeenTransaction> = {}) => {
  const { evidence, nodes } = evidenceOver({ a: node({ eth_getBalance: balances('0x64', '0x6e') }) })
  const honest = await evidence.transaction(query(), patient())
  if (honest === null) throw new Error('no transaction')
  nodes['a'] = { ...nodes['a'], ...answers }
  return evidence.coinsByBalance({ ...honest, ...seen }, payee, patient())
}

describe('coins that contracts paid [status-native-coins]', () => {
  it('are what the balance grew by in the block', async () => {
    expect(await coins()).toBe(10n)
  })

  it('are told beside the fee of the recipient, who sent the transaction itself', async () => {
    const call = { from: payee, to: WALLETS.evmOther, data: '0x', value: 0n } as const
    expect(await coins({}, { call })).toBe(10n + 0x5208n * 2n)
    expect(await coins({ eth_getTransactionReceipt: receipt({ l1Fee: '0x5' }) }, { call })).toBe(10n + 0x5208n * 2n + 5n)
  })

  it.each([
    ['by the value of another transaction', [transaction(), other({ to: payee.toLowerCase(), value: '0x4' })], 6n],
    ['by the value of one that failed, which nobody tells apart here', [transaction(), other({ to: payee, value: '0xff' })], 0n],
    ['by the value of the transaction itself', [transaction({ to: payee, value: '0x3' })], 7n],
    ['by the values of several', [transaction(), other({ to: payee, value: '0x4' }), other({ to: payee, value: '0x5' })], 1n],
    ['not by what it sent to itself', [transaction(), other({ from: payee, to: payee, value: '0x4' })], 10n],
    [
      'not by what went to others, or made a contract',
      [transaction(), other({ value: '0x4' }), other({ to: null, value: '0x4' })],
      10n,
    ],
  ])('are told beside what came %s', async (_what, transactions, amount) => {
    expect(await coins({ eth_getBlockByNumber: blockOf(transactions) })).toBe(amount)
  })

  it('are told beside what a validator draws, and not at all for whoever the fees of the block go to', async () => {
    const transactions = [transaction()]
    const withdrawals = [{ address: payee.toLowerCase(), amount: '0x1' }]
    const huge = { eth_getBalance: balances('0x64', hex(1_000_000_000n + 107n)) }
    expect(await coins({ ...huge, eth_getBlockByNumber: blockOf(transactions, { withdrawals }) })).toBe(7n)
    expect(await coins({ eth_getBlockByNumber: blockOf(transactions, { miner: payee.toLowerCase() }) })).toBe(0n)
  })

  it('are none where the balance fell', async () => {
    expect(await coins({ eth_getBalance: balances('0x64', '0x1') })).toBe(0n)
  })

  it.each(words.forgets as unknown as readonly [string, number][])(
    'are unknown for good where a node that is well says: %s',
    async (message, code) => {
      expect(await coins({ eth_getBalance: balances(refuses(message, code), '0x6e') })).toBeNull()
      expect(await coins({ eth_getBalance: balances(refuses(message, code), refuses(message, code)) })).toBeNull()
    },
  )

  it.each([
    ['breaks off', resets],
    ['has reached a limit', refuses('too many requests', -32_005)],
    ['is in trouble', refuses('Internal error', -32_603)],
    ['answers nonsense', 'archive only'],
    ['answers null', null],
    ['reverts', refuses('execution reverted', 3)],
  ])('are unreadable for now where the node %s', async (_what, answer) => {
    expect(await isUnreadable(coins({ eth_getBalance: balances(answer, '0x6e') }))).toBe(true)
  })

  it('are unreadable for now where the node knows no balance at all', async () => {
    expect(await isUnreadable(coins({ eth_getBalance: refuses('missing trie node') }))).toBe(true)
    expect(await isUnreadable(coins({ eth_getBalance: balances(refuses('missing trie node'), '0x0', resets) }))).toBe(true)
  })

  it.each([
    ['is not there yet', () => null],
    ['is another one by now', blockOf([other({})])],
    ['has no list of transactions', blockOf([], { transactions: null })],
    ['has hashes where transactions belong', blockOf([], { transactions: [`0x${'ab'.repeat(32)}`] })],
    ['has a value that is none', blockOf([transaction(), other({ to: payee, value: 4 })])],
    ['has a receiver that is none', blockOf([transaction(), other({ to: 'me' })])],
  ])('are unreadable where the block %s', async (_what, answer) => {
    expect(await isUnreadable(coins({ eth_getBlockByNumber: answer }))).toBe(true)
  })

  it('are unreadable where the fee is not told', async () => {
    const call = { from: payee, to: null, data: '0x', value: 0n } as const
    expect(await isUnreadable(coins({ eth_getTransactionReceipt: receipt({ gasUsed: null }) }, { call }))).toBe(true)
    expect(await isUnreadable(coins({ eth_getTransactionReceipt: null }, { call }))).toBe(true)
  })
})

it('HyperEVM, whose nodes answer for any block with the latest state: proves no absence by old state', async () => {
  const latest = { eth_getBalance: () => '0x0', eth_getTransactionCount: () => '0x0', eth_getCode: () => '0x' }
  const { evidence, asked } = evidenceOver({ a: node(latest) })
  const seen = await evidence.transaction(query(999), patient())
  if (seen === null) throw new Error('no transaction')
  const [asset, since] = [nativeAsset(999), 0]
  expect(await evidence.coinsByBalance(seen, payee, patient())).toBeNull()
  expect(await evidence.untouchedUntil({ asset, recipient: payee, since }, patient())).toBeNull()
  const sent = await evidence.sentBy({ asset, sender: payee, since, after: 100 }, patient())
  expect(sent).toEqual({ transactions: [], reached: null, at: null })
  const read = asked.filter((one) => one.asked === 'eth_getBalance' || one.asked === 'eth_getTransactionCount')
  expect(read.map(({ params }) => params[1])).toEqual(['latest'])
})
