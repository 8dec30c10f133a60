import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ChainError } from '../../../engine/chains/chains.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { Order } from '../../../engine/core/order.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { chainFails, chainHangs, createFakeChains, pair, TOKENS } from '../../support/fakeChains.ts'
import {
  addressFor,
  createFakeVenue,
  declines,
  delayed,
  hangs,
  ignoresSignal,
  offers,
  pricesOf,
  TOY_CONTRACT,
} from '../../support/fakeVenue.ts'
import { advance, fakeTime, realTime, runQuote, settle, startQuote } from '../../support/raceTime.ts'
import { createTestEngine, refusalOf, START_AT, type TestEngine, type TestEngineOptions } from '../../support/testEngine.ts'

const HARD_MS = 4_000
const SOFT_MS = 1_500

const order = (wish: Partial<Order> = {}): Order => ({
  ...anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n }),
  ...wish,
})

let open: TestEngine[] = []

beforeEach(() => fakeTime())

afterEach(async () => {
  for (const engine of open) await engine.close()
  open = []
  realTime()
})

const start = async (options: TestEngineOptions): Promise<TestEngine> => {
  const engine = await createTestEngine(options)
  open.push(engine)
  return engine
}

describe('the reads of a quote', () => {
  it('are all started before any venue has answered', async () => {
    const venue = createFakeVenue('slow', { quote: hangs })
    const engine = await start({ venues: [venue] })
    const race = startQuote(engine, order())
    expect(engine.chains.calls.map(({ method, query }) => ({ method, query }))).toEqual(
      expect.arrayContaining([
        { method: 'token', query: { chainId: 1, address: TOKENS.usdcEthereum.address } },
        { method: 'token', query: { chainId: 42161, address: TOKENS.usdcArbitrum.address } },
        { method: 'feePrice', query: 1 },
        { method: 'allowance', query: { asset: order().input, owner: WALLETS.evm, spender: TOY_CONTRACT } },
      ]),
    )
    expect(engine.chains.calls).toHaveLength(4)
    await advance(HARD_MS)
    await settle(race)
  })

  it('ask for one allowance per published contract of the venues asked, and of no other', async () => {
    const other = addressFor('evm', 'other contract')
    const excluded = addressFor('evm', 'excluded contract')
    const engine = await start({
      venues: [
        createFakeVenue('a'),
        createFakeVenue('b'),
        createFakeVenue('c', { profile: { contracts: { 1: [other, TOY_CONTRACT] } } }),
        createFakeVenue('d', { profile: { contracts: { 1: [excluded] } } }),
      ],
    })
    await (await runQuote(engine, order({ excludeVenues: ['d'] }))).quote
    const asked = engine.chains.calls.filter(({ method }) => method === 'allowance').map(({ query }) => query)
    expect(asked).toEqual([TOY_CONTRACT, other].map((spender) => ({ asset: order().input, owner: WALLETS.evm, spender })))
  })

  it('ask for no allowance of a native coin', async () => {
    const engine = await start({ venues: [createFakeVenue('a')] })
    const quote = await (await runQuote(engine, anOrder({ from: [1, NATIVE], to: pair(TOKENS.usdcArbitrum), amount: 5n }))).quote
    expect(quote.approval).toBeNull()
    expect(engine.chains.calls.map(({ method }) => method)).not.toContain('allowance')
  })

  it('are told to stop when nobody waits for them any more', async () => {
    const chains = createFakeChains()
    const other = addressFor('evm', 'other contract')
    const allowance = chains.script.allowance
    chains.script.allowance = (query, signal) =>
      query.spender === other ? chainHangs(1)(query, signal) : allowance(query, signal)
    const engine = await start({
      chains,
      venues: [
        createFakeVenue('good', { quote: offers(2_000n) }),
        createFakeVenue('loser', { quote: offers(1_000n), profile: { contracts: { 1: [other] } } }),
      ],
    })
    const race = await runQuote(engine, order())
    expect((await race.quote).venue.id).toBe('good')
    expect(race.elapsedMs()).toBe(0)
    expect(chains.calls.every(({ signal }) => signal.aborted)).toBe(true)
  })

  it('leave the quote without gas, and the log with a reason, when the fee price cannot be read', async () => {
    const chains = createFakeChains()
    chains.script.feePrice = chainFails('unreachable', 1)
    const engine = await start({ chains, venues: [createFakeVenue('a')] })
    const quote = await (await runQuote(engine, order())).quote
    expect(quote.gas).toBeNull()
    expect(engine.reported('chain.unread')).toEqual([
      { event: 'chain.unread', requestId: 'req-1', chainId: 1, what: 'feePrice', reason: 'scripted unreachable' },
    ])
  })

  it('ask for the approval when the allowance cannot be read: one too many beats a swap that reverts [quote-approval-exact]', async () => {
    const chains = createFakeChains()
    chains.script.allowance = chainFails('timeout', 1)
    const engine = await start({ chains, venues: [createFakeVenue('a')] })
    const quote = await (await runQuote(engine, order())).quote
    expect(quote.approval).toMatchObject({ amount: 1_000_000n, reset: null })
    expect(engine.reported('chain.unread')).toMatchObject([{ what: 'allowance', chainId: 1 }])
  })

  it.each(['unreachable', 'disputed'] as const)(
    'end the quote as INTERNAL, to be repeated, when a token is %s, whatever decimals the winner states [quote-token-onchain]',
    async (failure) => {
      const chains = createFakeChains()
      chains.script.token = chainFails(failure, 1)
      const venue = createFakeVenue('a', { quote: offers(9n, { decimals: { input: 6, output: 18 } }) })
      const engine = await start({ chains, venues: [venue] })
      const refusal = await refusalOf((await runQuote(engine, order())).quote, 'INTERNAL')
      expect(refusal.details).toEqual({ chainId: 1, retryable: true })
      expect(engine.reported('chain.unread').map(({ what, chainId }) => [what, chainId])).toEqual([
        ['inputToken', 1],
        ['outputToken', 42161],
      ])
    },
  )

  it('hold the quote no longer than the hard deadline, even when they ignore their signal', async () => {
    for (const read of ['token', 'feePrice', 'allowance'] as const) {
      const chains = createFakeChains()
      chains.script[read] = () => new Promise<never>(() => undefined)
      const engine = await start({ chains, venues: [createFakeVenue('a')] })
      const race = startQuote(engine, order())
      await advance(HARD_MS)
      await settle(race)
      if (read === 'token') await refusalOf(race.quote, 'INTERNAL')
      else expect((await race.quote).venue.id).toBe('a')
      expect(engine.reported('chain.unread').length).toBeGreaterThan(0)
    }
  })

  it('survive a read that throws at once', async () => {
    const chains = createFakeChains()
    chains.script.feePrice = () => {
      throw new Error('synchronously')
    }
    const engine = await start({ chains, venues: [createFakeVenue('a')] })
    expect((await (await runQuote(engine, order())).quote).gas).toBeNull()
  })
})

