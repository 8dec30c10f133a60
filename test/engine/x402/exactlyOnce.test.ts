import { setTimeout as pause } from 'node:timers/promises'
import type { SettleResponse } from '@x402/core/types'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../../engine/core/clock.ts'
import type { AuthorizationState } from '../../../engine/x402/authorizationReader.ts'
import { createPaidCalls } from '../../../engine/x402/paidCalls.ts'
import { ANONYMOUS, type Reply } from '../../support/edgeServer.ts'
import type { MemoryStore } from '../../support/memoryStore.ts'
import { closing } from '../../support/storeStage.ts'
import { STORES } from '../../support/stores.ts'
import { readReceipt } from '../../support/x402Bench.ts'
import { BODY, codeOf, openX402, reasonOf, type X402Stage } from '../../support/x402Stage.ts'

const MINUTE = 60_000
/** Longer than the lease of a paid call. */
const LEASE_OVER_MS = 10_001
const OTHER = { ...BODY, inputAmount: '25000001' }
/** Callers without a rate limit. */
const UNLIMITED = { identify: async () => ({ ...ANONYMOUS, requestsPerMinute: 1e6 }) }
const PENDING = [503, 'PAYMENT_PENDING', undefined]
const refused = (reason: string) => [402, 'PAYMENT_REQUIRED', reason]
const errorOf = (reply: Reply) => [...codeOf(reply), reasonOf(reply)]
const tokenOf = ({ status, json }: Reply) => [status, json.data?.['quoteToken']]
const ANSWERED = [200, 'token-1']
const noFunds = { success: false, errorReason: 'insufficient_funds' } as const

