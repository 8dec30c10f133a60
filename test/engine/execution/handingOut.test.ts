import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Address } from '../../../engine/core/address.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import type { BuiltSwap } from '../../../engine/core/answers.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import type { Order } from '../../../engine/core/order.ts'
import type { SwapKeyKind } from '../../../engine/core/swap.ts'
import { openSqliteStore } from '../../../engine/store/sqliteStore.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { addressFor, createFakeVenue, type FakeVenue, sealed } from '../../support/fakeVenue.ts'
import { PLACES } from '../../support/stores.ts'
import {
  createTestClock,
  createTestEngine,
  refusalOf,
  START_AT,
  type TestEngine,
  type TestEngineOptions,
} from '../../support/testEngine.ts'

const closers: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const start = async (options: TestEngineOptions): Promise<TestEngine> => {
  const engine = await createTestEngine(options)
  closers.push(() => engine.close())
  return engine
}

/** Two processes over the same records. */
const startBoth = async (makePlace: (typeof PLACES)[number][1], venues: readonly [FakeVenue, FakeVenue]) => {
  const clock = createTestClock()
  const place = await makePlace()
  closers.push(() => place.remove())
  const open = async () => (await place.open(clock)) as TestEngine['store']
  const one = await start({ venues: [venues[0]], store: await open(), clock })
  return [one, await start({ venues: [venues[1]], store: await open(), clock })] as const
}

type Options = Parameters<typeof createFakeVenue>[1]
const toy = (options: Options = {}, now = () => START_AT) => createFakeVenue('toy', { now, kind: 'DEPOSIT', ...options })

const plain = (wish: Partial<Order> = {}): Order => ({
  ...anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n }),
  ...wish,
})
const fromBitcoin = (): Order => anOrder({ from: [-1, 'BTC'], to: pair(TOKENS.usdcEthereum), amount: 50_000n })
const fromSolana = (): Order =>
  anOrder({ from: pair(TOKENS.usdcSolana), to: pair(TOKENS.usdcEthereum), amount: 50_000n, recipient: WALLETS.evm })

const quoteOf = async ({ engine, context }: TestEngine, order: Order): Promise<string> =>
  (await engine.quote(order, context)).quoteToken

type Given = { readonly destinationAddress?: string; readonly refundAddress?: string }
const execute = ({ engine, context }: TestEngine, quoteToken: string, given: Given = {}): Promise<BuiltSwap> =>
  engine.execute({ quoteToken, destinationAddress: null, refundAddress: null, ...given }, context)

const executed = async (engine: TestEngine, order: Order = plain()): Promise<BuiltSwap> =>
  execute(engine, await quoteOf(engine, order))

const wallet = (i: number): string => addressFor('evm', `wallet ${i}`)

