import { base58 } from '@scure/base'
import { describe, expect, test } from 'vitest'
import { decodeSolanaTransaction, lookupTablesOf } from '../../../engine/chains/solana/solanaCodec.ts'
import { addressOf } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { lookupTableData } from '../../../engine/simnet/solana/solanaAccounts.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { chainFails } from '../../support/fakeChains.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, outcomeOf, prove, refusalOf, said, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { OTHER, openBench, orders, PROGRAM, planOf, told, WITH_FEE } from './support.ts'

const open = closedAfterEach(openBench)
const TABLE_PROGRAM = addressOf('solana', 'AddressLookupTab1e1111111111111111111111111')

const execute = async (order: VenueOrder, options: Parameters<typeof openBench>[0] = { settings: WITH_FEE }) => {
  const bench = await open(options)
  return { bench, ...(await swapOf(bench.venue, order)) }
}

test.each([
  ['tokens for another wallet', orders.usdc(), OTHER],
  ['tokens for the wallet itself', orders.usdc({ recipient: WALLETS.solana }), WALLETS.solana],
  ['with a fee', orders.usdc({ feeBps: 30, slippageBps: 100 }), OTHER],
  ['SOL', orders.sol(), WALLETS.solana],
  ['SOL with a fee, for another', orders.sol({ feeBps: 20, recipient: OTHER }), OTHER],
  ['into SOL', orders.toSol({ feeBps: 20 }), WALLETS.solana],
  ['by two pools, into Token-2022', orders.pyusd(), OTHER],
])(
  'execute: the payload of %s is proved, on the latest block, signed by the wallet alone [venue-jupiter]',
  async (_name, order, recipient) => {
    const { bench, ...swap } = await execute(order)
    expect(await prove(bench.venue, swap)).toEqual([])
    const claims = await bench.venue.decode(swap.execution)
    const fee = order.feeBps === 0 ? null : { recipient: bench.venue.profile.feeRecipient(order), bps: order.feeBps }
    expect([said(claims.recipient), said(claims.fee), claims.refundTo]).toEqual([recipient, fee, null])
    const { data, ...transaction } = transactionOf(swap.execution)
    expect(transaction).toEqual({ chainId: -2, to: PROGRAM, value: 0n, serialized: data })
    const { blockhash } = await bench.chains.script.latestBlockhash(never())
    const decoded = await decodeSolanaTransaction(data)
    expect(decoded).toMatchObject({ feePayer: WALLETS.solana, signers: [WALLETS.solana], recentBlockhash: blockhash })
    expect(swap.execution).toMatchObject({ venueRef: null, evidence: null, carry: null })
  },
)

test.each<[string, () => Promise<number | null>, number]>([
  ['the simulated use plus 20 %', async () => 247_674, 297_209],
  ['capped at the maximum', async () => 1_200_000, 1_400_000],
  ['50,000 or more', async () => 1, 50_000],
  ['the maximum for a negative use', async () => -1, 1_400_000],
  ['the maximum for a fractional use', async () => 0.5, 1_400_000],
  ['the maximum after a failed simulation', async () => null, 1_400_000],
  ['the maximum on an unreachable chain', chainFails('unreachable', -2), 1_400_000],
])('execute: the compute limit is %s, from one simulation of the payload', async (_what, computeUnits, limit) => {
  const bench = await open()
  const simulated: string[] = []
  bench.chains.script.computeUnits = async (data) => {
    simulated.push(data)
    return computeUnits()
  }
  const order = orders.sol({ slippageBps: 100 })
  const offer = await bench.venue.quote(order, never())
  expect(simulated).toEqual([])
  // Asked twice: the price has moved.
  bench.market.setPrice('SOL', 170_500_000n)
  const execution = await bench.venue.execute({ order, offer }, order, never())
  expect(await prove(bench.venue, { order, offer, binding: order, execution })).toEqual([])
  const before = altered(execution, 'payload.transaction.data', simulated[0])
  const plans = await Promise.all([before, execution].map((one) => planOf(one, bench.network)))
  expect(plans.map(({ instructions }) => Buffer.from(instructions[0]?.data ?? []).readUInt32LE(1))).toEqual([1_400_000, limit])
  expect(plans[1]?.instructions.slice(1)).toEqual(plans[0]?.instructions.slice(1))
  expect(simulated).toHaveLength(1)
})

