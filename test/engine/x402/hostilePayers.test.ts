import { readFile } from 'node:fs/promises'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { encodeFunctionData, type Hex, parseSignature, serializeErc6492Signature, serializeSignature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  anAddress,
  argumentsOf,
  DOMAIN,
  type PaymentStage,
  requirementsFor,
  type SignedTransfer,
  startPaymentStage,
  TOKEN_ABI,
  TYPES,
  transferIn,
  USDC,
} from '../../support/paymentStage.ts'

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

let stage: PaymentStage
beforeAll(async () => {
  stage = await startPaymentStage()
})
afterAll(() => stage.close())

type Payment = { readonly payment: PaymentPayload; readonly requirements: PaymentRequirements }

/** What the facilitator says of a payment; a throw of it is a refusal as well. */
const verify = async ({ payment, requirements }: Payment) => {
  try {
    const { isValid, invalidReason } = await stage.simnet.facilitator.verify(payment, requirements)
    return isValid ? 'valid' : invalidReason
  } catch {
    return 'thrown'
  }
}

const settle = async ({ payment, requirements }: Payment): Promise<boolean> => {
  try {
    return (await stage.simnet.facilitator.settle(payment, requirements)).success
  } catch {
    return false
  }
}

/** Neither verified nor settled, and nobody was paid anything. */
const expectRefused = async (hostile: Payment, reason: unknown) => {
  expect(await verify(hostile)).toBe(reason)
  expect(await settle(hostile)).toBe(false)
  expect(await stage.held(hostile.requirements.payTo)).toBe(0n)
}

const altered = (payment: PaymentPayload, change: Partial<SignedTransfer>): PaymentPayload => ({
  ...payment,
  payload: { ...payment.payload, authorization: { ...transferIn(payment), ...change } },
})
const resigned = (payment: PaymentPayload, signature: string): PaymentPayload => ({
  ...payment,
  payload: { ...payment.payload, signature },
})
const signatureOf = ({ payload }: PaymentPayload): Hex => payload['signature'] as Hex
const seconds = (ahead: number): string => String(Math.floor(Date.now() / 1_000) + ahead)

/** The other of the two signatures that one key makes of the same. */
const mirrored = (signature: Hex): Hex => {
  const { r, s, yParity } = parseSignature(signature)
  return serializeSignature({ r, s: `0x${(CURVE_ORDER - BigInt(s)).toString(16).padStart(64, '0')}`, yParity: 1 - yParity })
}

describe('a payment that was altered is neither verified nor settled:', () => {
  const SIGNATURE = 'invalid_exact_evm_signature'
  const alterations: readonly (readonly [string, string, (payment: PaymentPayload) => PaymentPayload])[] = [
    ['its value', SIGNATURE, (payment) => altered(payment, { value: '1' })],
    ['its recipient', SIGNATURE, (payment) => altered(payment, { to: anAddress() })],
    ['its payer', SIGNATURE, (payment) => altered(payment, { from: anAddress() })],
    ['its nonce', SIGNATURE, (payment) => altered(payment, { nonce: `0x${'00'.repeat(32)}` })],
    ['its end', SIGNATURE, (payment) => altered(payment, { validBefore: seconds(9_999) })],
    ['its beginning', SIGNATURE, (payment) => altered(payment, { validAfter: '1' })],
    ['a value that is no number', 'thrown', (payment) => altered(payment, { value: '1e3' })],
    ['a signature of nothing', SIGNATURE, (payment) => resigned(payment, '0x')],
    ['a signature of zeros', SIGNATURE, (payment) => resigned(payment, `0x${'00'.repeat(65)}`)],
    ['a signature cut short', SIGNATURE, (payment) => resigned(payment, signatureOf(payment).slice(0, -2))],
    [
      'the network it names',
      'invalid_exact_evm_network_mismatch',
      (payment) => ({
        ...payment,
        accepted: { ...payment.accepted, network: 'eip155:1' },
      }),
    ],
    [
      'the scheme it names',
      'invalid_exact_evm_scheme',
      (payment) => ({ ...payment, accepted: { ...payment.accepted, scheme: 'upto' } }),
    ],
  ]
  it.each(alterations)('%s', async (_what, reason, alter) => {
    const { account, sign } = await stage.aPayer()
    const requirements = requirementsFor(anAddress())
    const payment = await sign(requirements)
    await expectRefused({ payment: alter(payment), requirements }, reason)
    expect(await stage.held(account.address)).toBe(5_000n)
    expect(await stage.stateOf(payment)).toEqual({ state: 'unused' })
  })
})

