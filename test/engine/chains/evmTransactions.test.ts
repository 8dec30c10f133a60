import { describe, expect, it } from 'vitest'
import { paymentsTo } from '../../../engine/chains/seen.ts'
import { NATIVE, nativeAsset } from '../../../engine/core/asset.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { type Change, changed } from '../../support/venueKit/calls.ts'
import { type Answers, benchOver, never, outcome, refuses, resets } from './evidenceBench.ts'
import {
  block,
  blockHash,
  DAI,
  HEIGHT,
  hex,
  log,
  node,
  payee,
  query,
  receipt,
  seenBy,
  TRANSFER,
  TX,
  timeOf,
  transaction,
  transfer,
  USDC,
  word,
} from './evmBench.ts'
import malformed from './malformed.json' with { type: 'json' }

const withLogs = (...logs: readonly unknown[]) => ({ eth_getTransactionReceipt: receipt({ logs }) })
const blocks = (of: (where: string) => unknown) => ({ eth_getBlockByNumber: of })

describe('EVM transaction', () => {
  it('shows its call, its logs, the time of its block and the money it moved', async () => {
    const other = { address: DAI.address.toLowerCase(), topics: [word('0x01')] }
    const logs = [transfer(7, USDC, payee, 40n), log(9, { ...other, data: '0xAB' })]
    const sent = transaction({ to: payee.toLowerCase(), value: '0x7', input: '0xBEEF' })
    const topics = [TRANSFER, word(WALLETS.evmOther), word(payee)]
    const moved = { from: WALLETS.evmOther, to: payee }
    expect(await seenBy({ ...withLogs(...logs), eth_getTransactionByHash: sent })).toEqual({
      ...{ chainId: 1, hash: TX, isSuccess: true, standing: 'final', at: timeOf(HEIGHT), height: HEIGHT },
      call: { ...moved, data: '0xbeef', value: 7n },
      logs: [
        { index: 0, address: USDC.address.toLowerCase(), topics, data: word(40n) },
        { index: 1, ...other, data: '0xab' },
      ],
      movements: [
        { place: 'value', token: NATIVE, ...moved, amount: 7n },
        { place: 'log:0', token: USDC.address, ...moved, amount: 40n },
      ],
      ...{ instructions: [], notes: [] },
    })
  })

  it('shows two equal payouts as two, in places that a reorganization does not change', async () => {
    const placesFrom = async (first: number) => {
      const logs = [USDC, USDC, DAI].map((asset, index) => transfer(first + index, asset, payee, 40n))
      const seen = await seenBy(withLogs(...logs))
      return seen && paymentsTo(seen, { asset: USDC, recipient: payee }).map(({ place, amount }) => [place, amount])
    }
    for (const first of [0, 90])
      expect(await placesFrom(first)).toEqual([
        ['log:0', 40n],
        ['log:1', 40n],
      ])
  })

  const moving = (topics: readonly string[], data: string) =>
    log(0, { address: USDC.address, topics: [TRANSFER, ...topics], data })
  const [someone, us, five] = [word('0x01'), word(payee), word(5n)]
  it.each([
    ['a collectible, whose id is no amount', moving([someone, us, five], '0x')],
    ['a collectible with an amount', moving([someone, us, five], five)],
    ['a transfer without topics', moving([], five)],
    ['a transfer with more data than an amount', moving([someone, us], `${five}00`)],
    ['a transfer to no address', moving([someone, `0x${'ff'.repeat(32)}`], five)],
    ['a transfer of the address that stands for coins', transfer(0, nativeAsset(1), payee, 5n)],
  ])('moves nothing by %s', async (_what, entry) => {
    expect((await seenBy(withLogs(entry)))?.movements).toEqual([])
  })

  it('moved nothing when it failed, although a node shows logs', async () => {
    const failed = receipt({ status: '0x0', logs: [transfer(0, USDC, payee, 40n)] })
    const sent = transaction({ value: '0x7', to: payee })
    const seen = await seenBy({ eth_getTransactionReceipt: failed, eth_getTransactionByHash: sent })
    expect(seen).toMatchObject({ isSuccess: false, movements: [], logs: [], call: { value: 7n } })
  })

  const pending = transaction({ blockHash: null })
  it.each([
    ['it is unknown', { eth_getTransactionReceipt: null, eth_getTransactionByHash: null }],
    ['it has no receipt', { eth_getTransactionReceipt: null, eth_getTransactionByHash: pending }],
    ['its receipt has no block', { eth_getTransactionReceipt: receipt({ blockHash: null, blockNumber: null }) }],
    ['its block was replaced', blocks((where) => block(HEIGHT, where === hex(HEIGHT) ? { hash: blockHash(HEIGHT, 'b') } : {}))],
  ])('is absent while %s', async (_what, answers) => {
    expect(await seenBy(answers)).toBeNull()
  })

  it.each([
    ['in no block', pending],
    ['unknown', null],
    ['in the block before a reorganization', transaction({ blockHash: blockHash(HEIGHT, 'b') })],
  ])('is read again where the first read shows it %s beside its receipt', async (_what, early) => {
    const reads = [transaction(), early]
    expect((await seenBy({ eth_getTransactionByHash: () => reads.pop() }))?.isSuccess).toBe(true)
    expect(reads).toEqual([])
  })

  it('has a receipt of up to 16 MiB; all other reads are bounded as usual', async () => {
    const { evidence, asked } = benchOver({ a: node() })
    await evidence.transaction(query(), never())
    const large = asked.flatMap(({ method, bytesMax }) => (bytesMax === undefined ? [] : [[method, bytesMax]]))
    expect(large).toEqual([['eth_getTransactionReceipt', 16 * 1024 * 1024]])
  })

  const own = {
    receipt: ['eth_getTransactionReceipt', receipt()],
    transaction: ['eth_getTransactionByHash', transaction()],
  } as const
  const [one, address] = [transfer(4, USDC, payee, 1n), USDC.address]
  it.each<readonly [string, object]>([
    ...(malformed.evm as unknown as [string, keyof typeof own, Change][]).map(
      ([what, kind, change]) => [what, { [own[kind][0]]: changed(own[kind][1], change) }] as const,
    ),
    ['a receipt that is a text', { eth_getTransactionReceipt: 'ok' }],
    ['a receipt that is a list', { eth_getTransactionReceipt: [receipt()] }],
    ['a log that is null', withLogs(null)],
    ['a log without a number', withLogs({ ...one, logIndex: undefined })],
    ['one log twice', withLogs(one, one)],
    ['logs out of order', withLogs(one, transfer(3, USDC, payee, 1n))],
    ['a log of five topics', withLogs(log(0, { address, topics: Array(5).fill(word(1n)) }))],
    ['a topic that is no word', withLogs(moving(['0x01', us], five))],
    ['a log at no address', withLogs(log(0, { address: '0x01' }))],
    ['data of half a byte', withLogs(log(0, { address, data: '0x123' }))],
    ['no transaction beside its receipt', { eth_getTransactionByHash: null }],
    ['no such block yet', blocks((where) => (where === 'latest' ? block(200) : null))],
    ['another block', blocks((where) => block(where === 'latest' ? 200 : HEIGHT + 1))],
    ['a block without a time', blocks(() => block(HEIGHT, { timestamp: undefined }))],
    ['no newest block', blocks((where) => (where === 'latest' ? null : block(HEIGHT)))],
    ['a revert', { eth_getTransactionReceipt: refuses('execution reverted', 3) }],
    ['a refusal', { eth_getTransactionByHash: refuses('no') }],
    ['a reset', { eth_getTransactionReceipt: resets }],
  ])('is unreadable where a node answers %s', async (_what, answers) => {
    expect(await outcome(seenBy(answers))).toBe('unreachable')
  })
})

