import { parseEther } from 'viem'
import { describe, expect, it } from 'vitest'
import { zerox } from '../../../engine/venues/zerox/venue.ts'
import { allowanceOf, broadcast } from '../../../scripts/client/evm.ts'
import { executeAs, follow, lastOf } from '../../../scripts/client/swap.ts'
import { USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { createSwappers, describeAtOnce } from './atOnce.ts'

/** What 0x's contracts hold a swap to, what a signature costs, and what is told of either. */

const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const AMOUNTS: { readonly [token: string]: string } = {
  [DAI]: parseEther('1000').toString(),
  [USDC.ethereum]: '1000000000',
  [USDT]: '1000000000',
}

const swappers = createSwappers('zerox')
const { service, rpcUrl } = swappers
const quoted = (inputToken: string, outputToken: string) => swappers.quoted(inputToken, AMOUNTS[inputToken] ?? '', outputToken)
type Quoted = Awaited<ReturnType<typeof quoted>>

describeAtOnce(swappers, {
  definition: zerox,
  input: [DAI, AMOUNTS[DAI] ?? ''],
  // TooMuchSlippage(address,uint256,uint256)
  tooLittle: /97a6f3b9/,
  // SignatureExpired(uint256)
  tooLate: /cd21db4f/,
})

it('resets the allowance of a token that refuses to change one, allows exactly the input, and leaves none', async () => {
  const { account, quoteToken } = await quoted(USDT, WETH_ETHEREUM)
  const holder = '0x0000000000001fF3684f28c67538d4D072C22734'
  const approve = `0x095ea7b3${holder.slice(2).toLowerCase().padStart(64, '0')}${'1'.padStart(64, '0')}`
  await broadcast(rpcUrl(), { chainId: 1, to: USDT, data: approve, value: '0' }, account)
  const { approval, transaction } = await executeAs(service(), 'TRANSACTION', { quoteToken })
  expect(approval).toMatchObject({ spender: holder, amount: AMOUNTS[USDT], reset: { to: USDT } })
  if (!approval?.reset) throw new Error('no reset')
  for (const step of [approval.reset, approval.transaction]) await broadcast(rpcUrl(), step, account)
  const ref = await broadcast(rpcUrl(), transaction, account)
  expect(lastOf(await follow(service(), { quoteToken, ref }, { stepMs: 1_000 })).status).toBe('success')
  expect(await allowanceOf(rpcUrl(), { token: USDT, owner: account.address, spender: holder })).toBe(0n)
})

describe('a signed trade', () => {
  const sign = async ({ account }: Pick<Quoted, 'account'>, typedData: unknown) => account.signTypedData(typedData as never)

  it('asks for no approval where a permit goes with it, costs no gas, and leaves no allowance', async () => {
    const swap = await quoted(USDC.ethereum, WETH_ETHEREUM)
    const execution = await executeAs(service(), 'SIGNATURE', { quoteToken: swap.quoteToken })
    expect([swap.offer.approval, execution.approval]).toEqual([undefined, undefined])
    expect(execution.approvalData).toMatchObject({
      domain: { name: 'USD Coin', version: '2', chainId: 1, verifyingContract: USDC.ethereum },
      primaryType: 'Permit',
      message: { spender: PERMIT2.toLowerCase(), value: AMOUNTS[USDC.ethereum] },
    })
    const changes = await swap.changes()
    const body = {
      quoteToken: swap.quoteToken,
      signature: await sign(swap, execution.typedData),
      approvalSignature: await sign(swap, execution.approvalData),
    }
    const { statusRef } = await service().call('submitSignature', { body })
    expect((await service().call('submitSignature', { body })).statusRef).toBe(statusRef)
    const end = lastOf(await follow(service(), { quoteToken: swap.quoteToken, ref: statusRef }, { stepMs: 2_000 }))
    expect(end).toMatchObject({ status: 'success', deliveredAmount: swap.offer.output.amount })
    expect(await changes()).toEqual({ paid: -1_000_000_000n, coins: 0n, delivered: BigInt(swap.offer.output.amount) })
    expect(await allowanceOf(rpcUrl(), { token: USDC.ethereum, owner: swap.account.address, spender: PERMIT2 })).toBe(0n)
  })

  it('needs no permit where Permit2 may take the input already', async () => {
    const { account, ...first } = await quoted(USDC.ethereum, WETH_ETHEREUM)
    const approve = `0x095ea7b3${PERMIT2.slice(2).toLowerCase().padStart(64, '0')}${(2n ** 200n).toString(16).padStart(64, '0')}`
    await broadcast(rpcUrl(), { chainId: 1, to: USDC.ethereum, data: approve, value: '0' }, account)
    const execution = await executeAs(service(), 'SIGNATURE', { quoteToken: first.quoteToken })
    expect([execution.approval, execution.approvalData]).toEqual([undefined, undefined])
  })
})
