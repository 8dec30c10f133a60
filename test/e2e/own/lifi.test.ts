import { parseEther } from 'viem'
import { expect, it } from 'vitest'
import { watch } from '../../../scripts/client/balances.ts'
import { broadcast } from '../../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf, statesOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { only, startService } from '../../support/service.ts'
import { ACCOUNT } from '../../support/swaps.ts'
import { MINUTE_MS } from '../support.ts'

const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'

it('LI.FI: an input that was exchanged before its unfilled bridge is refunded as the token that was bridged', async () => {
  const service = await startService({ ...only('lifi'), VENUE_LIFI_DENY_BRIDGES: 'polymer,polymerStandard' })
  const amount = parseEther('1000')
  const [rpcUrl, owner] = [service.control.rpcUrl(42161), ACCOUNT.address]
  await fund(service, 42161, owner, { [NATIVE]: parseEther('1').toString(), [ARB]: `${amount}` })
  const sides = { inputChainId: 42161, inputToken: ARB, outputChainId: 8453, outputToken: USDC.base } as const
  const body = { ...sides, inputAmount: `${amount}`, userAddress: owner }
  const { quoteToken } = await service.call('quote', { body })
  const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
  if (approval) await broadcast(rpcUrl, approval.transaction)
  const changes = await watch(service, {
    paid: { chainId: 42161, token: ARB, owner },
    bridged: { chainId: 42161, token: USDC.arbitrum, owner },
    delivered: { chainId: 8453, token: USDC.base, owner },
  })
  await service.control.fault('across', 'never-fills')
  const ref = await broadcast(rpcUrl, transaction)
  const seen = await follow(service, { quoteToken, ref }, { stepMs: 30 * MINUTE_MS })
  expect(statesOf(seen)).toEqual(['processing', 'expired', 'refunded'])
  const { payments: [input, refund] = [], venueStatus } = lastOf(seen)
  const payment = { token: USDC.arbitrum, amount: input?.amount }
  expect([venueStatus, input, refund]).toMatchObject([
    'DONE:REFUNDED',
    { kind: 'input', ...payment },
    { kind: 'refund', ...payment },
  ])
  expect(await changes()).toEqual({ paid: -amount, bridged: BigInt(input?.amount ?? 0), delivered: 0n })
  await service.close()
})
