import { keccak256, parseEther, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { watch } from '../../../scripts/client/balances.ts'
import { broadcast } from '../../../scripts/client/evm.ts'
import { executeAs, follow, fund, lastOf, statesOf } from '../../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { only, startService, type TestService } from '../../support/service.ts'
import { MINUTE_MS } from '../support.ts'

/** What becomes of swaps that LI.FI's bridges and exchanges do not make. */

const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
const AMOUNT = '250000000'
/** What is left of it by LI.FI's fee, and all that a pool can give back. */
const BRIDGED = 249_375_000n

let service: TestService
beforeAll(async () => {
  service = await startService({ ...only('lifi'), VENUE_LIFI_DENY_BRIDGES: 'polymer,polymerStandard' })
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

let wallets = 0
const newKey = (): PrivateKeyAccount => {
  wallets += 1
  return privateKeyToAccount(keccak256(toHex(`lifi ${wallets}`)))
}

type Side = { readonly chainId: 8453 | 42161; readonly token: string }

const open = async (to: Side, { chainId, token }: Side = { chainId: 8453, token: USDC.base }, amount = AMOUNT) => {
  const account = newKey()
  await fund(service, chainId, account.address, { [NATIVE]: parseEther('1').toString(), [token]: amount })
  const recipient = newKey().address
  const { quoteToken } = await service.call('quote', {
    body: {
      ...{ inputChainId: chainId, inputToken: token, inputAmount: amount, outputChainId: to.chainId, outputToken: to.token },
      ...{ userAddress: account.address, destinationAddress: recipient },
    },
  })
  const executed = await executeAs(service, 'TRANSACTION', { quoteToken })
  if (executed.approval) await broadcast(service.control.rpcUrl(chainId), executed.approval.transaction, account)
  const changes = await watch(service, {
    paid: { chainId, token, owner: account.address },
    exchanged: { chainId: 42161, token: USDC.arbitrum, owner: account.address },
    delivered: { ...to, owner: recipient },
  })
  return { account, transaction: executed.transaction, quoteToken, changes }
}

it('what no relayer fills comes back by the pool’s own refund, less the fee that was taken before', async () => {
  const { account, transaction, quoteToken, changes } = await open({ chainId: 42161, token: USDC.arbitrum })
  await service.control.fault('across', 'never-fills')
  const ref = await broadcast(service.control.rpcUrl(8453), transaction, account)
  const seen = await follow(service, { quoteToken, ref }, { stepMs: 30 * MINUTE_MS })
  expect(statesOf(seen)).toEqual(['processing', 'expired', 'refunded'])
  expect(lastOf(seen)).toMatchObject({ status: 'refunded', venueStatus: 'DONE:REFUNDED' })
  expect(await changes()).toEqual({ paid: BRIDGED - BigInt(AMOUNT), exchanged: 0n, delivered: 0n })
})

it('what was exchanged before the bridge comes back as what was bridged, and is told so', async () => {
  const amount = parseEther('1000').toString()
  const arbitrum = 42161
  const { account, transaction, quoteToken, changes } = await open(
    { chainId: 8453, token: USDC.base },
    { chainId: arbitrum, token: ARB },
    amount,
  )
  await service.control.fault('across', 'never-fills')
  const ref = await broadcast(service.control.rpcUrl(arbitrum), transaction, account)
  const seen = await follow(service, { quoteToken, ref }, { stepMs: 30 * MINUTE_MS })
  expect(statesOf(seen)).toEqual(['processing', 'expired', 'refunded'])
  const { payments: [input, refund] = [] } = lastOf(seen)
  const token = USDC.arbitrum
  expect([input, refund]).toMatchObject([
    { kind: 'input', token },
    { kind: 'refund', token, amount: input?.amount },
  ])
  expect(await changes()).toEqual({ paid: -BigInt(amount), exchanged: BigInt(input?.amount ?? 0), delivered: 0n })
})
