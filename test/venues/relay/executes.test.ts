import { describe, expect, test } from 'vitest'
import { decodeSolanaTransaction, lookupTablesOf } from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { chainFails, createFakeChains } from '../../support/fakeChains.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, outcomeOf, prove, said, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import {
  ARB,
  DEPOSITORY,
  openBench,
  orders,
  RECIPIENT_BTC,
  requestIdOf,
  SOLANA_PROGRAM,
  told,
  USDC_LINEA,
  WITH_FEE,
} from './support.ts'

const open = closedAfterEach(openBench)

const execute = async (order: VenueOrder) => {
  const bench = await open({ settings: WITH_FEE })
  return { bench, ...(await swapOf(bench.venue, order)) }
}

test('execute: tokens are deposited under the request id, and the quoted fee is requested again', async () => {
  const { bench, execution } = await execute(orders.usdc({ feeBps: 15, slippageBps: 50 }))
  expect(transactionOf(execution)).toMatchObject({ to: DEPOSITORY, value: 0n, chainId: 8453 })
  expect(execution.venueRef).toBe(requestIdOf(execution))
  expect(execution).toMatchObject({ outputAmount: 249_575_500n, slippage: { guaranteedMin: 248_327_622n } })
  expect(bench.sent.map(({ path }) => path)).toEqual(['/chains', '/quote/v2', '/quote/v2'])
  expect(bench.sent[2]?.body).toEqual(bench.sent[1]?.body)
})

test.each([{ recipient: DEPOSITORY }, { refundTo: DEPOSITORY }])('execute: rejects the depository as %o', async (parties) => {
  const { bench, ...swap } = await execute(orders.usdc(parties))
  expect(await prove(bench.venue, swap)).toEqual(['contract.owner'])
})

describe('execute: a Relay deposit on Solana', () => {
  test.each([orders.sol(), orders.solanaUsdc()])('is the only content of the payload, on the latest block', async (order) => {
    const { bench, execution } = await execute(order)
    const { data, ...transaction } = transactionOf(execution)
    expect(transaction).toEqual({ chainId: -2, to: SOLANA_PROGRAM, value: 0n, serialized: data })
    const decoded = await decodeSolanaTransaction(data)
    const { blockhash: recentBlockhash } = await bench.chains.script.latestBlockhash(never())
    expect(decoded).toMatchObject({ feePayer: WALLETS.solana, signers: [WALLETS.solana], recentBlockhash })
    const programs = ['ComputeBudget111111111111111111111111111111', SOLANA_PROGRAM]
    expect(decoded?.instructions.map(({ programId }) => programId)).toEqual(programs)
    expect(bench.chains.calls.map(({ method }) => method)).toEqual(['latestBlockhash'])
  })

  const TABLE = addressOf('solana', 'SysvarRent111111111111111111111111111111111')
  type Instructions = readonly { readonly keys: readonly { readonly pubkey: Address }[] }[]
  /** The venue, naming a lookup table; what its deposits name is added to `table`. */
  const withTable = async (lookupTable: () => Promise<Address[] | null>, table: Address[] = []) => {
    const chains = createFakeChains()
    chains.script.lookupTable = lookupTable
    const naming = ({ instructions }: { instructions: Instructions }) => {
      table.push(...instructions.flatMap(({ keys }) => keys.map(({ pubkey }) => pubkey)))
      return { instructions, addressLookupTableAddresses: [TABLE] }
    }
    return told(await open(), { changes: { '/quote/v2': (quote) => altered(quote, 'steps.0.items.0.data', naming) }, chains })
  }

  test('uses lookup tables of the chain to shorten the transaction', async () => {
    const order = orders.solanaUsdc()
    const bytesOf = (data: string) => Buffer.from(data, 'base64').length
    const plain = transactionOf((await execute(order)).execution).data
    const table: Address[] = []
    const { venue, chains } = await withTable(async () => table, table)
    const swap = await swapOf(venue, order)
    const { data } = transactionOf(swap.execution)
    expect(await lookupTablesOf(data)).toEqual([TABLE])
    expect(bytesOf(data)).toBeLessThan(bytesOf(plain))
    expect(await prove(venue, swap)).toEqual([])
    // Another answer of the chain for the same bytes is another transaction.
    table.reverse()
    expect(await prove(venue, swap)).not.toEqual([])
    chains.script.lookupTable = async () => null
    expect(await prove(venue, swap)).not.toEqual([])
  })

  test.each([
    ['a missing lookup table', 'lookupTable', () => Promise.resolve(null), 'rejected'],
    ['an unreachable chain', 'lookupTable', chainFails('unreachable', -2), 'unavailable'],
    ['a slow chain', 'lookupTable', chainFails('timeout', -2), 'timeout'],
    ['a chain without a latest block', 'latestBlockhash', chainFails('unreachable', -2), 'unavailable'],
  ] as const)('is not built with %s', async (_what, method, answer, kind) => {
    const { venue, chains } = await withTable(async () => [])
    chains.script[method] = answer as never
    expect(await outcomeOf(venue, orders.sol())).toBe(kind)
  })
})

/** What the journeys take to the end is left out here: these are the fees, and what no journey goes through. */
test.each([
  ['tokens with a fee', orders.usdc({ feeBps: 15, slippageBps: 50 })],
  ['coins with a fee', orders.ether({ feeBps: 100 })],
  ['from Linea, which has a depository of its own', orders.usdc({ from: [59144, USDC_LINEA] })],
  ['into a token the solver has to buy', orders.usdc({ to: [42161, ARB] })],
  ['Solana SOL with a fee', orders.sol({ feeBps: 25 })],
  ['Solana tokens', orders.solanaUsdc({ slippageBps: 1 })],
  ['into bitcoin', orders.ether({ to: [-1, NATIVE], recipient: RECIPIENT_BTC })],
  ['from bitcoin with a fee', orders.bitcoin({ feeBps: 30 })],
  ['from bitcoin into SOL', orders.bitcoin({ to: [-2, NATIVE_SOL], recipient: WALLETS.solana })],
])('execute: the payload of %s is proved, with the requested fee', async (_name, order) => {
  const { bench, ...swap } = await execute(order)
  expect(await prove(bench.venue, swap)).toEqual([])
  const { feeBps, refundTo } = order
  const claims = await bench.venue.decode(swap.execution)
  expect([said(claims.fee), said(claims.refundTo)]).toEqual([feeBps === 0 ? null : { recipient: null, bps: feeBps }, refundTo])
})

// Within the bound it is held to the quoted minimum by a tighter slippage; beyond it is told as it is: the engine refuses it.
test.each([
  ['within the bound', 3_930_000_000n, ['100', '100', '49'], []],
  ['beyond the bound', 3_800_000_000n, ['100', '100'], ['output.minimum']],
  ['for the better', 4_000_000_000n, ['100', '100'], []],
])('execute: a price that moved %s between quote and execute', async (_what, usdMicros, asked, objections) => {
  const order = orders.ether({ to: [42161, USDC.arbitrum], slippageBps: 100 })
  const { venue, market, sent } = await open()
  const offer = await venue.quote(order, never())
  market.setPrice('ETH', usdMicros)
  const execution = await venue.execute({ order, offer }, order, never())
  expect(sent.slice(1).map(({ body }) => (body as { slippageTolerance: string }).slippageTolerance)).toEqual(asked)
  expect(execution.outputAmount > offer.outputAmount).toBe(usdMicros === 4_000_000_000n)
  expect(await prove(venue, { order, offer, binding: order, execution })).toEqual(objections)
})
