import { describe, expect, it } from 'vitest'
import type { SeenInstruction, SeenTransaction } from '../../../../engine/chains/seen.ts'
import { decodeSolanaTransaction } from '../../../../engine/chains/solana/solanaCodec.ts'
import type { Address } from '../../../../engine/core/address.ts'
import { nativeAsset } from '../../../../engine/core/asset.ts'
import type { Hex } from '../../../../engine/core/execution.ts'
import { wordless } from '../../../../engine/core/swapStatus.ts'
import { WALLETS } from '../../../support/anOrder.ts'
import { pair, TOKENS } from '../../../support/fakeChains.ts'
import { hashOf, movement } from '../../../support/fakeEvidence.ts'
import { addressFor, TOY_CONTRACT } from '../../../support/fakeVenue.ts'
import { callOf, done, LEAST, NO_HASH, OTHER, PAID_IN } from '../../../support/moneyBench.ts'
import { START_AT } from '../../../support/testEngine.ts'
import { TOY_EVENTS } from '../../../support/toyEvents.ts'
import { A, all, isOver, openScene, passes, type Scene, type Story, type Swap, scenes } from './scenes.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const STRANGER = addressFor('evm', 'stranger')
const BUNDLER = addressFor('evm', 'bundler')
const [USDC, USDT, COINS] = [TOKENS.usdcEthereum, TOKENS.usdtEthereum, nativeAsset(1)]
const IN_COINS = { isUnpaid: true, orders: [{ from: pair(COINS) }] } as const

const bare = (hex: string): string => hex.slice(2).toLowerCase()
/** The calldata of a contract wallet or bundler, which contains each target and call as they are. */
const bundled = (...swaps: readonly Swap[]): Hex => {
  const calls = swaps.map(callOf).map(({ to, data }) => `${bare(to).padStart(64, '0')}${'00'.repeat(32)}${bare(data)}`)
  return `0x6a761202${calls.join('ff'.repeat(32))}`
}
const left = (from: Address, place = 'log:0', amount = PAID_IN) => movement(USDC, TOY_CONTRACT, amount, { from, place })
/** A transaction of a bundler that carries the calls of swaps, each of which pays. */
const carried = (swaps: readonly Swap[], wish: Partial<SeenTransaction> = {}): Partial<SeenTransaction> => ({
  call: { from: BUNDLER, to: addressFor('evm', 'entry point'), data: bundled(...swaps), value: 0n },
  movements: swaps.map((_swap, at) => left(WALLETS.evm, `log:${at}`)),
  ...wish,
})
const callOfWallet = (swap: Swap, change = {}) => {
  const { to, data } = callOf(swap)
  return { from: WALLETS.evm, to, data: data as Hex, value: 0n, ...change }
}
/** Pays, and asks by that transaction from here on. */
const pays =
  (wish: (scene: Scene) => Partial<SeenTransaction> = () => ({})) =>
  (scene: Scene) =>
    Object.assign(scene.a, { ref: scene.a.pay(PAID_IN, wish(scene)) })
const isContract = ({ chain }: Scene, wallet: Address = WALLETS.evm) => chain.withCode.add(wallet)
const OPEN = { status: { state: 'pending' }, endedAt: null, ref: null } as const

describe('a quote that was never executed [status-foreign-ref-not-found]', () => {
  it('recognition: a TRANSACTION quote is not_found without a venue call, whatever chain and venue show', async () => {
    const { a, quote, status, venue } = await openScene({ kind: 'TRANSACTION' })
    a.says('success', done(a.deliver()))
    expect(await status({ quoteToken: await quote(), ref: a.ref })).toMatchObject(wordless('not_found'))
    expect(venue.calls.track).toEqual([])
    expect((await a.told()).state).toBe('success')
  })

  it('recognition: a DEPOSIT quote is not_found for the address of another swap, and never ends for any other', async () => {
    const { a, quote, says, status, stateOf, venue } = await openScene({ kind: 'DEPOSIT' })
    const quoteToken = await quote()
    expect(await status({ quoteToken, ref: a.ref })).toMatchObject(wordless('not_found'))
    expect(venue.calls.track).toEqual([])
    for (const state of ['success', 'refunded', 'failed'] as const) {
      says(state, done(a.deliver()))
      expect(await stateOf({ quoteToken, ref: STRANGER })).toBe('processing')
    }
  })
})

