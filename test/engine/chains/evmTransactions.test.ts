import { describe, expect, it } from 'vitest'
import { paymentsTo } from '../../../engine/chains/seen.ts'
import { NATIVE, nativeAsset } from '../../../engine/core/asset.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { type Change, changed } from '../../support/venueKit/calls.ts'
import { evidenceOver, isUnreadable, patient, refuses, resets } from './evidenceBench.ts'
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
  TRANSFER,
  TX,
  timeOf,
  transaction,
  transfer,
  USDC,
  word,
} from './evmBench.ts'
import malformed from './malformed.json' with { type: 'json' }

const seenBy = async (answers: object = {}, chainId: 1 | 10 | 143 = 1) => {
  const { evidence } = evidenceOver({ a: node({ ...answers }) })
  return evidence.transaction(query(chainId), patient())
}
const withLogs = (logs: readonly object[]) => ({ eth_getTransactionReceipt: receipt({ logs }) })

const HONEST = {
  receipt: ['eth_getTransactionReceipt', receipt()],
  transaction: ['eth_getTransactionByHash', transaction()],
} as const
/** An honest answer but for some fields. */
const withChange = (kind: 'receipt' | 'transaction', change: Change) => ({ [HONEST[kind][0]]: changed(HONEST[kind][1], change) })

