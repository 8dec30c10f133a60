import { describe, expect, it } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import { NATIVE, nativeAsset } from '../../../engine/core/asset.ts'
import { type SwapState, type SwapStatus, wordless } from '../../../engine/core/swapStatus.ts'
import { type Gathered, judge, type Subject, type Verdict } from '../../../engine/execution/track/judge.ts'
import {
  at,
  DONE,
  offer,
  order,
  over,
  paid,
  paidIn,
  STATES,
  SUBJECT,
  said,
  says,
  silent,
  status,
  USDC,
  USDT,
  underWay,
  unposted,
  unreadable,
  WETH,
} from '../../support/gathered.ts'

const known = (last: SwapStatus | null, knownBy: string | null = 'asked'): Subject => ({
  ...SUBJECT,
  own: { knownBy, last },
})
const wasSeen = (state: SwapState, rest?: Partial<SwapStatus>) => known(status(state, rest))
const UNOWNED: Subject = { ...SUBJECT, own: null }
const TO_BITCOIN: Subject = { ...SUBJECT, order: { ...order, output: nativeAsset(-1) } }
const OF_COINS: Subject = { ...SUBJECT, order: { ...order, input: nativeAsset(8453) } }
const OF_WRAPPED: Subject = { ...SUBJECT, order: { ...order, input: WETH } }
const UNBOUND: Subject = { ...SUBJECT, offer: { ...offer, slippage: null } }

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
    ['is not proved by nothing', { word: said(status('success', { txHash: 'x' }), paid(0n)) }, UNSEEN],
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
    ['is not proved by nothing', { word: said(status('refunded', { txHash: 'x' }), paidIn()) }, OWED],
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
    ['may be in a state that nobody here knows', { word: says('unknown'), broadcast: underWay }, { state: 'unknown' }],
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
