import { expect, it } from 'vitest'
import type { SeenTransaction } from '../../../../engine/chains/seen.ts'
import type { Address } from '../../../../engine/core/address.ts'
import { nativeAsset } from '../../../../engine/core/asset.ts'
import type { Hex } from '../../../../engine/core/execution.ts'
import type { RefundKeeps, SwapEvents } from '../../../../engine/venues/venue.ts'
import { WALLETS } from '../../../support/anOrder.ts'
import { pair, TOKENS } from '../../../support/fakeChains.ts'
import { hashOf, movement, seenTransaction } from '../../../support/fakeEvidence.ts'
import { addressFor, TOY_CONTRACT } from '../../../support/fakeVenue.ts'
import { done, LEAST, NO_HASH, OTHER, OVER_MS, PAID_IN, sendsOn } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import { log, TOY_EVENTS } from '../../../support/toyEvents.ts'
import { idOf, resets } from '../../chains/evidenceBench.ts'
import { payee } from '../../chains/evmBench.ts'
import { hashOf as blockHashOf, logAt, searchBench } from '../../chains/searchBench.ts'
import { A, type Act, all, B, chains, each, given, isOver, openScene, passes, play, type Story, scenes } from './scenes.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const { usdcEthereum: USDC, usdtEthereum: USDT, usdcArbitrum: BOUGHT } = TOKENS
const PAID = `input ${PAID_IN}`
const moves = (...movements: SeenTransaction['movements']) => ({ movements })
const to = (chainId: 42161 | -1, recipient = WALLETS.evm) => [{ to: [chainId, nativeAsset(chainId).address], recipient }] as const

const OPEN = { state: 'processing', venueStatus: 'TOY_SUCCESS', deliveredAmount: null, txHash: null, rows: 'input' } as const
const mined = (number: number, minutes: number) =>
  A.succeeds(LEAST, { hash: hashOf(number, -1), at: START_AT - minutes * MINUTE_MS })
