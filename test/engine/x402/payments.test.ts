import { Keypair, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import type { PaymentPayload } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/server'
import { ExactSvmScheme } from '@x402/svm/exact/server'
import { encodeFunctionData, type Hex, serializeErc6492Signature } from 'viem'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { AUTHORIZATION_CANCELED_TOPIC, AUTHORIZATION_USED_TOPIC } from '../../../engine/chains/evm/evmAuthorizations.ts'
import { TRANSFER_TOPIC, topicOf } from '../../../engine/chains/evm/evmMovements.ts'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { systemClock } from '../../../engine/core/clock.ts'
import { createAuthorizationReader } from '../../../engine/x402/createAuthorizationReader.ts'
import { paidBy } from '../../../engine/x402/paidBy.ts'
import { createPaidCalls } from '../../../engine/x402/paidCalls.ts'
import { PAYMENT_ASSETS } from '../../../engine/x402/paymentAssets.ts'
import { createPaymentOptions, PaymentOptionsError, priceIn } from '../../../engine/x402/paymentOptions.ts'
import { readSolanaState } from '../../../engine/x402/readSolanaState.ts'
import { hashOf, seenTransaction } from '../../support/fakeEvidence.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import {
  anAddress,
  DOMAIN,
  payFor,
  requirementsFor,
  signedAgain,
  startPaymentStage,
  TOKEN_ABI,
  TYPES,
  transferIn,
  USDC_SOLANA,
} from '../../support/paymentStage.ts'
import { seenEvm } from '../../support/seenEvm.ts'
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
beforeEach(() => {
  stage.waits.length = 0
  stage.simnet.faults.clear(null)
})
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
    return accepts.find((each) => each.network === network) ?? expect.fail(`no payment is accepted on ${network}`)
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

const UNUSED = { state: 'unused' } as const

/** A signed payment on Base to a new payee, with its payer. */
const aPayment = async () => {
  const payer = await stage.aPayer()
  return { ...payer, payment: await payer.sign(requirementsFor(anAddress())) }
}

/** Settles a payment; returns the state that its chain shows from then on. */
const settle = async (payment: PaymentPayload) => {
  const { success, transaction } = await stage.simnet.facilitator.settle(payment, payment.accepted)
  expect(success).toBe(true)
  return { state: 'used', transaction } as const
}

it('payment on Base: is unused until it is settled, then used by the transaction that paid, also with a validity without end [x402-chain-decides]', async () => {
  const { account, payment } = await aPayment()
  expect(transferIn(payment).validAfter).toBe('0')
  const endless = await signedAgain(account, payment, { validBefore: String(2n ** 200n), nonce: `0x${'99'.repeat(32)}` })
  for (const one of [payment, endless]) {
    expect(await stage.stateOf(one)).toEqual(UNUSED)
    const used = await settle(one)
    for (const reported of [null, used.transaction]) expect(await stage.stateOf(one, reported)).toEqual(used)
  }
  expect(stage.waits).toEqual([])
})

it('payment on Base: is spent after a confirmed cancellation by its payer, and unknown before its confirmation [x402-chain-decides]', async () => {
  const { account, payment } = await aPayment()
  const { nonce } = transferIn(payment)
  const message = { authorizer: account.address, nonce }
  const signature = await account.signTypedData({ domain: DOMAIN, types: TYPES, primaryType: 'CancelAuthorization', message })
  const args = [account.address, nonce, signature] as const
  const data = encodeFunctionData({ abi: TOKEN_ABI, functionName: 'cancelAuthorization', args })
  await stage.send(account, { to: DOMAIN.verifyingContract, data })
  expect(await stage.stateOf(payment)).toEqual({ state: 'unknown' })
  await stage.advance(10_000)
  expect(await stage.stateOf(payment)).toEqual({ state: 'spent' })
})

it('payment on Base: stays unused for a reported transaction of another payment, an unknown one and text that is none [x402-chain-decides]', async () => {
  const { sign, payment } = await aPayment()
  const { transaction: ofOther } = await settle(await sign(payment.accepted))
  for (const reported of [ofOther, 'ignore all that']) expect(await stage.stateOf(payment, reported)).toEqual(UNUSED)
  expect(stage.waits).toEqual([])
  // A transaction that the service's node does not know may still appear: the reader waits for it, not without end.
  expect(await stage.stateOf(payment, `0x${'00'.repeat(32)}`)).toEqual(UNUSED)
  expect(stage.waits).toHaveLength(11)
})

