import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { broadcastBitcoin, payBitcoin } from '../../scripts/client/bitcoin.ts'
import { follow, lastOf, statesOf, statusOf } from '../../scripts/client/swap.ts'
import { startService, type TestService } from '../support/service.ts'
import { AMOUNT, expectRefund, REFUND_FEE, relayBitcoin } from './relayBitcoinSwap.ts'
import { HOUR_MS, MINUTE_MS, staysIn } from './support.ts'

/** Deposits in bitcoin that come late by Relay, or are taken back by a reorganisation. */

const ELSEWHERE = '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo'
const STEP_MS = 2 * MINUTE_MS

let service: TestService
let swaps: ReturnType<typeof relayBitcoin>
beforeAll(async () => {
  service = await startService()
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

  it('is swapped for less within the guaranteed minimum, when the price fell a little', async () => {
    const { offer, pay, changes, ...swap } = await swaps.open()
    await service.control.setPrice('BTC', '98000')
    await pay()
    await service.control.setPrice('BTC', '98400')
    const { deliveredAmount = '0' } = lastOf(await follow(service, swap, { stepMs: STEP_MS }))
    expect(BigInt(deliveredAmount)).toBeLessThan(BigInt(offer.output.amount))
    expect(BigInt(deliveredAmount)).toBeGreaterThanOrEqual(BigInt(offer.slippage?.guaranteedMin ?? 'none'))
    expect(await changes()).toMatchObject({ delivered: BigInt(deliveredAmount) })
  })

  it('of a swap that has expired is refunded when the price has gone', async () => {
    const { pay, changes, ...swap } = await swaps.open()
    await service.control.advance(25 * HOUR_MS)
    expect(await statusOf(service, swap)).toEqual({ status: 'expired', venue: 'relay', venueStatus: 'waiting' })
    await service.control.setPrice('BTC', '90000')
    await pay()
    await service.control.setPrice('BTC', '98400')
    const seen = await follow(service, swap, { stepMs: STEP_MS })
    expectRefund(seen)
    expect(await changes()).toMatchObject({ refunded: AMOUNT - REFUND_FEE, delivered: 0n })
  })
})

describe('a deposit that a reorganisation took back', () => {
  it('unconfirmed is none: the swap waits again, nothing is delivered, and the same transaction sent anew is swapped', async () => {
    const { offer, pay, changes, ...swap } = await swaps.open()
    const { txid, hex, fee } = await pay()
    await service.control.advance(MINUTE_MS)
    expect((await statusOf(service, swap)).status).toBe('processing')
    expect(await service.control.reorg({ chainId: -1, drop: 'unconfirmed' })).toContain(txid)
    for (const advanceMs of [1, MINUTE_MS, HOUR_MS]) {
      await service.control.advance(advanceMs)
      const { status, ...told } = await statusOf(service, swap)
      expect(advanceMs === 1 ? ['processing', 'pending'] : ['pending']).toContain(status)
      expect(told).not.toHaveProperty('txHash')
    }
    expect(await changes()).toEqual({ paid: 0n, deposited: 0n, refunded: 0n, delivered: 0n })

    expect(await broadcastBitcoin(service, hex)).toBe(txid)
    const seen = await follow(service, swap, { stepMs: STEP_MS })
    expect(statesOf(seen)).toEqual(['pending', 'processing', 'success'])
    const delivered = BigInt(offer.output.amount)
    expect(await changes()).toEqual({ paid: -AMOUNT - fee, deposited: AMOUNT, refunded: 0n, delivered })
  })

  it('and whose coin was spent elsewhere stays none: the swap expires, never a success', async () => {
    const { coin, pay, changes, ...swap } = await swaps.open()
    await pay()
    await service.control.advance(MINUTE_MS)
    await service.control.reorg({ chainId: -1, drop: 'unconfirmed' })
    await payBitcoin(service, coin, { to: ELSEWHERE, amount: AMOUNT })
    await service.control.advance(25 * HOUR_MS)
    await staysIn(service, swap, 'expired')
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

  it('confirmed, before it was filled, ends the swap without a delivery; should it come back it is refunded', async () => {
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
    expect(await statusOf(service, swap)).toEqual({ status: 'failed', venue: 'relay', venueStatus: 'failure' })
    expect(await changes()).toMatchObject({ refunded: 0n, delivered: 0n })
    await broadcastBitcoin(service, hex)
    await service.control.advance(3 * HOUR_MS)
    expect(await changes()).toMatchObject({ refunded: AMOUNT - REFUND_FEE, delivered: 0n })
    expect((await statusOf(service, swap)).status).toBe('failed')
  })
})
