import { describe, expect, test } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { BitcoinChain } from '../../../engine/simnet/bitcoin/bitcoinChain.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { swapOf, track } from '../../support/venueKit/calls.ts'
import { paidOut } from '../../support/venueKit/network.ts'
import { bitcoinToBase, deposit, depositFor, MINUTE_MS, openBench, refOf, USDC, usdcToSolana } from './support.ts'

/**
 * What the simulated venue does with deposits that are not as ordered, and what it and the adapter say of them. Ordinary
 * deliveries, its faults and moving prices are among the journeys of the end-to-end suite.
 */

const open = closedAfterEach(openBench)
const HOUR_MS = 60 * MINUTE_MS
/** Two cents: what sending 1,000 USDC back costs. */
const REFUND_FEE = 20_000n

type Hashes = readonly { readonly hash: string }[]
type Details = { readonly originChainTxHashes: Hashes; readonly destinationChainTxHashes: Hashes }

const start = async (order: VenueOrder = usdcToSolana()) => {
  const bench = await open()
  const swap = await swapOf(bench.venue, order)
  const view = async () => {
    const response = await fetch(`${bench.baseUrl}/v0/status?depositAddress=${refOf(swap)}`)
    const { status, swapDetails } = (await response.json()) as { status: string; swapDetails: Details }
    const { originChainTxHashes, destinationChainTxHashes, ...details } = swapDetails
    const [origin, destination] = [originChainTxHashes, destinationChainTxHashes].map((list) => list.map(({ hash }) => hash))
    const { state } = await track(bench.venue, refOf(swap), swap)
    return { status, state, ...details, origin, destination }
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
    delivery: { chainId: -2, token: USDC.solana, to: WALLETS.solana, amount: swap.offer.outputAmount },
  }
}
const refund = (amount: bigint) => ({ chainId: 8453, token: USDC.base, to: WALLETS.evm, amount: amount - REFUND_FEE })

