import { expect, test } from 'vitest'
import type { Movement, SeenTransaction } from '../../../engine/chains/seen.ts'
import type { Address } from '../../../engine/core/address.ts'
import { NATIVE_SOL } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { type Swap, swapOf } from '../../support/venueKit/calls.ts'
import { type JupiterBench, OTHER, openBench, orders, PROGRAM, planOf, USDT } from './support.ts'

const open = closedAfterEach(openBench)

const seenOf = async (
  { network }: JupiterBench,
  { execution }: Swap,
  movements: readonly Movement[],
): Promise<SeenTransaction> => {
  const { instructions } = await planOf(execution, network)
  return {
    ...{
      chainId: -2,
      hash: '5'.repeat(88) as never,
      isSuccess: true,
      standing: 'final',
      at: 0,
      height: 1,
      movements,
      call: null,
      logs: [],
      notes: [],
    },
    instructions: instructions.map(({ programId, accounts, data }, index) => ({
      index,
      program: programId as Address,
      accounts: accounts.map(({ address }) => address as Address),
      data,
    })),
  }
}
const moved = (to: Address, token: string, place: string): Movement => ({
  place,
  token: token as Address,
  from: null,
  to,
  amount: 5n,
})

test('events: a delivery is the transfer to the token account that the payload names, in the output token', async () => {
  const bench = await open()
  const swap = await swapOf(bench.venue, orders.usdc())
  const { events } = bench.venue
  const movements = [
    moved(OTHER, USDT, 'instruction:9'),
    moved(OTHER, NATIVE_SOL, 'instruction:10'),
    moved(WALLETS.solana, USDT, 'instruction:11'),
  ]
  const seen = await seenOf(bench, swap, movements)
  expect(await events?.named(seen)).toEqual(['instruction:9'])
  expect(await events?.named({ ...seen, isSuccess: false })).toEqual([])
  const without = seen.instructions.filter(({ program }) => program !== PROGRAM)
  expect(await events?.named({ ...seen, instructions: without })).toEqual([])
})

test('events: SOL is delivered to the wallet it is unwrapped for, and the payment is the transfer itself', async () => {
  const bench = await open()
  const swap = await swapOf(bench.venue, orders.toSol())
  const place = `balance:${NATIVE_SOL}:${WALLETS.solana}`
  const seen = await seenOf(bench, swap, [moved(WALLETS.solana, NATIVE_SOL, place)])
  const { events } = bench.venue
  expect(await events?.named(seen)).toEqual([place])
  expect([await events?.inputs(seen, swap), await events?.outputs(seen, swap, [])]).toEqual([null, null])
  expect(await events?.refunds(seen, swap, [])).toEqual([])
})