describe('one quote', () => {
  it('is executed with eight recipients; the ninth is refused by name, before its venue is asked [execute-concurrent-once]', async () => {
    const venue = toy()
    const engine = await start({ venues: [venue] })
    const token = await quoteOf(engine, plain())
    for (let i = 0; i < 8; i += 1) await execute(engine, token, { destinationAddress: wallet(i) })
    const { details } = await refusalOf(execute(engine, token, { destinationAddress: wallet(8) }), 'INVALID_REQUEST')
    expect(details).toMatchObject({ fields: [{ path: 'destinationAddress' }] })
    expect(venue.calls.execute).toHaveLength(8)
  })

  it.each<[string, (i: number) => Given, Given, readonly string[]]>([
    ['refund address', (i) => ({ refundAddress: wallet(i) }), { refundAddress: wallet(8) }, ['refundAddress']],
    [
      'pair of which both are new',
      (i) => ({ destinationAddress: wallet(i) }),
      { destinationAddress: wallet(8), refundAddress: wallet(9) },
      ['destinationAddress', 'refundAddress'],
    ],
    [
      'pair of which each was used before',
      (i) => ({ destinationAddress: wallet(i), refundAddress: wallet(i) }),
      { destinationAddress: wallet(0), refundAddress: wallet(1) },
      ['destinationAddress', 'refundAddress'],
    ],
  ])('names the field of a ninth %s', async (_what, given, ninth, paths) => {
    const engine = await start({ venues: [toy()] })
    const token = await quoteOf(engine, plain())
    for (let i = 0; i < 8; i += 1) await execute(engine, token, given(i))
    const { details } = await refusalOf(execute(engine, token, ninth), 'INVALID_REQUEST')
    expect((details as { fields: { path: string }[] }).fields.map(({ path }) => path)).toEqual(paths)
  })

  it('answers the eight again, and counts no failed build', async () => {
    const venue = toy()
    const engine = await start({ venues: [venue] })
    const token = await quoteOf(engine, plain())
    const first = await execute(engine, token, { destinationAddress: wallet(0) })
    venue.script.execute = () => Promise.reject(new VenueError('unavailable', 'down'))
    for (let i = 10; i < 20; i += 1) await refusalOf(execute(engine, token, { destinationAddress: wallet(i) }), 'INTERNAL')
    venue.script.execute = async () => undefined
    for (let i = 1; i < 8; i += 1) await execute(engine, token, { destinationAddress: wallet(i) })
    expect(await execute(engine, token, { destinationAddress: wallet(0).toLowerCase() })).toEqual(first)
    expect(venue.calls.execute).toHaveLength(18)
  })

  it('counts no fresh transaction for a dead blockhash, which may be told by what told the dead one', async () => {
    let told = 'first'
    const toldApartBy = async () => [{ kind: 'orderId', value: told }] as const
    const venue = toy({ kind: 'TRANSACTION', profile: { toldApartBy } })
    const engine = await start({ venues: [venue] })
    const token = await quoteOf(engine, { ...fromSolana(), broadcastViaService: true })
    engine.solana.script.isBlockhashValid = async () => false
    for (let i = 0; i < 12; i += 1) await execute(engine, token)
    for (let i = 1; i < 8; i += 1) {
      told = `other ${i}`
      await execute(engine, token, { destinationAddress: wallet(i) })
    }
    await refusalOf(execute(engine, token, { destinationAddress: wallet(8) }), 'INVALID_REQUEST')
    told = 'first'
    await execute(engine, token)
    expect(venue.calls.execute).toHaveLength(20)
  })

  it.each(PLACES)('is executed eight times of twelve at once, by two processes over one %s', async (_where, makePlace) => {
    const venues = [toy(), toy()] as const
    const [one, two] = await startBoth(makePlace, venues)
    // Theirs would otherwise be the same addresses.
    let others = 0
    venues[1].script.alter = (execution) => {
      others += 1
      return otherAddress(execution, `other ${others}`)
    }
    const token = await quoteOf(one, plain())
    const calls = Array.from({ length: 12 }, (_, i) => execute(i % 2 ? one : two, token, { destinationAddress: wallet(i) }))
    const outcomes = await Promise.allSettled(calls)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(8)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'INVALID_REQUEST' })
    expect(venues[0].calls.execute.length + venues[1].calls.execute.length).toBe(8)
  })

  it.each(PLACES)(
    'is executed once by two processes over one %s that are asked at once: all are told the same [execute-concurrent-once]',
    async (_where, makePlace) => {
      const venues = [toy(), toy()] as const
      const [one, two] = await startBoth(makePlace, venues)
      venues[1].script.alter = (execution) => otherAddress(execution, 'of the second')
      const token = await quoteOf(one, plain())
      const [first, ...others] = await Promise.all(Array.from({ length: 10 }, (_, i) => execute(i % 2 ? one : two, token)))
      for (const other of others) expect(addressOf(other)).toBe(addressOf(first as BuiltSwap))
      expect(venues[0].calls.execute.length + venues[1].calls.execute.length).toBe(1)
    },
  )
})

type Evidence = { readonly words: { readonly [word: string]: string } }

/** As the toy venue would have built and sealed it for another address. */
const otherAddress = (execution: Execution, text: string): Execution => withAddress(execution, addressFor('evm', text))

const withAddress = (execution: Execution, address: Address): Execution => {
  const { payload, evidence } = execution
  if (payload.executionType !== 'DEPOSIT') throw new TypeError(payload.executionType)
  const { words } = evidence as unknown as Evidence
  return {
    ...execution,
    venueRef: address,
    payload: { ...payload, deposit: { ...payload.deposit, address } },
    evidence: sealed({ ...words, pays: address }),
  }
}

