import { describe, expect, it } from 'vitest'
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

const authorization = {
  chainId: 8453,
  token: TOKEN,
  authorizer: PAYER,
  nonce: NONCE,
  since: 0,
  validBefore: VALID_BEFORE,
} as const
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

type Row = readonly [string, 'paid' | 'other' | 'nothing', readonly Log[], Partial<SeenTransaction>?]

describe('a transaction that', () => {
  const rows: readonly Row[] = [
    ['uses it and pays', 'paid', [used(), moved()]],
    ['uses it and pays, with logs of others in between', 'paid', [used(), moved({ token: OTHER_TOKEN, to: STRANGER }), moved()]],
    ['pays and fails', 'nothing', [used(), moved()], { isSuccess: false }],
    ['pays on another chain', 'nothing', [used(), moved()], { chainId: 10 }],
    ['shows nothing of it', 'nothing', [moved()]],
    [
      'uses that of another payer with the same nonce',
      'nothing',
      [used({ by: OTHER_PAYER }), moved({ by: OTHER_PAYER }), moved()],
    ],
    ['uses that of the same payer with another nonce', 'nothing', [used({ nonce: word(9n) }), moved()]],
    ['uses that of another token', 'nothing', [used({ token: OTHER_TOKEN }), moved()]],
    ['uses it and pays somebody else', 'other', [used(), moved({ to: STRANGER })]],
    ['uses it and pays another amount', 'other', [used(), moved({ amount: 999n })]],
    ['uses it and moves the money of another', 'other', [used(), moved({ by: OTHER_PAYER })]],
    ['uses it and moves another token', 'other', [used(), moved({ token: OTHER_TOKEN })]],
    ['uses it and pays nothing', 'other', [used()]],
    [
      'uses it for somebody else, and pays by another',
      'other',
      [used(), moved({ to: STRANGER }), used({ nonce: word(9n) }), moved()],
    ],
    ['cancels it, and pays besides', 'other', [closed(AUTHORIZATION_CANCELED_TOPIC), moved()]],
  ]
  for (const [what, expected, logs, change = {}] of rows)
    it(`${what}: ${expected}`, () => {
      expect(paidBy(seenEvm(8453, logs, change), payment)).toBe(expected)
    })
})

describe('an authorization that its time is over for', () => {
  /** Nodes as two that are not as far: what is asked of the latest block, and of a block by its number. */
  const aChain = ({ head, latest = false, confirmed = false }: { head: number; latest?: boolean; confirmed?: boolean }) => {
    const blocks = [VALID_BEFORE - 4_000, VALID_BEFORE - 2_000, VALID_BEFORE, VALID_BEFORE + 2_000]
    const result = (method: string, [first, second]: readonly unknown[]): unknown => {
      if (method === 'eth_call') return word((second === 'latest' ? latest : confirmed) ? 1n : 0n)
      if (first === 'finalized') return null
      const number = first === 'latest' ? head : Number(first)
      return {
        number: `0x${number.toString(16)}`,
        hash: word(BigInt(number)),
        timestamp: `0x${((blocks[number] ?? 0) / 1_000).toString(16)}`,
      }
    }
    const send = async ({ json }: { json?: unknown }) => {
      const { method, params } = json as { method: string; params: readonly unknown[] }
      return { status: 200, headers: {}, text: JSON.stringify({ jsonrpc: '2.0', id: 1, result: result(method, params) }) }
    }
    const health = createEndpointHealth({ clock: { now: () => VALID_BEFORE } })
    const http = { send, close: async () => undefined }
    const chain = createEvmAuthorizations({ rpcUrls: { 8453: ['http://node'] }, http, health })
    return chain.standing(authorization, new AbortController().signal)
  }

  it('is expired once a confirmed block is past it, not by the first such block', async () => {
    expect(await aChain({ head: 1 })).toBe('open')
    expect(await aChain({ head: 2 })).toBe('open')
    expect(await aChain({ head: 3 })).toBe('expired')
  })

  it('is not expired where a node that was behind has not seen its use', async () => {
    expect(await aChain({ head: 3, confirmed: true })).toBe('closed')
    expect(await aChain({ head: 3, latest: true })).toBe('closed')
  })
})

describe('a landed message on Solana', () => {
  it.each([
    [1000n, 'used'],
    [999n, 'spent'],
    [null, 'spent'],
  ] as const)('that moved %s of 1000 is %s', async (amount, state) => {
    const [hash, payTo, token] = [hashOf(7, -2), 'payTo' as never, 'token' as never]
    const movements = amount === null ? [] : [{ place: 'instruction:2', token, from: 'payer' as never, to: payTo, amount }]
    const parts = {
      evidence: { transaction: async () => seenTransaction({ chainId: -2, hash, movements }) },
      messages: { carries: async () => true, standing: async () => ({ state: 'open' }) as const },
    }
    const message = { bytes: new Uint8Array(), blockhash: '', account: payTo }
    const payment = { message, payer: 'payer' as never, token, payTo, amount: 1000n }
    const { seen } = await readSolanaState(parts, payment, hash, new AbortController().signal)
    expect(seen.state).toBe(state)
  })
})
