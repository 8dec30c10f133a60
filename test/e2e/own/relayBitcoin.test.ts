import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { broadcastBitcoin, payBitcoin } from '../../../scripts/client/bitcoin.ts'
import { follow, lastOf, statusOf } from '../../../scripts/client/swap.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { HOUR_MS, MINUTE_MS, staysIn } from '../support.ts'
import { AMOUNT, expectRefund, REFUND_FEE, relayBitcoin } from './relayBitcoinSwap.ts'

/**
 * Deposits in bitcoin by Relay that come late, are taken back, or are of another amount: those it quotes again, and fills under
 * requests that only its books tell of, which take a key.
 */

const ELSEWHERE = '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo'
const STEP_MS = 2 * MINUTE_MS

let service: TestService
let swaps: ReturnType<typeof relayBitcoin>
beforeAll(async () => {
  service = await startService({ ...only('relay'), VENUE_RELAY_API_KEY: 'a-key-of-the-tests' })
  swaps = relayBitcoin(service)
})
afterAll(() => service.close())

describe('a late deposit', () => {
  it('is swapped after the quote has gone, while its price still holds', async () => {
    const { offer, pay, ...swap } = await swaps.open()
    await service.control.advance(HOUR_MS)
    expect((await statusOf(service, swap)).status).toBe('pending')
    await pay()
    expect(lastOf(await follow(service, swap, { stepMs: STEP_MS }))).toMatchObject({
      status: 'success',
      deliveredAmount: offer.output.amount,
    })
  })

  it('of a swap that nobody paid for a day is refunded when the price has gone', async () => {
    const { pay, changes, ...swap } = await swaps.open()
    await service.control.advance(25 * HOUR_MS)
    expect(await statusOf(service, swap)).toEqual({ status: 'pending', venue: 'relay', venueStatus: 'waiting' })
    await service.control.setPrice('BTC', '90000')
    await pay()
    await service.control.setPrice('BTC', '98400')
    const seen = await follow(service, swap, { stepMs: STEP_MS })
    expectRefund(seen)
    expect(await changes()).toMatchObject({ refunded: AMOUNT - REFUND_FEE, delivered: 0n })
  })
})

describe('a deposit that a reorganisation took back', () => {
  it('and whose coin was spent elsewhere stays none: the swap waits for one, and is never a success', async () => {
    const { coin, pay, changes, ...swap } = await swaps.open()
    await pay()
    await service.control.advance(MINUTE_MS)
    await service.control.reorg({ chainId: -1, drop: 'unconfirmed' })
    await payBitcoin(service, coin, { to: ELSEWHERE, amount: AMOUNT })
    await service.control.advance(25 * HOUR_MS)
    await staysIn(service, swap, 'pending')
    expect(await changes()).toMatchObject({ deposited: 0n, refunded: 0n, delivered: 0n })
  })

  it('and was paid by another transaction instead is swapped, and the first one as well when it comes after all', async () => {
    const { offer, pay, changes, ...swap } = await swaps.open()
    const { hex } = await pay()
    await service.control.advance(MINUTE_MS)
    await service.control.reorg({ chainId: -1, drop: 'unconfirmed' })
    await service.control.advance(2 * MINUTE_MS)
    const other = await swaps.newCoin()
    await payBitcoin(service, other, { to: swap.ref, amount: AMOUNT })
    expect(lastOf(await follow(service, swap, { stepMs: STEP_MS })).status).toBe('success')
    await broadcastBitcoin(service, hex)
    await service.control.advance(3 * HOUR_MS)
    // An address takes what comes, at the price of the day.
    expect(await changes()).toMatchObject({ deposited: 2n * AMOUNT, refunded: 0n, delivered: 2n * BigInt(offer.output.amount) })
  })

  it('confirmed, before it was filled, is none, whatever the venue says; should it come back it is refunded', async () => {
    const { pay, changes, ...swap } = await swaps.open()
    const { txid, hex } = await pay()
    await service.control.mine(1)
    // The venue notices the block within a minute, and waits a little longer.
    for (let look = 0; (await statusOf(service, swap)).venueStatus !== 'submitted'; look += 1) {
      expect(look).toBeLessThan(30)
      await service.control.advance(4_000)
    }
    expect(await service.control.reorg({ chainId: -1, drop: txid })).toEqual([txid])
    await service.control.advance(10 * MINUTE_MS)
    expect(await statusOf(service, swap)).toEqual({ status: 'pending', venue: 'relay', venueStatus: 'failure' })
    expect(await changes()).toMatchObject({ refunded: 0n, delivered: 0n })
    await broadcastBitcoin(service, hex)
    await service.control.advance(3 * HOUR_MS)
    expect(await changes()).toMatchObject({ refunded: AMOUNT - REFUND_FEE, delivered: 0n })
    expect((await statusOf(service, swap)).status).toBe('refunded')
  })
})

describe('a deposit of another amount', () => {
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

  it.each([
    ['three coins of anybody’s, too little to be sent back', 3, 400n],
    ['eight coins of anybody’s, sent back together', 8, 600n],
    ['eight coins of anybody’s, each enough to be sent back', 8, 2_600n],
  ])('behind %s, is the one that is followed', async (_what, count, dust) => {
    const { pay, changes, ...swap } = await swaps.open()
    for (let i = 0; i < count; i += 1) await payBitcoin(service, await swaps.newCoin(), { to: swap.ref, amount: dust })
    await service.control.advance(HOUR_MS)
    const before = await statusOf(service, swap)
    expect(['pending', 'expired', 'refunded']).toContain(before.status)
    await pay(AMOUNT - 1n)
    await service.control.advance(HOUR_MS)
    const seen = await follow(service, swap, { stepMs: STEP_MS, mayGoBack: true })
    const { delivered } = await changes()
    expect(lastOf(seen)).toMatchObject({ status: 'success', deliveredAmount: delivered.toString() })
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
    const keyless = await startService(only('relay'))
    try {
      const { pay, changes, ...swap } = await relayBitcoin(keyless).open()
      await pay(AMOUNT - 1n)
      await keyless.control.advance(3 * HOUR_MS)
      expect(await statusOf(keyless, swap)).toMatchObject({ status: 'processing', venue: 'relay', venueStatus: 'pending' })
      expect((await changes()).delivered).toBeGreaterThan(0n)
    } finally {
      await keyless.close()
    }
  })
})