const addressOf = ({ payload }: BuiltSwap): Address => {
  if (payload.executionType !== 'DEPOSIT') throw new TypeError(payload.executionType)
  return payload.deposit.address
}

/** The venue hands out this address from now on. */
const alwaysAt = (venue: FakeVenue, address: Address): void => {
  venue.script.alter = (execution) => withAddress(execution, address)
}

const isReused = async (call: Promise<BuiltSwap>): Promise<void> => {
  expect((await refusalOf(call, 'INTERNAL')).details).toEqual({ venue: 'toy', reason: 'reusedReference' })
}

describe('a deposit address that is another swap’s [execute-second-look]', () => {
  it('is handed to nobody, and told as the venue’s doing', async () => {
    const venue = toy()
    const engine = await start({ venues: [venue] })
    alwaysAt(venue, addressOf(await executed(engine)))
    const kept = (await engine.store.kept()).length
    await isReused(executed(engine))
    expect(await engine.store.kept()).toHaveLength(kept)
    expect(engine.reported('payload.refused')).toMatchObject([{ mismatches: ['another swap has the same address'] }])
  })

  it('is refused for the same quote with other addresses, too', async () => {
    const venue = toy()
    const engine = await start({ venues: [venue] })
    const token = await quoteOf(engine, plain())
    alwaysAt(venue, addressOf(await execute(engine, token)))
    await isReused(execute(engine, token, { destinationAddress: WALLETS.evmOther }))
  })

  it('is refused after a restart, out of a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'handed-'))
    closers.push(() => rmSync(folder, { recursive: true }))
    const clock = createTestClock()
    const open = async () =>
      (await openSqliteStore({ file: join(folder, 'swaps.sqlite'), network: 'simnet' }, clock)) as TestEngine['store']
    const before = await createTestEngine({ venues: [toy()], clock, store: await open() })
    const address = addressOf(await executed(before))
    await before.close()
    const venue = toy()
    alwaysAt(venue, address)
    await isReused(executed(await start({ venues: [venue], clock, store: await open() })))
  })

  it('is refused in the form of another address of the same key, or of an account of it', async () => {
    const bitcoin = toy()
    const first = await start({ venues: [bitcoin] })
    const given = { destinationAddress: WALLETS.evm }
    const [legacy, segwit] = ['1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'] as Address[]
    alwaysAt(bitcoin, legacy as Address)
    await execute(first, await quoteOf(first, otherSender(fromBitcoin())), given)
    alwaysAt(bitcoin, segwit as Address)
    await isReused(execute(first, await quoteOf(first, otherSender(fromBitcoin())), given))

    const solana = toy()
    const second = await start({ venues: [solana] })
    const owner = addressOf(await executed(second, fromSolana()))
    const { associatedTokenAddress } = await import('../../../engine/chains/solana/solanaCodec.ts')
    alwaysAt(solana, associatedTokenAddress(owner, TOKENS.usdcSolana.address))
    await isReused(executed(second, fromSolana()))
  })

  it('may come again a day after the first can be paid no more, and not a moment before', async () => {
    const clock = createTestClock()
    const venue = toy({}, () => clock.at)
    const engine = await start({ venues: [venue], clock })
    alwaysAt(venue, addressOf(await executed(engine)))
    // The toy's deadline is ten minutes after it builds.
    clock.at = START_AT + 600_000 + 24 * 3_600_000 - 1
    await isReused(executed(engine))
    clock.at += 1
    await executed(engine)
    await isReused(executed(engine))
  })

  it('never comes again where the first has no deadline', async () => {
    const clock = createTestClock()
    const venue = toy({}, () => clock.at)
    venue.script.decode = async (claims) => ({ ...claims, deadlineAt: null })
    const engine = await start({ venues: [venue], clock })
    alwaysAt(venue, addressOf(await executed(engine)))
    clock.at += 1_000 * 24 * 3_600_000
    await isReused(executed(engine))
  })

  it.each(PLACES)('is one swap’s of two that are built at once, by two processes over one %s', async (_where, makePlace) => {
    const venues = [toy(), toy()] as const
    const engines = await startBoth(makePlace, venues)
    for (const venue of venues) alwaysAt(venue, addressFor('evm', 'the one'))
    const tokens = await Promise.all(engines.map((engine) => quoteOf(engine, plain())))
    const outcomes = await Promise.allSettled(engines.map((engine, i) => execute(engine, tokens[i] ?? '')))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    // The loser is told the venue's fault, and left nothing behind.
    const lost = outcomes.findIndex(({ status }) => status === 'rejected')
    await isReused(execute(engines[lost] as TestEngine, tokens[lost] ?? ''))
  })

  it('costs the venue its health only where several clients meet it', async () => {
    const venue = toy()
    const engine = await start({ venues: [venue] })
    alwaysAt(venue, addressOf(await executed(engine)))
    const asClient = (client: string): TestEngine => ({ ...engine, context: { ...engine.context, client } })
    const tokens = []
    for (let i = 0; i < 10; i += 1) tokens.push(await quoteOf(engine, plain()))
    const mallory = asClient('mallory')
    for (const token of tokens.slice(0, 6)) await isReused(execute(mallory, token))
    await quoteOf(asClient('alice'), plain())
    for (const [i, token] of tokens.slice(6).entries()) await isReused(execute(asClient(`client ${i}`), token))
    await refusalOf(quoteOf(asClient('alice'), plain()), 'INTERNAL')
  })
})

