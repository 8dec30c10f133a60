import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bitcoinOf, watch } from '../../../scripts/client/balances.ts'
import { broadcastBitcoin, fundedCoin, payBitcoin } from '../../../scripts/client/bitcoin.ts'
import { bitcoinWallet } from '../../../scripts/client/bitcoinWallet.ts'
import { executeAs, follow, lastOf, statesOf, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import type { SwapStatus } from '../../../scripts/client/wire.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { ACCOUNT, allBut } from '../../support/swaps.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'

/**
 * Deposits in bitcoin by Relay that come late, are taken back, or are of another amount: those it quotes again, and fills under
 * requests that only its books tell of, which take a key.
 */

const REFUND_BITCOIN = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'
/** Satoshi: what Relay takes here for sending bitcoin back, what is swapped, and what a wallet has. */
const [REFUND_FEE, AMOUNT, COIN] = [1_900n, 5_000_000n, 10_000_000n]
const STEP_MS = 2 * MINUTE_MS

/** Opens swaps from native Bitcoin, each for a wallet nobody had before. */
const relayBitcoin = (service: TestService) => {
  let wallets = 0
  const newCoin = () => {
    wallets += 1
    return fundedCoin(service, bitcoinWallet('p2wpkh', `relay ${wallets}`), COIN)
  }
  const open = async () => {
    const coin = await newCoin()
    const { address } = coin.wallet
    const offer = await service.call('quote', {
      body: {
        ...{
          inputChainId: -1,
          inputToken: NATIVE,
          inputAmount: `${AMOUNT}`,
          userAddress: address,
          refundAddress: REFUND_BITCOIN,
        },
        ...{ outputChainId: 8453, outputToken: USDC.base, destinationAddress: ACCOUNT.address, excludeVenues: allBut('relay') },
      },
    })
    const { quoteToken } = offer
    const { deposit, statusRef: ref } = await executeAs(service, 'DEPOSIT', { quoteToken })
    expect(deposit).toEqual({ chainId: -1, address: ref, amount: `${AMOUNT}`, token: offer.input.token })
    const changes = await watch(service, {
      paid: bitcoinOf(address),
      deposited: bitcoinOf(ref),
      refunded: bitcoinOf(REFUND_BITCOIN),
      delivered: { chainId: 8453, token: USDC.base, owner: ACCOUNT.address },
    })
    return { offer, quoteToken, ref, changes, pay: (amount = AMOUNT) => payBitcoin(service, coin, { to: ref, amount }) }
  }
  return { newCoin, open }
}

/** Until the refund is in a block it is owed. */
const expectRefund = (seen: readonly SwapStatus[]): void =>
  expect(statesOf(seen).filter((state) => state !== 'expired')).toEqual(['processing', 'refunded'])

let service: TestService
let swaps: ReturnType<typeof relayBitcoin>
beforeAll(async () => {
  service = await startService({ ...only('relay'), VENUE_RELAY_API_KEY: 'a-key-of-the-tests' })
  swaps = relayBitcoin(service)
})
afterAll(() => service.close())

it('a late deposit is swapped after the quote has gone, while its price still holds', async () => {
  const { offer, pay, ...swap } = await swaps.open()
  await service.control.advance(HOUR_MS)
  expect((await statusOf(service, swap)).status).toBe('pending')
  await pay()
  expect(lastOf(await follow(service, swap, { stepMs: STEP_MS }))).toMatchObject({
    status: 'success',
    deliveredAmount: offer.output.amount,
  })
})

describe('a deposit that a reorganisation took back', () => {
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

it('without a key a deposit that was quoted again stays processing: it was delivered, and nobody says by what', async () => {
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
