import { afterEach, describe, expect, test } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import type { BitcoinChain } from '../../../engine/simnet/bitcoin/bitcoinChain.ts'
import type { FaultName } from '../../../engine/simnet/kit/faults.ts'
import { WALLETS } from '../../support/anOrder.ts'
import {
  aBench,
  bitcoinToBase,
  deposit,
  etherToBitcoin,
  executed,
  type NearIntentsBench,
  refOf,
  solanaToArbitrum,
  USDC,
  usdcToSolana,
} from './support.ts'

/** What the simulated venue moves on the chains, and what it says of it. */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Two cents: what sending 1,000 USDC back costs. */
const REFUND_FEE = 20_000n

let bench: NearIntentsBench
/** What the venue is expected to have failed to do, as the network notes it. */
let noted: string | null = null
afterEach(async () => {
  const expected = noted
  noted = null
  if (expected === null) await bench.close()
  else await expect(bench.close()).rejects.toThrow(expected)
})

const start = async (order: VenueOrder = usdcToSolana()): Promise<ExecutedSwap> => {
  bench = await aBench()
  return executed(bench.venue, order)
}

type Details = {
  readonly amountOut: string | null
  readonly depositedAmount: string | null
  readonly refundedAmount: string
  readonly refundReason: string | null
  readonly originChainTxHashes: readonly { readonly hash: string }[]
  readonly destinationChainTxHashes: readonly { readonly hash: string }[]
}
const view = async (swap: ExecutedSwap) => {
  const response = await fetch(`${bench.baseUrl}/v0/status?depositAddress=${refOf(swap)}`)
  const { status, swapDetails } = (await response.json()) as { status: string; swapDetails: Details }
  const hashesOf = (list: Details['originChainTxHashes']) => list.map(({ hash }) => hash)
  const { originChainTxHashes, destinationChainTxHashes, ...details } = swapDetails
  return { status, ...details, origin: hashesOf(originChainTxHashes), destination: hashesOf(destinationChainTxHashes) }
}
const statusOf = async (swap: ExecutedSwap) => (await view(swap)).status
const payouts = () => bench.diary.payouts.map(({ txHash: _, ...payment }) => payment)
const hashes = () => bench.diary.payouts.map(({ txHash }) => txHash)
const ledger = () => bench.world.bitcoin as BitcoinChain

const delivery = ({ offer }: ExecutedSwap, amount: bigint = offer.outputAmount) => ({
  chainId: -2,
  token: USDC.solana,
  to: WALLETS.solana,
  amount,
})
const refund = (amount: bigint) => ({ chainId: 8453, token: USDC.base, to: WALLETS.evm, amount })

describe('a delivery', () => {
  test('is one payment to the recipient, at its time and not before, and its hash is the one told', async () => {
    const swap = await start()
    const paid = await deposit(bench, swap)
    await bench.schedule.advance(35_000)
    expect(payouts()).toEqual([])
    expect(await view(swap)).toMatchObject({ status: 'PROCESSING', amountOut: null, destination: [] })
    await bench.schedule.advance(1_000)
    for (let look = 0; look < 3; look += 1)
      expect(await view(swap)).toMatchObject({
        status: 'SUCCESS',
        amountOut: swap.offer.outputAmount.toString(),
        origin: [paid],
        destination: hashes(),
      })
    await bench.schedule.advance(4 * 24 * HOUR_MS)
    expect(payouts()).toEqual([delivery(swap)])
  })

  test('goes out on EVM chains in coins too', async () => {
    const swap = await start(solanaToArbitrum())
    await deposit(bench, swap)
    await bench.schedule.advance(MINUTE_MS)
    expect(payouts()).toEqual([
      { chainId: 42161, token: swap.order.output.address, to: WALLETS.evmOther, amount: swap.offer.outputAmount },
    ])
  })

  test('goes out on Bitcoin by a transaction that is there', async () => {
    const swap = await start(etherToBitcoin())
    const held = await ledger().balance(WALLETS.bitcoin)
    await deposit(bench, swap)
    await bench.schedule.advance(HOUR_MS)
    const { status, destination } = await view(swap)
    expect(status).toBe('SUCCESS')
    expect((await ledger().balance(WALLETS.bitcoin)) - held).toBe(swap.offer.outputAmount)
    expect(ledger().transaction(destination[0] ?? '')?.outputs).toContainEqual({
      address: WALLETS.bitcoin,
      amount: swap.offer.outputAmount,
      data: null,
    })
  })

  test('that the chain refuses becomes a refund, and the reason is noted', async () => {
    const swap = await start()
    bench.diary.refusal = 'the account is frozen'
    noted = 'the account is frozen'
    await deposit(bench, swap)
    await bench.schedule.advance(40_000)
    expect(await statusOf(swap)).toBe('PROCESSING')
    bench.diary.refusal = null
    await bench.schedule.advance(MINUTE_MS)
    expect(await view(swap)).toMatchObject({ status: 'REFUNDED', refundReason: 'UNKNOWN', destination: [] })
    expect(payouts()).toEqual([refund(1_000_000_000n - REFUND_FEE)])
  })
})

