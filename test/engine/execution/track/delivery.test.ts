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
import { openScene, type Scene, type Step, scenes } from './scenes.ts'

const MINUTE_MS = 60_000
const OPEN = { state: 'processing', venueStatus: 'TOY_SUCCESS', deliveredAmount: null, txHash: null, rows: 'input' } as const
const readsNothing = ({ chain }: Scene) => expect(chain.reads.filter(({ chainId }) => chainId === 42161)).toEqual([])
/** The venue reports success by a delivery that the chain shows so. */
const claims =
  (amount = LEAST, wish: Partial<SeenTransaction> = {}) =>
  ({ a }: Scene) =>
    a.says('success', a.deliver(amount, wish))
const to = (chainId: 42161 | -1 | -2, recipient = WALLETS.evm) =>
  [{ to: [chainId, nativeAsset(chainId).address], recipient }] as const
const moves = (...movements: SeenTransaction['movements']) => ({ movements })
const { usdcArbitrum: USDC } = TOKENS

describe('a reported delivery [status-success-needs-delivery]', () => {
  scenes('DEPOSIT')({
    'delivery: reports success with the amount seen when the recipient received the minimum [status-delivered-not-above-seen]': [
      [
        ({ a }) => a.says('success', done(a.deliver(), LEAST + 7n)),
        {
          state: 'success',
          deliveredAmount: LEAST,
          txHash: hashOf(2),
          rows: `input ${PAID_IN}, output ${LEAST}`,
          kept: { status: { state: 'success' }, endedAt: START_AT },
        },
      ],
    ],
    'delivery: reports the amount of the venue when more was seen': [
      [({ a }) => a.says('success', done(a.deliver(LEAST + 50n), LEAST + 9n)), { deliveredAmount: LEAST + 9n }],
    ],
    'delivery: reports the amount seen when the venue reports none': [[claims(LEAST + 50n), { deliveredAmount: LEAST + 50n }]],
    'delivery: stays open with a unit less, another recipient, token or chain, or a failed or missing transaction': [
      [claims(LEAST - 1n), OPEN],
      [claims(0n, moves()), OPEN],
      [claims(0n, moves(movement(USDC, OTHER, LEAST))), OPEN],
      [claims(0n, moves(movement(nativeAsset(42161), WALLETS.evm, LEAST))), OPEN],
      [claims(LEAST, { chainId: 10 }), OPEN],
      [claims(LEAST, { isSuccess: false }), OPEN],
      [({ a }) => a.says('success', NO_HASH), OPEN],
    ],
    'delivery: stays open without a read when the venue names no transaction id of the chain': [
      ...[null, 'garbage', '', '0x12', `0x${'zz'.repeat(32)}`, 'd0'.repeat(32), '5'.repeat(87)].map(
        (txHash): Step => [({ a }) => a.says('success', { ...done(NO_HASH), txHash }), OPEN],
      ),
      [readsNothing],
    ],
    'delivery: stays open without a read when the venue itself reports less than the minimum': [
      [({ a }) => a.says('success', done(a.deliver(), LEAST - 1n)), { state: 'processing', venueStatus: 'TOY_SUCCESS' }],
      [readsNothing],
    ],
    'delivery: reads no payout while the venue reports no end': [
      ...(['processing', 'not_found', 'unknown'] as const).map(
        (state): Step => [({ a }) => a.says(state, a.deliver()), 'processing'],
      ),
      [readsNothing],
    ],
    'delivery: needs a transaction that is at most five minutes older than the swap': [
      [claims(LEAST, { at: START_AT - 6 * MINUTE_MS }), 'processing'],
      [claims(LEAST, { at: START_AT - 4 * MINUTE_MS }), 'success'],
    ],
    'delivery: accepts a transaction whose node shows no time': [[claims(LEAST, { at: null }), 'success']],
    'delivery: reports an unconfirmed transaction as open, with its hash, until it is confirmed': [
      [claims(LEAST, { standing: 'fresh' }), { ...OPEN, txHash: hashOf(2), kept: { endedAt: null } }],
      [({ a }) => a.deliver(LEAST, { hash: hashOf(2) }), 'success'],
    ],
  })
  for (const [chainId, recipient] of [
    [-1, WALLETS.bitcoin],
    [-2, WALLETS.solana],
  ] as const) {
    const mined = (number: number, minutes: number) =>
      claims(LEAST, { hash: hashOf(number, chainId), at: START_AT - minutes * MINUTE_MS })
    scenes('DEPOSIT', { orders: to(chainId, recipient) })({
      [`delivery: accepts block times two hours off on chain ${chainId}`]: [
        [mined(901, 121), 'processing'],
        [mined(902, 119), 'success'],
      ],
    })
  }
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
    ['creates a contract for the recipient', { call: { ...sent, to: null } }, 'success'],
    ['is a call of a contract by the recipient', { call: own }, 'success'],
    ['has a log with the recipient in a topic', logged(`0x${word}`), 'success'],
    ['has a log with the recipient in its data', logged(`0x${'ab'.repeat(32)}`, `0x${'00'.repeat(32)}${word}`), 'success'],
    ['calls no contract', { call: { ...sent, to: PLAIN } }, 'processing'],
    ['is sent by the recipient to no contract', { call: { ...own, to: PLAIN } }, 'processing'],
    ['names another account', { call: sendsOn(PLAIN, 77).call }, 'processing'],
    ['has the digits of the recipient at no whole byte', { call: { ...sent, data: `0x7${word.slice(24)}0` } }, 'processing'],
    ['has no call that the node shows', {}, 'processing'],
  ]
  const gained =
    (amount = LEAST) =>
    ({ chain }: Scene) =>
      chain.gain(COINS, amount)
  scenes('DEPOSIT', { orders: to(42161) })({
    'delivery: counts coins that are the value of the transaction': [[claims(), 'success']],
    ...Object.fromEntries(
      CASES.map(([what, wish, told]) => [
        `delivery: reports ${told} for coins that the balance of the block shows and a transaction that ${what}`,
        [[gained()], [claims(0n, { movements: [], height: 77, ...wish }), told]] as Step[],
      ]),
    ),
    'delivery: stays open for coins while no node shows whether the callee is a contract': [
      [({ chain }) => Object.assign(chain, { isUnreadable: ({ method }: { method: string }) => method === 'hasCode' })],
      [gained()],
      [claims(0n, sendsOn(WALLETS.evm, 77)), 'processing'],
      [({ chain }) => Object.assign(chain, { isUnreadable: () => false }), 'success'],
    ],
  })
  // A contract that emits its event whether or not the recipient accepted the coins.
  const outputs: SwapEvents['outputs'] = async () => [{ place: 'log:0', amount: LEAST, isToBeSeen: true }]
  scenes('TRANSACTION', { orders: to(42161), events: { ...TOY_EVENTS, inputs: async () => null, outputs } })({
    'delivery: needs the balance to confirm coins that an event alone names, and the node to have that balance': [
      [claims(LEAST, sendsOn(WALLETS.evm, 77)), 'processing'],
      [gained(LEAST - 1n), 'processing'],
      [({ chain }) => Object.assign(chain, { stateSince: 78 })],
      [gained(LEAST + 1n), 'processing'],
      [({ chain }) => Object.assign(chain, { stateSince: 77 }), 'success'],
    ],
    'delivery: accepts an event of coins when the balance gained exactly as much': [
      [gained()],
      [claims(LEAST, sendsOn(WALLETS.evm, 77)), 'success'],
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
  scenes('SIGNATURE', { isUnpaid: true })({
    'delivery: ends a signed order only after its signature was posted': [
      [claims(), 'processing'],
      [({ a, store }) => store.swaps.setPosting(a.id), 'success'],
    ],
  })

  it('delivery: needs an input of its own for each of two equal signed orders', async () => {
    const places: string[] = []
    const { a, b } = await openScene('SIGNATURE', { events: taking(places), orders: [{}, {}] })
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

  it('delivery: stays open while the contract shows that the signed order is unfilled', async () => {
    let isUnfilled = true
    const { a } = await openScene('SIGNATURE', { unfilled: { isUnfilled: async () => isUnfilled } })
    a.says('success', a.deliver())
    expect((await a.told()).state).toBe('processing')
    isUnfilled = false
    expect((await a.told()).state).toBe('success')
  })

  scenes('SIGNATURE', { events: taking(['log:7']) })({
    'delivery: records the input that a signed order took with it, and drops both when a reorganization removes them': [
      [claims(LEAST, { standing: 'fresh' }), { state: 'processing', rows: '' }],
      [({ a }) => a.deliver(LEAST, { hash: hashOf(1) }), { state: 'success', rows: `input ${PAID_IN}, output ${LEAST}` }],
      [({ chain }) => chain.remove(hashOf(1)), 'processing'],
      [
        claims(),
        {
          state: 'success',
          rows: `input ${PAID_IN}, output ${LEAST}`,
          payments: [{ txHash: hashOf(3) }, { txHash: hashOf(3) }],
        },
      ],
    ],
  })
})
