import { encodeFunctionData, erc20Abi, type Hex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { allowanceOf, broadcast } from '../../../scripts/client/evm.ts'
import { executeAs, fund, statusOf } from '../../../scripts/client/swap.ts'
import { NATIVE } from '../../../scripts/client/tokens.ts'
import { only, startService } from '../../support/service.ts'
import { HOUR_MS } from '../support.ts'

const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const OWNER = privateKeyToAccount(`0x${'17'.repeat(32)}`)

it('a swap of USDT to coins resets its allowance first, leaves none, and is a success a week later at a pruned node', async () => {
  const service = await startService(only('zerox'))
  const rpcUrl = service.control.rpcUrl(1)
  await fund(service, 1, OWNER.address, { [NATIVE]: parseEther('1').toString(), [USDT]: '1000000000' })
  const swap = { inputChainId: 1, inputToken: USDT, inputAmount: '1000000000', outputChainId: 1, outputToken: NATIVE } as const
  const { quoteToken, approval: quoted, output } = await service.call('quote', { body: { ...swap, userAddress: OWNER.address } })
  const spender = (quoted?.spender ?? '0x') as Hex
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 1n] })
  await broadcast(rpcUrl, { chainId: 1, to: USDT, data, value: '0' }, OWNER)
  const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
  expect(approval).toMatchObject({ spender, amount: '1000000000', reset: { to: USDT } })
  if (!approval?.reset) throw new Error('no reset')
  for (const step of [approval.reset, approval.transaction]) await broadcast(rpcUrl, step, OWNER)
  const ref = await broadcast(rpcUrl, transaction, OWNER)
  expect(await allowanceOf(rpcUrl, { token: USDT, owner: OWNER.address, spender })).toBe(0n)
  await service.control.fault('chain:1', 'prunes-state')
  await service.control.advance(7 * 24 * HOUR_MS)
  expect(await statusOf(service, { quoteToken, ref })).toMatchObject({
    status: 'success',
    deliveredAmount: output.amount,
    payments: [
      { kind: 'input', amount: '1000000000', txHash: ref },
      { kind: 'output', amount: output.amount, txHash: ref },
    ],
  })
  await service.close()
})
