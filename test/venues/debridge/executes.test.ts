import { expect, test } from 'vitest'
import { decodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, prove, said, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { createdBy, FORWARDER, SOURCE } from './abi.ts'
import {
  CREATE_TX,
  FEE_RECIPIENT,
  FEE_RECIPIENT_SOLANA,
  openBench,
  orders,
  PROGRAM,
  STRANGER,
  told,
  WITH_FEE,
} from './support.ts'

const open = closedAfterEach(openBench)

const execute = async (order: VenueOrder, bound = {}) => {
  const bench = await open({ settings: WITH_FEE })
  return { bench, ...(await swapOf(bench.venue, order, bound)) }
}

test('execute: requests a new order with the quoted fee and the bound addresses', async () => {
  const bound = { recipient: STRANGER, refundTo: WALLETS.evmOther }
  const { bench, execution, offer } = await execute(orders.usdc({ feeBps: 15 }), bound)
  const { data, to, value } = transactionOf(execution)
  const { order, orderId, affiliateFee } = createdBy({ chainId: 8453, from: WALLETS.evm, to, data, value })
  expect([to, value, execution.venueRef]).toEqual([SOURCE, offer.nativeFee, orderId])
  expect(order).toMatchObject({
    ...{ receiverDst: STRANGER.toLowerCase(), orderAuthorityAddressDst: STRANGER.toLowerCase() },
    ...{ allowedCancelBeneficiarySrc: WALLETS.evmOther.toLowerCase(), takeAmount: execution.outputAmount },
  })
  expect(affiliateFee).toBe(`${FEE_RECIPIENT.toLowerCase()}${375_000n.toString(16).padStart(64, '0')}`)
  expect(execution.slippage).toEqual({ isFirm: true, guaranteedMin: execution.outputAmount })
  expect(bench.sent.map(({ path }) => path)).toEqual([CREATE_TX, CREATE_TX])
})

test('execute: a Solana payload contains only the order, signed by its maker alone', async () => {
  const { bench, execution, ...swap } = await execute(orders.fromSolana({ feeBps: 25 }))
  const { data, ...transaction } = transactionOf(execution)
  expect(transaction).toEqual({ chainId: -2, to: PROGRAM, value: 0n, serialized: data })
  const decoded = await decodeSolanaTransaction(data)
  expect(decoded).toMatchObject({ feePayer: WALLETS.solana, signers: [WALLETS.solana], usesLookupTables: false })
  const budget = 'ComputeBudget111111111111111111111111111111'
  expect(decoded?.instructions.map(({ programId }) => programId)).toEqual([budget, budget, PROGRAM])
  const claims = await bench.venue.decode(execution)
  expect(claims).toMatchObject({
    nativeFee: 15_000_000n,
    fee: { recipient: FEE_RECIPIENT_SOLANA, bps: 25 },
    refundTo: swap.order.refundTo,
  })
})

test.each([
  ['tokens with a fee', orders.usdc({ feeBps: 15 })],
  ['a fee that is no whole number of units', orders.usdc({ feeBps: 33, amount: 123_456_789n })],
  ['coins with a fee', orders.ether({ feeBps: 100 })],
  ['a swap before', orders.arb({ feeBps: 20 })],
  ['into SOL', orders.toSolana({ feeBps: 5 })],
  ['from Solana with a fee', orders.fromSolana({ feeBps: 30, amount: 123_456_789n })],
])('execute: the payload of %s is proved, with the requested fee [venue-debridge]', async (_name, order) => {
  const { bench, ...swap } = await execute(order)
  expect(await prove(bench.venue, swap)).toEqual([])
  const claims = await bench.venue.decode(swap.execution)
  expect(said(claims.fee)).toEqual({ recipient: bench.venue.profile.feeRecipient(order), bps: order.feeBps })
  expect([said(claims.refundTo), claims.deadlineAt]).toEqual([order.refundTo, null])
})

test('execute: an order claims its refund address, and after a swap before it also the locked amount [venue-debridge]', async () => {
  const { bench, execution } = await execute(orders.arb())
  expect(transactionOf(execution).to).toBe(FORWARDER)
  const claims = await bench.venue.decode(execution)
  expect([claims.refundTo, claims.bridged]).toEqual([WALLETS.evm, (await bench.venue.quote(orders.arb(), never())).bridges])
  const other = await execute(orders.usdc())
  expect((await other.bench.venue.decode(other.execution)).refundTo).toBe(WALLETS.evm)
})

// What an order demands moves by a few units between two questions: within the tolerance it is a swap, and beyond it is none.
test.each([
  ['within the tolerance', 3_945_000_000n, []],
  ['for the better', 4_000_000_000n, []],
  ['beyond it', 3_800_000_000n, ['output.minimum']],
])('execute: a price that moved %s between quote and execute', async (_what, usdMicros, objections) => {
  const { venue, market } = await open()
  const order = orders.ether({ to: [42161, '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'], slippageBps: 30 })
  const offer = await venue.quote(order, never())
  market.setPrice('ETH', usdMicros)
  const execution = await venue.execute({ order, offer }, order, never())
  expect(await prove(venue, { order, offer, binding: order, execution })).toEqual(objections)
})

test('execute: rejects a native fee that rose since the quote [venue-debridge]', async () => {
  const bench = await open()
  const order = orders.usdc()
  const offer = await bench.venue.quote(order, never())
  const raised = (body: object) => altered(altered(body, 'fixFee', '1000000000000002'), 'tx.value', '1000000000000002')
  const { venue } = told(bench, { changes: { [CREATE_TX]: raised } })
  const execution = await venue.execute({ order, offer }, order, never())
  expect(await prove(venue, { order, offer, binding: order, execution })).toEqual(['nativeFee'])
})

test('execute: two equal orders have distinct uniqueness keys, which depend on the payload alone', async () => {
  const { bench, ...first } = await execute(orders.usdc())
  const second = await swapOf(bench.venue, orders.usdc())
  const { toldApartBy } = bench.venue.profile
  const [one, other, same] = await Promise.all([
    toldApartBy(first),
    toldApartBy(second),
    toldApartBy({ ...first, order: second.order }),
  ])
  expect(one).not.toEqual(other)
  expect(one).toEqual(same)
})
