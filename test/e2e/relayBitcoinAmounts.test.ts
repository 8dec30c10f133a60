import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payBitcoin } from '../../scripts/client/bitcoin.ts'
import { follow, lastOf, statusOf } from '../../scripts/client/swap.ts'
import { startService, type TestService } from '../support/service.ts'
import { AMOUNT, expectRefund, REFUND_FEE, relayBitcoin } from './relayBitcoinSwap.ts'
import { HOUR_MS, MINUTE_MS } from './support.ts'

/**
 * Deposits in bitcoin of another amount than was asked for: Relay quotes them again, and fills them under requests that
 * only its books tell of, which take a key.
 */

const STEP_MS = 2 * MINUTE_MS

let service: TestService
let swaps: ReturnType<typeof relayBitcoin>
beforeAll(async () => {
  service = await startService({ VENUE_RELAY_API_KEY: 'a-key-of-the-tests' })
  swaps = relayBitcoin(service)
})
afterAll(() => service.close())

describe('a deposit', () => {
  it.each([
    ['short by a satoshi', AMOUNT - 1n],
    ['over by two fifths', AMOUNT + 2_000_000n],
  ])('%s is swapped for what it is worth, which is told to the unit', async (_what, paid) => {
    const { offer, pay, changes, ...swap } = await swaps.open()
    const { fee } = await pay(paid)
    const end = lastOf(await follow(service, swap, { stepMs: STEP_MS }))
    const delivered = BigInt(end.deliveredAmount ?? 0)
    expect(end).toMatchObject({ status: 'success', venueStatus: 'success' })
    expect(delivered > BigInt(offer.output.amount)).toBe(paid > AMOUNT)
    expect(delivered).toBeGreaterThanOrEqual(BigInt(offer.slippage?.guaranteedMin ?? 0))
    expect(await changes()).toEqual({ paid: -paid - fee, deposited: paid, refunded: 0n, delivered })
  })

  it('in two parts is two swaps, neither of which is the one that was promised', async () => {
    const { offer, pay, changes, ...swap } = await swaps.open()
    const second = await swaps.newCoin()
    await pay(3_000_000n)
    await payBitcoin(service, second, { to: swap.ref, amount: 2_000_000n })
    await service.control.advance(3 * HOUR_MS)
    // The first delivered less than was guaranteed: no success of ours.
    expect(await statusOf(service, swap)).toMatchObject({ status: 'processing', venueStatus: 'success' })
    const { deposited, refunded, delivered } = await changes()
    expect({ deposited, refunded }).toEqual({ deposited: AMOUNT, refunded: 0n })
    expect(delivered).toBeLessThan(BigInt(offer.output.amount))
    expect(delivered).toBeGreaterThan((BigInt(offer.output.amount) * 99n) / 100n)
  })

  it('that comes a second time is a second swap, and the first stays as it was told', async () => {
    const { offer, pay, changes, ...swap } = await swaps.open()
    const second = await swaps.newCoin()
    await pay()
    expect(lastOf(await follow(service, swap, { stepMs: STEP_MS })).status).toBe('success')
    await payBitcoin(service, second, { to: swap.ref, amount: AMOUNT })
    await service.control.advance(HOUR_MS)
    const delivered = BigInt(offer.output.amount)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'success', deliveredAmount: delivered.toString() })
    expect(await changes()).toMatchObject({ deposited: 2n * AMOUNT, refunded: 0n, delivered: 2n * delivered })
  })

  it('that is too little for anything is refunded', async () => {
    const { pay, changes, ...swap } = await swaps.open()
    const dust = 2_600n
    await pay(dust)
    expectRefund(await follow(service, swap, { stepMs: STEP_MS }))
    expect(await changes()).toMatchObject({ deposited: dust, refunded: dust - REFUND_FEE, delivered: 0n })
  })
})

describe('without a key', () => {
  it('a deposit that was quoted again stays processing: it was delivered, and nobody says by what', async () => {
    const keyless = await startService()
    try {
      const { pay, changes, ...swap } = await relayBitcoin(keyless).open()
      await pay(AMOUNT - 1n)
      await keyless.control.advance(3 * HOUR_MS)
      expect(await statusOf(keyless, swap)).toEqual({ status: 'processing', venue: 'relay', venueStatus: 'pending' })
      expect((await changes()).delivered).toBeGreaterThan(0n)
    } finally {
      await keyless.close()
    }
  })
})