scenes('delivery', { kind: 'DEPOSIT' })({
  'reports success with the amount seen when the recipient received the minimum [status-success-needs-delivery]': [
    ({ a }) => a.says('success', done(a.deliver(), LEAST + 7n)),
    { state: 'success', deliveredAmount: LEAST, txHash: hashOf(2), rows: `${PAID}, output ${LEAST}` },
    { state: 'success', kept: { status: { state: 'success' }, endedAt: START_AT } },
  ],
  'stays open with a unit less, another recipient, token or chain, or a failed or missing transaction': [
    [A.succeeds(LEAST - 1n), OPEN, A.succeeds(0n, moves()), OPEN, A.succeeds(0n, moves(movement(BOUGHT, OTHER, LEAST))), OPEN],
    [A.succeeds(0n, moves(movement(nativeAsset(42161), WALLETS.evm, LEAST))), OPEN, A.succeeds(LEAST, { chainId: 10 }), OPEN],
    [A.succeeds(LEAST, { isSuccess: false }), OPEN, A.says('success', NO_HASH), OPEN, A.says('success', 'garbage'), OPEN],
    [({ chain }) => expect(chain.reads.filter(({ of }) => of === 'garbage')).toEqual([])],
  ],
  'needs a transaction that is at most five minutes older than the swap': [
    [A.succeeds(LEAST, { at: START_AT - 6 * MINUTE_MS }), 'processing'],
    [A.succeeds(LEAST, { at: START_AT - 4 * MINUTE_MS }), 'success'],
  ],
  'accepts a transaction whose node shows no time': [A.succeeds(LEAST, { at: null }), 'success'],
  'reports an unconfirmed transaction as open, with its hash, until it is confirmed': [
    [A.succeeds(LEAST, { standing: 'fresh' }), { ...OPEN, txHash: hashOf(2), kept: { endedAt: null } }],
    [A.deliver(LEAST, { hash: hashOf(2) }), 'success'],
  ],
  'accepts block times two hours off on Bitcoin': [
    [given({ orders: to(-1, WALLETS.bitcoin) }), mined(901, 121), 'processing', mined(902, 119), 'success'],
  ],
})
const PLAIN = addressFor('evm', 'plain')
const sent = sendsOn(WALLETS.evm, 77).call
const logged = (topic: Hex, data: Hex = '0x') => ({
  call: { ...sent, data: '0x70a70a70' as const },
  logs: [{ index: 0, address: PLAIN.toLowerCase() as Hex, topics: [topic], data }],
})
const word = WALLETS.evm.slice(2).toLowerCase().padStart(64, '0')
const CASES: readonly (readonly [what: string, wish: Partial<SeenTransaction>, told: 'success' | 'processing'])[] = [
  ['calls a contract for the recipient', { call: sent }, 'success'],
  ['is a call of a contract by the recipient', { call: { ...sent, from: WALLETS.evm, data: '0x' } }, 'success'],
  ['has a log with the recipient in a topic', logged(`0x${word}`), 'success'],
  ['has a log with the recipient in its data', logged(`0x${'ab'.repeat(32)}`, `0x${'00'.repeat(32)}${word}`), 'success'],
  ['calls no contract', { call: { ...sent, to: PLAIN } }, 'processing'],
  ['names another account', { call: sendsOn(PLAIN, 77).call }, 'processing'],
  ['has the digits of the recipient at no whole byte', { call: { ...sent, data: `0x7${word.slice(24)}0` } }, 'processing'],
  ['has no call that the node shows', {}, 'processing'],
]
const gained = (amount = LEAST): Story => [
  ({ chain }) => chain.gain({ chainId: 42161, height: 77, recipient: WALLETS.evm }, amount),
]
// A contract that emits its event whether or not the recipient accepted the coins.
const outputs: SwapEvents['outputs'] = async () => [{ place: 'log:0', amount: LEAST, isToBeSeen: true }]
scenes('delivery', { kind: 'DEPOSIT', orders: to(42161) })({
  'counts coins that are the value of the transaction': [A.succeeds(), 'success'],
  ...each(CASES, ([what, wish, told]) => [
    `reports ${told} for coins that the balance of the block shows and a transaction that ${what}`,
    [gained(), A.succeeds(0n, { movements: [], height: 77, ...wish }), told],
  ]),
  'stays open for coins while no node shows whether the callee is a contract': [
    [chains.areUnreadable(({ method }) => method === 'hasCode'), gained()],
    [A.succeeds(0n, sendsOn(WALLETS.evm, 77)), 'processing', chains.areReadable(), 'success'],
  ],
  'needs the balance to confirm coins that an event alone names, and the node to have that balance': [
    given({ kind: 'TRANSACTION', events: { ...TOY_EVENTS, inputs: async () => null, outputs } }),
    [A.succeeds(LEAST, sendsOn(WALLETS.evm, 77)), 'processing', gained(LEAST - 1n), 'processing'],
    [chains.have({ stateSince: 78 }), gained(), 'processing', chains.have({ stateSince: 77 }), 'success'],
  ],
})
/** The contract takes this input at each place. */
const taking = (places: readonly string[], took = { token: USDC.address, amount: PAID_IN }): SwapEvents => ({
  inputs: async () => places.map((place) => ({ place, orderId: null, took })),
  outputs: async () => null,
  refunds: async () => null,
  named: async () => [],
})
const contract = { isUnfilled: false }
const both = { state: 'success', rows: `${PAID}, output ${LEAST}` } as const
scenes('delivery of a signed order', { kind: 'SIGNATURE' })({
  'ends it only once its signature was posted, and its contract does not show it as unfilled': [
    given({ unfilled: { isUnfilled: async () => contract.isUnfilled }, isUnpaid: true }),
    [A.succeeds(), 'processing', ({ a, store }) => store.swaps.setPosting(a.id)],
    [() => Object.assign(contract, { isUnfilled: true }), 'processing'],
    [() => Object.assign(contract, { isUnfilled: false }), 'success'],
  ],
  'records the input that it took, and drops both when a reorganization removes them': [
    given({ events: taking(['log:7']) }),
    [A.succeeds(LEAST, { standing: 'fresh' }), { state: 'processing', rows: '' }, A.deliver(LEAST, { hash: hashOf(1) }), both],
    [chains.remove(1), 'processing', A.succeeds(), both, { payments: [1, 2].map(() => ({ txHash: hashOf(3) })) }],
  ],
})

