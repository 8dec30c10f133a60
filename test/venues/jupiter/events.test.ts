import { afterAll, expect, test } from 'vitest'
import type { Movement, SeenTransaction } from '../../../engine/chains/seen.ts'
import type { Address } from '../../../engine/core/address.ts'
import { SOLANA } from '../../../engine/core/chain.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { NATIVE_SOL } from '../../../scripts/client/tokens.ts'
import { seenEvm } from '../../support/seenEvm.ts'
import { swapOf } from '../../support/venueKit/calls.ts'
import { OTHER, openBench, orders, PROGRAM, planOf, USDT } from './support.ts'

const bench = await openBench()
afterAll(() => bench.close())
const events = bench.venue.events as SwapEvents
const WALLET = orders.sol().sender

const moved = (to: string, token: string, place: string): Movement => ({
  ...{ place, token: token as Address, from: null, to: to as Address, amount: 5n },
})
const MOVEMENTS = [
  moved(OTHER, USDT, 'instruction:9'),
  moved(OTHER, NATIVE_SOL, 'instruction:10'),
  moved(WALLET, USDT, 'instruction:11'),
]
const COINS = `balance:${NATIVE_SOL}:${WALLET}`

test.each([
  ['the token account that the payload names, in the output token', orders.usdc(), MOVEMENTS, 'instruction:9'],
  ['the wallet that SOL is unwrapped for', orders.toSol(), [moved(WALLET, NATIVE_SOL, COINS)], COINS],
])('events: a delivery is the transfer to %s', async (_what, order, movements, place) => {
  const swap = await swapOf(bench.venue, order)
  const { instructions } = await planOf(swap.execution, bench.network)
  const calls = instructions.map(({ programId, accounts, data }, index) => ({
    ...{ index, program: programId as Address, accounts: accounts.map(({ address }) => address as Address), data },
  }))
  const seen: SeenTransaction = seenEvm(8453, [], {
    chainId: SOLANA,
    hash: '5'.repeat(88) as never,
    movements,
    instructions: calls,
  })
  expect(await events.named(seen)).toEqual([place])
  expect(await events.named({ ...seen, isSuccess: false })).toEqual([])
  expect(await events.named({ ...seen, instructions: calls.filter(({ program }) => program !== PROGRAM) })).toEqual([])
  // The payment and the delivery are the transfers themselves.
  const read = [events.inputs(seen, swap), events.outputs(seen, swap, []), events.refunds(seen, swap, [])]
  expect(await Promise.all(read)).toEqual([null, null, []])
})
