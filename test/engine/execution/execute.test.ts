import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import type { Proof } from '../../../engine/core/proof.ts'
import type { SwapStore } from '../../../engine/store/swaps.ts'
import type { TrustRule } from '../../../engine/venues/venue.ts'
import { VenueError, type VenueErrorKind, type VenueErrorOptions } from '../../../engine/venues/venueError.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { chainFails, pair, TOKENS } from '../../support/fakeChains.ts'
import {
  addressFor,
  createFakeVenue,
  type FakeVenue,
  type FakeVenueOptions,
  fails,
  hangs,
  ignoresSignal,
  offers,
  statusOf,
  TOY_CONTRACT,
} from '../../support/fakeVenue.ts'
import { createMemoryStore, isWrite, type MemoryStore } from '../../support/memoryStore.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import { fieldsOf, orderOn, ROUTES, startSwaps } from '../../support/swapStage.ts'
import { createTestClock, refusalOf } from '../../support/testEngine.ts'

afterEach(() => {
  realTime()
  vi.restoreAllMocks()
})

const untilAsked = async ({ calls }: FakeVenue) => {
  while (calls.execute.length === 0) await new Promise((resolve) => setImmediate(resolve))
}

const TO_SOLANA = { ...ROUTES.evm, to: pair(TOKENS.usdcSolana) } as const
const USDT = { ...ROUTES.evm, from: pair(TOKENS.usdtEthereum) } as const
const FIXED = { bindsAtQuote: { recipient: ['always'], refundTo: ['always'] } } as const

describe('execute: the payload', () => {
  const depositAt = expect.stringMatching(/^0x/)
  it.each([
    ['a TRANSACTION', 'TRANSACTION', ROUTES.evm, { transaction: { chainId: 1, to: TOY_CONTRACT, value: 0n } }, null],
    [
      'a TRANSACTION of coins',
      'TRANSACTION',
      ROUTES.coins,
      { transaction: { chainId: 1, to: TOY_CONTRACT, value: 1_000_000n } },
      null,
    ],
    ['a SIGNATURE', 'SIGNATURE', ROUTES.evm, { chainId: 1, approvalData: null }, null],
    ['a DEPOSIT', 'DEPOSIT', ROUTES.evm, { deposit: { chainId: 1, amount: 1_000_000n }, token: TOKENS.usdcEthereum }, depositAt],
  ] as const)('of %s is returned with its statusRef and one event', async (_what, executionType, route, payload, statusRef) => {
    const stage = await startSwaps({ kind: executionType })
    const swap = await stage.swap(orderOn(route))
    expect(swap).toMatchObject({ payload: { executionType, ...payload }, ignored: [], submission: null })
    expect(swap.statusRef).toEqual(statusRef)
    if (swap.payload.executionType === 'DEPOSIT') expect(swap.statusRef).toBe(swap.payload.deposit.address)
    expect(stage.reported('swap.executed')).toMatchObject([{ requestId: 'req-1', venue: 'toy', executionType, repeated: false }])
  })

  it('is built from the sealed order, offer, carry and addresses', async () => {
    const carry = { v: 1, quoteId: 'venue-7' }
    const stage = await startSwaps({ quote: offers(500n, { carry }) }, { caller: { feeBps: 20 } })
    await stage.swap()
    expect(stage.venue.calls.execute).toMatchObject([
      { sealed: { offer: { outputAmount: 500n, carry } }, binding: { recipient: WALLETS.evm, refundTo: WALLETS.evm } },
    ])
    expect(stage.venue.calls.execute[0]?.sealed.order).toEqual({ ...orderOn(ROUTES.evm), feeBps: 20 })
  })

  it('of a DEPOSIT waits for a readable token, and opens one deposit only', async () => {
    const stage = await startSwaps({ kind: 'DEPOSIT' })
    const token = await stage.token()
    const { token: read } = stage.chains.script
    stage.chains.script.token = chainFails('unreachable', 1)
    expect((await refusalOf(stage.execute(token), 'INTERNAL')).details).toEqual({ chainId: 1, retryable: true })
    stage.chains.script.token = read
    expect((await stage.execute(token)).payload).toMatchObject({ token: TOKENS.usdcEthereum })
    expect(stage.venue.calls.execute).toHaveLength(1)
  })
})

