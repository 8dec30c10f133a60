import { expect, test } from 'vitest'
import type { SwapState } from '../../../engine/core/swapStatus.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { swapOf, track, transactionOf } from '../../support/venueKit/calls.ts'
import type { Answer } from '../../support/venueKit/canned.ts'
import { readCall } from './abi.ts'
import cases from './cases.json' with { type: 'json' }
import { keyOf } from './fakeNetwork.ts'
import { openBench, orders, STRANGER, told } from './support.ts'

const open = closedAfterEach(openBench)
const REF = `0x${'ab'.repeat(32)}`
const FILL = `0x${'cd'.repeat(32)}`

const opened = async (answerOf: (own: { readonly orderHash: string }) => Answer, order = orders.usdc(), now?: () => number) => {
  const bench = await open()
  const swap = await swapOf(bench.venue, order)
  const own = {
    sourceChain: '30',
    destChain: '23',
    orderHash: keyOf(readCall(transactionOf(swap.execution).data).inner, 8453),
    destAddress: WALLETS.evmOther,
  }
  const instead = ({ path }: { path: string }) => (path.startsWith('/swap/') ? answerOf(own) : null)
  const { venue, asked } = told(bench, { instead, ...(now ? { now } : {}) })
  return { venue, swap, asked, bench }
}

test.each(cases.statuses as [string, object, SwapState, { readonly deliveredAmount?: string | null }][])(
  'status: maps the raw Mayan status of %s',
  async (_name, status, state, { deliveredAmount, ...more }) => {
    const { venue, swap } = await opened((own) => ({ body: { ...own, ...status } }))
    const word = await track(venue, REF, swap)
    expect(word).toMatchObject({ state, ...more })
    if (deliveredAmount !== undefined) expect(word.deliveredAmount?.toString() ?? null).toBe(deliveredAmount)
  },
)

test.each<[string, object]>([
  ['another chain', { destChain: '24' }],
  ['another origin', { sourceChain: '8453' }],
  ['another hash', { orderHash: `0x${'11'.repeat(32)}` }],
  ['another recipient and no hash', { orderHash: null, destAddress: STRANGER }],
])('status: an order with %s belongs to another swap', async (_name, change) => {
  const { venue, swap } = await opened((own) => ({ body: { ...own, clientStatus: 'COMPLETED', fulfillTxHash: FILL, ...change } }))
  expect((await track(venue, REF, swap)).state).toBe('not_found')
})

test('status: recognises an order hash without 0x', async () => {
  const status = { clientStatus: 'COMPLETED', fulfillTxHash: FILL }
  const { venue, swap } = await opened((own) => ({ body: { ...own, orderHash: own.orderHash.slice(2), ...status } }))
  expect((await track(venue, REF, swap)).state).toBe('success')
})

test('status: without a record, an order is found by its chains and recipient', async () => {
  const { venue, swap } = await opened((own) => ({ body: { ...own, clientStatus: 'COMPLETED', fulfillTxHash: FILL } }))
  expect((await track(venue, REF, swap, 'without')).state).toBe('success')
  const other = await opened((own) => ({
    body: { ...own, destAddress: STRANGER, clientStatus: 'COMPLETED', fulfillTxHash: FILL },
  }))
  expect((await track(other.venue, REF, other.swap, 'without')).state).toBe('not_found')
})

test('status: an order unknown to the explorer is pending while it may arrive, then not_found', async () => {
  let now = Date.UTC(2026, 10, 20)
  const { venue, swap, asked } = await opened(
    () => ({ status: 404, body: { statusCode: 404 } }),
    orders.usdc(),
    () => now,
  )
  expect((await track(venue, REF.toUpperCase().replace('0X', '0x'), swap)).state).toBe('pending')
  expect(asked.at(-1)?.path).toBe(`/swap/trx/${REF}`)
  expect((await track(venue, REF, swap, 'without')).state).toBe('not_found')
  now += 60_000 + 10 * 60_000
  expect((await track(venue, REF, swap)).state).toBe('not_found')
  expect((await track(venue, 'nonsense', swap)).state).toBe('not_found')
})

test('status: the explorer and the list of chains use the hosts of their settings', async () => {
  const bench = await open()
  const paths: string[] = []
  const hosts = { EXPLORER_URL: 'http://canned/explorer', INIT_URL: 'http://canned/sia' }
  const { venue } = told(bench, {
    settings: hosts,
    instead: ({ path }) => {
      paths.push(path)
      return path === '/sia/init' ? { body: { chains: [] } } : null
    },
  })
  await venue.quote(orders.usdc(), AbortSignal.timeout(5_000)).catch(() => undefined)
  const swap = await swapOf(bench.venue, orders.usdc())
  await track(venue, REF, swap)
  expect(paths).toEqual(['/sia/init', `/explorer/swap/trx/${REF}`])
})

test('status: with several orders in one transaction, requests the own one by hash, and checks its transaction', async () => {
  const other = { orderHash: `0x${'11'.repeat(32)}`, clientStatus: 'COMPLETED', fulfillTxHash: FILL }
  for (const [sourceTxHash, state] of [
    [REF, 'processing'],
    [FILL, 'not_found'],
    [null, 'not_found'],
  ] as const) {
    const bench = await open()
    const swap = await swapOf(bench.venue, orders.usdc())
    const orderHash = keyOf(readCall(transactionOf(swap.execution).data).inner, 8453)
    const own = { sourceChain: '30', destChain: '23', sourceTxHash }
    const { venue, asked } = told(bench, {
      instead: ({ path }) => {
        if (path === `/swap/trx/${REF}`) return { body: { ...own, ...other } }
        return path === `/swap/order-id/${orderHash}` ? { body: { ...own, orderHash, clientStatus: 'INPROGRESS' } } : null
      },
    })
    expect((await track(venue, REF, swap)).state).toBe(state)
    expect(asked.map(({ path }) => path)).toEqual([`/swap/trx/${REF}`, `/swap/order-id/${orderHash}`])
  }
})
