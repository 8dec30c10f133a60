import { parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { watch } from '../../../scripts/client/balances.ts'
import { approveAll, broadcast } from '../../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../../scripts/client/wire.ts'
import { expectFailure } from '../../support/expectFailure.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { ACCOUNT, allBut, TRANSACTION_SWAP } from '../../support/swaps.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'

/** What deBridge does otherwise than other bridges: a flat fee beside the input, no sandbox, and fees that are paid with the solver. */

const FEE_RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const REFUND = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
const SOURCE = '0xeF4fB24aD0916217251F553c0596F8Edc630EB66'
const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
const FLAT_FEE = 10n ** 15n

let service: TestService
beforeAll(async () => {
  service = await startService({ ...only('debridge'), VENUE_DEBRIDGE_FEE_RECIPIENT: FEE_RECIPIENT, FEE_SCHEDULE: 'route' })
  await fund(service, 8453, ACCOUNT.address, { [NATIVE]: parseEther('50').toString(), [USDC.base]: '5000000000' })
  await approveAll(base(), { chainId: 8453, token: USDC.base, spender: SOURCE })
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const base = () => service.control.rpcUrl(8453)
const quote = (change: Partial<QuoteRequest> = {}) =>
  service.call('quote', { body: { ...TRANSACTION_SWAP, excludeVenues: allBut('debridge'), ...change } })

it('tells the flat fee, counts it into the coins that are needed, and executes nothing for a sandbox', async () => {
  const { quoteToken, venueFee, gas } = await quote({ sandbox: true })
  expect(venueFee).toEqual({ native: FLAT_FEE.toString(), nativeSymbol: 'ETH' })
  expect(BigInt(gas?.native ?? FLAT_FEE)).toBeGreaterThanOrEqual(FLAT_FEE)
  const answer = await service.send('POST', '/api/v1/execute', { body: { quoteToken } })
  expectFailure(answer, 500, 'INTERNAL')
  expect(JSON.stringify(answer.body)).toMatch(/deBridge/i)
})

it('pays the fee of the integrator out of the input once the solver is paid, and not before', async () => {
  const offer = await quote()
  const { transaction } = await executeAs(service, 'TRANSACTION', { quoteToken: offer.quoteToken })
  const changes = await watch(service, { fee: { chainId: 8453, token: USDC.base, owner: FEE_RECIPIENT } })
  const ref = await broadcast(base(), transaction)
  const end = lastOf(await follow(service, { quoteToken: offer.quoteToken, ref }, { stepMs: 3_000 }))
  expect([end.status, end.deliveredAmount]).toEqual(['success', offer.output.amount])
  await service.control.advance(2 * MINUTE_MS)
  expect(offer.fee.bps).toBeGreaterThan(0)
  expect(await changes()).toEqual({ fee: (250_000_000n * BigInt(offer.fee.bps)) / 10_000n })
})

it('gives back what was swapped before the order as what the order held, and tells so', async () => {
  const amount = parseEther('1000').toString()
  const rpcUrl = service.control.rpcUrl(42161)
  await fund(service, 42161, ACCOUNT.address, { [NATIVE]: parseEther('1').toString(), [ARB]: amount })
  const onArbitrum = { inputChainId: 42161, inputToken: ARB, inputAmount: amount } as const
  const { quoteToken } = await quote({ ...onArbitrum, outputChainId: 8453, outputToken: USDC.base, refundAddress: REFUND })
  const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
  if (approval) await broadcast(rpcUrl, approval.transaction)
  const changes = await watch(service, {
    paid: { chainId: 42161, token: ARB, owner: ACCOUNT.address },
    inKind: { chainId: 42161, token: ARB, owner: REFUND },
    back: { chainId: 42161, token: USDC.arbitrum, owner: REFUND },
    delivered: { chainId: 8453, token: USDC.base, owner: ACCOUNT.address },
  })
  await service.control.fault('debridge', 'never-fills')
  const ref = await broadcast(rpcUrl, transaction)
  const seen = await follow(service, { quoteToken, ref }, { stepMs: 10 * MINUTE_MS })
  expect(seen.map(({ status }) => status)).toEqual(['processing', 'expired', 'refunded'])
  const { payments: [input, refund] = [] } = lastOf(seen)
  expect([input, refund]).toMatchObject([
    { kind: 'input', token: USDC.arbitrum },
    { kind: 'refund', token: USDC.arbitrum, amount: input?.amount },
  ])
  await service.control.advance(HOUR_MS)
  expect(await changes()).toEqual({ paid: -BigInt(amount), inKind: 0n, back: BigInt(input?.amount ?? 0), delivered: 0n })
})

it('gives coins of an order that was cancelled back with every fee', async () => {
  const amount = parseEther('1')
  const coins = { inputToken: NATIVE, inputAmount: amount.toString(), outputToken: NATIVE, refundAddress: REFUND }
  const { quoteToken } = await quote(coins)
  const { transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
  expect(BigInt(transaction.value)).toBe(amount + FLAT_FEE)
  const changes = await watch(service, { back: { chainId: 8453, token: NATIVE, owner: REFUND } })
  await service.control.fault('debridge', 'never-fills')
  const ref = await broadcast(base(), transaction)
  const seen = await follow(service, { quoteToken, ref }, { stepMs: 10 * MINUTE_MS })
  expect(seen.map(({ status }) => status)).toEqual(['processing', 'expired', 'refunded'])
  expect(lastOf(seen).payments?.[1]).toMatchObject({ kind: 'refund', amount: amount.toString(), token: NATIVE })
  await service.control.advance(HOUR_MS)
  expect(await changes()).toEqual({ back: amount + FLAT_FEE })
})
