import { afterAll, expect, test } from 'vitest'
import { COMPUTE_BUDGET_PROGRAM, decodeSolanaTransaction, lookupTablesOf } from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { CHAIN_IDS, type ChainId, isEvmChainId } from '../../../engine/core/chain.ts'
import { MEMO_PROGRAM, SOLANA_DEPOSITORY } from '../../../engine/venues/relay/protocol.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { chainFails, createFakeChains } from '../../support/fakeChains.ts'
import {
  altered,
  depositOf,
  never,
  outcomeOf,
  prove,
  type Swap,
  swapOf,
  track,
  transactionOf,
} from '../../support/venueKit/calls.ts'
import recordings from './recordings.json' with { type: 'json' }
import { API_KEY, openBench, orders, told } from './support.ts'

const bench = await openBench()
afterAll(() => bench.close())

test.each([orders.sol(), orders.solanaUsdc()])(
  'execute: a deposit on Solana is all of the payload, on the latest block',
  async (order) => {
    const { chains, venue } = told(bench)
    const { data, ...transaction } = transactionOf((await swapOf(venue, order)).execution)
    expect(transaction).toEqual({ chainId: -2, to: SOLANA_DEPOSITORY, value: 0n, serialized: data })
    const { instructions, ...decoded } = (await decodeSolanaTransaction(data)) ?? {}
    const { blockhash: recentBlockhash } = await chains.script.latestBlockhash(never())
    expect(decoded).toMatchObject({ feePayer: WALLETS.solana, signers: [WALLETS.solana], recentBlockhash })
    expect(instructions?.map(({ programId }) => programId)).toEqual([COMPUTE_BUDGET_PROGRAM, SOLANA_DEPOSITORY])
    // A price reads no chain.
    expect(chains.calls.map(({ method }) => method)).toEqual(['latestBlockhash'])
  },
)

const TABLE = addressOf('solana', 'SysvarRent111111111111111111111111111111111')
type Deposit = { readonly instructions: readonly { readonly keys: readonly { readonly pubkey: Address }[] }[] }
/** The venue, naming a lookup table; what its deposits name is added to `table`. */
const withTable = (lookupTable: () => Promise<Address[] | null>, table: Address[] = []) => {
  const chains = createFakeChains()
  chains.script.lookupTable = lookupTable
  const naming = ({ instructions }: Deposit) => {
    table.push(...instructions.flatMap(({ keys }) => keys.map(({ pubkey }) => pubkey)))
    return { instructions, addressLookupTableAddresses: [TABLE] }
  }
  return told(bench, { changes: { '/quote/v2': (quote) => altered(quote, 'steps.0.items.0.data', naming) }, chains })
}

test('execute: a deposit on Solana uses lookup tables of the chain, and is proved by them', async () => {
  const order = orders.solanaUsdc()
  const bytesOf = (data: string) => Buffer.from(data, 'base64').length
  const table: Address[] = []
  const { venue, chains } = withTable(async () => table, table)
  const swap = await swapOf(venue, order)
  const { data } = transactionOf(swap.execution)
  expect(await lookupTablesOf(data)).toEqual([TABLE])
  expect(bytesOf(data)).toBeLessThan(bytesOf(transactionOf((await swapOf(bench.venue, order)).execution).data))
  expect(await prove(venue, swap)).toEqual([])
  // Another answer of the chain for the same bytes is another transaction.
  table.reverse()
  expect(await prove(venue, swap)).not.toEqual([])
  chains.script.lookupTable = async () => null
  expect(await prove(venue, swap)).not.toEqual([])
})

test.each([
  ['an unreachable chain', 'lookupTable', chainFails('unreachable', -2), 'unavailable'],
  ['a slow chain', 'lookupTable', chainFails('timeout', -2), 'timeout'],
  ['a chain without a latest block', 'latestBlockhash', chainFails('unreachable', -2), 'unavailable'],
] as const)('execute: a deposit on Solana is not built with %s', async (_what, method, answer, kind) => {
  const { venue, chains } = withTable(async () => [])
  chains.script[method] = answer as never
  expect(await outcomeOf(venue, orders.sol())).toBe(kind)
})

test.each([
  [700, 'signed'],
  [950, 'noLiquidity'],
])('quote: a deposit on Solana with a memo of %d bytes is %s, as a packet has 1,232', async (bytes, outcome) => {
  const memo = { programId: MEMO_PROGRAM, keys: [], data: '61'.repeat(bytes) }
  const more = (quote: unknown) => altered(quote, 'steps.0.items.0.data.instructions.2', memo)
  expect(await outcomeOf(told(bench, { changes: { '/quote/v2': more } }).venue, orders.sol())).toBe(outcome)
})