it('delivery: needs an input of its own for each of two equal signed orders', async () => {
  const places: string[] = []
  const scene = await openScene({ kind: 'SIGNATURE', events: taking(places), orders: [{}, {}] })
  const twice = ['log:8', 'log:9'].map((place) => movement(BOUGHT, WALLETS.evm, LEAST, { place }))
  scene.says('success', { txHash: scene.a.deliver(LEAST, { movements: twice }) })
  await play(scene, ['processing', () => places.push('log:7'), all('success', 'processing')])
  await play(scene, [() => places.unshift('log:6'), all('success', 'success')])
})

const endedAt = START_AT + OVER_MS + 1
const OWED = { state: 'expired', deliveredAmount: null, txHash: null } as const
const keeping = (amount: bigint, bps = 0) => ({ profile: { refundKeeps: (): RefundKeeps => ({ amount, bps }) } })
const found = (...amounts: readonly bigint[]): Story => amounts.map((amount) => A.giveBack(amount))
const isOwed = (...claims: readonly Act[]): Story =>
  claims.map((claim) => [claim, { ...OWED, venueStatus: 'TOY_REFUNDED', rows: PAID, kept: { endedAt: null } }])
const refunded = { state: 'refunded', venueStatus: 'TOY_REFUNDED', deliveredAmount: null, txHash: hashOf(2) } as const
const unlike = [
  movement(USDT, WALLETS.evm, PAID_IN),
  movement(nativeAsset(1), WALLETS.evm, PAID_IN),
  movement(USDC, OTHER, PAID_IN),
]
const transfers = (...places: readonly string[]): Act => {
  const movements = places.map((place) => movement(USDC, WALLETS.evm, PAID_IN, { place }))
  return ({ a, says }) => says('refunded', { txHash: a.giveBack(0n, { movements }) })
}
const call = { from: OTHER, to: TOY_CONTRACT, data: '0x', value: 0n } as const
const refunds = async (seen: SeenTransaction) => (seen.call?.data === '0x' ? seen.movements : [])
scenes('refund', { kind: 'TRANSACTION', events: { ...TOY_EVENTS, refunds }, isUnpaid: true })(
  each([[PAID_IN + 1n], [400_000n, 600_000n]], (others) => [
    `is not what a contract that names no order returned for other deposits: ${others}`,
    [
      [A.pay(PAID_IN, { logs: [log(0, 'paid', 'o1', PAID_IN)] }), others.map((amount) => A.giveBack(amount, { call }))],
      [A.says('expired'), OWED],
      [A.giveBack(PAID_IN, { call }), passes(), { state: 'refunded', txHash: hashOf(others.length + 2) }],
    ],
  ]),
)
const round: Story = [({ b }) => b.told(), ({ a }) => a.told(), passes()]
const backAt = { at: START_AT + 30_000 }
const [OF_A, OF_B] = [PAID_IN - 200n, PAID_IN - 300n]
const coins = (to: Address) => moves(movement(nativeAsset(1), to, PAID_IN, { place: 'value' }))
scenes('refund', { kind: 'DEPOSIT' })({
  'reports refunded when the input came back to the refund address [refund-needs-transfer]': [
    A.refunds(),
    { ...refunded, rows: `${PAID}, refund ${PAID_IN}`, kept: { status: { state: 'refunded' }, endedAt: START_AT } },
  ],
  'is owed for another amount, token, recipient or chain, and a failed, old or missing transaction [refund-owed-is-expired]': [
    isOwed(A.refunds(1n), A.refunds(0n), A.refunds(PAID_IN - 1n), ...unlike.map((one) => A.refunds(0n, moves(one)))),
    isOwed(A.refunds(PAID_IN, { chainId: 10 }), A.refunds(PAID_IN, { isSuccess: false })),
    isOwed(A.refunds(PAID_IN, { at: START_AT - 6 * MINUTE_MS }), A.says('refunded', NO_HASH), A.says('refunded')),
    [A.says('failed'), { ...OWED, venueStatus: 'TOY_FAILED' }, A.says('expired'), { ...OWED, venueStatus: 'TOY_EXPIRED' }],
  ],
  'is owed until the transaction is confirmed [refund-owed-is-expired]': [
    [A.refunds(PAID_IN, { standing: 'fresh' }), OWED, A.giveBack(PAID_IN, { hash: hashOf(2) }), 'refunded'],
  ],
  'covers everything that was paid to the address': [
    [A.pay(300_000n, { height: 1_001 }), A.says('processing'), 'processing'],
    [A.refunds(1_300_000n), { state: 'refunded', txHash: hashOf(3) }],
  ],
  'is found although the venue names another transaction': [
    [found(PAID_IN), A.refunds(1n), { state: 'refunded', txHash: hashOf(2) }],
  ],
  'is found in two parts that the venue does not name': [
    [found(400_000n, 600_000n), A.says('failed'), { state: 'refunded', rows: `${PAID}, refund 600000, refund 400000` }],
  ],
  'is no payment in the block of the input': [
    [A.refunds(PAID_IN, { height: 1_000 }), OWED, passes(), A.says('refunded'), OWED],
    [A.giveBack(PAID_IN, { height: 1_001, hash: hashOf(2) }), passes(HOUR_MS), 'refunded'],
  ],
  'is no payment that came before the swap': [A.giveBack(PAID_IN, { at: START_AT - 1 }), A.says('failed'), OWED],
  'is not the sum of payments that are only together too much': [
    [found(700_000n, 600_000n, 350_000n), A.says('failed'), { ...OWED, rows: PAID }],
  ],
  'is recognised by the time of its block once the node has forgotten the input': [
    [A.pay(PAID_IN, { hash: hashOf(1), standing: 'final' }), A.says('processing'), 'processing', chains.remove(1)],
    [A.refunds(PAID_IN, { at: START_AT }), OWED, A.refunds(PAID_IN, { at: START_AT + 1 }), 'refunded'],
  ],
  'may be smaller by the amount and the share that the venue keeps, and no unit more': [
    [given(keeping(5n, 30)), A.refunds(PAID_IN - 3_006n), OWED, A.refunds(PAID_IN - 3_005n), 'refunded'],
  ],
  'is no payment above the input, whether the venue names it or a search finds it': [
    [given(keeping(5n)), A.refunds(PAID_IN + 1n), OWED, passes(), A.says('refunded'), { ...OWED, rows: PAID }],
    [A.refunds(PAID_IN - 5n), { state: 'refunded', txHash: hashOf(3) }],
  ],
  'is compared with what was paid when that was less than asked': [
    [given({ isUnpaid: true }), A.pay(300_000n), A.refunds(299_999n), OWED, A.refunds(300_000n), 'refunded'],
  ],
  'that appears after failed changes the status to refunded, and the first end keeps its time [refund-owed-is-expired]': [
    [given({ isUnpaid: true }), isOver, { state: 'failed', kept: { endedAt } }, A.pay(), A.refunds(), passes()],
    [{ state: 'refunded', txHash: hashOf(2), kept: { status: { state: 'refunded' }, endedAt } }],
  ],
  'is in the token that the venue took': [
    given({ kind: 'TRANSACTION', events: taking(['log:1'], { token: USDT.address, amount: 700n }) }),
    [A.refunds(), OWED, A.refunds(0n, moves(movement(USDT, WALLETS.evm, 700n))), 'refunded'],
  ],
  'of one of two swaps is one transfer, and two transfers are that of both [refund-needs-transfer]': [
    [given({ orders: [{}, {}] }), transfers('log:0'), all('refunded', 'expired')],
    [transfers('log:0', 'log:1'), all('refunded', 'refunded')],
  ],
  'that the venue does not name is the payment nearest to the input, so that each of two swaps has its own': [
    given({ ...keeping(100_000n), orders: [{}, { amount: 950_000n }] }),
    [found(945_000n, 960_000n), ({ says }) => says('failed')],
    all({ state: 'refunded', rows: `${PAID}, refund 960000` }, { state: 'refunded', rows: 'input 950000, refund 945000' }),
  ],
  'of each of two similar swaps is found in three rounds when the venue reports no amounts': [
    given({ ...keeping(200n), orders: [{}, { amount: PAID_IN - 100n }] }),
    [A.giveBack(OF_A, backAt), B.giveBack(OF_B, backAt), A.says('refunded'), B.says('refunded'), round, round, round],
    [all({ rows: `${PAID}, refund ${OF_A}` }, { rows: `input ${PAID_IN - 100n}, refund ${OF_B}` }), all('refunded', 'refunded')],
  ],
  'is found in coins among the transactions that the venue lists': [
    given({ orders: [{ from: pair(nativeAsset(1)) }], isUnpaid: true }),
    [({ a }) => a.says('refunded', { paidBy: [a.pay(PAID_IN, coins(a.ref as Address))] }), OWED],
    [({ a }) => a.says('refunded', { paidBy: [hashOf(1), a.giveBack(PAID_IN, coins(WALLETS.evm))] })],
    [{ state: 'refunded', txHash: hashOf(2) }],
  ],
})

