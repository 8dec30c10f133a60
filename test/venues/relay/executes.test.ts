import { describe, expect, test } from 'vitest'
import { decodeSolanaTransaction, lookupTablesOf } from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { chainFails, createFakeChains } from '../../support/fakeChains.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, depositOf, never, prove, refusalOf, said, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { ARB, DEPOSITORY, NATIVE, NATIVE_SOL, orders, RECIPIENT_BTC, SOLANA_PROGRAM, USDC } from './orders.ts'
import { BLOCKHASH, keptAnswers, openBench, poorBut, requestIdOf, told, WITH_FEE } from './support.ts'

const open = closedAfterEach(openBench)
const answers = keptAnswers()

const execute = async (order: VenueOrder) => {
  const bench = await open({ settings: WITH_FEE })
  return { bench, ...(await swapOf(bench.venue, order)) }
}

describe('on an EVM chain', () => {
  test('tokens are deposited with the depository, under the request’s id; the quoted fee is asked for again', async () => {
    const { bench, execution } = await execute(orders.usdc({ feeBps: 15, slippageBps: 50 }))
    expect(transactionOf(execution)).toMatchObject({ to: DEPOSITORY, value: 0n, chainId: 8453 })
    expect(execution.venueRef).toBe(requestIdOf(execution))
    expect(execution).toMatchObject({ outputAmount: 249_575_500n, slippage: { guaranteedMin: 248_327_622n } })
    expect(bench.sent.map(({ path }) => path)).toEqual(['/chains', '/quote/v2', '/quote/v2'])
    expect(bench.sent[2]?.body).toEqual(bench.sent[1]?.body)
  })

  test.each([{ recipient: DEPOSITORY }, { refundTo: DEPOSITORY }])(
    'nothing goes to the depository itself: %o',
    async (parties) => {
      const { bench, ...swap } = await execute(orders.usdc(parties))
      expect(await prove(bench.venue, swap)).toEqual(['contract.owner'])
    },
  )

  test('addresses bound at execute are the ones asked for and in the order, on both sides', async () => {
    const { venue, sent } = await open()
    const bound = { recipient: WALLETS.evm, refundTo: WALLETS.evmOther }
    const swap = await swapOf(venue, orders.usdc(), bound)
    expect(sent[2]?.body).toMatchObject(bound)
    expect(await prove(venue, swap)).toEqual([])
    expect(await venue.decode(swap.execution)).toMatchObject(bound)
  })
})

