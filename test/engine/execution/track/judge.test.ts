import { describe, expect, it } from 'vitest'
import { toAmount } from '../../../../engine/core/amount.ts'
import { type SwapStatus, wordless } from '../../../../engine/core/swapStatus.ts'
import type { InputSight } from '../../../../engine/execution/track/judge.ts'
import {
  BACK,
  DONE,
  delivered,
  fresh,
  holds,
  input,
  judged,
  known,
  NONE,
  NOT_LOOKED,
  OWED,
  offer,
  over,
  PAID,
  returned,
  STATES,
  SUBJECT,
  said,
  says,
  silent,
  status,
  UNBOUND,
  UNOWNED,
  UNREADABLE,
  UNRECORDED,
  UNSEEN,
  underWay,
  unposted,
  wasSeen,
} from '../../../support/gathered.ts'

describe('what falls short of the guarantee by the venue’s own word', () => {
  const short = (rest: Partial<SwapStatus> = {}) => status('success', { deliveredAmount: toAmount(97n), ...rest })
  holds([
    ['is no success', { word: said(short()) }, { state: 'processing' }],
    [
      'keeps the venue’s words and figures',
      { word: said(short({ txHash: 'x' })) },
      { venueStatus: 'WORDS', deliveredAmount: toAmount(97n), txHash: 'x' },
    ],
    ['is doubted without our record', { subject: UNRECORDED, word: said(short()) }, { state: 'processing' }, { kept: null }],
    [
      'is no success for what was seen',
      { word: said(short(), { input: PAID, output: delivered(98n) }) },
      { state: 'processing' },
    ],
    [
      'is any at all where no minimum was guaranteed',
      { subject: UNBOUND, word: said(short({ deliveredAmount: toAmount(0n) })) },
      { state: 'processing' },
    ],
    [
      'is none that was delivered where none was guaranteed',
      { subject: UNBOUND, word: said(short({ deliveredAmount: toAmount(1n) })) },
      { state: 'success' },
    ],
    ['is enough at the minimum', { word: said(short({ deliveredAmount: toAmount(98n) })) }, { state: 'success' }],
  ])
})

describe('a claim of success', () => {
  holds([
    [
      'is proved by its delivery',
      { word: says('success', { input: PAID, output: delivered(98n) }) },
      { state: 'success', deliveredAmount: toAmount(98n), txHash: DONE },
      { ref: 'asked', kept: { ...status('success'), deliveredAmount: toAmount(98n), txHash: DONE } },
    ],
    ['is not proved by part of it', { word: says('success', { input: PAID, output: delivered(97n, false) }) }, UNSEEN],
    ['is not proved by no delivery', { word: said(status('success', { txHash: 'x' }), { input: PAID, output: NONE }) }, UNSEEN],
    ['is not proved by what cannot be read', { word: says('success', { input: PAID, output: UNREADABLE }) }, UNSEEN],
    [
      'names a delivery that is not confirmed, and no amount',
      { word: said(status('success', { deliveredAmount: toAmount(99n) }), { input: PAID, output: fresh() }) },
      { state: 'processing', deliveredAmount: null, txHash: DONE },
    ],
    [
      'tells no more than its venue',
      { word: said(status('success', { deliveredAmount: toAmount(99n) }), { input: PAID, output: delivered(150n) }) },
      { deliveredAmount: toAmount(99n) },
    ],
    [
      'tells no more than was seen',
      { word: said(status('success', { deliveredAmount: toAmount(199n) }), { input: PAID, output: delivered(150n) }) },
      { deliveredAmount: toAmount(150n) },
    ],
    [
      'holds for a signed order',
      { word: says('success', { input: input('signed'), output: delivered(98n) }) },
      { state: 'success' },
    ],
    [
      'is a refund where all came back and nothing was delivered',
      { word: says('success', { input: PAID, output: NONE, refund: returned(100n) }) },
      { state: 'refunded', txHash: BACK, deliveredAmount: null },
    ],
    [
      'is a success where some came back beside the delivery',
      { word: says('success', { input: PAID, output: delivered(50n), refund: returned(50n) }) },
      { state: 'success', txHash: DONE },
    ],
    [
      'is open where only some came back',
      { word: says('success', { input: PAID, output: NONE, refund: returned(99n, false) }) },
      UNSEEN,
    ],
    ['is open while nothing was paid yet', { word: says('success', { input: input('unpaid'), output: NONE }) }, UNSEEN],
    [
      'has failed where nothing was paid and nothing can be',
      { word: says('success', { input: input('unpaid'), output: NONE }), isDead: true },
      { state: 'failed', txHash: null, deliveredAmount: null },
    ],
    [
      'has failed where a signed order was never filled and never can be',
      { word: says('success', { input: input('signed'), output: NONE }), isDead: true },
      { state: 'failed', txHash: null, deliveredAmount: null },
    ],
    ['is open while a signed order may be filled', { word: says('success', { input: input('signed'), output: NONE }) }, UNSEEN],
    [
      'is open where a signed order is dead and its delivery cannot be read',
      { word: says('success', { input: input('signed'), output: UNREADABLE }), isDead: true },
      UNSEEN,
    ],
    ['is the venue’s word where it is trusted', { word: says('success') }, { state: 'success' }, { kept: status('success') }],
  ])
})

