import { describe, expect, test } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { BitcoinChain } from '../../../engine/simnet/bitcoin/bitcoinChain.ts'
import type { FaultName } from '../../../engine/simnet/kit/faults.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { swapOf } from '../../support/venueKit/calls.ts'
import { paidOut } from '../../support/venueKit/network.ts'
import {
  bitcoinToBase,
  deposit,
  etherToBitcoin,
  MINUTE_MS,
  openBench,
  refOf,
  solanaToArbitrum,
  USDC,
  usdcToSolana,
} from './support.ts'

/** What the simulated venue moves on the chains, and what it says of it. */

const open = closedAfterEach(openBench)
const HOUR_MS = 60 * MINUTE_MS
/** Two cents: what sending 1,000 USDC back costs. */
const REFUND_FEE = 20_000n

type Details = {
  readonly originChainTxHashes: readonly { readonly hash: string }[]
  readonly destinationChainTxHashes: readonly { readonly hash: string }[]
  readonly [field: string]: unknown
}

const start = async (order: VenueOrder = usdcToSolana()) => {
  const bench = await open()
  const swap = await swapOf(bench.venue, order)
  const view = async () => {
    const response = await fetch(`${bench.baseUrl}/v0/status?depositAddress=${refOf(swap)}`)
    const { status, swapDetails } = (await response.json()) as { status: string; swapDetails: Details }
    const { originChainTxHashes, destinationChainTxHashes, ...details } = swapDetails
    return {
      status,
      ...details,
      origin: originChainTxHashes.map(({ hash }) => hash),
      destination: destinationChainTxHashes.map(({ hash }) => hash),
    }
  }
  const ledger = bench.world.bitcoin as BitcoinChain
  return {
    bench,
    swap,
    view,
    ledger,
    pay: (amount?: bigint, txHash?: string) => deposit(bench, swap, { ...(amount && { amount }), ...(txHash && { txHash }) }),
    pass: (ms: number) => bench.schedule.advance(ms),
    payouts: () => paidOut(bench.network),
    hashes: () => bench.network.payouts.map(({ txHash }) => txHash),
    /** What a wallet on Bitcoin has got since. */
    gained: await ledger.balance(WALLETS.bitcoin).then((held) => async () => (await ledger.balance(WALLETS.bitcoin)) - held),
    delivery: (amount: bigint = swap.offer.outputAmount) => ({ chainId: -2, token: USDC.solana, to: WALLETS.solana, amount }),
  }
}
const refund = (amount: bigint) => ({ chainId: 8453, token: USDC.base, to: WALLETS.evm, amount: amount - REFUND_FEE })

describe('a delivery', () => {
  test('is one payment to the recipient, at its time and not before, and its hash is the one told', async () => {
    const { swap, view, pay, pass, payouts, hashes, delivery } = await start()
    const paid = await pay()
    await pass(35_000)
    expect(payouts()).toEqual([])
    expect(await view()).toMatchObject({ status: 'PROCESSING', amountOut: null, destination: [] })
    await pass(1_000)
    const amountOut = swap.offer.outputAmount.toString()
    for (let look = 0; look < 3; look += 1)
      expect(await view()).toMatchObject({ status: 'SUCCESS', amountOut, origin: [paid], destination: hashes() })
    await pass(4 * 24 * HOUR_MS)
    expect(payouts()).toEqual([delivery()])
  })

  test('goes out on EVM chains in coins, and on Bitcoin by a transaction that is there', async () => {
    const coins = await start(solanaToArbitrum())
    await coins.pay()
    await coins.pass(MINUTE_MS)
    const { output, recipient: to } = coins.swap.order
    expect(coins.payouts()).toEqual([{ chainId: 42161, token: output.address, to, amount: coins.swap.offer.outputAmount }])

    const { swap, view, pay, pass, ledger, gained } = await start(etherToBitcoin())
    await pay()
    await pass(HOUR_MS)
    const { status, destination } = await view()
    expect([status, await gained()]).toEqual(['SUCCESS', swap.offer.outputAmount])
    const paid = { address: WALLETS.bitcoin, amount: swap.offer.outputAmount, data: null }
    expect(ledger.transaction(destination[0] ?? '')?.outputs).toContainEqual(paid)
  })

  test.each([
    ['becomes a refund', undefined, 40_000, 'PROCESSING', 'REFUNDED'],
    ['that was a refund ends as failed', 400_000_000n, HOUR_MS, 'FAILED', 'FAILED'],
  ] as const)('that the chain refuses %s, and the reason is noted', async (_name, amount, ms, during, after) => {
    const { bench, view, pay, pass, payouts } = await start()
    bench.network.refusal = 'the account is frozen'
    await pay(amount)
    await pass(ms)
    expect(await view()).toMatchObject({ status: during, destination: [], refundedAmount: '0' })
    expect(bench.problems.splice(0).map(String)).toEqual([expect.stringContaining('the account is frozen')])
    bench.network.refusal = null
    await pass(24 * HOUR_MS)
    expect(await view()).toMatchObject({ status: after, destination: [] })
    expect(payouts()).toEqual(after === 'FAILED' ? [] : [refund(1_000_000_000n)])
  })
})

