import { describe, expect, it } from 'vitest'
import type { SeenTransaction } from '../../../../engine/chains/seen.ts'
import { nativeAsset } from '../../../../engine/core/asset.ts'
import type { Hex } from '../../../../engine/core/execution.ts'
import type { SwapEvents } from '../../../../engine/venues/venue.ts'
import { WALLETS } from '../../../support/anOrder.ts'
import { TOKENS } from '../../../support/fakeChains.ts'
import { hashOf, movement } from '../../../support/fakeEvidence.ts'
import { addressFor } from '../../../support/fakeVenue.ts'
import { done, LEAST, NO_HASH, OTHER, PAID_IN, sendsOn } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import { TOY_EVENTS } from '../../../support/toyEvents.ts'
import { A, chainHas, each, isReadable, isUnreadable, openScene, removes, type Scene, type Story, scenes } from './scenes.ts'

const MINUTE_MS = 60_000
const OPEN = { state: 'processing', venueStatus: 'TOY_SUCCESS', deliveredAmount: null, txHash: null, rows: 'input' } as const
const readsNothing = ({ chain }: Scene) => expect(chain.reads.filter(({ chainId }) => chainId === 42161)).toEqual([])
const to = (chainId: 42161 | -1 | -2, recipient = WALLETS.evm) =>
  [{ to: [chainId, nativeAsset(chainId).address], recipient }] as const
const moves = (...movements: SeenTransaction['movements']) => ({ movements })
const { usdcArbitrum: USDC } = TOKENS

