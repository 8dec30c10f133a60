import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { toAmount } from '../../../../engine/core/amount.ts'
import type { Offer } from '../../../../engine/core/offer.ts'
import { isTerminal, SWAP_STATES, type SwapState, type SwapStatus, wordless } from '../../../../engine/core/swapStatus.ts'
import { type BroadcastWord, type Gathered, judge, type Sighting, type Word } from '../../../../engine/execution/track/judge.ts'
import { hashOf } from '../../../support/fakeEvidence.ts'
import { anExecutedSwap } from '../../../support/storedSwap.ts'

type Verdict = ReturnType<typeof judge>
type Input = Exclude<Sighting['input']['kind'], 'notLooked'> | 'trusted'
/** A bigint: all that was owed was paid, so much of it. `part`: one unit less than that. */
type Paid = '-' | 'none' | 'unreadable' | 'fresh' | 'part' | bigint

const [DELIVERY, REFUND] = [hashOf(0xd0), hashOf(0xb0)]

const status = (state: SwapState, rest: Partial<SwapStatus> = {}): SwapStatus => ({
  state,
  venueStatus: 'WORDS',
  deliveredAmount: null,
  txHash: null,
  ...rest,
})

const payout = (paid: Paid, txHash: typeof DELIVERY): Sighting['output'] => {
  if (typeof paid === 'bigint' || paid === 'part')
    return { kind: 'paid', txHash, amount: paid === 'part' ? 97n : paid, isWhole: paid !== 'part' }
  return paid === 'fresh' ? { kind: paid, txHash } : { kind: paid === '-' ? 'notLooked' : paid }
}

const says = (claimed: SwapStatus, kind: Input, output: Paid = '-', refund: Paid = '-'): Word => ({
  kind: 'said',
  claimed,
  input: kind === 'paid' ? { kind, amount: 100n } : { kind: kind === 'trusted' ? 'notLooked' : kind },
  output: payout(output, DELIVERY),
  refund: payout(refund, REFUND),
})

const swap = await anExecutedSwap()
const offer: Offer = { ...swap.offer, slippage: { isFirm: true, guaranteedMin: toAmount(98n) } }
const SUBJECT: Gathered['subject'] = { ...swap, offer, ref: 'asked', isRecorded: true, own: { knownBy: null, last: null } }
const known = (last: SwapStatus | null, knownBy: string | null = 'asked') => ({ ...SUBJECT, own: { knownBy, last } })
const UNOWNED = { ...SUBJECT, own: null }
const UNRECORDED = { ...UNOWNED, isRecorded: false }
const UNBOUND = { ...SUBJECT, offer: { ...offer, slippage: null } }
const ofType = (executionType: Offer['executionType'], subject = SUBJECT) => ({ ...subject, offer: { ...offer, executionType } })
const sent = (state: BroadcastWord['state'], otherwise: Word | null = null): BroadcastWord => ({ state, otherwise })

const judged = (given: Partial<Gathered>): Verdict =>
  judge({ subject: SUBJECT, word: null, broadcast: null, isDead: false, ...given })

type Row = readonly [
  claimed: SwapState | readonly SwapState[] | (Partial<SwapStatus> & { readonly state: SwapState }),
  input: Input,
  output: Paid,
  refund: Paid,
  payload: 'live' | 'dead',
  told: SwapState | Partial<SwapStatus>,
  more?: Partial<Pick<Gathered, 'subject' | 'broadcast'> & Pick<Verdict, 'kept' | 'ref'>>,
]

/** The whole status is compared: what a row does not name is null. Left out, it is kept as it is told. */
const holds = (about: string, rows: readonly Row[]): void => {
  for (const [claims, input, output, refund, payload, due, { kept, ref, ...given } = {}] of rows)
    for (const claim of typeof claims === 'object' && 'length' in claims ? claims : [claims]) {
      const claimed = typeof claim === 'string' ? status(claim) : status(claim.state, claim)
      const told = typeof due === 'string' ? status(due) : { ...status('processing'), ...due }
      const by = given.broadcast ? `, a broadcast that is ${given.broadcast.state}` : ''
      const seen = `input ${input}, delivery ${output}, refund ${refund}${by} and a ${payload} payload`
      it(`judge: ${about}: reports ${told.state} for a claim of ${claimed.state} with ${seen}`, () => {
        const verdict = judged({ word: says(claimed, input, output, refund), isDead: payload === 'dead', ...given })
        expect(verdict.told).toEqual(told)
        expect(verdict.kept).toEqual(kept === undefined && told.state !== 'not_found' ? told : (kept ?? null))
        if (ref !== undefined) expect(verdict.ref).toBe(ref)
      })
    }
}

const delivered = (amount: bigint) => ({ state: 'success', txHash: DELIVERY, deliveredAmount: toAmount(amount) }) as const
const REFUNDED = { state: 'refunded', txHash: REFUND } as const
const claims = (amount: bigint, rest = {}) => ({ state: 'success', deliveredAmount: toAmount(amount), ...rest }) as const
const ENDS = ['refunded', 'expired', 'failed'] as const