describe('a payment that is signed for something else is neither verified nor settled:', () => {
  const wishes: readonly (readonly [string, string, (asked: PaymentRequirements) => PaymentRequirements])[] = [
    ['less', 'invalid_exact_evm_payload_authorization_value_mismatch', (asked) => ({ ...asked, amount: '999' })],
    ['more', 'invalid_exact_evm_payload_authorization_value_mismatch', (asked) => ({ ...asked, amount: '1001' })],
    ['somebody else', 'invalid_exact_evm_recipient_mismatch', (asked) => ({ ...asked, payTo: anAddress() })],
    [
      'another token',
      'invalid_exact_evm_signature',
      (asked) => ({ ...asked, asset: '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf' }),
    ],
    ['another chain', 'invalid_exact_evm_signature', (asked) => ({ ...asked, network: 'eip155:1' })],
    [
      'another version of the token',
      'invalid_exact_evm_signature',
      (asked) => ({ ...asked, extra: { name: 'USD Coin', version: '1' } }),
    ],
    [
      'a time that is over',
      'invalid_exact_evm_payload_authorization_valid_before',
      (asked) => ({ ...asked, maxTimeoutSeconds: 1 }),
    ],
  ]
  it.each(wishes)('%s', async (_what, reason, change) => {
    const { account, sign } = await stage.aPayer()
    const requirements = requirementsFor(anAddress())
    const signed = await sign(change(requirements))
    await expectRefused({ payment: { ...signed, accepted: requirements }, requirements }, reason)
    expect(await stage.held(account.address)).toBe(5_000n)
  })

  it('a time that has not come, the payee alone, and by the key of another', async () => {
    const { account, sign } = await stage.aPayer()
    const requirements = requirementsFor(anAddress())
    const payment = await sign(requirements)
    const signAs = async (
      key: typeof account,
      primaryType: 'TransferWithAuthorization' | 'ReceiveWithAuthorization',
      change = {},
    ) => {
      const fields = { ...transferIn(payment), ...change }
      const { value, validAfter, validBefore } = fields
      const message = { ...fields, value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) }
      const signature = await key.signTypedData({ domain: DOMAIN, types: TYPES, primaryType, message })
      return { payment: resigned(altered(payment, change), signature), requirements }
    }
    const late = await signAs(account, 'TransferWithAuthorization', { validAfter: seconds(60), validBefore: seconds(300) })
    await expectRefused(late, 'invalid_exact_evm_payload_authorization_valid_after')
    await expectRefused(await signAs(account, 'ReceiveWithAuthorization'), 'invalid_exact_evm_signature')
    const stranger = privateKeyToAccount(generatePrivateKey())
    await expectRefused(await signAs(stranger, 'TransferWithAuthorization'), 'invalid_exact_evm_signature')
    expect(await stage.held(account.address)).toBe(5_000n)
  })

  it('a payment of the other forms that the protocol knows, of which none is asked for', async () => {
    const { sign } = await stage.aPayer()
    const requirements = requirementsFor(anAddress())
    const payment = await sign(requirements)
    const v1 = { x402Version: 1, scheme: 'exact', network: 'base', payload: payment.payload } as unknown as PaymentPayload
    await expectRefused({ payment: v1, requirements }, 'thrown')
    const permit2 = { ...payment, payload: { signature: signatureOf(payment), permit2Authorization: { from: anAddress() } } }
    await expectRefused({ payment: permit2, requirements }, 'thrown')
    await expectRefused({ payment: { ...payment, payload: {} }, requirements }, 'thrown')
  })
})

