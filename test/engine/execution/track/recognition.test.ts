import { expect, it } from 'vitest'
import type { SeenCall, SeenInstruction, SeenTransaction } from '../../../../engine/chains/seen.ts'
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
import { A, all, given, openScene, passes, type Scene, type Story, type Swap, scenes, swapOf } from './scenes.ts'

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
/** Pays, and asks by that transaction from here on. */
const pays =
  (wish: (scene: Scene) => Partial<SeenTransaction> = () => ({})) =>
  (scene: Scene) =>
    Object.assign(scene.a, { ref: scene.a.pay(PAID_IN, wish(scene)) })
const isContract = ({ chain }: Scene, wallet: Address = WALLETS.evm) => chain.withCode.add(wallet)
/** One transaction that carries the calls of these swaps. All are asked about by it. */
const payAll = ({ a, swaps }: Scene, wish: Partial<SeenTransaction> = {}, calls: readonly Swap[] = swaps) => {
  const ref = a.pay(PAID_IN, carried(calls, wish))
  for (const swap of swaps) Object.assign(swap, { ref })
}
const none = { state: 'not_found', rows: '' } as const
const callsNoVenue: Story = [({ venue }) => expect(venue.calls.track).toEqual([])]

it('recognition: a TRANSACTION quote that was never executed is not_found, whatever chain and venue show [status-foreign-ref-not-found]', async () => {
  const { a, quote, status, venue } = await openScene({ kind: 'TRANSACTION' })
  a.says('success', done(a.deliver()))
  expect(await status({ quoteToken: await quote(), ref: a.ref })).toMatchObject(wordless('not_found'))
  expect(venue.calls.track).toEqual([])
  expect((await a.told()).state).toBe('success')
})

it('recognition: a DEPOSIT quote that was never executed is not_found for the address of another swap, and never ends for any other', async () => {
  const { a, quote, says, status, stateOf, venue } = await openScene({ kind: 'DEPOSIT' })
  const quoteToken = await quote()
  expect(await status({ quoteToken, ref: a.ref })).toMatchObject(wordless('not_found'))
  expect(venue.calls.track).toEqual([])
  for (const state of ['success', 'refunded', 'failed'] as const) {
    says(state, done(a.deliver()))
    expect(await stateOf({ quoteToken, ref: STRANGER })).toBe('processing')
  }
})

/** Pays by the returned call, except for this. */
const calls = (change: (data: Hex) => Partial<SeenCall>, wish: Partial<SeenTransaction> = {}) =>
  pays(({ a }) => {
    const { to, data } = callOf(a)
    return { call: { from: WALLETS.evm, to, data: data as Hex, value: 0n, ...change(data as Hex) }, ...wish }
  })
