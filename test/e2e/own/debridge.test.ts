import { parseEther } from 'viem'
import { expect, it } from 'vitest'
import { watch } from '../../../scripts/client/balances.ts'
import { broadcast } from '../../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf } from '../../../scripts/client/swap.ts'
import { NATIVE } from '../../../scripts/client/tokens.ts'
import { only, startService } from '../../support/service.ts'
import { ACCOUNT, TRANSACTION_SWAP } from '../../support/swaps.ts'
import { HOUR_MS, MINUTE_MS } from '../support.ts'

const REFUND = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
const FLAT_FEE = 10n ** 15n

it('deBridge: a cancelled order in coins returns the coins and the flat fee', async () => {
  const service = await startService(only('debridge'))
  const amount = parseEther('1')
  await fund(service, 8453, ACCOUNT.address, { [NATIVE]: parseEther('2').toString() })
  const coins = { inputToken: NATIVE, inputAmount: amount.toString(), outputToken: NATIVE, refundAddress: REFUND }
  const { quoteToken } = await service.call('quote', { body: { ...TRANSACTION_SWAP, excludeVenues: [], ...coins } })
  const { transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
  expect(BigInt(transaction.value)).toBe(amount + FLAT_FEE)
  const changes = await watch(service, { back: { chainId: 8453, token: NATIVE, owner: REFUND } })
  await service.control.fault('debridge', 'never-fills')
  const ref = await broadcast(service.control.rpcUrl(8453), transaction)
  const seen = await follow(service, { quoteToken, ref }, { stepMs: 10 * MINUTE_MS })
  expect(seen.map(({ status }) => status)).toEqual(['processing', 'expired', 'refunded'])
  expect(lastOf(seen).payments?.[1]).toMatchObject({ kind: 'refund', amount: amount.toString(), token: NATIVE })
  await service.control.advance(HOUR_MS)
  expect(await changes()).toEqual({ back: amount + FLAT_FEE })
  await service.close()
})
