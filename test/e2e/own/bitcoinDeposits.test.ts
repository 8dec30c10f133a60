import { afterAll, describe, expect, it } from 'vitest'
import { bitcoinOf, watch } from '../../../scripts/client/balances.ts'
import { fundedCoin, payBitcoin } from '../../../scripts/client/bitcoin.ts'
import { bitcoinWallet } from '../../../scripts/client/bitcoinWallet.ts'
import { executeAs, follow, lastOf, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { ACCOUNT } from '../../support/swaps.ts'
import { HOUR_MS, MINUTE_MS, staysIn } from '../support.ts'

const STEP_MS = 2 * MINUTE_MS

let names = 0
const newWallet = () => {
  names += 1
  return bitcoinWallet('p2wpkh', `deposit ${names}`)
}
const newCoin = (service: TestService) => fundedCoin(service, newWallet(), 20_000_000n)

/** 0.05 BTC to USDC on Base, executed and not yet paid. Refunds go to the payer, or elsewhere. */
const open = async (service: TestService, refundsTo: 'payer' | 'another') => {
  const coin = await newCoin(service)
  const { address } = coin.wallet
  const refundAddress = refundsTo === 'payer' ? address : newWallet().address
  const body = {
    ...({ inputChainId: -1, outputChainId: 8453, inputToken: NATIVE, outputToken: USDC.base, inputAmount: '5000000' } as const),
    ...{ userAddress: address, refundAddress, destinationAddress: ACCOUNT.address },
  }
  const { quoteToken, output, slippage } = await service.call('quote', { body })
  const { statusRef: ref, deposit } = await executeAs(service, 'DEPOSIT', { quoteToken })
  const changes = await watch(service, {
    paid: bitcoinOf(address),
    refunded: bitcoinOf(refundAddress),
    delivered: { chainId: 8453, token: USDC.base, owner: ACCOUNT.address },
  })
  const pay = (amount: bigint) => payBitcoin(service, coin, { to: deposit.address, amount })
  return { swap: { quoteToken, ref }, output, slippage, amount: BigInt(deposit.amount), changes, pay }
}

describe('Relay, which quotes a deposit of another amount again', () => {
  const service = startService({ ...only('relay'), VENUE_RELAY_API_KEY: 'a-key-of-the-tests' })
  afterAll(async () => (await service).close())

  it.each([
    ['one satoshi less', -1n],
    ['two fifths more', 2_000_000n],
  ])('%s is swapped for its worth, and reported to the unit', async (_what, difference) => {
    const { swap, output, slippage, amount, changes, pay } = await open(await service, 'another')
    const { fee } = await pay(amount + difference)
    const end = lastOf(await follow(await service, swap, { stepMs: STEP_MS }))
    const delivered = BigInt(end.deliveredAmount ?? 0)
    expect(end).toMatchObject({ status: 'success', venueStatus: 'success' })
    expect(delivered > BigInt(output.amount)).toBe(difference > 0n)
    expect(delivered).toBeGreaterThanOrEqual(BigInt(slippage?.guaranteedMin ?? 0))
    expect(await changes()).toEqual({ paid: -amount - difference - fee, refunded: 0n, delivered })
  })

  it('is followed behind eight payments of others, each of which returns', async () => {
    const { swap, amount, changes, pay } = await open(await service, 'another')
    for (let i = 0; i < 8; i += 1) await payBitcoin(await service, await newCoin(await service), { to: swap.ref, amount: 2_600n })
    await (await service).control.advance(HOUR_MS)
    expect(['pending', 'expired', 'refunded']).toContain((await statusOf(await service, swap)).status)
    await pay(amount - 1n)
    await (await service).control.advance(HOUR_MS)
    const end = lastOf(await follow(await service, swap, { stepMs: STEP_MS, mayGoBack: true }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: (await changes()).delivered.toString() })
  })
})

describe('THORChain, which forgets a memo after hours', () => {
  /** Satoshi that the network keeps of a refund. */
  const COST = 2_400n
  const service = startService(only('thorchain'))
  afterAll(async () => (await service).close())

  it('returns a payment with other digits to its wallet, and the swap fails as unpaid', async () => {
    const { swap, amount, changes, pay } = await open(await service, 'another')
    const { fee } = await pay(amount - 1n)
    await (await service).control.advance(HOUR_MS)
    expect((await statusOf(await service, swap)).status).toBe('pending')
    await (await service).control.advance(7 * HOUR_MS)
    expect((await staysIn(await service, swap, 'failed')).payments).toBeUndefined()
    expect(await changes()).toEqual({ paid: -fee - COST, refunded: 0n, delivered: 0n })
  })

  it('returns a late payment to its wallet, which is the refund when the quote names that wallet', async () => {
    const { swap, amount, changes, pay } = await open(await service, 'payer')
    await (await service).control.advance(7 * HOUR_MS)
    const { fee } = await pay(amount)
    // A payment in the mempool does not count.
    expect((await statusOf(await service, swap)).status).toBe('failed')
    await (await service).control.mine(1)
    expect(await statusOf(await service, swap)).toMatchObject({ status: 'expired', payments: [{ kind: 'input' }] })
    const end = lastOf(await follow(await service, swap, { stepMs: STEP_MS }))
    expect([end.status, end.payments?.map((payment) => payment.amount)]).toEqual(['refunded', [`${amount}`, `${amount - COST}`]])
    await staysIn(await service, swap, 'refunded')
    expect(await changes()).toEqual({ paid: -fee - COST, refunded: -fee - COST, delivered: 0n })
  })
})
