import { afterEach, describe, expect, it, vi } from 'vitest'
import { toAmount } from '../../../engine/core/amount.ts'
import type { BuiltSwap } from '../../../engine/core/answers.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import type { Order } from '../../../engine/core/order.ts'
import { VenueError, type VenueErrorKind, type VenueErrorOptions } from '../../../engine/venues/venueError.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { chainFails, createFakeChains, pair, TOKENS } from '../../support/fakeChains.ts'
import {
  addressFor,
  createFakeVenue,
  type FakeVenue,
  fails,
  hangs,
  ignoresSignal,
  offers,
  TOY_CONTRACT,
} from '../../support/fakeVenue.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import {
  createTestClock,
  createTestEngine,
  refusalOf,
  START_AT,
  type TestEngine,
  type TestEngineOptions,
} from '../../support/testEngine.ts'

const evm = (wish: Partial<Order> = {}): Order => ({
  ...anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n }),
  ...wish,
})
const toSolana = (): Order => anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcSolana), amount: 1_000_000n })
const fromBitcoin = (): Order => anOrder({ from: [-1, 'BTC'], to: pair(TOKENS.usdcEthereum), amount: 50_000n })

const closers: (() => Promise<void> | void)[] = []

afterEach(async () => {
  realTime()
  for (const close of closers.splice(0).reverse()) await close()
})

const start = async (options: TestEngineOptions): Promise<TestEngine> => {
  const engine = await createTestEngine(options)
  closers.push(() => engine.close())
  return engine
}

const now = () => START_AT
const toy = (options: Parameters<typeof createFakeVenue>[1] = {}) => createFakeVenue('toy', { now, ...options })

const quoteOf = async ({ engine, context }: TestEngine, order: Order): Promise<string> =>
  (await engine.quote(order, context)).quoteToken

const execute = (
  { engine, context }: TestEngine,
  quoteToken: string,
  given: { destinationAddress?: string; refundAddress?: string } = {},
): Promise<BuiltSwap> => engine.execute({ quoteToken, destinationAddress: null, refundAddress: null, ...given }, context)

