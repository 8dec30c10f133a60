import { describe, expect, it } from 'vitest'
import type { Address } from '../../../../engine/core/address.ts'
import { nativeAsset } from '../../../../engine/core/asset.ts'
import { isTerminal } from '../../../../engine/core/swapStatus.ts'
import { VenueError } from '../../../../engine/venues/venueError.ts'
import { WALLETS } from '../../../support/anOrder.ts'
import { hashOf } from '../../../support/fakeEvidence.ts'
import { fails } from '../../../support/fakeVenue.ts'
import { done, LEAST, type MoneyBench, NO_HASH, OVER_MS, sendsOn, startMoneyBench } from '../../../support/moneyBench.ts'
import { refusalOf, START_AT } from '../../../support/testEngine.ts'
import { closedAfterEach } from '../../../support/venueKit/benches.ts'

/** What cannot be read is not known: it ends nothing, and once it can be read again the swap ends. */

const DAY_MS = 86_400_000
const start = closedAfterEach(startMoneyBench)

const readable = (bench: MoneyBench): void => {
  bench.chain.isUnreadable = () => false
}

describe('a chain that cannot be read [status-unreadable-ends-nothing]', () => {
  it.each(['DEPOSIT', 'TRANSACTION'] as const)(
    'leaves a %s open, whatever its venue says, and lets it end afterwards',
    async (kind) => {
      for (const [state, end] of [
        ['success', 'success'],
        ['refunded', 'refunded'],
        ['failed', 'refunded'],
        ['expired', 'refunded'],
      ] as const) {
        const bench = await start(kind)
        const swap = await bench.execute()
        const ref = kind === 'DEPOSIT' ? swap.ref : bench.pay(swap)
        if (kind === 'DEPOSIT') bench.pay(swap)
        bench.says(state, done(state === 'success' ? bench.deliver(swap) : bench.giveBack(swap)))
        bench.pass(OVER_MS + 1)
        bench.chain.isUnreadable = () => true
        expect(isTerminal(await bench.stateOf(swap, ref))).toBe(false)
        expect(await bench.kept(swap)).toMatchObject({ endedAt: null })
        expect(bench.reported('chain.unread').length).toBeGreaterThan(0)
        readable(bench)
        expect(await bench.stateOf(swap, ref)).toBe(end)
      }
    },
  )

  it.each([
    ['the delivery', 'success', 42161, 'transaction'],
    ['the refund', 'refunded', 1, 'transaction'],
  ] as const)('leaves a swap open whose payment was seen, where it is %s', async (_what, state, chainId, method) => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute()
    const paidBy = bench.pay(swap)
    const txHash = state === 'success' ? bench.deliver(swap) : bench.giveBack(swap)
    bench.says('processing')
    await bench.status(swap)
    bench.says(state, done(txHash))
    bench.chain.isUnreadable = (read) => read.method === method && read.chainId === chainId && read.of !== paidBy
    expect(await bench.stateOf(swap)).toBe(state === 'success' ? 'processing' : 'expired')
    readable(bench)
    expect(await bench.stateOf(swap)).toBe(state)
  })

  it.each(['search', 'untouchedUntil', 'confirmedTime'] as const)('fails no unpaid deposit without its %s', async (method) => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute()
    bench.says('failed')
    bench.pass(OVER_MS + 1)
    bench.chain.isUnreadable = (read) => read.method === method
    expect(await bench.stateOf(swap)).toBe('pending')
    readable(bench)
    expect(await bench.stateOf(swap)).toBe('failed')
  })

  it('fails an unpaid deposit to which an endpoint names many payments that never were', async () => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute()
    bench.says('failed')
    bench.pass(OVER_MS + 1)
    bench.chain.search = async () => ({ hashes: Array.from({ length: 9 }, (_none, at) => hashOf(900 + at)), isWhole: false })
    expect(await bench.stateOf(swap)).toBe('failed')
  })

  it.each([0, 1, 9])('finds a deposit that one endpoint hides behind %i payments that never were', async (length) => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute()
    bench.pay(swap)
    bench.says('failed')
    const { search } = bench.chain
    const fakes = { hashes: Array.from({ length }, (_none, at) => hashOf(900 + at)), isWhole: true }
    bench.chain.search = async () => fakes
    bench.chain.searchByTwo = async (query, signal) => ({ lists: [await search(query, signal), fakes], isWhole: false })
    expect(await bench.stateOf(swap)).toBe('expired')
  })

  it.each(['success', 'refunded'] as const)(
    'fails no deposit by a node that forgot its payment, which a venue names that tells it to be %s',
    async (state) => {
      const bench = await start('DEPOSIT')
      const swap = await bench.execute()
      const paidBy = bench.pay(swap)
      const seen = await bench.chain.transaction({ chainId: 1, hash: paidBy }, new AbortController().signal)
      const txHash = state === 'success' ? bench.deliver(swap) : bench.giveBack(swap)
      bench.says(state, { ...(state === 'success' ? done(txHash) : { txHash }), paidBy: [paidBy] })
      bench.chain.remove(paidBy)
      bench.pass(OVER_MS + 1)
      expect(isTerminal(await bench.stateOf(swap))).toBe(false)
      if (seen === null) throw new Error('nothing was paid')
      bench.chain.put(seen)
      expect(await bench.stateOf(swap)).toBe(state)
    },
  )

  it('fails no unpaid deposit by a node that has not come as far as the deadline', async () => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute()
    bench.says('failed')
    bench.pass(OVER_MS + 1)
    bench.chain.addressesAt = START_AT + OVER_MS
    expect(await bench.stateOf(swap)).toBe('pending')
    bench.chain.addressesAt += 1
    expect(await bench.stateOf(swap)).toBe('failed')
  })

  it('fails no transaction without the chain’s own time', async () => {
    const bench = await start('TRANSACTION')
    const swap = await bench.execute()
    const hash = bench.pay(swap)
    expect(await bench.stateOf(swap, hash)).toBe('processing')
    bench.chain.remove(hash)
    bench.says('pending')
    bench.pass(OVER_MS + 1)
    bench.chain.isUnreadable = ({ method }) => method === 'confirmedTime'
    expect(await bench.stateOf(swap, hash)).toBe('pending')
    readable(bench)
    expect(await bench.stateOf(swap, hash)).toBe('failed')
  })

  it('recognises no call inside another transaction without knowing the sender’s code', async () => {
    const bench = await start('TRANSACTION')
    const swap = await bench.execute()
    const hash = bench.pay(swap)
    bench.chain.isUnreadable = ({ method }) => method === 'hasCode'
    expect(await bench.stateOf(swap, hash)).toBe('pending')
    readable(bench)
    expect(await bench.stateOf(swap, hash)).toBe('processing')
  })

  it('does not take a part of what was paid for all that is owed', async () => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute()
    const [first, second] = [bench.pay(swap, 400_000n), bench.pay(swap, 600_000n)]
    bench.says('refunded', { txHash: bench.giveBack(swap, 400_000n), paidBy: [first, second] })
    bench.chain.isUnreadable = ({ of }) => of === second
    expect(await bench.stateOf(swap)).toBe('pending')
    readable(bench)
    expect(await bench.stateOf(swap)).toBe('expired')
  })
})