/** Not of the key whose addresses are handed out. */
const otherSender = (order: Order): Order => {
  const other = addressFor('bitcoin', 'another sender')
  return { ...order, sender: other, refundTo: other }
}

describe('what the venue’s profile tells swaps apart by [execute-second-look]', () => {
  const toldBy = (kind: SwapKeyKind, value = 'the same') => toy({ profile: { toldApartBy: async () => [{ kind, value }] } })

  it.each(['orderId', 'signedQuote'] as const)('is never that of two, however much later: %s', async (kind) => {
    const clock = createTestClock()
    const engine = await start({ venues: [toldBy(kind)], clock })
    await executed(engine)
    clock.at += 1_000 * 24 * 3_600_000
    const { details } = await refusalOf(executed(engine))
    expect(details).toEqual({ venue: 'toy', reason: expect.stringMatching(/reusedReference|payloadMismatch/) })
  })

  it.each(['address', 'address+channel', 'address+amount', 'orderId', 'signedQuote'] as const)(
    'is the venue’s fault where it made it: %s',
    async (kind) => {
      const engine = await start({ venues: [toldBy(kind)] })
      await executed(engine)
      await isReused(executed(engine))
    },
  )

  it('is nobody’s fault where it follows from the payload: a fresh quote helps', async () => {
    const engine = await start({ venues: [toldBy('payload')] })
    await executed(engine)
    const { details } = await refusalOf(executed(engine), 'QUOTE_EXPIRED')
    expect(details).toEqual({ venue: 'toy', reason: 'sameAsAnotherSwap' })
    expect(engine.reported('payload.refused')).toEqual([])
  })

  it('is one venue’s own', async () => {
    const other = createFakeVenue('other', { now: () => START_AT, kind: 'DEPOSIT' })
    const engine = await start({ venues: [toldBy('orderId'), other] })
    await executed(engine, plain({ excludeVenues: ['other'] }))
    Object.assign(other.profile, { toldApartBy: async () => [{ kind: 'orderId', value: 'the same' }] })
    await executed(engine, plain({ excludeVenues: ['toy'] }))
  })

  it('is not asked in the sandbox, where two swaps pay the same', async () => {
    const engine = await start({ venues: [toy()] })
    await executed(engine, plain({ sandbox: true }))
    await executed(engine, plain({ sandbox: true }))
  })
})