holds('the minimum', [
  [claims(97n, { txHash: 'x' }), 'trusted', '-', '-', 'live', claims(97n, { state: 'processing', txHash: 'x' })],
  [claims(97n), 'paid', 98n, '-', 'live', claims(97n, { state: 'processing' })],
  [claims(98n), 'trusted', '-', '-', 'live', claims(98n)],
  [claims(0n), 'trusted', '-', '-', 'live', claims(0n, { state: 'processing' }), { subject: UNBOUND }],
  [claims(1n), 'trusted', '-', '-', 'live', claims(1n), { subject: UNBOUND }],
])
holds('a delivery', [
  ['success', 'paid', 98n, '-', 'live', delivered(98n), { ref: 'asked' }],
  [{ state: 'success', txHash: 'x' }, 'paid', 'none', '-', 'live', 'processing'],
  ['success', 'paid', 'part', '-', 'live', 'processing'],
  [claims(99n), 'paid', 'fresh', '-', 'live', { txHash: DELIVERY }],
  [claims(99n), 'paid', 150n, '-', 'live', delivered(99n)],
  [claims(199n), 'paid', 150n, '-', 'live', delivered(150n)],
  ['success', 'paid', 50n, 50n, 'live', delivered(50n)],
  ['success', 'paid', 'none', 100n, 'live', REFUNDED],
  ['success', 'unpaid', 'none', '-', 'live', 'processing'],
  ['success', 'signed', 98n, '-', 'live', delivered(98n), { ref: 'asked' }],
  ['success', 'signed', 'none', '-', 'dead', 'failed'],
  ['success', 'signed', 'unreadable', '-', 'dead', 'processing'],
])
holds('an end without delivery', [
  [ENDS, 'paid', '-', 100n, 'live', REFUNDED],
  [ENDS, 'paid', 98n, '-', 'live', delivered(98n)],
  ...(['none', 'fresh', 'unreadable', 'part'] as const).map((back): Row => [ENDS, 'paid', '-', back, 'live', 'expired']),
  [ENDS, 'unpaid', '-', '-', 'live', 'pending'],
  [ENDS, 'unpaid', '-', '-', 'dead', 'failed'],
  [ENDS, 'unreadable', '-', '-', 'dead', 'pending'],
  ['expired', 'unreadable', '-', '-', 'live', 'processing', { subject: known(status('processing')) }],
  ['expired', 'unreadable', '-', '-', 'live', 'pending', { subject: known(status('failed')) }],
  ['refunded', 'trusted', '-', '-', 'live', 'refunded', { ref: 'asked' }],
])
holds('a swap under way', [
  [['pending', 'processing', 'not_found', 'unknown'], 'paid', '-', '-', 'dead', 'processing', { ref: 'asked' }],
  ['pending', 'absent', '-', '-', 'live', 'pending', { ref: null }],
  [['pending', 'processing'], 'unpaid', '-', '-', 'dead', 'failed'],
  ['processing', 'absent', '-', '-', 'dead', 'processing', { ref: null }],
  ['not_found', 'absent', '-', '-', 'dead', 'failed'],
  ['pending', 'unreadable', '-', '-', 'dead', 'pending'],
  ['expired', 'absent', '-', '-', 'dead', 'failed', { subject: ofType('SIGNATURE') }],
])
holds('a transaction that no chain shows', [
  [['processing', 'success'], 'absent', '-', '-', 'dead', 'processing', { subject: ofType('TRANSACTION') }],
  [ENDS, 'absent', '-', '-', 'dead', 'pending', { subject: ofType('TRANSACTION') }],
  [['pending', 'not_found', 'unknown'], 'absent', '-', '-', 'dead', 'failed', { subject: ofType('TRANSACTION', known(null)) }],
  ['not_found', 'absent', '-', '-', 'dead', 'not_found', { subject: ofType('TRANSACTION') }],
  ['pending', 'absent', '-', '-', 'dead', 'pending', { subject: ofType('TRANSACTION', UNOWNED), kept: null }],
])
const stranger = wordless('not_found')
holds('another transaction', [
  ['pending', 'stranger', '-', '-', 'live', stranger, { subject: known(status('processing'), null), ref: null }],
  ['pending', 'reverted', '-', '-', 'live', 'failed', { kept: null }],
  ['pending', 'reverted', '-', '-', 'dead', 'failed'],
  ['success', 'extra', 'none', 'none', 'live', 'processing', { subject: UNOWNED, kept: null }],
  [['success', 'failed'], 'extra', 98n, 'none', 'live', delivered(98n), { subject: UNOWNED, kept: null }],
  ['failed', 'extra', '-', 100n, 'live', REFUNDED, { subject: UNOWNED, kept: null }],
  ['failed', 'extra', '-', 'part', 'live', 'processing', { subject: UNOWNED, kept: null }],
  ['success', 'trusted', '-', '-', 'live', 'success', { subject: UNOWNED, kept: null }],
])
const [seen, owed] = [status('processing', { txHash: 'x' }), status('expired')]
const renamed = { ...seen, venueStatus: 'NEW' }
holds('a venue that forgets', [
  [{ state: 'not_found', venueStatus: null }, 'trusted', '-', '-', 'live', seen, { subject: known(seen) }],
  [{ state: 'unknown', venueStatus: 'NEW' }, 'trusted', '-', '-', 'live', renamed, { subject: known(seen) }],
  ['unknown', 'trusted', '-', '-', 'live', owed, { subject: known(owed) }],
  ['not_found', 'trusted', '-', '-', 'live', 'pending', { subject: known(status('pending')) }],
  ['not_found', 'trusted', '-', '-', 'live', 'not_found', { subject: known(status('pending'), null) }],
  ['unknown', 'trusted', '-', '-', 'live', 'unknown', { subject: known(status('pending')) }],
])
const [unposted, underWay, over] = [sent('unposted'), sent('underWay'), sent('over')]
const otherwise = (...word: Parameters<typeof says>) => ({ broadcast: sent('over', says(...word)) })
holds('a transaction that the service sends', [
  ['not_found', 'trusted', '-', '-', 'live', 'pending', { broadcast: underWay }],
  ['not_found', 'trusted', '-', '-', 'live', seen, { broadcast: underWay, subject: known(seen) }],
  ['expired', 'trusted', '-', '-', 'live', 'pending', { broadcast: unposted }],
  ['expired', 'trusted', '-', '-', 'live', 'expired', { broadcast: underWay }],
  [['pending', 'not_found', 'expired'], 'trusted', '-', '-', 'live', 'failed', { broadcast: over }],
  ['expired', 'paid', '-', 'none', 'live', 'expired', { broadcast: over }],
  ['processing', 'trusted', '-', '-', 'live', 'processing', { broadcast: over }],
  ['failed', 'unreadable', '-', '-', 'live', 'pending', { broadcast: over }],
  ['not_found', 'trusted', '-', '-', 'live', 'failed', otherwise(status('expired'), 'trusted')],
  ['not_found', 'trusted', '-', '-', 'live', 'processing', otherwise(status('success'), 'paid', 'none')],
  ['not_found', 'trusted', '-', '-', 'live', 'pending', otherwise(status('failed'), 'unreadable')],
])