let last = 900
/** A refund on the other chain, in the bought token. */
const returned = (amount: bigint, { orderId = 'o1', ...wish }: Partial<SeenTransaction> & { readonly orderId?: string } = {}) => {
  last += 1
  return seenTransaction({ chainId: 42161, hash: hashOf(last), logs: [log(0, 'returned', orderId, amount)], ...wish })
}
const isNone = (...all: readonly SeenTransaction[]): Story =>
  all.map((seen) => [({ chain }) => chain.put(seen), A.says('refunded', seen.hash), OWED])
const early = returned(LEAST, { at: START_AT - 6 * MINUTE_MS })
const gift = seenTransaction({ chainId: 42161, hash: hashOf(950), movements: [movement(BOUGHT, OTHER, LEAST)] })
const [whole, listed] = [returned(LEAST), returned(LEAST, moves(movement(BOUGHT, OTHER, LEAST)))]
const back = { kind: 'refund', chainId: 42161, recipient: OTHER, amount: LEAST }
/** Executes and pays a swap whose payload names this account on the other chain for refunds. */
const executesFor =
  (recipient: Address | null): Act =>
  async ({ add, venue }) => {
    const refundsElsewhere = recipient ? [{ asset: BOUGHT, recipient }] : []
    venue.script.decode = async (honest) => ({ ...honest, refundsElsewhere })
    const swap = await add()
    swap.pay(PAID_IN, { logs: [log(0, 'paid', 'o1', PAID_IN)] })
  }