it('execute, repeated, returns the same deposit and asks the venue once, also after a restart [execute-repeat-same-payload]', async () => {
  const stage = await startSwaps({ kind: 'DEPOSIT' })
  const token = await stage.token()
  const first = await stage.execute(token)
  expect(await stage.execute(token)).toEqual(first)
  expect(await stage.execute(token, { destinationAddress: WALLETS.evm.toLowerCase() })).toEqual(first)
  expect(stage.reported('swap.executed').map(({ repeated }) => repeated)).toEqual([false, true, true])
  const restarted = await startSwaps({ kind: 'DEPOSIT' }, { store: stage.store })
  expect(await restarted.execute(token)).toEqual(first)
  expect([stage.venue.calls.execute.length, restarted.venue.calls.execute.length]).toEqual([1, 0])
})

describe('execute: the token', () => {
  it('is accepted until the millisecond before expiresAt, and then rejected [execute-expired-410]', async () => {
    const stage = await startSwaps()
    const { quoteToken, expiresAt } = await stage.quote()
    stage.clock.at = expiresAt - 1
    await stage.execute(quoteToken)
    stage.clock.at = expiresAt
    expect((await refusalOf(stage.execute(quoteToken), 'QUOTE_EXPIRED')).details).toEqual({ expiresAt })
  })

  it('is QUOTE_INVALID when it was altered', async () => {
    const stage = await startSwaps()
    const token = await stage.token()
    for (const altered of [`${token}A`, 'nonsense', '']) await refusalOf(stage.execute(altered), 'QUOTE_INVALID')
    expect(stage.venue.calls.execute).toEqual([])
  })

  it('of a preview is refused with every missing address', async () => {
    const { recipient: _, ...unnamed } = ROUTES.bitcoin
    const bindsAtQuote = { recipient: ['crossEcosystem'], refundTo: ['fromBitcoin'] } as const
    const stage = await startSwaps({ kind: 'DEPOSIT', profile: { bindsAtQuote } })
    const token = await stage.token(anOrder(unnamed))
    const given = { destinationAddress: WALLETS.evm, refundAddress: WALLETS.bitcoin }
    expect((await refusalOf(stage.execute(token, given), 'QUOTE_NOT_EXECUTABLE')).details).toEqual({
      missing: ['destinationAddress', 'refundAddress'],
    })
    expect(stage.venue.calls.execute).toEqual([])
  })
})

describe('execute: the approval', () => {
  it.each([
    ['is none when the allowance suffices', ROUTES.evm, 1_000_000n, null],
    ['is the whole amount when one unit of allowance is missing', ROUTES.evm, 999_999n, { reset: null }],
    [
      'resets an allowance that the token would not replace',
      USDT,
      999_999n,
      { reset: { to: TOKENS.usdtEthereum.address, value: 0n } },
    ],
    ['resets nothing without an allowance', USDT, 0n, { reset: null }],
    ['is none for coins', ROUTES.coins, 0n, null],
  ] as const)('%s [execute-repeat-same-payload]', async (_what, route, allowed, approval) => {
    const stage = await startSwaps()
    const token = await stage.token(orderOn(route))
    stage.chains.allow(TOY_CONTRACT, allowed)
    const expected = approval && { ...approval, amount: 1_000_000n, spender: TOY_CONTRACT }
    const { approval: first, ...swap } = await stage.execute(token)
    expect(first).toEqual(expected && expect.objectContaining({ amount: 1_000_000n, spender: TOY_CONTRACT }))
    if (expected) expect(first).toMatchObject(expected)
    const reads = stage.chains.calls.map(({ method }) => method)
    if (allowed === 0n) expect(reads).not.toContain('refusesReapproval')
    stage.chains.allow(TOY_CONTRACT, 1_000_000n)
    expect(await stage.execute(token)).toEqual({ ...swap, approval: null })
  })

  it('is requested when the chain cannot be read, which is logged', async () => {
    const stage = await startSwaps()
    const token = await stage.token()
    stage.chains.script.allowance = chainFails('unreachable', 1)
    expect((await stage.execute(token)).approval).toMatchObject({ amount: 1_000_000n, reset: null })
    expect(stage.reported('chain.unread')).toMatchObject([{ requestId: 'req-1', chainId: 1, what: 'allowance' }])
    stage.chains.script.allowance = () => Promise.reject(new TypeError('a bug'))
    await expect(stage.execute(token)).rejects.toThrow(TypeError)
  })
})