test('execute: the compute price is limited to a thousandth of a SOL in total [venue-jupiter]', async () => {
  const price = (microLamports: bigint) => {
    const bytes = Buffer.alloc(9, 3)
    bytes.writeBigUInt64LE(microLamports, 1)
    return (body: never) => altered(body, 'computeBudgetInstructions.0.data', bytes.toString('base64'))
  }
  const bench = await open()
  for (const [asked, set] of [
    [20_000n, 20_000n],
    [0n, 0n],
    [82_000_000_000n, 714_285n],
    [2n ** 64n - 1n, 714_285n],
  ] as const) {
    const { venue } = told(bench, { change: price(asked) })
    const { instructions } = await planOf((await swapOf(venue, orders.usdc())).execution, bench.network)
    const [limit, unitPrice] = instructions.map(({ data }) => Buffer.from(data))
    expect([limit?.readUInt32LE(1), unitPrice?.readBigUInt64LE(1)], `${asked}`).toEqual([1_400_000, set])
    expect([limit?.[0], unitPrice?.[0]]).toEqual([2, 3])
  }
  const none = told(bench, { change: (body) => altered(body, 'computeBudgetInstructions', []) })
  expect(await outcomeOf(none.venue, orders.usdc())).toBe('signed')
})

describe('execute: the lookup tables of a Jupiter route', () => {
  test('are read from the chain and shorten the transaction; a table that differs from the chain is rejected [venue-jupiter]', async () => {
    const { bench, ...swap } = await execute(orders.usdc())
    const { data } = transactionOf(swap.execution)
    const [table] = [...bench.network.tables.keys()]
    expect(await lookupTablesOf(data)).toEqual([table])
    const lying = (body: never) => altered(body, `addressesByLookupTableAddress.${table}.0`, OTHER)
    expect(await refusalOf(told(bench, { change: lying }).venue.quote(orders.usdc(), never()))).toMatchObject({
      ...{ kind: 'rejected', check: 'lookupTable', found: OTHER },
    })
    const without = told(bench, { change: (body) => altered(body, 'addressesByLookupTableAddress', null) })
    const plain = transactionOf((await swapOf(without.venue, orders.usdc())).execution).data
    expect(data.length).toBeLessThan(plain.length)
    // Another answer of the chain for the same bytes is another transaction.
    bench.chains.script.lookupTable = async (address) => ((bench.network.tables.get(address) ?? []).toReversed() as never) ?? null
    expect(await prove(bench.venue, swap)).not.toEqual([])
  })

  test('are read only where instructions use them, and never for an answer with more than 16', async () => {
    const bench = await open()
    const quote = (count: number, addresses: readonly string[]) => {
      const many = Array.from({ length: count }, (_, at) => [
        base58.encode(Buffer.alloc(32, 7).fill(`${at}`.padStart(4, '0'), 8)),
        addresses,
      ])
      const change = (body: never) =>
        altered(body, 'addressesByLookupTableAddress', (own: object) => ({ ...own, ...Object.fromEntries(many) }))
      bench.chains.calls.length = 0
      return told(bench, { change }).venue.quote(orders.usdc(), never())
    }
    await quote(5_000, [])
    const reads = () => bench.chains.calls.filter(({ method }) => method === 'lookupTable').length
    expect(reads()).toBe(1)
    expect(await refusalOf(quote(16, [WALLETS.solana]))).toMatchObject({ kind: 'rejected', check: 'lookupTables', found: '17' })
    expect(reads()).toBe(0)
  })

  test.each([
    ['an unreachable chain', 'lookupTable', chainFails('unreachable', -2), 'unavailable'],
    ['a chain without a latest block', 'latestBlockhash', chainFails('timeout', -2), 'timeout'],
  ] as const)('are required, and nothing is built with %s', async (_what, method, answer, kind) => {
    const bench = await open()
    bench.chains.script[method] = answer as never
    expect(await outcomeOf(bench.venue, orders.sol())).toBe(kind)
  })
})

