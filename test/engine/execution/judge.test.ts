import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Payments } from '../../../engine/chains/payments.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import { NATIVE, nativeAsset } from '../../../engine/core/asset.ts'
import type { Offer } from '../../../engine/core/offer.ts'
import { factsOf, isTerminal, type SwapState, type SwapStatus, wordless } from '../../../engine/core/swapStatus.ts'
import { parseTransactionId } from '../../../engine/core/transactionId.ts'
import {
  type Gathered,
  judge,
  type Sighting,
  type Subject,
  type Verdict,
  type Word,
} from '../../../engine/execution/track/judge.ts'
import { anOrder, assetOf } from '../../support/anOrder.ts'

const STATES = ['pending', 'processing', 'success', 'expired', 'refunded', 'failed', 'not_found', 'unknown'] as const
const EXECUTED_AT = Date.UTC(2026, 10, 20)
const MINUTE_MS = 60_000
const DONE = parseTransactionId(8453, `0x${'d0'.repeat(32)}`)
if (DONE === null) throw new Error('no transaction id')
const USDC = assetOf(8453, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')
const USDT = assetOf(8453, '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2')
const WETH = assetOf(8453, '0x4200000000000000000000000000000000000006')

const order = anOrder({
  from: [8453, USDC.address],
  to: [42161, '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'],
  amount: 100n,
})
const offer: Offer = {
  venue: 'toy',
  executionType: 'DEPOSIT',
  outputAmount: toAmount(99n),
  fee: { bps: 0, amount: toAmount(0n) },
  slippage: { isFirm: true, guaranteedMin: toAmount(98n) },
  gasUnits: null,
  spender: null,
  nativeFee: toAmount(0n),
  estimatedTimeSeconds: null,
  expiresAt: null,
  decimals: { input: null, output: null },
  carry: null,
}

const status = (state: SwapState, rest: Partial<SwapStatus> = {}): SwapStatus => ({
  state,
  venueStatus: 'WORDS',
  deliveredAmount: null,
  txHash: null,
  ...rest,
})
const said = (claimed: SwapStatus, sighting: Sighting = { kind: 'notLooked' }): Word => ({ kind: 'said', claimed, sighting })
const says = (state: SwapState, sighting?: Sighting) => said(status(state), sighting)
const silent = (last: SwapStatus): Word => ({ kind: 'silent', last })

const unreadable: Sighting = { kind: 'unreadable', txHash: DONE }
const paid = (amount: bigint, rest: Partial<Payments> = {}, owedToOthers = 0n): Sighting => ({
  kind: 'seen',
  txHash: DONE,
  payments: { amount, paidIn: [], paidAt: EXECUTED_AT, ...rest },
  owedToOthers,
})
const paidIn = (...paidIn: Payments['paidIn']) => paid(0n, { paidIn })
const at = (minutes: number) => ({ paidAt: EXECUTED_AT + minutes * MINUTE_MS })

/** Swaps asked about by the ref `asked`. */
const SUBJECT: Subject = { order, offer, ref: 'asked', executedAt: EXECUTED_AT, own: { knownBy: null, last: null } }
const known = (last: SwapStatus | null, knownBy: string | null = 'asked'): Subject => ({ ...SUBJECT, own: { knownBy, last } })
const wasSeen = (state: SwapState, rest?: Partial<SwapStatus>) => known(status(state, rest))
const UNOWNED: Subject = { ...SUBJECT, own: null }
const TO_BITCOIN: Subject = { ...SUBJECT, order: { ...order, output: nativeAsset(-1) } }
const OF_COINS: Subject = { ...SUBJECT, order: { ...order, input: nativeAsset(8453) } }
const OF_WRAPPED: Subject = { ...SUBJECT, order: { ...order, input: WETH } }
const UNBOUND: Subject = { ...SUBJECT, offer: { ...offer, slippage: null } }

const unposted = { state: 'unposted', byVenueRef: null } as const
const underWay = { state: 'underWay', byVenueRef: null } as const
const over = { state: 'over', byVenueRef: null } as const

type Row = readonly [guarantee: string, given: Partial<Gathered>, told: Partial<SwapStatus>, rest?: Partial<Verdict>]

const judged = (given: Partial<Gathered>): Verdict => judge({ subject: SUBJECT, word: null, broadcast: null, ...given })

const holds = (rows: readonly Row[]): void => {
  for (const [guarantee, given, told, rest = {}] of rows)
    it(guarantee, () => {
      const verdict = judged(given)
      expect(verdict.told).toMatchObject(told)
      expect(verdict).toMatchObject(rest)
    })
}

describe('what falls short of the guarantee by the venue’s own word', () => {
  holds([
    ['is no success', { word: said(status('success', { deliveredAmount: toAmount(97n) })) }, { state: 'processing' }],
    [
      'keeps the venue’s words and figures',
      { word: said(status('success', { deliveredAmount: toAmount(97n), txHash: 'x' })) },
      { venueStatus: 'WORDS', deliveredAmount: toAmount(97n), txHash: 'x' },
    ],
    [
      'is a success at the guarantee',
      { word: said(status('success', { deliveredAmount: toAmount(98n) })) },
      { state: 'success' },
    ],
    ['is not suspected where no amount is told', { word: says('success') }, { state: 'success' }],
    [
      'is doubted without our record',
      { subject: UNOWNED, word: said(status('success', { deliveredAmount: toAmount(1n) })) },
      { state: 'processing' },
      { kept: null },
    ],
    [
      'is doubted though the chain could not be read',
      { word: said(status('success', { deliveredAmount: toAmount(97n) }), unreadable) },
      { state: 'processing' },
    ],
  ])
})

const UNSEEN = { state: 'processing', venueStatus: 'WORDS', deliveredAmount: null, txHash: null } as const

describe('a claim of success', () => {
  holds([
    [
      'is proved by the guaranteed minimum',
      { word: says('success', paid(98n)) },
      { state: 'success', deliveredAmount: toAmount(98n), txHash: DONE },
      { ref: 'asked' },
    ],
    ['is not proved by a unit less', { word: says('success', paid(97n)) }, UNSEEN],
    ['is not proved by nothing', { word: says('success', paid(0n)) }, UNSEEN],
    ['is not proved by a transaction that is not there', { word: says('success', { kind: 'absent' }) }, UNSEEN],
    ['is not proved without a transaction', { word: says('success', { kind: 'unnamed' }) }, UNSEEN],
    [
      'tells no more than its venue',
      { word: said(status('success', { deliveredAmount: toAmount(99n) }), paid(150n)) },
      { deliveredAmount: toAmount(99n) },
    ],
    [
      'tells no more than was seen',
      { word: said(status('success', { deliveredAmount: toAmount(199n) }), paid(150n)) },
      { deliveredAmount: toAmount(150n) },
    ],
    ['is not proved by a payment older than the swap', { word: says('success', paid(98n, at(-6))) }, UNSEEN],
    ['allows clocks that differ by minutes', { word: says('success', paid(98n, at(-4))) }, { state: 'success' }],
    [
      'allows Bitcoin’s miners two hours',
      { subject: TO_BITCOIN, word: says('success', paid(98n, at(-119))) },
      { state: 'success' },
    ],
    ['allows them no more', { subject: TO_BITCOIN, word: says('success', paid(98n, at(-121))) }, UNSEEN],
    ['needs no time of a node that has none', { word: says('success', paid(98n, { paidAt: null })) }, { state: 'success' }],
    ['is not proved by what the transaction owes other swaps', { word: says('success', paid(195n, {}, 98n)) }, UNSEEN],
    [
      'is proved by what is left',
      { word: says('success', paid(196n, {}, 98n)) },
      { state: 'success', deliveredAmount: toAmount(98n) },
    ],
    [
      'needs any payment where no minimum was guaranteed',
      { subject: UNBOUND, word: says('success', paid(1n)) },
      { state: 'success' },
    ],
    ['is not proved by none where no minimum was guaranteed', { subject: UNBOUND, word: says('success', paid(0n)) }, UNSEEN],
    ['is the venue’s word where it is trusted', { word: says('success') }, { state: 'success' }, { kept: status('success') }],
  ])
})

describe('a claim of a refund', () => {
  const OWED = { state: 'expired', venueStatus: 'WORDS', txHash: null } as const
  holds([
    ['is proved by what was paid in', { word: says('refunded', paidIn(USDC.address)) }, { state: 'refunded', txHash: DONE }],
    ['is not proved by just any token', { word: says('refunded', paidIn(USDT.address)) }, OWED],
    [
      'is proved by what the venue bridged',
      { word: said(status('refunded', { refundedIn: USDT }), paidIn(USDT.address)) },
      { state: 'refunded' },
    ],
    ['is proved by coins for coins', { subject: OF_COINS, word: says('refunded', paidIn(NATIVE)) }, { state: 'refunded' }],
    [
      'is proved by wrapped coins for coins',
      { subject: OF_COINS, word: says('refunded', paidIn(WETH.address)) },
      { state: 'refunded' },
    ],
    [
      'is proved by coins for wrapped ones',
      { subject: OF_WRAPPED, word: says('refunded', paidIn(NATIVE)) },
      { state: 'refunded' },
    ],
    ['is not proved by coins for a token', { word: says('refunded', paidIn(NATIVE)) }, OWED],
    ['is not proved by nothing', { word: says('refunded', paidIn()) }, OWED],
    ['is not proved by a transaction that is not there', { word: says('refunded', { kind: 'absent' }) }, OWED],
    ['is not proved by what is no transaction', { word: says('refunded', { kind: 'unnamed' }) }, OWED],
    [
      'is not proved by a payment older than the swap',
      { word: says('refunded', paid(9n, { paidIn: [USDC.address], ...at(-6) })) },
      OWED,
    ],
    ['is the venue’s word where it names no transaction', { word: says('refunded') }, { state: 'refunded', txHash: null }],
  ])
})

describe('a chain that cannot be read', () => {
  const refuted = status('processing')
  holds([
    ['lends success to one answer', { word: says('success', unreadable) }, { state: 'success', txHash: DONE }, { kept: null }],
    ['lends a refund to one answer', { word: says('refunded', unreadable) }, { state: 'refunded', txHash: DONE }, { kept: null }],
    [
      'does not make true what the chain refuted',
      { subject: known(refuted), word: says('success', unreadable) },
      refuted,
      { kept: null },
    ],
    [
      'does not refute what is claimed in other words',
      { subject: wasSeen('processing', { venueStatus: 'FILLING' }), word: says('success', unreadable) },
      { state: 'success' },
    ],
    [
      'does not refute what was only pending',
      { subject: wasSeen('pending'), word: says('success', unreadable) },
      { state: 'success' },
    ],
  ])
})

describe('a venue that forgets', () => {
  const seen = status('processing', { txHash: 'x' })
  const owed = status('expired')
  holds([
    ['cannot make a swap seen unknown', { subject: known(seen), word: said(wordless('not_found')) }, seen],
    ['cannot make one that is owed a refund unknown', { subject: known(owed), word: said(wordless('unknown')) }, owed],
    [
      'may have new words for it',
      { subject: known(seen), word: said(status('unknown', { venueStatus: 'NEW' })) },
      { ...seen, venueStatus: 'NEW' },
    ],
    [
      'is believed of a swap that was only pending',
      { subject: wasSeen('pending'), word: says('not_found') },
      { state: 'not_found' },
    ],
    ['is believed of a swap never seen', { word: says('unknown') }, { state: 'unknown' }],
    ['may take a swap back to pending', { subject: known(seen), word: says('pending') }, { state: 'pending' }],
  ])
})

describe('a venue out of reach', () => {
  holds([
    [
      'leaves what was last seen, and nothing new to keep',
      { subject: wasSeen('processing'), word: silent(status('processing')) },
      status('processing'),
      { kept: null },
    ],
    [
      'does not hide that a transaction is over',
      { subject: wasSeen('pending'), word: silent(status('pending')), broadcast: over },
      { state: 'failed' },
      { kept: status('failed') },
    ],
  ])
})

describe('a swap whose transaction the service sends', () => {
  holds([
    ['is pending before the venue can be asked', { broadcast: unposted }, wordless('pending'), { kept: wordless('pending') }],
    [
      'is pending while its venue has not heard of it',
      { word: says('not_found'), broadcast: underWay },
      { state: 'pending', venueStatus: 'WORDS' },
    ],
    ['is pending likewise before it is posted', { word: says('not_found'), broadcast: unposted }, { state: 'pending' }],
    [
      'was seen for all that its venue forgets it',
      { subject: wasSeen('processing'), word: says('not_found'), broadcast: underWay },
      { state: 'processing' },
    ],
    [
      'is owed no refund before it is posted',
      { word: says('expired'), broadcast: unposted },
      { state: 'pending', venueStatus: 'WORDS' },
    ],
    ['may be owed one while it is under way', { word: says('expired'), broadcast: underWay }, { state: 'expired' }],
    ['has failed once it is over', { word: says('pending'), broadcast: over }, { state: 'failed', venueStatus: 'WORDS' }],
    ['has failed though its venue never heard of it', { word: says('not_found'), broadcast: over }, { state: 'failed' }],
    ['is owed no refund once it is over', { word: says('expired'), broadcast: over }, { state: 'failed' }],
    ['is the venue’s once that has seen a payment', { word: says('processing'), broadcast: over }, { state: 'processing' }],
    [
      'is the venue’s by its own ref',
      { word: says('not_found'), broadcast: { state: 'over', byVenueRef: says('processing') } },
      { state: 'processing' },
    ],
    [
      'has failed where the venue knows of no payment by its own ref either',
      { word: says('not_found'), broadcast: { state: 'over', byVenueRef: says('expired') } },
      { state: 'failed' },
    ],
    [
      'is not proved by an unproved word on that ref',
      { word: says('not_found'), broadcast: { state: 'over', byVenueRef: says('success', paid(97n)) } },
      UNSEEN,
    ],
    [
      'is not kept by hearsay on that ref',
      { word: says('not_found'), broadcast: { state: 'over', byVenueRef: says('success', unreadable) } },
      { state: 'success' },
      { kept: null },
    ],
  ])
  it.each(['pending', 'expired', 'not_found', 'unknown'] as const)(
    'is not changed by %s of a payment that the wallet sends',
    (state) => {
      expect(judged({ word: says(state) }).told).toEqual(status(state))
    },
  )
})

describe('what is kept', () => {
  holds([
    ['is what is told', { word: says('processing') }, {}, { kept: status('processing'), ref: 'asked' }],
    ['is never that nobody knows the swap', { word: says('not_found') }, { state: 'not_found' }, { kept: null }],
    [
      'is nothing of a ref that is not the swap’s own',
      { subject: UNOWNED, word: says('success') },
      { state: 'success' },
      { kept: null },
    ],
  ])
  it.each(STATES)('binds the ref exactly when the venue has recognised it: %s', (state) => {
    const isRecognised = ['processing', 'success', 'expired', 'refunded', 'failed'].includes(state)
    expect(judged({ word: says(state) }).ref).toBe(isRecognised ? 'asked' : null)
    expect(judged({ subject: known(null, 'before'), word: says(state) }).ref).toBe(isRecognised ? 'asked' : 'before')
  })
})

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
