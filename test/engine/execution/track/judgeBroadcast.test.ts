import { describe, expect, it } from 'vitest'
import { wordless } from '../../../../engine/core/swapStatus.ts'
import {
  holds,
  input,
  judged,
  NONE,
  OWED,
  over,
  PAID,
  says,
  status,
  UNSEEN,
  underWay,
  unposted,
  wasSeen,
} from '../../../support/gathered.ts'

describe('a swap whose transaction the service sends', () => {
  const over_ = (otherwise: ReturnType<typeof says>) => ({ state: 'over' as const, otherwise })
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
    ['is owed no refund before it is posted', { word: says('expired'), broadcast: unposted }, { state: 'pending' }],
    ['may be in a state that nobody here knows', { word: says('unknown'), broadcast: underWay }, { state: 'unknown' }],
    ['may be owed one while it is under way', { word: says('expired'), broadcast: underWay }, { state: 'expired' }],
    ['has failed once it is over', { word: says('pending'), broadcast: over }, { state: 'failed', venueStatus: 'WORDS' }],
    [
      'has failed for good where its chain shows that it failed',
      { word: says('pending', { input: input('reverted') }), broadcast: over },
      {},
      { kept: status('failed') },
    ],
    ['has failed though its venue never heard of it', { word: says('not_found'), broadcast: over }, { state: 'failed' }],
    ['is owed no refund once it is over', { word: says('expired'), broadcast: over }, { state: 'failed' }],
    [
      'is owed one where its payment was seen all the same',
      { word: says('expired', { input: PAID, refund: NONE }), broadcast: over },
      OWED,
    ],
    ['is the venue’s once that has seen a payment', { word: says('processing'), broadcast: over }, { state: 'processing' }],
    ['is the venue’s by its own ref', { word: says('not_found'), broadcast: over_(says('processing')) }, { state: 'processing' }],
    [
      'has failed where the venue knows of no payment by its own ref either',
      { word: says('not_found'), broadcast: over_(says('expired')) },
      { state: 'failed' },
    ],
    [
      'is not proved by an unproved word on that ref',
      { word: says('not_found'), broadcast: over_(says('success', { input: PAID, output: NONE })) },
      UNSEEN,
    ],
    [
      'does not end where its payment cannot be read',
      { word: says('failed', { input: input('unreadable') }), broadcast: over },
      { state: 'pending' },
    ],
    [
      'does not end where that on the venue’s own ref cannot be read',
      { word: says('not_found'), broadcast: over_(says('failed', { input: input('unreadable') })) },
      { state: 'pending' },
    ],
  ])
  it.each(['pending', 'expired', 'not_found', 'unknown'] as const)(
    'is not changed by %s of a payment that the wallet sends',
    (state) => {
      expect(judged({ word: says(state) }).told).toEqual(status(state))
    },
  )
})