/** Our node has kept a table without its latest addresses, or does not know it yet; `fresh` is what it reads now. */
test.each([
  ['has it later', (whole) => whole, 'signed'],
  ['still lacks it', () => null, 'unavailable'],
  ['still lacks its latest addresses', (whole) => whole.slice(0, 3), 'unavailable'],
  ['has another address there', (whole) => [...whole.slice(0, 3), ...whole.slice(3).toReversed()], 'rejected'],
] as readonly [string, (whole: readonly string[]) => readonly string[] | null, string][])(
  'execute: a lookup table missing on our node is priced by the answer, and used only where the chain %s',
  async (_what, now, outcome) => {
    for (const kept of [null, (whole: readonly string[]) => whole.slice(0, 3)]) {
      const bench = await open()
      const { script } = bench.chains
      const mints = script.solanaAccount
      script.lookupTable = async (table) => (kept?.(bench.network.tables.get(table) ?? []) ?? null) as never
      script.solanaAccount = async (address, signal) => {
        const whole = bench.network.tables.get(address)
        if (whole === undefined) return mints(address, signal)
        const addresses = now(whole)
        return addresses && { owner: TABLE_PROGRAM, data: lookupTableData(addresses) }
      }
      expect((await bench.venue.quote(orders.pyusd(), never())).outputAmount).toBeGreaterThan(0n)
      expect(await outcomeOf(bench.venue, orders.pyusd())).toBe(outcome)
    }
  },
)

test('execute: rejects a fee to an unrelated account despite the name of our fee account in the answer', async () => {
  type Accounts = readonly { readonly pubkey: string }[]
  const stranger = (own: Accounts) => own.toSpliced(10, 0, { ...own[10], pubkey: OTHER })
  const change = (body: never) => altered(body, 'swapInstruction.accounts', stranger)
  const { venue } = told(await open({ settings: WITH_FEE }), { change, settings: WITH_FEE })
  const refusal = { kind: 'rejected', check: 'theAccountOfTheFee' }
  expect(await refusalOf(venue.quote(orders.usdc({ feeBps: 30 }), never()))).toMatchObject(refusal)
})

test('quote: declines a transaction larger than a packet', async () => {
  const accounts = Array.from({ length: 24 }, (_, at) => ({
    pubkey: base58.encode(new Uint8Array(32).fill(at + 40)),
    isSigner: false,
    isWritable: true,
  }))
  type Answer = { readonly swapInstruction: { readonly accounts: readonly unknown[] } }
  const change = (body: Answer) => altered(body, 'swapInstruction.accounts', (own: readonly unknown[]) => [...own, ...accounts])
  const { venue } = told(await open(), { change: change as never })
  expect((await refusalOf(venue.quote(orders.pyusd(), never()))).message).toContain('longer than Solana takes')
})

test('execute: two equal swaps have different memos, and each memo is its uniqueness key', async () => {
  const { venue, clock, network } = await open()
  const nameOf = async () => {
    const swap = await swapOf(venue, orders.usdc())
    const [key, ...others] = await venue.profile.toldApartBy(swap)
    const memos = (await planOf(swap.execution, network)).instructions.filter(({ programId }) => programId.startsWith('Memo'))
    expect(memos.map(({ data }) => Buffer.from(data).toString())).toEqual([key?.value.split(':').slice(1).join(':')])
    expect(others).toEqual([])
    return key
  }
  const first = await nameOf()
  clock.advance(1)
  expect(await nameOf()).not.toEqual(first)
})

// Within the bound it is held to the quoted minimum by a tighter slippage; beyond it is told as it is: the engine refuses it.
test.each([
  ['within the bound', 169_800_000n, ['100', '100', '18'], []],
  ['beyond the bound', 165_000_000n, ['100', '100'], ['output.minimum']],
  ['for the better', 180_000_000n, ['100', '100'], []],
])('execute: a price that moved %s between quote and execute', async (_what, usdMicros, asked, objections) => {
  const order = orders.sol({ slippageBps: 100 })
  const { venue, market, sent } = await open()
  market.setPrice('SOL', 171_200_000n)
  const offer = await venue.quote(order, never())
  market.setPrice('SOL', usdMicros)
  const execution = await venue.execute({ order, offer }, order, never())
  expect(sent.map(({ query }) => query.get('slippageBps'))).toEqual(asked)
  expect(await prove(venue, { order, offer, binding: order, execution })).toEqual(objections)
})