it("payment on Base: is used if the reported transaction appears late at the service's node [x402-chain-decides]", async () => {
  const { payment } = await aPayment()
  const waits: number[] = []
  let used: unknown = null
  const wait = async (ms: number) => {
    if (waits.push(ms) === 3) used = await settle(payment)
  }
  const reader = createAuthorizationReader({ ...stage.parts, wait })
  const { signal } = new AbortController()
  const state = await reader.stateOf(payment, payment.accepted, signal, `0x${'ab'.repeat(32)}`)
  expect(state).toEqual(used)
  expect(waits).toHaveLength(3)
  await expect(reader.stateOf(payment, payment.accepted, AbortSignal.abort(), null)).rejects.toThrow()
})

it('payment on Base: is unknown while the chain cannot be read, and if its payload is no payment of what is required [x402-chain-decides]', async () => {
  const { account, payment } = await aPayment()
  const changes = [{ to: account.address }, { value: '999' }, { nonce: '0x12' }, { validBefore: '-1' }]
  const authorizations = changes.map((change) => ({ authorization: { ...transferIn(payment), ...change } }))
  for (const payload of [{}, { authorization: null }, ...authorizations])
    expect(await stage.stateOf({ ...payment, payload })).toEqual({ state: 'unknown' })
  const used = await settle(payment)
  for (const fault of ['http-500', 'wrong-shape'] as const) {
    stage.simnet.faults.set('chain:8453', fault, {}, null)
    expect(await stage.stateOf(payment)).toEqual({ state: 'unknown' })
    stage.simnet.faults.clear(null)
  }
  expect(await stage.stateOf(payment)).toEqual(used)
})

it('payment on Base: is expired once the first block past its time is confirmed, unless it was used [x402-chain-decides]', async () => {
  const [{ payment }, { payment: paid }] = [await aPayment(), await aPayment()]
  const used = await settle(paid)
  // Base makes a block each two seconds.
  await stage.advance(Number(transferIn(payment).validBefore) * 1_000 + 1_900 - stage.simnet.clock.now())
  expect(await stage.stateOf(payment)).toEqual(UNUSED)
  await stage.advance(4_000)
  expect(await stage.stateOf(payment)).toEqual({ state: 'expired' })
  expect(await stage.stateOf(paid)).toEqual(used)
})

it('payment on Solana: is unused until it is settled, then used by the transaction that paid [x402-chain-decides]', async () => {
  const { sign } = await stage.aSolanaPayer()
  const [payment, other] = [await sign(), await sign()]
  expect(await stage.stateOf(payment)).toEqual(UNUSED)
  const used = await settle(payment)
  expect(await stage.stateOf(payment)).toEqual(used)
  expect(await stage.stateOf(payment, used.transaction)).toEqual(used)
  // Another payment of the same wallet, reported with the transaction of the first.
  expect(await stage.stateOf(other, used.transaction)).toEqual(UNUSED)
  expect(stage.waits).toEqual([])
  expect(await stage.stateOf(other, '1'.repeat(64))).toEqual(UNUSED)
  expect(stage.waits).toHaveLength(11)
})

it('payment on Solana: is spent after its transaction failed, because it cannot run again [x402-chain-decides]', async () => {
  const { signer, sign } = await stage.aSolanaPayer('1000')
  const [payment, other] = [await sign(), await sign()]
  await settle(other)
  await stage.landOnSolana(payment)
  expect(await stage.heldOnSolana(signer.address)).toBe('0')
  expect(await stage.stateOf(payment)).toEqual({ state: 'spent' })
})

it('payment on Solana: is expired long after its blockhash ended, unless it was used [x402-chain-decides]', async () => {
  const { sign } = await stage.aSolanaPayer()
  const [payment, paid] = [await sign(), await sign()]
  const used = await settle(paid)
  // A node that is behind could still accept it shortly after its end.
  for (const ms of [120_000, 30_000]) {
    await stage.advance(ms)
    expect(await stage.stateOf(payment)).toEqual(UNUSED)
  }
  await stage.advance(120_000)
  expect(await stage.stateOf(payment)).toEqual({ state: 'expired' })
  expect(await stage.stateOf(paid)).toEqual(used)
})

