import { expect, it, onTestFinished } from 'vitest'
import { createChainClock } from '../../../engine/chains/endpoints/chainClock.ts'
import type { Address } from '../../../engine/core/address.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import type { BuiltSwap } from '../../../engine/core/answers.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import type { SwapKeyKind } from '../../../engine/core/swap.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { createFakeEvidence, type FakeEvidence } from '../../support/fakeEvidence.ts'
import { addressFor, createFakeVenue, type FakeVenue, type FakeVenueOptions, fails, sealed } from '../../support/fakeVenue.ts'
import { PLACES } from '../../support/stores.ts'
import { fieldsOf, type GivenAddresses, orderOn, ROUTES, type SwapStage, startSwaps } from '../../support/swapStage.ts'
import { createTestClock, refusalOf, START_AT, type TestEngine } from '../../support/testEngine.ts'

const DEPOSIT = { kind: 'DEPOSIT' } as const
const DAY_MS = 24 * 3_600_000
/** A toy deposit expires ten minutes after it is built. */
const DEADLINE_MS = 600_000

const toWallet = (i: number) => ({ destinationAddress: addressFor('evm', `wallet ${i}`) })
const backTo = (i: number) => ({ refundAddress: addressFor('evm', `wallet ${i}`) })

/** Two processes with one clock over the same records, whose venues give different addresses. */
const startBoth = async (makePlace: (typeof PLACES)[number][1]): Promise<readonly [SwapStage, SwapStage]> => {
  const place = await makePlace()
  onTestFinished(() => place.remove())
  const clock = createTestClock()
  const start = async () => startSwaps(DEPOSIT, { clock, store: (await place.open(clock)) as TestEngine['store'] })
  const [one, two] = [await start(), await start()]
  let others = 0
  two.venue.script.alter = (execution) => {
    others += 1
    return withAddress(execution, addressFor('evm', `other ${others}`))
  }
  return [one, two]
}

const depositOf = ({ payload }: Pick<Execution, 'payload'> | BuiltSwap) => {
  if (payload.executionType !== 'DEPOSIT') throw new TypeError(payload.executionType)
  return payload
}

/** As the toy venue would have built and sealed it with these words. */
const resealed = (execution: Execution, deposit: object, words: { readonly [word: string]: string }): Execution => {
  const payload = depositOf(execution)
  const { words: own } = execution.evidence as unknown as { words: object }
  return {
    ...execution,
    payload: { ...payload, deposit: { ...payload.deposit, ...deposit } },
    evidence: sealed({ ...own, ...words }),
  }
}
const withAddress = (execution: Execution, address: Address): Execution => ({
  ...resealed(execution, { address }, { pays: address }),
  venueRef: address,
})

it.each(PLACES)('execute: processes over %s build once, for eight pairs [execute-concurrent-once]', async (_, makePlace) => {
  const [one, two] = await startBoth(makePlace)
  const built = () => [...one.venue.calls.execute, ...two.venue.calls.execute].length
  const [token, other] = [await one.token(), await one.token()]
  const swaps = await Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? one : two).execute(token)))
  expect([new Set(swaps.map((swap) => depositOf(swap).deposit.address)).size, built()]).toEqual([1, 1])
  const calls = Array.from({ length: 12 }, (_, i) => (i % 2 ? one : two).execute(other, toWallet(i)))
  const codes = (await Promise.allSettled(calls)).map((end) => (end.status === 'rejected' ? end.reason.code : null))
  expect(codes.toSorted()).toEqual([...Array(4).fill('INVALID_REQUEST'), ...Array(8).fill(null)])
  expect(built()).toBe(1 + 8)
})

it.each<[string, (i: number) => GivenAddresses, ninth: GivenAddresses]>([
  ['recipient', toWallet, toWallet(8)],
  ['refund address', backTo, backTo(8)],
  ['new pair', toWallet, { ...toWallet(8), ...backTo(9) }],
  ['pair of used addresses', (i) => ({ ...toWallet(i), ...backTo(i) }), { ...toWallet(0), ...backTo(1) }],
])('execute: a ninth %s is refused by field, without a call [execute-concurrent-once]', async (_what, given, ninth) => {
  const stage = await startSwaps(DEPOSIT)
  const token = await stage.token()
  const first = await stage.execute(token, given(0))
  stage.venue.script.execute = fails(new VenueError('unavailable', 'down'))
  for (let i = 10; i < 18; i += 1) await refusalOf(stage.execute(token, toWallet(i)), 'INTERNAL')
  stage.venue.script.execute = async () => undefined
  for (let i = 1; i < 8; i += 1) await stage.execute(token, given(i))
  expect(fieldsOf(await refusalOf(stage.execute(token, ninth), 'INVALID_REQUEST'))).toEqual(Object.keys(ninth))
  expect(await stage.execute(token, given(0))).toEqual(first)
  expect(stage.venue.calls.execute).toHaveLength(16)
})

