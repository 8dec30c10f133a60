import { base58 } from '@scure/base'
import { expect, test } from 'vitest'
import { decodeSolanaTransaction, lookupTablesOf, MEMO_PROGRAM } from '../../../engine/chains/solana/solanaCodec.ts'
import { addressOf } from '../../../engine/core/address.ts'
import { lookupTableData } from '../../../engine/simnet/solana/solanaAccounts.ts'
import { chainFails } from '../../support/fakeChains.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, outcomeOf, prove, refusalOf, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { OTHER, openBench, orders, planOf, told } from './support.ts'

const open = closedAfterEach(openBench)
const TABLE_PROGRAM = addressOf('solana', 'AddressLookupTab1e1111111111111111111111111')
const used = (units: number | null) => async () => units

test.each([
  ['the simulated use plus 20 %', used(247_674), 20_000n, [297_209, 20_000n]],
  ['at most the maximum', used(1_200_000), 0n, [1_400_000, 0n]],
  ['at least 50,000', used(1), 20_000n, [50_000, 20_000n]],
  ['the maximum for a negative use', used(-1), 20_000n, [1_400_000, 20_000n]],
  ['the maximum for a fractional use', used(0.5), 20_000n, [1_400_000, 20_000n]],
  ['the maximum after a failed simulation, at a thousandth of a SOL', used(null), 82_000_000_000n, [1_400_000, 714_285n]],
  ['the maximum on an unreachable chain', chainFails('unreachable', -2), 2n ** 64n - 1n, [1_400_000, 714_285n]],
])('execute: the compute limit is %s, and the price is limited in total [venue-jupiter]', async (_what, units, price, budget) => {
  const bench = await open()
  const simulated: string[] = []
  bench.chains.script.computeUnits = async (data) => {
    simulated.push(data)
    return units()
  }
  const bytes = Buffer.alloc(9, 3)
  bytes.writeBigUInt64LE(price, 1)
  const change = (body: never) => altered(body, 'computeBudgetInstructions.0.data', bytes.toString('base64'))
  const { execution } = await swapOf(told(bench, { change }).venue, orders.sol())
  // Once, with the largest limit, and not for the quote.
  expect(simulated).toHaveLength(1)
  const before = altered(execution, 'payload.transaction.data', simulated[0])
  const [first, last] = await Promise.all([before, execution].map((one) => planOf(one, bench.network)))
  const budgets = [first, last].map((plan) => plan?.instructions.slice(0, 2).map(({ data }) => Buffer.from(data)))
  expect(budgets.map((each) => [each?.[0]?.readUInt32LE(1), each?.[1]?.readBigUInt64LE(1)])).toEqual([
    [1_400_000, budget[1]],
    budget,
  ])
  expect(last?.instructions.slice(1)).toEqual(first?.instructions.slice(1))
  const { blockhash } = await bench.chains.script.latestBlockhash(never())
  const { sender } = orders.sol()
  const decoded = await decodeSolanaTransaction(transactionOf(execution).data)
  expect(decoded).toMatchObject({ feePayer: sender, signers: [sender], recentBlockhash: blockhash })
})

test('execute: lookup tables of the chain shorten a transaction, and one that differs from the chain is rejected [venue-jupiter]', async () => {
  const bench = await open()
  const swap = await swapOf(bench.venue, orders.usdc())
  const { data } = transactionOf(swap.execution)
  const [table] = [...bench.network.tables.keys()]
  expect(await lookupTablesOf(data)).toEqual([table])
  const by = (path: string, value: unknown) => told(bench, { change: (body) => altered(body, path, value) }).venue
  const refusal = await refusalOf(by(`addressesByLookupTableAddress.${table}.0`, OTHER).quote(orders.usdc(), never()))
  expect(refusal).toMatchObject({ kind: 'rejected', check: 'lookupTable', found: OTHER })
  const plain = await swapOf(by('addressesByLookupTableAddress', null), orders.usdc())
  expect(data.length).toBeLessThan(transactionOf(plain.execution).data.length)
  // Another answer of the chain for the same bytes is another transaction.
  bench.chains.script.lookupTable = async (address) => (bench.network.tables.get(address) ?? []).toReversed() as never
  expect(await prove(bench.venue, swap)).not.toEqual([])
})