describe('a transaction that a caller names', () => {
  const none = { state: 'not_found', rows: '' } as const
  const theirs = ({ a }: Scene) => ({ call: callOfWallet(a, { from: STRANGER }), movements: [left(STRANGER)] })
  const similar = (at: number) => () => ({
    call: { from: STRANGER, to: TOY_CONTRACT, data: '0x70a70a70ffff' as const, value: 0n },
    movements: [left(STRANGER)],
    at,
  })
  scenes('recognition', { kind: 'TRANSACTION', isUnpaid: true })({
    'an equal payment of a stranger is not_found, and the real payment stays with its swap': [
      [A.succeeds(), pays(similar(START_AT)), none, pays(similar(START_AT - 3 * DAY_MS)), none],
      [({ venue }) => expect(venue.calls.track).toEqual([]), pays(), 'success'],
    ],
    'the returned call is no payment with other calldata, contract, value, amount or payer': [
      [pays(theirs), none, pays(({ a }) => ({ call: callOfWallet(a, { data: `${callOf(a).data}00` }) })), none],
      [pays(({ a }) => ({ call: callOfWallet(a, { to: STRANGER }) })), none],
      [pays(({ a }) => ({ call: callOfWallet(a, { to: null }) })), none],
      [pays(({ a }) => ({ call: callOfWallet(a, { value: 1n }) })), none],
      [pays(() => ({ movements: [left(WALLETS.evm, 'log:0', PAID_IN - 1n)] })), none],
      [pays(() => ({ movements: [left(WALLETS.evm, 'log:0', PAID_IN + 1n)] })), none],
    ],
    'the returned call is no payment when it is over five minutes older than the execution': [
      [pays(() => ({ at: START_AT - 6 * MINUTE_MS })), none],
      [pays(() => ({ at: START_AT - 4 * MINUTE_MS })), { state: 'processing', rows: `input ${PAID_IN}` }],
    ],
    'the returned call is the payment, and the swap goes by its hash': [
      pays(),
      {
        state: 'processing',
        kept: { ref: hashOf(1), status: { state: 'processing' } },
        payments: [{ kind: 'input', amount: PAID_IN, txHash: hashOf(1), place: `${hashOf(1)}/log:0` }],
      },
    ],
  })
  scenes('recognition', { kind: 'TRANSACTION', ...IN_COINS })({
    'the value of the returned call is the payment in coins': [
      [pays(), { state: 'processing', payments: [{ place: `${hashOf(1)}/value`, amount: PAID_IN }] }],
    ],
  })

  it('recognition: the returned instruction is the payment on Solana, wherever it ran, with exactly its accounts', async () => {
    const orders = [{ from: pair(TOKENS.usdcSolana), recipient: WALLETS.evm }]
    const { a } = await openScene({ kind: 'TRANSACTION', isUnpaid: true, orders })
    const [wanted] = (await decodeSolanaTransaction(callOf(a).serialized ?? ''))?.instructions ?? []
    if (!wanted) throw new Error('no instruction')
    const accounts = wanted.accounts.map((account) => account ?? WALLETS.solana)
    const ran: SeenInstruction = { index: 3, program: wanted.programId, accounts, data: wanted.data }
    const other = addressFor('solana', 'other')
    for (const [number, change, state, isSuccess = true] of [
      [1, { data: Uint8Array.of(1) }, 'not_found'],
      [2, { accounts: [other] }, 'not_found'],
      [3, { accounts: [...accounts, other] }, 'not_found'],
      [4, { program: other }, 'not_found'],
      [5, {}, 'failed', false],
      [6, {}, 'processing'],
    ] as const) {
      const instructions = [{ ...ran, ...change }]
      const hash = hashOf(number, -2)
      expect((await a.told(a.pay(PAID_IN, { hash, call: null, movements: [], instructions, isSuccess }))).state).toBe(state)
      if (state !== 'processing') expect(await a.kept()).toMatchObject({ endedAt: null, status: { state: 'pending' } })
    }
    expect((await a.told(hashOf(6, -2))).payments).toMatchObject([{ place: `${hashOf(6, -2)}/instruction:3` }])
  })
})

