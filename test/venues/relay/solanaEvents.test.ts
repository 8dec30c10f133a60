import { afterAll, expect, test } from 'vitest'
import type { Movement, SeenInstruction, SeenTransaction } from '../../../engine/chains/seen.ts'
import { decodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { SOLANA } from '../../../engine/core/chain.ts'
import { MEMO_PROGRAM, SOLANA_DEPOSITORY } from '../../../engine/venues/relay/protocol.ts'
import { NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { seenEvm } from '../../support/seenEvm.ts'
import { type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countForgeries } from '../../support/venueKit/forgeries.ts'
import { flips } from '../../support/venueKit/mutations.ts'
import { SOMEONE } from '../../support/venueKit/payloads.ts'
import { openBench, orders } from './support.ts'

const OTHER_MEMO = addressOf('solana', 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo')
const OTHER_WALLET = addressOf('solana', 'F7p3dFrjRTbtRp8FRF6qHLomXbKRBzpvBLjtQcfcgmNe')

const bench = await openBench()
afterAll(() => bench.close())
const { events } = bench.venue
const forged = countForgeries('relay on Solana', 183)

type Call = Omit<SeenInstruction, 'index'>
const seen = (calls: readonly Call[], change: Partial<SeenTransaction> = {}): SeenTransaction =>
  seenEvm(8453, [], { chainId: SOLANA, instructions: calls.map((call, index) => ({ index, ...call })), ...change })

/** The payload's deposit as the chain shows it, and its place. */
const depositIn = async ({ execution }: Swap) => {
  const { instructions = [] } = (await decodeSolanaTransaction(transactionOf(execution).data)) ?? {}
  const calls = instructions.map(({ programId, accounts, data }) => ({
    ...{ program: programId, accounts: accounts as Address[], data },
  }))
  const at = calls.findIndex(({ program }) => program === SOLANA_DEPOSITORY)
  return { calls, at, deposit: calls[at] as Call, id: `0x${Buffer.from(calls[at]?.data.slice(16) ?? []).toString('hex')}` }
}

test.each([
  ['SOL', orders.sol()],
  ['tokens', orders.solanaUsdc()],
])(
  'events: a deposit of %s on Solana is the program instruction with every account and byte, each time',
  async (_kind, order) => {
    const swap = await swapOf(bench.venue, order)
    const [{ calls, at, deposit, id }, other] = [await depositIn(swap), await depositIn(await swapOf(bench.venue, order))]
    const inputs = async (of: readonly Call[], change: Partial<SeenTransaction> = {}) =>
      (await events?.inputs(seen(of, change), swap)) ?? null
    const took = { token: order.input.address, amount: order.inputAmount }
    const told = (index: number) => ({ place: `instruction:${index}`, orderId: id, took })
    const wrapped = { ...deposit, program: SOMEONE }
    expect(await inputs(calls)).toEqual([told(at)])
    expect(await inputs([wrapped, other.deposit, deposit, deposit])).toEqual([told(2), told(3)])

    const { accounts, data } = deposit
    const lengths = [data.slice(0, -1), Uint8Array.of(...data, 0), new Uint8Array(0)]
    for (const [place, bytes] of [...flips(data), ...lengths].entries())
      forged(`data ${place}`, await inputs([{ ...deposit, data: bytes }]))
    const lists = [[], accounts.slice(0, -1), [...accounts, SOMEONE], accounts.toReversed()]
    for (const [place, others] of [...accounts.map((_, i) => accounts.with(i, SOMEONE)), ...lists].entries())
      forged(`accounts ${place}`, await inputs([{ ...deposit, accounts: others }]))
    forged('another program', await inputs([wrapped, other.deposit]))
    forged('of a transaction that failed', await inputs([deposit], { isSuccess: false }))
    forged('on another chain', await inputs([deposit], { chainId: 8453 }))
  },
)

test.each([
  ['a delivery', 'outputs', orders.usdc({ to: [SOLANA, NATIVE_SOL], recipient: WALLETS.solana })],
  ['a delivery of tokens', 'outputs', orders.usdc({ to: [SOLANA, USDC.solana], recipient: WALLETS.solana })],
  ['a refund', 'refunds', orders.sol({ refundTo: OTHER_WALLET })],
  ['a refund of tokens', 'refunds', orders.solanaUsdc({ refundTo: OTHER_WALLET })],
] as const)('events: %s on Solana is the transfer to the wallet with a memo that names the order', async (_what, verb, order) => {
  const swap = await swapOf(bench.venue, order)
  const isOut = verb === 'outputs'
  const [asset, to] = isOut ? [order.output, swap.binding.recipient] : [order.input, swap.binding.refundTo]
  const id = isOut ? `0x${transactionOf(swap.execution).data.slice(-64)}` : (await depositIn(swap)).id
  const memo = (text: string, program = MEMO_PROGRAM): Call => ({ program, accounts: [], data: Buffer.from(text) })
  const paid: Movement = { place: 'instruction:1', token: asset.address, from: null, to, amount: 5n }
  const at = async (calls: readonly Call[], movements = [paid], change: Partial<SeenTransaction> = {}, ids = [id]) =>
    (await events?.[verb](seen(calls, { movements, ...change }), swap, ids)) ?? null
  // The oracle looks for the id anywhere in the memo.
  for (const calls of [[memo(id)], [memo('hello'), memo(`fill ${id}`)]])
    expect(await at(calls)).toEqual([{ place: 'instruction:1', amount: 5n }])

  forged('no memo', await at([]))
  for (const text of ['', `0x${'ee'.repeat(32)}`, id.slice(2), id.slice(0, -1), id.toUpperCase()])
    forged(text, await at([memo(text)]))
  for (const program of [OTHER_MEMO, SOMEONE]) forged('of another program', await at([memo(id, program)]))
  forged('to another', await at([memo(id)], [{ ...paid, to: SOMEONE }]))
  forged('of another token', await at([memo(id)], [{ ...paid, token: SOMEONE }]))
  forged('of a transaction that failed', await at([memo(id)], [paid], { isSuccess: false }))
  forged('on another chain', await at([memo(id)], [paid], { chainId: 8453 }))
  forged('of no order', await at([memo(id)], [paid], {}, []))
})