describe('an address that is no token', () => {
  const stranger = addressFor('evm', 'no token')

  it.each([
    ['inputToken', { input: { chainId: 1, address: stranger } }, 1],
    ['outputToken', { output: { chainId: 42161, address: stranger } }, 42161],
  ] as const)('ends the quote at once naming %s, though a venue hangs', async (path, wish, chainId) => {
    const venue = createFakeVenue('slow', { quote: hangs })
    const engine = await start({ venues: [venue] })
    const race = await runQuote(engine, order(wish))
    const refusal = await refusalOf(race.quote, 'UNSUPPORTED_TOKEN')
    expect(race.elapsedMs()).toBe(0)
    expect(refusal.details).toEqual({ fields: [{ path, reason: `is not a token on chain ${chainId}` }] })
    expect(venue.calls.quote[0]?.signal.aborted).toBe(true)
  })

  it.each(['input', 'output'] as const)(
    'ends the quote without a call while the chain’s answer about its %s is fresh',
    async (side) => {
      const venue = createFakeVenue('a')
      const chains = createFakeChains()
      const engine = await start({ chains, venues: [venue] })
      const { chainId } = order()[side]
      chains.missing.add(`${chainId}:${stranger}`)
      const refusal = await refusalOf((await runQuote(engine, order({ [side]: { chainId, address: stranger } }))).quote)
      expect(refusal).toMatchObject({ code: 'UNSUPPORTED_TOKEN', details: { fields: [{ path: `${side}Token` }] } })
      expect([venue.calls.quote, chains.calls]).toEqual([[], []])
      expect(engine.reported('quote.refused')).toMatchObject([{ code: 'UNSUPPORTED_TOKEN', runs: [] }])
    },
  )

  it('is named even when venues offer a price for it [quote-token-onchain]', async () => {
    const engine = await start({ venues: [createFakeVenue('a')] })
    const refusal = await refusalOf(
      (await runQuote(engine, order({ input: { chainId: 1, address: stranger }, output: { chainId: 42161, address: stranger } })))
        .quote,
      'UNSUPPORTED_TOKEN',
    )
    expect(refusal.details).toMatchObject({ fields: [{ path: 'inputToken' }, { path: 'outputToken' }] })
  })

  it('ends the quote even when the chain says so only after the race', async () => {
    const chains = createFakeChains()
    chains.script.token = delayed(500, chains.script.token)
    const venue = createFakeVenue('a', { quote: offers(9n, { decimals: { input: 6, output: 6 } }) })
    const engine = await start({ chains, venues: [venue] })
    const race = await runQuote(engine, order({ input: { chainId: 1, address: stranger } }))
    await refusalOf(race.quote, 'UNSUPPORTED_TOKEN')
    expect(race.elapsedMs()).toBe(500)
  })

  it('is not confused with a chain that cannot be read', async () => {
    const chains = createFakeChains()
    chains.script.token = async () => {
      throw new ChainError('unreachable', 1, 'down')
    }
    const engine = await start({ chains, venues: [createFakeVenue('a')] })
    await refusalOf((await runQuote(engine, order())).quote, 'INTERNAL')
  })
})

