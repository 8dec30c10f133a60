import { expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { orderId } from '../../../engine/simnet/venues/relay/order.ts'
import { orderIdOf, type RelayOrder } from '../../../engine/venues/relay/order.ts'
import { WALLETS } from '../../support/anOrder.ts'
import example from './exampleQuote.json' with { type: 'json' }
import { DEPOSITORY, openBroken, prove, signal, swapOf, USDC, usdcOrder } from './support.ts'

const USER = '0x7a1c3f5b92d4e608a7b3c5d1e9f0246813579bdf'
const RECIPIENT = '0x2b9d4e71f08a36c5b7e21d94f3a6085c7e1b9f42'
const ORDER_ID = '0xddd50d8a3b2b652da595e1813a1018c11aae5b1be5d45a7bb35df13f6aa2c96b'
const REQUEST_ID = '0x1f2e3d4c5b6a79880716253443526170f0e1d2c3b4a5968778695a4b3c2d1e0f'

/** The vendor's shapes with invented values, ids and calldata agreeing with each other. */
const QUOTE = example.answer
const ORDER: RelayOrder = QUOTE.protocol.v2.orderData

const named = (text: string) => addressOf('evm', text)

const LISTED = {
  chains: [
    { id: 8453, protocol: { v2: { chainId: 'base' } } },
    { id: 42161, protocol: { v2: { chainId: 'arbitrum' } } },
  ],
}

test('the id of the example’s order is the one in its calldata, computed by the adapter and by the simulator alike', async () => {
  expect(await orderIdOf(ORDER)).toBe(ORDER_ID)
  expect(orderId(ORDER as Parameters<typeof orderId>[0])).toBe(ORDER_ID)
})

test('the example quote is offered, built, and proved to the letter', async () => {
  const asked = usdcOrder({ sender: named(USER), recipient: named(RECIPIENT), slippageBps: 50, feeBps: 15 })
  const broken = await openBroken((path) => ({ body: path === '/chains' ? LISTED : QUOTE }), {
    settings: { FEE_RECIPIENT: '0x999999cf1046e68e36e1aa2e0e07105eddd1f08e', REFERRER: 'acme' },
  })
  const offer = await broken.venue.quote(asked, signal())
  const { includeProtocolData: _notAsked, ...request } = example.request
  expect(JSON.parse(JSON.stringify(broken.asked.at(-1)?.body).toLowerCase())).toEqual(
    JSON.parse(JSON.stringify(request).toLowerCase()),
  )
  expect(offer).toMatchObject({
    outputAmount: 249_566_588n,
    slippage: { bps: 50, guaranteedMin: 248_318_755n },
    fee: { bps: 15, amount: (249_566_588n * 15n) / 9_985n },
    gasUnits: 78_000n,
  })
  const swap = await swapOf(broken.venue, asked)
  const { execution } = swap
  expect(await prove(broken.venue, swap, execution)).toEqual([])
  expect(await broken.venue.decode(execution)).toEqual({
    chainId: 8453,
    pays: DEPOSITORY,
    spender: DEPOSITORY,
    input: { asset: { chainId: 8453, address: USDC.base }, amount: 250_000_000n },
    output: { asset: { chainId: 42161, address: USDC.arbitrum }, minimum: 248_318_755n },
    recipient: named(RECIPIENT),
    refundTo: named(USER),
    fee: { recipient: named('0x999999cf1046e68e36e1aa2e0e07105eddd1f08e'), bps: 15 },
    deadlineAt: null,
    unread: [],
  })
  expect(execution.venueRef).toBe(REQUEST_ID)
  await broken.close()
})

const BITCOIN_ADDRESSES = [
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
  WALLETS.bitcoin,
  'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
  'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
]

test.each([...BITCOIN_ADDRESSES.map((address) => ['bitcoin', address] as const), ['solana', WALLETS.solana] as const])(
  'on %s the id is over the bytes of %s, as both compute it',
  async (chainId, recipient) => {
    const native = chainId === 'solana' ? '11111111111111111111111111111111' : 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8'
    const [payment] = ORDER.output.payments
    const order = {
      ...ORDER,
      output: { ...ORDER.output, chainId, payments: [{ ...payment, recipient, currency: native }] },
    } as RelayOrder
    const id = await orderIdOf(order)
    expect(id).toBe(orderId(order as Parameters<typeof orderId>[0]))
    expect(id).not.toBe(ORDER_ID)
  },
)

test.each(['Arbitrum', 'arbitrum ', '\u0430rbitrum', '\ud800', 'eclipse', 'constructor', '42161'])(
  'an order on a chain named %j has no id',
  async (chainId) => {
    const order = { ...ORDER, output: { ...ORDER.output, chainId } }
    await expect(orderIdOf(order)).rejects.toMatchObject({ kind: 'badResponse' })
  },
)