describe('a venue that does not answer [status-unreadable-ends-nothing]', () => {
  it.each(['DEPOSIT', 'TRANSACTION'] as const)('is not needed to report a paid %s as processing', async (kind) => {
    const bench = await start(kind)
    const swap = await bench.execute()
    bench.venue.script.track = fails(new VenueError('unavailable', 'down'))
    const ref = kind === 'DEPOSIT' ? swap.ref : NO_HASH
    const { details, isOutage } = await refusalOf(bench.status(swap, ref), 'INTERNAL')
    expect([details, isOutage]).toEqual([{ venue: 'toy', kind: 'unavailable', retryable: true }, true])
    const paidBy = bench.pay(swap)
    const seen = { state: 'processing', venueStatus: null, deliveredAmount: null, txHash: null }
    expect(await bench.status(swap, kind === 'DEPOSIT' ? ref : paidBy)).toMatchObject({ ...seen, payments: [{ txHash: paidBy }] })
    expect((await bench.kept(swap)).status).toEqual(seen)
  })

  it('leaves a deposit pending until the chain shows its payment', async () => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute()
    expect(await bench.stateOf(swap)).toBe('pending')
    bench.clock.at += 1
    bench.venue.script.track = fails(new VenueError('unavailable', 'down'))
    expect(await bench.stateOf(swap)).toBe('pending')
    bench.pay(swap)
    expect(await bench.stateOf(swap)).toBe('processing')
  })

  it('is needed where the use of an address is all that the chain shows', async () => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute({ from: [1, nativeAsset(1).address] })
    bench.chain.inUse.add(swap.ref as Address)
    bench.venue.script.track = fails(new VenueError('unavailable', 'down'))
    await refusalOf(bench.status(swap), 'INTERNAL')
  })
})