scenes('refund in the bought token', { kind: 'TRANSACTION', events: TOY_EVENTS, orders: [], isUnpaid: true })({
  'counts for the guaranteed amount when payload and event name it': [
    executesFor(OTHER),
    isNone(returned(1n), returned(LEAST - 1n), returned(LEAST, { orderId: 'o2' }), returned(LEAST, { isSuccess: false })),
    isNone(early, returned(LEAST, { chainId: 10 }), returned(LEAST, { standing: 'fresh' })),
    [({ chain }) => chain.put(whole), A.says('refunded', whole.hash)],
    [{ state: 'refunded', txHash: whole.hash, deliveredAmount: null, payments: [{}, back] }],
  ],
  'is none when the payload names no account there': [executesFor(null), isNone(whole)],
  'is none when no event names the order': [executesFor(OTHER), isNone(gift)],
  'is found when the venue names none': [
    [executesFor(OTHER), ({ chain }) => chain.put(listed), A.says('refunded'), { state: 'refunded', txHash: listed.hash }],
  ],
  'is the delivery when the recipient receives it, although the venue reports refunded': [
    [executesFor(WALLETS.evm), A.says('refunded'), OWED, passes(), A.deliver(LEAST, { logs: [log(0, 'filled', 'o1', LEAST)] })],
    [{ state: 'success', deliveredAmount: LEAST, rows: 'input, output' }],
  ],
})

const beside =
  (amount: bigint, back: bigint, wish: Partial<SeenTransaction> = {}): Act =>
  ({ a }) =>
    a.says('success', { txHash: a.deliver(amount), refundTx: a.giveBack(back, wish) })