describe.each(['refunded', 'expired', 'failed'] as const)('a claim of %s', (state) => {
  holds([
    [
      'is a refund once all that is owed has come back',
      { word: says(state, { input: PAID, refund: returned(100n) }) },
      { state: 'refunded', txHash: BACK, deliveredAmount: null },
    ],
    ['is owed a refund while it is not seen', { word: says(state, { input: PAID, refund: NONE }) }, OWED],
    ['is owed one while it is not confirmed', { word: says(state, { input: PAID, refund: fresh(BACK) }) }, OWED],
    ['is owed one while it cannot be read', { word: says(state, { input: PAID, refund: UNREADABLE }) }, OWED],
    ['is owed the rest of a part', { word: says(state, { input: PAID, refund: returned(99n, false) }) }, OWED],
    ['is owed one though the payload is dead', { word: says(state, { input: PAID, refund: NONE }), isDead: true }, OWED],
    ['has come to nothing yet where nothing was paid', { word: says(state, { input: input('unpaid') }) }, { state: 'pending' }],
    [
      'has failed where nothing was paid and nothing can be',
      { word: says(state, { input: input('unpaid') }), isDead: true },
      { state: 'failed' },
      { kept: status('failed') },
    ],
    ['is pending while a signed order may be filled', { word: says(state, { input: input('signed') }) }, { state: 'pending' }],
    [
      'has failed once a signed order never can be',
      { word: says(state, { input: input('signed') }), isDead: true },
      { state: 'failed' },
    ],
    [
      'ends nothing where the payment cannot be read',
      { word: says(state, { input: input('unreadable') }), isDead: true },
      { state: 'pending' },
    ],
    [
      'leaves what was seen before where it cannot be read',
      { subject: wasSeen('processing'), word: says(state, { input: input('unreadable') }) },
      { state: 'processing' },
    ],
    ['is the venue’s word where it is trusted', { word: says(state) }, { state }, { kept: status(state) }],
  ])
})

const AS_TRANSACTION = { ...SUBJECT, offer: { ...offer, executionType: 'TRANSACTION' } } as const

describe('a transaction that the chain does not show, of a payload that is dead,', () => {
  it.each(['processing', 'success', 'expired', 'refunded', 'failed'] as const)(
    'has not failed while its venue says %s, for which it must have seen it: the chain may have forgotten',
    (state) => {
      const word = says(state, { input: input('absent') })
      expect(judged({ subject: AS_TRANSACTION, word, isDead: true }).told.state).toMatch(/^(pending|processing)$/)
    },
  )
  describe.each(['pending', 'not_found', 'unknown'] as const)('of which its venue says %s,', (state) => {
    const word = says(state, { input: input('absent') })
    it('has failed where the swap goes by it', () => {
      const subject = { ...known(null), offer: AS_TRANSACTION.offer }
      expect(judged({ subject, word, isDead: true })).toMatchObject({ told: { state: 'failed' }, kept: { state: 'failed' } })
    })
    it.each([null, 'another'])('has not where the swap goes by %s: nobody knows that it was sent', (knownBy) => {
      const own = knownBy === null ? { knownBy, last: null } : null
      expect(judged({ subject: { ...AS_TRANSACTION, own }, word, isDead: true }).told.state).toBe(state)
    })
  })
})

it('an order that nobody signed here has failed once the chain shows that it was not filled, whatever its book says', () => {
  const subject = { ...SUBJECT, offer: { ...offer, executionType: 'SIGNATURE' } } as const
  for (const state of ['expired', 'failed', 'pending'] as const)
    expect(judged({ subject, word: says(state, { input: input('absent') }), isDead: true }).told.state).toBe('failed')
})

