import { describe, expect, it } from 'vitest'
import { toAmount } from '../../../../engine/core/amount.ts'
import type { Offer } from '../../../../engine/core/offer.ts'
import {
  factsOf,
  isTerminal,
  SWAP_STATES,
  type SwapState,
  type SwapStatus,
  wordless,
} from '../../../../engine/core/swapStatus.ts'
import { type BroadcastWord, type Gathered, judge, type Sighting, type Word } from '../../../../engine/execution/track/judge.ts'
import { anOrder } from '../../../support/anOrder.ts'
import { pair, TOKENS } from '../../../support/fakeChains.ts'
import { hashOf } from '../../../support/fakeEvidence.ts'

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
const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 100n })
const SUBJECT: Gathered['subject'] = { order, offer, ref: 'asked', isRecorded: true, own: { knownBy: null, last: null } }
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

describe('the status of a swap, by the report of its venue and the evidence of the chains [status-venue-report-no-end]', () => {
  holds('the minimum', [
    [claims(97n, { txHash: 'x' }), 'trusted', '-', '-', 'live', claims(97n, { state: 'processing', txHash: 'x' })],
    [claims(97n), 'trusted', '-', '-', 'live', claims(97n, { state: 'processing' }), { subject: UNRECORDED, kept: null }],
    [claims(97n), 'paid', 98n, '-', 'live', claims(97n, { state: 'processing' })],
    [claims(98n), 'trusted', '-', '-', 'live', claims(98n)],
    [claims(0n), 'trusted', '-', '-', 'live', claims(0n, { state: 'processing' }), { subject: UNBOUND }],
    [claims(1n), 'trusted', '-', '-', 'live', claims(1n), { subject: UNBOUND }],
  ])
  holds('a delivery', [
    ['success', 'paid', 98n, '-', 'live', delivered(98n), { ref: 'asked' }],
    [{ state: 'success', txHash: 'x' }, 'paid', 'none', '-', 'live', 'processing'],
    ['success', 'paid', 'part', '-', 'live', 'processing'],
    ['success', 'paid', 'unreadable', '-', 'live', 'processing'],
    [claims(99n), 'paid', 'fresh', '-', 'live', { txHash: DELIVERY }],
    [claims(99n), 'paid', 150n, '-', 'live', delivered(99n)],
    [claims(199n), 'paid', 150n, '-', 'live', delivered(150n)],
    ['success', 'paid', 50n, 50n, 'live', delivered(50n)],
    ['success', 'paid', 'none', 100n, 'live', REFUNDED],
    ['success', 'paid', 'none', 'part', 'live', 'processing'],
    ['success', 'unpaid', 'none', '-', 'live', 'processing'],
    ['success', 'unpaid', 'none', '-', 'dead', 'failed'],
    ['success', 'signed', 98n, '-', 'live', delivered(98n)],
    ['success', 'signed', 'none', '-', 'live', 'processing'],
    ['success', 'signed', 'none', '-', 'dead', 'failed'],
    ['success', 'signed', 'unreadable', '-', 'dead', 'processing'],
    ['success', 'trusted', '-', '-', 'live', 'success'],
  ])
  holds('an end without delivery', [
    [ENDS, 'paid', '-', 100n, 'live', REFUNDED],
    [ENDS, 'paid', 98n, '-', 'live', delivered(98n)],
    ...(['none', 'fresh', 'unreadable', 'part'] as const).map((back): Row => [ENDS, 'paid', '-', back, 'live', 'expired']),
    [ENDS, 'paid', 'part', 'none', 'dead', 'expired'],
    [ENDS, 'unpaid', '-', '-', 'live', 'pending'],
    [ENDS, 'unpaid', '-', '-', 'dead', 'failed'],
    [ENDS, 'signed', '-', '-', 'live', 'pending'],
    [ENDS, 'signed', '-', '-', 'dead', 'failed'],
    [ENDS, 'unreadable', '-', '-', 'dead', 'pending'],
    [ENDS, 'unreadable', '-', '-', 'live', 'processing', { subject: known(status('processing')) }],
    ['refunded', 'trusted', '-', '-', 'live', 'refunded'],
  ])
  holds('a swap under way', [
    [['pending', 'processing', 'not_found', 'unknown'], 'paid', '-', '-', 'dead', 'processing', { ref: 'asked' }],
    ['pending', 'absent', '-', '-', 'live', 'pending', { ref: null }],
    ['pending', 'unreadable', '-', '-', 'dead', 'pending'],
    [['pending', 'processing'], 'unpaid', '-', '-', 'dead', 'failed'],
    ['processing', 'absent', '-', '-', 'dead', 'processing', { ref: null }],
    ['not_found', 'absent', '-', '-', 'dead', 'failed'],
    [['expired', 'failed', 'pending'], 'absent', '-', '-', 'dead', 'failed', { subject: ofType('SIGNATURE') }],
  ])
  holds('a transaction that no chain shows', [
    [['processing', 'success'], 'absent', '-', '-', 'dead', 'processing', { subject: ofType('TRANSACTION') }],
    [ENDS, 'absent', '-', '-', 'dead', 'pending', { subject: ofType('TRANSACTION') }],
    [['pending', 'not_found', 'unknown'], 'absent', '-', '-', 'dead', 'failed', { subject: ofType('TRANSACTION', known(null)) }],
    ...(['pending', 'not_found', 'unknown'] as const).flatMap((state): Row[] => [
      [state, 'absent', '-', '-', 'dead', state, { subject: ofType('TRANSACTION') }],
      [state, 'absent', '-', '-', 'dead', state, { subject: ofType('TRANSACTION', UNOWNED), kept: null }],
    ]),
  ])
  const stranger = wordless('not_found')
  const isKnown = { subject: known(status('processing'), null), ref: null }
  holds('another transaction', [
    ['pending', 'stranger', '-', '-', 'live', stranger],
    ['pending', 'stranger', '-', '-', 'live', stranger, isKnown],
    ['pending', 'reverted', '-', '-', 'live', 'failed', { kept: null }],
    ['pending', 'reverted', '-', '-', 'dead', 'failed'],
    ['success', 'extra', 'none', 'none', 'live', 'processing', { subject: UNOWNED, kept: null }],
    ['success', 'extra', 98n, 'none', 'live', delivered(98n), { subject: UNOWNED, kept: null }],
    ['failed', 'extra', 98n, '-', 'live', delivered(98n), { subject: UNOWNED, kept: null }],
    ['failed', 'extra', '-', 100n, 'live', REFUNDED, { subject: UNOWNED, kept: null }],
    ['success', 'trusted', '-', '-', 'live', 'success', { subject: UNOWNED, kept: null }],
  ])
  const [seen, owed] = [status('processing', { txHash: 'x' }), status('expired')]
  holds('a venue that forgets', [
    [{ state: 'not_found', venueStatus: null }, 'trusted', '-', '-', 'live', seen, { subject: known(seen) }],
    [
      { state: 'unknown', venueStatus: 'NEW' },
      'trusted',
      '-',
      '-',
      'live',
      { ...seen, venueStatus: 'NEW' },
      { subject: known(seen) },
    ],
    ['unknown', 'trusted', '-', '-', 'live', owed, { subject: known(owed) }],
    ['not_found', 'trusted', '-', '-', 'live', 'pending', { subject: known(status('pending')) }],
    ['not_found', 'trusted', '-', '-', 'live', 'not_found', { subject: known(status('pending'), null) }],
    ['unknown', 'trusted', '-', '-', 'live', 'unknown'],
    ['pending', 'trusted', '-', '-', 'live', 'pending', { subject: known(seen) }],
  ])
  const [unposted, underWay, over] = [sent('unposted'), sent('underWay'), sent('over')]
  const otherwise = (...word: Parameters<typeof says>) => ({ broadcast: sent('over', says(...word)) })
  holds('a transaction that the service sends', [
    ['not_found', 'trusted', '-', '-', 'live', 'pending', { broadcast: underWay }],
    ['not_found', 'trusted', '-', '-', 'live', 'pending', { broadcast: unposted }],
    ['not_found', 'trusted', '-', '-', 'live', seen, { broadcast: underWay, subject: known(seen) }],
    ['expired', 'trusted', '-', '-', 'live', 'pending', { broadcast: unposted }],
    ['expired', 'trusted', '-', '-', 'live', 'expired', { broadcast: underWay }],
    ['unknown', 'trusted', '-', '-', 'live', 'unknown', { broadcast: underWay }],
    [['pending', 'not_found', 'expired'], 'trusted', '-', '-', 'live', 'failed', { broadcast: over }],
    ['pending', 'reverted', '-', '-', 'live', 'failed', { broadcast: over }],
    ['expired', 'paid', '-', 'none', 'live', 'expired', { broadcast: over }],
    ['processing', 'trusted', '-', '-', 'live', 'processing', { broadcast: over }],
    ['failed', 'unreadable', '-', '-', 'live', 'pending', { broadcast: over }],
    ['not_found', 'trusted', '-', '-', 'live', 'processing', otherwise(status('processing'), 'trusted')],
    ['not_found', 'trusted', '-', '-', 'live', 'failed', otherwise(status('expired'), 'trusted')],
    ['not_found', 'trusted', '-', '-', 'live', 'processing', otherwise(status('success'), 'paid', 'none')],
    ['not_found', 'trusted', '-', '-', 'live', 'pending', otherwise(status('failed'), 'unreadable')],
  ])

  it('judge: keeps a swap pending before its transaction is posted and its venue can be called', () => {
    expect(judged({ broadcast: unposted })).toMatchObject({ told: wordless('pending'), kept: wordless('pending') })
  })

  it.each([
    [null, 'pending', null],
    [over, 'failed', status('failed')],
  ] as const)('judge: a silent venue leaves the last status, with broadcast %o: reports %s', (broadcast, state, kept) => {
    const last = status('pending')
    expect(judged({ subject: known(last), word: { kind: 'silent', last }, broadcast })).toMatchObject({
      told: status(state),
      kept,
    })
  })
})