test.each([
  [5_000, [], 1, null],
  [16, [orders.sol().sender], 0, 'lookupTables'],
] as const)(
  'quote: of %d more lookup tables only those in use are read, and at most 16',
  async (count, addresses, reads, check) => {
    const bench = await open()
    const key = (at: number) => base58.encode(Buffer.alloc(32, 7).fill(`${at}`.padStart(4, '0'), 8))
    const many = Object.fromEntries(Array.from({ length: count }, (_, at) => [key(at), addresses]))
    const change = (body: never) => altered(body, 'addressesByLookupTableAddress', (own: object) => ({ ...own, ...many }))
    const quoted = told(bench, { change }).venue.quote(orders.usdc(), never())
    if (check === null) await quoted
    else expect(await refusalOf(quoted)).toMatchObject({ kind: 'rejected', check })
    expect(bench.chains.calls.filter(({ method }) => method === 'lookupTable')).toHaveLength(reads)
  },
)

type Read = (whole: readonly string[]) => readonly string[] | null
const some: Read = (whole) => whole.slice(0, 3)
/** Our node has cached a table without its latest addresses, or does not know it; `now` is what it reads again. */
test.each<[string, Read, string]>([
  ['has it later', (whole) => whole, 'signed'],
  ['still lacks it', () => null, 'unavailable'],
  ['still lacks its latest addresses', some, 'unavailable'],
  ['has another address there', (whole) => [...whole.slice(0, 3), ...whole.slice(3).toReversed()], 'rejected'],
])('execute: a missing lookup table is priced by the answer, and used only where the chain %s', async (_what, now, outcome) => {
  for (const kept of [() => null, some]) {
    const { chains, network, venue } = await open()
    const { script } = chains
    const mints = script.solanaAccount
    script.lookupTable = async (table) => kept(network.tables.get(table) ?? []) as never
    script.solanaAccount = async (address, signal) => {
      const whole = network.tables.get(address)
      const addresses = whole && now(whole)
      return whole ? (addresses ? { owner: TABLE_PROGRAM, data: lookupTableData(addresses) } : null) : mints(address, signal)
    }
    expect(await venue.quote(orders.pyusd(), never())).toMatchObject({ venue: 'jupiter' })
    expect(await outcomeOf(venue, orders.pyusd())).toBe(outcome)
  }
})

test('quote: declines a transaction larger than a packet [venue-jupiter]', async () => {
  const long = { programId: OTHER, accounts: [], data: Buffer.alloc(1_200).toString('base64') }
  const { venue } = told(await open(), { change: (body) => altered(body, 'otherInstructions', [long]) })
  expect((await refusalOf(venue.quote(orders.pyusd(), never()))).message).toContain('longer than Solana takes')
})

test('execute: the memo of a swap is its uniqueness key, and differs for equal swaps', async () => {
  const { venue, clock, network } = await open()
  const nameOf = async () => {
    const swap = await swapOf(venue, orders.usdc())
    const memos = (await planOf(swap.execution, network)).instructions.filter(({ programId }) => programId === MEMO_PROGRAM)
    const names = memos.map(({ data }) => ({ kind: 'payload', value: `${swap.order.sender}:${Buffer.from(data)}` }))
    expect(await venue.profile.toldApartBy(swap)).toEqual(names)
    return names
  }
  const first = await nameOf()
  clock.advance(1)
  expect(await nameOf()).not.toEqual(first)
})

test.each([
  [undefined, 60],
  [null, 30],
])('quote: an API key raises the rate limit: %s', async (apiKey, requestsPerMinute) => {
  const { venue, sent } = await open(apiKey === null ? { apiKey } : {})
  await venue.quote(orders.sol(), never())
  expect(venue.profile.limits).toEqual({ requestsPerMinute })
  expect('x-api-key' in (sent[0]?.headers ?? {})).toBe(apiKey !== null)
})