test('execute: each deposit of bitcoin has an address of its own, which is its reference', async () => {
  const swaps = [await swapOf(bench.venue, orders.bitcoin()), await swapOf(bench.venue, orders.bitcoin())]
  const addresses = swaps.map(({ execution }) => depositOf(execution).address)
  expect(new Set(addresses).size).toBe(2)
  expect(swaps.map(({ execution }) => execution.venueRef)).toEqual(addresses)
  const [address = '', [swap]] = [addresses[0]?.toUpperCase(), swaps]
  expect(await track(bench.venue, address, swap as Swap)).toMatchObject({ state: 'pending' })
})

test('status: a recorded request reports the delivered amount', async () => {
  const wallet = addressOf('evm', '0x33a72bee62d544e38be22dfe0f4b131af2a88725')
  const order = orders.ether({ to: [8453, NATIVE], from: [42161, NATIVE], amount: 60_000_000_000_000n, recipient: wallet })
  const paid = { status: 'success', inTxHashes: [`0x${'51'.repeat(32)}`], txHashes: [`0x${'8c'.repeat(32)}`] }
  let id = ''
  const { venue } = told(bench, {
    apiKey: API_KEY,
    instead: ({ path }) => {
      if (path === '/requests/v3') return { body: { requests: [{ ...recordings.liveRequest.record, id }] } }
      return path === '/intents/status/v3' ? { body: paid } : null
    },
  })
  const swap = await swapOf(venue, order)
  id = swap.execution.venueRef ?? ''
  // Any spelling of the request id finds it.
  for (const ref of [id, id.toUpperCase()])
    expect(await track(venue, ref, swap)).toMatchObject({ state: 'success', deliveredAmount: 49_426_938_842_266n })
})

const owedOf = (from: readonly [ChainId, string], amount: bigint): bigint => {
  const order = orders.ether({ from, to: from[0] === 8453 ? [42161, NATIVE] : [8453, NATIVE], amount })
  const { amount: fixed, bps } = bench.venue.profile.refundKeeps({ order } as never)
  return amount - fixed - (amount * BigInt(bps)) / 10_000n
}
const USDC_ETHEREUM = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

// The venue's own examples of the cost: 0.000302 US dollars of gas on Base, 0.019054 on Ethereum; and what the simulated solver takes.
test.each<[what: string, from: readonly [ChainId, string], amount: bigint, cost: bigint]>([
  ['0.1 ETH on Base', [8453, NATIVE], 10n ** 17n, 143_000_000_000n],
  ['1 USDC on Base', [8453, USDC.base], 1_000_000n, 1_000n],
  ['0.1 ETH on Ethereum', [1, NATIVE], 10n ** 17n, 8_500_000_000_000n],
  ['5 USDC on Ethereum', [1, USDC_ETHEREUM], 5_000_000n, 19_054n],
  ['1 SOL, to a wallet that is opened for it', [-2, NATIVE_SOL], 10n ** 9n, 2_044_280n],
  ['250 USDC on Solana', [-2, USDC.solana], 250_000_000n, 1_000n],
  ['0.001 BTC', [-1, 'BTC'], 100_000n, 1_900n],
])('refunds: %s comes back without the network fee', (_what, from, amount, cost) => {
  expect(amount - cost).toBeGreaterThanOrEqual(owedOf(from, amount))
})

test('refunds: at most a twentieth may be missing, and of a deposit close to dust half', () => {
  const coins = CHAIN_IDS.filter(isEvmChainId).map((chainId) => [chainId, NATIVE, 10n ** 18n] as const)
  const others = [
    [8453, USDC.base, 250_000_000n],
    [1, USDC_ETHEREUM, 250_000_000n],
    [-2, NATIVE_SOL, 10n ** 9n],
    [-2, USDC.solana, 250_000_000n],
    [-1, 'BTC', 1_000_000n],
  ] as const
  for (const [chainId, token, amount] of [...coins, ...others])
    expect(owedOf([chainId, token], amount), `${chainId}`).toBeGreaterThanOrEqual((amount * 95n) / 100n)
  const dust = [[8453, NATIVE, 1_000n] as const, [-1, 'BTC', 10_000n] as const, [-2, NATIVE_SOL, 100_001n] as const]
  for (const [chainId, token, amount] of dust) expect(owedOf([chainId, token], amount)).toBe(amount - amount / 2n)
})
