import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { NATIVE } from '../../scripts/client/tokens.ts'
import { expectFailure } from '../support/expectFailure.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { BITCOIN_WALLET, DEPOSIT_SWAP, TRANSACTION_SWAP } from '../support/swaps.ts'

const PATH = '/api/v1/status'

let service: TestService
beforeAll(async () => {
  service = await startService({ ...only('across', 'cow', 'near-intents', 'relay'), METRICS_PORT: '0' })
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const openDeposit = async () => {
  const quote = await service.call('quote', { body: DEPOSIT_SWAP })
  const execution = await service.call('execute', { body: { quoteToken: quote.quoteToken, refundAddress: BITCOIN_WALLET } })
  if (execution.executionType !== 'DEPOSIT') throw new Error(execution.executionType)
  const { address, amount } = execution.deposit
  return {
    quote,
    quoteToken: quote.quoteToken,
    ref: execution.statusRef,
    pay: () => service.control.deposit({ chainId: -1, token: NATIVE, address, amount }),
  }
}

const statusOf = ({ quoteToken, ref }: { quoteToken: string; ref: string }) =>
  service.call('status', { query: { quoteToken, ref } })

describe('status', () => {
  it('of a paid deposit goes from pending over processing to success, with amount and transaction of the delivery', async () => {
    const swap = await openDeposit()
    expect(await statusOf(swap)).toEqual({ status: 'pending', venue: 'near-intents', venueStatus: 'PENDING_DEPOSIT' })
    await swap.pay()
    expect(await statusOf(swap)).toMatchObject({ status: 'processing' })
    await service.control.advance(3_600_000)
    const done = await statusOf(swap)
    expect(done).toMatchObject({ status: 'success', venueStatus: 'SUCCESS', txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
    expect(BigInt(done.deliveredAmount ?? 0)).toBeGreaterThanOrEqual(BigInt(swap.quote.slippage?.guaranteedMin ?? 0))
  })

  it('of a transaction that no chain shows is pending, and the age of unseen payments counts from its first call', async () => {
    const { quoteToken } = await service.call('quote', { body: TRANSACTION_SWAP })
    await service.call('execute', { body: { quoteToken } })
    await service.control.advance(10_000)
    const ref = `0x${'ab'.repeat(32)}`
    expect(await statusOf({ quoteToken, ref })).toMatchObject({ status: 'pending' })
    await service.control.advance(7 * 3_600_000)
    await statusOf({ quoteToken, ref })
    const page = await (await fetch(`${service.monitorUrl}/metrics`)).text()
    const age = Number(/^swap_unseen_payment_oldest_age_seconds (\S+)$/m.exec(page)?.[1])
    expect([age >= 25_200, age < 25_260]).toEqual([true, true])
  })

  it.each(['a\u0000b', '\ud800'])('of a ref that no database can hold is not_found: %j', async (ref) => {
    const { quoteToken } = await openDeposit()
    expect(await statusOf({ quoteToken, ref })).toMatchObject({ status: 'not_found' })
  })

  it.each([
    ['the signs of a URL', '?&=#%+/;"\\<>'],
    ['other alphabets and control characters', '日本語 🪙 \u0000\u0007\ud7ff'],
    ['4,000 characters of three bytes each in a URL', '/'.repeat(4_000)],
  ])('in the sandbox is success at once for any ref: %s [status-ref-length]', async (_what, ref) => {
    const { quoteToken, output } = await service.call('quote', { body: { ...TRANSACTION_SWAP, sandbox: true } })
    const status = await statusOf({ quoteToken, ref })
    expect(status).toEqual({
      status: 'success',
      venue: 'across',
      deliveredAmount: output.amount,
      txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
  })

  it.each([
    ['an empty ref', '', 'must not be empty'],
    ['a ref of 513 characters', 'x'.repeat(513), 'must have at most 512 characters'],
  ])('of %s outside the sandbox receives 400 [status-ref-length]', async (_what, ref, reason) => {
    const { quoteToken } = await service.call('quote', { body: TRANSACTION_SWAP })
    const details = expectFailure(await service.send('GET', PATH, { query: { quoteToken, ref } }), 400, 'INVALID_REQUEST')
    expect(details['fields']).toEqual([{ path: 'ref', reason }])
  })
})
