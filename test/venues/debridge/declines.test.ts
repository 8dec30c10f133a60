import { decodeFunctionData, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, outcomeOf, refusalOf } from '../../support/venueKit/calls.ts'
import { FORWARDER_ABI } from './abi.ts'
import { CREATE_TX, openBench, orders, PYUSD, STRANGER, told } from './support.ts'

const open = closedAfterEach(openBench)

test.each([
  ['too little', orders.usdc({ amount: 100_000n }), 'amountTooSmall'],
  ['next to nothing', orders.usdc({ amount: 1n }), 'amountTooSmall'],
  ['more than there is', orders.usdc({ amount: 6_000_000_000_000n }), 'noLiquidity'],
  ['a token nobody knows', orders.usdc({ from: [8453, STRANGER] }), 'unsupportedPair'],
  ['a token nobody knows there', orders.usdc({ to: [42161, STRANGER] }), 'unsupportedPair'],
  ['a swap before the order on Solana', orders.fromSolana({ from: [-2, PYUSD] }), 'noLiquidity'],
])('the simulator declines %s, told apart', async (_what, order, kind) => {
  expect((await refusalOf((await open()).venue.quote(order, never()))).kind).toBe(kind)
})

const ERRORS: readonly (readonly [status: number, errorId: string, kind: string])[] = [
  [400, 'ERROR_LOW_GIVE_AMOUNT', 'amountTooSmall'],
  [400, 'INCLUDED_GAS_FEE_NOT_COVERED_BY_INPUT_AMOUNT', 'amountTooSmall'],
  [400, 'UNSUPPORTED_TOKEN_IN', 'unsupportedPair'],
  [400, 'UNSUPPORTED_TOKEN_OUT', 'unsupportedPair'],
  [400, 'SOURCE_AND_DESTINATION_CHAINS_ARE_EQUAL', 'unsupportedPair'],
  [400, 'IMPOSSIBLE_ROUTE', 'noLiquidity'],
  [400, 'CONNECTOR_1INCH_RETURNED_ERROR', 'noLiquidity'],
  [400, 'INCLUDED_GAS_FEE_CANNOT_BE_ESTIMATED_FOR_TRANSACTION_BUNDLE', 'noLiquidity'],
  [400, 'INVALID_QUERY_PARAMETERS', 'badRequest'],
  [500, 'INTERNAL_SERVER_ERROR', 'unavailable'],
  [500, 'INTERNAL_SDK_ERROR', 'unavailable'],
  // Under 200 it is told by its body.
  [200, 'ERROR_LOW_GIVE_AMOUNT', 'amountTooSmall'],
  [200, 'NEVER_SEEN', 'noLiquidity'],
  [400, 'NEVER_SEEN', 'noLiquidity'],
  [503, 'NEVER_SEEN', 'unavailable'],
  [429, 'NEVER_SEEN', 'rateLimited'],
  [401, 'NEVER_SEEN', 'unavailable'],
]

test.each(ERRORS)('HTTP %i with %s is %s', async (status, errorId, kind) => {
  const body = { errorCode: 12, errorId, errorMessage: 'no' }
  const { venue } = told(await open(), { instead: () => ({ status, body }) })
  expect((await refusalOf(venue.quote(orders.usdc(), never()))).kind).toBe(kind)
})

describe('an answer that is not to the question is refused while it is quoted', () => {
  test.each<[string, unknown, string]>([
    ['estimation.srcChainTokenIn.amount', '250000001', 'rejected'],
    ['estimation.srcChainTokenIn.address', STRANGER, 'rejected'],
    ['estimation.srcChainTokenIn.chainId', 1, 'rejected'],
    ['estimation.dstChainTokenOut.address', STRANGER, 'rejected'],
    ['estimation.dstChainTokenOut.chainId', '10', 'rejected'],
    ['estimation.dstChainTokenOut.amount', '0', 'amountTooSmall'],
    // More than the order demands.
    ['estimation.dstChainTokenOut.amount', '249680089', 'rejected'],
    ['orderId', `0x${'ab'.repeat(32)}`, 'rejected'],
    ['orderId', undefined, 'rejected'],
    ['fixFee', '1000000000000001', 'rejected'],
    ['tx', undefined, 'rejected'],
    ['tx.to', undefined, 'rejected'],
    ['tx.to', STRANGER, 'rejected'],
    ['tx', null, 'rejected'],
    ['tx.data', '0xdeadbeef', 'rejected'],
    ['tx.value', '0', 'rejected'],
  ])('%s = %s is %s', async (path, value, kind) => {
    const { venue } = told(await open(), { changes: { [CREATE_TX]: (body: object) => altered(body, path, value) } })
    expect(await outcomeOf(venue, orders.usdc())).toBe(kind)
  })

  test.each([
    ['estimation.dstChainTokenOut.chainId', '42161'],
    ['order', undefined],
    ['order', null],
    ['tx.gasLimit', '99999999999999999999'],
    ['tx.gasLimit', 210_000],
  ])('%s = %s is no matter', async (path, value) => {
    const { venue } = told(await open(), { changes: { [CREATE_TX]: (body: object) => altered(body, path, value) } })
    expect(await outcomeOf(venue, orders.usdc())).toBe('signed')
  })
})

test.each(['wrong-recipient', 'wrong-amount', 'wrong-minimum', 'wrong-contract', 'bad-signature'] as const)(
  'an order with the fault %s is handed to nobody',
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
  ['by an unknown contract', '8', STRANGER, { kind: 'rejected' }],
  ['by an unknown call', '9', '0xdeadbeef', { kind: 'rejected' }],
])('debridge: a swap of coins before the order %s is not sold, or rejected', async (_what, at, value, refusal) => {
  const swapped = (data: Hex): Hex => {
    const { args } = decodeFunctionData({ abi: FORWARDER_ABI, data })
    const call = altered(altered(args, '0', zeroAddress), at, value)
    return encodeFunctionData({ abi: FORWARDER_ABI, functionName: 'strictlySwapAndCall', args: call as never })
  }
  const change = (body: { tx: { data: Hex } }) => altered(body, 'tx.data', swapped(body.tx.data))
  const { venue } = told(await open(), { changes: { [CREATE_TX]: change as never } })
  expect(await refusalOf(venue.quote(orders.arb(), never()))).toMatchObject(refusal)
})
