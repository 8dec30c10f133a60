import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectFailure } from '../support/expectFailure.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { TRANSACTION_SWAP } from '../support/swaps.ts'

let service: TestService
beforeAll(async () => {
  service = await startService(only('across'))
})
afterAll(() => service.close())

/** Asks for the status of a new swap by a ref. */
const statusOf = async (ref: string, change: object = {}) => {
  const { quoteToken, output } = await service.call('quote', { body: { ...TRANSACTION_SWAP, ...change } })
  return { output, answer: await service.send('GET', '/api/v1/status', { query: { quoteToken, ref } }) }
}

it.each(['a\u0000b', '\ud800'])('status: of a ref that no database can hold is not_found: %j', async (ref) => {
  expect((await statusOf(ref)).answer.body).toMatchObject({ data: { status: 'not_found' } })
})

it.each([
  ['the signs of a URL', '?&=#%+/;"\\<>'],
  ['other alphabets and control characters', '日本語 🪙 \u0000\u0007\ud7ff'],
  ['4,000 characters of three bytes each in a URL', '/'.repeat(4_000)],
])('status: in the sandbox is success at once for any ref: %s [status-ref-length]', async (_what, ref) => {
  const { output, answer } = await statusOf(ref, { sandbox: true })
  const txHash = expect.stringMatching(/^0x[0-9a-f]{64}$/)
  const { data } = answer.body as { data: object }
  expect(data).toEqual({ status: 'success', venue: 'across', deliveredAmount: output.amount, txHash })
})

it.each([
  ['an empty ref', '', 'must not be empty'],
  ['a ref of 513 characters', 'x'.repeat(513), 'must have at most 512 characters'],
])('status: of %s outside the sandbox receives 400 [status-ref-length]', async (_what, ref, reason) => {
  expect(expectFailure((await statusOf(ref)).answer, 400, 'INVALID_REQUEST')['fields']).toEqual([{ path: 'ref', reason }])
})
