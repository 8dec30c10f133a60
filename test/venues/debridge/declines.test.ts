import { decodeFunctionData, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, outcomeOf, refusalOf } from '../../support/venueKit/calls.ts'
import { FORWARDER_ABI } from './abi.ts'
import { CREATE_TX, openBench, orders, PYUSD, STRANGER, told } from './support.ts'
import tables from './tables.json' with { type: 'json' }

const open = closedAfterEach(openBench)

test.each([
  ['too little', orders.usdc({ amount: 100_000n }), 'amountTooSmall'],
  ['one unit', orders.usdc({ amount: 1n }), 'amountTooSmall'],
  ['more than the liquidity', orders.usdc({ amount: 6_000_000_000_000n }), 'noLiquidity'],
  ['an unknown input token', orders.usdc({ from: [8453, STRANGER] }), 'unsupportedPair'],
  ['an unknown output token', orders.usdc({ to: [42161, STRANGER] }), 'unsupportedPair'],
  ['a swap before the order on Solana', orders.fromSolana({ from: [-2, PYUSD] }), 'noLiquidity'],
])('quote: the simulated deBridge declines %s', async (_what, order, kind) => {
  expect((await refusalOf((await open()).venue.quote(order, never()))).kind).toBe(kind)
})

test.each(tables.errors as unknown as readonly (readonly [number, string, string])[])(
  'quote: HTTP %i with %s becomes %s',
  async (status, errorId, kind) => {
    const body = { errorCode: 12, errorId, errorMessage: 'no' }
    const { venue } = told(await open(), { instead: () => ({ status, body }) })
    expect((await refusalOf(venue.quote(orders.usdc(), never()))).kind).toBe(kind)
  },
)

test.each(tables.answers as unknown as readonly (readonly [string, unknown, string])[])(
  'quote: an answer with %s = %s is %s',
  async (path, value, outcome) => {
    const change = (body: object) => altered(body, path, value === 'absent' ? undefined : value)
    const { venue } = told(await open(), { changes: { [CREATE_TX]: change } })
    expect(await outcomeOf(venue, orders.usdc())).toBe(outcome)
  },
)

test.each(['wrong-recipient', 'wrong-amount', 'wrong-minimum', 'wrong-contract', 'bad-signature'] as const)(
  'execute: rejects an order with the fault %s',
  async (fault) => {
    for (const order of [orders.usdc(), orders.fromSolana(), orders.arb()]) {
      const { venue, faults } = await open()
      faults.set('debridge', fault, {}, null)
      expect(await outcomeOf(venue, order)).toBe('rejected')
    }
  },
)

test.each<[string, string, unknown, object]>([
  ['as documented', '0', zeroAddress, { kind: 'unsupportedPair', reason: 'notSold' }],
  ['through an unknown contract', '8', STRANGER, { kind: 'rejected' }],
  ['by an unknown call', '9', '0xdeadbeef', { kind: 'rejected' }],
])('quote: a swap of coins before the order %s is not sold, or rejected', async (_what, at, value, refusal) => {
  const swapped = (data: Hex): Hex => {
    const { args } = decodeFunctionData({ abi: FORWARDER_ABI, data })
    const call = altered(altered(args, '0', zeroAddress), at, value)
    return encodeFunctionData({ abi: FORWARDER_ABI, functionName: 'strictlySwapAndCall', args: call as never })
  }
  const change = (body: { tx: { data: Hex } }) => altered(body, 'tx.data', swapped(body.tx.data))
  const { venue } = told(await open(), { changes: { [CREATE_TX]: change as never } })
  expect(await refusalOf(venue.quote(orders.arb(), never()))).toMatchObject(refusal)
})
