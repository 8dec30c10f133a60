import { parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { pay, receiptOf } from '../../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf, statesOf, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import type { Quote, QuoteRequest } from '../../../scripts/client/wire.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { ACCOUNT, allBut, BITCOIN_WALLET, DEPOSIT_SWAP, SOLANA_WALLET } from '../../support/swaps.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'

const REFUND_BITCOIN = 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3'

const STEP_MS = 20_000

let service: TestService
beforeAll(async () => {
  service = await startService(only('near-intents'))
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
  readonly swapDetails: {
    readonly refundedAmount: string
    readonly refundReason: string | null
    readonly originChainTxHashes: readonly { readonly hash: string }[]
    readonly destinationChainTxHashes: readonly { readonly hash: string }[]
  }
}
const venueView = (ref: string) => service.control.askVenue<VenueView>('near-intents', `/v0/status?depositAddress=${ref}`)

const expectDelivery = (offer: Quote, { deliveredAmount }: { deliveredAmount?: string | undefined }): void => {
  expect(BigInt(deliveredAmount ?? 0)).toBeGreaterThanOrEqual(BigInt(offer.slippage?.guaranteedMin ?? 0))
}

describe('what the venue is asked for', () => {
  it('names who is paid and who is refunded, and it names the transactions of both sides', async () => {
    const { pay: payNow, ...swap } = await openBitcoin()
    const { txHash: paid } = await payNow()
    await service.control.advance(HOUR_MS)
    const { txHash } = await statusOf(service, swap)
    const { quoteResponse, swapDetails } = await venueView(swap.ref)
    expect(quoteResponse.quoteRequest).toMatchObject({ refundTo: REFUND_BITCOIN, recipient: ACCOUNT.address })
    expect(swapDetails.originChainTxHashes.map(({ hash }) => hash)).toEqual([paid])
    expect(swapDetails.destinationChainTxHashes.map(({ hash }) => hash)).toEqual([txHash])
  })

  it('is found by an address in small letters too', async () => {
    await fund(service, 8453, ACCOUNT.address, { [USDC.base]: '250000000' })
    const { ref, quoteToken, deposit } = await open({
      ...{ inputChainId: 8453, outputChainId: -2, inputToken: USDC.base, outputToken: USDC.solana, inputAmount: '250000000' },
      ...{ userAddress: ACCOUNT.address, destinationAddress: SOLANA_WALLET },
    })
    await pay(service.control.rpcUrl(8453), { chainId: 8453, token: USDC.base, to: deposit.address, amount: deposit.amount })
    const seen = await follow(service, { quoteToken, ref: ref.toLowerCase() }, { stepMs: 5_000 })
    expect(statesOf(seen)).toEqual(['processing', 'success'])
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
    expect(lastOf(seen)).toMatchObject({ status: 'refunded', venue: 'near-intents', venueStatus: 'REFUNDED' })
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
  it('is waited for when none came within the hour, and refunded when it comes after', async () => {
    const { pay: payNow, ...swap } = await openBitcoin()
    await service.control.advance(59 * MINUTE_MS)
    expect((await statusOf(service, swap)).status).toBe('pending')
    await service.control.advance(2 * MINUTE_MS)
    expect(await statusOf(service, swap)).toEqual({ status: 'pending', venue: 'near-intents', venueStatus: 'PENDING_DEPOSIT' })
    await payNow()
    const seen = await follow(service, swap, { stepMs: STEP_MS })
    // The venue names no transaction: until the chain shows the refund, it is owed.
    expect(statesOf(seen)).toEqual(['processing', 'expired', 'refunded'])
    expect(lastOf(seen)).toMatchObject({ status: 'refunded', venue: 'near-intents', venueStatus: 'REFUNDED' })
  })
})

describe('a lie', () => {
  it('names a transaction of no chain', async () => {
    const { pay: payNow, ...swap } = await openBitcoin()
    await service.control.fault('near-intents', 'lying-success')
    await payNow()
    await service.control.advance(HOUR_MS)
    expect(await statusOf(service, swap)).toMatchObject({ status: 'processing', venueStatus: 'SUCCESS' })
    const [named] = (await venueView(swap.ref)).swapDetails.destinationChainTxHashes
    await expect(receiptOf(service.control.rpcUrl(8453), named?.hash)).rejects.toThrow('could not be found')
  })
})