describe('a reported delivery [status-success-needs-delivery]', () => {
  scenes('delivery', { kind: 'DEPOSIT' })({
    'reports success with the amount seen when the recipient received the minimum [status-success-needs-delivery]': [
      A.says('success', { txHash: A.deliver(), deliveredAmount: LEAST + 7n }),
      { state: 'success', deliveredAmount: LEAST, txHash: hashOf(2), rows: `input ${PAID_IN}, output ${LEAST}` },
      { state: 'success', kept: { status: { state: 'success' }, endedAt: START_AT } },
    ],
    'stays open with a unit less, another recipient, token or chain, or a failed or missing transaction': [
      [A.succeeds(LEAST - 1n), OPEN, A.succeeds(0n, moves()), OPEN, A.succeeds(0n, moves(movement(USDC, OTHER, LEAST))), OPEN],
      [A.succeeds(0n, moves(movement(nativeAsset(42161), WALLETS.evm, LEAST))), OPEN, A.succeeds(LEAST, { chainId: 10 }), OPEN],
      [A.succeeds(LEAST, { isSuccess: false }), OPEN, A.says('success', NO_HASH), OPEN],
    ],
    'stays open without a read when the venue names no transaction id of the chain': [
      ...[null, 'garbage', 'd0'.repeat(32), '5'.repeat(87)].map(
        (txHash): Story => [A.says('success', { ...done(NO_HASH), txHash }), OPEN],
      ),
      readsNothing,
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
  })
  const mined = (number: number, minutes: number) =>
    A.succeeds(LEAST, { hash: hashOf(number, -1), at: START_AT - minutes * MINUTE_MS })
  scenes('delivery', { kind: 'DEPOSIT', orders: to(-1, WALLETS.bitcoin) })({
    'accepts block times two hours off on Bitcoin': [mined(901, 121), 'processing', mined(902, 119), 'success'],
  })
})

describe('a delivery in coins', () => {
  const COINS = { chainId: 42161, height: 77, recipient: WALLETS.evm } as const
  const PLAIN = addressFor('evm', 'plain')
  const sent = sendsOn(WALLETS.evm, 77).call
  const logged = (topic: Hex, data: Hex = '0x') => ({
    call: { ...sent, data: '0x70a70a70' as const },
    logs: [{ index: 0, address: PLAIN.toLowerCase() as Hex, topics: [topic], data }],
  })
  const word = WALLETS.evm.slice(2).toLowerCase().padStart(64, '0')
  const own = { ...sent, from: WALLETS.evm, data: '0x' as const }
  const CASES: readonly (readonly [what: string, wish: Partial<SeenTransaction>, told: 'success' | 'processing'])[] = [
    ['calls a contract for the recipient', { call: sent }, 'success'],
    ['is a call of a contract by the recipient', { call: own }, 'success'],
    ['has a log with the recipient in a topic', logged(`0x${word}`), 'success'],
    ['has a log with the recipient in its data', logged(`0x${'ab'.repeat(32)}`, `0x${'00'.repeat(32)}${word}`), 'success'],
    ['calls no contract', { call: { ...sent, to: PLAIN } }, 'processing'],
    ['names another account', { call: sendsOn(PLAIN, 77).call }, 'processing'],
    ['has the digits of the recipient at no whole byte', { call: { ...sent, data: `0x7${word.slice(24)}0` } }, 'processing'],
    ['has no call that the node shows', {}, 'processing'],
  ]
  const gained = (amount = LEAST): Story => [({ chain }) => chain.gain(COINS, amount)]
  scenes('delivery', { kind: 'DEPOSIT', orders: to(42161) })({
    'counts coins that are the value of the transaction': [A.succeeds(), 'success'],
    ...each(CASES, ([what, wish, told]) => [
      `reports ${told} for coins that the balance of the block shows and a transaction that ${what}`,
      [gained(), A.succeeds(0n, { movements: [], height: 77, ...wish }), told],
    ]),
    'stays open for coins while no node shows whether the callee is a contract': [
      [isUnreadable(({ method }) => method === 'hasCode'), gained()],
      [A.succeeds(0n, sendsOn(WALLETS.evm, 77)), 'processing', isReadable, 'success'],
    ],
  })
  // A contract that emits its event whether or not the recipient accepted the coins.
  const outputs: SwapEvents['outputs'] = async () => [{ place: 'log:0', amount: LEAST, isToBeSeen: true }]
  scenes('delivery', { kind: 'TRANSACTION', orders: to(42161), events: { ...TOY_EVENTS, inputs: async () => null, outputs } })({
    'needs the balance to confirm coins that an event alone names, and the node to have that balance': [
      [A.succeeds(LEAST, sendsOn(WALLETS.evm, 77)), 'processing', gained(LEAST - 1n), 'processing'],
      [chainHas({ stateSince: 78 }), gained(), 'processing', chainHas({ stateSince: 77 }), 'success'],
    ],
  })
})

describe('the delivery of a signed order', () => {
  const took = { token: TOKENS.usdcEthereum.address, amount: PAID_IN }
  /** The contract takes an input at each place. */
  const taking = (places: readonly string[]): SwapEvents => ({
    inputs: async () => places.map((place) => ({ place, orderId: null, took })),
    outputs: async () => null,
    refunds: async () => null,
    named: async () => [],
  })
  scenes('delivery', { kind: 'SIGNATURE', isUnpaid: true })({
    'ends a signed order only after its signature was posted': [
      [A.succeeds(), 'processing', ({ a, store }) => store.swaps.setPosting(a.id), 'success'],
    ],
  })

  it('delivery: needs an input of its own for each of two equal signed orders', async () => {
    const places: string[] = []
    const { a, b } = await openScene({ kind: 'SIGNATURE', events: taking(places), orders: [{}, {}] })
    const twice = ['log:8', 'log:9'].map((place) => movement(USDC, WALLETS.evm, LEAST, { place }))
    const txHash = a.deliver(LEAST, { movements: twice })
    for (const swap of [a, b]) swap.says('success', txHash)
    const told = async () => [(await a.told()).state, (await b.told()).state]
    expect((await a.told()).state).toBe('processing')
    places.push('log:7')
    expect(await told()).toEqual(['success', 'processing'])
    places.unshift('log:6')
    expect(await told()).toEqual(['success', 'success'])
  })

  let isUnfilled = true
  scenes('delivery', { kind: 'SIGNATURE', unfilled: { isUnfilled: async () => isUnfilled } })({
    'stays open while the contract shows that the signed order is unfilled': [
      [A.succeeds(), 'processing', () => (isUnfilled = false), 'success'],
    ],
  })

  scenes('delivery', { kind: 'SIGNATURE', events: taking(['log:7']) })({
    'records the input that a signed order took with it, and drops both when a reorganization removes them': [
      [A.succeeds(LEAST, { standing: 'fresh' }), { state: 'processing', rows: '' }],
      [A.deliver(LEAST, { hash: hashOf(1) }), { state: 'success', rows: `input ${PAID_IN}, output ${LEAST}` }],
      [removes(1), 'processing'],
      [
        A.succeeds(),
        {
          state: 'success',
          rows: `input ${PAID_IN}, output ${LEAST}`,
          payments: [{ txHash: hashOf(3) }, { txHash: hashOf(3) }],
        },
      ],
    ],
  })
})