describe('what was seen once [status-unreadable-ends-nothing]', () => {
  it.each(['success', 'refunded'] as const)('needs no second read, though the status %s could not be kept', async (state) => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute()
    bench.pay(swap)
    const txHash = state === 'success' ? bench.deliver(swap) : bench.giveBack(swap)
    bench.says(state, state === 'success' ? done(txHash) : { txHash })
    bench.store.fails = (call) => call === 'swaps.byId'
    expect(await bench.stateOf(swap)).toBe(state)
    bench.store.fails = () => false
    expect((await bench.kept(swap)).status.state).toBe('pending')
    bench.chain.isUnreadable = () => true
    expect(await bench.status(swap)).toMatchObject({ state, txHash })
    expect((await bench.kept(swap)).status.state).toBe(state)
  })

  it('is enough on a node that has forgotten the balances of its block', async () => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute({ to: [42161, nativeAsset(42161).address] })
    bench.pay(swap)
    const txHash = bench.deliver(swap, 0n, sendsOn(WALLETS.evm, 50))
    bench.chain.gain({ chainId: 42161, height: 50, recipient: WALLETS.evm }, LEAST)
    bench.says('success', done(txHash))
    bench.store.fails = (call) => call === 'swaps.byId'
    await bench.status(swap)
    bench.store.fails = () => false
    bench.chain.stateSince = 1_000
    expect(await bench.stateOf(swap)).toBe('success')
  })
})

describe('a node that has forgotten', () => {
  it('the balances of a block ends nothing, where coins came by calls of contracts', async () => {
    const bench = await start('DEPOSIT')
    const swap = await bench.execute({ to: [42161, nativeAsset(42161).address] })
    bench.pay(swap)
    bench.says('success', done(bench.deliver(swap, 0n, sendsOn(WALLETS.evm, 50))))
    bench.chain.stateSince = 51
    expect(await bench.stateOf(swap)).toBe('processing')
    bench.says('success', done(bench.deliver(swap, LEAST, { height: 50 })))
    expect(await bench.stateOf(swap)).toBe('success')
  })

  it('a transaction takes back no end, and no payment, that is older than a day', async () => {
    for (const state of ['success', 'expired'] as const) {
      const bench = await start('TRANSACTION')
      const swap = await bench.execute()
      const hash = bench.pay(swap)
      const txHash = bench.deliver(swap)
      bench.says(state, done(txHash))
      expect(await bench.stateOf(swap, hash)).toBe(state)
      for (const gone of [hash, txHash]) bench.chain.remove(gone)
      bench.pass(DAY_MS)
      expect(await bench.stateOf(swap, hash)).toBe(state)
      expect((await bench.kept(swap)).endedAt).toBe(state === 'success' ? START_AT : null)
    }
  })

  it('a transaction that it may have had fails no swap', async () => {
    const bench = await start('TRANSACTION')
    const swap = await bench.execute()
    bench.says('not_found')
    bench.pass(OVER_MS + DAY_MS)
    expect(await bench.stateOf(swap, NO_HASH)).toBe('not_found')
    expect((await bench.kept(swap)).endedAt).toBeNull()
  })
})