describe('price lists', () => {
  const usdc = `1:${TOKENS.usdcEthereum.address}`
  const usdcOut = `42161:${TOKENS.usdcArbitrum.address}`

  it.each([
    ['hangs', hangs],
    ['ignores its signal', ignoresSignal],
    [
      'fails',
      async () => {
        throw new Error('no prices today')
      },
    ],
    [
      'throws at once',
      () => {
        throw new Error('synchronously')
      },
    ],
  ])('cost a quote nothing beyond the soft deadline when one %s', async (_what, usd) => {
    const listing = createFakeVenue('listing', { prices: { usd } })
    const engine = await start({ venues: [listing, createFakeVenue('good', { quote: offers(2_000_000n) })] })
    const race = await runQuote(engine, order())
    expect((await race.quote).venue.id).toBe('good')
    expect(race.elapsedMs()).toBeLessThanOrEqual(SOFT_MS)
  })

  it('price the gas: the first list that knows the coin, whatever the others do', async () => {
    const engine = await start({
      venues: [
        createFakeVenue('failing', {
          prices: {
            usd: async () => {
              throw new Error('no')
            },
          },
        }),
        createFakeVenue('ignorant', { prices: pricesOf({}) }),
        createFakeVenue('knows', { prices: pricesOf({ [`1:${NATIVE}`]: '2500' }) }),
        createFakeVenue('differs', { prices: pricesOf({ [`1:${NATIVE}`]: '9999' }) }),
      ],
    })
    const quote = await (await runQuote(engine, order())).quote
    expect(quote.gas).toEqual({ native: 300_000_000_000_000n, nativeSymbol: 'ETH', usd: '0.75', isEstimated: false })
  })

  /** A list by which an order's output is worth so many times its input. */
  const worth = (times: string) => pricesOf({ [usdc]: times, [usdcOut]: '1' })
  const reportOf = (engine: TestEngine) => engine.called('quote').map(({ venue, outcome }) => [venue, outcome])

  it('expose a venue that mistakes the decimals, with one other venue and the list of a third as witnesses', async () => {
    const wrong = createFakeVenue('wrong', { quote: offers(990_000n * 10n ** 12n), prices: worth('1000000000000') })
    const right = createFakeVenue('right', { quote: offers(995_000n) })
    const listing = createFakeVenue('listing', { quote: declines('noLiquidity'), prices: worth('1') })
    const engine = await start({ venues: [wrong, right, listing] })
    expect((await (await runQuote(engine, order())).quote).venue.id).toBe('right')
    expect(reportOf(engine)).toEqual([
      ['wrong', 'dropped'],
      ['right', 'offer'],
      ['listing', 'decline'],
    ])
  })

  it.each([
    ['too low', 1n, '0.000001', 'b'],
    ['absurdly high', 990_000_000n, '990', 'b'],
  ])('do not make two witnesses of one liar, whose offer and list are %s', async (_what, offered, times, winner) => {
    const liar = createFakeVenue('liar', { quote: offers(offered), prices: worth(times) })
    const honest = [
      createFakeVenue('a', { quote: offers(994_000n), prices: worth('1') }),
      createFakeVenue('b', { quote: offers(995_000n) }),
    ]
    const engine = await start({ venues: [liar, ...honest] })
    expect((await (await runQuote(engine, order())).quote).venue.id).toBe(winner)
    expect(reportOf(engine).slice(1)).toEqual([
      ['a', 'offer'],
      ['b', 'offer'],
    ])
  })

  it('drop no offer by a list that is half one venue and half another', async () => {
    const halves = [pricesOf({ [usdc]: '0.000001' }), pricesOf({ [usdcOut]: '1' })] as const
    const listing = halves.map((prices, i) => createFakeVenue(`list${i}`, { quote: declines('noLiquidity'), prices }))
    const venues = [
      createFakeVenue('good', { quote: offers(995_000n) }),
      createFakeVenue('thin', { quote: offers(9n) }),
      ...listing,
    ]
    const engine = await start({ venues })
    expect((await (await runQuote(engine, order())).quote).venue.id).toBe('good')
  })

  it('never drop the only offer there is', async () => {
    const prices = pricesOf({ [usdc]: '1', [usdcOut]: '1' })
    const engine = await start({ venues: [createFakeVenue('alone', { quote: offers(995_000n * 10n ** 12n), prices })] })
    expect((await (await runQuote(engine, order())).quote).venue.id).toBe('alone')
  })
})

