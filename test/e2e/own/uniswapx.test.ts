import { encodeFunctionData, erc20Abi, type Hex, parseEther, type TypedDataDefinition } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { allowanceOf, balanceOf, broadcast } from '../../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf, statesOf, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../../scripts/client/wire.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { ACCOUNT } from '../../support/swaps.ts'
import { MINUTE_MS } from '../support.ts'

const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const STEP_MS = 3_000

let service: TestService
beforeAll(async () => {
  service = await startService(only('uniswapx'))
  for (const chainId of [1, 42161]) await fund(service, chainId, ACCOUNT.address, { [NATIVE]: parseEther('100').toString() })
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const rpcUrl = (chainId = 1) => service.control.rpcUrl(chainId)
const held = (token: string, owner: string, chainId = 1) => balanceOf(rpcUrl(chainId), token, owner)

const SALE: QuoteRequest = {
  ...{ inputChainId: 1, outputChainId: 1, inputToken: USDC.ethereum, outputToken: WETH_ETHEREUM },
  ...{ inputAmount: '2000000000', userAddress: ACCOUNT.address },
}

const quote = (change: Partial<QuoteRequest> = {}) => service.call('quote', { body: { ...SALE, ...change } })
const submit = (body: { quoteToken: string; signature: Hex }) => service.call('submitSignature', { body })
const approve = (token: string, amount: bigint) => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [PERMIT2, amount] })
  return broadcast(rpcUrl(), { chainId: 1, to: token, data, value: '0' })
}

/** Funded, executed, approved as the service says, signed and submitted. */
const placed = async (change: Partial<QuoteRequest> = {}) => {
  const { inputChainId: chainId, inputToken, inputAmount } = { ...SALE, ...change }
  await fund(service, chainId, ACCOUNT.address, { [inputToken]: inputAmount })
  const offer = await quote(change)
  const { quoteToken } = offer
  const { typedData, approval } = await executeAs(service, 'SIGNATURE', { quoteToken })
  for (const step of [approval?.reset, approval?.transaction]) if (step) await broadcast(rpcUrl(chainId), step)
  const signature = await ACCOUNT.signTypedData(typedData as unknown as TypedDataDefinition)
  const { statusRef } = await submit({ quoteToken, signature })
  return { offer, approval, signature, quoteToken, ref: statusRef }
}

describe('an order of UniswapX', () => {
  it('for a token that resets its allowances is approved in two steps, exactly, and nothing stays allowed', async () => {
    await approve(USDT, 5n)
    const { approval, ...swap } = await placed({ inputToken: USDT })
    expect(approval).toMatchObject({ spender: PERMIT2, amount: '2000000000', reset: { to: USDT } })
    const end = lastOf(await follow(service, swap, { stepMs: STEP_MS }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: swap.offer.output.amount })
    expect(await allowanceOf(rpcUrl(), { token: USDT, owner: ACCOUNT.address, spender: PERMIT2 })).toBe(0n)
  })

  it('for coins delivers all that was quoted, and tells of the minimum that its contract vouches for', async () => {
    const before = await held(NATIVE, ACCOUNT.address, 42161)
    const swap = await placed({
      ...{ inputChainId: 42161, outputChainId: 42161, inputToken: USDC.arbitrum, outputToken: NATIVE },
    })
    const paid = await held(NATIVE, ACCOUNT.address, 42161)
    const end = lastOf(await follow(service, swap, { stepMs: STEP_MS }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: swap.offer.slippage?.guaranteedMin })
    expect((await held(NATIVE, ACCOUNT.address, 42161)) - paid).toBe(BigInt(swap.offer.output.amount))
    expect(paid).toBeLessThanOrEqual(before)
  })

  it('stays open when the approval was taken back, and fails when it does not return; else it is filled', async () => {
    const lost = await placed()
    await approve(USDC.ethereum, 0n)
    const seen = await follow(service, lost, { stepMs: MINUTE_MS })
    expect(statesOf(seen)).toEqual(['pending', 'failed'])
    expect(seen.map(({ venueStatus }) => venueStatus)).toContain('insufficient-funds')
    const kept = await placed()
    await approve(USDC.ethereum, 0n)
    await service.control.advance(MINUTE_MS)
    expect((await statusOf(service, kept)).status).toBe('pending')
    await approve(USDC.ethereum, 2_000_000_000n)
    expect(lastOf(await follow(service, kept, { stepMs: STEP_MS })).status).toBe('success')
  })
})
