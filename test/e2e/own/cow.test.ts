import { createPublicClient, getAddress, type Hex, http, parseAbi, parseEventLogs, type TypedDataDefinition } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { balanceOf } from '../../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf } from '../../../scripts/client/swap.ts'
import { USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { SIGNATURE_SWAP } from '../../support/swaps.ts'
import { deployContractWallet } from './contractWallet.ts'

const SETTLEMENT = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41'
const TRADE = parseAbi([
  'event Trade(address indexed owner, address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, uint256 feeAmount, bytes orderUid)',
])

let service: TestService
beforeAll(async () => {
  service = await startService(only('cow'))
})
afterAll(() => service.close())

it('CoW: a contract wallet approves, signs by EIP-1271, and receives the output of its order', async () => {
  const rpcUrl = service.control.rpcUrl(1)
  const wallet = await deployContractWallet(rpcUrl, 1)
  await fund(service, 1, wallet.address, { [USDC.ethereum]: '1000000000' })
  const { quoteToken, output } = await service.call('quote', { body: { ...SIGNATURE_SWAP, userAddress: wallet.address } })
  const { approval, typedData } = await executeAs(service, 'SIGNATURE', { quoteToken })
  if (!approval) throw new Error('no approval')
  await wallet.execute(approval.transaction)
  expect(typedData.message).toMatchObject({ receiver: expect.stringMatching(new RegExp(wallet.address, 'i')) })

  const signature = await wallet.signTypedData(typedData as unknown as TypedDataDefinition)
  const { statusRef } = await service.call('submitSignature', { body: { quoteToken, signature } })
  const orderUid = statusRef.replace('mainnet:', '')
  const order = await service.control.askVenue<object>('cow', `/mainnet/api/v1/orders/${orderUid}`)
  expect(order).toMatchObject({ owner: wallet.address.toLowerCase(), signingScheme: 'eip1271', signature })
  const end = lastOf(await follow(service, { quoteToken, ref: statusRef }, { stepMs: 1_500 }))
  expect(end).toMatchObject({ status: 'success', deliveredAmount: output.amount })
  expect(await balanceOf(rpcUrl, WETH_ETHEREUM, wallet.address)).toBe(BigInt(output.amount))
  expect(await balanceOf(rpcUrl, USDC.ethereum, wallet.address)).toBe(0n)
  const { logs } = await createPublicClient({ transport: http(rpcUrl) }).getTransactionReceipt({ hash: end.txHash as Hex })
  const trades = parseEventLogs({ abi: TRADE, logs: logs.filter(({ address }) => getAddress(address) === SETTLEMENT) })
  expect(trades.map(({ args }) => args)).toMatchObject([
    { owner: getAddress(wallet.address), sellAmount: 1_000_000_000n, orderUid },
  ])
})