describe('a refund', () => {
  test('of a short deposit is a payment to the refund address at the deadline, less its fee', async () => {
    const { view, pay, pass, payouts, hashes } = await start()
    const paid = await pay(400_000_000n)
    await pass(30 * MINUTE_MS)
    expect(payouts()).toEqual([])
    expect(await view()).toMatchObject({ status: 'INCOMPLETE_DEPOSIT', refundedAmount: '0' })
    await pass(MINUTE_MS)
    expect(payouts()).toEqual([refund(400_000_000n)])
    const refundedAmount = (400_000_000n - REFUND_FEE).toString()
    const told = { status: 'REFUNDED', depositedAmount: '400000000', refundedAmount, refundReason: 'PARTIAL_DEPOSIT' }
    expect(await view()).toMatchObject({ ...told, origin: [paid, ...hashes()] })
  })

  test('of what is too much goes out with the delivery, but for what would not cover its own fee', async () => {
    const { pay, pass, payouts, delivery } = await start()
    await pay(1_250_000_000n)
    await pass(MINUTE_MS)
    expect(payouts()).toEqual([delivery(), refund(250_000_000n)])
    const little = await start()
    await little.pay(1_000_000_000n + REFUND_FEE)
    await little.pass(HOUR_MS)
    expect(little.payouts()).toEqual([little.delivery()])
    expect(await little.view()).toMatchObject({ refundedAmount: '0' })
  })

  test('of what comes once the swap has ended follows a minute later', async () => {
    const { view, pay, pass, payouts, delivery } = await start()
    await pay()
    await pass(MINUTE_MS)
    await pay(undefined, 'again')
    await pass(59_000)
    expect(payouts()).toHaveLength(1)
    await pass(1_000)
    expect(payouts()).toEqual([delivery(), refund(1_000_000_000n)])
    expect((await view()).status).toBe('SUCCESS')
  })

  test('is not sent on Bitcoin when it would be dust', async () => {
    const { view, pay, pass, gained } = await start(bitcoinToBase())
    await pay(1_000_000n + 1_900n + 545n)
    await pass(HOUR_MS)
    expect(await view()).toMatchObject({ status: 'SUCCESS', refundedAmount: '0' })
    expect(await gained()).toBe(0n)
  })

  test('waits for the deposit to be in a block', async () => {
    const { view, pay, pass, gained } = await start(bitcoinToBase())
    await pass(61 * MINUTE_MS)
    await pay()
    await pass(5 * MINUTE_MS)
    expect([(await view()).status, await gained()]).toEqual(['PROCESSING', 0n])
    await pass(5 * MINUTE_MS)
    expect(await view()).toMatchObject({ status: 'REFUNDED', refundedAmount: '998100' })
    expect(await gained()).toBe(998_100n)
  })
})

