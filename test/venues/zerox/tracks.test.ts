import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { never, refusalOf, type Swap, signed, swapOf, track, typedDataOf } from '../../support/venueKit/calls.ts'
import type { Answer } from '../../support/venueKit/canned.ts'
import { openBench, orders, refusing, told, type ZeroxBench } from './support.ts'

let bench: ZeroxBench
let swap: Swap
beforeEach(async () => {
  bench = await openBench()
  swap = await swapOf(bench.venue, orders.usdc())
})
afterEach(() => bench.close())

const HASH = `0x${'ab'.repeat(32)}`
const OTHER = `0x${'cd'.repeat(32)}`
const ref = () => swap.execution.venueRef ?? ''
const settled = (...hashes: readonly string[]) => hashes.map((hash) => ({ hash }))
const saying = (answer: Answer) => told(bench, { instead: () => answer }).venue
const asked = () => bench.sent.filter(({ path }) => path.startsWith('/gasless/status/'))

describe('status: a raw 0x status', () => {
  test.each<[string, readonly string[], string, string | null]>([
    ['pending', [], 'pending', null],
    ['submitted', [], 'processing', null],
    ['submitted', [HASH], 'processing', HASH],
    // One of them will be mined.
    ['submitted', [HASH, OTHER], 'processing', null],
    ['succeeded', [HASH], 'processing', HASH],
    ['confirmed', [HASH], 'success', HASH],
    ['confirmed', ['soon'], 'success', null],
    ['failed', [HASH], 'failed', null],
    ['disputed', [HASH], 'unknown', null],
  ])('%s with %o is %s', async (status, hashes, state, txHash) => {
    const venue = saying({ body: { status, transactions: settled(...hashes), reason: 'order_expired' } })
    expect(await track(venue, ref(), swap)).toMatchObject({ state, venueStatus: status, txHash, deliveredAmount: null })
  })

  test('is requested with its chain, by the signed hash only', async () => {
    await bench.venue.submitter?.submit(swap, await signed(swap.execution), never())
    expect((await track(bench.venue, ref(), swap)).state).toBe('pending')
    expect(asked().at(-1)).toMatchObject({ path: `/gasless/status/${ref()}` })
    expect(asked().at(-1)?.query.get('chainId')).toBe('1')
    const before = bench.sent.length
    expect((await track(bench.venue, OTHER, swap)).state).toBe('not_found')
    expect(bench.sent).toHaveLength(before)
  })

  test('of a trade unknown to 0x is not_found, and any other error is an error', async () => {
    expect((await track(bench.venue, ref(), swap)).state).toBe('not_found')
    expect((await refusalOf(track(saying(refusing('INPUT_INVALID')), ref(), swap))).kind).toBe('badRequest')
    expect((await refusalOf(track(saying({ status: 404, body: {} }), ref(), swap))).kind).toBe('badResponse')
  })

  test('is not requested without a record, as 0x does not describe the trade, nor for a transaction', async () => {
    const before = bench.sent.length
    expect((await track(bench.venue, ref(), swap, 'without')).state).toBe('unknown')
    expect((await track(bench.venue, HASH, await swapOf(bench.venue, orders.ether()))).state).toBe('unknown')
    expect(asked()).toEqual([])
    expect(before).toBeGreaterThan(0)
  })
})

describe('submit: a signed 0x trade', () => {
  const submit = async (venue = bench.venue, change = {}) =>
    venue.submitter?.submit(swap, { ...(await signed(swap.execution)), ...change }, never())
  const posted = () => bench.sent.findLast(({ method }) => method === 'POST')?.body as Record<string, Record<string, unknown>>

  test('is posted as signed, with its permit and split signatures', async () => {
    expect(await submit()).toEqual({ statusRef: ref() })
    const { trade, approval, ...rest } = posted()
    expect(rest).toEqual({ chainId: 1 })
    expect(trade?.['eip712']).toEqual(typedDataOf(swap.execution))
    for (const part of [trade, approval])
      expect(part?.['signature']).toEqual({
        signatureType: 2,
        r: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        s: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        v: expect.toSatisfy((v: number) => v === 27 || v === 28),
      })
    // As 0x wrote it: a number.
    expect(approval).toMatchObject({ eip712: { message: { nonce: 0 } } })
  })

  test('posted twice is one trade', async () => {
    expect([await submit(), await submit()]).toEqual([{ statusRef: ref() }, { statusRef: ref() }])
  })

  test('of a contract wallet has its signature in raw bytes', async () => {
    const venue = told(bench, { instead: ({ method }) => (method === 'POST' ? { body: { tradeHash: ref() } } : null) })
    await submit(venue.venue, { scheme: 'eip1271', signature: `0x${'12'.repeat(100)}` })
    expect(venue.asked.at(-1)?.body).toMatchObject({
      trade: { signature: { signatureType: 5, signatureBytes: `0x${'12'.repeat(100)}` } },
    })
  })

  test('without its permit is not posted', async () => {
    const before = bench.sent.length
    expect(await refusalOf(submit(bench.venue, { approvalSignature: null }))).toMatchObject({ party: 'signature' })
    expect(bench.sent).toHaveLength(before)
  })

  test('refused after it was accepted has the same success, and otherwise is refused', async () => {
    const short = refusing('INSUFFICIENT_BALANCE_OR_ALLOWANCE')
    const filled = { body: { status: 'confirmed', transactions: settled(HASH) } }
    const refusedThen = (status: Answer) => told(bench, { instead: ({ method }) => (method === 'POST' ? short : status) }).venue
    expect(await submit(refusedThen(filled))).toEqual({ statusRef: ref() })
    const unknown = refusing('META_TRANSACTION_STATUS_NOT_FOUND', { status: 404 })
    expect(await refusalOf(submit(refusedThen(unknown)))).toMatchObject({ kind: 'badRequest', party: 'sender' })
  })

  test('under another hash is another trade', async () => {
    expect(await refusalOf(submit(saying({ body: { tradeHash: OTHER } })))).toMatchObject({ check: 'tradeHash', found: OTHER })
  })

  test('is unfilled while its Permit2 nonce is unused', async () => {
    const { unfilled } = bench.venue
    const nonce = BigInt(String(typedDataOf(swap.execution).message['nonce']))
    const bit = 1n << (nonce & 255n)
    const answers: readonly (readonly [string | null, boolean])[] = [
      [`0x${'0'.repeat(64)}`, true],
      [`0x${(2n ** 256n - 1n - bit).toString(16)}`, true],
      [`0x${bit.toString(16).padStart(64, '0')}`, false],
      ['0x', false],
      [null, false],
    ]
    for (const [answer, isUnfilled] of answers) {
      bench.chains.script.call = async () => answer as never
      expect(await unfilled?.isUnfilled(swap, never()), String(answer)).toBe(isUnfilled)
    }
  })
})
