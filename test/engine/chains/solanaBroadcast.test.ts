import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSolanaTransactions } from '../../../engine/chains/solana/solanaTransactions.ts'
import { benchOver, DEADLINE_MS, fakeTimers, never } from './chainsBench.ts'
import { type Endpoint, hangs, resets, says } from './evmNode.ts'
import cases from './solanaBroadcast.json' with { type: 'json' }

const TX_HASH = '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'

beforeEach(fakeTimers)
afterEach(() => {
  vi.useRealTimers()
})

const open = (endpoints: { [host: string]: Endpoint }) => {
  const { http, health, rpcUrls } = benchOver(endpoints)
  const solana = createSolanaTransactions({ rpcUrls, http, health, deadlineMs: DEADLINE_MS })
  /** What a call comes to once all its time has passed. */
  const settle = async <T>(call: Promise<T>): Promise<T | string> => {
    const told = call.catch((error: { failure?: string }) => error.failure ?? String(error))
    await vi.advanceTimersByTimeAsync(2 * DEADLINE_MS)
    return told
  }
  return {
    solana,
    sent: () => http.sent.map(({ host }) => host),
    params: () => http.sent.map(({ call }) => [call.method, ...call.params]),
    send: () => settle(solana.send('AAAA', never())),
    settle,
  }
}

const preflight = (err: unknown): Endpoint =>
  says({ error: { code: -32_002, message: 'Transaction simulation failed', data: { err, logs: [] } } })
const takes = says({ result: TX_HASH })

describe('send', () => {
  it('asks for a preflight, and is accepted when a node gives the signature back', async () => {
    const { send, params } = open({ a: takes })
    expect(await send()).toEqual({ isAccepted: true })
    const options = { encoding: 'base64', preflightCommitment: 'confirmed', skipPreflight: false }
    expect(params()).toEqual([['sendTransaction', 'AAAA', options]])
  })

  it.each(cases.refusals as [unknown, string][])('is refused for %j: %s', async (err, reason) => {
    const { send } = open({ a: preflight(err) })
    expect(await send()).toEqual({ isAccepted: false, refusal: { reason, error: err }, mayBeSent: false })
  })

  it.each([['a list that is long'.repeat(40)], [42]])('shows no error that is none of the chain: %#', async (err) => {
    const { send } = open({ a: preflight(err) })
    expect(await send()).toEqual({ isAccepted: false, refusal: { reason: 'failed', error: null }, mayBeSent: false })
  })

  it.each([
    ['broke off', resets],
    ['never answered', hangs],
    ['answered 503', says('', 503)],
    ['answered without a result', says({})],
    ['answered something else', says('<html>')],
    ['used the code of a preflight for something else', says({ error: { code: -32_002, message: 'Resource unavailable' } })],
    ['gave the code of a preflight without a reason', preflight(null)],
    ['said it is behind', says({ error: { code: -32_005, message: 'Node is behind by 42 slots' } })],
  ])('goes on to the next node after one that %s, and its refusal then leaves open whether it was sent', async (_what, first) => {
    const { send, sent } = open({ a: first, b: preflight('BlockhashNotFound') })
    expect(await send()).toMatchObject({ isAccepted: false, refusal: { reason: 'blockhashExpired' }, mayBeSent: true })
    expect(sent()).toEqual(['a', 'b'])
  })

  it('is accepted when only the last node takes it, and asks each once', async () => {
    const { send, sent } = open({ a: resets, b: says('', 429), c: takes })
    expect(await send()).toEqual({ isAccepted: true })
    expect(sent()).toEqual(['a', 'b', 'c'])
  })

  it('does not ask the next node after a preflight that refused', async () => {
    const { send, sent } = open({ a: preflight('BlockhashNotFound'), b: takes })
    await send()
    expect(sent()).toEqual(['a'])
  })

  it('ends in a ChainError when no node can be asked', async () => {
    expect(await open({ a: resets, b: resets }).send()).toBe('unreachable')
    expect(await open({ a: hangs }).send()).toBe('timeout')
  })
})

const value = (content: unknown, slot: unknown = 312): Endpoint => says({ result: { context: { slot }, value: content } })
const MALFORMED = [
  says({ result: null }),
  says({ result: 7 }),
  value('nonsense'),
  value([]),
  value([{ slot: 1 }]),
  value([null], null),
  value([null], '312'),
]

describe('landing', () => {
  it.each(cases.landings as [string | null, boolean, unknown][])(
    'is %s, final %s, for %j, looked up in the whole history',
    async (outcome, isFinal, status) => {
      const { solana, settle, params } = open({ a: value([status]) })
      expect(await settle(solana.landing(TX_HASH, never()))).toEqual({ outcome, isFinal, seenSlot: 312 })
      expect(params()).toEqual([['getSignatureStatuses', [TX_HASH], { searchTransactionHistory: true }]])
    },
  )

  it.each(MALFORMED)('is never taken from an answer that is none: %#', async (endpoint) => {
    const { solana, settle } = open({ a: endpoint })
    expect(await settle(solana.landing(TX_HASH, never()))).toBe('unreachable')
  })
})

describe('the other reads', () => {
  it('simulate without signatures, on a fresh blockhash', async () => {
    const { solana, settle, params } = open({ a: value({ err: null, logs: [] }) })
    expect(await settle(solana.simulate('AAAA', never()))).toBeNull()
    const options = { encoding: 'base64', commitment: 'confirmed', sigVerify: false, replaceRecentBlockhash: true }
    expect(params()).toEqual([['simulateTransaction', 'AAAA', options]])
    const failing = open({ a: value({ err: 'AccountNotFound' }) })
    expect(await failing.settle(failing.solana.simulate('AAAA', never()))).toEqual({
      reason: 'insufficientFunds',
      error: 'AccountNotFound',
    })
  })

  it('tell a blockhash that still serves, what is final, and how far back transactions are kept', async () => {
    const valid = open({ a: value(true) })
    expect(await valid.settle(valid.solana.isBlockhashValid('hash', never()))).toBe(true)
    const final = open({ a: says({ result: { absoluteSlot: 412, blockHeight: 312, epoch: 0 } }) })
    expect(await final.settle(final.solana.finality(never()))).toEqual({ slot: 412, height: 312 })
    expect(final.params()).toEqual([['getEpochInfo', { commitment: 'finalized' }]])
    const first = open({ a: says({ result: 250 }) })
    expect(await first.settle(first.solana.firstSlot(never()))).toBe(250)
    expect(first.params()).toEqual([['getFirstAvailableBlock']])
  })

  it.each([says({ result: null }), value(null), value('yes'), says({ error: { code: 3, message: 'execution reverted' } })])(
    'are unreadable when the answer is something else: %#',
    async (endpoint) => {
      const { solana, settle } = open({ a: endpoint })
      expect(await settle(solana.isBlockhashValid('hash', never()))).toBe('unreachable')
      expect(await settle(solana.finality(never()))).toBe('unreachable')
      expect(await settle(solana.firstSlot(never()))).toBe('unreachable')
      expect(await settle(solana.simulate('AAAA', never()))).toBe('unreachable')
    },
  )
})
