import { encodeFunctionData, type Hex, parseAbi, parseSignature } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anAddress, DOMAIN, type PaymentStage, startPaymentStage, TOKEN_ABI, TYPES, USDC } from '../support/paymentStage.ts'

/** The offline USDC, as https://eips.ethereum.org/EIPS/eip-3009 and Circle's contract have it. */

const BY_PARTS = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
])
const NAMES = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])

let stage: PaymentStage
beforeAll(async () => {
  stage = await startPaymentStage()
})
afterAll(() => stage.close())

type Kind = 'TransferWithAuthorization' | 'ReceiveWithAuthorization'

let nonces = 0
const aSigned = async (primaryType: Kind, change: { readonly validAfter?: bigint; readonly validBefore?: bigint } = {}) => {
  const { account } = await stage.aPayer()
  const payee = await stage.aPayer('0')
  nonces += 1
  const nonce: Hex = `0x${nonces.toString(16).padStart(64, '0')}`
  const message = {
    from: account.address,
    to: payee.account.address,
    value: 700n,
    validAfter: 0n,
    validBefore: 2n ** 40n,
    nonce,
    ...change,
  }
  const signature = await account.signTypedData({ domain: DOMAIN, types: TYPES, primaryType, message })
  const { r, s, yParity } = parseSignature(signature)
  const plain = [message.from, message.to, message.value, message.validAfter, message.validBefore, nonce] as const
  return {
    account,
    payee: payee.account,
    nonce,
    whole: [...plain, signature] as const,
    parts: [...plain, 27 + yParity, r, s] as const,
  }
}

const call = (data: Hex, from: Hex = anAddress()) => stage.chain.call({ account: from, to: USDC, data })
const transfer = (args: Awaited<ReturnType<typeof aSigned>>['whole']) =>
  encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transferWithAuthorization', args })
const receive = (args: Awaited<ReturnType<typeof aSigned>>['whole']) =>
  encodeFunctionData({ abi: TOKEN_ABI, functionName: 'receiveWithAuthorization', args })

describe('the offline USDC', () => {
  it('has the name, version and domain of the real one on Base', async () => {
    const read = (functionName: 'name' | 'version' | 'decimals' | 'DOMAIN_SEPARATOR') =>
      stage.chain.readContract({ address: USDC, abi: NAMES, functionName })
    expect([await read('name'), await read('version'), await read('decimals')]).toEqual(['USD Coin', '2', 6])
    // By https://basescan.org/address/0x833589fcd6edb6e08f4c7c32d4f71b54bda02913#readProxyContract
    expect(await read('DOMAIN_SEPARATOR')).toBe('0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f')
  })

  it('takes an authorization in both forms of a signature, from whoever brings it, once', async () => {
    const [first, second] = [await aSigned('TransferWithAuthorization'), await aSigned('TransferWithAuthorization')]
    const byParts = encodeFunctionData({ abi: BY_PARTS, functionName: 'transferWithAuthorization', args: second.parts })
    const { account: courier } = await stage.aPayer('0')
    for (const [data, { payee }] of [
      [transfer(first.whole), first],
      [byParts, second],
    ] as const) {
      expect((await stage.send(courier, { to: USDC, data })).status).toBe('success')
      expect(await stage.held(payee.address)).toBe(700n)
      await expect(call(data)).rejects.toThrow('authorization is used')
    }
  })

  it('lets the payee alone use an authorization to receive, in both forms', async () => {
    const [first, second] = [await aSigned('ReceiveWithAuthorization'), await aSigned('ReceiveWithAuthorization')]
    const byParts = encodeFunctionData({ abi: BY_PARTS, functionName: 'receiveWithAuthorization', args: second.parts })
    for (const [data, { payee, whole }] of [
      [receive(first.whole), first],
      [byParts, second],
    ] as const) {
      await expect(call(data)).rejects.toThrow("the payee's to use")
      await expect(call(transfer(whole))).rejects.toThrow('invalid signature')
      expect((await stage.send(payee, { to: USDC, data })).status).toBe('success')
      expect(await stage.held(payee.address)).toBe(700n)
    }
  })

  it('forgets no authorization that its signer cancelled, in both forms', async () => {
    const [first, second] = [await aSigned('TransferWithAuthorization'), await aSigned('TransferWithAuthorization')]
    const signatureOf = ({ account, nonce }: typeof first) =>
      account.signTypedData({
        domain: DOMAIN,
        types: TYPES,
        primaryType: 'CancelAuthorization',
        message: { authorizer: account.address, nonce },
      })
    const { r, s, yParity } = parseSignature(await signatureOf(second))
    const whole = [first.account.address, first.nonce, await signatureOf(first)] as const
    const parts = [second.account.address, second.nonce, 27 + yParity, r, s] as const
    const cancels = [
      encodeFunctionData({ abi: TOKEN_ABI, functionName: 'cancelAuthorization', args: whole }),
      encodeFunctionData({ abi: BY_PARTS, functionName: 'cancelAuthorization', args: parts }),
    ]
    const { account: courier } = await stage.aPayer('0')
    for (const [index, signed] of [first, second].entries()) {
      expect((await stage.send(courier, { to: USDC, data: cancels[index] as Hex })).status).toBe('success')
      await expect(call(transfer(signed.whole))).rejects.toThrow('authorization is used')
      const args = [signed.account.address, signed.nonce] as const
      expect(await stage.chain.readContract({ address: USDC, abi: TOKEN_ABI, functionName: 'authorizationState', args })).toBe(
        true,
      )
    }
    const strange = [anAddress(), first.nonce, await signatureOf(first)] as const
    await expect(
      call(encodeFunctionData({ abi: TOKEN_ABI, functionName: 'cancelAuthorization', args: strange })),
    ).rejects.toThrow('invalid signature')
  })

  it('takes an authorization between its two times alone', async () => {
    const now = BigInt(Math.floor(Date.now() / 1_000))
    const late = await aSigned('TransferWithAuthorization', { validAfter: now + 1_000n })
    const over = await aSigned('TransferWithAuthorization', { validBefore: now - 1_000n })
    await expect(call(transfer(late.whole))).rejects.toThrow('not yet valid')
    await expect(call(transfer(over.whole))).rejects.toThrow('authorization is expired')
  })
})