describe.each(STORES)('paid call over %s', (_name, openStore) => {
  let stage: X402Stage
  beforeEach(async () => {
    stage = await openX402({ openStore, engine: UNLIMITED })
  })
  afterEach(() => stage.close())

  const expectCharged = async (times: number): Promise<void> => {
    const { chain, booked, events } = stage
    expect(chain.used.size).toBe(times)
    // One event for each charge, whoever books it.
    expect(events.filter((event) => event.event === 'payment.charged' && event.outcome === 'settled')).toHaveLength(times)
    expect((await booked()).map(({ transaction }) => transaction)).toEqual([...chain.used.values()])
  }

  const isLost = () => Promise.reject(new Error('ETIMEDOUT https://facilitator.example/settle'))

  /** The facilitator settles, and its answer is lost, or another one. */
  const settleButAnswer = (answer: () => Promise<SettleResponse> = isLost) => {
    const { facilitator } = stage
    facilitator.onSettle = async (...asked) => {
      await facilitator.really.settle(...asked)
      return answer()
    }
  }

  /** Verification takes a while, so that concurrent calls overlap. */
  const verifySlowly = () => {
    const { facilitator } = stage
    facilitator.onVerify = async (...asked) => {
      await pause(20)
      return facilitator.really.verify(...asked)
    }
  }

  it('a repeated payment returns the same answer and receipt for 15 minutes, and is charged once; another request or a later one is refused as spent [x402-charged-once]', async () => {
    const { post, sign, quotes, facilitator, clock, chain, ports, lookAfter } = stage
    const stateOf = vi.spyOn(ports.authorizations, 'stateOf')
    const payment = await sign()
    const first = await post(BODY, payment)
    expect(tokenOf(first)).toEqual(ANSWERED)
    // The chain is read at the transaction that the facilitator reports.
    expect(stateOf.mock.calls.map(([, , , told]) => told)).toEqual([...chain.used.values()])
    clock.at += 15 * MINUTE - 1
    await lookAfter()
    const again = await post(Object.fromEntries(Object.entries(BODY).reverse()), payment)
    expect([again.json.data, again.headers['payment-response']]).toEqual([first.json.data, first.headers['payment-response']])
    const other = await post(OTHER, payment)
    expect(errorOf(other)).toEqual(refused('spent'))
    expect(other.headers['payment-required']).toBeDefined()
    const spelt = Buffer.from(payment['payment-signature'], 'base64').toString()
    const respelt = spelt.replace(/(?<="nonce":"0x)\w+/, (digits) => digits.toUpperCase())
    expect(respelt).not.toBe(spelt)
    expect(errorOf(await post(OTHER, { 'payment-signature': btoa(respelt) }))).toEqual(refused('spent'))
    expect(errorOf(await post({ quoteToken: 't' }, payment, 'execute'))).toEqual(refused('spent'))
    clock.at += 2
    await lookAfter()
    expect(errorOf(await post(BODY, payment))).toEqual(refused('spent'))
    expect([quotes.length, facilitator.verified.length, facilitator.settled.length]).toEqual([1, 1, 1])
    await expectCharged(1)
  })

  it('a hundred concurrent calls with one payment are one call, charged once', async () => {
    verifySlowly()
    const { post, sign, quotes, facilitator } = stage
    const payment = await sign()
    const replies = await Promise.all(Array.from({ length: 100 }, () => post(BODY, payment)))
    expect(replies.map(tokenOf)).toEqual(Array(100).fill(ANSWERED))
    expect([quotes.length, facilitator.settled.length]).toEqual([1, 1])
    await expectCharged(1)
  })

  it('at two instances the second returns the answer of the first when the payment is spent before it verifies', async () => {
    const { post, sign, instance, facilitator } = stage
    const other = await instance({ engine: UNLIMITED })
    const payment = await sign()
    const atVerify = Promise.withResolvers<void>()
    let second: ReturnType<typeof post> | null = null
    facilitator.onVerify = async (...asked) => {
      if (second === null) {
        second = other.post(BODY, payment)
        await atVerify.promise
      } else {
        atVerify.resolve()
        await first
      }
      return facilitator.really.verify(...asked)
    }
    const first = post(BODY, payment)
    const replies = [await first, (await second) as Reply | null]
    expect(replies.map((reply) => reply && tokenOf(reply))).toEqual([ANSWERED, ANSWERED])
    await expectCharged(1)
  })

  it('concurrent calls at two instances are charged once: both get the same answer in the end, and another request is refused', async () => {
    verifySlowly()
    const { post, sign, instance } = stage
    const other = await instance({ engine: UNLIMITED })
    const [payment, second] = [await sign(), await sign()]
    const both = () => Promise.all([post(BODY, payment), other.post(BODY, payment)])
    const replies = [...(await both()), ...(await both())]
    const answers = replies.filter(({ status }) => status === 200).map(({ json }) => json.data)
    expect(replies.slice(2).map(({ status }) => status)).toEqual([200, 200])
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    for (const reply of replies.slice(0, 2)) if (reply.status !== 200) expect(errorOf(reply)).toEqual(PENDING)
    await expectCharged(1)
    const different = () => Promise.all([post(BODY, second), other.post(OTHER, second)])
    await different()
    expect((await different()).map(({ status }) => status).toSorted()).toEqual([200, 402])
    await expectCharged(2)
  })

  it.each([
    ['its answer is lost', isLost],
    ['it is reported as failed', async () => ({ ...noFunds, transaction: '', network: 'eip155:8453' }) as SettleResponse],
  ] as const)('a settlement is found on the chain although %s', async (_what, answer) => {
    const { post, sign } = stage
    settleButAnswer(answer)
    expect((await post(BODY, await sign())).status).toBe(200)
    await expectCharged(1)
  })

  it('an undecided settlement is PAYMENT_PENDING until the chain shows it; the repeated call is then answered [x402-charged-once]', async () => {
    const { post, sign, reader, chain, quotes } = stage
    const payment = await sign()
    settleButAnswer()
    reader.says = { state: 'unknown' }
    const pending = await post(BODY, payment)
    expect(errorOf(pending)).toEqual(PENDING)
    expect(pending.json.error.details).toEqual({ retryAfterSec: 2, retryable: true })
    expect(pending.headers['retry-after']).toBe('2')
    expect(pending.json.error.message).toMatch(/Repeat the same call with the same payment/)
    expect(pending.text).not.toContain('token-1')
    expect(errorOf(await post(BODY, payment))).toEqual(PENDING)
    reader.says = null
    const paid = await post(BODY, payment)
    expect(tokenOf(paid)).toEqual(ANSWERED)
    expect(readReceipt(paid.headers['payment-response'])).toMatchObject({ transaction: [...chain.used.values()][0] })
    expect(quotes).toHaveLength(1)
    await expectCharged(1)
  })

  it('a settlement that failed without an answer and lands later is found, and not settled again', async () => {
    const { post, sign, facilitator, chain, lookAfter } = stage
    const payment = await sign()
    const late: (() => Promise<unknown>)[] = []
    facilitator.onSettle = async (...asked) => {
      late.push(() => facilitator.really.settle(...asked))
      throw new Error('ECONNRESET')
    }
    expect(errorOf(await post(BODY, payment))).toEqual(PENDING)
    expect(chain.used.size).toBe(0)
    // The job finds nothing yet, and leaves the call to its client.
    await lookAfter()
    await late.at(-1)?.()
    const settled = facilitator.settled.length
    expect(tokenOf(await post(BODY, payment))).toEqual(ANSWERED)
    expect(facilitator.settled).toHaveLength(settled)
    await expectCharged(1)
  })

  const NO_TRANSACTION = `0x${'ab'.repeat(32)}`
  it.each<[string, object, AuthorizationState | null]>([
    ['a success', { success: true, transaction: NO_TRANSACTION }, null],
    ['an uncertain failure', { success: false, errorReason: 'settlement_pending', transaction: '' }, null],
    ['a failure with a transaction', { ...noFunds, transaction: NO_TRANSACTION }, null],
    ['a failure while the chain cannot be read', { ...noFunds, transaction: '' }, { state: 'unknown' }],
  ])('%s that the chain does not show is PAYMENT_PENDING without a receipt', async (_what, reported, shown) => {
    const { post, sign, facilitator, reader } = stage
    const payment = await sign()
    facilitator.onSettle = async (_payload, { network }) => ({ network, ...reported }) as SettleResponse
    reader.says = shown
    const pending = await post(BODY, payment)
    expect(errorOf(pending)).toEqual(PENDING)
    expect(pending.headers['payment-response']).toBeUndefined()
    await expectCharged(0)
    facilitator.onSettle = null
    reader.says = null
    expect((await post(BODY, payment)).status).toBe(200)
    await expectCharged(1)
  })

  it.each<[string, AuthorizationState | null, string]>([
    ['a payer who spent the money after verification', null, 'noFunds'],
    ['a payment that the chain shows as spent', { state: 'spent' }, 'spent'],
    ['a payment that the chain shows as expired', { state: 'expired' }, 'notValidNow'],
  ])('%s gets no answer, is charged nothing, and leaves no undecided record', async (_what, shown, reason) => {
    const { post, sign, facilitator, reader, store, chain, payer } = stage
    facilitator.onSettle = (...asked) => {
      chain.balances.set(payer.address.toLowerCase(), 0n)
      return shown ? Promise.reject(new Error('no')) : facilitator.really.settle(...asked)
    }
    reader.says = shown
    const reply = await post(BODY, await sign())
    expect(errorOf(reply)).toEqual(refused(reason))
    expect(reply.text).not.toMatch(/token-1|calldata|deadbeef/)
    if (shown) expect(await store.paidCalls.left(10, 60_000)).toEqual([])
    await expectCharged(0)
  })

  it('the job books a charge whose client never repeated its call once the chain shows it, also with a clock set back', async () => {
    const { post, sign, reader, lookAfter, booked, clock } = stage
    const payment = await sign()
    settleButAnswer()
    reader.says = { state: 'unknown' }
    await post(BODY, payment)
    await lookAfter()
    expect(await booked()).toEqual([])
    reader.says = null
    clock.at -= 86_400_000
    await lookAfter()
    await expectCharged(1)
    clock.at += 86_400_000
    expect(tokenOf(await post(BODY, payment))).toEqual(ANSWERED)
    await expectCharged(1)
  })

  it('a pass of the job over many undecided payments and a slow chain is bounded, and each payment has its turn', async () => {
    const { post, sign, facilitator, lookAfter, clock, ports } = stage
    facilitator.onSettle = isLost
    for (let calls = 0; calls < 9; calls += 1) await post(BODY, await sign())
    const read = new Set<unknown>()
    ports.authorizations.stateOf = async ({ payload }) => {
      read.add(payload['signature'])
      clock.at += 3_000
      return { state: 'unknown' }
    }
    await lookAfter()
    expect(read.size).toBeLessThan(5)
    for (let passes = 0; passes < 2; passes += 1) await lookAfter()
    expect(read.size).toBe(9)
  })

  it.each(['settled', 'undecided'])(
    'a %s payment is answered after the terms changed, and buys nothing new by the old terms',
    async (state) => {
      const { post, sign, facilitator, ports, store, events } = stage
      const [payment, unused] = [await sign(), await sign()]
      if (state === 'undecided') facilitator.onSettle = isLost
      expect((await post(BODY, payment)).status).toBe(state === 'settled' ? 200 : 503)
      facilitator.onSettle = null
      const options = ports.options.map((option) => ({ ...option, payTo: '0x402F0000000000000000000000000000000000B2' }))
      const parts = { ports: { ...ports, options }, store, holder: 'later', clock: systemClock }
      const paidCalls = createPaidCalls({ ...parts, observe: (event) => void events.push(event) })
      const later = await stage.instance({ engine: { ...UNLIMITED, paidCalls } })
      expect(tokenOf(await later.post(BODY, payment))).toEqual(ANSWERED)
      await expectCharged(1)
      expect(errorOf(await later.post(OTHER, payment))).toEqual(refused('spent'))
      expect(errorOf(await later.post(BODY, unused))).toEqual(refused('notAccepted'))
      await expectCharged(1)
    },
  )

  it('a call that fails charges nothing, and its payment may pay for another request', async () => {
    const { post, sign } = stage
    const broken = await stage.instance({ engine: { ...UNLIMITED, quote: () => Promise.reject(new Error('venue')) } })
    const payment = await sign()
    expect(codeOf(await broken.post(BODY, payment))).toEqual([500, 'INTERNAL'])
    await expectCharged(0)
    expect((await post(OTHER, payment)).status).toBe(200)
    await expectCharged(1)
  })
})

it.each(['paidCalls.byKey', 'paidCalls.add', 'paidCalls.setSettling', 'paidCalls.setSettled', 'ledger.book'])(
  'paid call: a store failure at %s is INTERNAL; the repeated call returns the answer, charged once [x402-store-trouble]',
  async (failing) => {
    const { post, sign, clock, chain, booked, store } = closing(await openX402())
    const payment = await sign()
    const records = store as MemoryStore
    records.fails = (call) => call === failing
    expect(codeOf(await post(BODY, payment))).toEqual([500, 'INTERNAL'])
    records.fails = () => false
    clock.at += LEASE_OVER_MS
    expect((await post(BODY, payment)).status).toBe(200)
    expect(chain.used.size).toBe(1)
    expect((await booked()).map(({ transaction }) => transaction)).toEqual([...chain.used.values()])
  },
)
