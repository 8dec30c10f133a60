import {
  encodeAbiParameters,
  getAddress,
  hashTypedData,
  keccak256,
  parseAbi,
  parseEventLogs,
  type TypedDataDefinition,
} from 'viem'
import { expect, it } from 'vitest'
import { balanceOf, receiptOf } from '../../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf } from '../../../scripts/client/swap.ts'
import { USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { only, startService } from '../../support/service.ts'
import { ACCOUNT, SIGNATURE_SWAP } from '../../support/swaps.ts'
import { createPayers } from './payments/payers.ts'

const SETTLEMENT = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41'
const TRADE = parseAbi([
  'event Trade(address indexed owner, address sellToken, address buyToken, uint256 sellAmount, uint256 buyAmount, uint256 feeAmount, bytes orderUid)',
])

it('CoW: a contract wallet approves, signs by EIP-1271, and receives the output of its order', async () => {
  const service = await startService(only('cow'))
  const rpcUrl = service.control.rpcUrl(1)
  const { address, pay } = await createPayers(service, 1).newPayer('a contract wallet')
  await fund(service, 1, address, { [USDC.ethereum]: '1000000000' })
  const { quoteToken, output } = await service.call('quote', { body: { ...SIGNATURE_SWAP, userAddress: address } })
  const { approval, typedData } = await executeAs(service, 'SIGNATURE', { quoteToken })
  if (!approval) throw new Error('no approval')
  await pay([approval.transaction])
  expect(typedData.message).toMatchObject({ receiver: expect.stringMatching(new RegExp(address, 'i')) })

  const digest = hashTypedData(typedData as unknown as TypedDataDefinition)
  const bound = encodeAbiParameters([{ type: 'bytes32' }, { type: 'address' }], [digest, address])
  // Of 66 bytes: it recovers to no account.
  const signature = `0x01${(await ACCOUNT.sign({ hash: keccak256(bound) })).slice(2)}`
  const { statusRef } = await service.call('submitSignature', { body: { quoteToken, signature } })
  const orderUid = statusRef.replace('mainnet:', '')
  const order = await service.control.askVenue<object>('cow', `/mainnet/api/v1/orders/${orderUid}`)
  expect(order).toMatchObject({ owner: address.toLowerCase(), signingScheme: 'eip1271', signature })
  const end = lastOf(await follow(service, { quoteToken, ref: statusRef }, { stepMs: 1_500 }))
  expect(end).toMatchObject({ status: 'success', deliveredAmount: output.amount })
  expect(await balanceOf(rpcUrl, WETH_ETHEREUM, address)).toBe(BigInt(output.amount))
  expect(await balanceOf(rpcUrl, USDC.ethereum, address)).toBe(0n)
  const logs = (await receiptOf(rpcUrl, end.txHash)).logs.filter((log) => getAddress(log.address) === SETTLEMENT)
  expect(parseEventLogs({ abi: TRADE, logs }).map(({ args }) => args)).toMatchObject([
    { owner: getAddress(address), sellAmount: 1_000_000_000n, orderUid },
  ])
  await service.close()
})