describe('decimals', () => {
  it('that contradict the chain drop an offer, and tell the caller so when it was the only one [quote-token-onchain]', async () => {
    for (const decimals of [
      { input: 18, output: null },
      { input: null, output: 18 },
    ]) {
      const engine = await start({ venues: [createFakeVenue('wrong', { quote: offers(9_000_000n, { decimals }) })] })
      const { details } = await refusalOf((await runQuote(engine, order())).quote, 'NO_LIQUIDITY')
      expect(details).toEqual({
        declines: [{ venue: 'wrong', kind: 'rejected', check: 'wrong.contradictsChain', retryable: true }],
      })
      expect(engine.called('quote')).toMatchObject([{ outcome: 'dropped', venue: 'wrong' }])
    }
  })

  it('that contradict the chain end no race: a slower venue is still waited for', async () => {
    const wrong = createFakeVenue('wrong', { quote: offers(9_000_000n, { decimals: { input: 18, output: 6 } }) })
    const slower = createFakeVenue('slower', { quote: delayed(SOFT_MS + 500, offers(1_000_000n)) })
    const engine = await start({ venues: [wrong, slower] })
    const race = await runQuote(engine, order())
    expect((await race.quote).venue.id).toBe('slower')
    expect(race.elapsedMs()).toBe(SOFT_MS + 500)
  })

  it('that contradict the chain are no reason to stop asking the venue about other tokens', async () => {
    const wrong = createFakeVenue('wrong', { quote: offers(9n, { decimals: { input: 18, output: 6 } }) })
    const engine = await start({ venues: [wrong] })
    for (let i = 0; i < 10; i += 1) await refusalOf((await runQuote(engine, order())).quote, 'NO_LIQUIDITY')
    expect(wrong.calls.quote).toHaveLength(10)
  })

  it('that turn out to contradict the chain when the race is over leave no offer, and every venue with its reason', async () => {
    const chains = createFakeChains()
    const { token } = chains.script
    chains.script.token = delayed(SOFT_MS + 500, token)
    const wrong = createFakeVenue('wrong', { quote: offers(9n, { decimals: { input: 18, output: 6 } }) })
    const engine = await start({ chains, venues: [wrong, createFakeVenue('slow', { quote: hangs })] })
    const { details } = await refusalOf((await runQuote(engine, order())).quote, 'NO_LIQUIDITY')
    expect(details).toEqual({
      declines: [
        { venue: 'wrong', kind: 'rejected', check: 'wrong.contradictsChain', retryable: true },
        { venue: 'slow', kind: 'notAwaited', retryable: true },
      ],
    })
  })

  it('that agree, or are not stated, keep it', async () => {
    const engine = await start({
      venues: [
        createFakeVenue('states', { quote: offers(9n, { decimals: { input: 6, output: 6 } }) }),
        createFakeVenue('silent', { quote: offers(10n) }),
      ],
    })
    expect((await (await runQuote(engine, order())).quote).venue.id).toBe('silent')
    expect(engine.called('quote').map(({ outcome }) => outcome)).toEqual(['offer', 'offer'])
  })
})

