import { describe, expect, it } from 'vitest'
import { confirmationRule } from '../../../engine/chains/confirmations.ts'
import { paymentsTo, type SeenTransaction } from '../../../engine/chains/seen.ts'
import { confirmedHeight, standingOf } from '../../../engine/chains/standing.ts'
import { type Asset, NATIVE, nativeAsset } from '../../../engine/core/asset.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { type Answers, benchOver, idOf, never, outcome, refuses, resets } from './evidenceBench.ts'
import { block, blockHash, DAI, hex, node as nodeUpTo, payee, TRANSFER, timeOf, USDC, word } from './evmBench.ts'

const [TX, HEIGHT] = [`0x${'ab'.repeat(32)}`, 100]
const log = (index: number, rest: object) => ({ logIndex: hex(index), data: '0x', topics: [], ...rest })
const transfer = (index: number, { address }: Asset, to: string, amount: bigint, from: string = WALLETS.evmOther) =>
  log(index, { address: address.toLowerCase(), topics: [TRANSFER, word(from), word(to)], data: word(amount) })

const PLACE = { blockHash: blockHash(HEIGHT) }
const receipt = (rest: object = {}) => ({
  ...{ transactionHash: TX, status: '0x1', ...PLACE, blockNumber: hex(HEIGHT), logs: [] },
  ...{ gasUsed: '0x5208', effectiveGasPrice: '0x2' },
  ...rest,
})
const transaction = (rest: object = {}) => ({
  ...{ hash: TX, ...PLACE, from: WALLETS.evmOther.toLowerCase(), to: USDC.address.toLowerCase(), input: '0x1234', value: '0x0' },
  ...rest,
})

/** An honest node that has the transaction in its block 100. */
const node = (answers: Parameters<typeof nodeUpTo>[0] = {}): Answers => ({
  eth_getTransactionReceipt: receipt(),
  eth_getTransactionByHash: transaction(),
  ...nodeUpTo(answers),
})

const query = (chainId: ChainId = 1) => ({ chainId, hash: idOf(chainId, TX) })
/** The transaction as one such node shows it. */
const seenBy = (answers: object = {}, chainId: ChainId = 1, options = {}) =>
  benchOver({ a: node({ ...answers }) }, options).evidence.transaction(query(chainId), never())

const withReceipt = (rest: object) => ({ eth_getTransactionReceipt: receipt(rest) })
const withTransaction = (rest: object) => ({ eth_getTransactionByHash: transaction(rest) })
const blocks = (of: (where: string) => unknown) => ({ eth_getBlockByNumber: of })
const [refused, otherHash] = [refuses('no'), `0x${'cd'.repeat(32)}`]

