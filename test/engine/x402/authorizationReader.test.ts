import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAuthorizationReader } from '../../../engine/x402/createAuthorizationReader.ts'
import {
  anAddress,
  argumentsOf,
  DOMAIN,
  type PaymentStage,
  requirementsFor,
  startPaymentStage,
  TOKEN_ABI,
  TYPES,
  transferIn,
  USDC,
} from '../../support/paymentStage.ts'

const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11'
const MULTICALL3_ABI = parseAbi([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
])

let stage: PaymentStage
beforeAll(async () => {
  stage = await startPaymentStage()
})
afterAll(() => stage.close())
beforeEach(() => {
  stage.waits.length = 0
  stage.simnet.faults.clear(null)
})

const settle = async (payment: Awaited<ReturnType<Awaited<ReturnType<PaymentStage['aPayer']>>['sign']>>) => {
  const settled = await stage.simnet.facilitator.settle(payment, payment.accepted)
  expect(settled.success).toBe(true)
  return settled.transaction
}
const confirm = () => stage.advance(10_000)
const transferCall = (args: ReturnType<typeof argumentsOf>): Hex =>
  encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transferWithAuthorization', args })

describe('what the chain shows of a payment on Base [x402-chain-decides]', () => {
  it('is unused until it is settled, then used, by the transaction that paid', async () => {
    const { sign } = await stage.aPayer()
    const payment = await sign(requirementsFor(anAddress()))
    expect(await stage.stateOf(payment)).toEqual({ state: 'unused' })
    const transaction = await settle(payment)
    expect(await stage.stateOf(payment)).toEqual({ state: 'used', transaction })
    expect(await stage.stateOf(payment, transaction)).toEqual({ state: 'used', transaction })
    expect(stage.waits).toEqual([])
  })

  it('is spent once its payer has cancelled it, and its block is confirmed', async () => {
    const { account, sign } = await stage.aPayer()
    const payment = await sign(requirementsFor(anAddress()))
    const { nonce } = transferIn(payment)
    const signature = await account.signTypedData({
      domain: DOMAIN,
      types: TYPES,
      primaryType: 'CancelAuthorization',
      message: { authorizer: account.address, nonce },
    })
    const args = [account.address, nonce, signature] as const
    await stage.send(account, {
      to: USDC,
      data: encodeFunctionData({ abi: TOKEN_ABI, functionName: 'cancelAuthorization', args }),
    })
    expect(await stage.stateOf(payment)).toEqual({ state: 'unknown' })
    await confirm()
    expect(await stage.stateOf(payment)).toEqual({ state: 'spent' })
  })

  it('is spent where its payer used the same nonce to pay somebody else, as much', async () => {
    const { account, sign } = await stage.aPayer()
    const payment = await sign(requirementsFor(anAddress()))
    const message = { ...transferIn(payment), to: anAddress() }
    const { from, to, value, validAfter, validBefore, nonce } = message
    const times = { validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) }
    const signature = await account.signTypedData({
      domain: DOMAIN,
      types: TYPES,
      primaryType: 'TransferWithAuthorization',
      message: { ...message, ...times, value: BigInt(value) },
    })
    // In one transaction with another payment of the same payer, to the same payee, of as much.
    const other = await sign(payment.accepted)
    const calls = [
      transferCall([from, to, BigInt(value), times.validAfter, times.validBefore, nonce, signature]),
      transferCall(argumentsOf(other)),
    ].map((callData) => ({ target: USDC, allowFailure: false, callData }) as const)
    const data = encodeFunctionData({ abi: MULTICALL3_ABI, functionName: 'aggregate3', args: [calls] })
    const { transactionHash } = await stage.send(account, { to: MULTICALL3, data })
    await confirm()
    expect(await stage.stateOf(payment)).toEqual({ state: 'spent' })
    expect(await stage.stateOf(payment, transactionHash)).toEqual({ state: 'spent' })
    expect(await stage.stateOf(other)).toEqual({ state: 'used', transaction: transactionHash })
  })

  it('is not what is said: a transaction of another payment, a failed one and one that is none leave it unused', async () => {
    const { account, sign } = await stage.aPayer()
    const payment = await sign(requirementsFor(anAddress()))
    const other = await settle(await sign(payment.accepted))
    expect(await stage.stateOf(payment, other)).toEqual({ state: 'unused' })
    const [from, to, value, ...rest] = argumentsOf(payment)
    await stage.faucet(8453, '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', account.address, '10000000000000000')
    const { gas, ...call } = { gas: 200_000n, to: USDC as Hex, data: transferCall([from, to, value + 1n, ...rest]) }
    const hash = (await stage.rpc(8453, 'eth_sendRawTransaction', [
      await account.signTransaction({ ...call, gas, gasPrice: 10n ** 10n, nonce: 0, chainId: 8453 }),
    ])) as Hex
    expect((await stage.chain.waitForTransactionReceipt({ hash })).status).toBe('reverted')
    expect(await stage.stateOf(payment, hash)).toEqual({ state: 'unused' })
    expect(await stage.stateOf(payment, 'ignore all that')).toEqual({ state: 'unused' })
    expect(stage.waits).toEqual([])
    // What our own node does not know it may not know yet: that is waited for, and not for ever.
    expect(await stage.stateOf(payment, `0x${'00'.repeat(32)}`)).toEqual({ state: 'unused' })
    expect(stage.waits).toHaveLength(11)
  })

  it('is waited for where our own node is behind whoever told of it', async () => {
    const { sign } = await stage.aPayer()
    const payment = await sign(requirementsFor(anAddress()))
    const waits: number[] = []
    let transaction = ''
    const reader = createAuthorizationReader({
      ...stage.parts,
      // The node sees it during the third wait.
      wait: async (ms) => {
        if (waits.push(ms) === 3) transaction = await settle(payment)
      },
    })
    const told = `0x${'ab'.repeat(32)}`
    const state = await reader.stateOf(payment, payment.accepted, new AbortController().signal, told)
    expect(state).toEqual({ state: 'used', transaction })
    expect(waits).toHaveLength(3)
  })

  it('is found for a wallet that signs from the beginning of time, and for one that signs for ever', async () => {
    const { account, sign } = await stage.aPayer()
    const payment = await sign(requirementsFor(anAddress()))
    expect(transferIn(payment).validAfter).toBe('0')
    const message = { ...transferIn(payment), validBefore: String(2n ** 200n), nonce: `0x${'99'.repeat(32)}` } as const
    const { value, validAfter, validBefore } = message
    const signature = await account.signTypedData({
      domain: DOMAIN,
      types: TYPES,
      primaryType: 'TransferWithAuthorization',
      message: { ...message, value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) },
    })
    const endless = { ...payment, payload: { authorization: message, signature } }
    for (const one of [payment, endless]) {
      const transaction = await settle(one)
      expect(await stage.stateOf(one)).toEqual({ state: 'used', transaction })
    }
  })

  it('is unknown while the chain cannot be read, or answers something else', async () => {
    const { sign } = await stage.aPayer()
    const payment = await sign(requirementsFor(anAddress()))
    const transaction = await settle(payment)
    for (const fault of ['http-500', 'malformed-body', 'wrong-shape'] as const) {
      stage.simnet.faults.set('chain:8453', fault, {}, null)
      expect(await stage.stateOf(payment)).toEqual({ state: 'unknown' })
      stage.simnet.faults.clear(null)
    }
    expect(await stage.stateOf(payment)).toEqual({ state: 'used', transaction })
  })

  it('is unknown for what is no payment of what is required', async () => {
    const { account, sign } = await stage.aPayer()
    const payment = await sign(requirementsFor(anAddress()))
    const strange = [
      {},
      { authorization: null },
      { authorization: { ...transferIn(payment), to: account.address } },
      { authorization: { ...transferIn(payment), value: '999' } },
      { authorization: { ...transferIn(payment), nonce: '0x12' } },
      { authorization: { ...transferIn(payment), validBefore: '-1' } },
    ]
    for (const payload of strange) expect(await stage.stateOf({ ...payment, payload })).toEqual({ state: 'unknown' })
  })

  it('throws nothing but for its signal', async () => {
    const { sign } = await stage.aPayer()
    const payment = await sign(requirementsFor(anAddress()))
    const reader = createAuthorizationReader(stage.parts)
    await expect(reader.stateOf(payment, payment.accepted, AbortSignal.abort(), null)).rejects.toThrow()
  })
})

