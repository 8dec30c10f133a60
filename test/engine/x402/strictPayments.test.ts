import { Keypair, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import type { PaymentPayload } from '@x402/core/types'
import { type Hex, serializeErc6492Signature } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../engine/core/clock.ts'
import { SwapError } from '../../../engine/errors.ts'
import { createPaidCalls } from '../../../engine/x402/paidCalls.ts'
import { createPaymentOptions } from '../../../engine/x402/paymentOptions.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { DOMAIN, type PaymentStage, startPaymentStage, TYPES, transferIn, USDC_SOLANA } from '../../support/paymentStage.ts'
import { createTestClock } from '../../support/testEngine.ts'
import { A_RESOURCE, PAY_TO } from '../../support/x402Bench.ts'

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const PAY_TO_SOLANA = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'

let stage: PaymentStage
beforeAll(async () => {
  stage = await startPaymentStage()
  await stage.faucet(-2, USDC_SOLANA, PAY_TO_SOLANA, '1')
})
afterAll(() => stage.close())

/** A service whose facilitator says yes to everything, and settles nothing. */
const openCalls = () => {
  const asked: string[] = []
  const facilitator = {
    getSupported: () => stage.simnet.facilitator.getSupported(),
    verify: async () => {
      asked.push('verify')
      return { isValid: true }
    },
    settle: async () => {
      throw new Error('down')
    },
  }
  const options = createPaymentOptions({
    payTo: { evm: PAY_TO, solana: PAY_TO_SOLANA },
    networks: ['eip155:8453', SOLANA],
    lifetimeSec: 300,
  })
  const ports = { facilitator, authorizations: stage.reader, options }
  const paidCalls = createPaidCalls({
    ports,
    store: createMemoryStore(createTestClock()),
    holder: 'holder-1',
    observe: () => undefined,
    clock: systemClock,
  })
  const payers: string[] = []
  const hooks = {
    room: async (payer: string) => void payers.push(payer),
    enter: async () => async () => undefined,
    work: async () => {
      asked.push('work')
      return '{}'
    },
  }
  /** What a payment comes to: our code and reason. */
  const pay = async (payment: object) => {
    const text = Buffer.from(JSON.stringify(payment)).toString('base64')
    const request = {
      operation: 'x402Quote',
      requestId: 'req-1',
      partnerId: null,
      asked: {},
      payment: text,
      resource: A_RESOURCE,
    }
    try {
      await paidCalls.serve(request, hooks)
      return 'answered'
    } catch (error) {
      if (!(error instanceof SwapError)) throw error
      return error.details?.['reason'] ?? error.code
    }
  }
  return {
    pay,
    asked,
    payers,
    requirementsOn: async (network: string) => {
      const { header } = await paidCalls.demand(A_RESOURCE, 'noPayment')
      const { accepts } = JSON.parse(Buffer.from(header, 'base64').toString()) as { accepts: PaymentPayload['accepted'][] }
      const found = accepts.find((each) => each.network === network)
      if (!found) throw new Error(`nothing is asked for on ${network}`)
      return found
    },
  }
}

type Instructions = TransactionMessage['instructions']

/** A signed transfer on Solana as a wallet may make it, whatever else is in it. */
const onSolana = async (requirements: PaymentPayload['accepted'], change: (instructions: Instructions) => readonly Keypair[]) => {
  const wallet = Keypair.generate()
  await stage.faucet(-2, USDC_SOLANA, wallet.publicKey.toBase58(), '5000')
  const { createKeyPairSignerFromPrivateKeyBytes } = await import('@solana/kit')
  const { ExactSvmScheme } = await import('@x402/svm/exact/client')
  const signer = await createKeyPairSignerFromPrivateKeyBytes(wallet.secretKey.slice(0, 32))
  const client = new ExactSvmScheme(signer, { rpcUrl: stage.simnet.rpcUrls['-2'] ?? '' })
  const { payload } = await client.createPaymentPayload(2, requirements)
  const wire = Buffer.from(payload['transaction'] as string, 'base64')
  const message = TransactionMessage.decompile(VersionedTransaction.deserialize(wire).message)
  const others = change(message.instructions)
  const changed = new VersionedTransaction(message.compileToV0Message())
  changed.sign([wallet, ...others])
  const transaction = Buffer.from(changed.serialize()).toString('base64')
  return { wallet, payment: { x402Version: 2, accepted: requirements, payload: { transaction } } }
}

describe('a payment on Solana', () => {
  it('has as its payer who gives the money, whoever else signs', async () => {
    const { pay, payers, requirementsOn } = openCalls()
    const requirements = await requirementsOn(SOLANA)
    const { wallet, payment } = await onSolana(requirements, (instructions) => {
      const other = Keypair.generate()
      // Accounts that are written to come first among those that sign.
      instructions.at(-1)?.keys.push({ pubkey: other.publicKey, isSigner: true, isWritable: true })
      return [other]
    })
    await pay(payment)
    expect(payers).toEqual([wallet.publicKey.toBase58()])
  })

  it.each([
    ['too little', (transfer: Buffer) => transfer.writeBigUInt64LE(999n, 1)],
    ['too much', (transfer: Buffer) => transfer.writeBigUInt64LE(1_001n, 1)],
  ])('of %s is refused by us, whatever a facilitator says of it [x402-terms-checked]', async (_what, change) => {
    const { pay, asked, requirementsOn } = openCalls()
    const { payment } = await onSolana(await requirementsOn(SOLANA), ([, , transfer]) => {
      change(transfer?.data as Buffer)
      return []
    })
    expect([await pay(payment), asked]).toEqual(['notAccepted', []])
  })

  it('to somebody else is refused by us, whatever a facilitator says of it [x402-terms-checked]', async () => {
    const { pay, asked, requirementsOn } = openCalls()
    const { payment } = await onSolana(await requirementsOn(SOLANA), ([, , transfer]) => {
      const [source, , destination] = transfer?.keys ?? []
      if (source && destination) destination.pubkey = source.pubkey
      return []
    })
    expect([await pay(payment), asked]).toEqual(['notAccepted', []])
  })
})

describe('a payment on Base', () => {
  const signFor = async (requirements: PaymentPayload['accepted'], validBefore: bigint) => {
    const account = privateKeyToAccount(generatePrivateKey())
    const { ExactEvmScheme } = await import('@x402/evm/exact/client')
    const payment = { ...(await new ExactEvmScheme(account).createPaymentPayload(2, requirements)), accepted: requirements }
    const { from, to, value, validAfter, nonce } = transferIn(payment as PaymentPayload)
    const message = { from, to, value: BigInt(value), validAfter: BigInt(validAfter), validBefore, nonce }
    const types = { TransferWithAuthorization: TYPES.TransferWithAuthorization }
    const signature = await account.signTypedData({ domain: DOMAIN, types, primaryType: 'TransferWithAuthorization', message })
    const authorization = { from, to, value, validAfter, validBefore: validBefore.toString(), nonce }
    return { x402Version: 2, accepted: requirements, payload: { authorization, signature } }
  }
  const seconds = () => BigInt(Math.floor(Date.now() / 1_000))

  it('that could be settled long after it was asked for is refused: what became of it would never be over [x402-terms-checked]', async () => {
    const { pay, asked, requirementsOn } = openCalls()
    const requirements = await requirementsOn('eip155:8453')
    expect(await pay(await signFor(requirements, 2n ** 256n - 1n))).toBe('notAccepted')
    expect(await pay(await signFor(requirements, seconds() + 300n + 660n))).toBe('notAccepted')
    expect(asked).toEqual([])
    // By a clock that is ahead of ours.
    expect(await pay(await signFor(requirements, seconds() + 300n + 540n))).toBe('PAYMENT_PENDING')
    expect(asked).toEqual(['verify', 'work'])
  })

  it('whose signature is wrapped and cannot be unwrapped (ERC-6492) is malformed, and not worth repeating', async () => {
    const { pay, asked, requirementsOn } = openCalls()
    const { payload, ...rest } = await signFor(await requirementsOn('eip155:8453'), seconds() + 300n)
    const signature = `${payload.signature}${'6492'.repeat(16)}`
    expect([await pay({ ...rest, payload: { ...payload, signature } }), asked]).toEqual(['malformed', []])
  })

  it.each([
    ['EIP-1271', (signature: Hex): Hex => `0x01${signature.slice(2)}`],
    ['ERC-6492', (signature: Hex) => serializeErc6492Signature({ address: PAY_TO, data: '0x12345678', signature })],
  ])('signed by a contract wallet (%s) is for the facilitator to verify', async (_what, wrap) => {
    const { pay, asked, requirementsOn } = openCalls()
    const { payload, ...rest } = await signFor(await requirementsOn('eip155:8453'), seconds() + 300n)
    const signature = wrap(payload.signature)
    expect([await pay({ ...rest, payload: { ...payload, signature } }), asked]).toEqual(['PAYMENT_PENDING', ['verify', 'work']])
  })
})
