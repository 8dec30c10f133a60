import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { bitcoinOf, watch } from '../../scripts/client/balances.ts'
import { payBitcoin } from '../../scripts/client/bitcoin.ts'
import { executeAs, follow, lastOf, statesOf, statusOf } from '../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../scripts/client/tokens.ts'
import { expectFailure } from '../support/expectFailure.ts'
import { startService, type TestService } from '../support/service.ts'
import { ACCOUNT, OTHER_EVM } from '../support/swaps.ts'
import { AMOUNT, bitcoinRequest, expectRefund, REFUND_BITCOIN, REFUND_FEE, relayBitcoin } from './relayBitcoinSwap.ts'
import { DEPOSITORY, quoteRelay } from './relayQuote.ts'
import { EVM_HASH, HOUR_MS, MINUTE_MS } from './support.ts'

/** From native Bitcoin by Relay: a wallet of bitcoinjs-lib, an address of its own, and what really moved on both chains. */

const LATE_BITCOIN = '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo'
const STEP_MS = 2 * MINUTE_MS

let service: TestService
let swaps: ReturnType<typeof relayBitcoin>
beforeAll(async () => {
  service = await startService()
  swaps = relayBitcoin(service)
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

describe('0.05 BTC to USDC on Base', () => {
  it.each(['p2wpkh', 'p2tr', 'p2pkh'] as const)('from a %s wallet is quoted, paid and delivered, to the unit', async (kind) => {
    const { offer, changes, pay, ...swap } = await swaps.open({ kind })
    expect(offer).toMatchObject({
      executable: true,
      routeType: 'NATIVE_BITCOIN',
      input: { amount: AMOUNT.toString(), token: { chainId: -1, symbol: 'BTC' } },
      output: { token: { chainId: 8453, address: USDC.base } },
      slippage: { isFirm: true },
      fee: { bps: 0, amount: '0' },
    })
    expect(offer.approval).toBeUndefined()
    expect(swap.ref).toMatch(/^bc1q[0-9a-z]{38}$/)
    expect(await statusOf(service, swap)).toEqual({ status: 'pending', venue: 'relay', venueStatus: 'waiting' })

    const { fee } = await pay()
    const delivered = BigInt(offer.output.amount)
    expect(await changes()).toEqual({ paid: -AMOUNT - fee, deposited: AMOUNT, refunded: 0n, delivered: 0n })
    expect(await statusOf(service, swap)).toEqual({ status: 'processing', venue: 'relay', venueStatus: 'pending' })
    const seen = await follow(service, swap, { stepMs: STEP_MS })
    expect(statesOf(seen)).toEqual(['processing', 'success'])
    expect(lastOf(seen)).toEqual({
      status: 'success',
      venue: 'relay',
      venueStatus: 'success',
      deliveredAmount: delivered.toString(),
      txHash: expect.stringMatching(EVM_HASH),
    })
    expect(await changes()).toEqual({ paid: -AMOUNT - fee, deposited: AMOUNT, refunded: 0n, delivered })
  })

  it('goes to the recipient that execute binds', async () => {
    const { quoteToken } = await quoteRelay(
      service,
      bitcoinRequest((await swaps.newCoin()).wallet.address, { destinationAddress: OTHER_EVM }),
    )
    const { deposit } = await executeAs(service, 'DEPOSIT', { quoteToken, destinationAddress: ACCOUNT.address })
    const coin = await swaps.newCoin()
    const changes = await watch(service, {
      bound: { chainId: 8453, token: USDC.base, owner: ACCOUNT.address },
      quoted: { chainId: 8453, token: USDC.base, owner: OTHER_EVM },
    })
    // Whoever pays: an address does not ask.
    await payBitcoin(service, coin, { to: deposit.address, amount: AMOUNT })
    const end = lastOf(await follow(service, { quoteToken, ref: deposit.address }, { stepMs: STEP_MS }))
    expect(await changes()).toEqual({ bound: BigInt(end.deliveredAmount ?? 0), quoted: 0n })
  })

  it('is two swaps, each with an address of its own, when it is quoted twice', async () => {
    const [first, second] = [await swaps.open(), await swaps.open()]
    expect(second.ref).not.toBe(first.ref)
    await second.pay()
    await service.control.advance(HOUR_MS / 2)
    expect((await statusOf(service, first)).status).toBe('pending')
    expect((await statusOf(service, second)).status).toBe('success')
  })
})

describe('the refund address', () => {
  it('is fixed with the quote: without one the quote is a preview, which execute refuses, a late address or none', async () => {
    const { refundAddress: _none, ...unnamed } = bitcoinRequest((await swaps.newCoin()).wallet.address)
    const offer = await quoteRelay(service, unnamed)
    expect(offer.executable).toBe(false)
    for (const late of [{}, { refundAddress: REFUND_BITCOIN }]) {
      const body = { quoteToken: offer.quoteToken, ...late }
      const details = expectFailure(await service.send('POST', '/api/v1/execute', { body }), 422, 'QUOTE_NOT_EXECUTABLE')
      expect(details['missing']).toEqual(['refundAddress'])
    }
  })

  it('given to execute is ignored: the deposit stays the same, and the refund goes where the quote says', async () => {
    const { quoteToken, ref, pay, changes } = await swaps.open()
    const again = await executeAs(service, 'DEPOSIT', { quoteToken, refundAddress: LATE_BITCOIN })
    expect(again.statusRef).toBe(ref)
    const late = await watch(service, { refunded: bitcoinOf(LATE_BITCOIN) })
    await service.control.fault('relay', 'never-fills')
    await pay()
    const seen = await follow(service, { quoteToken, ref }, { stepMs: 10 * MINUTE_MS })
    expectRefund(seen)
    expect(await changes()).toMatchObject({ refunded: AMOUNT - REFUND_FEE, delivered: 0n })
    expect(await late()).toEqual({ refunded: 0n })
  })
})

describe('a swap that goes wrong', () => {
  it('has failed when the venue says so, and nothing has moved', async () => {
    await service.control.fault('relay', 'fails')
    const { pay, changes, ...swap } = await swaps.open()
    await pay()
    expect(lastOf(await follow(service, swap, { stepMs: STEP_MS }))).toEqual({
      status: 'failed',
      venue: 'relay',
      venueStatus: 'failure',
    })
    expect(await changes()).toMatchObject({ deposited: AMOUNT, refunded: 0n, delivered: 0n })
  })

  it('is refunded when the recipient cannot be paid', async () => {
    const { pay, changes, ...swap } = await swaps.open({
      outputToken: NATIVE,
      destinationAddress: DEPOSITORY,
    })
    await pay()
    const seen = await follow(service, swap, { stepMs: STEP_MS })
    expectRefund(seen)
    expect(await changes()).toMatchObject({ refunded: AMOUNT - REFUND_FEE, delivered: 0n })
  })
})