describe('execute', () => {
  it.each([
    ['TRANSACTION', { executionType: 'TRANSACTION', transaction: { chainId: 1, to: TOY_CONTRACT, value: 0n } }, null],
    ['SIGNATURE', { executionType: 'SIGNATURE', chainId: 1, approvalData: null }, null],
    [
      'DEPOSIT',
      { executionType: 'DEPOSIT', deposit: { chainId: 1, amount: 1_000_000n }, token: TOKENS.usdcEthereum },
      expect.stringMatching(/^0x/),
    ],
  ] as const)('hands out a proved %s', async (kind, payload, statusRef) => {
    const engine = await start({ venues: [toy({ kind })] })
    const swap = await execute(engine, await quoteOf(engine, evm()))
    expect(swap.payload).toMatchObject(payload)
    expect(swap.statusRef).toEqual(statusRef)
    if (swap.payload.executionType === 'DEPOSIT') expect(swap.statusRef).toBe(swap.payload.deposit.address)
    expect(engine.reported('swap.executed')).toMatchObject([
      { requestId: 'req-1', venue: 'toy', executionType: kind, repeated: false },
    ])
  })

  it('hands out a DEPOSIT after the chain of its token was read, and opens one deposit only', async () => {
    const [chains, venue] = [createFakeChains(), toy({ kind: 'DEPOSIT' })]
    const engine = await start({ venues: [venue], chains })
    const token = await quoteOf(engine, evm())
    const read = chains.script.token
    chains.script.token = chainFails('unreachable', 1)
    const { details } = await refusalOf(execute(engine, token), 'INTERNAL')
    expect(details).toEqual({ chainId: 1, retryable: true })
    chains.script.token = read
    expect((await execute(engine, token)).payload).toMatchObject({ token: TOKENS.usdcEthereum })
    expect(venue.calls.execute).toHaveLength(1)
  })

  it('sends coins along with a transaction that pays in them', async () => {
    const engine = await start({ venues: [toy()] })
    const { payload, approval } = await execute(
      engine,
      await quoteOf(engine, anOrder({ from: [1, NATIVE], to: pair(TOKENS.usdcArbitrum), amount: 77n })),
    )
    expect(payload).toMatchObject({ transaction: { value: 77n } })
    expect(approval).toBeNull()
  })

  it('hands the venue the order as sealed, its carry and the parties', async () => {
    const venue = toy({ quote: offers(500n, { carry: { v: 1, quoteId: 'venue-7' } }) })
    const engine = await start({ venues: [venue], caller: { feeBps: 20 } })
    const order = evm()
    await execute(engine, await quoteOf(engine, order))
    expect(venue.calls.execute).toHaveLength(1)
    expect(venue.calls.execute[0]?.sealed.order).toEqual({ ...order, feeBps: 20 })
    expect(venue.calls.execute[0]?.sealed.offer).toMatchObject({ outputAmount: 500n, carry: { v: 1, quoteId: 'venue-7' } })
    expect(venue.calls.execute[0]?.binding).toEqual({ recipient: WALLETS.evm, refundTo: WALLETS.evm })
  })

  it.each([
    ['malformed', 'nonsense'],
    ['empty', ''],
  ])('refuses a %s token', async (_what, token) => {
    const engine = await start({ venues: [toy()] })
    await refusalOf(execute(engine, token), 'QUOTE_INVALID')
  })

  it('works until the millisecond before expiresAt and is QUOTE_EXPIRED exactly at it [execute-expired-410]', async () => {
    const engine = await start({ venues: [toy()] })
    const { quoteToken, expiresAt } = await engine.engine.quote(evm(), engine.context)
    engine.clock.at = expiresAt - 1
    await execute(engine, quoteToken)
    engine.clock.at = expiresAt
    const { details } = await refusalOf(execute(engine, quoteToken), 'QUOTE_EXPIRED')
    expect(details).toEqual({ expiresAt })
  })

  it('answers QUOTE_EXPIRED for a venue that is no longer there', async () => {
    const before = await start({ venues: [toy()] })
    const token = await quoteOf(before, evm())
    const after = await start({ venues: [createFakeVenue('other')] })
    expect((await refusalOf(execute(after, token), 'QUOTE_EXPIRED')).details).toEqual({ venue: 'toy', reason: 'venueDisabled' })
  })

  it('asks for the approval still missing at that time, and not for one that was given [execute-repeat-same-payload]', async () => {
    const chains = createFakeChains()
    const engine = await start({ venues: [toy()], chains })
    const token = await quoteOf(engine, evm())
    chains.allow(TOY_CONTRACT, 1_000_000n)
    expect((await execute(engine, token)).approval).toBeNull()
    chains.allow(TOY_CONTRACT, 999_999n)
    expect((await execute(engine, await quoteOf(engine, evm()))).approval).toMatchObject({
      amount: 1_000_000n,
      spender: TOY_CONTRACT,
      reset: null,
    })
    const usdt = anOrder({ from: pair(TOKENS.usdtEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
    expect((await execute(engine, await quoteOf(engine, usdt))).approval?.reset).toMatchObject({
      to: TOKENS.usdtEthereum.address,
      value: 0n,
    })
  })

  it('resets no allowance that is nothing already', async () => {
    const engine = await start({ venues: [toy()] })
    const usdt = anOrder({ from: pair(TOKENS.usdtEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
    const { approval } = await execute(engine, await quoteOf(engine, usdt))
    expect(approval).toMatchObject({ amount: 1_000_000n, reset: null })
    expect(engine.chains.calls.map(({ method }) => method)).not.toContain('refusesReapproval')
  })

  it('asks for the approval when the chain cannot be read, and says so in the log', async () => {
    const chains = createFakeChains()
    const engine = await start({ venues: [toy()], chains })
    const token = await quoteOf(engine, evm())
    chains.script.allowance = chainFails('unreachable', 1)
    expect((await execute(engine, token)).approval).toMatchObject({ amount: 1_000_000n, reset: null })
    expect(engine.reported('chain.unread')).toMatchObject([{ requestId: 'req-1', chainId: 1, what: 'allowance' }])
  })

  it('does not hide a defect of ours behind an approval', async () => {
    const chains = createFakeChains()
    const engine = await start({ venues: [toy()], chains })
    const token = await quoteOf(engine, evm())
    chains.script.allowance = () => Promise.reject(new TypeError('a bug'))
    await expect(execute(engine, token)).rejects.toThrow(TypeError)
  })
})

describe('a preview', () => {
  const baked = { bindsAtQuote: { recipient: ['crossEcosystem'], refundTo: ['fromBitcoin'] } } as const

  it('is QUOTE_NOT_EXECUTABLE and lists every address that is missing', async () => {
    const venue = toy({ kind: 'DEPOSIT', profile: baked })
    const engine = await start({ venues: [venue] })
    const token = await quoteOf(engine, fromBitcoin())
    const { details } = await refusalOf(
      execute(engine, token, { destinationAddress: WALLETS.evm, refundAddress: WALLETS.bitcoin }),
      'QUOTE_NOT_EXECUTABLE',
    )
    expect(details).toEqual({ missing: ['destinationAddress', 'refundAddress'] })
    expect(venue.calls.execute).toEqual([])
  })
})

describe('the parties of a swap [execute-late-addresses]', () => {
  const baked = { bindsAtQuote: { recipient: ['always'], refundTo: ['always'] } } as const
  const bindingOf = (venue: ReturnType<typeof toy>) => venue.calls.execute.at(-1)?.binding

  it('need a destination that the quote did not name', async () => {
    const venue = toy({ kind: 'DEPOSIT' })
    const engine = await start({ venues: [venue] })
    const token = await quoteOf(engine, toSolana())
    const { details } = await refusalOf(execute(engine, token), 'INVALID_REQUEST')
    expect(details).toMatchObject({ fields: [{ path: 'destinationAddress' }] })
    await execute(engine, token, { destinationAddress: WALLETS.solana })
    expect(bindingOf(venue)).toEqual({ recipient: WALLETS.solana, refundTo: WALLETS.evm })
  })

  it('may be changed at execute time where the venue binds late, spelled canonically', async () => {
    const venue = toy({ kind: 'DEPOSIT' })
    const engine = await start({ venues: [venue] })
    const token = await quoteOf(engine, { ...evm(), recipient: WALLETS.evmOther })
    await execute(engine, token, { destinationAddress: WALLETS.evm.toLowerCase(), refundAddress: WALLETS.evmOther.toLowerCase() })
    expect(bindingOf(venue)).toEqual({ recipient: WALLETS.evm, refundTo: WALLETS.evmOther })
    await execute(engine, token)
    expect(bindingOf(venue)).toEqual({ recipient: WALLETS.evmOther, refundTo: WALLETS.evm })
  })

  it('stay as quoted where the venue fixed them, and other addresses are listed as ignored', async () => {
    const venue = toy({ kind: 'DEPOSIT', profile: baked })
    const engine = await start({ venues: [venue] })
    const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcSolana), amount: 9n, recipient: WALLETS.solana })
    const token = await quoteOf(engine, order)
    const thief = addressFor('solana', 'thief')
    const swap = await execute(engine, token, { destinationAddress: thief, refundAddress: WALLETS.evmOther })
    expect(swap.ignored).toEqual(['destinationAddress', 'refundAddress'])
    expect(bindingOf(venue)).toEqual({ recipient: WALLETS.solana, refundTo: WALLETS.evm })
    const asQuoted = { destinationAddress: WALLETS.solana, refundAddress: WALLETS.evm.toLowerCase() }
    expect(await execute(engine, token, asQuoted)).toEqual({ ...swap, ignored: [] })
  })

  it.each([
    ['a wrong checksum', 'destinationAddress', '0xf39fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    ['an address of another ecosystem', 'destinationAddress', 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE'],
    ['the zero address', 'destinationAddress', '0x0000000000000000000000000000000000000000'],
    ['the marker of the native coin', 'destinationAddress', NATIVE],
    ['nothing', 'destinationAddress', ''],
    ['the zero address', 'refundAddress', '0x0000000000000000000000000000000000000000'],
    ['the marker of the native coin', 'refundAddress', NATIVE],
    ['nonsense', 'refundAddress', 'me'],
  ])('are refused by name, also where the venue fixed them: %s as %s', async (_what, path, address) => {
    for (const venue of [toy({ kind: 'DEPOSIT' }), toy({ kind: 'DEPOSIT', profile: baked }), toy()]) {
      const engine = await start({ venues: [venue] })
      const { details } = await refusalOf(execute(engine, await quoteOf(engine, evm()), { [path]: address }), 'INVALID_REQUEST')
      expect(details).toMatchObject({ fields: [{ path }] })
      expect(venue.calls.execute).toEqual([])
    }
  })

  it('are refused on Solana when nobody can hold the key', async () => {
    const engine = await start({ venues: [toy({ kind: 'DEPOSIT' })] })
    const token = await quoteOf(engine, toSolana())
    await refusalOf(execute(engine, token, { destinationAddress: '1'.repeat(32) }), 'INVALID_REQUEST')
  })

  it('are refused all at once', async () => {
    const engine = await start({ venues: [toy({ kind: 'DEPOSIT' })] })
    const { details } = await refusalOf(
      execute(engine, await quoteOf(engine, evm()), { destinationAddress: 'a', refundAddress: 'b' }),
      'INVALID_REQUEST',
    )
    expect((details as { fields: { path: string }[] }).fields.map(({ path }) => path)).toEqual([
      'destinationAddress',
      'refundAddress',
    ])
  })

  it('on Bitcoin fall back to the sender for a refund that binds late', async () => {
    const venue = toy({ kind: 'DEPOSIT' })
    const engine = await start({ venues: [venue] })
    await execute(engine, await quoteOf(engine, fromBitcoin()), { destinationAddress: WALLETS.evm })
    expect(bindingOf(venue)).toEqual({ recipient: WALLETS.evm, refundTo: WALLETS.bitcoin })
  })
})

describe('the same execute call again [execute-repeat-same-payload]', () => {
  it('answers with the same deposit and asks the venue once', async () => {
    const venue = toy({ kind: 'DEPOSIT' })
    const engine = await start({ venues: [venue] })
    const token = await quoteOf(engine, evm())
    const first = await execute(engine, token)
    expect(await execute(engine, token)).toEqual(first)
    expect(await execute(engine, token, { destinationAddress: WALLETS.evm.toLowerCase() })).toEqual(first)
    expect(venue.calls.execute).toHaveLength(1)
    expect(engine.reported('swap.executed').map(({ repeated }) => repeated)).toEqual([false, true, true])
  })

  it('looks again whether the approval is still missing', async () => {
    const chains = createFakeChains()
    const engine = await start({ venues: [toy()], chains })
    const token = await quoteOf(engine, evm())
    const first = await execute(engine, token)
    chains.allow(TOY_CONTRACT, 1_000_000n)
    expect(await execute(engine, token)).toEqual({ ...first, approval: null })
    expect(first.approval).not.toBeNull()
  })

  it('at the same time asks the venue once too', async () => {
    const venue = toy({ kind: 'DEPOSIT' })
    const engine = await start({ venues: [venue] })
    const token = await quoteOf(engine, evm())
    const swaps = await Promise.all(Array.from({ length: 10 }, () => execute(engine, token)))
    expect(new Set(swaps.map(({ statusRef }) => statusRef)).size).toBe(1)
    expect(venue.calls.execute).toHaveLength(1)
  })

  it('after a restart asks the venue not at all', async () => {
    const before = await createTestEngine({ venues: [toy({ kind: 'DEPOSIT' })] })
    const token = await quoteOf(before, evm())
    const first = await execute(before, token)
    await before.close()
    const venue = toy({ kind: 'DEPOSIT' })
    const after = await start({ venues: [venue], store: before.store })
    expect(await execute(after, token)).toEqual(first)
    expect(venue.calls.execute).toEqual([])
  })

  it.each([
    ['a quote', {}],
    ['a sandbox quote', { sandbox: true }],
  ])('by two processes over one store asks the venue once, for %s', async (_what, wish) => {
    const [venue, venueToo] = [toy({ kind: 'DEPOSIT' }), toy({ kind: 'DEPOSIT' })]
    const engine = await start({ venues: [venue] })
    const beside = await start({ venues: [venueToo], store: engine.store })
    const token = await quoteOf(engine, evm(wish))
    const { promise: bothAsk, resolve: ask } = Promise.withResolvers<void>()
    const { transaction } = engine.store
    let asked = 0
    vi.spyOn(engine.store, 'transaction').mockImplementation(async (work) => {
      asked += 1
      if (asked === 2) ask()
      await bothAsk
      return transaction(work)
    })
    const [a, b] = await Promise.all([execute(engine, token), execute(beside, token)])
    expect(a.statusRef).toBe(b.statusRef)
    expect([...venue.calls.execute, ...venueToo.calls.execute]).toHaveLength('sandbox' in wish ? 0 : 1)
    const repeats = [engine, beside].flatMap(({ reported }) => reported('swap.executed').map(({ repeated }) => repeated))
    expect(repeats.sort()).toEqual([false, true])
  })

  it('that another process ends between the look and the reservation asks the venue once', async () => {
    const [venue, venueToo] = [toy({ kind: 'DEPOSIT' }), toy({ kind: 'DEPOSIT' })]
    const engine = await start({ venues: [venue] })
    const beside = await start({ venues: [venueToo], store: engine.store })
    const token = await quoteOf(engine, evm())
    const { transaction } = engine.store
    vi.spyOn(engine.store, 'transaction').mockImplementationOnce(async (work) => {
      await execute(beside, token)
      return transaction(work)
    })
    await execute(engine, token)
    expect([venue.calls.execute.length, venueToo.calls.execute.length]).toEqual([0, 1])
  })

  it('for another recipient is a swap of its own', async () => {
    const venue = toy({ kind: 'DEPOSIT' })
    const engine = await start({ venues: [venue] })
    const token = await quoteOf(engine, evm())
    const [mine, theirs, refunded] = [
      await execute(engine, token),
      await execute(engine, token, { destinationAddress: WALLETS.evmOther }),
      await execute(engine, token, { refundAddress: WALLETS.evmOther }),
    ]
    expect(new Set([mine, theirs, refunded].map(({ statusRef }) => statusRef)).size).toBe(3)
    expect(venue.calls.execute).toHaveLength(3)
  })

  it('of another quote is a swap of its own', async () => {
    const venue = toy({ kind: 'DEPOSIT' })
    const engine = await start({ venues: [venue] })
    const [a, b] = [await execute(engine, await quoteOf(engine, evm())), await execute(engine, await quoteOf(engine, evm()))]
    expect(a.statusRef).not.toBe(b.statusRef)
  })

  it('after a failure asks the venue again', async () => {
    const venue = toy({ kind: 'DEPOSIT' })
    venue.script.execute = fails(new VenueError('unavailable', 'down'))
    const engine = await start({ venues: [venue] })
    const token = await quoteOf(engine, evm())
    await refusalOf(execute(engine, token), 'INTERNAL')
    venue.script.execute = async () => undefined
    await execute(engine, token)
    expect(venue.calls.execute).toHaveLength(2)
  })
})

describe('a price that moved since the quote [execute-expired-410]', () => {
  const built =
    (change: Partial<Execution>) =>
    (execution: Execution): Execution => ({ ...execution, ...change })
  const bound = (guaranteedMin: bigint) => ({ bps: 50, isFirm: true, guaranteedMin: toAmount(guaranteedMin) })

  it.each<[string, Partial<Execution>]>([
    ['the output fell below the guarantee', { outputAmount: toAmount(994_999n) }],
    ['the guarantee fell', { slippage: bound(994_999n) }],
    ['the guarantee is gone', { slippage: null }],
  ])('is QUOTE_EXPIRED: %s', async (_what, change) => {
    const venue = toy()
    venue.script.alter = built(change)
    const engine = await start({ venues: [venue] })
    const { details } = await refusalOf(execute(engine, await quoteOf(engine, evm())), 'QUOTE_EXPIRED')
    expect(details).toEqual({ venue: 'toy', reason: 'priceMoved' })
  })

  it('within the guarantee is still the quoted price', async () => {
    const venue = toy()
    venue.script.alter = built({ outputAmount: toAmount(995_000n), slippage: bound(995_000n) })
    const engine = await start({ venues: [venue] })
    await execute(engine, await quoteOf(engine, evm()))
  })

  it('for the better is no reason to refuse', async () => {
    const venue = toy()
    venue.script.alter = built({ outputAmount: toAmount(2_000_000n) })
    const engine = await start({ venues: [venue] })
    await execute(engine, await quoteOf(engine, evm()))
  })

  it("for the better by the venue's word, but not by the bytes, is refused", async () => {
    const venue = toy()
    venue.script.alter = built({ outputAmount: toAmount(2_000_000n), slippage: bound(1_999_000n) })
    const engine = await start({ venues: [venue] })
    await refusalOf(execute(engine, await quoteOf(engine, evm())), 'INTERNAL')
    expect(engine.reported('payload.refused')).toMatchObject([{ mismatches: ['output.minimum'] }])
  })
})

describe('a venue that cannot build', () => {
  const attempt = async (kind: VenueErrorKind, options: VenueErrorOptions = {}) => {
    const venue = toy()
    venue.script.execute = fails(new VenueError(kind, 'secret words of the venue', options))
    const engine = await start({ venues: [venue] })
    const error = await refusalOf(execute(engine, await quoteOf(engine, evm())))
    expect(engine.called('execute')).toMatchObject([
      { event: 'venue.call', requestId: 'req-1', venue: 'toy', call: 'execute', kind, reason: 'secret words of the venue' },
    ])
    expect(JSON.stringify([error.publicMessage, error.details])).not.toContain('secret words')
    return error
  }

  it.each(['unsupportedPair', 'amountTooSmall', 'amountTooLarge', 'noLiquidity'] as const)(
    'because of %s means a fresh quote [execute-expired-410]',
    async (kind) => {
      expect(await attempt(kind)).toMatchObject({ code: 'QUOTE_EXPIRED', details: { venue: 'toy', reason: kind } })
    },
  )

  it.each([
    ['sender', 'userAddress'],
    ['recipient', 'destinationAddress'],
    ['refundTo', 'refundAddress'],
    ['slippageBps', 'slippageBps'],
  ] as const)('because it refuses the %s names the field %s', async (party, path) => {
    expect(await attempt('badRequest', { party })).toMatchObject({ code: 'INVALID_REQUEST', details: { fields: [{ path }] } })
  })

  it.each(['rateLimited', 'unavailable', 'timeout', 'badResponse'] as const)(
    'because of %s is INTERNAL naming it, to be tried again [execute-venue-trouble-500]',
    async (kind) => {
      const error = await attempt(kind)
      expect(error).toMatchObject({ code: 'INTERNAL', details: { venue: 'toy', kind, retryable: true } })
      expect(error.publicMessage).toContain('toy')
    },
  )

  it('for a request it will never take is INTERNAL and not to be tried again', async () => {
    expect(await attempt('badRequest')).toMatchObject({
      code: 'INTERNAL',
      details: { venue: 'toy', kind: 'badRequest', retryable: false },
    })
  })

  it('because its adapter broke is INTERNAL naming it', async () => {
    const venue = toy()
    venue.script.execute = fails(new TypeError('x is not a function'))
    const engine = await start({ venues: [venue] })
    const error = await refusalOf(execute(engine, await quoteOf(engine, evm())), 'INTERNAL')
    expect(error.details).toEqual({ venue: 'toy', kind: 'badResponse', retryable: true })
    expect(error.publicMessage).not.toContain('function')
  })

  it.each([
    ['hangs', hangs],
    ['hangs and ignores its signal', ignoresSignal],
  ])('because it %s is cut after ten seconds [execute-venue-trouble-500]', async (_what, behaviour) => {
    const venue = toy()
    venue.script.execute = behaviour
    const engine = await start({ venues: [venue] })
    const token = await quoteOf(engine, evm())
    fakeTime()
    const call = refusalOf(execute(engine, token), 'INTERNAL')
    while (venue.calls.execute.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await advance(10_000)
    expect((await call).details).toEqual({ venue: 'toy', kind: 'timeout', retryable: true })
    expect(venue.calls.execute[0]?.signal.aborted).toBe(true)
  })
})

describe('an execute while another process builds the same', () => {
  const LEASE_MS = 20_000

  /** The first of two processes is asked, and its venue answers as told. */
  const busy = async (behaviour: FakeVenue['script']['execute']) => {
    const [venue, venueToo] = [toy({ kind: 'DEPOSIT' }), toy({ kind: 'DEPOSIT' })]
    venue.script.execute = behaviour
    const clock = createTestClock()
    const engine = await start({ venues: [venue], clock })
    const beside = await start({ venues: [venueToo], clock, store: engine.store })
    const token = await quoteOf(engine, evm())
    fakeTime()
    const first = execute(engine, token)
    first.catch(() => undefined)
    while (venue.calls.execute.length === 0) await new Promise((resolve) => setImmediate(resolve))
    /** The second is asked as well, and finds that it has to wait. */
    const waiting = async () => {
      const reserve = vi.spyOn(engine.store, 'transaction')
      const second = execute(beside, token)
      second.catch(() => undefined)
      while (reserve.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
      return { second }
    }
    return { first, venueToo, clock, ...(await waiting()) }
  }

  it('waits for what that one builds', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { first, second, venueToo } = await busy(() => promise)
    await advance(3_000)
    resolve()
    const { statusRef } = await first
    await advance(200)
    realTime()
    expect((await second).statusRef).toBe(statusRef)
    expect(venueToo.calls.execute).toEqual([])
  })

  it('builds it when that one failed', async () => {
    const { promise, reject } = Promise.withResolvers<void>()
    const { first, second, venueToo } = await busy(() => promise)
    await advance(3_000)
    reject(new VenueError('unavailable', 'down'))
    await refusalOf(first, 'INTERNAL')
    await advance(200)
    realTime()
    await second
    expect(venueToo.calls.execute).toHaveLength(1)
  })

  it('takes over from one that crashed, when its lease is over and not before [execute-repeat-same-payload]', async () => {
    const { second, venueToo, clock } = await busy(ignoresSignal)
    clock.at += LEASE_MS - 1
    await advance(1_000)
    expect(venueToo.calls.execute).toEqual([])
    clock.at += 1
    await advance(200)
    realTime()
    expect(await second).toMatchObject({ payload: { executionType: 'DEPOSIT' } })
    expect(venueToo.calls.execute).toHaveLength(1)
  })

  it('ends when that one takes longer than a build may, and says that it can be repeated', async () => {
    const engine = await start({ venues: [toy({ kind: 'DEPOSIT' })] })
    const token = await quoteOf(engine, evm())
    const reserve = vi.spyOn(engine.store, 'transaction').mockResolvedValue(false)
    fakeTime()
    const call = refusalOf(execute(engine, token), 'INTERNAL')
    while (reserve.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await advance(11_000)
    realTime()
    expect(await call).toMatchObject({ details: { venue: 'toy', kind: 'timeout', retryable: true }, isRetry: true })
  })
})

describe('an execute while another process builds the same, over a store that is slow', () => {
  it('waits no longer for that: what the store takes counts too', async () => {
    const engine = await start({ venues: [toy({ kind: 'DEPOSIT' })] })
    const token = await quoteOf(engine, evm())
    fakeTime()
    const slow = () => new Promise<never>((resolve) => setTimeout(() => resolve(false as never), 1_000))
    const reserve = vi.spyOn(engine.store, 'transaction').mockImplementation(slow)
    const call = refusalOf(execute(engine, token), 'INTERNAL')
    while (reserve.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await advance(12_000)
    const asked = reserve.mock.calls.length
    await advance(200_000)
    realTime()
    expect((await call).details).toEqual({ venue: 'toy', kind: 'timeout', retryable: true })
    expect(reserve).toHaveBeenCalledTimes(asked)
  })
})

describe('a store in trouble [execute-venue-trouble-500]', () => {
  it('hands out no payload', async () => {
    const venue = toy({ kind: 'DEPOSIT' })
    const engine = await start({ venues: [venue] })
    const token = await quoteOf(engine, evm())
    engine.store.fails = () => true
    expect((await refusalOf(execute(engine, token), 'INTERNAL')).details).toEqual({ retryable: true })
    expect(venue.calls.execute).toEqual([])
    expect(engine.reported('swap.executed')).toEqual([])
  })

  it('that fails only to write hands out no payload either', async () => {
    const venue = toy({ kind: 'DEPOSIT' })
    const engine = await start({ venues: [venue] })
    const token = await quoteOf(engine, evm())
    engine.store.fails = (call) => call === 'swaps.add'
    await refusalOf(execute(engine, token), 'INTERNAL')
    expect(venue.calls.execute).toHaveLength(1)
    engine.store.fails = () => false
    await execute(engine, token)
    expect(venue.calls.execute).toHaveLength(2)
  })
})
