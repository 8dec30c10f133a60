import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import { factsOf, isTerminal } from '../../../engine/core/swapStatus.ts'
import { type Gathered, judge, type Sighting } from '../../../engine/execution/track/judge.ts'
import {
  at,
  DONE,
  over,
  paid,
  STATES,
  SUBJECT,
  said,
  silent,
  USDC,
  USDT,
  underWay,
  unposted,
  unreadable,
} from '../../support/gathered.ts'

describe('whatever is gathered', () => {
  const statuses = fc.record({
    state: fc.constantFrom(...STATES),
    venueStatus: fc.constantFrom('WORDS', 'OTHER', null),
    deliveredAmount: fc.constantFrom(null, toAmount(0n), toAmount(97n), toAmount(98n), toAmount(500n)),
    txHash: fc.constantFrom(null, DONE, 'garbage'),
  })
  const lasts = statuses.filter(({ state }) => !isTerminal(state))
  const sightings = fc.oneof(
    fc.constantFrom<Sighting>({ kind: 'notLooked' }, { kind: 'unnamed' }, { kind: 'absent' }, unreadable),
    fc
      .record({
        amount: fc.bigInt(0n, 300n),
        paidIn: fc.subarray([USDC.address, USDT.address, NATIVE]),
        minutes: fc.integer({ min: -10, max: 10 }),
        owed: fc.bigInt(0n, 300n),
      })
      .map(({ amount, paidIn, minutes, owed }) => paid(amount, { paidIn, ...at(minutes) }, owed)),
  )
  const spoken = fc.record({ claimed: statuses, sighting: sightings }).map(({ claimed, sighting }) => said(claimed, sighting))
  const words = fc.oneof({ arbitrary: spoken, weight: 5 }, { arbitrary: lasts.map(silent), weight: 1 })
  const broadcasts = fc.oneof(
    fc.constantFrom(null, unposted, underWay, over),
    words.map((byVenueRef) => ({ state: 'over' as const, byVenueRef })),
  )
  const owns = fc.option(fc.record({ knownBy: fc.constantFrom(null, 'before'), last: fc.option(lasts) }))
  const gathered: fc.Arbitrary<Gathered> = fc.record({
    subject: owns.map((own) => ({ ...SUBJECT, own })),
    word: fc.option(words, { freq: 20 }),
    broadcast: broadcasts,
  })
  const RUNS = { numRuns: 20_000 }

  const sightingsOf = ({ word, broadcast }: Gathered): readonly Sighting[] =>
    [word, broadcast?.byVenueRef].flatMap((one) => (one?.kind === 'said' ? [one.sighting] : []))
  const pays = (sighting: Sighting): boolean =>
    sighting.kind === 'seen' && sighting.payments.amount - sighting.owedToOthers >= 98n
  const refunds = (sighting: Sighting): boolean => sighting.kind === 'seen' && sighting.payments.paidIn.includes(USDC.address)
  const isTrusted = ({ kind }: Sighting): boolean => kind === 'notLooked'
  const isUnread = ({ kind }: Sighting): boolean => kind === 'unreadable'

  it('success is told only of a sufficient payment seen, of a trusted venue, or once while the chain cannot be read', () => {
    fc.assert(
      fc.property(gathered, (all) => {
        const { told, kept } = judge(all)
        const seen = sightingsOf(all)
        if (told.state === 'success') expect(seen.some((one) => pays(one) || isTrusted(one) || isUnread(one))).toBe(true)
        if (kept?.state === 'success') expect(seen.some((one) => pays(one) || isTrusted(one))).toBe(true)
        if (kept?.state === 'refunded') expect(seen.some((one) => refunds(one) || isTrusted(one))).toBe(true)
      }),
      RUNS,
    )
  })

  it('a chain that cannot be read ends no swap for good', () => {
    fc.assert(
      fc.property(gathered, (all) => {
        const { kept } = judge(all)
        if (kept !== null && sightingsOf(all).every(isUnread)) expect(['success', 'refunded']).not.toContain(kept.state)
      }),
      RUNS,
    )
  })

  it('no more is told to be delivered than the venue says, nor than the transaction has left for the swap', () => {
    fc.assert(
      fc.property(gathered, (all) => {
        const { told } = judge(all)
        const seen = sightingsOf(all)
        if (told.state !== 'success' || !seen.every(({ kind }) => kind === 'seen')) return
        const left = seen.map((one) => (one.kind === 'seen' ? one.payments.amount - one.owedToOthers : 0n))
        expect(left.some((amount) => (told.deliveredAmount ?? 0n) <= amount)).toBe(true)
      }),
      RUNS,
    )
  })

  it('a swap that was recognised is never forgotten, and what is kept is what is told', () => {
    fc.assert(
      fc.property(gathered, (all) => {
        const { told, kept } = judge(all)
        const last = all.subject.own?.last ?? null
        if (last !== null && factsOf(last.state).isRecognised) expect(factsOf(told.state).isForgotten).toBe(false)
        if (kept !== null) expect(kept).toEqual(told)
        if (all.subject.own === null) expect(kept).toBeNull()
      }),
      RUNS,
    )
  })
})