it('judge: reports pending before the transaction is posted and the venue can be called', () => {
  expect(judged({ broadcast: unposted })).toMatchObject({ told: wordless('pending'), kept: wordless('pending') })
})

it('judge: reports the last status while the venue is silent, and failed when the broadcast transaction is over', () => {
  const last = status('pending')
  const silent = { subject: known(last), word: { kind: 'silent', last } } as const
  expect(judged(silent)).toMatchObject({ told: last, kept: null })
  expect(judged({ ...silent, broadcast: over })).toMatchObject({ told: status('failed'), kept: status('failed') })
})

/** Each report with each evidence, by itself and beside a broadcast transaction that is over. */
function* everything(): Generator<Gathered> {
  const claimed = SWAP_STATES.flatMap((state) =>
    [null, toAmount(500n)].map((deliveredAmount) => status(state, { deliveredAmount })),
  )
  const inputs = ['unreadable', 'signed', 'absent', 'unpaid', 'reverted', 'stranger', 'extra', 'paid'] as const
  const payouts = ['-', 'none', 'unreadable', 'fresh', 'part', 98n] as const
  const words = claimed.flatMap((one) =>
    inputs.flatMap((input) => payouts.flatMap((output) => payouts.map((refund) => says(one, input, output, refund)))),
  )
  for (const word of words)
    for (const broadcast of [null, sent('over')])
      for (const subject of [UNRECORDED, UNOWNED, known(status('processing'), 'before')])
        for (const isDead of [false, true]) yield { subject, word, broadcast, isDead }
}

it('judge: reports success and refunded only for whole money on the chain, and ends no swap that is unread or unrecorded [status-venue-report-no-end]', () => {
  const isWhole = (one: Sighting['output']): boolean => one.kind === 'paid' && one.isWhole
  const ends = { success: 0, refunded: 0, failed: 0 }
  for (const all of everything()) {
    const { state, deliveredAmount } = judge(all).told
    if (!isTerminal(state) || all.word?.kind !== 'said') continue
    const { input, output, refund } = all.word
    const isProved =
      state === 'success'
        ? isWhole(output) && (deliveredAmount ?? 0n) <= 98n
        : state === 'refunded'
          ? isWhole(refund)
          : input.kind !== 'unreadable' && input.kind !== 'paid'
    expect(isProved && all.subject.isRecorded, inspect(all)).toBe(true)
    ends[state as keyof typeof ends] += 1
  }
  for (const count of Object.values(ends)) expect(count).toBeGreaterThan(100)
})
