import { afterEach, describe, expect, it } from 'vitest'
import type { Proof } from '../../../engine/core/proof.ts'
import type { SwapStore } from '../../../engine/store/swaps.ts'
import type { TrustRule } from '../../../engine/venues/venue.ts'
import { anOrder, type OrderWish } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, type FakeVenueOptions } from '../../support/fakeVenue.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { createTestClock, createTestEngine, refusalOf, START_AT, type TestEngineOptions } from '../../support/testEngine.ts'

const ERC20 = {
  from: pair(TOKENS.usdcEthereum),
  to: pair(TOKENS.usdcArbitrum),
  amount: 1_000_000n,
} satisfies OrderWish

const TRUSTED: TrustRule = {
  executionType: 'DEPOSIT',
  parts: ['recipient', 'minimum'],
  appliesTo: () => true,
  routes: 'all',
  reason: 'the toy says nothing',
}
const ALL_PROVED: Proof = {
  recipient: 'proved',
  minimum: 'proved',
  refund: 'proved',
}

const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

type Wish = { readonly venue: FakeVenueOptions; readonly engine?: Partial<TestEngineOptions>; readonly sandbox?: boolean }

const play = async ({ venue: options, engine: wish, sandbox = false }: Wish) => {
  const venue = createFakeVenue('toy', { now: () => START_AT, ...options })
  const engine = await createTestEngine({ venues: [venue], ...wish })
  closers.push(() => engine.close())
  const { quoteToken, expectedProof } = await engine.engine.quote(anOrder({ ...ERC20, sandbox }), engine.context)
  const execute = () => engine.engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, engine.context)
  return { venue, engine, execute, expectedProof }
}

describe('the proof of an execution [proof-reported]', () => {
  it('is what the payload shows, on every call again', async () => {
    const { execute, venue } = await play({ venue: { kind: 'DEPOSIT' } })
    expect((await execute()).proof).toEqual(ALL_PROVED)
    expect((await execute()).proof).toEqual(ALL_PROVED)
    expect(venue.calls.execute).toHaveLength(1)
  })

  it('says what is taken on trust, also when the call is repeated', async () => {
    const { execute, venue, expectedProof } = await play({ venue: { kind: 'DEPOSIT', profile: { takesOnTrust: [TRUSTED] } } })
    venue.script.decode = async (claims) => ({
      ...claims,
      recipient: 'unproved',
      output: {
        ...claims.output,
        minimum: { told: claims.output.minimum as bigint },
      },
    })
    const told: Proof = {
      recipient: 'taken-on-trust',
      minimum: 'taken-on-trust',
      refund: 'proved',
    }
    expect(expectedProof).toEqual(told)
    expect((await execute()).proof).toEqual(told)
    expect((await execute()).proof).toEqual(told)
  })

  it('may turn out better than the quote could promise', async () => {
    const { execute, expectedProof } = await play({ venue: { kind: 'DEPOSIT', profile: { takesOnTrust: [TRUSTED] } } })
    expect(expectedProof.recipient).toBe('taken-on-trust')
    expect((await execute()).proof).toEqual(ALL_PROVED)
  })

  it('of what nobody listed is refused, and recorded', async () => {
    const { execute, venue, engine } = await play({ venue: { kind: 'DEPOSIT' } })
    venue.script.decode = async (claims) => ({
      ...claims,
      recipient: 'unproved',
    })
    const error = await refusalOf(execute(), 'INTERNAL')
    expect(error.details).toEqual({ venue: 'toy', reason: 'payloadMismatch' })
    expect(engine.reported('payload.refused')).toMatchObject([{ mismatches: ['recipient'] }])
  })

  it.each(['TRANSACTION', 'SIGNATURE'] as const)('of a %s that leaves all in the wallet needs no refund', async (kind) => {
    const { execute } = await play({ venue: { kind } })
    expect((await execute()).proof).toEqual({
      ...ALL_PROVED,
      refund: 'not-applicable',
    })
  })

  it('in the sandbox is what the quote promised', async () => {
    const { execute } = await play({ venue: { kind: 'DEPOSIT', profile: { takesOnTrust: [TRUSTED] } }, sandbox: true })
    expect((await execute()).proof).toEqual({
      recipient: 'taken-on-trust',
      minimum: 'taken-on-trust',
      refund: 'proved',
    })
  })

  it('of a swap stored before proofs were kept is what the profile says', async () => {
    const clock = createTestClock()
    const kept = createMemoryStore(clock)
    const old: SwapStore['find'] = async (quoteId, bindingKey) => {
      const record = await kept.swaps.find(quoteId, bindingKey)
      if (!record) return null
      const { proof: _proof, ...swap } = record.swap
      return { ...record, swap }
    }
    const { execute } = await play({
      venue: { kind: 'DEPOSIT', profile: { takesOnTrust: [TRUSTED] } },
      engine: { clock, store: { ...kept, swaps: { ...kept.swaps, find: old } } },
    })
    expect((await execute()).proof).toEqual(ALL_PROVED)
    expect((await execute()).proof.recipient).toBe('taken-on-trust')
  })
})
