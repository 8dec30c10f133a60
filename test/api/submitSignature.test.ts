import type { TypedDataDefinition } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { approveAll } from '../../scripts/client/evm.ts'
import { NATIVE, USDC } from '../../scripts/client/tokens.ts'
import { expectFailure, failingPaths } from '../support/expectFailure.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { ACCOUNT, SIGNATURE_SWAP } from '../support/swaps.ts'

const PATH = '/api/v1/submit-signature'

let service: TestService
beforeAll(async () => {
  service = await startService(only('across', 'cow', 'near-intents', 'relay'))
  await service.control.faucet({ chainId: 1, token: USDC.ethereum, address: ACCOUNT.address, amount: '1000000000000' })
  await service.control.faucet({ chainId: 1, token: NATIVE, address: ACCOUNT.address, amount: '1000000000000000000' })
  await approveAll(service.control.rpcUrl(1), {
    chainId: 1,
    token: USDC.ethereum,
    spender: '0xC92E8bdf79f0507f65a392b0ab4667716BFE0110',
  })
})
afterAll(() => service.close())
afterEach(async () => {
  await service.control.clearFaults()
  // Two equal swaps of one second are refused.
  await service.control.advance(1_000)
})

const post = (body: unknown) => service.send('POST', PATH, { body })

type Wish = { readonly sandbox?: boolean; readonly inputAmount?: string }

const executed = async (wish: Wish = {}): Promise<{ quoteToken: string; typedData: TypedDataDefinition }> => {
  const { quoteToken } = await service.call('quote', { body: { ...SIGNATURE_SWAP, ...wish } })
  const execution = await service.call('execute', { body: { quoteToken } })
  if (execution.executionType !== 'SIGNATURE') throw new Error(execution.executionType)
  return { quoteToken, typedData: execution.typedData as unknown as TypedDataDefinition }
}

describe('200', () => {
  it('forwards the order and answers with what to poll', async () => {
    const { quoteToken, typedData } = await executed()
    const signature = await ACCOUNT.signTypedData(typedData)
    const submitted = await service.call('submitSignature', { body: { quoteToken, signature } })
    expect(submitted.venue).toBe('cow')
    expect(await service.call('status', { query: { quoteToken, ref: submitted.statusRef } })).toMatchObject({
      status: 'pending',
      venue: 'cow',
    })
  })

  it('succeeds on a retry when the answer of the venue was lost after it took the order', async () => {
    const { quoteToken, typedData } = await executed()
    const body = { quoteToken, signature: await ACCOUNT.signTypedData(typedData) }
    await service.control.fault('cow', 'reset', { when: 'after', count: 1 })
    expectFailure(await post(body), 500, 'INTERNAL')
    expect(await service.call('submitSignature', { body })).toMatchObject({ venue: 'cow' })
  })

  it('takes any signature in the sandbox and forwards nothing', async () => {
    const { quoteToken } = await executed({ sandbox: true })
    const submitted = await service.call('submitSignature', { body: { quoteToken, signature: `0x${'ab'.repeat(65)}` } })
    expect(submitted).toMatchObject({ venue: 'cow', statusRef: expect.stringMatching(/^sandbox-/) })
    expect(await service.call('status', { query: { quoteToken, ref: submitted.statusRef } })).toMatchObject({ status: 'success' })
  })
})

describe('400', () => {
  it('names the fields that are missing or not hex', async () => {
    expect(failingPaths(expectFailure(await post({ signature: 'abc' }), 400, 'INVALID_REQUEST')).toSorted()).toEqual([
      'quoteToken',
      'signature',
    ])
  })

  it('tells the wallet what to check when the venue finds it cannot pay', async () => {
    const poor = privateKeyToAccount(generatePrivateKey())
    const { quoteToken } = await service.call('quote', { body: { ...SIGNATURE_SWAP, userAddress: poor.address } })
    const execution = await service.call('execute', { body: { quoteToken } })
    if (execution.executionType !== 'SIGNATURE') throw new Error(execution.executionType)
    const signature = await poor.signTypedData(execution.typedData as unknown as TypedDataDefinition)
    expect(failingPaths(expectFailure(await post({ quoteToken, signature }), 400, 'INVALID_REQUEST'))).toEqual(['userAddress'])
  })
})

describe('410', () => {
  it('asks for a fresh quote when the order was signed too late for its venue', async () => {
    // An order of its own: one that is in the book already is taken again, however late.
    const inputAmount = (BigInt(SIGNATURE_SWAP.inputAmount) + 1n).toString()
    const { quoteToken, typedData } = await executed({ inputAmount })
    const signature = await ACCOUNT.signTypedData(typedData)
    const { validTo } = typedData.message as { readonly validTo: string }
    await service.control.advance(Number(validTo) * 1000 - service.simnet.clock.now())
    expect(expectFailure(await post({ quoteToken, signature }), 410, 'QUOTE_EXPIRED')).toEqual({
      venue: 'cow',
      reason: 'noLiquidity',
    })
  })
})

describe('500', () => {
  it('says that posting again is safe when the venue is down', async () => {
    const { quoteToken, typedData } = await executed()
    const signature = await ACCOUNT.signTypedData(typedData)
    await service.control.fault('cow', 'http-500')
    expect(expectFailure(await post({ quoteToken, signature }), 500, 'INTERNAL')).toMatchObject({ venue: 'cow', retryable: true })
  })
})