describe('one payment moves its money once', () => {
  it('however often it is settled at once, and in whichever of its signatures', async () => {
    const { account, sign } = await stage.aPayer()
    const requirements = requirementsFor(anAddress())
    const payment = await sign(requirements)
    const twin = resigned(payment, mirrored(signatureOf(payment)))
    const all = Array.from({ length: 60 }, (_none, index) => settle({ payment: index % 3 === 0 ? twin : payment, requirements }))
    expect((await Promise.all(all)).filter(Boolean)).toHaveLength(1)
    expect([await stage.held(account.address), await stage.held(requirements.payTo)]).toEqual([4_000n, 1_000n])
    expect(await verify({ payment, requirements })).toBe('invalid_exact_evm_nonce_already_used')
  }, 60_000)
})

describe('a payer that has too little, or takes it away between verify and settle, has paid nothing:', () => {
  it('an empty wallet', async () => {
    const { sign } = await stage.aPayer('999')
    const requirements = requirementsFor(anAddress())
    const payment = await sign(requirements)
    expect(await verify({ payment, requirements })).toBe('invalid_exact_evm_insufficient_balance')
    expect(await settle({ payment, requirements })).toBe(false)
    expect(await stage.held(requirements.payTo)).toBe(0n)
    expect(await stage.stateOf(payment)).toEqual({ state: 'unused' })
  })

  it('the money is sent elsewhere', async () => {
    const { account, sign } = await stage.aPayer()
    const requirements = requirementsFor(anAddress())
    const payment = await sign(requirements)
    expect(await verify({ payment, requirements })).toBe('valid')
    const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transfer', args: [anAddress(), 4_500n] })
    await stage.send(account, { to: USDC, data })
    expect(await settle({ payment, requirements })).toBe(false)
    expect(await stage.held(requirements.payTo)).toBe(0n)
    expect(await stage.stateOf(payment)).toEqual({ state: 'unused' })
    // It is open still: whoever holds it may use it once the wallet has the money again.
    await stage.faucet(8453, USDC, account.address, '1000')
    expect(await settle({ payment, requirements })).toBe(true)
    expect(await stage.stateOf(payment)).toMatchObject({ state: 'used' })
  })

  it('two payments of the same money: one is paid', async () => {
    const { sign } = await stage.aPayer('1500')
    const requirements = requirementsFor(anAddress())
    const both = [await sign(requirements), await sign(requirements)]
    expect(await Promise.all(both.map((payment) => verify({ payment, requirements })))).toEqual(['valid', 'valid'])
    const settled = await Promise.all(both.map((payment) => settle({ payment, requirements })))
    expect(settled.toSorted()).toEqual([false, true])
    expect(await stage.held(requirements.payTo)).toBe(1_000n)
    const states = await Promise.all(both.map(async (payment) => (await stage.stateOf(payment)).state))
    expect(states).toEqual(settled.map((isSettled) => (isSettled ? 'used' : 'unused')))
  })

  it('it was used by the payer ahead of the facilitator, which says so, and the chain shows that it paid', async () => {
    const { account, sign } = await stage.aPayer()
    const requirements = requirementsFor(anAddress())
    const payment = await sign(requirements)
    expect(await verify({ payment, requirements })).toBe('valid')
    const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transferWithAuthorization', args: argumentsOf(payment) })
    const { transactionHash } = await stage.send(account, { to: USDC, data })
    expect(await settle({ payment, requirements })).toBe(false)
    expect(await stage.stateOf(payment)).toEqual({ state: 'used', transaction: transactionHash })
  })
})