describe('a transaction of an EVM chain', () => {
  it('is told whole: its call, its logs, the time of its block and the money it moved', async () => {
    const logs = [
      transfer(7, USDC, payee, 40n),
      log(9, { address: DAI.address.toLowerCase(), topics: [word('0x01')], data: '0xAB' }),
    ]
    const sent = transaction({ to: payee.toLowerCase(), value: '0x7', input: '0xBEEF' })
    expect(await seenBy({ ...withLogs(logs), eth_getTransactionByHash: sent })).toEqual({
      chainId: 1,
      hash: TX,
      isSuccess: true,
      standing: 'final',
      at: timeOf(HEIGHT),
      height: HEIGHT,
      call: { from: WALLETS.evmOther, to: payee, data: '0xbeef', value: 7n },
      logs: [
        {
          index: 0,
          address: USDC.address.toLowerCase(),
          topics: [TRANSFER, word(WALLETS.evmOther), word(payee)],
          data: word(40n),
        },
        { index: 1, address: DAI.address.toLowerCase(), topics: [word('0x01')], data: '0xab' },
      ],
      movements: [
        { place: 'value', token: NATIVE, from: WALLETS.evmOther, to: payee, amount: 7n },
        { place: 'log:0', token: USDC.address, from: WALLETS.evmOther, to: payee, amount: 40n },
      ],
      instructions: [],
      notes: [],
    })
  })

  it('shows two payouts to one owner as two', async () => {
    const seen = await seenBy(
      withLogs([transfer(3, USDC, payee, 40n), transfer(4, USDC, payee, 40n), transfer(5, DAI, payee, 1n)]),
    )
    expect(seen && paymentsTo(seen, { asset: USDC, recipient: payee }).map(({ place, amount }) => [place, amount])).toEqual([
      ['log:0', 40n],
      ['log:1', 40n],
    ])
  })

  it('keeps the places of its money when a reorganisation moves it within its block', async () => {
    const places = async (first: number) =>
      (await seenBy(withLogs([transfer(first, USDC, payee, 1n), transfer(first + 1, USDC, payee, 2n)])))?.movements
    expect(await places(0)).toEqual(await places(90))
  })

  it.each([
    [
      'a collectible, whose id is no amount',
      log(0, { address: USDC.address, topics: [TRANSFER, word('0x01'), word(payee), word(5n)] }),
    ],
    ['a transfer of the old kind, without topics', log(0, { address: USDC.address, topics: [TRANSFER], data: word(5n) })],
    [
      'a collectible that gives an amount as well',
      log(0, { address: USDC.address, topics: [TRANSFER, word('0x01'), word(payee), word(5n)], data: word(5n) }),
    ],
    [
      'a transfer with more data than an amount',
      log(0, { address: USDC.address, topics: [TRANSFER, word('0x01'), word(payee)], data: `${word(5n)}00` }),
    ],
    [
      'a transfer to what is no address',
      log(0, { address: USDC.address, topics: [TRANSFER, word('0x01'), `0x${'ff'.repeat(32)}`], data: word(5n) }),
    ],
    ['a contract in the place that stands for coins', transfer(0, nativeAsset(1), payee, 5n)],
  ])('moves nothing by %s', async (_what, entry) => {
    expect((await seenBy(withLogs([entry])))?.movements).toEqual([])
  })

  it('moved nothing when it failed, whatever a node says it logged', async () => {
    const failed = receipt({ status: '0x0', logs: [transfer(0, USDC, payee, 40n)] })
    const seen = await seenBy({
      eth_getTransactionReceipt: failed,
      eth_getTransactionByHash: transaction({ value: '0x7', to: payee }),
    })
    expect(seen).toMatchObject({ isSuccess: false, movements: [], logs: [], call: { value: 7n } })
  })

  it('is not there while it has no receipt, or one without a block', async () => {
    expect(await seenBy({ eth_getTransactionReceipt: null, eth_getTransactionByHash: null })).toBeNull()
    expect(
      await seenBy({ eth_getTransactionReceipt: null, eth_getTransactionByHash: transaction({ blockHash: null }) }),
    ).toBeNull()
    expect(await seenBy({ eth_getTransactionReceipt: receipt({ blockHash: null, blockNumber: null }) })).toBeNull()
  })

  it('is not there by the receipt of a block that another one replaced', async () => {
    const forked = {
      eth_getBlockByNumber: (where: string) => block(HEIGHT, where === hex(HEIGHT) ? { hash: blockHash(HEIGHT, 'b') } : {}),
    }
    expect(await seenBy(forked)).toBeNull()
  })

  it.each([
    ['in no block', transaction({ blockHash: null })],
    ['unknown', null],
    ['in the block before a reorganisation', transaction({ blockHash: blockHash(HEIGHT, 'b') })],
  ])('is there when its block is made between the two reads, the first of which told it %s', async (_what, early) => {
    let reads = 0
    const eth_getTransactionByHash = () => (reads++ === 0 ? early : transaction())
    expect((await seenBy({ eth_getTransactionByHash }))?.isSuccess).toBe(true)
    expect(reads).toBe(2)
  })

  it('may have 8,000 logs', async () => {
    const logs = Array.from({ length: 8_000 }, (_, index) =>
      transfer(index, USDC, `0x${index.toString(16).padStart(40, '0')}`, 1n),
    )
    const seen = await seenBy(withLogs(logs))
    expect([seen?.logs.length, seen?.movements.length]).toEqual([8_000, 8_000])
  })

  it('has a receipt of up to 16 MiB; all that is read beside it is as small as everything else', async () => {
    const { evidence, asked } = evidenceOver({ a: node() })
    await evidence.transaction(query(), patient())
    expect(asked.flatMap(({ asked: method, bytesMax }) => (bytesMax === undefined ? [] : [[method, bytesMax]]))).toEqual([
      ['eth_getTransactionReceipt', 16 * 1024 * 1024],
    ])
  })

  it.each<readonly [string, object]>([
    ...(malformed.evm as unknown as [string, ...Parameters<typeof withChange>][]).map(
      ([what, ...how]) => [what, withChange(...how)] as const,
    ),
    ['a receipt that is a text', { eth_getTransactionReceipt: 'ok' }],
    ['a receipt that is a list', { eth_getTransactionReceipt: [receipt()] }],
    ['a log that is none', withLogs([null as unknown as object])],
    ['a log without a number', withLogs([{ ...transfer(0, USDC, payee, 1n), logIndex: undefined }])],
    ['one log twice', withLogs([transfer(4, USDC, payee, 1n), transfer(4, USDC, payee, 1n)])],
    ['logs out of order', withLogs([transfer(4, USDC, payee, 1n), transfer(3, USDC, payee, 1n)])],
    ['a log of five topics', withLogs([log(0, { address: USDC.address, topics: Array(5).fill(word(1n)) })])],
    [
      'a topic that is no word',
      withLogs([log(0, { address: USDC.address, topics: [TRANSFER, '0x01', word(payee)], data: word(5n) })]),
    ],
    ['a log at no address', withLogs([log(0, { address: '0x01' })])],
    ['data of half a byte', withLogs([log(0, { address: USDC.address, data: '0x123' })])],
    ['no such transaction beside its receipt', { eth_getTransactionByHash: null }],
    ['no such block yet', { eth_getBlockByNumber: (where: string) => (where === 'latest' ? block(200) : null) }],
    [
      'another block than asked for',
      { eth_getBlockByNumber: (where: string) => (where === 'latest' ? block(200) : block(HEIGHT + 1)) },
    ],
    ['a block without a time', { eth_getBlockByNumber: () => block(HEIGHT, { timestamp: undefined }) }],
    ['no newest block', { eth_getBlockByNumber: (where: string) => (where === 'latest' ? null : block(HEIGHT)) }],
    ['a revert, of what is no call', { eth_getTransactionReceipt: refuses('execution reverted', 3) }],
    ['a refusal', { eth_getTransactionByHash: refuses('no') }],
    ['a broken connection', { eth_getTransactionReceipt: resets }],
  ])('is unreadable, and never guessed, where a node answers %s', async (_what, answers) => {
    expect(await isUnreadable(seenBy(answers))).toBe(true)
  })
})

