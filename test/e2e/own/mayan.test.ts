import { keccak256, parseEther, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { watch } from '../../../scripts/client/balances.ts'
import { broadcast } from '../../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf, statesOf, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../../scripts/client/wire.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'

/** Orders that nobody fills, and what comes back of them. */

let service: TestService
beforeAll(async () => {
  service = await startService(only('mayan'))
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const base = () => service.control.rpcUrl(8453)
const FEES = 9_702n
const FEES_IN_ETHER = 2_460_000_000_000n

let wallets = 0
const newKey = (): PrivateKeyAccount => {
  wallets += 1
  return privateKeyToAccount(keccak256(toHex(`mayan ${wallets}`)))
}

const bodyOf = (account: PrivateKeyAccount, inputToken: string, inputAmount: string): QuoteRequest => ({
  ...{ inputChainId: 8453, inputToken, inputAmount, outputChainId: 42161, outputToken: USDC.arbitrum },
  ...{ userAddress: account.address, destinationAddress: newKey().address, refundAddress: newKey().address },
})

/** A swap that only remains to be paid. */
const open = async (inputToken: string, inputAmount: string) => {
  const account = newKey()
  await fund(service, 8453, account.address, { [NATIVE]: parseEther('5').toString(), [USDC.base]: '1000000000' })
  const body = bodyOf(account, inputToken, inputAmount)
  const { quoteToken } = await service.call('quote', { body })
  const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
  if (approval) await broadcast(base(), approval.transaction, account)
  const changes = await watch(service, {
    refunded: { chainId: 8453, token: inputToken, owner: body.refundAddress ?? '' },
    delivered: { chainId: 42161, token: USDC.arbitrum, owner: body.destinationAddress ?? '' },
  })
  return { quoteToken, changes, pay: () => broadcast(base(), transaction, account) }
}

it('paid after its deadline is taken, and given back less the two fees', async () => {
  const swap = await open(USDC.base, '250000000')
  await service.control.advance(2 * HOUR_MS)
  const ref = await swap.pay()
  const seen = await follow(service, { quoteToken: swap.quoteToken, ref }, { stepMs: MINUTE_MS })
  expect(statesOf(seen)).toEqual(['expired', 'refunded'])
  expect(await swap.changes()).toEqual({ refunded: 250_000_000n - FEES, delivered: 0n })
})

it('mayan: ether comes back as ether, and its refund is told in ether', async () => {
  const swap = await open(NATIVE, parseEther('1').toString())
  await service.control.fault('mayan', 'never-fills')
  const ref = await swap.pay()
  const seen = await follow(service, { quoteToken: swap.quoteToken, ref }, { stepMs: 30 * MINUTE_MS })
  const { payments = [] } = lastOf(seen)
  const [input, refund] = payments
  expect(lastOf(seen).status).toBe('refunded')
  expect([input, refund]).toMatchObject([
    { kind: 'input', token: NATIVE, amount: parseEther('1').toString() },
    { kind: 'refund', token: NATIVE },
  ])
  const refunded = parseEther('1') - FEES_IN_ETHER
  expect(BigInt(refund?.amount ?? 0)).toBe(refunded)
  expect(await swap.changes()).toEqual({ refunded, delivered: 0n })
})

it('an order is placed once: sent again it reverts, and nothing is taken', async () => {
  const swap = await open(USDC.base, '250000000')
  const ref = await swap.pay()
  await expect(swap.pay()).rejects.toThrow()
  await follow(service, { quoteToken: swap.quoteToken, ref }, { stepMs: 3_000 })
  expect((await statusOf(service, { quoteToken: swap.quoteToken, ref })).status).toBe('success')
})
