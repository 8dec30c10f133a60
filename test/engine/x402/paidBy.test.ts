import { expect, it } from 'vitest'
import { createEndpointHealth } from '../../../engine/chains/endpoints/endpointHealth.ts'
import {
  AUTHORIZATION_CANCELED_TOPIC,
  AUTHORIZATION_USED_TOPIC,
  createEvmAuthorizations,
} from '../../../engine/chains/evm/evmAuthorizations.ts'
import { TRANSFER_TOPIC, topicOf } from '../../../engine/chains/evm/evmMovements.ts'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import { paidBy } from '../../../engine/x402/paidBy.ts'
import { readSolanaState } from '../../../engine/x402/readSolanaState.ts'
import { hashOf, seenTransaction } from '../../support/fakeEvidence.ts'
import { seenEvm } from '../../support/seenEvm.ts'

const address = (byte: string) => addressOf('evm', `0x${byte.repeat(20)}`)
const [TOKEN, OTHER_TOKEN] = [address('a1'), address('a2')]
const [PAYER, OTHER_PAYER] = [address('b1'), address('b2')]
const [PAY_TO, STRANGER] = [address('c1'), address('c2')]
const NONCE = `0x${'07'.repeat(32)}` as Hex
const VALID_BEFORE = 1_000_000_000_000

const key = { chainId: 8453, token: TOKEN, authorizer: PAYER, nonce: NONCE } as const
const authorization = { ...key, since: 0, validBefore: VALID_BEFORE }
const payment = { authorization, payTo: PAY_TO, amount: 1000n }

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
  expect(paidBy(seenEvm(8453, logs, change), payment)).toBe(expected)
})

// A use is read in authorizationReader.test.ts.
it.each([
  ['open before a block past its time', 'open', 1],
  ['open while the first block past its time is not confirmed', 'open', 2],
  ['expired after a confirmed block past its time', 'expired', 3],
])('authorization: an unused one is %s', async (_what, standing, head) => {
  const blocks = [VALID_BEFORE - 4_000, VALID_BEFORE - 2_000, VALID_BEFORE, VALID_BEFORE + 2_000]
  const hex = (value: number) => `0x${value.toString(16)}`
  const result = (method: string, [first]: readonly unknown[]): unknown => {
    if (method === 'eth_call') return word(0n)
    if (first === 'finalized') return null
    const number = first === 'latest' ? head : Number(first)
    return { number: hex(number), hash: word(BigInt(number)), timestamp: hex((blocks[number] ?? 0) / 1_000) }
  }
  const send = async ({ json }: { json?: unknown }) => {
    const { method, params } = json as { method: string; params: readonly unknown[] }
    return { status: 200, headers: {}, text: JSON.stringify({ jsonrpc: '2.0', id: 1, result: result(method, params) }) }
  }
  const health = createEndpointHealth({ clock: { now: () => VALID_BEFORE } })
  const http = { send, close: async () => undefined }
  const chain = createEvmAuthorizations({ rpcUrls: { 8453: ['http://node'] }, http, health })
  expect(await chain.standing(authorization, new AbortController().signal)).toBe(standing)
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