describe('where it stands', () => {
  const standing = async (answers: object, chainId: 1 | 10 | 143) => (await seenBy(answers, chainId))?.standing

  it('goes by the blocks on top of it, and by what the chain calls final', async () => {
    expect(await standing({ head: HEIGHT + 1, finalized: 50 }, 1)).toBe('fresh')
    expect(await standing({ head: HEIGHT + 2, finalized: 50 }, 1)).toBe('confirmed')
    expect(await standing({ head: HEIGHT + 90, finalized: HEIGHT }, 1)).toBe('final')
    expect(await standing({ head: HEIGHT + 1, finalized: HEIGHT }, 143)).toBe('fresh')
    expect(await standing({ head: HEIGHT + 3, finalized: HEIGHT + 1 }, 143)).toBe('final')
  })

  it.each([
    ['does not know of finality', null],
    ['refuses the tag', refuses('finalized block not found', -39_001)],
    ['breaks off', resets],
    ['answers nonsense', 'soon'],
  ])('is told by depth and age where the node %s', async (_what, answer) => {
    const on = (head: number) => ({
      eth_getBlockByNumber: (where: string) =>
        where === 'finalized' ? answer : block(where === 'latest' ? head : Number(where)),
    })
    expect(await standing(on(HEIGHT), 1)).toBe('fresh')
    expect(await standing(on(HEIGHT + 100), 1)).toBe('confirmed')
    // An hour is 300 blocks of 12 seconds.
    expect(await standing(on(HEIGHT + 299), 1)).toBe('confirmed')
    expect(await standing(on(HEIGHT + 300), 1)).toBe('final')
    expect(await standing(on(HEIGHT + 3), 143)).toBe('confirmed')
  })

  it('is what the operator asks for', async () => {
    const under = async (head: number) => {
      const { evidence } = evidenceOver({ a: node({ head, finalized: 50 }) }, { confirmations: { 1: 12 } })
      return (await evidence.transaction(query(), patient()))?.standing
    }
    expect([await under(HEIGHT + 10), await under(HEIGHT + 11)]).toEqual(['fresh', 'confirmed'])
  })

  it('that one endpoint lacks is absent only when a second endpoint lacks it, too [rpc-absence-two-endpoints]', async () => {
    const stuck = {
      ...node({ head: HEIGHT - 1, finalized: 50 }),
      eth_getTransactionReceipt: null,
      eth_getTransactionByHash: null,
    }
    const over = (b: object) => evidenceOver({ a: stuck, b: { ...node(), ...b } }).evidence.transaction(query(), patient())
    expect(await over({})).toMatchObject({ isSuccess: true, height: HEIGHT })
    expect(await over({ eth_getTransactionReceipt: null })).toBeNull()
    expect(await isUnreadable(over({ eth_getTransactionReceipt: resets }))).toBe(true)
  })

  describe('on a sequenced chain, in its first block [rpc-absence-two-endpoints]', () => {
    const fresh = node({ head: HEIGHT, finalized: 50 })
    const withSecond = async (second: object, head = HEIGHT) => {
      const { evidence, asked } = evidenceOver({ a: node({ head, finalized: 50 }), b: { ...fresh, ...second } })
      const seen = await evidence.transaction(query(10), patient())
      return { standing: seen?.standing, second: asked.filter(({ host }) => host === 'b').map((each) => each.asked) }
    }

    it('is confirmed once two endpoints show it in the same block, with one small question to the second', async () => {
      expect(await withSecond({})).toEqual({ standing: 'confirmed', second: ['eth_getTransactionByHash'] })
    })

    it.each([
      ['shows it in another block', { eth_getTransactionByHash: transaction({ blockHash: blockHash(HEIGHT, 'b') }) }],
      ['does not have it yet', { eth_getTransactionByHash: null }],
      ['has it in no block yet', { eth_getTransactionByHash: transaction({ blockHash: null }) }],
      ['answers nonsense', { eth_getTransactionByHash: { hash: TX } }],
      ['refuses', { eth_getTransactionByHash: refuses('no') }],
      ['is out of reach', { eth_getTransactionByHash: resets }],
    ])('is fresh where the second %s', async (_what, second) => {
      expect((await withSecond(second)).standing).toBe('fresh')
    })

    it('is confirmed by the next block, and the second is not asked', async () => {
      expect(await withSecond({ eth_getTransactionByHash: null }, HEIGHT + 1)).toEqual({ standing: 'confirmed', second: [] })
    })

    it('is fresh where the same endpoint stands twice in the list', async () => {
      const urls = ['https://a', 'https://a']
      const { evidence } = evidenceOver({ a: fresh }, { rpcUrls: { 10: urls } })
      expect((await evidence.transaction(query(10), patient()))?.standing).toBe('fresh')
    })

    it('is confirmed by the first in the list when it was the second that told of it', async () => {
      const { evidence } = evidenceOver({
        a: { ...fresh, eth_getTransactionReceipt: refuses('no receipts here') },
        b: fresh,
      })
      expect((await evidence.transaction(query(10), patient()))?.standing).toBe('confirmed')
    })
  })

  it('is read once for all that is asked together, and again after a second', async () => {
    const { evidence, asked, clock } = evidenceOver({ a: node() })
    const heads = () => asked.filter(({ params }) => params[0] === 'latest' || params[0] === 'finalized').length
    await Promise.all([evidence.transaction(query(), patient()), evidence.transaction(query(), patient())])
    await evidence.confirmedTime(1, patient())
    expect(heads()).toBe(2)
    clock.at += 1_000
    await evidence.transaction(query(), patient())
    expect(heads()).toBe(4)
  })
})