describe('a refund', () => {
  test('of a short deposit is a payment to the refund address at the deadline, less its fee', async () => {
    const swap = await start()
    const paid = await deposit(bench, swap, { amount: 400_000_000n })
    await bench.schedule.advance(30 * MINUTE_MS)
    expect(payouts()).toEqual([])
    expect(await view(swap)).toMatchObject({ status: 'INCOMPLETE_DEPOSIT', refundedAmount: '0' })
    await bench.schedule.advance(MINUTE_MS)
    expect(payouts()).toEqual([refund(400_000_000n - REFUND_FEE)])
    expect(await view(swap)).toMatchObject({
      status: 'REFUNDED',
      depositedAmount: '400000000',
      refundedAmount: (400_000_000n - REFUND_FEE).toString(),
      refundReason: 'PARTIAL_DEPOSIT',
      origin: [paid, ...hashes()],
    })
  })

  test('of what is too much goes out with the delivery', async () => {
    const swap = await start()
    await deposit(bench, swap, { amount: 1_250_000_000n })
    await bench.schedule.advance(MINUTE_MS)
    expect(payouts()).toEqual([delivery(swap), refund(250_000_000n - REFUND_FEE)])
  })

  test('of what comes once the swap has ended follows a minute later', async () => {
    const swap = await start()
    await deposit(bench, swap)
    await bench.schedule.advance(MINUTE_MS)
    await deposit(bench, swap, { txHash: 'again' })
    await bench.schedule.advance(59_000)
    expect(payouts()).toHaveLength(1)
    await bench.schedule.advance(1_000)
    expect(payouts()).toEqual([delivery(swap), refund(1_000_000_000n - REFUND_FEE)])
    expect(await statusOf(swap)).toBe('SUCCESS')
  })

  test('is not sent when it would not cover its own fee', async () => {
    const swap = await start()
    await deposit(bench, swap, { amount: 1_000_000_000n + REFUND_FEE })
    await bench.schedule.advance(HOUR_MS)
    expect(payouts()).toEqual([delivery(swap)])
    expect(await view(swap)).toMatchObject({ refundedAmount: '0' })
  })

  test('is not sent on Bitcoin when it would be dust', async () => {
    const swap = await start(bitcoinToBase())
    const held = await ledger().balance(WALLETS.bitcoin)
    await deposit(bench, swap, { amount: 1_000_000n + 1_900n + 545n })
    await bench.schedule.advance(HOUR_MS)
    expect(await view(swap)).toMatchObject({ status: 'SUCCESS', refundedAmount: '0' })
    expect(await ledger().balance(WALLETS.bitcoin)).toBe(held)
  })

  test('that the chain refuses ends as failed, and the reason is noted', async () => {
    const swap = await start()
    await deposit(bench, swap, { amount: 400_000_000n })
    bench.diary.refusal = 'the account is frozen'
    noted = 'the account is frozen'
    await bench.schedule.advance(HOUR_MS)
    expect(await view(swap)).toMatchObject({ status: 'FAILED', refundedAmount: '0' })
    bench.diary.refusal = null
    await bench.schedule.advance(24 * HOUR_MS)
    expect(payouts()).toEqual([])
  })

  test('waits for the deposit to be in a block', async () => {
    const swap = await start(bitcoinToBase())
    const held = await ledger().balance(WALLETS.bitcoin)
    await bench.schedule.advance(61 * MINUTE_MS)
    await deposit(bench, swap)
    await bench.schedule.advance(5 * MINUTE_MS)
    expect(await statusOf(swap)).toBe('PROCESSING')
    expect(await ledger().balance(WALLETS.bitcoin)).toBe(held)
    await bench.schedule.advance(5 * MINUTE_MS)
    expect(await view(swap)).toMatchObject({ status: 'REFUNDED', refundedAmount: '998100' })
    expect((await ledger().balance(WALLETS.bitcoin)) - held).toBe(998_100n)
  })
})

