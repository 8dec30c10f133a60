import { createWalletClient, defineChain, http, keccak256, parseEther, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bitcoinOf, watch } from '../../../scripts/client/balances.ts'
import { fundedCoin, payBitcoin } from '../../../scripts/client/bitcoin.ts'
import { bitcoinWallet, type Coin } from '../../../scripts/client/bitcoinWallet.ts'
import { broadcast, receiptOf } from '../../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf, statesOf, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { expectHalted, HOUR_MS, MINUTE_MS, staysIn } from '../support.ts'

/** Deposits to THORChain of another amount than was asked for, at another time, or twice, and what of them comes back. */

const COIN = 20_000_000n
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
const newAccount = () => privateKeyToAccount(keccak256(toHex(newName())))
const newCoin = (): Promise<Coin> => fundedCoin(service, bitcoinWallet('p2wpkh', newName()), COIN)

/** 0.05 BTC to USDC on Base, its memo kept by the network. Refunds go to the wallet that pays, or elsewhere. */
const quote = async (refundsTo: 'payer' | 'another') => {
  const coin = await newCoin()
  const { address } = coin.wallet
  const refundAddress = refundsTo === 'payer' ? address : bitcoinWallet('p2wpkh', newName()).address
  const recipient = newAccount().address
  const offer = await service.call('quote', {
    body: {
      ...{ inputChainId: -1, outputChainId: 8453, inputToken: NATIVE, outputToken: USDC.base, inputAmount: '5000000' },
      ...{ userAddress: address, refundAddress, destinationAddress: recipient },
    },
  })
  return { offer, coin, refundAddress, recipient }
}

const open = async (refundsTo: 'payer' | 'another') => {
  const { offer, coin, refundAddress, recipient } = await quote(refundsTo)
  const { quoteToken, slippage, output, depositAmount } = offer
  expect(depositAmount).toEqual({ min: '4900001', max: '5000000' })
  const { statusRef: ref, deposit } = await executeAs(service, 'DEPOSIT', { quoteToken })
  expect(Number(deposit.amount)).toSatisfy((amount: number) => amount >= 4_900_001 && amount <= 5_000_000)
  const changes = await watch(service, {
    paid: bitcoinOf(coin.wallet.address),
    refunded: bitcoinOf(refundAddress),
    delivered: { chainId: 8453, token: USDC.base, owner: recipient },
  })
  return {
    swap: { quoteToken, ref },
    coin,
    amount: BigInt(deposit.amount),
    output: BigInt(output.amount),
    minimum: BigInt(slippage?.guaranteedMin ?? 0),
    changes,
    pay: (amount: bigint, from = coin) => payBitcoin(service, from, { to: deposit.address, amount }),
  }
}

const STEP_MS = 2 * MINUTE_MS