describe('a call inside another transaction [status-contract-wallet-paid]', () => {
  const own = ({ a }: Scene) => carried([a])
  const toItself = ({ a }: Scene) => carried([a], { call: { from: WALLETS.evm, to: WALLETS.evm, data: bundled(a), value: 0n } })
  const along = movement(COINS, BUNDLER, PAID_IN, { from: WALLETS.evm, place: 'value' })
  const cut = (cutting: (to: string, data: string) => string) =>
    pays(({ a }) => {
      const { to, data } = callOf(a)
      return carried([a], { call: { from: BUNDLER, to: BUNDLER, data: `0x${cutting(bare(to), bare(data))}`, value: 0n } })
    })
  scenes('recognition', { kind: 'TRANSACTION', isUnpaid: true })({
    'a bundled call has failed for a wallet without code': [pays(own), { state: 'failed', rows: '' }],
    'a bundled call pays for a contract wallet': [[isContract, pays(own), { state: 'processing', rows: `input ${PAID_IN}` }]],
    'a call of a wallet to itself pays for a wallet that delegates to code': [[isContract, pays(toItself), 'processing']],
    'a bundled call that failed has failed for its ref, and another can still pay': [
      [isContract, pays(({ a }) => carried([a], { movements: [] })), { state: 'failed', kept: OPEN }, pays(own), 'processing'],
    ],
    'a bundled call counts only at whole bytes, whole, and beside its target': [
      [isContract, cut((to, data) => `0${to}${data}0`), 'not_found', cut((_to, data) => data), 'not_found'],
      [cut((to, data) => `${to}${data.slice(0, -2)}`), 'not_found'],
    ],
  })
  scenes('recognition', { kind: 'TRANSACTION', ...IN_COINS, events: TOY_EVENTS })({
    'a bundled call in coins has failed when the event of its contract is missing': [
      [isContract, pays(({ a }) => carried([a], { movements: [] })), 'failed'],
    ],
  })
  scenes('recognition', { kind: 'TRANSACTION', ...IN_COINS })({
    'a bundled call in coins leaves no trace, and ends nothing': [
      [isContract, pays(({ a }) => carried([a], { movements: [along] })), passes(DAY_MS / 2), 'pending'],
      [
        ...(['failed', 'refunded', 'success'] as const).map(
          (state): Story => [
            ({ a }) => a.says(state, done(a.deliver())),
            { state: state === 'success' ? 'processing' : 'pending', kept: { endedAt: null } },
          ],
        ),
      ],
    ],
  })
  const payAll = ({ swaps }: Scene, wish: Partial<SeenTransaction> = {}) => {
    const ref = swaps[0]?.pay(PAID_IN, carried(swaps, wish))
    for (const swap of swaps) Object.assign(swap, { ref })
  }
  const at = (place: string) => ({ state: 'processing', payments: [{ place: `${hashOf(1)}/${place}` }] }) as const
  scenes('recognition', { kind: 'TRANSACTION', isUnpaid: true, orders: [{}, { sender: STRANGER, recipient: STRANGER }] })({
    'each sender in one bundle has its own payment': [
      [(on) => [isContract(on), isContract(on, STRANGER)]],
      [(on) => payAll(on, { movements: [left(STRANGER), left(WALLETS.evm, 'log:1')] }), all(at('log:1'), at('log:0'))],
    ],
  })
  scenes('recognition', { kind: 'TRANSACTION', isUnpaid: true, orders: [{}, { recipient: OTHER }] })({
    'each of two calls of one wallet in a bundle has a payment of its own': [isContract, payAll, all(at('log:0'), at('log:1'))],
    'two calls in a bundle that took money once paid one swap': [
      [isContract, (on) => payAll(on, { movements: [left(WALLETS.evm)] }), all('processing', 'not_found')],
    ],
  })
})