describe('execute: the addresses', () => {
  const [late, lateRefund] = [
    { destinationAddress: WALLETS.evm.toLowerCase() },
    { refundAddress: WALLETS.evmOther.toLowerCase() },
  ]
  const other = { recipient: WALLETS.evmOther }

  it.each([
    ['are those of the quote', ROUTES.evm, other, {}, { recipient: WALLETS.evmOther, refundTo: WALLETS.evm }],
    [
      'change late, in canonical form',
      ROUTES.evm,
      other,
      { ...late, ...lateRefund },
      { recipient: WALLETS.evm, refundTo: WALLETS.evmOther },
    ],
    [
      'include the destination that the quote lacked',
      TO_SOLANA,
      {},
      { destinationAddress: WALLETS.solana },
      { recipient: WALLETS.solana, refundTo: WALLETS.evm },
    ],
    ['refund to the sender on Bitcoin', ROUTES.bitcoin, {}, {}, { recipient: WALLETS.evm, refundTo: WALLETS.bitcoin }],
  ] as const)('%s [execute-late-addresses]', async (_what, route, wish, given, binding) => {
    const stage = await startSwaps({ kind: 'DEPOSIT' })
    expect((await stage.execute(await stage.token(orderOn(route, wish)), given)).ignored).toEqual([])
    expect(stage.venue.calls.execute.map((call) => call.binding)).toEqual([binding])
  })

  it('stay as quoted when the venue fixed them, and others are listed as ignored', async () => {
    const stage = await startSwaps({ kind: 'DEPOSIT', profile: FIXED })
    const token = await stage.token(anOrder({ ...TO_SOLANA, recipient: WALLETS.solana }))
    const swap = await stage.execute(token, {
      destinationAddress: addressFor('solana', 'thief'),
      refundAddress: WALLETS.evmOther,
    })
    expect(swap.ignored).toEqual(['destinationAddress', 'refundAddress'])
    const asQuoted = { destinationAddress: WALLETS.solana, refundAddress: WALLETS.evm.toLowerCase() }
    expect(await stage.execute(token, asQuoted)).toEqual({ ...swap, ignored: [] })
    expect(stage.venue.calls.execute.map((call) => call.binding)).toEqual([{ recipient: WALLETS.solana, refundTo: WALLETS.evm }])
  })

  it.each([
    ['a wrong checksum', ROUTES.evm, { destinationAddress: '0xf39fd6e51aad88F6F4ce6aB8827279cffFb92266' }],
    ['an address of another chain', ROUTES.evm, { destinationAddress: WALLETS.solana }],
    ['the marker of the native coin', ROUTES.evm, { destinationAddress: NATIVE }],
    ['a refund to the zero address', ROUTES.evm, { refundAddress: `0x${'0'.repeat(40)}` }],
    ['the zero address of Solana', TO_SOLANA, { destinationAddress: '1'.repeat(32) }],
    ['two wrong ones', ROUTES.evm, { destinationAddress: '', refundAddress: 'me' }],
  ])(
    'are refused by field, also where the venue fixed them or holds nothing: %s [execute-late-addresses]',
    async (_what, route, given) => {
      const wish = route === TO_SOLANA ? { recipient: WALLETS.solana } : {}
      for (const toy of [{ kind: 'DEPOSIT' }, { kind: 'DEPOSIT', profile: FIXED }, {}] as const) {
        const stage = await startSwaps(toy)
        const token = await stage.token(anOrder({ ...route, ...wish }))
        expect(fieldsOf(await refusalOf(stage.execute(token, given), 'INVALID_REQUEST'))).toEqual(Object.keys(given))
        expect(stage.venue.calls.execute).toEqual([])
      }
    },
  )

  it('are refused without a recipient on the output chain', async () => {
    const stage = await startSwaps({ kind: 'DEPOSIT' })
    const token = await stage.token(anOrder(TO_SOLANA))
    expect(fieldsOf(await refusalOf(stage.execute(token), 'INVALID_REQUEST'))).toEqual(['destinationAddress'])
  })
})

