import { afterAll, describe, expect, test } from 'vitest'
import type { Movement, SeenInstruction, SeenTransaction } from '../../../engine/chains/seen.ts'
import { decodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { SOLANA } from '../../../engine/core/chain.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { parseTransactionId } from '../../../engine/core/transactionId.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countForgeries } from '../../support/venueKit/forgeries.ts'
import { SOMEONE } from '../../support/venueKit/payloads.ts'
import { openBench, orders, SOLANA_PROGRAM } from './support.ts'

const MEMO = addressOf('solana', 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const OTHER_MEMO = addressOf('solana', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo')
const SOLVER = addressOf('solana', 'F7p3dFrjRTbtRp8FRF6qHLomXbKRBzpvBLjtQcfcgmNe')
const OTHER_ID = `0x${'ee'.repeat(32)}`

const bench = await openBench()
afterAll(() => bench.close())
const forged = countForgeries('relay on Solana', 183)

const events = (): SwapEvents => {
  if (!bench.venue.events) throw new TypeError('no events')
  return bench.venue.events
}
const open = (order: VenueOrder): Promise<Swap> => swapOf(bench.venue, order)

type Call = Omit<SeenInstruction, 'index'>

const seen = (calls: readonly Call[], change: Partial<SeenTransaction> = {}): SeenTransaction => {
  const hash = parseTransactionId(SOLANA, '5'.repeat(88))
  if (hash === null) throw new TypeError('no such signature')
  return {
    ...{ chainId: SOLANA, hash, isSuccess: true, standing: 'confirmed', at: null, height: 1 },
    ...{ movements: [], call: null, logs: [], notes: [], instructions: calls.map((call, index) => ({ index, ...call })) },
    ...change,
  }
}

/** The payload's calls as the chain shows them. */
const callsOf = async ({ execution }: Swap): Promise<readonly Call[]> => {
  const { instructions = [] } = (await decodeSolanaTransaction(transactionOf(execution).data)) ?? {}
  return instructions.map(({ programId, accounts, data }) => ({ program: programId, accounts: accounts as Address[], data }))
}
const depositIn = async (swap: Swap): Promise<Call> => {
  const deposit = (await callsOf(swap)).find(({ program }) => program === SOLANA_PROGRAM)
  if (!deposit) throw new TypeError('no deposit')
  return deposit
}
const idIn = ({ data }: Call): string => `0x${Buffer.from(data.slice(16)).toString('hex')}`
const withByte = (data: Uint8Array, at: number): Uint8Array => data.with(at, (data[at] ?? 0) ^ 1)

describe.each([
  ['SOL', orders.sol()],
  ['tokens', orders.solanaUsdc()],
])('events: a Relay deposit on Solana of %s', (_kind, order) => {
  const took = { token: order.input.address, amount: order.inputAmount }

  test('is found by the program instruction, direct or nested, any number of times', async () => {
    const [swap, other] = [await open(order), await open(order)]
    const [deposit, another] = [await depositIn(swap), await depositIn(other)]
    const told = (index: number) => ({ place: `instruction:${index}`, orderId: idIn(deposit), took })
    const calls = await callsOf(swap)
    const at = calls.findIndex(({ program }) => program === SOLANA_PROGRAM)
    expect(await events().inputs(seen(calls), swap)).toEqual([told(at)])
    const wrapped = { program: SOMEONE, accounts: deposit.accounts, data: deposit.data }
    expect(await events().inputs(seen([wrapped, another, deposit, deposit]), swap)).toEqual([told(2), told(3)])
    expect(await events().inputs(seen([wrapped, another]), swap)).toEqual([])
  })

  test('matches the payload in every account and byte', async () => {
    const swap = await open(order)
    const deposit = await depositIn(swap)
    const inputs = (calls: readonly Call[], change: Partial<SeenTransaction> = {}) => events().inputs(seen(calls, change), swap)
    for (const [at] of deposit.data.entries())
      forged(`byte ${at}`, await inputs([{ ...deposit, data: withByte(deposit.data, at) }]))
    for (const data of [deposit.data.slice(0, -1), Uint8Array.of(...deposit.data, 0), new Uint8Array(0)])
      forged('data of another length', await inputs([{ ...deposit, data }]))
    for (const [at] of deposit.accounts.entries())
      forged(`account ${at}`, await inputs([{ ...deposit, accounts: deposit.accounts.with(at, SOMEONE) }]))
    for (const accounts of [[], deposit.accounts.slice(0, -1), [...deposit.accounts, SOMEONE], deposit.accounts.toReversed()])
      forged('other accounts', await inputs([{ ...deposit, accounts }]))
    forged('another program', await inputs([{ ...deposit, program: SOMEONE }]))
    forged('of a transaction that failed', await inputs([deposit], { isSuccess: false }))
    forged('on another chain', await inputs([deposit], { chainId: 8453 }))
  })
})

describe.each([
  ['a delivery', 'outputs', orders.usdc({ to: [SOLANA, NATIVE_SOL], recipient: WALLETS.solana })],
  ['a delivery of tokens', 'outputs', orders.usdc({ to: [SOLANA, USDC.solana], recipient: WALLETS.solana })],
  ['a refund', 'refunds', orders.sol({ refundTo: SOLVER })],
  ['a refund of tokens', 'refunds', orders.solanaUsdc({ refundTo: SOLVER })],
] as const)('events: %s of Relay on Solana', (_what, verb, order) => {
  test('is the transfer to the wallet in a transaction whose memo names the order', async () => {
    const swap = await open(order)
    const [asset, to] = verb === 'outputs' ? [order.output, swap.binding.recipient] : [order.input, swap.binding.refundTo]
    const { data } = transactionOf(swap.execution)
    const id = verb === 'outputs' ? `0x${data.slice(-64)}` : idIn(await depositIn(swap))
    const memo = (text: string, program = MEMO): Call => ({ program, accounts: [], data: Buffer.from(text) })
    const paid: Movement = { place: 'instruction:1', token: asset.address, from: null, to, amount: 5n }
    const at = (calls: readonly Call[], movements: readonly Movement[] = [paid], change: Partial<SeenTransaction> = {}) =>
      events()[verb](seen(calls, { movements, ...change }), swap, [id])
    const told = [{ place: 'instruction:1', amount: 5n }]
    expect(await at([memo(id)])).toEqual(told)
    // The oracle looks for the id anywhere in the memo.
    expect(await at([memo('hello'), memo(`fill ${id}`)])).toEqual(told)

    forged('no memo', await at([]))
    for (const text of ['', OTHER_ID, id.slice(2), id.slice(0, -1), id.toUpperCase()]) forged(text, await at([memo(text)]))
    for (const program of [OTHER_MEMO, SOMEONE]) forged('of another program', await at([memo(id, program)]))
    forged('to another', await at([memo(id)], [{ ...paid, to: SOMEONE }]))
    forged('of another token', await at([memo(id)], [{ ...paid, token: SOMEONE }]))
    forged('of a transaction that failed', await at([memo(id)], [paid], { isSuccess: false }))
    forged('on another chain', await at([memo(id)], [paid], { chainId: 8453 }))
    forged('of no order', await events()[verb](seen([memo(id)], { movements: [paid] }), swap, []))
  })
})