describe('EVM transaction: its standing', () => {
  it.each([
    [1, HEIGHT + 1, 50, {}, 'fresh'],
    [1, HEIGHT + 2, 50, {}, 'confirmed'],
    [1, HEIGHT + 90, HEIGHT, {}, 'final'],
    [143, HEIGHT + 3, HEIGHT + 1, {}, 'final'],
    [1, HEIGHT + 10, 50, { 1: 12 }, 'fresh'],
    [1, HEIGHT + 11, 50, { 1: 12 }, 'confirmed'],
  ] as const)('on chain %i with head %i, finalized block %i and settings %j: %s', async (...row) => {
    const [chainId, head, finalized, confirmations, expected] = row
    expect((await seenBy({ head, finalized }, chainId, { confirmations }))?.standing).toBe(expected)
  })

  it.each([
    ['does not have the tag', null],
    ['refuses the tag', refuses('finalized block not found', -39_001)],
    ['resets', resets],
    ['answers nonsense', 'soon'],
  ])('goes by depth and age where the node %s', async (_what, answer) => {
    const on = async (head: number) => {
      const blocksTo = blocks((where) => (where === 'finalized' ? answer : block(where === 'latest' ? head : Number(where))))
      return (await seenBy(blocksTo))?.standing
    }
    // An hour is 300 blocks of 12 seconds.
    expect([await on(HEIGHT), await on(HEIGHT + 299), await on(HEIGHT + 300)]).toEqual(['fresh', 'confirmed', 'final'])
  })

  const over = async (a: Answers, b: Answers, chainId: 1 | 10 = 1, options = {}) => {
    const { evidence, asked } = benchOver({ a, b }, options)
    const seen = await outcome(evidence.transaction(query(chainId), never()))
    const second = asked.flatMap(({ host, method }) => (host === 'b' ? method : [])).join(' ')
    return [seen && typeof seen === 'object' ? seen.standing : seen, second]
  }

  it.each([
    ['shows it', 'fresh', {}],
    ['lacks it too', null, { eth_getTransactionReceipt: null }],
    ['resets', 'unreachable', { eth_getTransactionReceipt: resets }],
  ])('where one endpoint lacks it and a second one %s: %j [rpc-absence-two-endpoints]', async (_what, expected, b) => {
    const none = { eth_getTransactionReceipt: null, eth_getTransactionByHash: null }
    const [standing] = await over({ ...node({ head: HEIGHT - 1, finalized: 50 }), ...none }, { ...node(), ...b })
    expect(standing).toBe(expected)
  })

  const first = node({ head: HEIGHT, finalized: 50 })
  it.each([
    ['shows it in the same block', 'confirmed', transaction()],
    ['shows it in another block', 'fresh', transaction({ blockHash: blockHash(HEIGHT, 'b') })],
    ['does not have it yet', 'fresh', null],
    ['has it in no block yet', 'fresh', transaction({ blockHash: null })],
    ['answers nonsense', 'fresh', { hash: TX }],
    ['refuses', 'fresh', refuses('no')],
    ['resets', 'fresh', resets],
  ])('in the newest block of a sequenced chain, where a second one %s: %s [rpc-absence-two-endpoints]', async (...row) => {
    const [what, expected, eth_getTransactionByHash] = row
    const calls = Array(what === 'resets' ? 2 : 1).fill('eth_getTransactionByHash')
    expect(await over(first, { ...first, eth_getTransactionByHash }, 10)).toEqual([expected, calls.join(' ')])
  })

  it('on a sequenced chain needs no second endpoint under two blocks, and two different ones in the newest', async () => {
    const none = { ...first, eth_getTransactionByHash: null }
    expect(await over(node({ head: HEIGHT + 1, finalized: 50 }), none, 10)).toEqual(['confirmed', ''])
    expect(await over(first, first, 10, { rpcUrls: { 10: ['https://a', 'https://a'] } })).toEqual(['fresh', ''])
    // The first endpoint confirms what the second one showed.
    const [standing] = await over({ ...first, eth_getTransactionReceipt: refuses('no receipts here') }, first, 10)
    expect(standing).toBe('confirmed')
  })

  it('is read from one head for all reads of a second', async () => {
    const { evidence, asked, clock } = benchOver({ a: node() })
    const heads = () => asked.filter(({ params }) => params[0] === 'latest' || params[0] === 'finalized').length
    await Promise.all([evidence.transaction(query(), never()), evidence.transaction(query(), never())])
    await evidence.confirmedTime(1, never())
    expect(heads()).toBe(2)
    clock.at += 1_000
    await evidence.transaction(query(), never())
    expect(heads()).toBe(4)
  })
})

describe('EVM chain', () => {
  it.each([
    [1, timeOf(198), {}],
    [143, timeOf(196), { finalized: 197 }],
    [143, timeOf(197), { finalized: null }],
    [1, 'unreachable', blocks((where) => (where === 'latest' ? block(200) : null))],
  ] as const)('the confirmed time of chain %i with its head at 200 is %s: %j', async (chainId, expected, answers) => {
    expect(await outcome(benchOver({ a: node({ ...answers }) }).evidence.confirmedTime(chainId, never()))).toBe(expected)
  })

  it('an address has code of its own, or that of a delegate', async () => {
    const hasCode = (eth_getCode: string) =>
      benchOver({ a: { eth_getCode } }).evidence.hasCode({ chainId: 1, address: payee }, never())
    const codes = ['0x', '0x6001', `0xef0100${'12'.repeat(20)}`]
    expect(await Promise.all(codes.map(hasCode))).toEqual([false, true, true])
  })
})