describe('execute: a price that moved since the quote', () => {
  const bound = (guaranteedMin: bigint) => ({ slippage: { isFirm: true, guaranteedMin: toAmount(guaranteedMin) } })
  const output = (outputAmount: bigint) => ({ outputAmount: toAmount(outputAmount) })

  it.each<[string, Partial<Execution>, string | null]>([
    ['an output below the guarantee is QUOTE_EXPIRED', output(994_999n), 'QUOTE_EXPIRED'],
    ['a lower guarantee is QUOTE_EXPIRED', bound(994_999n), 'QUOTE_EXPIRED'],
    ['a missing guarantee is QUOTE_EXPIRED', { slippage: null }, 'QUOTE_EXPIRED'],
    ['an output at the guarantee is accepted', { ...output(995_000n), ...bound(995_000n) }, null],
    ['a better output is accepted', output(2_000_000n), null],
    ['a better guarantee that the bytes lack is refused', { ...output(2_000_000n), ...bound(1_999_000n) }, 'INTERNAL'],
  ])('%s [execute-expired-410]', async (_what, change, code) => {
    const stage = await startSwaps()
    stage.venue.script.alter = (execution) => ({ ...execution, ...change })
    if (code === null) return void (await stage.swap())
    const reason = code === 'INTERNAL' ? 'payloadMismatch' : 'priceMoved'
    expect(await refusalOf(stage.swap())).toMatchObject({ code, details: { venue: 'toy', reason } })
    expect(stage.reported('payload.refused').map(({ mismatches }) => mismatches)).toEqual(
      code === 'INTERNAL' ? [['output.minimum']] : [],
    )
  })
})

describe('execute: a venue that does not build', () => {
  const retryable = (kind: string) => ({ venue: 'toy', kind, retryable: true })
  const gone = (reason: string) => ['QUOTE_EXPIRED', { venue: 'toy', reason }] as const
  const field = (path: string) => ['INVALID_REQUEST', { fields: [{ path, reason: expect.any(String) }] }] as const

  it.each<[VenueErrorKind, VenueErrorOptions, string, object]>([
    ['unsupportedPair', {}, ...gone('unsupportedPair')],
    ['amountTooSmall', {}, ...gone('amountTooSmall')],
    ['amountTooLarge', {}, ...gone('amountTooLarge')],
    ['noLiquidity', {}, ...gone('noLiquidity')],
    ['badRequest', { party: 'sender' }, ...field('userAddress')],
    ['badRequest', { party: 'recipient' }, ...field('destinationAddress')],
    ['badRequest', { party: 'refundTo' }, ...field('refundAddress')],
    ['badRequest', { party: 'slippageBps' }, ...field('slippageBps')],
    ['badRequest', {}, 'INTERNAL', { ...retryable('badRequest'), retryable: false }],
    ['rateLimited', {}, 'INTERNAL', retryable('rateLimited')],
    ['unavailable', {}, 'INTERNAL', retryable('unavailable')],
    ['timeout', {}, 'INTERNAL', retryable('timeout')],
    ['badResponse', {}, 'INTERNAL', retryable('badResponse')],
  ])('because of %s %o gives %s [execute-venue-trouble-500]', async (kind, options, code, details) => {
    const stage = await startSwaps()
    stage.venue.script.execute = fails(new VenueError(kind, 'secret words of the venue', options))
    const error = await refusalOf(stage.swap())
    expect(error).toMatchObject({ code, details })
    expect(stage.called('execute')).toMatchObject([
      { requestId: 'req-1', venue: 'toy', call: 'execute', kind, reason: 'secret words of the venue' },
    ])
    expect(JSON.stringify([error.publicMessage, error.details])).not.toContain('secret words')
    if (code === 'INTERNAL') expect(error.publicMessage).toContain('toy')
  })

  it('because its adapter throws gives a retryable INTERNAL without the words of the error', async () => {
    const stage = await startSwaps()
    stage.venue.script.execute = fails(new TypeError('x is not a function'))
    const error = await refusalOf(stage.swap(), 'INTERNAL')
    expect(error.details).toEqual(retryable('badResponse'))
    expect(error.publicMessage).not.toContain('function')
  })

  it.each([
    ['hangs', hangs],
    ['hangs and ignores its signal', ignoresSignal],
  ])('because it %s is aborted after ten seconds', async (_what, behaviour) => {
    const stage = await startSwaps()
    stage.venue.script.execute = behaviour
    const token = await stage.token()
    fakeTime()
    const call = refusalOf(stage.execute(token), 'INTERNAL')
    await untilAsked(stage.venue)
    await advance(10_000)
    expect((await call).details).toEqual(retryable('timeout'))
    expect(stage.venue.calls.execute[0]?.signal.aborted).toBe(true)
  })
})