const [HALF, PART] = [PAID_IN / 2n, 333_333n]
const least = (LEAST * (PAID_IN - PART)) / PAID_IN + 1n
const halfBeside = (refundTx: string | null): Act => {
  return ({ a }) => a.says('success', { txHash: a.deliver(LEAST / 2n), refundTx })
}
scenes('partial fill', { kind: 'DEPOSIT' })({
  'is a success with the real amount, in proportion to what was not refunded [refund-partial-fill]': [
    beside(LEAST / 2n, HALF),
    { state: 'success', txHash: hashOf(2), deliveredAmount: LEAST / 2n, rows: 'input, output, refund' },
  ],
  'stays open when the rest is not delivered in full, or the refund is missing or unconfirmed': [
    [beside(LEAST / 2n - 1n, HALF), 'processing', halfBeside(null), 'processing', halfBeside(NO_HASH), 'processing'],
    [beside(LEAST / 2n, HALF, { standing: 'fresh' }), { state: 'processing', rows: PAID }],
  ],
  'rounds the least delivery up': [[beside(least - 1n, PART), 'processing', beside(least, PART), 'success']],
  'is refunded when all came back and nothing was delivered': [
    ({ a }) => a.says('success', { txHash: NO_HASH, refundTx: a.giveBack() }),
    { state: 'refunded', txHash: hashOf(2) },
  ],
  'of two swaps: one refund lowers the least delivery of one': [
    [given({ orders: [{}, {}] }), beside(LEAST / 2n, HALF), 'success'],
    [({ b }) => b.says('success', { txHash: b.deliver(LEAST / 2n), refundTx: hashOf(4) }), all('success', 'processing')],
  ],
})
const fakes = (height: number, length = 1_001) => Array.from({ length }, (_none, index) => logAt(height, index + 1, 2n ** 255n))
/** What an endpoint answers instead of the logs of a range. */
const LIES: { readonly [lie: string]: ReturnType<typeof searchBench>['lies'][string] } = {
  'no logs and a newest block that is not there yet': () => [],
  '1,001 large payments that never were, in its newest blocks': (logs, { to }) => (to % 1_800 > 1_700 ? fakes(to) : logs),
  '110 large payments that never were, in each range': (logs, { to }) => [...logs, ...fakes(to, 110)],
  'errors for some ranges': (logs, { from }) => (from % 3 === 0 ? resets : logs),
}

/** Follows a swap whose refund came six hours ago, or never. */
const followed = async (lie: string, liar: string, isRefunded = true) => {
  const real = searchBench({ chainId: 1, blockMs: 12_000, logBlocks: { a: 100, b: 100, c: 100 } })
  const { head, clock, paid, lies, wrong } = real
  if (LIES[lie]) lies[liar] = LIES[lie]
  if (lie.includes('newest block that')) wrong.latest[liar] = 10
  const ofChain = { since: clock.at - 6 * HOUR_MS, least: 1n }
  const { a, chain, pass } = await openScene({ kind: 'DEPOSIT', change: { caller: { partnerId: 'p' } } })
  const { search } = chain
  chain.search = (query, signal) =>
    query.recipient === payee ? real.evidence.search({ ...query, ...ofChain }, signal) : search(query, signal)
  chain.searchByTwo = (query, signal) => real.evidence.searchByTwo({ ...query, ...ofChain }, signal)
  const height = head() - 1_500
  if (isRefunded) {
    paid.add(height)
    a.giveBack(PAID_IN, { hash: idOf(1, blockHashOf(height)) })
  }
  a.says('refunded')
  let minutes = 0
  for (; minutes < 30 && (await a.told()).state !== 'refunded'; minutes += 1) {
    pass(MINUTE_MS)
    real.pass(MINUTE_MS)
  }
  return { minutes, reads: chain.reads.filter(({ method }) => method === 'transaction').length - minutes }
}

it.each(Object.keys(LIES).flatMap((lie) => ['a', 'b', 'c'].map((liar) => [lie, liar] as const)))(
  'refund: is found within minutes when one of three endpoints answers %s: %s [refund-not-hidden]',
  async (lie, liar) => {
    expect((await followed(lie, liar)).minutes).toBeLessThan(5)
  },
)

it('refund: a status reads few of the many payments that one endpoint alone names', async () => {
  const { minutes, reads } = await followed('110 large payments that never were, in each range', 'b', false)
  expect(minutes).toBe(30)
  expect(reads).toBeLessThan(200)
})
