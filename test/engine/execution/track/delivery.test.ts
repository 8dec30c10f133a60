import { describe, expect, it } from 'vitest'
import type { SeenTransaction } from '../../../../engine/chains/seen.ts'
import { nativeAsset } from '../../../../engine/core/asset.ts'
import type { Hex } from '../../../../engine/core/execution.ts'
import { WALLETS } from '../../../support/anOrder.ts'
import { TOKENS } from '../../../support/fakeChains.ts'
import { hashOf, movement } from '../../../support/fakeEvidence.ts'
import { addressFor, statusOf } from '../../../support/fakeVenue.ts'
import { done, LEAST, type MoneyBench, NO_HASH, OTHER, PAID_IN, sendsOn, startMoneyBench } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import { closedAfterEach } from '../../../support/venueKit/benches.ts'

/** What a claim of success must show on the chain. */

const MINUTE_MS = 60_000
const OPEN = { state: 'processing', venueStatus: 'TOY_SUCCESS', deliveredAmount: null, txHash: null }

const start = closedAfterEach(startMoneyBench)

/** A deposit that was paid. */
const paidSwap = async (wish: Parameters<MoneyBench['execute']>[0] = {}) => {
  const bench = await start('DEPOSIT')
  const swap = await bench.execute(wish)
  bench.pay(swap)
  return { bench, swap }
}

