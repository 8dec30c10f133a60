import { SystemInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { encodeFunctionData, erc20Abi, hashTypedData } from 'viem'
import { afterEach, expect, it, vi } from 'vitest'
import type { Address } from '../../../engine/core/address.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { Execution, SignaturePayload } from '../../../engine/core/execution.ts'
import type { ExecutionType } from '../../../engine/core/offer.ts'
import type { Order } from '../../../engine/core/order.ts'
import type { Proof } from '../../../engine/core/proof.ts'
import type { ErrorCode } from '../../../engine/errors.ts'
import { createVenuePlaces } from '../../../engine/execution/venuePlaces.ts'
import type { TrustRule } from '../../../engine/venues/venue.ts'
import { VenueError, type VenueErrorKind, type VenueErrorOptions } from '../../../engine/venues/venueError.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { chainFails, pair, TOKENS } from '../../support/fakeChains.ts'
import {
  createFakeVenue,
  declines,
  type FakeVenueOptions,
  fails,
  ignoresSignal,
  offers,
  statusOf,
  TOY_CONTRACT,
  type VenueScript,
} from '../../support/fakeVenue.ts'
import { isWrite, type MemoryStore } from '../../support/memoryStore.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import { fieldsOf, type GivenAddresses, orderOn, ROUTES, type SwapStage, startSwaps } from '../../support/swapStage.ts'
import { refusalOf, START_AT } from '../../support/testEngine.ts'

afterEach(() => {
  realTime()
  vi.restoreAllMocks()
})

const DEPOSIT = { kind: 'DEPOSIT' } as const

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

/** A stage with a quote, and what a caller does with it. */
const startQuoted = async (toy: FakeVenueOptions = DEPOSIT, order?: Order, options?: Parameters<typeof startSwaps>[1]) => {
  const stage = await startSwaps(toy, options)
  const { engine, context } = stage
  const quoteToken = await stage.token(order)
  const build = (given?: GivenAddresses) => stage.execute(quoteToken, given)
  return {
    ...stage,
    quoteToken,
    build,
    refusal: (code: ErrorCode, given?: GivenAddresses) => refusalOf(build(given), code),
    post: () => engine.submitSignature({ quoteToken, signature: '0x12', approvalSignature: null }, context),
    status: (ref: string) => engine.status({ quoteToken, ref }, context),
  }
}

const TO_SOLANA = { ...ROUTES.evm, to: pair(TOKENS.usdcSolana) } as const
const LATE = { destinationAddress: WALLETS.evm.toLowerCase(), refundAddress: WALLETS.evmOther.toLowerCase() }

it.each([
  ['TRANSACTION', ROUTES.evm, { transaction: { chainId: 1, to: TOY_CONTRACT, value: 0n } }],
  ['TRANSACTION', ROUTES.coins, { transaction: { chainId: 1, to: TOY_CONTRACT, value: 1_000_000n } }],
  ['SIGNATURE', ROUTES.evm, { chainId: 1, approvalData: null }],
  ['DEPOSIT', ROUTES.evm, { deposit: { chainId: 1, amount: 1_000_000n }, token: TOKENS.usdcEthereum }],
] as const)('execute: a %s is built from the sealed quote, and has its statusRef: %o', async (kind, route, payload) => {
  const carry = { v: 1, quoteId: 'venue-7' }
  const stage = await startSwaps({ kind, quote: offers(500n, { carry }) }, { caller: { feeBps: 20 } })
  const swap = await stage.swap(orderOn(route))
  expect(swap).toMatchObject({ payload: { executionType: kind, ...payload }, ignored: [], submission: null })
  expect(swap.statusRef).toBe(swap.payload.executionType === 'DEPOSIT' ? swap.payload.deposit.address : null)
  expect(stage.reported('swap.executed')).toMatchObject([{ requestId: 'req-1', venue: 'toy', executionType: kind }])
  const sealed = { order: { ...orderOn(route), feeBps: 20 }, offer: { outputAmount: 500n, carry } }
  const binding = { recipient: WALLETS.evm, refundTo: WALLETS.evm }
  expect(stage.venue.calls.execute).toMatchObject([{ sealed, binding }])
})

it('execute: a DEPOSIT waits for a readable token, and opens one deposit only', async () => {
  const { build, refusal, chains, venue } = await startQuoted()
  const { token } = chains.script
  chains.script.token = chainFails('unreachable', 1)
  expect((await refusal('INTERNAL')).details).toEqual({ chainId: 1, retryable: true })
  chains.script.token = token
  expect((await build()).payload).toMatchObject({ token: TOKENS.usdcEthereum })
  expect(venue.calls.execute).toHaveLength(1)
})

it('execute, repeated, returns the same deposit and asks the venue once, also after a restart [execute-repeat-same-payload]', async () => {
  const { build, quoteToken, reported, store, venue } = await startQuoted()
  const first = await build()
  for (const given of [{}, { destinationAddress: WALLETS.evm.toLowerCase() }]) expect(await build(given)).toEqual(first)
  expect(reported('swap.executed').map(({ repeated }) => repeated)).toEqual([false, true, true])
  const restarted = await startSwaps(DEPOSIT, { store })
  expect(await restarted.execute(quoteToken)).toEqual(first)
  expect([venue.calls.execute.length, restarted.venue.calls.execute.length]).toEqual([1, 0])
})

it('execute is accepted until the millisecond before expiresAt, and then rejected [execute-expired-410]', async () => {
  const stage = await startSwaps()
  const { quoteToken, expiresAt } = await stage.quote()
  stage.clock.at = expiresAt - 1
  await stage.execute(quoteToken)
  stage.clock.at = expiresAt
  expect((await refusalOf(stage.execute(quoteToken), 'QUOTE_EXPIRED')).details).toEqual({ expiresAt })
})

it('execute of a preview names every missing address, and asks no venue', async () => {
  const { recipient: _, ...unnamed } = ROUTES.bitcoin
  const bindsAtQuote = { recipient: ['crossEcosystem'], refundTo: ['fromBitcoin'] } as const
  const { refusal, venue } = await startQuoted({ ...DEPOSIT, profile: { bindsAtQuote } }, anOrder(unnamed))
  const given = { destinationAddress: WALLETS.evm, refundAddress: WALLETS.bitcoin }
  expect((await refusal('QUOTE_NOT_EXECUTABLE', given)).details).toEqual({ missing: Object.keys(given) })
  expect(venue.calls.execute).toEqual([])
})

it('execute: the approval is read at every call, exact, with a reset where required, and in full when it is unreadable [execute-repeat-same-payload]', async () => {
  const { build, chains, reported } = await startQuoted({}, orderOn({ ...ROUTES.evm, from: pair(TOKENS.usdtEthereum) }))
  const whole = { amount: 1_000_000n, spender: TOY_CONTRACT, reset: null }
  const resetting = { ...whole, reset: { to: TOKENS.usdtEthereum.address, value: 0n } }
  const { approval: first, ...swap } = await build()
  expect(first).toMatchObject(whole)
  for (const [allowed, expected] of [[999_999n, resetting] as const, [1_000_000n, null] as const]) {
    chains.allow(TOY_CONTRACT, allowed)
    const { approval, ...again } = await build()
    expect([again, approval]).toMatchObject([swap, expected])
  }
  chains.script.allowance = chainFails('unreachable', 1)
  expect((await build()).approval).toMatchObject(whole)
  expect(reported('chain.unread')).toMatchObject([{ requestId: 'req-1', chainId: 1, what: 'allowance' }])
})

const other = { recipient: WALLETS.evmOther }
it.each<[string, OrderWish, Partial<Order>, GivenAddresses, readonly [recipient: Address, refundTo: Address]]>([
  ['are those of the quote', ROUTES.evm, other, {}, [WALLETS.evmOther, WALLETS.evm]],
  ['change late, in canonical form', ROUTES.evm, other, LATE, [WALLETS.evm, WALLETS.evmOther]],
  ['include a late destination', TO_SOLANA, {}, { destinationAddress: WALLETS.solana }, [WALLETS.solana, WALLETS.evm]],
  ['refund to the sender on Bitcoin', ROUTES.bitcoin, {}, {}, [WALLETS.evm, WALLETS.bitcoin]],
])('execute: the addresses %s [execute-late-addresses]', async (_what, route, wish, given, [recipient, refundTo]) => {
  const { build, venue } = await startQuoted(DEPOSIT, orderOn(route, wish))
  expect((await build(given)).ignored).toEqual([])
  expect(venue.calls.execute.map((call) => call.binding)).toEqual([{ recipient, refundTo }])
})

it('execute: an address that the quote fixed is listed as ignored, and the same address in another spelling is not', async () => {
  const { build } = await startQuoted({})
  expect((await build({ refundAddress: WALLETS.evmOther })).ignored).toEqual(['refundAddress'])
  expect((await build({ refundAddress: WALLETS.evm.toLowerCase() })).ignored).toEqual([])
})

const wrong = { destinationAddress: WALLETS.solana, refundAddress: `0x${'0'.repeat(40)}` }
it.each<[string, FakeVenueOptions]>([
  ['that binds them late', DEPOSIT],
  ['that fixed them', { ...DEPOSIT, profile: { bindsAtQuote: { recipient: ['always'], refundTo: ['always'] } } }],
  ['that holds no input', {}],
])('execute: invalid addresses are refused by field, at a venue %s [execute-late-addresses]', async (_what, toy) => {
  const { refusal, venue } = await startQuoted(toy)
  for (const given of [{ refundAddress: wrong.refundAddress }, wrong])
    expect(fieldsOf(await refusal('INVALID_REQUEST', given))).toEqual(Object.keys(given))
  expect(venue.calls.execute).toEqual([])
})

const bound = (guaranteedMin: bigint) => ({ slippage: { isFirm: true, guaranteedMin: toAmount(guaranteedMin) } })
const output = (outputAmount: bigint) => ({ outputAmount: toAmount(outputAmount) })

it.each<[string, Partial<Execution>, string | null]>([
  ['an output below the guarantee is QUOTE_EXPIRED', output(994_999n), 'QUOTE_EXPIRED'],
  ['a lower guarantee is QUOTE_EXPIRED', bound(994_999n), 'QUOTE_EXPIRED'],
  ['a missing guarantee is QUOTE_EXPIRED', { slippage: null }, 'QUOTE_EXPIRED'],
  ['an output at the guarantee is accepted', { ...output(995_000n), ...bound(995_000n) }, null],
  ['a better output is accepted', output(2_000_000n), null],
  ['a better guarantee that the bytes lack is refused', { ...output(2_000_000n), ...bound(1_999_000n) }, 'INTERNAL'],
])('execute: %s [execute-expired-410]', async (_what, change, code) => {
  const stage = await startSwaps()
  stage.venue.script.alter = (execution) => ({ ...execution, ...change })
  if (code === null) return void (await stage.swap())
  const reason = code === 'INTERNAL' ? 'payloadMismatch' : 'priceMoved'
  expect(await refusalOf(stage.swap())).toMatchObject({ code, details: { venue: 'toy', reason } })
})

const retryable = (kind: string) => ({ venue: 'toy', kind, retryable: true })
const field = (path: string) => ['INVALID_REQUEST', { fields: [{ path, reason: expect.any(String) }] }] as const

it.each<[VenueErrorKind, VenueErrorOptions, string, object]>([
  ['noLiquidity', {}, 'QUOTE_EXPIRED', { venue: 'toy', reason: 'noLiquidity' }],
  ['amountTooSmall', {}, 'QUOTE_EXPIRED', { venue: 'toy', reason: 'amountTooSmall' }],
  ['rateLimited', {}, 'INTERNAL', retryable('rateLimited')],
  ['badRequest', { party: 'sender' }, ...field('userAddress')],
  ['badRequest', { party: 'recipient' }, ...field('destinationAddress')],
  ['badRequest', { party: 'refundTo' }, ...field('refundAddress')],
  ['badRequest', { party: 'slippageBps' }, ...field('slippageBps')],
  ['badRequest', {}, 'INTERNAL', { ...retryable('badRequest'), retryable: false }],
  ['unavailable', {}, 'INTERNAL', retryable('unavailable')],
])('execute: a venue that fails with %s %o gives %s [execute-venue-trouble-500]', async (kind, options, code, details) => {
  const stage = await startSwaps()
  stage.venue.script.execute = fails(new VenueError(kind, 'secret words of the venue', options))
  const error = await refusalOf(stage.swap())
  expect(error).toMatchObject({ code, details })
  expect(stage.called('execute')).toMatchObject([{ requestId: 'req-1', kind, reason: 'secret words of the venue' }])
  expect(JSON.stringify([error.publicMessage, error.details])).not.toContain('secret words')
  if (code === 'INTERNAL') expect(error.publicMessage).toContain('toy')
})

const timeout = { kind: 'timeout', retryable: true }
it.each<['execute' | 'submit-signature' | 'status', ExecutionType, keyof VenueScript, ms: number, object]>([
  ['execute', 'TRANSACTION', 'execute', 10_000, timeout],
  ['execute', 'TRANSACTION', 'decode', 30_000, { reason: 'payloadMismatch' }],
  ['submit-signature', 'SIGNATURE', 'submit', 10_000, timeout],
  ['status', 'DEPOSIT', 'track', 8_000, timeout],
])('%s: a venue that hangs for a %s at "%s" and ignores its signal is INTERNAL after %i ms', async (call, ...row) => {
  const [kind, step, ms, details] = row
  const stage = await startQuoted({ kind })
  stage.chains.script.isValidContractSignature = async () => true
  const { statusRef } = call === 'execute' ? { statusRef: null } : await stage.build()
  const signals: unknown[] = []
  const hangs = (_asked: unknown, signal = AbortSignal.abort()) => {
    signals.push(signal)
    return new Promise<never>(() => undefined)
  }
  Object.assign(stage.venue.script, { [step]: hangs })
  const calls = { execute: stage.build, 'submit-signature': stage.post, status: () => stage.status(statusRef ?? '') }
  fakeTime()
  const refusal = refusalOf(calls[call](), 'INTERNAL')
  await until(() => signals.length > 0)
  await advance(ms)
  expect((await refusal).details).toEqual({ venue: 'toy', ...details })
  expect(signals).toMatchObject([{ aborted: true }])
})

it('execute, while another process builds the same, builds when the lease of a crashed process ends, and not a millisecond before [execute-repeat-same-payload]', async () => {
  const crashed = await startQuoted()
  const stage = await startSwaps(DEPOSIT, { store: crashed.store, clock: crashed.clock })
  crashed.venue.script.execute = ignoresSignal
  fakeTime()
  crashed.build().catch(() => undefined)
  await until(() => crashed.venue.calls.execute.length > 0)
  const reserve = vi.spyOn(stage.store, 'transaction')
  const call = stage.execute(crashed.quoteToken)
  await until(() => reserve.mock.calls.length > 0)
  stage.clock.at += 19_999
  await advance(1_000)
  expect(stage.venue.calls.execute).toEqual([])
  stage.clock.at += 1
  await advance(200)
  realTime()
  expect(await call).toMatchObject({ payload: { executionType: 'DEPOSIT' } })
  expect(stage.venue.calls.execute).toHaveLength(1)
})

it('execute, while another process builds the same, ends with a retryable INTERNAL when the other process takes over ten seconds', async () => {
  const { refusal, store } = await startQuoted()
  fakeTime()
  const reserve = vi.spyOn(store, 'transaction').mockResolvedValue(false)
  const call = refusal('INTERNAL')
  await until(() => reserve.mock.calls.length > 0)
  await advance(12_000)
  realTime()
  expect(await call).toMatchObject({ details: { venue: 'toy', kind: 'timeout', retryable: true }, isRetry: true })
})

it.each<[string, MemoryStore['fails'], number]>([
  ['at every write', isWrite, 0],
  ['at the write of the swap', (call) => call === 'swaps.add', 1],
])('execute: a store that fails %s returns no payload, and recovers [execute-venue-trouble-500]', async (...row) => {
  const [, isFailing, builds] = row
  const { build, refusal, reported, store, venue } = await startQuoted()
  store.fails = isFailing
  expect((await refusal('INTERNAL')).details).toEqual({ retryable: true })
  expect([venue.calls.execute.length, reported('swap.executed')]).toEqual([builds, []])
  store.fails = () => false
  expect(await build()).toMatchObject({ payload: { executionType: 'DEPOSIT' } })
  expect(venue.calls.execute).toHaveLength(builds + 1)
})

it('execute: a disabled or removed venue is not quoted and executes nothing, and its swaps are followed and their signatures submitted [execute-venue-disabled-410]', async () => {
  const before = await startQuoted({ kind: 'SIGNATURE' })
  const { quoteToken, venue, store } = before
  const others = [createFakeVenue('other')]
  const disabled = await startSwaps({}, { venue, venues: [venue, ...others], venuesEnabled: ['other'], store })
  const removed = await startSwaps({}, { venues: others, store })
  const isGone = async (stage: SwapStage) => {
    const { details } = await refusalOf(stage.execute(quoteToken), 'QUOTE_EXPIRED')
    expect(details).toEqual({ venue: 'toy', reason: 'venueDisabled' })
  }
  for (const stage of [disabled, removed]) await isGone(stage)
  await before.build()
  await isGone(disabled)
  expect((await disabled.quote()).venue.id).toBe('other')
  expect((await disabled.engine.health()).venues.map(({ id }) => id)).toEqual(['other'])
  expect([venue.calls.quote.length, venue.calls.execute.length]).toEqual([1, 1])
  const { engine, context, chains } = disabled
  chains.script.isValidContractSignature = async () => true
  const posted = { venue: 'toy', statusRef: 'toy-order-1' }
  expect(await engine.submitSignature({ quoteToken, signature: '0x12', approvalSignature: null }, context)).toEqual(posted)
  venue.script.track = async () => statusOf('processing')
  const status = await engine.status({ quoteToken, ref: posted.statusRef }, context)
  expect(status).toMatchObject({ venue: 'toy', isTracked: true, state: 'processing' })
})

it('execute stores the race of the quote with its swap, unless the token has no space for it [ops-race-stored]', async () => {
  const raceWith = async (carry: string) => {
    const now = () => START_AT
    const best = createFakeVenue('best', { now, quote: offers(1_000_000n, { carry }) })
    const venues = [best, createFakeVenue('none', { now, quote: declines('amountTooSmall') })]
    const [quoting, executing] = [await startSwaps({}, { venues }), await startSwaps({}, { venues })]
    await executing.execute(await quoting.token())
    return executing.store.operator.raceOf(1)
  }
  const own = { elapsedMs: expect.any(Number) }
  const runs = [
    { venue: 'best', outcome: 'offer', rank: 1, amount: '1000000', minimum: '995000', ...own },
    { venue: 'none', outcome: 'decline', kind: 'amountTooSmall', ...own },
  ]
  expect(await raceWith('small')).toEqual({ mode: 'best_output', runs, unwilling: [], reference: null })
  expect(await raceWith('x'.repeat(1_200))).toBeNull()
})

const rule = { executionType: 'DEPOSIT', appliesTo: () => true, routes: 'all', reason: 'the toy says nothing' } as const
const takesOnTrust: readonly TrustRule[] = [{ ...rule, parts: ['recipient', 'minimum'] }]
const trusted = { kind: 'DEPOSIT', profile: { takesOnTrust } } as const
const PROVED: Proof = { recipient: 'proved', minimum: 'proved', refund: 'proved' }
const IN_WALLET: Proof = { ...PROVED, refund: 'not-applicable' }
const TRUSTED: Proof = { ...PROVED, recipient: 'taken-on-trust', minimum: 'taken-on-trust' }

it.each<[string, FakeVenueOptions, 'told' | 'sandbox' | null, Proof, Proof]>([
  ['a TRANSACTION that leaves the input in the wallet', {}, null, IN_WALLET, IN_WALLET],
  ['a DEPOSIT that rests on the report of the venue', trusted, 'told', TRUSTED, TRUSTED],
  ['a DEPOSIT that proves more than the quote could promise', trusted, null, TRUSTED, PROVED],
  ['a DEPOSIT of the sandbox, as the quote promised', trusted, 'sandbox', TRUSTED, TRUSTED],
])('execute: proof is returned on every call for %s [proof-reported]', async (_what, toy, how, expected, proof) => {
  const stage = await startSwaps(toy)
  if (how === 'told')
    stage.venue.script.decode = async ({ output, ...claims }) => {
      return { ...claims, recipient: 'unproved', output: { ...output, minimum: { told: 995_000n } } }
    }
  const { quoteToken, expectedProof } = await stage.quote(orderOn(ROUTES.evm, { sandbox: how === 'sandbox' }))
  expect(expectedProof).toEqual(expected)
  for (let call = 0; call < 2; call += 1) expect((await stage.execute(quoteToken)).proof).toEqual(proof)
})

it('venue places: a venue serves any number of callers for two seconds, then its maximum, and refuses others with OVERLOADED', async () => {
  fakeTime()
  const [events, ends]: [unknown[], (() => void)[]] = [[], []]
  const places = createVenuePlaces(2, (event) => void events.push(event))
  const hang = vi.fn(() => new Promise<string>((resolve) => ends.push(() => resolve('done'))))
  const call = (venue = 'slow') => places.within(venue, hang).catch(({ code }: { code: string }) => code)
  const calls = (count: number) => Array.from({ length: count }, () => call())
  const endAll = () => {
    for (const end of ends.splice(0)) end()
  }
  const fast = calls(200)
  await advance(1_900)
  endAll()
  expect(new Set(await Promise.all(fast))).toEqual(new Set(['done']))
  const slow = calls(5)
  await advance(2_000)
  expect(await Promise.all([...slow.slice(2), call()])).toEqual(Array(4).fill('OVERLOADED'))
  expect(hang).toHaveBeenCalledTimes(205)
  const other = call('quick')
  await advance(1_000)
  expect(events).toEqual([{ event: 'venue.crowded', venue: 'slow', refused: 4, waiting: 2 }])
  endAll()
  expect(await Promise.all([...slow.slice(0, 2), other])).toEqual(Array(3).fill('done'))
  const next = call()
  endAll()
  expect(await next).toBe('done')
})

const play = async (kind: ExecutionType, route: OrderWish = ROUTES.evm, options: FakeVenueOptions = {}) => {
  const order = orderOn(route, { sandbox: true })
  const stage = await startQuoted({ kind, ...options }, order)
  /** The venue was asked for a price alone, and the stored swap is marked. */
  const isInert = async () => {
    await stage.status('anything')
    expect(stage.venue.calls).toEqual({ quote: [expect.anything()], execute: [], submit: [], track: [] })
    expect(await stage.store.kept()).toMatchObject([{ isSandbox: true, swap: { offer: { venue: 'toy' } } }])
  }
  return { ...stage, order, isInert }
}

it('sandbox: a TRANSACTION on EVM sends no coins to the sender, and approves the sender [sandbox-inert-payload]', async () => {
  const { build, isInert } = await play('TRANSACTION')
  const { payload, approval } = await build()
  const transaction = { chainId: 1, to: WALLETS.evm, data: '0x', value: 0n }
  expect(payload).toEqual({ executionType: 'TRANSACTION', transaction })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [WALLETS.evm as `0x${string}`, 1_000_000n] })
  expect(approval).toMatchObject({ spender: WALLETS.evm, reset: null, transaction: { value: 0n, data } })
  await isInert()
})

