import type { SettleResponse } from '@x402/core/types'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../engine/core/clock.ts'
import type { AuthorizationState } from '../../../engine/x402/authorizationReader.ts'
import { createPaidCalls } from '../../../engine/x402/paidCalls.ts'
import { STORES } from '../../support/stores.ts'
import { readReceipt } from '../../support/x402Bench.ts'
import { BODY, codeOf, openX402, reasonOf, type X402Stage } from '../../support/x402Stage.ts'

const MINUTE = 60_000
const OTHER = { ...BODY, inputAmount: '25000001' }
/** So that nobody is held to a limit here. */
const UNLIMITED = {
  identify: async () => ({ tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 1e6 }) as const,
}

describe.each(STORES)('a payment, in %s', (_name, openStore) => {
  let stage: X402Stage
  beforeEach(async () => {
    stage = await openX402({ openStore, engine: UNLIMITED })
  })
  afterEach(() => stage.close())

  const expectCharged = async (times: number): Promise<void> => {
    const { chain, booked, events } = stage
    expect(chain.used.size).toBe(times)
    // What the metrics count: however often it was asked for, and whoever booked it.
    expect(events.filter((event) => event.event === 'payment.charged' && event.outcome === 'settled')).toHaveLength(times)
    expect((await booked()).map(({ transaction }) => transaction)).toEqual([...chain.used.values()])
  }

  it('with the same request again has the same answer and receipt, and is charged once [x402-charged-once]', async () => {
    const { post, sign, quotes, facilitator, clock } = stage
    const payment = await sign()
    const first = await post(BODY, payment)
    clock.at += 14 * MINUTE
    const again = await post(Object.fromEntries(Object.entries(BODY).reverse()), payment)
    expect([first.status, again.status]).toEqual([200, 200])
    expect(again.json.data).toEqual(first.json.data)
    expect(again.headers['payment-response']).toBe(first.headers['payment-response'])
    expect([quotes.length, facilitator.verified.length, facilitator.settled.length]).toEqual([1, 1, 1])
    await expectCharged(1)
  })

  it('with another request is refused, and not charged again [x402-charged-once]', async () => {
    const { post, sign, quotes } = stage
    const payment = await sign()
    await post(BODY, payment)
    const other = await post(OTHER, payment)
    expect([codeOf(other), reasonOf(other)]).toEqual([[402, 'PAYMENT_REQUIRED'], 'spent'])
    expect(other.headers['payment-required']).toBeDefined()
    const elsewhere = await post({ quoteToken: 't' }, payment, 'execute')
    expect([codeOf(elsewhere), reasonOf(elsewhere)]).toEqual([[402, 'PAYMENT_REQUIRED'], 'spent'])
    expect(quotes).toHaveLength(1)
    await expectCharged(1)
  })

  it('a hundred times at once is one call, charged once', async () => {
    const { post, sign, quotes, facilitator } = stage
    const payment = await sign()
    const replies = await Promise.all(Array.from({ length: 100 }, () => post(BODY, payment)))
    expect(new Set(replies.map(({ status, json }) => `${status} ${json.data['quoteToken']}`))).toEqual(new Set(['200 token-1']))
    expect([quotes.length, facilitator.settled.length]).toEqual([1, 1])
    await expectCharged(1)
  })

  it('at two instances at once is charged once, and both have the same answer in the end', async () => {
    const { post, sign, instance } = stage
    const other = await instance({ engine: UNLIMITED })
    for (let i = 0; i < 5; i += 1) {
      const payment = await sign()
      const replies = await Promise.all([post(BODY, payment), other.post(BODY, payment)])
      for (const { status, headers } of replies) {
        expect([200, 503]).toContain(status)
        if (status === 503) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
      }
      const again = await Promise.all([post(BODY, payment), other.post(BODY, payment)])
      const [one, two] = again
      expect([one?.status, two?.status]).toEqual([200, 200])
      expect(one?.json.data).toEqual(two?.json.data)
      for (const { status, json } of replies) if (status === 200) expect(json.data).toEqual(one?.json.data)
      await expectCharged(i + 1)
    }
  })

  it('at two instances: the second returns the answer of the first when the payment is spent before it verifies', async () => {
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
    const replies = [await first, await second]
    expect(replies.map((reply) => [reply?.status, reply?.json.data])).toEqual([
      [200, replies[0]?.json.data],
      [200, replies[0]?.json.data],
    ])
    await expectCharged(1)
  })

  it('for two requests at two instances at once is one of them', async () => {
    const { post, sign, instance } = stage
    const other = await instance({ engine: UNLIMITED })
    const payment = await sign()
    await Promise.all([post(BODY, payment), other.post(OTHER, payment)])
    const [one, two] = await Promise.all([post(BODY, payment), other.post(OTHER, payment)])
    expect([one?.status, two?.status].toSorted()).toEqual([200, 402])
    await expectCharged(1)
  })

  it('that was settled without a word from the facilitator is found on the chain', async () => {
    const { post, sign, facilitator } = stage
    facilitator.onSettle = async (...asked) => {
      await facilitator.really.settle(...asked)
      throw new Error('ETIMEDOUT https://facilitator.example/settle')
    }
    const reply = await post(BODY, await sign())
    expect(reply.status).toBe(200)
    await expectCharged(1)
  })

  it('of which nobody knows what became is told as pending, and is what the chain says then [x402-charged-once]', async () => {
    const { post, sign, facilitator, reader, chain, quotes } = stage
    const payment = await sign()
    facilitator.onSettle = async (...asked) => {
      await facilitator.really.settle(...asked)
      throw new Error('ETIMEDOUT')
    }
    reader.says = { state: 'unknown' }
    const pending = await post(BODY, payment)
    expect(codeOf(pending)).toEqual([503, 'PAYMENT_PENDING'])
    expect(pending.json.error.details).toEqual({ retryAfterSec: 2, retryable: true })
    expect(pending.headers['retry-after']).toBe('2')
    expect(pending.json.error.message).toMatch(/Repeat the same call/)
    expect(pending.text).not.toContain('token-1')
    expect(codeOf(await post(BODY, payment))).toEqual([503, 'PAYMENT_PENDING'])
    reader.says = null
    const told = await post(BODY, payment)
    expect([told.status, told.json.data['quoteToken']]).toEqual([200, 'token-1'])
    expect(readReceipt(told.headers['payment-response'])).toMatchObject({ transaction: [...chain.used.values()][0] })
    expect(quotes).toHaveLength(1)
    await expectCharged(1)
  })

  it('whose settling failed without a word and shows nowhere is not given up: it may still land', async () => {
    const { post, sign, facilitator, chain } = stage
    const payment = await sign()
    let late: (() => Promise<unknown>) | null = null
    facilitator.onSettle = async (...asked) => {
      late = () => facilitator.really.settle(...asked)
      throw new Error('ECONNRESET')
    }
    expect(codeOf(await post(BODY, payment))).toEqual([503, 'PAYMENT_PENDING'])
    expect(chain.used.size).toBe(0)
    await (late as unknown as () => Promise<unknown>)()
    const settled = facilitator.settled.length
    expect((await post(BODY, payment)).json.data['quoteToken']).toBe('token-1')
    expect(facilitator.settled).toHaveLength(settled)
    await expectCharged(1)
  })

  const NO_TRANSACTION = `0x${'ab'.repeat(32)}`
  it.each<[string, object, AuthorizationState | null]>([
    ['it settled', { success: true, transaction: NO_TRANSACTION }, null],
    ['it is not sure', { success: false, errorReason: 'settlement_pending', transaction: '' }, null],
    ['it failed in a transaction', { success: false, errorReason: 'insufficient_funds', transaction: NO_TRANSACTION }, null],
    [
      'it failed, on a chain out of reach,',
      { success: false, errorReason: 'insufficient_funds', transaction: '' },
      { state: 'unknown' },
    ],
  ])('of which the facilitator says that %s and which the chain does not show is pending', async (_what, said, seen) => {
    const { post, sign, facilitator, reader } = stage
    const payment = await sign()
    facilitator.onSettle = async (_payload, { network }) => ({ network, ...said }) as SettleResponse
    reader.says = seen
    const lied = await post(BODY, payment)
    expect(codeOf(lied)).toEqual([503, 'PAYMENT_PENDING'])
    expect(lied.headers['payment-response']).toBeUndefined()
    await expectCharged(0)
    facilitator.onSettle = null
    reader.says = null
    expect((await post(BODY, payment)).status).toBe(200)
    await expectCharged(1)
  })

  it('whose payer has spent the money between verification and settling charges nothing and gives no answer', async () => {
    const { post, sign, facilitator, chain, payer } = stage
    const payment = await sign()
    facilitator.onSettle = async (...asked) => {
      chain.balances.set(payer.address.toLowerCase(), 0n)
      return facilitator.really.settle(...asked)
    }
    const reply = await post(BODY, payment)
    expect([codeOf(reply), reasonOf(reply)]).toEqual([[402, 'PAYMENT_REQUIRED'], 'noFunds'])
    expect(reply.text).not.toMatch(/token-1|calldata|deadbeef/)
    await expectCharged(0)
  })

  it('that can never be made any more is forgotten', async () => {
    const { post, sign, facilitator, reader } = stage
    for (const state of ['spent', 'expired'] as const) {
      const payment = await sign()
      facilitator.onSettle = () => Promise.reject(new Error('no'))
      reader.says = { state }
      expect(codeOf(await post(BODY, payment))).toEqual([402, 'PAYMENT_REQUIRED'])
    }
    expect(await stage.store.paidCalls.left(10, 60_000)).toEqual([])
    await expectCharged(0)
  })

  it('has its answer kept for 15 minutes, and is never charged or answered again after that', async () => {
    const { post, sign, clock, lookAfter, quotes } = stage
    const payment = await sign()
    await post(BODY, payment)
    clock.at += 15 * MINUTE - 1
    await lookAfter()
    expect((await post(BODY, payment)).status).toBe(200)
    clock.at += 2
    await lookAfter()
    const late = await post(BODY, payment)
    expect([codeOf(late), reasonOf(late)]).toEqual([[402, 'PAYMENT_REQUIRED'], 'spent'])
    expect(quotes).toHaveLength(1)
    await expectCharged(1)
  })

  it('of a call whose client never asked again is booked when the chain shows it, by a clock set back too, and has its answer', async () => {
    const { post, sign, facilitator, reader, lookAfter, booked, clock } = stage
    const payment = await sign()
    facilitator.onSettle = async (...asked) => {
      await facilitator.really.settle(...asked)
      throw new Error('ETIMEDOUT')
    }
    reader.says = { state: 'unknown' }
    await post(BODY, payment)
    await lookAfter()
    expect(await booked()).toEqual([])
    reader.says = null
    clock.at -= 86_400_000
    await lookAfter()
    await expectCharged(1)
    clock.at += 86_400_000
    expect((await post(BODY, payment)).json.data['quoteToken']).toBe('token-1')
    await expectCharged(1)
  })

  it('of many that nobody can tell of, and a chain that is slow to say, no pass of the job is longer than some seconds', async () => {
    const { post, sign, facilitator, reader, lookAfter, clock } = stage
    facilitator.onSettle = () => Promise.reject(new Error('ETIMEDOUT'))
    reader.says = { state: 'unused' }
    for (let calls = 0; calls < 9; calls++) await post(BODY, await sign())
    const looked: unknown[] = []
    stage.ports.authorizations.stateOf = async ({ payload }) => {
      looked.push(payload['signature'])
      clock.at += 3_000
      return { state: 'unknown' }
    }
    const startedAt = clock.at
    await lookAfter()
    expect(clock.at - startedAt).toBeLessThan(15_000)
    await lookAfter()
    await lookAfter()
    // Each in its turn: none is looked at twice while another waits.
    expect(new Set(looked).size).toBe(9)
  })

  it.each(['answered', 'not known of yet'])(
    'that is %s has its answer after other terms were set, and nothing new is had by the old ones',
    async (state) => {
      const { post, sign, facilitator, ports, store, events } = stage
      const [payment, unused] = [await sign(), await sign()]
      facilitator.onSettle = () => Promise.reject(new Error('ETIMEDOUT'))
      if (state === 'answered') facilitator.onSettle = null
      expect((await post(BODY, payment)).status).toBe(state === 'answered' ? 200 : 503)
      facilitator.onSettle = null
      const options = ports.options.map((option) => ({ ...option, payTo: '0x402F0000000000000000000000000000000000B2' }))
      const paidCalls = createPaidCalls({
        ports: { ...ports, options },
        store,
        holder: 'later',
        clock: systemClock,
        observe: (event) => void events.push(event),
      })
      const later = await stage.instance({ engine: { ...UNLIMITED, paidCalls } })
      expect((await later.post(BODY, payment)).json.data['quoteToken']).toBe('token-1')
      await expectCharged(1)
      expect(reasonOf(await later.post(OTHER, payment))).toBe('spent')
      expect(reasonOf(await later.post(BODY, unused))).toBe('notAccepted')
      await expectCharged(1)
    },
  )

  it('that was not charged for a call without an answer may be used for another', async () => {
    const { post, sign } = stage
    const broken = await stage.instance({ engine: { ...UNLIMITED, quote: () => Promise.reject(new Error('venue')) } })
    const payment = await sign()
    expect(codeOf(await broken.post(BODY, payment))).toEqual([500, 'INTERNAL'])
    await expectCharged(0)
    expect((await post(OTHER, payment)).status).toBe(200)
    await expectCharged(1)
  })
})