describe('a fault', () => {
  const settled = async (fault: FaultName) => {
    const started = await start()
    started.bench.faults.set('near-intents', fault, {}, 1)
    await started.pay()
    await started.pass(MINUTE_MS)
    return { ...started, told: await started.view() }
  }

  test('lying-success names a transaction that never was, and sends the deposit back', async () => {
    const { swap, told, payouts, hashes } = await settled('lying-success')
    const refundedAmount = (1_000_000_000n - REFUND_FEE).toString()
    expect(told).toMatchObject({ status: 'SUCCESS', amountOut: swap.offer.outputAmount.toString(), refundedAmount })
    expect(payouts()).toEqual([refund(1_000_000_000n)])
    expect(told.destination).toHaveLength(1)
    expect(hashes()).not.toContain(told.destination[0])
  })

  test('short-fill pays nine tenths of the minimum, and says so', async () => {
    const { swap, told, payouts, hashes, delivery } = await settled('short-fill')
    const short = ((swap.offer.slippage?.guaranteedMin ?? 0n) * 9n) / 10n
    expect(told).toMatchObject({ status: 'SUCCESS', amountOut: short.toString(), destination: hashes() })
    expect(payouts()).toEqual([delivery(short)])
  })

  test('fails moves nothing', async () => {
    const { told, view, pass, payouts } = await settled('fails')
    expect(told).toMatchObject({ status: 'FAILED', refundedAmount: '0', destination: [] })
    await pass(24 * HOUR_MS)
    expect([payouts(), (await view()).status]).toEqual([[], 'FAILED'])
  })

  test('never-fills sends the deposit back an hour after the deadline', async () => {
    const { told, view, pass, payouts } = await settled('never-fills')
    expect(told.status).toBe('PROCESSING')
    await pass(88 * MINUTE_MS)
    expect(payouts()).toEqual([])
    await pass(MINUTE_MS)
    expect(payouts()).toEqual([refund(1_000_000_000n)])
    expect(await view()).toMatchObject({ status: 'REFUNDED', refundReason: 'NO_LIQUIDITY' })
  })
})

describe('a deposit that vanishes from its chain', () => {
  test('on Bitcoin was none: nothing is delivered, and one that is paid instead is swapped once', async () => {
    const { view, pay, pass, payouts, ledger } = await start(bitcoinToBase())
    const first = await pay()
    await pass(MINUTE_MS)
    expect((await view()).status).toBe('PROCESSING')
    expect(await ledger.reorg({ txid: first })).toContain(first)
    expect(await view()).toMatchObject({ status: 'PENDING_DEPOSIT', depositedAmount: null, origin: [] })
    await pass(20 * MINUTE_MS)
    expect([(await view()).status, payouts()]).toEqual(['PENDING_DEPOSIT', []])
    // One satoshi more: the same amount would be the same transaction.
    const second = await pay(1_000_001n)
    await pass(20 * MINUTE_MS)
    expect(await view()).toMatchObject({ status: 'SUCCESS', depositedAmount: '1000001', origin: [second] })
    expect(payouts()).toHaveLength(1)
  })

  test('on Bitcoin and is sent again is swapped after all', async () => {
    const { view, pay, pass, payouts, ledger } = await start(bitcoinToBase())
    const txid = await pay()
    const hex = String((await ledger.answer({ method: 'GET', path: `/tx/${txid}/hex`, body: '' })).body)
    await ledger.reorg('unconfirmed')
    await pass(20 * MINUTE_MS)
    expect((await view()).status).toBe('PENDING_DEPOSIT')
    expect(await ledger.answer({ method: 'POST', path: '/tx', body: hex })).toMatchObject({ status: 200, body: txid })
    await pass(30 * MINUTE_MS)
    expect(await view()).toMatchObject({ status: 'SUCCESS', origin: [txid] })
    expect(payouts()).toHaveLength(1)
  })

  test('in part leaves the rest to be refunded', async () => {
    const { view, pay, pass, payouts, ledger, gained } = await start(bitcoinToBase())
    const kept = await pay(400_000n)
    await pass(11 * MINUTE_MS)
    await pay(600_000n)
    await ledger.reorg('unconfirmed')
    expect(await view()).toMatchObject({ status: 'INCOMPLETE_DEPOSIT', depositedAmount: '400000', origin: [kept] })
    await pass(HOUR_MS)
    expect(await view()).toMatchObject({ status: 'REFUNDED', refundedAmount: '398100' })
    expect([await gained(), payouts()]).toEqual([398_100n, []])
  })

  test('on an EVM chain was none either, once the venue looks again', async () => {
    const { bench, view, pay, pass, payouts } = await start()
    bench.network.gone.add(await pay())
    await pass(HOUR_MS)
    expect(await view()).toMatchObject({ status: 'PENDING_DEPOSIT', depositedAmount: null, origin: [] })
    expect(payouts()).toEqual([])
  })
})