describe('the approval in a quote [quote-approval-exact]', () => {
  it("is for exactly the amount, to the winner's contract", async () => {
    const engine = await start({ venues: [createFakeVenue('a')] })
    const { approval } = await (await runQuote(engine, order())).quote
    expect(approval).toEqual({
      token: TOKENS.usdcEthereum.address,
      spender: TOY_CONTRACT,
      amount: 1_000_000n,
      transaction: {
        chainId: 1,
        to: TOKENS.usdcEthereum.address,
        data: `0x095ea7b3${TOY_CONTRACT.slice(2).toLowerCase().padStart(64, '0')}${1_000_000n.toString(16).padStart(64, '0')}`,
        value: 0n,
      },
      reset: null,
    })
  })

  it('is left out when the allowance covers the amount exactly, and kept when it is one short', async () => {
    for (const [allowance, isAsked] of [
      [1_000_000n, false],
      [999_999n, true],
      [1n << 255n, false],
    ] as const) {
      const chains = createFakeChains()
      chains.allow(TOY_CONTRACT, allowance)
      const engine = await start({ chains, venues: [createFakeVenue('a')] })
      expect((await (await runQuote(engine, order())).quote).approval !== null).toBe(isAsked)
    }
  })

  it('resets first where the token refuses to change a non-zero allowance, and only then', async () => {
    const usdt = { ...order(), input: { chainId: 1, address: TOKENS.usdtEthereum.address } } as const
    for (const [asked, allowance, hasReset] of [
      [usdt, 5n, true],
      [usdt, 1n, true],
      [usdt, 0n, false],
      [order(), 5n, false],
    ] as const) {
      const chains = createFakeChains()
      chains.allow(TOY_CONTRACT, allowance)
      const engine = await start({ chains, venues: [createFakeVenue('a')] })
      const { approval } = await (await runQuote(engine, asked)).quote
      expect(approval?.reset !== null).toBe(hasReset)
      if (hasReset) expect(approval?.reset?.data).toMatch(/^0x095ea7b3[0-9a-f]{64}0{64}$/)
    }
  })

  it('is not asked for a deposit', async () => {
    const engine = await start({ venues: [createFakeVenue('a', { kind: 'DEPOSIT' })] })
    expect((await (await runQuote(engine, order())).quote).approval).toBeNull()
  })
})

describe('a quote', () => {
  it('says what the winner offered, in full', async () => {
    const engine = await start({
      env: { NETWORK: 'mainnet' },
      caller: { feeBps: 25 },
      venues: [createFakeVenue('a', { quote: offers(1_000_000n, { expiresAt: Date.UTC(2026, 10, 20) + 30_000 }) })],
    })
    const quote = await (await runQuote(engine, order({ slippageBps: 100 }))).quote
    expect(quote).toEqual({
      quoteToken: expect.stringMatching(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/),
      venue: { id: 'a', name: 'Toy a' },
      routeType: 'EVM_CROSS_CHAIN',
      input: { token: TOKENS.usdcEthereum, amount: 1_000_000n },
      output: { token: TOKENS.usdcArbitrum, amount: 1_000_000n },
      fee: { bps: 25, amount: 2_500n, token: TOKENS.usdcArbitrum },
      isExecutable: true,
      slippage: { bps: 100, isFirm: true, guaranteedMin: 990_000n },
      gas: { native: 300_000_000_000_000n, nativeSymbol: 'ETH', usd: null, isEstimated: false },
      venueFee: null,
      depositAmount: null,
      expectedProof: { recipient: 'proved', minimum: 'proved', refund: 'not-applicable' },
      approval: expect.objectContaining({ amount: 1_000_000n }),
      estimatedTimeSeconds: 30,
      estimatedTimeIsGuess: false,
      expiresAt: Date.UTC(2026, 10, 20) + 30_000,
    })
  })

  it.each([
    ['longer than its venue says', 30_000, 600_000],
    ['as long as its venue says, where that is longer,', 900_000, 900_000],
  ])('lasts %s on the offline network', async (_what, venueMs, lifetimeMs) => {
    const engine = await start({ venues: [createFakeVenue('a', { quote: offers(1n, { expiresAt: START_AT + venueMs }) })] })
    expect((await (await runQuote(engine, order())).quote).expiresAt).toBe(START_AT + lifetimeMs)
  })

  it('lasts as long as the operator says where the venue names no end, and its time is then a stated guess where none is given [quote-lifetime]', async () => {
    const engine = await start({
      env: { QUOTE_LIFETIME_MS: '45000' },
      venues: [createFakeVenue('a', { quote: offers(1n, { estimatedTimeSeconds: null }) })],
    })
    const quote = await (await runQuote(engine, order())).quote
    expect(quote).toMatchObject({
      expiresAt: engine.clock.at + 45_000,
      estimatedTimeSeconds: 60,
      estimatedTimeIsGuess: true,
    })
  })
})