/** Every combination of what can be gathered. */
function* everything(): Generator<Gathered> {
  const amounts = [null, toAmount(97n), toAmount(500n)]
  const states = SWAP_STATES.flatMap((state) =>
    (state === 'success' ? amounts : [null]).map((deliveredAmount) => status(state, { deliveredAmount, txHash: 'garbage' })),
  )
  const inputs = ['unreadable', 'signed', 'absent', 'unpaid', 'reverted', 'stranger', 'extra', 'paid'] as const
  const paid = ['-', 'none', 'unreadable', 'fresh', 'part', 98n] as const
  const words: (Word | null)[] = [null, ...states.map((claimed) => says(claimed, 'trusted'))]
  for (const state of ['pending', 'processing', 'expired'] as const) words.push({ kind: 'silent', last: status(state) })
  for (const claimed of states)
    for (const input of inputs)
      for (const output of [...paid, 300n] as const) for (const refund of paid) words.push(says(claimed, input, output, refund))
  const others = [
    null,
    ...(['trusted', 'unreadable', 'paid'] as const).map((input) => says(status('success'), input, 98n, 'none')),
  ]
  const broadcasts = [null, sent('unposted'), sent('underWay'), ...others.map((other) => sent('over', other))]
  const lasts = [null, status('pending'), status('processing'), status('expired')]
  const subjects = [UNRECORDED, UNOWNED, known(null, null), ...lasts.map((last) => known(last, 'before'))]
  for (const word of words)
    for (const broadcast of broadcasts)
      for (const subject of subjects) for (const isDead of [false, true]) yield { subject, word, broadcast, isDead }
}