describe('a smart wallet', () => {
  type Key = ReturnType<typeof privateKeyToAccount>

  const walletCode = async (): Promise<Hex> => {
    const file = new URL('../../../engine/simnet/contracts/SimSmartWallet.json', import.meta.url)
    return (JSON.parse(await readFile(file, 'utf8')) as { runtimeCode: Hex }).runtimeCode
  }
  const setOwner = (wallet: Hex, owner: Hex) =>
    stage.rpc(8453, 'anvil_setStorageAt', [wallet, `0x${'00'.repeat(32)}`, `0x${owner.slice(2).toLowerCase().padStart(64, '0')}`])
  const deploy = async (wallet: Hex, owner: Hex) => {
    await stage.rpc(8453, 'anvil_setCode', [wallet, await walletCode()])
    await setOwner(wallet, owner)
  }
  /** As the wallet's own software signs: its kind of signature in front. */
  const signAs = (wallet: Hex, key: Key, wrap = (signature: Hex): Hex => `0x01${signature.slice(2)}`) => {
    const signTypedData = async (message: Parameters<Key['signTypedData']>[0]) => wrap(await key.signTypedData(message))
    const client = new ExactEvmScheme({ address: wallet, signTypedData: signTypedData as never })
    return async (requirements: PaymentRequirements): Promise<Payment> => {
      const created = await client.createPaymentPayload(2, requirements)
      return { payment: { ...created, accepted: requirements } as PaymentPayload, requirements }
    }
  }
  const aWallet = async () => {
    const [key, wallet] = [privateKeyToAccount(generatePrivateKey()), anAddress()]
    await stage.faucet(8453, USDC, wallet, '5000')
    return { key, wallet }
  }

  const transactionsSince = async (block: bigint): Promise<readonly Hex[]> => {
    const count = Number((await stage.chain.getBlockNumber({ cacheTime: 0 })) - block)
    const numbers = Array.from({ length: count }, (_none, index) => block + BigInt(index) + 1n)
    const blocks = await Promise.all(numbers.map((blockNumber) => stage.chain.getBlock({ blockNumber })))
    return blocks.flatMap(({ transactions }) => transactions)
  }

  it('pays by its own kind of signature (EIP-1271)', async () => {
    const { key, wallet } = await aWallet()
    await deploy(wallet, key.address)
    const paid = await signAs(wallet, key)(requirementsFor(anAddress()))
    expect(await verify(paid)).toBe('valid')
    expect(await settle(paid)).toBe(true)
    expect(await stage.held(paid.requirements.payTo)).toBe(1_000n)
    expect(await stage.stateOf(paid.payment)).toMatchObject({ state: 'used' })
  })

  it('is not signed for by a stranger, nor by its key alone', async () => {
    const { key, wallet } = await aWallet()
    await deploy(wallet, key.address)
    const stranger = privateKeyToAccount(generatePrivateKey())
    await expectRefused(await signAs(wallet, stranger)(requirementsFor(anAddress())), 'invalid_exact_evm_signature')
    await expectRefused(await signAs(wallet, key, (plain) => plain)(requirementsFor(anAddress())), 'invalid_exact_evm_signature')
  })

  it('that changes its mind between verify and settle has paid nothing', async () => {
    const { key, wallet } = await aWallet()
    await deploy(wallet, key.address)
    const hostile = await signAs(wallet, key)(requirementsFor(anAddress()))
    expect(await verify(hostile)).toBe('valid')
    await setOwner(wallet, anAddress())
    expect(await settle(hostile)).toBe(false)
    expect(await stage.held(hostile.requirements.payTo)).toBe(0n)
    expect(await stage.stateOf(hostile.payment)).toEqual({ state: 'unused' })
  })

  it('that burns all the gas there is, or answers megabytes, is refused', async () => {
    const loop = '0x5b600056'
    const megabytes = '0x623000006000f3'
    for (const code of [loop, megabytes]) {
      const { key, wallet } = await aWallet()
      await stage.rpc(8453, 'anvil_setCode', [wallet, code])
      await expectRefused(await signAs(wallet, key)(requirementsFor(anAddress())), 'invalid_exact_evm_signature')
    }
  })

  it('that is not there yet (ERC-6492) is not put there at our cost', async () => {
    const { key, wallet } = await aWallet()
    const [address, data] = [anAddress(), '0x12345678' as Hex]
    const wrap = (signature: Hex): Hex => serializeErc6492Signature({ address, data, signature: `0x01${signature.slice(2)}` })
    const hostile = await signAs(wallet, key, wrap)(requirementsFor(anAddress()))
    const before = await stage.chain.getBlockNumber({ cacheTime: 0 })
    await expectRefused(hostile, 'eip6492_factory_not_allowed')
    expect(await transactionsSince(before)).toEqual([])
  })

  it('that is there and still signs as one that is not pays, and its factory is not called', async () => {
    const { key, wallet } = await aWallet()
    await deploy(wallet, key.address)
    const wrap = (signature: Hex): Hex =>
      serializeErc6492Signature({ address: anAddress(), data: '0x12345678', signature: `0x01${signature.slice(2)}` })
    const paid = await signAs(wallet, key, wrap)(requirementsFor(anAddress()))
    expect(await verify(paid)).toBe('valid')
    const before = await stage.chain.getBlockNumber({ cacheTime: 0 })
    expect(await settle(paid)).toBe(true)
    const sent = await transactionsSince(before)
    expect(sent).toHaveLength(1)
    expect(await stage.stateOf(paid.payment)).toEqual({ state: 'used', transaction: sent[0] })
  })

  it('that an account delegates to (EIP-7702) signs for it, and its key alone does no more', async () => {
    const { account } = await stage.aPayer()
    const implementation = anAddress()
    await stage.rpc(8453, 'anvil_setCode', [implementation, await walletCode()])
    const plain = await signAs(account.address, account, (signature) => signature)(requirementsFor(anAddress()))
    expect(await verify(plain)).toBe('valid')
    await stage.rpc(8453, 'anvil_setCode', [account.address, `0xef0100${implementation.slice(2)}`])
    await expectRefused(plain, 'invalid_exact_evm_signature')
    const paid = await signAs(account.address, account)(requirementsFor(anAddress()))
    expect(await verify(paid)).toBe('valid')
    expect(await settle(paid)).toBe(true)
    expect(await stage.stateOf(paid.payment)).toMatchObject({ state: 'used' })
  })
})

