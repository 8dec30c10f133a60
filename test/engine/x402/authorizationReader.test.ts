import type { PaymentPayload } from '@x402/core/types'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { AUTHORIZATION_CANCELED_TOPIC, AUTHORIZATION_USED_TOPIC } from '../../../engine/chains/evm/evmAuthorizations.ts'
import { TRANSFER_TOPIC, topicOf } from '../../../engine/chains/evm/evmMovements.ts'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { createAuthorizationReader } from '../../../engine/x402/createAuthorizationReader.ts'
import { paidBy } from '../../../engine/x402/paidBy.ts'
import { readSolanaState } from '../../../engine/x402/readSolanaState.ts'
import { hashOf, seenTransaction } from '../../support/fakeEvidence.ts'
import {
  anAddress,
  argumentsOf,
  DOMAIN,
  requirementsFor,
  signedAgain,
  startPaymentStage,
  TOKEN_ABI,
  TYPES,
  transferIn,
  USDC,
} from '../../support/paymentStage.ts'
import { seenEvm } from '../../support/seenEvm.ts'

const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11'
const MULTICALL3_ABI = parseAbi([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
])

const stage = await startPaymentStage()
afterAll(stage.close)
beforeEach(() => {
  stage.waits.length = 0
  stage.simnet.faults.clear(null)
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

const transferCall = (args: ReturnType<typeof argumentsOf>): Hex =>
  encodeFunctionData({ abi: TOKEN_ABI, functionName: 'transferWithAuthorization', args })

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
  await stage.send(account, { to: USDC, data })
  expect(await stage.stateOf(payment)).toEqual({ state: 'unknown' })
  await stage.advance(10_000)
  expect(await stage.stateOf(payment)).toEqual({ state: 'spent' })
})

it('payment on Base: is spent if its nonce paid another payee, also beside another payment of as much in one transaction [x402-chain-decides]', async () => {
  const { account, sign, payment } = await aPayment()
  const toOther = await signedAgain(account, payment, { to: anAddress() })
  const other = await sign(payment.accepted)
  const calls = [toOther, other].map(
    (one) => ({ target: USDC, allowFailure: false, callData: transferCall(argumentsOf(one)) }) as const,
  )
  const data = encodeFunctionData({ abi: MULTICALL3_ABI, functionName: 'aggregate3', args: [calls] })
  const { transactionHash } = await stage.send(account, { to: MULTICALL3, data })
  await stage.advance(10_000)
  expect(await stage.stateOf(payment)).toEqual({ state: 'spent' })
  expect(await stage.stateOf(payment, transactionHash)).toEqual({ state: 'spent' })
  expect(await stage.stateOf(other)).toEqual({ state: 'used', transaction: transactionHash })
})

it('payment on Base: stays unused for a reported transaction of another payment, a failed one and text that is none [x402-chain-decides]', async () => {
  const { account, sign, payment } = await aPayment()
  const { transaction: ofOther } = await settle(await sign(payment.accepted))
  const [from, to, value, ...rest] = argumentsOf(payment)
  await stage.faucet(8453, '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', account.address, '10000000000000000')
  const failing = { to: USDC as Hex, data: transferCall([from, to, value + 1n, ...rest]), gas: 200_000n, gasPrice: 10n ** 10n }
  const signed = await account.signTransaction({ ...failing, nonce: 0, chainId: 8453 })
  const hash = (await stage.rpc(8453, 'eth_sendRawTransaction', [signed])) as Hex
  expect((await stage.chain.waitForTransactionReceipt({ hash })).status).toBe('reverted')
  for (const reported of [ofOther, hash, 'ignore all that']) expect(await stage.stateOf(payment, reported)).toEqual(UNUSED)
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
  for (const [ms, expected] of [
    [120_000, 'unused'],
    [30_000, 'unused'],
    [120_000, 'expired'],
  ] as const) {
    await stage.advance(ms)
    expect(await stage.stateOf(payment)).toEqual({ state: expected })
  }
  expect(await stage.stateOf(paid)).toEqual(used)
})

const address = (byte: string) => addressOf('evm', `0x${byte.repeat(20)}`)
const [TOKEN, OTHER_TOKEN] = [address('a1'), address('a2')]
const [PAYER, OTHER_PAYER] = [address('b1'), address('b2')]
const [PAY_TO, STRANGER] = [address('c1'), address('c2')]
const NONCE = `0x${'07'.repeat(32)}` as Hex

const AUTHORIZATION = { chainId: 8453, token: TOKEN, authorizer: PAYER, nonce: NONCE, since: 0, validBefore: 1 } as const
const PAYMENT = { authorization: AUTHORIZATION, payTo: PAY_TO, amount: 1000n }

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
type Wish = { token?: Address; by?: Address; nonce?: Hex; to?: Address; amount?: bigint }
type Log = { readonly address: string; readonly topics: readonly string[]; readonly data: string }
const closed = (topic: Hex, { token = TOKEN, by = PAYER, nonce = NONCE }: Wish = {}): Log => ({
  address: token,
  topics: [topic, topicOf(by), nonce],
  data: '0x',
})
const used = (wish?: Wish) => closed(AUTHORIZATION_USED_TOPIC, wish)
const moved = ({ token = TOKEN, by = PAYER, to = PAY_TO, amount = 1000n }: Wish = {}): Log => ({
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

it.each([
  [1000n, 'used'],
  [999n, 'spent'],
  [null, 'spent'],
] as const)('authorization: a landed Solana message that moved %s of 1000 is %s', async (amount, state) => {
  const [hash, payTo, token] = [hashOf(7, -2), 'payTo' as never, 'token' as never]
  const movements = amount === null ? [] : [{ place: 'instruction:2', token, from: 'payer' as never, to: payTo, amount }]
  const parts = {
    evidence: { transaction: async () => seenTransaction({ chainId: -2, hash, movements }) },
    messages: { carries: async () => true, standing: async () => ({ state: 'open' }) as const },
  }
  const message = { bytes: new Uint8Array(), blockhash: '', account: payTo }
  const asked = { message, payer: 'payer' as never, token, payTo, amount: 1000n }
  const { seen } = await readSolanaState(parts, asked, hash, new AbortController().signal)
  expect(seen.state).toBe(state)
})
