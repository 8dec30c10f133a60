import { expect, test } from 'vitest'
import type { VenueWord } from '../../../engine/core/swapStatus.ts'
import { RAW_STATUSES } from '../../../engine/venues/debridge/track.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { refusalOf, swapOf, track, transactionOf } from '../../support/venueKit/calls.ts'
import type { Answer } from '../../support/venueKit/canned.ts'
import { createdBy } from './abi.ts'
import { openBench, orders, told } from './support.ts'
import tables from './tables.json' with { type: 'json' }

const open = closedAfterEach(openBench)

const [PAID, FILL, BACK] = [`0x${'51'.repeat(32)}`, `0x${'f1'.repeat(32)}`, `0x${'ba'.repeat(32)}`]
const HASHES: { readonly [end: string]: string } = { fill: FILL, back: BACK }
const NOTHING = { deliveredAmount: null, txHash: null, venueStatus: null }
const wrapped = (stringValue: string) => ({ stringValue })
const by = (hash: string) => ({ transactionHash: wrapped(hash) })

type Told = { readonly [path: string]: unknown }

/** A swap that was built, and the books of the tracking API. */
const built = async (order = orders.usdc()) => {
  const bench = await open()
  const books: { orders: Told; ids: Told; status: number } = { orders: {}, ids: {}, status: 404 }
  const clock = { now: START_OF_TIME }
  const instead = ({ path }: { path: string }): Answer | null => {
    const [, orderId, hash] = /^\/api\/(?:Orders\/(\w+)|Transaction\/(\w+)\/orderIds)$/.exec(path) ?? []
    if (orderId === undefined && hash === undefined) return null
    const body = orderId === undefined ? books.ids[hash ?? ''] : books.orders[orderId]
    return body === undefined ? { status: books.status, body: {} } : { body }
  }
  const { venue, asked } = told(bench, { instead, now: () => clock.now })
  const swap = await swapOf(venue, order)
  const orderId = swap.execution.venueRef ?? ''
  const say = (state: string, rest: object = {}, id = orderId) => {
    books.orders = { ...books.orders, [id]: { orderId: wrapped(id), state, createdSrcEventMetadata: by(PAID), ...rest } }
  }
  const follow = (ref = PAID, record?: 'without'): Promise<VenueWord> => track(venue, ref, swap, record)
  const questions = () => asked.map(({ path }) => path).filter((path) => path.startsWith('/api'))
  return { swap, orderId, books, clock, say, follow, questions }
}

test('status: each documented raw deBridge status has a state, and any other is unknown', () => {
  expect(Object.keys(tables.states).slice(0, -1).sort()).toEqual([...RAW_STATUSES].sort())
})

test.each(Object.entries(tables.states))('status: maps the raw deBridge status %s', async (raw, [state, end]) => {
  const { say, follow } = await built()
  say(raw, {
    fulfilledDstEventMetadata: by(FILL),
    claimedOrderCancelSrcEventInfo: { transactionMetadata: by(BACK) },
  })
  expect(await follow()).toEqual({ ...NOTHING, state, txHash: HASHES[end ?? ''] ?? null, venueStatus: raw, paidBy: [PAID] })
})

test('status: a success without a transaction is processing', async () => {
  const { say, follow } = await built()
  for (const rest of [{}, { fulfilledDstEventMetadata: null }, { fulfilledDstEventMetadata: { transactionHash: null } }]) {
    say('Fulfilled', rest)
    expect(await follow()).toMatchObject({ state: 'processing', txHash: null })
  }
})

test('status: an order is found by its id and by its transaction, in any case, and by nothing else', async () => {
  const { say, follow, orderId, questions } = await built()
  say('Created')
  for (const ref of [orderId, orderId.toUpperCase().replace('0X', '0x'), PAID, PAID.toUpperCase().replace('0X', '0x')])
    expect((await follow(ref)).state).toBe('processing')
  expect(new Set(questions())).toEqual(new Set([`/api/Orders/${orderId}`]))
  expect((await follow(FILL)).state).toBe('not_found')
  const before = questions().length
  for (const ref of ['', '0x51', WALLETS.evm, '../../x']) expect((await follow(ref)).state).toBe('not_found')
  expect((await follow(PAID, 'without')).state).toBe('not_found')
  expect(questions()).toHaveLength(before)
})

test('status: an unknown order is pending while it may still arrive', async () => {
  const { follow, clock, books } = await built()
  expect(await follow()).toEqual({ ...NOTHING, state: 'pending' })
  clock.now += 30_000 + 120_000
  expect(await follow()).toEqual({ ...NOTHING, state: 'not_found' })
  books.status = 500
  expect((await refusalOf(follow())).kind).toBe('unavailable')
})

test('status: an answer about another order keeps the swap pending', async () => {
  const { books, follow, orderId } = await built()
  books.orders = {
    [orderId]: { orderId: wrapped(`0x${'ab'.repeat(32)}`), state: 'Fulfilled', fulfilledDstEventMetadata: by(FILL) },
  }
  expect((await follow()).state).toBe('pending')
})

test('status: an order created by a transaction of another sender is found by its fields and maker', async () => {
  const { swap, say, follow, books } = await built()
  const call = { ...transactionOf(swap.execution), chainId: 8453 }
  const made = (from: string) => createdBy({ ...call, from }).orderId
  const [own, strange] = [made(WALLETS.evmOther), `0x${'cd'.repeat(32)}`]
  books.ids = { [PAID]: { orderIds: [wrapped(strange), wrapped(own)] } }
  say('Created', { makerSrc: wrapped(WALLETS.evmOther) }, strange)
  expect((await follow()).state).toBe('pending')
  say('Fulfilled', { makerSrc: wrapped(WALLETS.evmOther), fulfilledDstEventMetadata: by(FILL) }, own)
  expect(await follow()).toMatchObject({ state: 'success', txHash: FILL })
  // Said of another maker, its words come to another id.
  say('Fulfilled', { makerSrc: wrapped(WALLETS.evm), fulfilledDstEventMetadata: by(FILL) }, own)
  expect((await follow()).state).toBe('pending')
})
