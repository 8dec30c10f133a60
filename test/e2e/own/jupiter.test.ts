import { expect, it } from 'vitest'
import { watch } from '../../../scripts/client/balances.ts'
import { solanaWallet } from '../../../scripts/client/solana.ts'
import { executeAs, follow, fund, lastOf } from '../../../scripts/client/swap.ts'
import { NATIVE_SOL, SOLANA, USDC } from '../../../scripts/client/tokens.ts'
import { only, startService } from '../../support/service.ts'
import { solanaSigner } from '../../support/solanaSigner.ts'

it('Jupiter: bought SOL reaches the own wallet unwrapped, to the unit, for at most the quoted network fee', async () => {
  const service = await startService(only('jupiter'))
  const { address } = solanaSigner(91)
  await fund(service, SOLANA, address, { [USDC.solana]: '250000000', [NATIVE_SOL]: '1250000000' })
  const sides = { inputChainId: SOLANA, outputChainId: SOLANA, inputToken: USDC.solana, outputToken: NATIVE_SOL } as const
  const body = { ...sides, inputAmount: '250000000', userAddress: address }
  const { quoteToken, output, gas } = await service.call('quote', { body })
  const { transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
  const changes = await watch(service, {
    input: { chainId: SOLANA, token: USDC.solana, owner: address },
    coins: { chainId: SOLANA, token: NATIVE_SOL, owner: address },
  })
  const { id: ref, cost } = await solanaWallet(service.control, 91).send(transaction)
  expect(await changes()).toEqual({ input: -250_000_000n, coins: BigInt(output.amount) - cost })
  expect(BigInt(gas?.native ?? 0)).toBeGreaterThanOrEqual(cost)
  const end = lastOf(await follow(service, { quoteToken, ref }, { stepMs: 1_000 }))
  expect(end).toMatchObject({ status: 'success', txHash: ref, deliveredAmount: output.amount })
  await service.close()
})