describe('a fault', () => {
  const settled = async (fault: FaultName) => {
    const swap = await start()
    bench.faults.set('near-intents', fault, {}, 1)
    await deposit(bench, swap)
    await bench.schedule.advance(MINUTE_MS)
    return { swap, told: await view(swap) }
  }

  test('lying-success names a transaction that never was, and sends the deposit back', async () => {
    const { swap, told } = await settled('lying-success')
    expect(told).toMatchObject({ status: 'SUCCESS', amountOut: swap.offer.outputAmount.toString() })
    expect(payouts()).toEqual([refund(1_000_000_000n - REFUND_FEE)])
    expect(told.destination).toHaveLength(1)
    expect(hashes()).not.toContain(told.destination[0])
    expect(told.refundedAmount).toBe((1_000_000_000n - REFUND_FEE).toString())
  })

  test('short-fill pays nine tenths of the minimum, and says so', async () => {
    const { swap, told } = await settled('short-fill')
    const short = ((swap.offer.slippage?.guaranteedMin ?? 0n) * 9n) / 10n
    expect(told).toMatchObject({ status: 'SUCCESS', amountOut: short.toString(), destination: hashes() })
    expect(payouts()).toEqual([delivery(swap, short)])
  })

  test('fails moves nothing', async () => {
    const { swap, told } = await settled('fails')
    expect(told).toMatchObject({ status: 'FAILED', refundedAmount: '0', destination: [] })
    await bench.schedule.advance(24 * HOUR_MS)
    expect(payouts()).toEqual([])
    expect(await statusOf(swap)).toBe('FAILED')
  })

  test('never-fills sends the deposit back an hour after the deadline', async () => {
    const { swap, told } = await settled('never-fills')
    expect(told.status).toBe('PROCESSING')
    await bench.schedule.advance(88 * MINUTE_MS)
    expect(payouts()).toEqual([])
    await bench.schedule.advance(MINUTE_MS)
    expect(payouts()).toEqual([refund(1_000_000_000n - REFUND_FEE)])
    expect(await view(swap)).toMatchObject({ status: 'REFUNDED', refundReason: 'NO_LIQUIDITY' })
  })
})

describe('a deposit that vanishes from its chain', () => {
  test('on Bitcoin was none: nothing is delivered, and one that is paid instead is swapped once', async () => {
    const swap = await start(bitcoinToBase())
    const first = await deposit(bench, swap)
    await bench.schedule.advance(MINUTE_MS)
    expect(await statusOf(swap)).toBe('PROCESSING')
    expect(await ledger().reorg({ txid: first })).toContain(first)
    expect(await view(swap)).toMatchObject({ status: 'PENDING_DEPOSIT', depositedAmount: null, origin: [] })
    await bench.schedule.advance(20 * MINUTE_MS)
    expect(await statusOf(swap)).toBe('PENDING_DEPOSIT')
    expect(payouts()).toEqual([])

    // One satoshi more: the same amount would be the same transaction.
    const second = await deposit(bench, swap, { amount: 1_000_001n })
    await bench.schedule.advance(20 * MINUTE_MS)
    expect(await view(swap)).toMatchObject({ status: 'SUCCESS', depositedAmount: '1000001', origin: [second] })
    expect(payouts()).toHaveLength(1)
  })

  test('on Bitcoin and is sent again is swapped after all', async () => {
    const swap = await start(bitcoinToBase())
    const txid = await deposit(bench, swap)
    const hex = String((await ledger().answer({ method: 'GET', path: `/tx/${txid}/hex`, body: '' })).body)
    await ledger().reorg('unconfirmed')
    await bench.schedule.advance(20 * MINUTE_MS)
    expect(await statusOf(swap)).toBe('PENDING_DEPOSIT')
    expect(await ledger().answer({ method: 'POST', path: '/tx', body: hex })).toMatchObject({ status: 200, body: txid })
    await bench.schedule.advance(30 * MINUTE_MS)
    expect(await view(swap)).toMatchObject({ status: 'SUCCESS', origin: [txid] })
    expect(payouts()).toHaveLength(1)
  })

  test('in part leaves the rest to be refunded', async () => {
    const swap = await start(bitcoinToBase())
    const held = await ledger().balance(WALLETS.bitcoin)
    const kept = await deposit(bench, swap, { amount: 400_000n })
    await bench.schedule.advance(11 * MINUTE_MS)
    await deposit(bench, swap, { amount: 600_000n })
    await ledger().reorg('unconfirmed')
    expect(await view(swap)).toMatchObject({ status: 'INCOMPLETE_DEPOSIT', depositedAmount: '400000', origin: [kept] })
    await bench.schedule.advance(HOUR_MS)
    expect(await view(swap)).toMatchObject({ status: 'REFUNDED', refundedAmount: '398100' })
    expect((await ledger().balance(WALLETS.bitcoin)) - held).toBe(398_100n)
    expect(payouts()).toEqual([])
  })

  test('on an EVM chain was none either, once the venue looks again', async () => {
    const swap = await start()
    const txHash = await deposit(bench, swap)
    bench.diary.gone.add(txHash)
    await bench.schedule.advance(HOUR_MS)
    expect(await view(swap)).toMatchObject({ status: 'PENDING_DEPOSIT', depositedAmount: null, origin: [] })
    expect(payouts()).toEqual([])
  })
})