it('execute: the eight pairs of addresses count no transaction that replaces one with an expired blockhash, and it may have the same keys', async () => {
  let value = 'first'
  const stage = await startSwaps({ profile: { toldApartBy: async () => [{ kind: 'orderId', value }] } })
  const token = await stage.token(orderOn(ROUTES.solana, { broadcastViaService: true }))
  stage.solana.script.isBlockhashValid = async () => false
  for (let i = 0; i < 12; i += 1) await stage.execute(token)
  for (let i = 1; i < 9; i += 1) {
    value = `other ${i}`
    const call = stage.execute(token, toWallet(i))
    await (i < 8 ? call : refusalOf(call, 'INVALID_REQUEST'))
  }
  value = 'first'
  await stage.execute(token)
  expect(stage.venue.calls.execute).toHaveLength(20)
})

const reused = { code: 'INTERNAL', details: { venue: 'toy', reason: 'reusedReference' } }
const same = { code: 'QUOTE_EXPIRED', details: { venue: 'toy', reason: 'sameAsAnotherSwap' } }

it.each<[SwapKeyKind, isForEver: boolean, object]>([
  ['address', false, reused],
  ['orderId', true, reused],
  ['signedQuote', true, reused],
  ['payload', true, same],
])('execute withholds a second %s of one venue, for ever: %s [execute-second-look]', async (kind, isForEver, refusal) => {
  const toldApartBy = async () => [{ kind, value: 'the same' }] as const
  const other = createFakeVenue('other', { ...DEPOSIT, now: () => START_AT, profile: { toldApartBy } })
  const stage = await startSwaps({ ...DEPOSIT, profile: { toldApartBy } })
  const beside = await startSwaps({}, { venue: other, store: stage.store, clock: stage.clock })
  await stage.swap()
  await beside.swap()
  const stored = (await stage.store.kept()).length
  expect(await refusalOf(stage.swap())).toMatchObject(refusal)
  expect(await stage.store.kept()).toHaveLength(stored)
  expect(stage.reported('payload.refused')).toHaveLength(refusal === reused ? 1 : 0)
  stage.clock.at += DEADLINE_MS + DAY_MS - 1
  expect(await refusalOf(stage.swap())).toMatchObject(refusal)
  stage.clock.at += 1
  if (!isForEver) await stage.swap()
  expect(await refusalOf(stage.swap())).toMatchObject(refusal)
})

const alwaysAt = (venue: FakeVenue, address: Address): void => {
  venue.script.alter = (execution) => withAddress(execution, address)
}

it('execute withholds a used address for ever when its first swap has no deadline, and after five the client gets no quote of the venue', async () => {
  const stage = await startSwaps(DEPOSIT)
  stage.venue.script.decode = async (claims) => ({ ...claims, deadlineAt: null })
  const token = await stage.token()
  alwaysAt(stage.venue, depositOf(await stage.execute(token)).deposit.address)
  expect(await refusalOf(stage.execute(token, { destinationAddress: WALLETS.evmOther }))).toMatchObject(reused)
  stage.clock.at += 1_000 * DAY_MS
  for (let i = 0; i < 4; i += 1) expect(await refusalOf(stage.swap())).toMatchObject(reused)
  await refusalOf(stage.token(), 'INTERNAL')
})

it('execute withholds another form of a used Bitcoin address, and the token account of a used Solana address', async () => {
  const sender = addressFor('bitcoin', 'another sender')
  const owner = addressFor('solana', 'owner')
  const { associatedTokenAddress } = await import('../../../engine/chains/solana/solanaCodec.ts')
  for (const [order, used, other] of [
    [orderOn(ROUTES.bitcoin, { sender, refundTo: sender }), '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH', WALLETS.bitcoin],
    [orderOn(ROUTES.solana), owner, associatedTokenAddress(owner, ROUTES.solana.from[1])],
  ] as const) {
    const stage = await startSwaps(DEPOSIT)
    alwaysAt(stage.venue, used as Address)
    await stage.swap(order)
    alwaysAt(stage.venue, other)
    expect(await refusalOf(stage.swap(order))).toMatchObject(reused)
  }
})

it.each(PLACES)('execute: two processes over %s return one of two swaps with one address', async (_where, makePlace) => {
  const stages = await startBoth(makePlace)
  for (const { venue } of stages) alwaysAt(venue, addressFor('evm', 'the one'))
  const tokens = await Promise.all(stages.map((stage) => stage.token()))
  const ends = await Promise.allSettled(stages.map((stage, i) => stage.execute(tokens[i] ?? '')))
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const lost = ends.findIndex(({ status }) => status === 'rejected')
  expect(await refusalOf((stages[lost] as SwapStage).execute(tokens[lost] ?? ''))).toMatchObject(reused)
})

