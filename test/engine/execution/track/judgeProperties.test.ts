import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toAmount } from '../../../../engine/core/amount.ts'
import { factsOf, isTerminal } from '../../../../engine/core/swapStatus.ts'
import {
  type Gathered,
  type InputSight,
  judge,
  type PayoutSight,
  type Sighting,
} from '../../../../engine/execution/track/judge.ts'
import { BACK, DONE, over, STATES, SUBJECT, said, silent, underWay, unposted } from '../../../support/gathered.ts'

describe('whatever is gathered [status-venue-report-no-end]', () => {
  const statuses = fc.record({
    state: fc.constantFrom(...STATES),
    venueStatus: fc.constantFrom('WORDS', 'OTHER', null),
    deliveredAmount: fc.constantFrom(null, toAmount(0n), toAmount(97n), toAmount(98n), toAmount(500n)),
    txHash: fc.constantFrom(null, DONE, 'garbage'),
  })
  const lasts = statuses.filter(({ state }) => !isTerminal(state))
  const bare = ['unreadable', 'signed', 'absent', 'unpaid', 'reverted', 'stranger', 'extra'] as const
  const inputs: fc.Arbitrary<InputSight> = fc.oneof(
    { arbitrary: fc.constantFrom(...bare).map((kind) => ({ kind })), weight: 2 },
    { arbitrary: fc.option(fc.bigInt(1n, 300n)).map((amount) => ({ kind: 'paid' as const, amount })), weight: 3 },
  )
  const payoutsOf = (txHash: typeof DONE): fc.Arbitrary<PayoutSight> =>
    fc.oneof(
      fc.constantFrom<PayoutSight>({ kind: 'notLooked' }, { kind: 'unreadable' }, { kind: 'none' }, { kind: 'fresh', txHash }),
      fc.record({
        kind: fc.constant('paid' as const),
        txHash: fc.constant(txHash),
        amount: fc.bigInt(1n, 300n),
        isWhole: fc.boolean(),
      }),
    )
  const looked = fc.record({ input: inputs, output: payoutsOf(DONE), refund: payoutsOf(BACK) })
  const trusted: Sighting = { input: { kind: 'notLooked' }, output: { kind: 'notLooked' }, refund: { kind: 'notLooked' } }
  const sightings = fc.oneof({ arbitrary: looked, weight: 9 }, { arbitrary: fc.constant(trusted), weight: 1 })
  const spoken = fc.record({ claimed: statuses, seen: sightings }).map(({ claimed, seen }) => said(claimed, seen))
  const words = fc.oneof({ arbitrary: spoken, weight: 9 }, { arbitrary: lasts.map(silent), weight: 1 })
  const broadcasts = fc.oneof(
    { arbitrary: fc.constant(null), weight: 4 },
    { arbitrary: fc.constantFrom(unposted, underWay, over), weight: 3 },
    { arbitrary: words.map((otherwise) => ({ state: 'over' as const, otherwise })), weight: 1 },
  )
  const owns = fc.option(fc.record({ knownBy: fc.constantFrom(null, 'before'), last: fc.option(lasts) }), { freq: 5 })
  const subjects = fc.oneof(
    { arbitrary: owns.map((own) => ({ ...SUBJECT, own })), weight: 9 },
    { arbitrary: fc.constant({ ...SUBJECT, isRecorded: false, own: null }), weight: 1 },
  )
  const gathered: fc.Arbitrary<Gathered> = fc.record({
    subject: subjects,
    word: fc.option(words, { freq: 20 }),
    isDead: fc.boolean(),
    broadcast: broadcasts,
  })
  const RUNS = { numRuns: 20_000 }

  const sightingsOf = ({ word, broadcast }: Gathered): readonly Sighting[] =>
    [word, broadcast?.otherwise].flatMap((one) => (one?.kind === 'said' ? [one] : []))
  const isWhole = (payout: PayoutSight): boolean => payout.kind === 'paid' && payout.isWhole
  const isTrusted = ({ input }: Sighting): boolean => input.kind === 'notLooked'
  const isUnread = ({ input, output, refund }: Sighting): boolean =>
    [input, output, refund].some(({ kind }) => kind === 'unreadable')

  /** Holds for so many of the runs at least, so that it is no claim about nothing. */
  const always = (least: number, check: (all: Gathered, verdict: ReturnType<typeof judge>) => boolean) => {
    let count = 0
    fc.assert(
      fc.property(gathered, (all) => {
        if (check(all, judge(all))) count += 1
      }),
      RUNS,
    )
    expect(count).toBeGreaterThan(least)
  }

  it('success is told only of a whole delivery seen, or by a trusted venue', () => {
    always(100, (all, { told }) => {
      if (told.state !== 'success') return false
      expect(sightingsOf(all).some((one) => isWhole(one.output) || isTrusted(one))).toBe(true)
      return true
    })
  })

  it('a refund is told only of a whole refund seen, or by a trusted venue', () => {
    always(100, (all, { told }) => {
      if (told.state !== 'refunded') return false
      expect(sightingsOf(all).some((one) => isWhole(one.refund) || isTrusted(one))).toBe(true)
      return true
    })
  })

  it('a failure is kept only of a payload that is dead or a transaction that is over, or by a trusted venue', () => {
    always(100, (all, { kept }) => {
      if (kept?.state !== 'failed') return false
      expect(all.isDead || all.broadcast?.state === 'over' || sightingsOf(all).some(isTrusted)).toBe(true)
      return true
    })
  })

  it('a failure is never told where a payment is seen', () => {
    always(3_000, (all, { told }) => {
      if (all.word?.kind !== 'said' || all.word.input.kind !== 'paid') return false
      expect(told.state).not.toBe('failed')
      return true
    })
  })

  it('what cannot be read ends nothing: neither its payment, nor its payout without the other', () => {
    always(100, (all, { told }) => {
      const seen = sightingsOf(all)
      if (seen.length === 0 || !seen.every((one) => isUnread(one) && !isWhole(one.output) && !isWhole(one.refund))) return false
      // A payout is looked for only where its payment was seen, or the order signed: one that never can be filled has failed.
      if (!seen.every(({ input }) => input.kind === 'unreadable' || input.kind === 'paid')) return false
      expect(isTerminal(told.state)).toBe(false)
      return true
    })
  })

  it('a transaction that failed is no end of its swap while that can still be paid', () => {
    always(100, (all, { told, kept }) => {
      if (all.word?.kind !== 'said' || all.word.input.kind !== 'reverted' || all.isDead || all.broadcast !== null) return false
      expect(told.state).toMatch(all.subject.isRecorded ? /failed/ : /processing/)
      expect(kept).toBeNull()
      return true
    })
  })

  it('nothing is terminal, nor kept, without a record', () => {
    always(100, (all, { told, kept }) => {
      if (all.subject.isRecorded) return false
      expect(isTerminal(told.state)).toBe(false)
      expect(kept).toBeNull()
      return true
    })
  })

  it('no more is told to be delivered than was seen', () => {
    always(100, (all, { told }) => {
      const seen = sightingsOf(all)
      if (told.state !== 'success' || seen.some(isTrusted)) return false
      expect(seen.some(({ output }) => output.kind === 'paid' && (told.deliveredAmount ?? 0n) <= output.amount)).toBe(true)
      return true
    })
  })

  it('a swap that was recognised is never forgotten, save for a transaction that is none of it', () => {
    always(1_000, (all, { told }) => {
      const last = all.subject.own?.last ?? null
      const isStranger = all.word?.kind === 'said' && all.word.input.kind === 'stranger'
      if (last === null || isStranger || !factsOf(last.state).isRecognised) return false
      expect(factsOf(told.state).isForgotten).toBe(false)
      return true
    })
  })

  it('what is kept is what is told, and only of a ref of the swap’s own', () => {
    always(3_000, (all, { told, kept }) => {
      if (all.subject.own === null) expect(kept).toBeNull()
      if (kept !== null) expect(kept).toEqual(told)
      return kept !== null
    })
  })
})
