import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bitcoinOf, watch } from '../../../scripts/client/balances.ts'
import { fundedCoin, payBitcoin } from '../../../scripts/client/bitcoin.ts'
import { bitcoinWallet } from '../../../scripts/client/bitcoinWallet.ts'
import { executeAs, follow, lastOf, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { ACCOUNT } from '../../support/swaps.ts'
import { HOUR_MS, MINUTE_MS, staysIn } from '../support.ts'

/** Deposits to THORChain of another amount or at another time than its memo is kept for. */

/** Satoshi that the network keeps of what it sends back. */
const COST = 2_400n

let service: TestService
beforeAll(async () => {
  service = await startService(only('thorchain'))
})
afterAll(() => service.close())

let names = 0
const newName = () => {
  names += 1
  return `thorchain ${names}`
}

/** 0.05 BTC to USDC on Base, its memo kept by the network. Refunds go to the wallet that pays, or elsewhere. */
const open = async (refundsTo: 'payer' | 'another') => {
  const coin = await fundedCoin(service, bitcoinWallet('p2wpkh', newName()), 20_000_000n)
  const { address } = coin.wallet
  const refundAddress = refundsTo === 'payer' ? address : bitcoinWallet('p2wpkh', newName()).address
  const { quoteToken, depositAmount } = await service.call('quote', {
    body: {
      ...{ inputChainId: -1, outputChainId: 8453, inputToken: NATIVE, outputToken: USDC.base, inputAmount: '5000000' },
      ...{ userAddress: address, refundAddress, destinationAddress: ACCOUNT.address },
    },
  })
  expect(depositAmount).toEqual({ min: '4900001', max: '5000000' })
  const { statusRef: ref, deposit } = await executeAs(service, 'DEPOSIT', { quoteToken })
  expect(Number(deposit.amount)).toSatisfy((amount: number) => amount >= 4_900_001 && amount <= 5_000_000)
  const changes = await watch(service, {
    paid: bitcoinOf(coin.wallet.address),
    refunded: bitcoinOf(refundAddress),
    delivered: { chainId: 8453, token: USDC.base, owner: ACCOUNT.address },
  })
  return {
    swap: { quoteToken, ref },
    amount: BigInt(deposit.amount),
    changes,
    pay: (amount: bigint) => payBitcoin(service, coin, { to: deposit.address, amount }),
  }
}

const STEP_MS = 2 * MINUTE_MS

describe('a deposit of bitcoin', () => {
  it('by other digits is for nothing that is kept: it goes back to its wallet, and the swap was never paid', async () => {
    const { swap, amount, changes, pay } = await open('another')
    const { fee } = await pay(amount - 1n)
    await service.control.advance(HOUR_MS)
    expect((await statusOf(service, swap)).status).toBe('pending')
    await service.control.advance(7 * HOUR_MS)
    expect((await staysIn(service, swap, 'failed')).payments).toBeUndefined()
    expect(await changes()).toEqual({ paid: -fee - COST, refunded: 0n, delivered: 0n })
  })

  it('that comes when its memo is forgotten goes back to its wallet, which is told as the refund where that was to take it', async () => {
    const { swap, amount, changes, pay } = await open('payer')
    await service.control.advance(7 * HOUR_MS)
    expect((await statusOf(service, swap)).status).toBe('failed')
    const { fee } = await pay(amount)
    // In no block yet it is none.
    expect((await statusOf(service, swap)).status).toBe('failed')
    await service.control.mine(1)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'expired', payments: [{ kind: 'input' }] })
    const end = lastOf(await follow(service, swap, { stepMs: STEP_MS }))
    expect([end.status, end.payments?.map((payment) => payment.amount)]).toEqual(['refunded', [`${amount}`, `${amount - COST}`]])
    await staysIn(service, swap, 'refunded')
    expect(await changes()).toEqual({ paid: -fee - COST, refunded: -fee - COST, delivered: 0n })
  })
})