describe('the time that has passed for a chain', () => {
  const timeOn = (answers: object, chainId: 1 | 10 | 143) =>
    evidenceOver({ a: node({ ...answers }) }).evidence.confirmedTime(chainId, patient())

  it('is that of the newest block that counts', async () => {
    expect(await timeOn({ head: 200 }, 1)).toBe(timeOf(198))
    expect(await timeOn({ head: 200 }, 10)).toBe(timeOf(199))
    expect(await timeOn({ head: 200, finalized: 197 }, 143)).toBe(timeOf(196))
    expect(await timeOn({ head: 200, finalized: null }, 143)).toBe(timeOf(197))
  })

  it('is unknown where the node has no such block', async () => {
    expect(
      await isUnreadable(timeOn({ eth_getBlockByNumber: (where: string) => (where === 'latest' ? block(200) : null) }, 1)),
    ).toBe(true)
  })
})

describe('code at an address', () => {
  const hasCode = (answer: unknown) =>
    evidenceOver({ a: { eth_getCode: answer } }).evidence.hasCode({ chainId: 1, address: payee }, patient())

  it('is its own, or one it delegates to', async () => {
    expect(await hasCode('0x')).toBe(false)
    expect(await hasCode('0x6001')).toBe(true)
    expect(await hasCode(`0xef0100${'12'.repeat(20)}`)).toBe(true)
  })

  it.each([null, '', 'none', 0, refuses('no')])('is unknown where a node answers %j', async (answer) => {
    expect(await isUnreadable(hasCode(answer))).toBe(true)
  })
})