describe('a deposit of bitcoin', () => {
  it('of more, by its digits the same, is swapped whole', async () => {
    const { swap, amount, output, changes, pay } = await open('another')
    const paid = amount + 2_000_000n
    const { fee } = await pay(paid)
    const seen = await follow(service, swap, { stepMs: STEP_MS })
    const delivered = BigInt(lastOf(seen).deliveredAmount ?? 0)
    expect([statesOf(seen).at(-1), delivered > (output * 139n) / 100n]).toEqual(['success', true])
    expect(await changes()).toEqual({ paid: -paid - fee, refunded: 0n, delivered })
  })

  it('of less, by its digits the same, misses the limit and goes back', async () => {
    const { swap, amount, changes, pay } = await open('another')
    const paid = amount - 2_000_000n
    const { fee } = await pay(paid)
    const seen = await follow(service, swap, { stepMs: STEP_MS })
    expect(statesOf(seen)).toEqual(['pending', 'expired', 'refunded'])
    expect(await changes()).toEqual({ paid: -paid - fee, refunded: paid - COST, delivered: 0n })
  })

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

  it('that comes when its memo is forgotten is owed still, where refunds were to go elsewhere, and no success', async () => {
    const { swap, amount, changes, pay } = await open('another')
    await service.control.advance(7 * HOUR_MS)
    const { fee } = await pay(amount)
    await service.control.mine(1)
    await staysIn(service, swap, 'expired')
    expect(await changes()).toEqual({ paid: -fee - COST, refunded: 0n, delivered: 0n })
  })

  it('that was taken out of the mempool and whose coin is spent elsewhere is none: the swap waits, and fails with its memo', async () => {
    const { swap, amount, coin, changes, pay } = await open('another')
    const { txid } = await pay(amount)
    expect(await service.control.reorg({ chainId: -1, drop: 'unconfirmed' })).toEqual([txid])
    const elsewhere = bitcoinWallet('p2wpkh', newName()).address
    const { fee } = await payBitcoin(service, coin, { to: elsewhere, amount })
    await service.control.advance(HOUR_MS)
    expect((await statusOf(service, swap)).status).toBe('pending')
    await service.control.advance(7 * HOUR_MS)
    await staysIn(service, swap, 'failed')
    expect(await changes()).toEqual({ paid: -amount - fee, refunded: 0n, delivered: 0n })
  })

  it('that comes a second time goes back to who sent it, and the swap stays as it ended', async () => {
    const { swap, amount, changes, pay } = await open('another')
    const { fee } = await pay(amount)
    const end = lastOf(await follow(service, swap, { stepMs: STEP_MS }))
    const other = await newCoin()
    const back = await watch(service, { back: bitcoinOf(other.wallet.address) })
    const again = await pay(amount, other)
    const stayed = await staysIn(service, swap, 'success')
    expect(stayed.deliveredAmount).toBe(end.deliveredAmount)
    expect(await back()).toEqual({ back: -again.fee - COST })
    expect(await changes()).toEqual({ paid: -amount - fee, refunded: 0n, delivered: BigInt(end.deliveredAmount ?? 0) })
  })
})

it.each([
  '/thorchain/mimir',
  '/second/thorchain/mimir',
  '/second/thorchain/inbound_addresses',
  '/thorchain/pools',
  '/memoless/api/v1/register',
])('bitcoin is given no address once a halt is told by %s', async (path) => {
  const { quoteToken } = (await quote('another')).offer
  // What a node said is good for five seconds.
  await service.control.advance(6_000)
  await expectHalted(service, 'thorchain', { quoteToken, path })
  await service.control.advance(6_000)
  expect((await service.send('POST', '/api/v1/execute', { body: { quoteToken } })).status).toBe(200)
})

it('a call of the router past its time reverts: nothing but gas is paid, and the swap has failed', async () => {
  const account = newAccount()
  const rpcUrl = service.control.rpcUrl(8453)
  await fund(service, 8453, account.address, { [NATIVE]: parseEther('1').toString(), [USDC.base]: '250000000' })
  const { quoteToken } = await service.call('quote', {
    body: {
      ...{ inputChainId: 8453, inputToken: USDC.base, inputAmount: '250000000', outputChainId: 1, outputToken: NATIVE },
      ...{ userAddress: account.address, destinationAddress: newAccount().address },
    },
  })
  const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
  if (approval) await broadcast(rpcUrl, approval.transaction, account)
  await service.control.advance(2 * HOUR_MS)
  const nativeCurrency = { name: 'coin', symbol: 'COIN', decimals: 18 }
  const chain = defineChain({ id: 8453, name: 'chain', nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } })
  const wallet = createWalletClient({ account, chain, transport: http() })
  const { to, data } = transaction
  const ref = await wallet.sendTransaction({ to: to as never, data: data as never, gas: 1_000_000n })
  expect((await receiptOf(rpcUrl, ref)).status).toBe('reverted')
  const changes = await watch(service, { paid: { chainId: 8453, token: USDC.base, owner: account.address } })
  await service.control.advance(MINUTE_MS)
  await staysIn(service, { quoteToken, ref }, 'failed')
  expect(await changes()).toEqual({ paid: 0n })
})