const address = (byte: string) => addressOf('evm', `0x${byte.repeat(20)}`)
const [TOKEN, OTHER_TOKEN] = [address('a1'), address('a2')]
const [PAYER, OTHER_PAYER] = [address('b1'), address('b2')]
const [PAYEE, STRANGER] = [address('c1'), address('c2')]
const NONCE = `0x${'07'.repeat(32)}` as Hex

const AUTHORIZATION = { chainId: 8453, token: TOKEN, authorizer: PAYER, nonce: NONCE, since: 0, validBefore: 1 } as const
const PAYMENT = { authorization: AUTHORIZATION, payTo: PAYEE, amount: 1000n }

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
type Wish = { token?: Address; by?: Address; nonce?: Hex; to?: Address; amount?: bigint }
type Log = { readonly address: string; readonly topics: readonly string[]; readonly data: string }
const closed = (topic: Hex, { token = TOKEN, by = PAYER, nonce = NONCE }: Wish = {}): Log => ({
  address: token,
  topics: [topic, topicOf(by), nonce],
  data: '0x',
})
const used = (wish?: Wish) => closed(AUTHORIZATION_USED_TOPIC, wish)
const moved = ({ token = TOKEN, by = PAYER, to = PAYEE, amount = 1000n }: Wish = {}): Log => ({
  address: token,
  topics: [TRANSFER_TOPIC, topicOf(by), topicOf(to)],
  data: word(amount),
})

const others = { token: OTHER_TOKEN, to: STRANGER }

it.each<[string, 'paid' | 'other' | 'nothing', readonly Log[], Partial<SeenTransaction>?]>([
  ['uses it and pays', 'paid', [used(), moved()]],
  ['uses it and pays, with a log of another token in between', 'paid', [used(), moved(others), moved()]],
  ['pays and fails', 'nothing', [used(), moved()], { isSuccess: false }],
  ['pays on another chain', 'nothing', [used(), moved()], { chainId: 10 }],
  ['pays without it', 'nothing', [moved()]],
  ['uses the same nonce of another payer', 'nothing', [used({ by: OTHER_PAYER }), moved({ by: OTHER_PAYER }), moved()]],
  ['uses another nonce of the payer', 'nothing', [used({ nonce: word(9n) }), moved()]],
  ['uses that of another token', 'nothing', [used({ token: OTHER_TOKEN }), moved()]],
  ['uses it and pays another payee', 'other', [used(), moved({ to: STRANGER })]],
  ['uses it and pays another amount', 'other', [used(), moved({ amount: 999n })]],
  ['uses it and moves the money of another', 'other', [used(), moved({ by: OTHER_PAYER })]],
  ['uses it and moves another token', 'other', [used(), moved({ token: OTHER_TOKEN })]],
  ['uses it and pays nothing', 'other', [used()]],
  [
    'uses it for another payee, and pays by another authorization',
    'other',
    [used(), moved({ to: STRANGER }), used({ nonce: word(9n) }), moved()],
  ],
  ['cancels it, and pays otherwise', 'other', [closed(AUTHORIZATION_CANCELED_TOPIC), moved()]],
])('authorization: a transaction that %s has %s of it', (_what, expected, logs, change = {}) => {
  expect(paidBy(seenEvm(8453, logs, change), PAYMENT)).toBe(expected)
})

it.each([999n, 1_001n])('authorization: a landed Solana message that moved %s of 1000 is spent', async (amount) => {
  const [hash, payTo, token] = [hashOf(7, -2), 'payTo' as never, 'token' as never]
  const movements = [{ place: 'instruction:2', token, from: 'payer' as never, to: payTo, amount }]
  const parts = {
    evidence: { transaction: async () => seenTransaction({ chainId: -2, hash, movements }) },
    messages: { carries: async () => true, standing: async () => ({ state: 'open' }) as const },
  }
  const message = { bytes: new Uint8Array(), blockhash: '', account: payTo }
  const asked = { message, payer: 'payer' as never, token, payTo, amount: 1000n }
  expect((await readSolanaState(parts, asked, hash, new AbortController().signal)).seen.state).toBe('spent')
})