const sightingsOf = ({ word, broadcast }: Gathered): readonly Sighting[] =>
  [word, broadcast?.otherwise].flatMap((one) => (one?.kind === 'said' ? [one] : []))
const isWhole = (one: Sighting['output']): boolean => one.kind === 'paid' && one.isWhole
const isTrusted = ({ input }: Sighting): boolean => input.kind === 'notLooked'
const inputOf = ({ word }: Gathered) => (word?.kind === 'said' ? word.input.kind : null)

/** Null where a law says nothing. */
const LAWS: { readonly [law: string]: (all: Gathered, verdict: Verdict) => boolean | null } = {
  'reports success only for a whole delivery on the chain': (all, { told }) =>
    told.state === 'success' ? sightingsOf(all).some((one) => isWhole(one.output) || isTrusted(one)) : null,
  'reports refunded only for a whole refund on the chain': (all, { told }) =>
    told.state === 'refunded' ? sightingsOf(all).some((one) => isWhole(one.refund) || isTrusted(one)) : null,
  'keeps failed only for a dead payload or a transaction that is over': (all, { kept }) =>
    kept?.state === 'failed' ? all.isDead || all.broadcast?.state === 'over' || sightingsOf(all).some(isTrusted) : null,
  'never reports failed for a payment on the chain': (all, { told }) =>
    inputOf(all) === 'paid' ? told.state !== 'failed' : null,
  // A signed order that can never be filled has failed, although its payout was not read.
  'ends nothing while payment or payout cannot be read and neither payout is whole': (all, { told }) => {
    const seen = sightingsOf(all)
    const isUnread = ({ input, output, refund }: Sighting) =>
      input.kind === 'unreadable' || (input.kind === 'paid' && [output, refund].some(({ kind }) => kind === 'unreadable'))
    const isOpen = seen.length > 0 && seen.every((one) => isUnread(one) && !isWhole(one.output) && !isWhole(one.refund))
    return isOpen ? !isTerminal(told.state) : null
  },
  'keeps a swap open whose transaction reverted while its payload is alive': (all, { told, kept }) => {
    if (inputOf(all) !== 'reverted' || all.isDead || all.broadcast !== null) return null
    return told.state === (all.subject.isRecorded ? 'failed' : 'processing') && kept === null
  },
  'neither ends nor keeps a swap without a record': ({ subject }, { told, kept }) =>
    subject.isRecorded ? null : !isTerminal(told.state) && kept === null,
  'reports no more than was seen': (all, { told }) => {
    const seen = sightingsOf(all)
    if (told.state !== 'success' || seen.some(isTrusted)) return null
    return seen.some(({ output }) => output.kind === 'paid' && (told.deliveredAmount ?? 0n) <= output.amount)
  },
  'never forgets a recognised swap, except for a transaction of a stranger': (all, { told }) => {
    const last = all.subject.own?.last ?? null
    if (last === null || inputOf(all) === 'stranger' || !factsOf(last.state).isRecognised) return null
    return !factsOf(told.state).isForgotten
  },
  'keeps what it reports, for a ref of the swap alone': ({ subject }, { told, kept }) =>
    kept === null ? null : subject.own !== null && kept === told,
  'binds a ref by its payment, or by a trusted or signed swap that is recognised': (all, { told, ref }) => {
    const input = inputOf(all)
    const isBound =
      input === null || input === 'notLooked' || input === 'signed' ? factsOf(told.state).isRecognised : input === 'paid'
    return ref === (isBound ? 'asked' : (all.subject.own?.knownBy ?? null))
  },
}

/** For each law the first case that breaks it, and the number of cases that it holds for. All are judged once. */
const judgeAll = () => {
  const findings = Object.entries(LAWS).map(([law, check]) => ({ law, check, broken: null as unknown, held: 0 }))
  for (const all of everything()) {
    const verdict = judge(all)
    for (const finding of findings) {
      const isHeld = finding.check(all, verdict)
      if (isHeld) finding.held += 1
      if (isHeld === false) finding.broken ??= { all, verdict }
    }
  }
  return findings
}

describe('whatever is gathered [status-venue-report-no-end]', () => {
  let findings: ReturnType<typeof judgeAll> | null = null
  it.each(Object.keys(LAWS))('judge: %s', (law) => {
    findings ??= judgeAll()
    const finding = findings.find((one) => one.law === law)
    expect(finding?.broken).toBeNull()
    expect(finding?.held).toBeGreaterThan(1_000)
  })
})