describe('a thief who executes with the recipient of a victim', () => {
  /** The victim pays and is delivered; both swaps are asked about by that payment. */
  const delivered = ({ a, b }: Scene) => {
    Object.assign(a, { ref: b.pay() })
    b.deliver()
    for (const swap of [a, b]) swap.says('success', hashOf(2))
  }
  const nothing = { state: 'not_found', rows: '' } as const
  scenes('recognition', { kind: 'TRANSACTION', isUnpaid: true, orders: [{ sender: STRANGER, recipient: WALLETS.evm }, {}] })({
    'a thief who asks first has no part of the payment of the victim': [delivered, all(nothing, 'success')],
  })
  scenes('recognition', { kind: 'TRANSACTION', isUnpaid: true })({
    'a thief who executes in the name of the victim has no part of it, since the payloads differ': [
      [async ({ pass, add }) => [pass(1), await add()], delivered, all(nothing, 'success')],
    ],
  })
})

describe('a swap of one transaction [status-single-transaction]', () => {
  const taken = movement(USDC, TOY_CONTRACT, PAID_IN, { from: WALLETS.evm, place: 'log:0' })
  const got = (amount = LEAST, place = 'log:1', recipient = WALLETS.evm) =>
    movement(USDT, recipient, amount, { from: TOY_CONTRACT, place })
  const order = { from: pair(USDC), to: pair(USDT) }
  const makes = (...movements: SeenTransaction['movements']) => pays(() => ({ movements }))
  const success = { state: 'success', txHash: hashOf(1), deliveredAmount: LEAST, isTracked: true } as const
  const isNotAsked: Story = [({ venue }) => expect(venue.calls.track).toEqual([])]
  scenes('single transaction', { kind: 'TRANSACTION', isUnpaid: true, orders: [order] })({
    'ends in success without a venue call': [makes(taken, got()), success, isNotAsked],
  })
  scenes('single transaction', { kind: 'TRANSACTION', isUnpaid: true, orders: [order], tracker: null })({
    'is tracked without a tracker, and pending until its transaction is there': [
      [{ ref: NO_HASH, state: 'pending', isTracked: true }, makes(taken, got()), success],
    ],
    'is no success when the recipient received less': [makes(taken, got(LEAST - 1n)), 'processing'],
    'is no success when another account received the output': [makes(taken, got(LEAST, 'log:1', TOY_CONTRACT)), 'processing'],
    'is no success when nothing was paid': [makes(taken), 'processing'],
    'a reverted transaction has failed for its ref, and ends the swap after the deadline': [
      [pays(() => ({ isSuccess: false })), { state: 'failed', kept: OPEN }],
      [isOver, { state: 'failed', kept: { status: { state: 'failed' } } }],
    ],
    'a revert in an unconfirmed block leaves the swap pending': [
      [pays(() => ({ isSuccess: false, standing: 'fresh' })), 'pending'],
      [A.pay(PAID_IN, { hash: hashOf(1), isSuccess: false }), 'failed'],
    ],
  })
  scenes('single transaction', { kind: 'TRANSACTION', isUnpaid: true, orders: [order, order, order], tracker: null })({
    'two payouts of one transaction end two swaps, and no third': [
      ({ a, b, c }) => {
        const movements = [taken, got(), { ...taken, place: 'log:2' }, got(LEAST, 'log:3')]
        const ref = a.pay(PAID_IN, { movements })
        Object.assign(b, { ref })
        Object.assign(c, { ref })
      },
      all('success', 'success', 'not_found'),
    ],
  })
})
