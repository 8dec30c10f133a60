import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bitcoinOf, watch } from '../../../scripts/client/balances.ts'
import { fundedCoin, payBitcoin } from '../../../scripts/client/bitcoin.ts'
import { bitcoinWallet } from '../../../scripts/client/bitcoinWallet.ts'
import { executeAs, follow, lastOf, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { ACCOUNT, allBut } from '../../support/swaps.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'

/**
 * Deposits in bitcoin of another amount, which Relay quotes again and fills under requests that only its books tell of, which
 * take a key.
 */

const REFUND_BITCOIN = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'
/** Satoshi: what is swapped, and what a wallet has. */
const [AMOUNT, COIN] = [5_000_000n, 10_000_000n]
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

let service: TestService
let swaps: ReturnType<typeof relayBitcoin>
beforeAll(async () => {
  service = await startService({ ...only('relay'), VENUE_RELAY_API_KEY: 'a-key-of-the-tests' })
  swaps = relayBitcoin(service)
})
afterAll(() => service.close())

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