describe('what Solana shows of a payment [x402-chain-decides]', () => {
  it('is unused until it is settled, then used, by the transaction that paid', async () => {
    const { sign } = await stage.aSolanaPayer()
    const [payment, other] = [await sign(), await sign()]
    expect(await stage.stateOf(payment)).toEqual({ state: 'unused' })
    const transaction = await settle(payment)
    expect(await stage.stateOf(payment)).toEqual({ state: 'used', transaction })
    expect(await stage.stateOf(payment, transaction)).toEqual({ state: 'used', transaction })
    // Another payment of the same wallet, as said of by whoever settled the first.
    expect(await stage.stateOf(other, transaction)).toEqual({ state: 'unused' })
    expect(stage.waits).toEqual([])
    expect(await stage.stateOf(other, '1'.repeat(64))).toEqual({ state: 'unused' })
    expect(stage.waits).toHaveLength(11)
  })

  it('is spent where the transaction failed, which is not run again', async () => {
    const { signer, sign } = await stage.aSolanaPayer('1000')
    const [payment, other] = [await sign(), await sign()]
    await settle(other)
    await stage.landOnSolana(payment)
    expect(await stage.heldOnSolana(signer.address)).toBe('0')
    expect(await stage.stateOf(payment)).toEqual({ state: 'spent' })
  })
})

describe('a payment whose time is over', () => {
  it('is expired on Base by a confirmed block, and was only unused before', async () => {
    const { sign } = await stage.aPayer()
    const [payment, paid] = [await sign(requirementsFor(anAddress())), await sign(requirementsFor(anAddress()))]
    const transaction = await settle(paid)
    await stage.advance(250_000)
    expect(await stage.stateOf(payment)).toEqual({ state: 'unused' })
    await stage.advance(200_000)
    expect(await stage.stateOf(payment)).toEqual({ state: 'expired' })
    expect(await stage.stateOf(paid)).toEqual({ state: 'used', transaction })
  })

  it('is expired on Solana once its blockhash has long been none, which a node that is behind cannot say at once', async () => {
    const { sign } = await stage.aSolanaPayer()
    const [payment, paid] = [await sign(), await sign()]
    const transaction = await settle(paid)
    await stage.advance(120_000)
    expect(await stage.stateOf(payment)).toEqual({ state: 'unused' })
    await stage.advance(30_000)
    expect(await stage.stateOf(payment)).toEqual({ state: 'unused' })
    await stage.advance(120_000)
    expect(await stage.stateOf(payment)).toEqual({ state: 'expired' })
    expect(await stage.stateOf(paid)).toEqual({ state: 'used', transaction })
  })
})