describe('a payment on Solana', () => {
  // The official package prints what it cannot decode.
  beforeEach(() => vi.spyOn(console, 'error').mockImplementation(() => undefined))
  afterEach(() => vi.restoreAllMocks())

  it('is neither verified nor settled where it pays less, somebody else, or is not signed by its payer', async () => {
    const { signer, requirements, sign } = await stage.aSolanaPayer()
    const payment = await sign()
    const other = await stage.aSolanaPayer()
    const wire = Buffer.from(payment.payload['transaction'] as string, 'base64')
    const unsigned = Buffer.from(wire)
      .fill(0, 1 + 64, 1 + 128)
      .toString('base64')
    const hostile: readonly Payment[] = [
      { payment, requirements: { ...requirements, amount: '1001' } },
      { payment, requirements: { ...requirements, payTo: other.requirements.payTo } },
      { payment: { ...payment, payload: { transaction: unsigned } }, requirements },
      { payment: { ...payment, payload: { transaction: 'AAAA' } }, requirements },
      { payment: { ...payment, payload: {} }, requirements },
    ]
    for (const one of hostile) {
      expect(await verify(one)).not.toBe('valid')
      expect(await settle(one)).toBe(false)
    }
    expect([await stage.heldOnSolana(signer.address), await stage.heldOnSolana(requirements.payTo)]).toEqual(['5000', '1'])
    expect(await settle({ payment, requirements })).toBe(true)
  })

  it('moves its money once, however often it is settled at once', async () => {
    const { signer, requirements, sign } = await stage.aSolanaPayer()
    const payment = await sign()
    const all = Array.from({ length: 50 }, () => settle({ payment, requirements }))
    expect((await Promise.all(all)).filter(Boolean)).toHaveLength(1)
    expect([await stage.heldOnSolana(signer.address), await stage.heldOnSolana(requirements.payTo)]).toEqual(['4000', '1001'])
  })

  it('of a payer that has spent the money meanwhile has paid nothing', async () => {
    const { requirements, sign } = await stage.aSolanaPayer('1500')
    const both = [await sign(), await sign()]
    expect(await Promise.all(both.map((payment) => verify({ payment, requirements })))).toEqual(['valid', 'valid'])
    const settled = [
      await settle({ payment: both[0] as PaymentPayload, requirements }),
      await settle({ payment: both[1] as PaymentPayload, requirements }),
    ]
    expect(settled).toEqual([true, false])
    expect(await stage.stateOf(both[1] as PaymentPayload)).toEqual({ state: 'unused' })
    expect(await stage.heldOnSolana(requirements.payTo)).toBe('1001')
  })
})