describe('a claim of success [status-success-needs-delivery]', () => {
  it('stands when a transaction paid the recipient the guaranteed minimum, and tells what was seen', async () => {
    const { bench, swap } = await paidSwap()
    const txHash = bench.deliver(swap, LEAST)
    bench.says('success', done(txHash, LEAST + 7n))
    expect(await bench.status(swap)).toMatchObject({ state: 'success', deliveredAmount: LEAST, txHash })
    expect(await bench.kept(swap)).toMatchObject({ status: { state: 'success' }, endedAt: START_AT })
  })

  it('stays open when the transaction pays a unit less, nothing, somebody else, or another token', async () => {
    const { bench, swap } = await paidSwap()
    const { output } = swap.record.swap.order
    const tries = [
      bench.deliver(swap, LEAST - 1n),
      bench.deliver(swap, LEAST, { movements: [] }),
      bench.deliver(swap, LEAST, { movements: [movement(output, OTHER, LEAST)] }),
      bench.deliver(swap, LEAST, { movements: [movement(nativeAsset(output.chainId), WALLETS.evm, LEAST)] }),
      bench.deliver(swap, LEAST, { chainId: 10 }),
      bench.deliver(swap, LEAST, { isSuccess: false }),
      NO_HASH,
    ]
    for (const txHash of tries) {
      bench.says('success', done(txHash))
      expect(await bench.status(swap)).toMatchObject(OPEN)
    }
    expect((await bench.payments(swap)).map(({ kind }) => kind)).toEqual(['input'])
  })

  it('never tells more than the venue does, nor more than was seen', async () => {
    const { bench, swap } = await paidSwap()
    bench.says('success', done(bench.deliver(swap, LEAST + 50n), LEAST + 9n))
    expect((await bench.status(swap)).deliveredAmount).toBe(LEAST + 9n)
    const other = await paidSwap()
    other.bench.says('success', { txHash: other.bench.deliver(other.swap, LEAST + 50n) })
    expect((await other.bench.status(other.swap)).deliveredAmount).toBe(LEAST + 50n)
  })

  it.each([null, 'garbage', '', '0x12', `0x${'zz'.repeat(32)}`, 'd0'.repeat(32), '5'.repeat(87)])(
    'stays open when it names %j, which no transaction of that chain is known by',
    async (txHash) => {
      const { bench, swap } = await paidSwap()
      bench.says('success', { ...done(NO_HASH), txHash })
      expect(await bench.status(swap)).toMatchObject(OPEN)
      expect(bench.chain.reads.filter(({ chainId }) => chainId === 42161)).toEqual([])
    },
  )

  it('stays open when the transaction is older than the swap, clocks that differ by minutes aside', async () => {
    const { bench, swap } = await paidSwap()
    bench.says('success', done(bench.deliver(swap, LEAST, { at: START_AT - 6 * MINUTE_MS })))
    expect(await bench.stateOf(swap)).toBe('processing')
    bench.says('success', done(bench.deliver(swap, LEAST, { at: START_AT - 4 * MINUTE_MS })))
    expect(await bench.stateOf(swap)).toBe('success')
  })

  it('needs no time of a node that has none', async () => {
    const { bench, swap } = await paidSwap()
    bench.says('success', done(bench.deliver(swap, LEAST, { at: null })))
    expect(await bench.stateOf(swap)).toBe('success')
  })

  it.each([
    ['the miners of Bitcoin', -1, WALLETS.bitcoin],
    ['the time of Solana', -2, WALLETS.solana],
  ] as const)('gives %s two hours', async (_who, chainId, recipient) => {
    const { bench, swap } = await paidSwap({ to: [chainId, nativeAsset(chainId).address], recipient })
    const mined = (number: number, minutes: number) =>
      bench.deliver(swap, LEAST, { hash: hashOf(number, chainId), at: START_AT - minutes * MINUTE_MS })
    bench.says('success', done(mined(901, 121)))
    expect(await bench.stateOf(swap)).toBe('processing')
    bench.says('success', done(mined(902, 119)))
    expect(await bench.stateOf(swap)).toBe('success')
  })

  it('is not looked for on the chain where it falls short by its own word', async () => {
    const { bench, swap } = await paidSwap()
    bench.says('success', done(bench.deliver(swap), LEAST - 1n))
    expect(await bench.status(swap)).toMatchObject({ state: 'processing', venueStatus: 'TOY_SUCCESS' })
    expect(bench.chain.reads.filter(({ chainId }) => chainId === 42161)).toEqual([])
  })

  it('is told with its transaction and still open while that is not confirmed', async () => {
    const { bench, swap } = await paidSwap()
    const txHash = bench.deliver(swap, LEAST, { standing: 'fresh' })
    bench.says('success', done(txHash))
    expect(await bench.status(swap)).toMatchObject({ state: 'processing', txHash, deliveredAmount: null })
    expect((await bench.kept(swap)).endedAt).toBeNull()
    bench.deliver(swap, LEAST, { hash: txHash })
    expect(await bench.stateOf(swap)).toBe('success')
  })

  it('counts coins that came as a value, and those that came by calls of contracts while balances are kept', async () => {
    for (const byCall of [false, true]) {
      const { bench, swap } = await paidSwap({ to: [42161, nativeAsset(42161).address] })
      const txHash = bench.deliver(swap, LEAST, byCall ? sendsOn(WALLETS.evm, 77) : {})
      if (byCall) bench.chain.gain({ chainId: 42161, height: 77, recipient: WALLETS.evm }, LEAST)
      bench.says('success', done(txHash))
      expect(await bench.stateOf(swap)).toBe('success')
    }
  })

  describe('in coins that a contract sent, which the balances of the block show,', () => {
    const COINS = { chainId: 42161, height: 77, recipient: WALLETS.evm } as const
    const PLAIN = addressFor('evm', 'plain')
    const sent = sendsOn(WALLETS.evm, 77).call
    const logged = (topic: Hex, data: Hex = '0x') => ({
      call: { ...sent, data: '0x70a70a70' as const },
      logs: [{ index: 0, address: PLAIN.toLowerCase() as Hex, topics: [topic], data }],
    })
    const word = WALLETS.evm.slice(2).toLowerCase().padStart(64, '0')
    const told = async (wish: Partial<SeenTransaction>) => {
      const { bench, swap } = await paidSwap({ to: [42161, nativeAsset(42161).address] })
      bench.chain.gain(COINS, LEAST)
      bench.says('success', done(bench.deliver(swap, 0n, { movements: [], height: 77, ...wish })))
      return bench.stateOf(swap)
    }

    it.each([
      ['calls a contract for the recipient', { call: sent }],
      ['creates a contract for it', { call: { ...sent, to: null } }],
      ['is the recipient’s own call of a contract', { call: { ...sent, from: WALLETS.evm, data: '0x' as const } }],
      ['has a log that names it in a topic', logged(`0x${word}`)],
      ['has a log that names it in its data', logged(`0x${'ab'.repeat(32)}`, `0x${'00'.repeat(32)}${word}`)],
    ] as const)('is proved by a transaction that %s', async (_what, wish) => {
      expect(await told(wish)).toBe('success')
    })

    it.each([
      ['calls no contract', { call: { ...sent, to: PLAIN } }],
      ['is the recipient’s own and calls none', { call: { ...sent, from: WALLETS.evm, to: PLAIN, data: '0x' as const } }],
      ['names somebody else', { call: sendsOn(PLAIN, 77).call }],
      ['has the recipient’s digits at no whole byte', { call: { ...sent, data: `0x7${word.slice(24)}0` as const } }],
      ['has no call that the node shows', {}],
    ] as const)('is proved by no other transaction of that block, which %s', async (_what, wish) => {
      expect(await told(wish)).toBe('processing')
    })

    it('stays open while nobody can tell whether there is a contract', async () => {
      const { bench, swap } = await paidSwap({ to: [42161, nativeAsset(42161).address] })
      bench.chain.gain(COINS, LEAST)
      bench.says('success', done(bench.deliver(swap, 0n, sendsOn(WALLETS.evm, 77))))
      bench.chain.isUnreadable = ({ method }) => method === 'hasCode'
      expect(await bench.stateOf(swap)).toBe('processing')
      bench.chain.isUnreadable = () => false
      expect(await bench.stateOf(swap)).toBe('success')
    })
  })

  it('holds for a signed order, whose payment leaves the wallet only with the delivery', async () => {
    const bench = await start('SIGNATURE')
    const swap = await bench.execute()
    bench.says('success', done(bench.deliver(swap)))
    expect(await bench.stateOf(swap)).toBe('processing')
    await bench.store.swaps.setPosting(swap.id)
    expect(await bench.stateOf(swap)).toBe('success')
  })

  it('is none of a signed order for which the transaction took nothing, or what another order has', async () => {
    const took = { token: TOKENS.usdcEthereum.address, amount: PAID_IN }
    let places: readonly string[] = []
    const inputs = async () => places.map((place) => ({ place, orderId: null, took }))
    const events = { inputs, outputs: async () => null, refunds: async () => null, named: async () => [] }
    const bench = await start('SIGNATURE', { events })
    const [first, second] = [await bench.execute(), await bench.execute()]
    for (const { id } of [first, second]) await bench.store.swaps.setPosting(id)
    const { order, binding } = first.record.swap
    const twice = ['log:8', 'log:9'].map((place) => movement(order.output, binding.recipient, LEAST, { place }))
    bench.says('success', done(bench.deliver(first, LEAST, { movements: twice })))
    expect(await bench.stateOf(first)).toBe('processing')
    places = ['log:7']
    expect([await bench.stateOf(first), await bench.stateOf(second)]).toEqual(['success', 'processing'])
    // Of two equal payments each order has one.
    places = ['log:6', 'log:7']
    expect(await bench.stateOf(second)).toBe('success')
  })

  it('is none of a signed order that its contract shows unfilled, whoever was paid', async () => {
    let isUnfilled = true
    const bench = await start('SIGNATURE', { unfilled: { isUnfilled: async () => isUnfilled } })
    const swap = await bench.execute()
    await bench.store.swaps.setPosting(swap.id)
    bench.says('success', done(bench.deliver(swap)))
    expect(await bench.stateOf(swap)).toBe('processing')
    isUnfilled = false
    expect(await bench.stateOf(swap)).toBe('success')
  })

  it('of a signed order keeps what it took as well, and neither when the chain takes it back', async () => {
    const took = { token: TOKENS.usdcEthereum.address, amount: PAID_IN }
    const inputs = async () => [{ place: 'log:7', orderId: null, took }]
    const events = { inputs, outputs: async () => null, refunds: async () => null, named: async () => [] }
    const bench = await start('SIGNATURE', { events })
    const swap = await bench.execute()
    await bench.store.swaps.setPosting(swap.id)
    const rows = async () => (await bench.payments(swap)).map(({ kind, amount, txHash }) => [kind, amount, txHash])
    const fresh = bench.deliver(swap, LEAST, { standing: 'fresh' })
    bench.says('success', done(fresh))
    expect([await bench.stateOf(swap), await rows()]).toEqual(['processing', []])
    const first = bench.deliver(swap, LEAST, { hash: fresh })
    expect(await bench.stateOf(swap)).toBe('success')
    expect(await rows()).toEqual([
      ['input', PAID_IN, first],
      ['output', LEAST, first],
    ])
    bench.chain.remove(first)
    expect(await bench.stateOf(swap)).toBe('processing')
    const second = bench.deliver(swap)
    bench.says('success', done(second))
    expect(await bench.stateOf(swap)).toBe('success')
    expect((await rows()).map(([kind, , txHash]) => [kind, txHash])).toEqual([
      ['input', second],
      ['output', second],
    ])
  })

  it.each(['pending', 'processing', 'not_found', 'unknown'] as const)('asks no chain for the payout of %s', async (state) => {
    const { bench, swap } = await paidSwap()
    bench.saysOf(swap, statusOf(state, { txHash: bench.deliver(swap) }))
    await bench.status(swap)
    expect(bench.chain.reads.filter(({ chainId }) => chainId === 42161)).toEqual([])
  })
})
