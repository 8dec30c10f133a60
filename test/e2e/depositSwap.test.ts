import { parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { balanceOf, pay } from '../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf, statesOf, statusOf } from '../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../scripts/client/tokens.ts'
import type { Quote, QuoteRequest } from '../../scripts/client/wire.ts'
import { expectFailure } from '../support/expectFailure.ts'
import { startService, type TestService } from '../support/service.ts'
import { ACCOUNT, allBut, BITCOIN_WALLET, DEPOSIT_SWAP, OTHER_EVM, SOLANA_WALLET } from '../support/swaps.ts'
import { EVM_HASH, HOUR_MS, MINUTE_MS, SOLANA_SIGNATURE, staysIn } from './support.ts'

const NATIVE_SOL = 'So11111111111111111111111111111111111111112'
const REFUND_BITCOIN = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'

/** The venue's whole cut without an API key: 20 bps, a millionth, and its spread of 650 millionths. */
const afterCut = (amount: bigint): bigint => (amount * (1_000_000n - 2_001n)) / 1_000_000n
const lessSpread = (amount: bigint): bigint => (amount * (1_000_000n - 650n)) / 1_000_000n
const least = (amount: string): string => ((BigInt(amount) * 9_900n) / 10_000n).toString()

const STEP_MS = 20_000

let service: TestService
beforeAll(async () => {
  service = await startService()
  await fund(service, 8453, ACCOUNT.address, { [NATIVE]: parseEther('10').toString() })
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const quote = (request: QuoteRequest) => service.call('quote', { body: { ...request, excludeVenues: allBut('near-intents') } })

const open = async (request: QuoteRequest, refundAddress?: string) => {
  const offer = await quote(request)
  expect(offer).toMatchObject({ venue: { id: 'near-intents' }, executable: true, fee: { bps: 0, amount: '0' } })
  const { quoteToken } = offer
  const { deposit, statusRef } = await executeAs(service, 'DEPOSIT', { quoteToken, ...(refundAddress && { refundAddress }) })
  expect(deposit).toMatchObject({ amount: request.inputAmount, chainId: request.inputChainId })
  expect(statusRef).toBe(deposit.address)
  return { offer, quoteToken, ref: statusRef, deposit }
}

/** 0.05 BTC to USDC on Base, its address ready to be paid. */
const openBitcoin = async (change: Partial<QuoteRequest> = {}) => {
  const swap = await open({ ...DEPOSIT_SWAP, ...change }, REFUND_BITCOIN)
  const send = (amount: string) => service.control.deposit({ chainId: -1, token: NATIVE, address: swap.ref, amount })
  return { ...swap, send, pay: () => send(swap.deposit.amount) }
}

type VenueView = {
  readonly quoteResponse: { readonly quoteRequest: { readonly refundTo: string; readonly recipient: string } }
  readonly swapDetails: { readonly refundedAmount: string; readonly refundReason: string | null }
}
const venueView = (ref: string) => service.control.askVenue<VenueView>('near-intents', `/v0/status?depositAddress=${ref}`)

const expectDelivery = (offer: Quote, { deliveredAmount }: { deliveredAmount?: string | undefined }): void => {
  expect(BigInt(deliveredAmount ?? 0)).toBeGreaterThanOrEqual(BigInt(offer.slippage?.guaranteedMin ?? 0))
}

describe('from Bitcoin', () => {
  it('is quoted, paid to an address and delivered, to the unit', async () => {
    const { offer, quoteToken, ref, deposit, pay: send } = await openBitcoin()
    // 0.05 BTC at 98400 dollars less the cut; 4 more millionths of depth; 3 cents to withdraw on Base.
    const gross = (((afterCut(5_000_000n) * 98_400_000_000n) / 10n ** 8n) * (1_000_000n - 654n)) / 1_000_000n
    const expected = (gross - 30_000n).toString()
    expect(offer).toMatchObject({
      routeType: 'NATIVE_BITCOIN',
      output: { amount: expected, token: { symbol: 'USDC', chainId: 8453 } },
      slippage: { bps: 101, isFirm: true, guaranteedMin: least(expected) },
      estimatedTimeSeconds: 812,
    })
    expect(offer.approval).toBeUndefined()
    expect(deposit.address).toMatch(/^bc1q[0-9a-z]{38}$/)
    expect(await statusOf(service, { quoteToken, ref })).toEqual({
      status: 'pending',
      venue: 'near-intents',
      venueStatus: 'PENDING_DEPOSIT',
    })

    expect(await send()).toMatchObject({ venue: 'near-intents', txHash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const seen = await follow(service, { quoteToken, ref }, { stepMs: STEP_MS })
    expect(seen.map(({ status, venueStatus }) => [status, venueStatus])).toEqual([
      ['processing', 'KNOWN_DEPOSIT_TX'],
      ['processing', 'PROCESSING'],
      ['success', 'SUCCESS'],
    ])
    expect(lastOf(seen)).toEqual({
      status: 'success',
      venue: 'near-intents',
      venueStatus: 'SUCCESS',
      deliveredAmount: expected,
      txHash: expect.stringMatching(EVM_HASH),
    })
    expect(await venueView(ref)).toMatchObject({
      quoteResponse: { quoteRequest: { refundTo: REFUND_BITCOIN, recipient: ACCOUNT.address } },
    })
  })

  it('is two swaps, each with an address of its own, when it is quoted twice', async () => {
    const [first, second] = [await openBitcoin(), await openBitcoin()]
    expect(second.ref).not.toBe(first.ref)
    await second.pay()
    await service.control.advance(HOUR_MS / 2)
    expect((await statusOf(service, first)).status).toBe('pending')
    expect((await statusOf(service, second)).status).toBe('success')
  })
})

describe('from an EVM wallet', () => {
  it('takes a token transfer, and delivers on Solana', async () => {
    await fund(service, 8453, ACCOUNT.address, { [USDC.base]: '250000000' })
    const { offer, quoteToken, ref, deposit } = await open({
      inputChainId: 8453,
      outputChainId: -2,
      inputToken: USDC.base,
      outputToken: NATIVE_SOL,
      inputAmount: '250000000',
      userAddress: ACCOUNT.address,
      destinationAddress: SOLANA_WALLET,
    })
    // 250 USDC at 171.20 dollars for a SOL, and 5 cents to withdraw, rounded up.
    const gross = lessSpread((afterCut(250_000_000n) * 10n ** 9n) / 171_200_000n)
    const expected = (gross - (50_000n * 10n ** 9n + 171_199_999n) / 171_200_000n).toString()
    expect(offer).toMatchObject({
      routeType: 'CROSS_ECOSYSTEM',
      output: { amount: expected },
      slippage: { guaranteedMin: least(expected) },
    })
    expect(offer.approval).toBeUndefined()

    const rpcUrl = service.control.rpcUrl(8453)
    const held = await balanceOf(rpcUrl, USDC.base, ACCOUNT.address)
    await pay(rpcUrl, { chainId: 8453, token: USDC.base, to: deposit.address, amount: deposit.amount })
    expect(held - (await balanceOf(rpcUrl, USDC.base, ACCOUNT.address))).toBe(250_000_000n)
    expect(await balanceOf(rpcUrl, USDC.base, deposit.address)).toBe(250_000_000n)

    const seen = await follow(service, { quoteToken, ref: ref.toLowerCase() }, { stepMs: 5_000 })
    expect(statesOf(seen)).toEqual(['processing', 'success'])
    expect(lastOf(seen)).toMatchObject({ deliveredAmount: expected, txHash: expect.stringMatching(SOLANA_SIGNATURE) })
    expect(await venueView(ref)).toMatchObject({
      quoteResponse: { quoteRequest: { refundTo: ACCOUNT.address, recipient: SOLANA_WALLET } },
    })
  })

  it('takes native coins, and delivers native Bitcoin', async () => {
    const { offer, quoteToken, ref, deposit } = await open({
      inputChainId: 8453,
      outputChainId: -1,
      inputToken: NATIVE,
      outputToken: 'BTC',
      inputAmount: parseEther('2').toString(),
      userAddress: ACCOUNT.address,
      destinationAddress: BITCOIN_WALLET,
    })
    await pay(service.control.rpcUrl(8453), { chainId: 8453, token: NATIVE, to: deposit.address, amount: deposit.amount })
    const end = lastOf(await follow(service, { quoteToken, ref }, { stepMs: STEP_MS }))
    expect(end).toMatchObject({
      status: 'success',
      deliveredAmount: offer.output.amount,
      txHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })
})

describe('from Solana', () => {
  it.each([
    ['SOL', NATIVE_SOL, '2000000000'],
    ['USDC', USDC.solana, '250000000'],
  ])('takes %s, and delivers to the recipient that execute binds', async (_symbol, inputToken, inputAmount) => {
    const offer = await quote({
      inputChainId: -2,
      outputChainId: 8453,
      inputToken,
      outputToken: NATIVE,
      inputAmount,
      userAddress: SOLANA_WALLET,
    })
    expect(offer).toMatchObject({ venue: { id: 'near-intents' }, executable: true })
    const { quoteToken } = offer
    const { deposit, statusRef: ref } = await executeAs(service, 'DEPOSIT', { quoteToken, destinationAddress: OTHER_EVM })
    expect(await venueView(ref)).toMatchObject({
      quoteResponse: { quoteRequest: { recipient: OTHER_EVM, refundTo: SOLANA_WALLET } },
    })
    const sent = await service.control.deposit({
      chainId: -2,
      token: inputToken,
      address: deposit.address,
      amount: deposit.amount,
    })
    expect(sent).toMatchObject({ venue: 'near-intents', txHash: expect.stringMatching(SOLANA_SIGNATURE) })
    const seen = await follow(service, { quoteToken, ref }, { stepMs: 5_000 })
    expect(statesOf(seen)).toEqual(['processing', 'success'])
    expect(lastOf(seen)).toMatchObject({ deliveredAmount: offer.output.amount, txHash: expect.stringMatching(EVM_HASH) })
  })
})

describe('a deposit of another amount', () => {
  it('is pending while it is short, and a success once the rest has come', async () => {
    const { offer, send, ...swap } = await openBitcoin()
    await send('3000000')
    await service.control.advance(MINUTE_MS)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'pending', venueStatus: 'INCOMPLETE_DEPOSIT' })
    await send('2000000')
    const end = lastOf(await follow(service, swap, { stepMs: STEP_MS }))
    expect(end.status).toBe('success')
    expectDelivery(offer, end)
  })

  it('goes back to the refund address when it stays short past the deadline', async () => {
    const { send, ...swap } = await openBitcoin()
    await send('3000000')
    const seen = await follow(service, swap, { stepMs: 5 * MINUTE_MS })
    expect(statesOf(seen)[0]).toBe('pending')
    expect(lastOf(seen)).toEqual({ status: 'refunded', venue: 'near-intents', venueStatus: 'REFUNDED' })
    expect(await venueView(swap.ref)).toMatchObject({
      quoteResponse: { quoteRequest: { refundTo: REFUND_BITCOIN } },
      swapDetails: { refundedAmount: (3_000_000 - 1_900).toString(), refundReason: 'PARTIAL_DEPOSIT' },
    })
  })

  it('delivers what was quoted when it is over, and sends the rest back', async () => {
    const { offer, send, ...swap } = await openBitcoin()
    await send('7500000')
    const end = lastOf(await follow(service, swap, { stepMs: STEP_MS }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: offer.output.amount })
    expect(await venueView(swap.ref)).toMatchObject({ swapDetails: { refundedAmount: (2_500_000 - 1_900).toString() } })
  })

  it('of another token is not seen at all', async () => {
    const swap = await open({
      inputChainId: 8453,
      outputChainId: -1,
      inputToken: USDC.base,
      outputToken: NATIVE,
      inputAmount: '250000000',
      userAddress: ACCOUNT.address,
      destinationAddress: BITCOIN_WALLET,
    })
    await pay(service.control.rpcUrl(8453), { chainId: 8453, token: NATIVE, to: swap.ref, amount: '250000000' })
    await service.control.advance(MINUTE_MS)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'pending', venueStatus: 'PENDING_DEPOSIT' })
  })
})

describe('a deposit at another time', () => {
  it('is expired when none came within the hour, and refunded when it comes after', async () => {
    const { pay: payNow, ...swap } = await openBitcoin()
    await service.control.advance(59 * MINUTE_MS)
    expect((await statusOf(service, swap)).status).toBe('pending')
    await service.control.advance(2 * MINUTE_MS)
    expect(await statusOf(service, swap)).toEqual({ status: 'expired', venue: 'near-intents', venueStatus: 'PENDING_DEPOSIT' })
    await payNow()
    const seen = await follow(service, swap, { stepMs: STEP_MS })
    expect(statesOf(seen)).toEqual(['processing', 'refunded'])
    expect(lastOf(seen)).toEqual({ status: 'refunded', venue: 'near-intents', venueStatus: 'REFUNDED' })
  })

  it('ends as refunded when it comes after the quote has gone and the price with it', async () => {
    const { pay: payNow, ...swap } = await openBitcoin()
    await service.control.advance(10 * MINUTE_MS)
    await service.control.setPrice('BTC', '90000')
    await payNow()
    await service.control.setPrice('BTC', '98400')
    const seen = await follow(service, swap, { stepMs: MINUTE_MS })
    expect(statesOf(seen)).toEqual(['processing', 'refunded'])
    expect(await venueView(swap.ref)).toMatchObject({ swapDetails: { refundReason: 'AMOUNT_LESS_THAN_MIN_AMOUNT_OUT' } })
  })

  it('shares in a price that got better since', async () => {
    const { offer, pay: payNow, ...swap } = await openBitcoin()
    await service.control.setPrice('BTC', '99400')
    await payNow()
    await service.control.setPrice('BTC', '98400')
    const { status, deliveredAmount } = lastOf(await follow(service, swap, { stepMs: STEP_MS }))
    expect(status).toBe('success')
    expect(BigInt(deliveredAmount ?? 0)).toBeGreaterThan(BigInt(offer.output.amount))
  })
})

describe('a swap that goes wrong', () => {
  it('is refunded when nobody fills it', async () => {
    const { pay: payNow, ...swap } = await openBitcoin()
    await service.control.fault('near-intents', 'never-fills')
    await payNow()
    await service.control.clearFaults()
    const seen = await follow(service, swap, { stepMs: 10 * MINUTE_MS })
    expect(statesOf(seen)).toEqual(['processing', 'refunded'])
    for (const { deliveredAmount, txHash } of seen) expect([deliveredAmount, txHash]).toEqual([undefined, undefined])
  })

  it('ends as failed when the venue says so', async () => {
    const { pay: payNow, ...swap } = await openBitcoin()
    await service.control.fault('near-intents', 'fails')
    await payNow()
    await service.control.clearFaults()
    expect(lastOf(await follow(service, swap, { stepMs: STEP_MS }))).toEqual({
      status: 'failed',
      venue: 'near-intents',
      venueStatus: 'FAILED',
    })
  })

  it.each(['lying-success', 'short-fill'] as const)(
    'stays processing with the fault %s, however long it is polled',
    async (fault) => {
      const { pay: payNow, ...swap } = await openBitcoin()
      await service.control.fault('near-intents', fault)
      await payNow()
      await service.control.clearFaults()
      await follow(service, swap, { stepMs: STEP_MS, until: 'processing' })
      expect(await staysIn(service, swap, 'processing')).toMatchObject({ venueStatus: 'SUCCESS' })
    },
  )

  it('is no success by a status nobody documented, and ends once the venue speaks sense again', async () => {
    const { offer, pay: payNow, ...swap } = await openBitcoin()
    await payNow()
    expect((await statusOf(service, swap)).status).toBe('processing')
    await service.control.fault('near-intents', 'unknown-status')
    expect(await staysIn(service, swap, 'processing')).toMatchObject({ venueStatus: 'SOLVER_REVIEW' })
    await service.control.clearFaults()
    expect(await statusOf(service, swap)).toMatchObject({ status: 'success', deliveredAmount: offer.output.amount })
  })
})

describe('a venue that goes away', () => {
  it('after the quote: execute asks for a fresh one', async () => {
    const { quoteToken } = await quote(DEPOSIT_SWAP)
    await service.control.fault('near-intents', 'halt')
    const answer = await service.send('POST', '/api/v1/execute', { body: { quoteToken } })
    expect(expectFailure(answer, 410, 'QUOTE_EXPIRED')).toMatchObject({ venue: 'near-intents' })
  })

  it('while the swap is polled: the last known state is told, and the end once it is back', async () => {
    const { pay: payNow, ...swap } = await openBitcoin()
    await payNow()
    const last = await statusOf(service, swap)
    await service.control.fault('near-intents', 'reset')
    await service.control.advance(HOUR_MS)
    expect(await statusOf(service, swap)).toEqual(last)
    await service.control.clearFaults()
    expect((await statusOf(service, swap)).status).toBe('success')
  })
})
