import { expect, test } from 'vitest'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, signed, swapOf, track, typedDataOf } from '../../support/venueKit/calls.ts'
import { openBench, orders, told } from './support.ts'

const open = closedAfterEach(openBench)
const stage = async () => {
  const bench = await open()
  const swap = await swapOf(bench.venue, orders.usdc())
  return { bench, swap, statusRef: swap.execution.venueRef ?? '' }
}

test('submit: posts a trade as signed, with its permit and split signatures, and once more with the same success', async () => {
  const { bench, swap, statusRef } = await stage()
  const submit = async () => bench.venue.submitter?.submit(swap, await signed(swap.execution), never())
  expect([await submit(), await submit()]).toEqual([{ statusRef }, { statusRef }])
  expect((await track(bench.venue, statusRef, swap)).state).toBe('pending')
  const word = expect.stringMatching(/^0x[0-9a-f]{64}$/)
  const signature = { signatureType: 2, r: word, s: word, v: expect.toSatisfy((v: number) => v === 27 || v === 28) }
  expect(bench.sent.findLast(({ method }) => method === 'POST')?.body).toEqual({
    chainId: 1,
    trade: { type: 'settler_metatransaction', eip712: typedDataOf(swap.execution), signature },
    // The nonce is a number, as 0x wrote it.
    approval: expect.objectContaining({
      eip712: expect.objectContaining({ message: expect.objectContaining({ nonce: 0 }) }),
      signature,
    }),
  })
})

test('submit: posts the signature of a contract wallet in raw bytes', async () => {
  const { bench, swap, statusRef } = await stage()
  const posted = told(bench, { instead: ({ method }) => (method === 'POST' ? { body: { tradeHash: statusRef } } : null) })
  const bytes = `0x${'12'.repeat(100)}` as const
  const change = { scheme: 'eip1271', signature: bytes } as const
  await posted.venue.submitter?.submit(swap, { ...(await signed(swap.execution)), ...change }, never())
  const signature = { signatureType: 5, signatureBytes: bytes }
  expect(posted.asked.at(-1)?.body).toMatchObject({ trade: { signature } })
})

test('submit: a trade is unfilled while its Permit2 nonce is unused', async () => {
  const { bench, swap } = await stage()
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
    expect(await bench.venue.unfilled?.isUnfilled(swap, never()), String(answer)).toBe(isUnfilled)
  }
})