it('sandbox: a TRANSACTION on Solana is unsigned, and sends no lamports to the sender, with a memo [sandbox-inert-payload]', async () => {
  const { payload } = await (await play('TRANSACTION', ROUTES.solana)).build()
  if (payload.executionType !== 'TRANSACTION') throw new TypeError(payload.executionType)
  const { data } = payload.transaction
  expect(payload.transaction).toMatchObject({ chainId: -2, to: WALLETS.solana, value: 0n, serialized: data })
  const { message, signatures } = VersionedTransaction.deserialize(Buffer.from(data, 'base64'))
  expect(signatures.flatMap((signature) => [...signature])).toEqual(Array(64).fill(0))
  const { payerKey, instructions } = TransactionMessage.decompile(message)
  const [transfer, memo, ...rest] = instructions
  if (!transfer || !memo) throw new RangeError('two instructions')
  const { fromPubkey, toPubkey, lamports } = SystemInstruction.decodeTransfer(transfer)
  expect([payerKey, fromPubkey, toPubkey].map(String)).toEqual(Array(3).fill(WALLETS.solana))
  expect([lamports, memo.data.toString(), memo.keys, rest]).toEqual([0n, expect.stringMatching(/^sandbox /), [], []])
})

it('sandbox: a SIGNATURE is typed data that expired, for the wallet as contract, and is submitted to no venue [sandbox-inert-payload]', async () => {
  const { build, post, isInert } = await play('SIGNATURE')
  const { payload } = await build()
  const domain = { name: 'Sandbox', version: '1', chainId: 1, verifyingContract: WALLETS.evm }
  expect(payload).toMatchObject({ chainId: 1, approvalData: null, typedData: { domain } })
  const { typedData } = payload as SignaturePayload
  expect(Number(typedData.message['validTo']) * 1_000).toBeLessThan(Date.UTC(2020, 0))
  expect(hashTypedData(typedData as Parameters<typeof hashTypedData>[0])).toMatch(/^0x[0-9a-f]{64}$/)
  const posted = { statusRef: expect.stringMatching(/^sandbox-[0-9a-f]{32}$/), venue: 'toy' }
  expect([await post(), await post()]).toEqual([posted, posted])
  await isInert()
})