describe('on Solana', () => {
  test.each([
    ['SOL', orders.sol(), '0d9e0ddf5fd51c06'],
    ['tokens', orders.solanaUsdc(), '0b9c60da27a3b413'],
  ])('%s: an unsigned v0 transaction of the vendor’s instructions, on the latest block', async (_name, order, discriminator) => {
    const { bench, execution } = await execute(order)
    const transaction = transactionOf(execution)
    const decoded = await decodeSolanaTransaction(transaction.data)
    expect(transaction).toMatchObject({ chainId: -2, to: SOLANA_PROGRAM, value: 0n, serialized: transaction.data })
    const wire = Buffer.from(transaction.data, 'base64')
    expect(wire.length).toBeLessThanOrEqual(1_232)
    expect(wire.subarray(1, 65).every((byte) => byte === 0)).toBe(true)
    expect(wire[65]).toBe(0x80)
    expect(decoded).toMatchObject({ feePayer: WALLETS.solana, signers: [WALLETS.solana], recentBlockhash: BLOCKHASH })
    const programs = ['ComputeBudget111111111111111111111111111111', SOLANA_PROGRAM]
    expect(decoded?.instructions.map(({ programId }) => programId)).toEqual(programs)
    const data = Buffer.from(decoded?.instructions[1]?.data ?? [])
    expect(data.subarray(0, 8).toString('hex')).toBe(discriminator)
    expect(data.readBigUInt64LE(8)).toBe(order.inputAmount)
    expect(bench.chains.calls.map(({ method }) => method)).toEqual(['latestBlockhash'])
  })

  type Data = { readonly instructions: readonly { readonly keys: readonly { readonly pubkey: string }[] }[] }
  /** The venue, with a change of what the transaction is to be made of. */
  const withData = async (order: VenueOrder, change: (data: Data) => object, chains = createFakeChains()) => {
    const proper = await answers(order)
    const { steps } = proper.quote as { steps: readonly { items: readonly { data: Data }[] }[] }
    const data = steps[0]?.items[0]?.data as Data
    return told({ ...proper, quote: altered(proper.quote, 'steps.0.items.0.data', { ...data, ...change(data) }) }, { chains })
  }
  const TABLE = addressOf('solana', 'SysvarRent111111111111111111111111111111111')
  const tables = () => ({ addressLookupTableAddresses: [TABLE] })

  test('lookup tables are read from the chain, and make the transaction shorter', async () => {
    const order = orders.solanaUsdc()
    const plain = Buffer.from(transactionOf((await execute(order)).execution).data, 'base64').length
    const chains = createFakeChains()
    const keys: Address[] = []
    chains.script.lookupTable = async () => keys
    const taking = ({ instructions }: Data) => {
      keys.push(...instructions.flatMap((instruction) => instruction.keys.map(({ pubkey }) => pubkey as Address)))
      return tables()
    }
    const { venue } = await withData(order, taking, chains)
    const swap = await swapOf(venue, order)
    const { data } = transactionOf(swap.execution)
    expect(await lookupTablesOf(data)).toEqual([TABLE])
    expect(Buffer.from(data, 'base64').length).toBeLessThan(plain)
    expect(await prove(venue, swap)).toEqual([])
    // Another answer of the chain for the same bytes is another transaction.
    keys.reverse()
    expect(await prove(venue, swap)).not.toEqual([])
    chains.script.lookupTable = async () => null
    expect(await prove(venue, swap)).not.toEqual([])
  })

  test('one that is longer than a packet is declined before it is offered', async () => {
    const order = orders.sol()
    const withMemo = (bytes: number) => {
      const memo = { keys: [], programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', data: '61'.repeat(bytes) }
      return withData(order, ({ instructions }) => ({ instructions: [...instructions, memo] }))
    }
    const long = await withMemo(950)
    expect(await refusalOf(long.venue.quote(order, never()))).toMatchObject({ kind: 'noLiquidity' })
    const { venue } = await withMemo(700)
    expect(await prove(venue, await swapOf(venue, order))).toEqual([])
  })

  test.each([
    ['a table that is none', () => Promise.resolve(null), 'badResponse'],
    ['a chain out of reach', chainFails('unreachable', -2), 'unavailable'],
    ['a chain that is slow', chainFails('timeout', -2), 'timeout'],
  ] as const)('%s refuses the offer', async (_name, answer, kind) => {
    const chains = createFakeChains()
    chains.script.lookupTable = answer
    const { venue } = await withData(orders.sol(), tables, chains)
    expect((await refusalOf(venue.quote(orders.sol(), never()))).kind).toBe(kind)
  })

  test('no blockhash, no transaction', async () => {
    const { venue, chains } = await open()
    const order = orders.sol()
    const offer = await venue.quote(order, never())
    chains.script.latestBlockhash = chainFails('unreachable', -2)
    expect((await refusalOf(venue.execute({ order, offer }, order, never()))).kind).toBe('unavailable')
  })
})

describe('from Bitcoin', () => {
  test('a wallet without the coins gets an address in the name of another, refunded and delivered as asked', async () => {
    const order = orders.bitcoin()
    const standIn = addressOf('bitcoin', '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo')
    const { venue, asked } = poorBut(standIn, await answers(order))
    const swap = await swapOf(venue, order)
    expect(depositOf(swap.execution)).toMatchObject({ amount: order.inputAmount, chainId: -1 })
    const { refundTo, recipient } = order
    expect(asked.at(-1)?.body).toMatchObject({ user: standIn, refundTo, recipient, strict: true })
    expect(await prove(venue, swap)).toEqual([])
  })

  test('a new address for this one order, with the refund address bound', async () => {
    const { bench, execution, order } = await execute(orders.bitcoin({ feeBps: 30, slippageBps: 100 }))
    const { address, amount, chainId } = depositOf(execution)
    expect({ amount, chainId }).toEqual({ amount: 1_000_000n, chainId: -1 })
    expect(address).toMatch(/^bc1q/)
    expect(execution.venueRef).toBe(address)
    expect(bench.sent.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /chains', 'POST /price', 'POST /quote/v2'])
    expect(bench.sent[2]?.body).toMatchObject({ useDepositAddress: true, strict: true, refundTo: order.refundTo })
    expect((await bench.venue.decode(execution)).pays).toBe(address)
  })
})

/** What the journeys take to the end is left out here: these are the fees, and what no journey goes through. */
test.each([
  ['tokens with a fee', orders.usdc({ feeBps: 15, slippageBps: 50 })],
  ['coins with a fee', orders.ether({ feeBps: 100 })],
  ['from Linea, which has a depository of its own', orders.usdc({ from: [59144, USDC.linea] })],
  ['into a token the solver has to buy', orders.usdc({ to: [42161, ARB] })],
  ['Solana SOL with a fee', orders.sol({ feeBps: 25 })],
  ['Solana tokens', orders.solanaUsdc({ slippageBps: 1 })],
  ['into bitcoin', orders.ether({ to: [-1, NATIVE], recipient: RECIPIENT_BTC })],
  ['from bitcoin with a fee', orders.bitcoin({ feeBps: 30 })],
  ['from bitcoin into SOL', orders.bitcoin({ to: [-2, NATIVE_SOL], recipient: WALLETS.solana })],
])('%s: what is built is proved, with the fee that was asked for', async (_name, order) => {
  const { bench, ...swap } = await execute(order)
  expect(await prove(bench.venue, swap)).toEqual([])
  const { fee, refundTo } = await bench.venue.decode(swap.execution)
  expect([said(fee), said(refundTo)]).toEqual([
    order.feeBps === 0 ? null : { recipient: null, bps: order.feeBps },
    order.refundTo,
  ])
})

describe('a price that moved between quote and execute', () => {
  const order = orders.ether({ to: [42161, USDC.arbitrum], slippageBps: 100 })
  // Within the bound it is held to the quoted minimum by a tighter slippage; beyond it is told as it is: the engine refuses it.
  test.each([
    ['within the bound', 3_930_000_000n, ['100', '100', '49'], true],
    ['beyond the bound', 3_800_000_000n, ['100', '100'], false],
    ['better', 4_000_000_000n, ['100', '100'], true],
  ])('%s', async (_what, usdMicros, asked, isKept) => {
    const { venue, market, sent } = await open()
    const offer = await venue.quote(order, never())
    market.setPrice('ETH', usdMicros)
    const execution = await venue.execute({ order, offer }, order, never())
    expect(sent.slice(1).map(({ body }) => (body as { slippageTolerance: string }).slippageTolerance)).toEqual(asked)
    expect(execution.outputAmount > offer.outputAmount).toBe(usdMicros === 4_000_000_000n)
    expect((execution.slippage?.guaranteedMin ?? 0n) >= (offer.slippage?.guaranteedMin ?? 0n)).toBe(isKept)
    expect((await prove(venue, { order, offer, binding: order, execution })).length === 0).toBe(isKept)
  })
})

test('an offer of another version is not executed', async () => {
  const { venue } = await open()
  const order = orders.usdc()
  const offer = { ...(await venue.quote(order, never())), carry: { v: 2 } }
  expect((await refusalOf(venue.execute({ order, offer }, order, never()))).kind).toBe('badResponse')
})
