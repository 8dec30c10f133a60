import { Keypair, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import type { PaymentPayload } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { ExactSvmScheme } from '@x402/svm/exact/server'
import { type Hex, serializeErc6492Signature } from 'viem'
import { afterAll, expect, it } from 'vitest'
import { systemClock } from '../../../engine/core/clock.ts'
import { createPaidCalls } from '../../../engine/x402/paidCalls.ts'
import { PAYMENT_ASSETS } from '../../../engine/x402/paymentAssets.ts'
import { createPaymentOptions, PaymentOptionsError, priceIn } from '../../../engine/x402/paymentOptions.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { payFor, signedAgain, startPaymentStage, USDC_SOLANA } from '../../support/paymentStage.ts'
import { createTestClock } from '../../support/testEngine.ts'
import { A_RESOURCE, PAY_TO } from '../../support/x402Bench.ts'

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const PAY_TO_SOLANA = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'

const optionsOn = (...networks: readonly string[]) =>
  createPaymentOptions({ payTo: { evm: PAY_TO, solana: PAY_TO_SOLANA }, networks, lifetimeSec: 300 })

it('price: a call costs 0.001 dollars on each network, in their order, as the official servers write it [x402-price]', async () => {
  const networks = PAYMENT_ASSETS.map(({ network }) => network).toReversed()
  const official = networks.map(async (network) => {
    const isSolana = network === SOLANA
    const scheme = isSolana ? new ExactSvmScheme() : new ExactEvmScheme()
    const price = { extra: {}, ...(await scheme.parsePrice('$0.001', network as `${string}:${string}`)) }
    expect(price.amount).toBe('1000')
    return { scheme: 'exact', network, maxTimeoutSeconds: 300, payTo: isSolana ? PAY_TO_SOLANA : PAY_TO, price }
  })
  expect(optionsOn(...networks)).toEqual(await Promise.all(official))
})

it('price: the start stops for a fraction of the smallest unit, a network without a coin that is accepted, and a missing payee', () => {
  const [coin] = PAYMENT_ASSETS as unknown as [Parameters<typeof priceIn>[0]]
  expect([priceIn({ ...coin, decimals: 18 }), priceIn({ ...coin, decimals: 3 })]).toEqual(['1000000000000000', '1'])
  for (const units of [19_999n, 0n]) expect(() => priceIn(coin, { units, decimals: 7 })).toThrow(PaymentOptionsError)
  expect(() => optionsOn('eip155:56')).toThrow('only on eip155:8453')
  const payTo = { evm: PAY_TO, solana: null }
  const withoutPayee = () => createPaymentOptions({ payTo, networks: [SOLANA], lifetimeSec: 300 })
  expect(withoutPayee).toThrow('nobody is to be paid')
})

const stage = await startPaymentStage()
afterAll(stage.close)
await stage.faucet(-2, USDC_SOLANA, PAY_TO_SOLANA, '1')

/** A service whose facilitator verifies everything and settles nothing. `calls` are the steps that were taken. */
const openCalls = () => {
  const calls: string[] = []
  const facilitator = {
    getSupported: () => stage.simnet.facilitator.getSupported(),
    verify: async () => {
      calls.push('verify')
      return { isValid: true }
    },
    settle: () => Promise.reject(new Error('down')),
  }
  const ports = { facilitator, authorizations: stage.reader, options: optionsOn('eip155:8453', SOLANA) }
  const store = createMemoryStore(createTestClock())
  const paidCalls = createPaidCalls({ ports, store, holder: 'holder-1', observe: () => undefined, clock: systemClock })
  const payers: string[] = []
  const room = async (payer: string) => void payers.push(payer)
  const work = async () => {
    calls.push('work')
    return '{}'
  }
  const requirementsOn = async (network: string) => {
    const { header } = await paidCalls.demand(A_RESOURCE, 'noPayment')
    const { accepts } = JSON.parse(Buffer.from(header, 'base64').toString()) as { accepts: PaymentPayload['accepted'][] }
    const found = accepts.find((each) => each.network === network)
    if (!found) throw new Error(`no payment is accepted on ${network}`)
    return found
  }
  return { calls, payers, requirementsOn, pay: (payment: object) => payFor(paidCalls, payment, { room, work }) }
}

type Instructions = TransactionMessage['instructions']

/** A signed transfer on Solana with changed instructions, and the wallet that pays. `change` returns further signers. */
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

it('strict payment: the payer on Solana is the wallet whose money moves, whoever else signs', async () => {
  const { pay, payers, requirementsOn } = openCalls()
  const { wallet, payment } = await onSolana(await requirementsOn(SOLANA), (instructions) => {
    const other = Keypair.generate()
    // Writable accounts come first among the signers.
    instructions.at(-1)?.keys.push({ pubkey: other.publicKey, isSigner: true, isWritable: true })
    return [other]
  })
  await pay(payment)
  expect(payers).toEqual([wallet.publicKey.toBase58()])
})

type Transfer = Instructions[number] | undefined

it.each<[string, (transfer: Transfer) => unknown]>([
  ['of one unit too little', (transfer) => transfer?.data.writeBigUInt64LE(999n, 1)],
  ['of one unit too much', (transfer) => transfer?.data.writeBigUInt64LE(1_001n, 1)],
  ['to another account', (transfer) => Object.assign(transfer?.keys[2] ?? {}, { pubkey: transfer?.keys[0]?.pubkey })],
])(
  'strict payment: a Solana payment %s is notAccepted before the facilitator is called [x402-terms-checked]',
  async (_what, change) => {
    const { pay, calls, requirementsOn } = openCalls()
    const { payment } = await onSolana(await requirementsOn(SOLANA), ([, , transfer]) => {
      change(transfer)
      return []
    })
    expect([await pay(payment), calls]).toEqual(['notAccepted', []])
  },
)

const asSigned = (signature: Hex): string => signature
const asErc6492 = (signature: Hex) => serializeErc6492Signature({ address: PAY_TO, data: '0x12345678', signature })
const PASSED_ON = ['PAYMENT_PENDING', ['verify', 'work']] as const
const DEMANDED = 300n

// A wallet's clock may be ten minutes ahead.
it.each<[string, bigint, (signature: Hex) => string, readonly [string, readonly string[]]]>([
  ['a validity without end is notAccepted', 2n ** 255n, asSigned, ['notAccepted', []]],
  ['a validity of 11 minutes more than demanded is notAccepted', DEMANDED + 660n, asSigned, ['notAccepted', []]],
  ['a validity of 9 minutes more than demanded is passed on', DEMANDED + 540n, asSigned, PASSED_ON],
  ['an unreadable ERC-6492 signature is malformed', DEMANDED, (text) => `${text}${'6492'.repeat(16)}`, ['malformed', []]],
  ['an EIP-1271 signature is passed on', DEMANDED, (text) => `0x01${text.slice(2)}`, PASSED_ON],
  ['an ERC-6492 signature is passed on', DEMANDED, asErc6492, PASSED_ON],
])('strict payment: %s [x402-terms-checked]', async (_what, validForSec, wrap, expected) => {
  const { pay, calls, requirementsOn } = openCalls()
  const { account, sign } = await stage.aPayer('0')
  const validBefore = String(BigInt(Math.floor(Date.now() / 1_000)) + validForSec)
  const { payload, ...rest } = await signedAgain(account, await sign(await requirementsOn('eip155:8453')), { validBefore })
  const signature = wrap(payload['signature'] as Hex)
  expect([await pay({ ...rest, payload: { ...payload, signature } }), calls]).toEqual(expected)
})

const anAccount = (): string => Keypair.generate().publicKey.toBase58()

/** Instances over one store. The facilitator names each the given one of its fee accounts; null: the one that pays. */
const instances = (payTo: string, ...feePayers: readonly (string | null)[]) => {
  const store = createMemoryStore(systemClock)
  const { verify, settle, getSupported } = stage.simnet.facilitator
  const options = createPaymentOptions({ payTo: { evm: null, solana: payTo }, networks: [SOLANA], lifetimeSec: 300 })
  return feePayers.map((feePayer) => {
    const kind = { x402Version: 2, scheme: 'exact', network: SOLANA, extra: { feePayer } } as const
    const named = async () => ({ kinds: [kind], extensions: [], signers: {} })
    const facilitator = { verify, settle, getSupported: feePayer === null ? getSupported : named }
    const ports = { facilitator, authorizations: stage.reader, options }
    const calls = createPaidCalls({ ports, store, holder: `of ${feePayer}`, clock: systemClock, observe: () => undefined })
    return (payment: object) => payFor(calls, payment)
  })
}

it('fee payer: a payment is settled once and answered at every instance, whichever fee account it names, but not for a foreign account [x402-fee-payer]', async () => {
  const { requirements, sign } = await stage.aSolanaPayer()
  const [one, other] = instances(requirements.payTo, null, anAccount())
  const [first, second] = [await sign(), await sign()]
  for (const answer of [await one?.(first), await other?.(first), await other?.(second)]) expect(answer).toBe('{"quote":1}')
  expect(await stage.heldOnSolana(requirements.payTo)).toBe('2001')
  const accepted = { ...requirements, extra: { feePayer: anAccount() } }
  expect(await one?.({ ...(await sign()), accepted })).toBe('refused')
  expect(await stage.heldOnSolana(requirements.payTo)).toBe('2001')
})