it('sandbox: a DEPOSIT goes to the address of the sender, which is the ref of each of its quotes [sandbox-inert-payload]', async () => {
  const { build, isInert, swap, order } = await play('DEPOSIT', ROUTES.bitcoin)
  const deposit = { chainId: -1, address: WALLETS.bitcoin, amount: 1_000_000n }
  expect(await build()).toMatchObject({ statusRef: WALLETS.bitcoin, payload: { deposit } })
  await isInert()
  expect((await swap(order)).statusRef).toBe(WALLETS.bitcoin)
})

it.each<[string, OrderWish, RegExp]>([
  ['EVM', ROUTES.evm, /^0x[0-9a-f]{64}$/],
  ['Solana', { ...ROUTES.evm, to: pair(TOKENS.usdcSolana), recipient: WALLETS.solana }, /^[1-9A-HJ-NP-Za-km-z]{86,88}$/],
  ['Bitcoin', { ...ROUTES.evm, to: [-1, NATIVE], recipient: WALLETS.bitcoin }, /^[0-9a-f]{64}$/],
])('sandbox: status is success with the quoted output and a hash of %s, for any ref [sandbox-inert-payload]', async (...row) => {
  const [, route, hash] = row
  const { status } = await play('DEPOSIT', route, { quote: offers(777n) })
  const success = await status('')
  expect(success).toMatchObject({ state: 'success', deliveredAmount: 777n, txHash: expect.stringMatching(hash), payments: [] })
  expect(await status('another')).toEqual(success)
})

it('sandbox: execute is INTERNAL at a venue without sandbox, whose other swaps work [sandbox-unsupported-venue]', async () => {
  const { refusal, venue, swap } = await play('DEPOSIT', ROUTES.evm, { profile: { hasSandbox: false } })
  const { publicMessage, details } = await refusal('INTERNAL')
  expect([publicMessage, details]).toEqual([expect.stringContaining('toy'), { venue: 'toy' }])
  await swap()
  expect(venue.calls.execute).toHaveLength(1)
})