describe('execute, while another process builds the same', () => {
  const LEASE_MS = 20_000

  /** The first process builds by `behaviour`, while the second finds the reservation and waits. */
  const startBusy = async (behaviour: FakeVenue['script']['execute']) => {
    const one = await startSwaps({ kind: 'DEPOSIT' })
    const two = await startSwaps({ kind: 'DEPOSIT' }, { store: one.store, clock: one.clock })
    one.venue.script.execute = behaviour
    const token = await one.token()
    fakeTime()
    const first = one.execute(token)
    first.catch(() => undefined)
    await untilAsked(one.venue)
    const reserve = vi.spyOn(one.store, 'transaction')
    const second = two.execute(token)
    second.catch(() => undefined)
    while (reserve.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
    return { first, second, two, clock: one.clock }
  }

  it.each([
    ['returns what the other process built', null, 0],
    ['builds when the other process failed', new VenueError('unavailable', 'down'), 1],
  ])('%s', async (_what, error, builds) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const { first, second, two } = await startBusy(() => promise)
    await advance(3_000)
    if (error) reject(error)
    else resolve()
    const statusRef = error ? void (await refusalOf(first, 'INTERNAL')) : (await first).statusRef
    await advance(200)
    realTime()
    expect((await second).statusRef).toEqual(statusRef ?? expect.any(String))
    expect(two.venue.calls.execute).toHaveLength(builds)
  })

  it('builds when the lease of a crashed process ends, and not a millisecond before [execute-repeat-same-payload]', async () => {
    const { second, two, clock } = await startBusy(ignoresSignal)
    clock.at += LEASE_MS - 1
    await advance(1_000)
    expect(two.venue.calls.execute).toEqual([])
    clock.at += 1
    await advance(200)
    realTime()
    expect(await second).toMatchObject({ payload: { executionType: 'DEPOSIT' } })
    expect(two.venue.calls.execute).toHaveLength(1)
  })

  it.each([
    ['fast', 0],
    ['slow', 1_000],
  ])('ends with a retryable INTERNAL when the other process takes over ten seconds, over a %s store', async (_what, delayMs) => {
    const stage = await startSwaps({ kind: 'DEPOSIT' })
    const token = await stage.token()
    fakeTime()
    const taken = () => new Promise<never>((resolve) => setTimeout(() => resolve(false as never), delayMs))
    const reserve = vi.spyOn(stage.store, 'transaction').mockImplementation(taken)
    const call = refusalOf(stage.execute(token), 'INTERNAL')
    while (reserve.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await advance(12_000)
    const reserved = reserve.mock.calls.length
    await advance(200_000)
    realTime()
    expect(await call).toMatchObject({ details: { venue: 'toy', kind: 'timeout', retryable: true }, isRetry: true })
    expect(reserve).toHaveBeenCalledTimes(reserved)
  })
})

describe('execute: a store that fails', () => {
  it.each<[string, MemoryStore['fails'], number]>([
    ['every call', () => true, 0],
    ['every write', isWrite, 0],
    ['the write of the swap', (call) => call === 'swaps.add', 1],
  ])('at %s returns no payload, and a repeated call succeeds [execute-venue-trouble-500]', async (_what, isFailing, builds) => {
    const stage = await startSwaps({ kind: 'DEPOSIT' })
    const token = await stage.token()
    stage.store.fails = isFailing
    expect((await refusalOf(stage.execute(token), 'INTERNAL')).details).toEqual({ retryable: true })
    expect(stage.venue.calls.execute).toHaveLength(builds)
    expect(stage.reported('swap.executed')).toEqual([])
    stage.store.fails = () => false
    expect(await stage.execute(token)).toMatchObject({ payload: { executionType: 'DEPOSIT' } })
    expect(stage.venue.calls.execute).toHaveLength(builds + 1)
  })
})

describe('a disabled venue', () => {
  /** A well-known development key; nobody's money. */
  const ALICE = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

  /** The same store before and after a restart that disables the venue. */
  const disable = async (kind: 'DEPOSIT' | 'SIGNATURE') => {
    const before = await startSwaps({ kind })
    const venues = [before.venue, createFakeVenue('other')]
    const after = await startSwaps({}, { venue: before.venue, venues, venuesEnabled: ['other'], store: before.store })
    return { before, after, venue: before.venue, token: await before.token() }
  }

  it('executes no quote, neither new nor executed before [execute-venue-disabled-410]', async () => {
    const { before, after, venue, token } = await disable('DEPOSIT')
    const removed = await startSwaps({}, { venues: [createFakeVenue('other')], store: before.store })
    const details = { venue: 'toy', reason: 'venueDisabled' }
    for (const stage of [after, removed])
      expect((await refusalOf(stage.execute(token), 'QUOTE_EXPIRED')).details).toEqual(details)
    await before.execute(token)
    expect((await refusalOf(after.execute(token), 'QUOTE_EXPIRED')).details).toEqual(details)
    expect(venue.calls.execute).toHaveLength(1)
  })

  it('is followed, and receives the signatures of executed swaps [execute-venue-disabled-410]', async () => {
    const { before, after, venue, token } = await disable('SIGNATURE')
    const { payload } = await before.execute(token)
    if (payload.executionType !== 'SIGNATURE') throw new TypeError('expected a SIGNATURE')
    const signature = await ALICE.signTypedData(payload.typedData as unknown as Parameters<typeof ALICE.signTypedData>[0])
    const submitted = await after.engine.submitSignature({ quoteToken: token, signature, approvalSignature: null }, after.context)
    expect(submitted).toEqual({ venue: 'toy', statusRef: 'toy-order-1' })
    expect(venue.calls.submit).toHaveLength(1)
    venue.script.track = async () => statusOf('processing')
    const status = await after.engine.status({ quoteToken: token, ref: 'toy-order-1' }, after.context)
    expect(status).toMatchObject({ venue: 'toy', isTracked: true, state: 'processing' })
  })

  it('is neither quoted nor part of the health, and excludeVenues may name it', async () => {
    const { after, venue } = await disable('DEPOSIT')
    expect((await after.quote()).venue.id).toBe('other')
    expect(venue.calls.quote).toHaveLength(1)
    expect((await after.engine.health()).venues.map(({ id }) => id)).toEqual(['other'])
    expect(after.engine.venueIds).toEqual(['toy', 'other'])
  })
})

describe('execute: proof', () => {
  const rule = { executionType: 'DEPOSIT', appliesTo: () => true, routes: 'all', reason: 'the toy says nothing' } as const
  const profile = { takesOnTrust: [{ ...rule, parts: ['recipient', 'minimum'] }] satisfies TrustRule[] }
  const PROVED: Proof = { recipient: 'proved', minimum: 'proved', refund: 'proved' }
  const TRUSTED: Proof = { ...PROVED, recipient: 'taken-on-trust', minimum: 'taken-on-trust' }
  const WITHOUT_REFUND: Proof = { ...PROVED, refund: 'not-applicable' }
  type Wish = { readonly isUnproved?: true; readonly sandbox?: true }

  it.each<[string, FakeVenueOptions, Wish, Proof, Proof]>([
    ['a proved DEPOSIT', { kind: 'DEPOSIT' }, {}, PROVED, PROVED],
    ['a TRANSACTION that leaves the input in the wallet', { kind: 'TRANSACTION' }, {}, WITHOUT_REFUND, WITHOUT_REFUND],
    ['a SIGNATURE that leaves the input in the wallet', { kind: 'SIGNATURE' }, {}, WITHOUT_REFUND, WITHOUT_REFUND],
    ['a DEPOSIT that rests on the report of the venue', { kind: 'DEPOSIT', profile }, { isUnproved: true }, TRUSTED, TRUSTED],
    ['a DEPOSIT that proves more than the quote could promise', { kind: 'DEPOSIT', profile }, {}, TRUSTED, PROVED],
    ['a DEPOSIT of the sandbox, as the quote promised', { kind: 'DEPOSIT', profile }, { sandbox: true }, TRUSTED, TRUSTED],
  ])('is returned on every call for %s [proof-reported]', async (_what, toy, { isUnproved, ...wish }, expected, proof) => {
    const stage = await startSwaps(toy)
    if (isUnproved)
      stage.venue.script.decode = async ({ output, ...claims }) => {
        return { ...claims, recipient: 'unproved', output: { ...output, minimum: { told: 995_000n } } }
      }
    const { quoteToken, expectedProof } = await stage.quote(orderOn(ROUTES.evm, wish))
    expect(expectedProof).toEqual(expected)
    for (let call = 0; call < 2; call += 1) expect((await stage.execute(quoteToken)).proof).toEqual(proof)
  })

  it('is that of the profile for a swap that was stored without one', async () => {
    const clock = createTestClock()
    const store = createMemoryStore(clock)
    const find: SwapStore['find'] = async (quoteId, bindingKey) => {
      const record = await store.swaps.find(quoteId, bindingKey)
      return record && ({ ...record, swap: { ...record.swap, proof: undefined } } as never)
    }
    const stage = await startSwaps({ kind: 'DEPOSIT', profile }, { clock, store: { ...store, swaps: { ...store.swaps, find } } })
    const token = await stage.token()
    expect((await stage.execute(token)).proof).toEqual(PROVED)
    expect((await stage.execute(token)).proof).toEqual(TRUSTED)
  })
})