describe('EVM transaction', () => {
  it('shows its call, its logs, the time of its block and the money it moved', async () => {
    const other = { address: DAI.address.toLowerCase(), topics: [word('0x01')] }
    const logs = [transfer(7, USDC, payee, 40n), log(9, { ...other, data: '0xAB' })]
    const sent = withTransaction({ to: payee.toLowerCase(), value: '0x7', input: '0xBEEF' })
    const topics = [TRANSFER, word(WALLETS.evmOther), word(payee)]
    const moved = { from: WALLETS.evmOther, to: payee }
    expect(await seenBy({ ...withReceipt({ logs }), ...sent })).toEqual({
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
    for (const first of [0, 90]) {
      const logs = [USDC, USDC, DAI].map((asset, index) => transfer(first + index, asset, payee, 40n))
      const { movements } = (await seenBy(withReceipt({ logs }))) as SeenTransaction
      const paid = paymentsTo({ movements }, { asset: USDC, recipient: payee })
      expect(paid.map(({ place, amount }) => `${place} ${amount}`)).toEqual(['log:0 40', 'log:1 40'])
    }
  })

  const moving = (topics: readonly string[], data: string) =>
    log(0, { address: USDC.address, topics: [TRANSFER, ...topics], data })
  const [someone, us, five] = [word('0x01'), word(payee), word(5n)]
  it.each([
    ['a collectible', moving([someone, us, five], '0x')],
    ['a collectible with an amount', moving([someone, us, five], five)],
    ['a transfer with more data than an amount', moving([someone, us], `${five}00`)],
    ['a transfer to no address', moving([someone, `0x${'ff'.repeat(32)}`], five)],
    ['a transfer of the address that stands for coins', transfer(0, nativeAsset(1), payee, 5n)],
  ])('moves nothing by %s', async (_what, entry) => {
    expect((await seenBy(withReceipt({ logs: [entry] })))?.movements).toEqual([])
  })

  it('moved nothing when it failed, although a node shows logs', async () => {
    const failed = withReceipt({ status: '0x0', logs: [transfer(0, USDC, payee, 40n)] })
    const seen = await seenBy({ ...failed, ...withTransaction({ value: '0x7', to: payee }) })
    expect(seen).toMatchObject({ isSuccess: false, movements: [], logs: [], call: { value: 7n } })
  })

  it.each([
    ['it has no receipt', { eth_getTransactionReceipt: null }],
    ['its receipt has no block', withReceipt({ blockHash: null, blockNumber: null })],
    ['its block was replaced', blocks((where) => block(HEIGHT, where === hex(HEIGHT) ? { hash: blockHash(HEIGHT, 'b') } : {}))],
  ])('is absent while %s', async (_what, answers) => {
    expect(await seenBy(answers)).toBeNull()
  })

  it.each([
    ['unknown', null],
    ['in the block before a reorganization', transaction({ blockHash: blockHash(HEIGHT, 'b') })],
  ])('is read again where the first read shows it %s beside its receipt', async (_what, early) => {
    const reads = [transaction(), early]
    expect((await seenBy({ eth_getTransactionByHash: () => reads.pop() }))?.isSuccess).toBe(true)
    expect(reads).toEqual([])
  })

  const one = transfer(4, USDC, payee, 1n)
  it.each<readonly [string, object]>([
    ['the receipt of another transaction', withReceipt({ transactionHash: otherHash })],
    ['a receipt without a status', withReceipt({ status: undefined })],
    ['a status of its own', withReceipt({ status: '0x2' })],
    ['a block number beyond all blocks', withReceipt({ blockNumber: '0xffffffffffffffffffff' })],
    ['no list of logs', withReceipt({ logs: null })],
    ['one log twice', withReceipt({ logs: [one, one] })],
    ['a log of five topics', withReceipt({ logs: [{ ...one, topics: Array(5).fill(five) }] })],
    ['a log at no address', withReceipt({ logs: [{ ...one, address: '0x01' }] })],
    ['data of half a byte', withReceipt({ logs: [{ ...one, data: '0x123' }] })],
    ['another transaction', withTransaction({ hash: otherHash })],
    ['the transaction in another block', withTransaction({ blockHash: blockHash(HEIGHT, 'b') })],
    ['a value beyond 32 bytes', withTransaction({ value: `0x1${'0'.repeat(64)}` })],
    ['no sender', withTransaction({ from: null })],
    ['another block', blocks((where) => block(where === 'latest' ? 200 : HEIGHT + 1))],
    ['a block without a time', blocks(() => block(HEIGHT, { timestamp: undefined }))],
    ['a revert', { eth_getTransactionReceipt: refuses('execution reverted', 3) }],
  ])('is unreadable where a node answers %s', async (_what, answers) => {
    expect(await outcome(seenBy(answers))).toBe('unreachable')
  })

  it('may have a receipt of 16 MiB', async () => {
    const { evidence, asked } = benchOver({ a: node() })
    await evidence.transaction(query(), never())
    const large = asked.flatMap(({ method, bytesMax }) => (bytesMax === undefined ? [] : [[method, bytesMax]]))
    expect(large).toEqual([['eth_getTransactionReceipt', 16 * 1024 * 1024]])
  })
})

describe('EVM transaction: its standing', () => {
  it.each([
    [HEIGHT + 2, 50, {}, 'confirmed'],
    [HEIGHT + 90, HEIGHT, {}, 'final'],
    [HEIGHT + 10, 50, { 1: 12 }, 'fresh'],
  ] as const)('with head %i, finalized block %i and settings %j: %s', async (head, finalized, confirmations, expected) => {
    expect((await seenBy({ head, finalized }, 1, { confirmations }))?.standing).toBe(expected)
  })

  it.each([
    ['does not have the tag', null],
    ['refuses the tag', refuses('finalized block not found', -39_001)],
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
    ['refuses', 'fresh', refused],
  ])('in the newest block of a sequenced chain, where a second one %s: %s [rpc-absence-two-endpoints]', async (...row) => {
    const [, expected, eth_getTransactionByHash] = row
    expect(await over(first, { ...first, eth_getTransactionByHash }, 10)).toEqual([expected, 'eth_getTransactionByHash'])
  })

  it('on a sequenced chain needs no second endpoint under two blocks, and two different ones in the newest', async () => {
    expect(await over(node({ head: HEIGHT + 1, finalized: 50 }), first, 10)).toEqual(['confirmed', ''])
    expect(await over(first, first, 10, { rpcUrls: { 10: ['https://a', 'https://a'] } })).toEqual(['fresh', ''])
    // The first endpoint confirms what the second one showed.
    expect((await over({ ...first, eth_getTransactionReceipt: refused }, first, 10))[0]).toBe('confirmed')
  })
})

describe('EVM chain', () => {
  it.each([
    [timeOf(196), { finalized: 197 }],
    [timeOf(197), { finalized: null }],
    ['unreachable', blocks((where) => (where === 'latest' ? block(200) : null))],
  ])('the confirmed time of chain 143 with its head at 200 is %s: %j', async (expected, answers) => {
    expect(await outcome(benchOver({ a: node({ ...answers }) }).evidence.confirmedTime(143, never()))).toBe(expected)
  })

  it('an address has code of its own, or that of a delegate', async () => {
    const hasCode = (eth_getCode: string) =>
      benchOver({ a: { eth_getCode } }).evidence.hasCode({ chainId: 1, address: payee }, never())
    const codes = ['0x', '0x6001', `0xef0100${'12'.repeat(20)}`]
    expect(await Promise.all(codes.map(hasCode))).toEqual([false, true, true])
  })
})

describe('coins from contracts [status-native-coins]', () => {
  const grows = (before: unknown, after: unknown, latest: unknown = '0x0') => ({
    eth_getBalance: (_owner: string, where: string) => (where === 'latest' ? latest : Number(where) < HEIGHT ? before : after),
  })
  const inBlock = (transactions: readonly unknown[] | null, rest: object = {}) =>
    blocks((where) => block(where === 'latest' ? 200 : Number(where), { transactions, ...rest }))
  const other = (rest: object) => transaction({ hash: otherHash, ...rest })
  const [own, us] = [transaction(), payee.toLowerCase()]
  const withdrawals = [{ address: us, amount: '0x1' }]
  const sentByPayee = { call: { from: payee, to: WALLETS.evmOther, data: '0x', value: 0n } } as const

  /** Where the recipient's balance grows from 100 to 110. */
  const coins = async (answers: Answers = {}, seen: Partial<SeenTransaction> = {}) => {
    const { evidence, nodes } = benchOver({ a: node(grows('0x64', '0x6e')) })
    const honest = (await evidence.transaction(query(), never())) as SeenTransaction
    nodes['a'] = node({ ...grows('0x64', '0x6e'), ...inBlock([own]), ...answers })
    return outcome(evidence.coinsByBalance({ ...honest, ...seen }, payee, never()))
  }

  it.each<[string, bigint, Answers, Partial<SeenTransaction>?]>([
    ['the growth of the balance in the block', 10n, {}],
    ['and the fee that the recipient paid', 10n + 0x5208n * 2n, {}, sentByPayee],
    ['and its fee to the layer below', 15n + 0x5208n * 2n, withReceipt({ l1Fee: '0x5' }), sentByPayee],
    ['less the value of the transaction itself', 7n, inBlock([transaction({ to: payee, value: '0x3' })])],
    ['less the values of others', 1n, inBlock([own, other({ to: us, value: '0x4' }), other({ to: payee, value: '0x5' })])],
    ['not below nothing', 0n, inBlock([own, other({ to: payee, value: '0xff' })])],
    ['not less coins sent to itself', 10n, inBlock([own, other({ from: payee, to: payee, value: '0x4' })])],
    ['not less coins sent to others', 10n, inBlock([own, other({ value: '0x4' }), other({ to: null, value: '0x4' })])],
    ['less withdrawals of a validator', 7n, { ...grows('0x64', hex(1_000_000_107n)), ...inBlock([own], { withdrawals }) }],
    ['none for the recipient of the fees of the block', 0n, inBlock([own], { miner: us })],
  ])('are %s: %s', async (_what, amount, answers, seen) => {
    expect(await coins(answers, seen)).toBe(amount)
  })

  it.each([
    ['missing trie node 5d1c (path )', -32_000],
    ['historical state 5d1c is not available', -32_000],
    ['state at block #99 is pruned', -32_603],
    ['distance to target block exceeds maximum proof window', -32_603],
    ['please use an archive node', -32_005],
    ['only the latest block can be asked for', -32_602],
  ])('are unknown for good where a healthy node answers "%s" (%i)', async (message, code) => {
    const forgets = refuses(message, code)
    expect([await coins(grows(forgets, '0x6e')), await coins(grows(forgets, forgets))]).toEqual([null, null])
  })

  it.each<[string, Answers, Partial<SeenTransaction>?]>([
    ['the node reports a limit', grows(refuses('too many requests', -32_005), '0x6e')],
    ['the node reports an internal error', grows(refuses('Internal error', -32_603), '0x6e')],
    ['a balance is null', grows(null, '0x6e')],
    ['the node has old balances only', grows(refuses('missing trie node'), '0x0', resets)],
    ['the block is missing', { eth_getBlockByNumber: () => null }],
    ['the block is another one by now', inBlock([other({})])],
    ['the block has hashes only', inBlock([TX])],
    ['the receipt is missing', { eth_getTransactionReceipt: null }, sentByPayee],
  ])('are unreadable for now where %s', async (_what, answers, seen) => {
    expect(await coins(answers, seen)).toBe('unreachable')
  })

  it('on HyperEVM, whose nodes answer old blocks with the latest state, are unknown, and so is an unpaid address', async () => {
    const latest = {
      eth_getBalance: () => '0x0',
      eth_getTransactionCount: () => '0x0',
      eth_getCode: () => '0x',
      ...inBlock([own]),
    }
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

const HOUR = 3_600_000
const SEQUENCED = [10, 130, 480, 8453, 59144, 324, 42161, 4663] as const
const PAST_FINALITY = [43114, 143, 999] as const
const at = (height: number, ageMs = 0) => ({ height, at: 1_000_000 + ageMs })

describe('confirmations: when a payment counts [status-confirmations]', () => {
  type Row = [chains: readonly ChainId[], depth: number, past: number | null, expected: string, more?: 'twice' | number]
  /** `past`: how many blocks the finalized block is above the payment; null: unknown. `more`: seen by two endpoints, or its age. */
  it.each<Row>([
    [[1], 2, -9, 'fresh'],
    [[1], 2, -9, 'fresh', 'twice'],
    [[1], 3, -9, 'confirmed'],
    [[1], -4, -9, 'fresh'],
    [[56, 137], 4, -9, 'fresh', 'twice'],
    [[56, 137], 5, -9, 'confirmed'],
    [SEQUENCED, 1, -9, 'fresh'],
    [SEQUENCED, 1, -9, 'confirmed', 'twice'],
    [SEQUENCED, 2, -9, 'confirmed'],
    [PAST_FINALITY, 50, 0, 'fresh', 'twice'],
    [PAST_FINALITY, 2, 1, 'final'],
    [[999, 43114], 1, null, 'fresh'],
    [[999, 43114], 2, null, 'confirmed'],
    [[143], 3, null, 'fresh'],
    [[143], 4, null, 'confirmed'],
    [[-1, -2], 1, -2, 'confirmed'],
    [[-1], 0, -5, 'confirmed'],
    [[1, 8453, 56, -1], 100, -1, 'confirmed', 2 * HOUR],
    [[1, 8453, 56, -1], 100, 0, 'final'],
    [[1, 137, 8453, 143], 63, null, 'confirmed', 2 * HOUR],
    [[1, 137, 8453, 143], 10_000, null, 'confirmed', HOUR - 1],
    [[1, 137, 8453, 143], 64, null, 'final', HOUR],
  ])('on chains %j under %i blocks, finality %j: %s (%j)', (chains, depth, past, expected, more) => {
    const progress = {
      head: at(1_000 + depth - 1, typeof more === 'number' ? more : 0),
      finalized: past === null ? null : 1_000 + past,
    }
    const standing = (chainId: ChainId) => standingOf(confirmationRule(chainId, {}), at(1_000), progress, more === 'twice')
    expect(chains.map(standing)).toEqual(chains.map(() => expected))
  })

  it.each([1, 8453, 143, -1] as const)('on chain %i under the number of blocks that the operator sets', (chainId) => {
    const rule = confirmationRule(chainId, { [chainId]: 7 })
    const under = (depth: number) => ({ head: at(1_000 + depth - 1), finalized: 2_000 })
    expect(standingOf(rule, at(1_000), under(6), true)).toBe('fresh')
    expect(standingOf(rule, at(1_000), under(7))).toBe('final')
    expect(confirmedHeight(rule, under(1))).toBe(994)
  })

  it.each<[ChainId, head: number, finalized: number | null, height: number]>([
    [1, 1_000, 990, 998],
    [8453, 1_000, 990, 999],
    [137, 1_000, 990, 996],
    [143, 1_000, 990, 989],
    [143, 1_000, null, 997],
    [-1, 1_000, 990, 1_000],
    [-2, 1_000, 990, 1_000],
    [1, 1, null, 0],
  ])('on chain %i with head %i and finalized block %j the newest confirmed block is %i', (chainId, head, finalized, height) => {
    expect(confirmedHeight(confirmationRule(chainId, {}), { head: at(head), finalized })).toBe(height)
  })
})