describe('a deposit', () => {
  test('that is short is sent back after the deadline, less the fee for that, and the reason told', async () => {
    const { view, pay, pass, payouts, hashes } = await start()
    const paid = await pay(400_000_000n)
    expect(await view()).toMatchObject({ status: 'INCOMPLETE_DEPOSIT', state: 'pending' })
    await pass(30 * MINUTE_MS + 1)
    expect(payouts()).toEqual([])
    expect(await view()).toMatchObject({ status: 'INCOMPLETE_DEPOSIT', state: 'expired', refundedAmount: '0' })
    await pass(MINUTE_MS)
    expect(payouts()).toEqual([refund(400_000_000n)])
    const amounts = { amountOut: null, depositedAmount: '400000000', refundedAmount: String(400_000_000n - REFUND_FEE) }
    const told = { status: 'REFUNDED', state: 'refunded', refundReason: 'PARTIAL_DEPOSIT', destination: [] }
    expect(await view()).toMatchObject({ ...told, ...amounts, origin: [paid, ...hashes()] })
  })

  test('in two parts is one, swapped by one payment whose hash is told', async () => {
    const { swap, view, pay, pass, payouts, hashes, delivery } = await start()
    const paid = [await pay(400_000_000n, 'a'), await pay(600_000_000n, 'b')]
    await pass(35_000)
    expect(payouts()).toEqual([])
    await pass(1_000)
    const amounts = { amountIn: '1000000000', amountOut: String(swap.offer.outputAmount), refundedAmount: '0' }
    for (let look = 0; look < 3; look += 1)
      expect(await view()).toMatchObject({ status: 'SUCCESS', state: 'success', ...amounts, origin: paid, destination: hashes() })
    await pass(4 * 24 * HOUR_MS)
    expect(payouts()).toEqual([delivery])
  })

  test('of too much is swapped and the rest sent back, but for what would not cover its own fee', async () => {
    const { view, pay, pass, payouts, hashes, delivery } = await start()
    const paid = await pay(1_250_000_000n)
    await pass(MINUTE_MS)
    expect(payouts()).toEqual([delivery, refund(250_000_000n)])
    const [delivered, returned] = hashes()
    expect(await view()).toMatchObject({ state: 'success', origin: [paid, returned], destination: [delivered] })
    const little = await start()
    await little.pay(1_000_000_000n + REFUND_FEE)
    await little.pass(HOUR_MS)
    expect(little.payouts()).toEqual([little.delivery])
    expect(await little.view()).toMatchObject({ state: 'success', refundedAmount: '0' })
  })

  test('that comes once the swap has ended is sent back a minute later', async () => {
    const { view, pay, pass, payouts, delivery } = await start()
    await pay()
    await pass(MINUTE_MS)
    await pay(undefined, 'again')
    await pass(59_000)
    expect(payouts()).toHaveLength(1)
    await pass(1_000)
    expect(payouts()).toEqual([delivery, refund(1_000_000_000n)])
    expect(await view()).toMatchObject({ status: 'SUCCESS', state: 'success' })
  })

  test('that comes late on Bitcoin is sent back once it is in a block, unless it would be dust', async () => {
    const { view, pay, pass, gained } = await start(bitcoinToBase())
    await pass(61 * MINUTE_MS)
    await pay()
    await pass(5 * MINUTE_MS)
    expect(await view()).toMatchObject({ status: 'PROCESSING', state: 'processing' })
    expect(await gained()).toBe(0n)
    await pass(5 * MINUTE_MS)
    expect(await view()).toMatchObject({ status: 'REFUNDED', state: 'refunded', refundedAmount: '998100' })
    expect(await gained()).toBe(998_100n)
    const little = await start(bitcoinToBase())
    await little.pay(1_000_000n + 1_900n + 545n)
    await little.pass(HOUR_MS)
    expect(await little.view()).toMatchObject({ status: 'SUCCESS', refundedAmount: '0' })
    expect(await little.gained()).toBe(0n)
  })

  test('whose refund the chain refuses ends as failed, and the reason is noted', async () => {
    const { bench, view, pay, pass, payouts } = await start()
    bench.network.refusal = 'the account is frozen'
    await pay(400_000_000n)
    await pass(HOUR_MS)
    expect(bench.problems.splice(0).map(String)).toEqual([expect.stringContaining('the account is frozen')])
    bench.network.refusal = null
    await pass(24 * HOUR_MS)
    expect(await view()).toMatchObject({ status: 'FAILED', state: 'failed', destination: [], refundedAmount: '0' })
    expect(payouts()).toEqual([])
  })

  test('of another token changes nothing, and one to another address is none of the venue’s', async () => {
    const { bench, swap, view } = await start()
    expect(bench.sim.onDeposit(depositFor(swap, { token: USDC.ethereum }))).toBe(true)
    expect(await view()).toMatchObject({ status: 'PENDING_DEPOSIT', state: 'pending' })
    expect(bench.sim.onDeposit(depositFor(swap, { address: WALLETS.evmOther }))).toBe(false)
  })

  test('that is only announced moves the swap on without proof, and back when none comes', async () => {
    const { bench, swap, view, pass } = await start()
    const body = JSON.stringify({ txHash: '0xabc', depositAddress: refOf(swap) })
    const headers = { 'content-type': 'application/json' }
    expect((await fetch(`${bench.baseUrl}/v0/deposit/submit`, { method: 'POST', headers, body })).status).toBe(201)
    expect(await view()).toMatchObject({ status: 'KNOWN_DEPOSIT_TX', state: 'processing' })
    await pass(31 * MINUTE_MS)
    expect(await view()).toMatchObject({ status: 'PENDING_DEPOSIT', state: 'pending' })
  })
})

/** One that is sent again, and one on an EVM chain, are among the journeys. */
describe('a deposit in bitcoin that vanishes from its chain', () => {
  test('was none: nothing is delivered for it, and one that is paid instead is swapped once', async () => {
    const { view, pay, pass, payouts, ledger } = await start(bitcoinToBase())
    const first = await pay()
    await pass(MINUTE_MS)
    expect(await ledger.reorg({ txid: first })).toContain(first)
    await pass(20 * MINUTE_MS)
    expect(await view()).toMatchObject({ status: 'PENDING_DEPOSIT', depositedAmount: null, origin: [] })
    expect(payouts()).toEqual([])
    // One satoshi more: the same amount would be the same transaction.
    const second = await pay(1_000_001n)
    await pass(20 * MINUTE_MS)
    expect(await view()).toMatchObject({ status: 'SUCCESS', depositedAmount: '1000001', origin: [second] })
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
})