const range = { min: 999_900n, max: 1_000_000n }
it.each([
  ['is the input', 1_000_000n, 0n, null, true],
  ['may be less by what the profile says', 999_900n, 100n, range, true],
  ['may be the input where it may be less', 1_000_000n, 100n, range, true],
  ['is refused below the input', 999_999n, 0n, null, false],
  ['is refused above the input', 1_000_001n, 0n, null, false],
  ['is refused below the range of the profile', 999_899n, 100n, range, false],
  ['is refused when it is zero', 0n, 2_000_000n, { min: 1n, max: 1_000_000n }, false],
])('execute: the amount of a deposit %s [quote-deposit-range]', async (_what, amount, bound, depositAmount, isAccepted) => {
  const stage = await startSwaps({ ...DEPOSIT, profile: { amountCarriesReference: () => bound } })
  stage.venue.script.alter = (execution) => resealed(execution, { amount: toAmount(amount) }, { inputAmount: amount.toString() })
  const quote = await stage.quote()
  expect(quote.depositAmount).toEqual(depositAmount)
  const call = stage.execute(quote.quoteToken)
  if (isAccepted) expect((await call).payload).toMatchObject({ deposit: { amount } })
  else expect(await refusalOf(call, 'INTERNAL')).toMatchObject({ details: { reason: 'payloadMismatch' } })
})

const startStored = async (toy: FakeVenueOptions = DEPOSIT) => {
  const stage = await startSwaps(toy, { env: { QUOTE_LIFETIME_MS: '3600000' } })
  const token = await stage.token()
  const first = await stage.execute(token)
  const withheld = async () => (await refusalOf(stage.execute(token), 'INTERNAL')).details
  return { stage, first, again: () => stage.execute(token), withheld }
}

it('execute, repeated: the stored payload is returned until the millisecond before its deadline, and then QUOTE_EXPIRED [execute-second-look]', async () => {
  const { stage, first, again } = await startStored()
  expect((await stage.store.kept()).map(({ swap }) => swap.deadlineAt)).toEqual([START_AT + DEADLINE_MS])
  stage.clock.at = START_AT + DEADLINE_MS - 1
  expect(await again()).toEqual(first)
  stage.clock.at += 1
  expect((await refusalOf(again(), 'QUOTE_EXPIRED')).details).toEqual({ venue: 'toy', reason: 'deadlinePassed' })
})

it.each([
  ['DEPOSIT', true],
  ['TRANSACTION', false],
] as const)('execute, repeated: a stored %s is withheld while it fails the proof, statusRef: %s', async (kind, hasRef) => {
  const { stage, first, again, withheld } = await startStored({ kind })
  const { script, profile } = stage.venue
  const ref = hasRef ? { statusRef: first.statusRef } : {}
  const mismatch = { venue: 'toy', reason: 'payloadMismatch', ...ref }
  script.decode = async (claims) => ({ ...claims, recipient: WALLETS.evmOther })
  expect(await withheld()).toEqual(mismatch)
  expect(stage.reported('payload.refused')).toMatchObject([{ mismatches: ['recipient'] }])
  script.decode = () => Promise.reject(new VenueError('unavailable', 'no list'))
  expect(await withheld()).toEqual({ venue: 'toy', kind: 'unavailable', retryable: true, ...ref })
  script.decode = async (claims) => claims
  expect(await again()).toEqual(first)
  Object.assign(profile, { contracts: {} })
  if (kind === 'TRANSACTION') expect(await withheld()).toEqual(mismatch)
})

it.each<['fresh' | 'stored', number]>([
  ['fresh', -2],
  ['fresh', 1],
  ['stored', -2],
])('execute: a %s payload whose deadline differs because our clock is %i h wrong is OVERLOADED, and no alarm', async (...row) => {
  const [payload, hours] = row
  const clock = createTestClock()
  const chainClock = createChainClock(clock, () => 0)
  const readHead: FakeEvidence['readHead'] = async (chainId) => {
    for (const ago of [1, 0]) chainClock.saw(chainId, 0, START_AT - ago)
  }
  const evidence = Object.assign(createFakeEvidence(), { clock: chainClock, readHead })
  // The venue and the chains have the true time.
  const toy = { ...DEPOSIT, now: () => START_AT }
  const stage = await startSwaps(toy, { clock, evidence, env: { NETWORK: 'mainnet' } })
  const before = payload === 'stored' ? await stage.token() : null
  const stored = before === null ? {} : { statusRef: (await stage.execute(before)).statusRef }
  clock.at += hours * 3_600_000
  if (before !== null) await stage.engine.watch.look()
  const call = stage.execute(before ?? (await stage.token()))
  expect((await refusalOf(call, 'OVERLOADED')).details).toMatchObject({ retryable: true, ...stored })
  expect(stage.venue.calls.execute).toHaveLength(1)
  expect(stage.reported('payload.refused')).toEqual([])
})
