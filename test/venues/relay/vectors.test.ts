import { expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { orderId } from '../../../engine/simnet/venues/relay/order.ts'
import { orderIdsOf } from '../../../engine/venues/relay/order.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import type { RelayOrder } from '../../../engine/venues/relay/wire.ts'
import { altered, alteredBy, prove, said, swapOf } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import example from './exampleQuote.json' with { type: 'json' }
import { evmOrderId, forged } from './forging.ts'
import { DEPOSITORY, NATIVE, orders, USDC } from './orders.ts'
import { API_KEY, listed, outcomeWith, properAnswers } from './support.ts'
import vectors from './vectors.json' with { type: 'json' }

const USER = addressOf('evm', '0x7a1c3f5b92d4e608a7b3c5d1e9f0246813579bdf')
const RECIPIENT = addressOf('evm', '0x2b9d4e71f08a36c5b7e21d94f3a6085c7e1b9f42')
const ORDER_ID = '0xddd50d8a3b2b652da595e1813a1018c11aae5b1be5d45a7bb35df13f6aa2c96b'

/** The vendor's shapes with invented values, ids and calldata agreeing with each other. */
const ORDER: RelayOrder = example.answer.protocol.v2.orderData

const simulatedId = (order: RelayOrder): string => orderId(order as Parameters<typeof orderId>[0])

test('the id of the example’s order is the one in its calldata, computed by the adapter and by the simulator alike', async () => {
  expect(await orderIdsOf(ORDER)).toEqual([ORDER_ID])
  expect(simulatedId(ORDER)).toBe(ORDER_ID)
})

test('the example quote is offered, built, and proved to the letter', async () => {
  const order = orders.usdc({ sender: USER, recipient: RECIPIENT, slippageBps: 50, feeBps: 15 })
  const settings = { FEE_RECIPIENT: '0x999999cf1046e68e36e1aa2e0e07105eddd1f08e', REFERRER: 'acme' }
  const answering = ({ path }: { path: string }) => ({
    body: path === '/chains' ? listed({ base: 8453, arbitrum: 42161 }) : example.answer,
  })
  const { venue, asked } = canned(relay, answering, { settings, apiKey: API_KEY })
  const swap = await swapOf(venue, order)
  const { includeProtocolData: _notAsked, ...request } = example.request
  const lowered = (body: unknown): unknown => JSON.parse(JSON.stringify(body).toLowerCase())
  expect(lowered(asked.at(-1)?.body)).toEqual(lowered({ ...request, disableOriginSwaps: true }))
  expect(swap.offer).toMatchObject({
    outputAmount: 249_566_588n,
    slippage: { guaranteedMin: 248_318_755n },
    fee: { bps: 15, amount: (249_566_588n * 15n) / 9_985n },
    gasUnits: 78_000n,
  })
  expect(await prove(venue, swap)).toEqual([])
  const { fee, ...claims } = await venue.decode(swap.execution)
  expect(said(fee)).toMatchObject({ bps: 15 })
  expect(claims).toEqual({
    chainId: 8453,
    pays: DEPOSITORY,
    spender: DEPOSITORY,
    nativeFee: 0n,
    input: { asset: { chainId: 8453, address: USDC.base }, amount: 250_000_000n },
    output: { asset: { chainId: 42161, address: USDC.arbitrum }, minimum: 248_318_755n },
    recipient: RECIPIENT,
    refundTo: USER,
    deadlineAt: null,
    unread: [],
  })
  expect(swap.execution.venueRef).toBe('0x1f2e3d4c5b6a79880716253443526170f0e1d2c3b4a5968778695a4b3c2d1e0f')
})

/** The example's order, paid out in bitcoin; addresses as given, or as bytes. */
const paidInBitcoin = (recipient: string, currency: string): RelayOrder =>
  alteredBy(ORDER, [
    ['output.chainId', 'bitcoin'],
    ['output.payments.0.recipient', recipient],
    ['output.payments.0.currency', currency],
  ])
const COIN = 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8'
/** That address, which stands for the coin itself, is one byte short of a real one. */
const NO_BYTES = `0x${'00'.repeat(20)}`

test.each(vectors.bitcoinBytes.rows)('%s is hashed as the settlement contracts encode it', async (address = '', bytes = '') => {
  const order = paidInBitcoin(address, COIN)
  // Hashed by viem, over the bytes themselves.
  const id = evmOrderId(paidInBitcoin(bytes, NO_BYTES))
  expect((await orderIdsOf(order))[0]).toBe(id)
  expect(simulatedId(order)).toBe(id)
})

test.each(vectors.bitcoinBytes.rows.slice(0, 2))(
  'a swap paid out to %s is signed by the id of either form, and by no other',
  async (recipient = '', bytes = '') => {
    const order = orders.ether({ to: [-1, NATIVE], recipient: addressOf('bitcoin', recipient) })
    const answers = await properAnswers(order)
    const outcomeOf = (encoded: string) => {
      const inBytes = { recipient: encoded, currency: NO_BYTES }
      const idOver = (told: RelayOrder) => {
        const refunds = told.inputs[0]?.refunds.map((refund) =>
          refund.chainId === 'bitcoin' ? { ...refund, ...inBytes } : refund,
        )
        const payment = { ...told.output.payments[0], ...inBytes }
        return evmOrderId(altered(altered(told, 'inputs.0.refunds', refunds), 'output.payments.0', payment))
      }
      return outcomeWith({ ...answers, quote: forged(answers.quote, [], idOver) }, order)
    }
    expect(await outcomeOf(bytes)).toBe('signed')
    expect(await outcomeOf(`0x${bytes.slice(4)}`)).toBe('signed')
    expect(await outcomeOf(`0xfe${bytes.slice(4)}`)).toBe('badResponse')
  },
)

test('the order of the settlement protocol’s own test has the id it has there', async () => {
  const { order, id } = vectors.protocolOrder
  expect(await orderIdsOf(order)).toEqual([id])
  expect(simulatedId(order)).toBe(id)
})

test.each(['Arbitrum', 'arbitrum ', '\u0430rbitrum', '\ud800', 'eclipse', 'constructor', '42161'])(
  'an order on a chain named %j has no id',
  async (chainId) => {
    await expect(orderIdsOf(altered(ORDER, 'output.chainId', chainId))).rejects.toMatchObject({ kind: 'badResponse' })
  },
)