describe('the amount of a deposit [quote-deposit-range]', () => {
  const paying = (amount: bigint, bound = 0n) => {
    const venue = toy({ profile: { amountCarriesReference: () => bound } })
    venue.script.alter = (execution) => {
      const { payload, evidence } = execution
      if (payload.executionType !== 'DEPOSIT') throw new TypeError(payload.executionType)
      const { words } = evidence as unknown as Evidence
      return {
        ...execution,
        payload: { ...payload, deposit: { ...payload.deposit, amount: toAmount(amount) } },
        evidence: sealed({ ...words, inputAmount: amount.toString() }),
      }
    }
    return venue
  }

  it.each([
    ['the input, where the venue needs no more', 1_000_000n, 0n, null],
    ['less by what the profile says, within the range of the quote', 999_900n, 100n, { min: 999_900n, max: 1_000_000n }],
    ['the input, where it may be less', 1_000_000n, 100n, { min: 999_900n, max: 1_000_000n }],
  ])('is %s', async (_what, amount, bound, depositAmount) => {
    const engine = await start({ venues: [paying(amount, bound)] })
    const quote = await engine.engine.quote(plain(), engine.context)
    expect(quote.depositAmount).toEqual(depositAmount)
    expect((await execute(engine, quote.quoteToken)).payload).toMatchObject({ deposit: { amount } })
  })

  it('has no range in the quote of a transaction', async () => {
    const venue = createFakeVenue('toy', { profile: { amountCarriesReference: () => 100n } })
    const engine = await start({ venues: [venue] })
    expect((await engine.engine.quote(plain(), engine.context)).depositAmount).toBeNull()
  })

  it.each([
    ['less than the input', 999_999n, 0n],
    ['more than the input', 1_000_001n, 0n],
    ['more than the input, where it may be less', 1_000_001n, 100n],
    ['less by more than the profile says', 999_899n, 100n],
    ['nothing, whatever the profile says', 0n, 2_000_000n],
  ])('is never %s', async (_what, amount, bound) => {
    const { details } = await refusalOf(executed(await start({ venues: [paying(amount, bound)] })), 'INTERNAL')
    expect(details).toEqual({ venue: 'toy', reason: 'payloadMismatch' })
  })
})

describe('a payload that is handed out again [execute-second-look]', () => {
  const handedOut = async (options: Options = {}) => {
    const clock = createTestClock()
    const venue = toy(options, () => clock.at)
    const engine = await start({ venues: [venue], clock, env: { QUOTE_LIFETIME_MS: '3600000' } })
    const token = await quoteOf(engine, plain())
    return { clock, venue, engine, first: await execute(engine, token), again: () => execute(engine, token) }
  }

  it('was proved again', async () => {
    const { venue, first, again } = await handedOut()
    let decoded = 0
    venue.script.decode = async (claims) => {
      decoded += 1
      return claims
    }
    expect(await again()).toEqual(first)
    expect([decoded, venue.calls.execute.length]).toEqual([1, 1])
  })

  it('is QUOTE_EXPIRED from its deadline on, and not a moment before', async () => {
    const { clock, first, again } = await handedOut()
    clock.at = START_AT + 600_000 - 1
    expect(await again()).toEqual(first)
    clock.at += 1
    expect((await refusalOf(again(), 'QUOTE_EXPIRED')).details).toEqual({ venue: 'toy', reason: 'deadlinePassed' })
  })

  it.each([
    ['DEPOSIT', true],
    ['TRANSACTION', false],
  ] as const)('and proves no more is not shown: a %s is told by its statusRef, where it has one', async (kind, hasRef) => {
    const { venue, engine, first, again } = await handedOut({ kind })
    venue.script.decode = async (claims) => ({ ...claims, recipient: WALLETS.evmOther })
    const { details } = await refusalOf(again(), 'INTERNAL')
    const statusRef = hasRef ? { statusRef: first.statusRef } : {}
    expect(details).toEqual({ venue: 'toy', reason: 'payloadMismatch', ...statusRef })
    expect(engine.reported('payload.refused')).toMatchObject([{ mismatches: ['recipient'] }])
    venue.script.decode = async (claims) => claims
    expect(await again()).toEqual(first)
  })

  it('to a contract that is pinned no more is not shown', async () => {
    const { venue, again } = await handedOut({ kind: 'TRANSACTION' })
    Object.assign(venue.profile, { contracts: {} })
    expect((await refusalOf(again(), 'INTERNAL')).details).toMatchObject({ reason: 'payloadMismatch' })
  })

  it('and cannot be read for now may be asked for again', async () => {
    const { venue, first, again } = await handedOut()
    venue.script.decode = () => Promise.reject(new VenueError('unavailable', 'no list'))
    const { details } = await refusalOf(again(), 'INTERNAL')
    expect(details).toEqual({ venue: 'toy', kind: 'unavailable', retryable: true, statusRef: first.statusRef })
  })

  it('was kept with the deadline that its bytes say', async () => {
    const { engine } = await handedOut()
    expect((await engine.store.kept()).map(({ swap }) => swap.deadlineAt)).toEqual([START_AT + 600_000])
  })
})