const similar = (at: number) => () => ({
  call: { from: STRANGER, to: TOY_CONTRACT, data: '0x70a70a70ffff' as const, value: 0n },
  movements: [left(STRANGER)],
  at,
})
scenes('recognition', { kind: 'TRANSACTION', isUnpaid: true })({
  'an equal payment of a stranger is not_found, and the real payment stays with its swap': [
    [A.succeeds(), pays(similar(START_AT)), none, pays(similar(START_AT - 3 * DAY_MS)), none, callsNoVenue, pays(), 'success'],
  ],
  'the returned call is no payment with other calldata, contract, value, amount or payer': [
    [calls(() => ({ from: STRANGER }), { movements: [left(STRANGER)] }), none, calls((data) => ({ data: `${data}00` })), none],
    [calls(() => ({ to: STRANGER })), none, calls(() => ({ to: null })), none, calls(() => ({ value: 1n })), none],
    [pays(() => ({ movements: [left(WALLETS.evm, 'log:0', PAID_IN - 1n)] })), none],
    [pays(() => ({ movements: [left(WALLETS.evm, 'log:0', PAID_IN + 1n)] })), none],
  ],
  'the returned call is the payment unless it is over five minutes older than the execution, and the swap goes by its hash': [
    [pays(() => ({ at: START_AT - 6 * MINUTE_MS })), none, pays(() => ({ at: START_AT - 4 * MINUTE_MS }))],
    [{ state: 'processing', rows: `input ${PAID_IN}`, kept: { ref: hashOf(2), status: { state: 'processing' } } }],
    [{ payments: [{ kind: 'input', amount: PAID_IN, txHash: hashOf(2), place: `${hashOf(2)}/log:0` }] }],
  ],
})
const along = movement(COINS, BUNDLER, PAID_IN, { from: WALLETS.evm, place: 'value' })
scenes('recognition', { kind: 'TRANSACTION', ...IN_COINS })({
  'the value of the returned call is the payment in coins': [
    [pays(), { state: 'processing', payments: [{ place: `${hashOf(1)}/value`, amount: PAID_IN }] }],
  ],
  'a bundled call in coins leaves no trace, and ends nothing': [
    [isContract, pays(({ a }) => carried([a], { movements: [along] })), passes(DAY_MS / 2), 'pending'],
    [({ a }) => a.says('failed', done(a.deliver())), { state: 'pending', kept: { endedAt: null } }],
    [A.refunds(), 'pending', A.succeeds(), { state: 'processing', kept: { endedAt: null } }],
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

const own = ({ a }: Scene) => carried([a])
const toItself = ({ a }: Scene) => carried([a], { call: { from: WALLETS.evm, to: WALLETS.evm, data: bundled(a), value: 0n } })
const cut = (cutting: (to: string, data: string) => string) =>
  pays(({ a }) => {
    const { to, data } = callOf(a)
    return carried([a], { call: { from: BUNDLER, to: BUNDLER, data: `0x${cutting(bare(to), bare(data))}`, value: 0n } })
  })
scenes('a bundled call', { kind: 'TRANSACTION', isUnpaid: true })({
  'has failed for a wallet without code': [pays(own), { state: 'failed', rows: '' }],
  'pays for a contract wallet [status-contract-wallet-paid]': [isContract, pays(own), { rows: `input ${PAID_IN}` }, 'processing'],
  'of a wallet to itself pays for a wallet that delegates to code': [[isContract, pays(toItself), 'processing']],
  'that failed has failed for its ref, and another can still pay': [
    [isContract, pays(({ a }) => carried([a], { movements: [] }))],
    [{ state: 'failed', kept: { status: { state: 'pending' }, endedAt: null, ref: null } }, pays(own), 'processing'],
  ],
  'counts only at whole bytes, whole, and beside its target': [
    [isContract, cut((to, data) => `0${to}${data}0`), 'not_found', cut((_to, data) => data), 'not_found'],
    [cut((to, data) => `${to}${data.slice(0, -2)}`), 'not_found'],
  ],
  'in coins has failed when the event of its contract is missing': [
    [given({ ...IN_COINS, events: TOY_EVENTS }), isContract, pays(({ a }) => carried([a], { movements: [] })), 'failed'],
  ],
})
const at = (place: string) => ({ state: 'processing', payments: [{ place: `${hashOf(1)}/${place}` }] }) as const
scenes('bundled calls', { kind: 'TRANSACTION', isUnpaid: true, orders: [{}, { recipient: OTHER }] })({
  'of two senders each have a payment': [
    [given({ orders: [{}, { sender: STRANGER, recipient: STRANGER }] }), (on) => [isContract(on), isContract(on, STRANGER)]],
    [(on) => payAll(on, { movements: [left(STRANGER), left(WALLETS.evm, 'log:1')] }), all(at('log:1'), at('log:0'))],
  ],
  'of one wallet each have a payment': [isContract, (on) => payAll(on), all(at('log:0'), at('log:1'))],
  'that took money once paid one swap': [
    [isContract, (on) => payAll(on, { movements: [left(WALLETS.evm)] }), all('processing', 'not_found')],
  ],
  'with the call of one swap twice are its input and extra, and no payment of another swap': [
    [isContract, (on) => [payAll(on, {}, [on.a, on.a, on.b]), on.says('processing')]],
    all({ state: 'processing', rows: 'input, extra' }, { rows: 'input' }),
  ],
})

/** Executes the quote of the first swap for another recipient, and pays both executions by one transaction. */
const payBoth = async (scene: Scene): Promise<void> => {
  const { engine, context, a, store } = scene
  const { quoteToken } = a
  await engine.execute({ quoteToken, destinationAddress: OTHER, refundAddress: null }, context)
  const record = (await store.kept()).at(-1)
  if (record === undefined) throw new Error('nothing was stored')
  scene.swaps.push(swapOf(scene, { quoteToken, ref: '', id: record.id, record }))
  isContract(scene)
  payAll(scene)
}
const recorded = { rows: 'input', kept: { ref: hashOf(1), status: { state: 'processing' } } } as const
const behind = (late: 'a' | 'b', early: 'a' | 'b'): Story => [
  [payBoth, (on) => [on[early].succeeds(), on[late].says('processing')], 'processing'],
  [async (on) => expect(await on[early].kept()).toMatchObject({ status: { state: 'success' } })],
  [(on) => on[late].succeeds(), all({ state: 'success', rows: 'input, output' }, { rows: 'input, output' })],
  [async ({ a }) => expect((await a.told()).payments).toHaveLength(4)],
]
scenes('one transaction that pays two executions of one quote', { kind: 'TRANSACTION', isUnpaid: true })({
  'is the payment of both, each of its own': [
    [payBoth, ({ says }) => says('processing'), all({ state: 'processing', ...recorded }, recorded)],
    [{ payments: [1, 1].map((number) => ({ kind: 'input', txHash: hashOf(number) })) }],
  ],
  'reports the first execution while it is behind': behind('a', 'b'),
  'reports the second execution while it is behind': behind('b', 'a'),
  'reports refunded when one of both was refunded': [
    [payBoth, ({ a, b }) => [a.succeeds(), b.refunds()], { state: 'refunded', txHash: hashOf(3) }],
  ],
})

/** The victim pays and is delivered; both swaps are asked about by that payment. */
const delivered = ({ a, b }: Scene) => {
  Object.assign(a, { ref: b.pay() })
  b.deliver()
  for (const swap of [a, b]) swap.says('success', hashOf(2))
}
scenes('a thief', { kind: 'TRANSACTION', isUnpaid: true })({
  'who executes with the recipient of the victim has no part of the payment': [
    [given({ orders: [{ sender: STRANGER, recipient: WALLETS.evm }, {}] }), delivered, all(none, 'success')],
  ],
  'who executes in the name of the victim has no part of the payment, since the payloads differ': [
    [async ({ pass, add }) => [pass(1), await add()], delivered, all(none, 'success')],
  ],
})

const taken = movement(USDC, TOY_CONTRACT, PAID_IN, { from: WALLETS.evm, place: 'log:0' })
const got = (amount = LEAST, place = 'log:1', recipient = WALLETS.evm) =>
  movement(USDT, recipient, amount, { from: TOY_CONTRACT, place })
const order = { from: pair(USDC), to: pair(USDT) }
const makes = (...movements: SeenTransaction['movements']) => pays(() => ({ movements }))
const success = { state: 'success', txHash: hashOf(1), deliveredAmount: LEAST, isTracked: true } as const
scenes('a swap of one transaction', { kind: 'TRANSACTION', isUnpaid: true, orders: [order] })({
  'ends in success without a venue call [status-single-transaction]': [makes(taken, got()), success, callsNoVenue],
})
scenes('a swap of one transaction', { kind: 'TRANSACTION', isUnpaid: true, orders: [order], tracker: null })({
  'is tracked without a tracker, and pending until its transaction is there': [
    [{ ref: NO_HASH, state: 'pending', isTracked: true }, makes(taken, got()), success],
  ],
  'is no success when nothing was paid, or less, or to another account': [
    [makes(taken), 'processing', makes(taken, got(LEAST - 1n)), 'processing'],
    [makes(taken, got(LEAST, 'log:1', TOY_CONTRACT)), 'processing'],
  ],
  'is pending after a revert in an unconfirmed block, and has failed once it is confirmed': [
    [pays(() => ({ isSuccess: false, standing: 'fresh' })), 'pending'],
    [A.pay(PAID_IN, { hash: hashOf(1), isSuccess: false }), 'failed'],
  ],
  'takes one of two payouts of a transaction, which end two swaps and no third': [
    given({ orders: [order, order, order] }),
    ({ a, swaps }) => {
      const ref = a.pay(PAID_IN, { movements: [taken, got(), { ...taken, place: 'log:2' }, got(LEAST, 'log:3')] })
      for (const swap of swaps) Object.assign(swap, { ref })
    },
    all('success', 'success', 'not_found'),
  ],
})