describe('a swap under way', () => {
  holds([
    [
      'is processing once its payment is seen',
      { word: says('pending', { input: PAID }) },
      { state: 'processing' },
      { ref: 'asked' },
    ],
    ['is so though the venue knows nothing of it', { word: says('not_found', { input: PAID }) }, { state: 'processing' }],
    ['is so though the payload is dead', { word: says('unknown', { input: PAID }), isDead: true }, { state: 'processing' }],
    ['is what its venue says', { word: says('processing', { input: PAID }) }, { state: 'processing', venueStatus: 'WORDS' }],
    ['waits for its payment', { word: says('pending', { input: input('absent') }) }, { state: 'pending' }, { ref: null }],
    [
      'waits while it cannot be read',
      { word: says('pending', { input: input('unreadable') }), isDead: true },
      { state: 'pending' },
    ],
    [
      'has failed when it is unpaid and dead',
      { word: says('pending', { input: input('unpaid') }), isDead: true },
      { state: 'failed' },
    ],
    [
      'has failed so whatever its venue says of an address that nobody paid',
      { word: says('processing', { input: input('unpaid') }), isDead: true },
      { state: 'failed' },
    ],
    [
      'is open where its venue has seen a transaction that the chain does not show',
      { word: says('processing', { input: input('absent') }), isDead: true },
      { state: 'processing' },
      { ref: null },
    ],
    ['has failed where neither has', { word: says('not_found', { input: input('absent') }), isDead: true }, { state: 'failed' }],
  ])
})

describe('a transaction', () => {
  const seen = status('processing')
  holds([
    [
      'of nobody here is not found',
      { word: says('pending', { input: input('stranger') }) },
      wordless('not_found'),
      { kept: null },
    ],
    [
      'of nobody here is not found though another was recognised',
      { subject: known(seen, null), word: says('pending', { input: input('stranger') }) },
      wordless('not_found'),
      { kept: null, ref: null },
    ],
    [
      'that failed is told so, and the swap goes on',
      { word: says('pending', { input: input('reverted') }) },
      { state: 'failed' },
      { kept: null },
    ],
    [
      'that failed ends the swap once its payload is dead',
      { word: says('pending', { input: input('reverted') }), isDead: true },
      { state: 'failed' },
      { kept: status('failed') },
    ],
    [
      'that paid the swap once more is open, and no end of the swap, while its own order shows none',
      { subject: UNOWNED, word: says('success', { input: input('extra'), output: NONE, refund: NONE }) },
      UNSEEN,
      { kept: null },
    ],
    [
      'that paid the swap once more is told as its own order ended, which is no end of the swap',
      { subject: UNOWNED, word: says('success', { input: input('extra'), output: delivered(98n), refund: NONE }) },
      { state: 'success', deliveredAmount: toAmount(98n), txHash: DONE },
      { kept: null },
    ],
    [
      'that paid the swap once more is told as given back likewise',
      { subject: UNOWNED, word: says('failed', { input: input('extra'), output: NOT_LOOKED, refund: returned(100n) }) },
      { state: 'refunded', txHash: BACK },
      { kept: null },
    ],
  ])
})

describe('without a record', () => {
  it.each(STATES)('nothing is terminal: %s', (state) => {
    const isTerminal = ['success', 'refunded', 'failed'].includes(state)
    const { told, kept } = judged({
      subject: UNRECORDED,
      word: said(status(state, { deliveredAmount: toAmount(98n), txHash: DONE })),
    })
    expect(kept).toBeNull()
    expect(told).toEqual(isTerminal ? UNSEEN : status(state, { deliveredAmount: toAmount(98n), txHash: DONE }))
  })
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
      'leaves a swap pending that was only that',
      { subject: known(status('pending')), word: says('not_found') },
      { state: 'pending', venueStatus: 'WORDS' },
    ],
    [
      'is believed of a transaction that is not known to be of the swap',
      { subject: known(status('pending'), null), word: says('not_found') },
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
  it.each(STATES)('binds the ref exactly when a trusted venue has recognised it: %s', (state) => {
    const isRecognised = ['processing', 'success', 'expired', 'refunded', 'failed'].includes(state)
    expect(judged({ word: says(state) }).ref).toBe(isRecognised ? 'asked' : null)
    expect(judged({ subject: known(null, 'before'), word: says(state) }).ref).toBe(isRecognised ? 'asked' : 'before')
  })
  it.each(['unreadable', 'absent', 'unpaid', 'reverted', 'stranger', 'extra'] as const)(
    'binds no ref whose payment is %s, whatever the venue says',
    (kind) => {
      for (const state of STATES)
        for (const isDead of [true, false]) expect(judged({ word: says(state, { input: input(kind) }), isDead }).ref).toBeNull()
    },
  )
  it.each(STATES)('binds the ref whose payment is seen, whatever the venue says: %s', (state) => {
    expect(judged({ word: says(state, { input: PAID, output: NONE, refund: NONE }) }).ref).toBe('asked')
  })
})

it('a payment that is seen is never told to have failed, whatever else is gathered', () => {
  const inputs: readonly InputSight[] = [PAID, { kind: 'paid', amount: null }]
  for (const state of STATES)
    for (const seen of inputs)
      for (const refund of [NONE, UNREADABLE, fresh(BACK), returned(1n, false)])
        for (const broadcast of [null, unposted, underWay, over])
          expect(
            judged({ word: says(state, { input: seen, refund, output: NONE }), isDead: true, broadcast }).told.state,
          ).toMatch(/^(processing|expired)$/)
})
