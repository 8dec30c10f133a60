import { expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { orderId } from '../../../engine/simnet/venues/relay/order.ts'
import { indexChains } from '../../../engine/venues/relay/chainList.ts'
import { orderIdOf, type RelayOrder } from '../../../engine/venues/relay/order.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { DEPOSITORY, openBroken, prove, signal, swapOf, USDC, usdcOrder } from './support.ts'

const USER = '0x7a1c3f5b92d4e608a7b3c5d1e9f0246813579bdf'
const RECIPIENT = '0x2b9d4e71f08a36c5b7e21d94f3a6085c7e1b9f42'
const ORDER_ID = '0xddd50d8a3b2b652da595e1813a1018c11aae5b1be5d45a7bb35df13f6aa2c96b'
const REQUEST_ID = '0x1f2e3d4c5b6a79880716253443526170f0e1d2c3b4a5968778695a4b3c2d1e0f'

const ORDER: RelayOrder = {
  version: 'v1',
  solverChainId: 'base',
  solver: '0xf70da97812cb96acdf810712aa562db8dfa3dbef',
  salt: '0x5be1a0c94d7733f6280e9bb1465fd02ea8c3719d6054eb82f7a13c0d98e641b7',
  inputs: [
    {
      payment: { chainId: 'base', currency: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', amount: '250000000', weight: '1' },
      refunds: [
        {
          chainId: 'base',
          recipient: USER,
          currency: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
          minimumAmount: '0',
          deadline: 1797724800,
          extraData: '0x',
        },
      ],
    },
  ],
  output: {
    chainId: 'arbitrum',
    payments: [
      {
        recipient: RECIPIENT,
        currency: '0xaf88d065e77c8cc2239327c5edb3a432268e5831',
        minimumAmount: '248318755',
        expectedAmount: '249566588',
      },
    ],
    calls: [],
    deadline: 1797724800,
    extraData: '0x',
  },
  fees: [],
}

const currency = (chainId: number, address: string) => ({ chainId, address, symbol: 'USDC', name: 'USD Coin', decimals: 6 })
const transaction = (to: string, data: string, more: object) => ({
  status: 'incomplete',
  data: { from: USER, to, data, value: '0', chainId: 8453, maxFeePerGas: '6500000', maxPriorityFeePerGas: '1000000', ...more },
})

const named = (text: string) => addressOf('evm', text)

/** The example of a quote, literally but for the words nobody reads. */
const QUOTE = {
  steps: [
    {
      id: 'approve',
      kind: 'transaction',
      requestId: REQUEST_ID,
      items: [
        transaction(
          '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
          '0x095ea7b30000000000000000000000004cd00e387622c35bddb9b4c962c136462338bc31000000000000000000000000000000000000000000000000000000000ee6b280',
          {},
        ),
      ],
    },
    {
      id: 'deposit',
      kind: 'transaction',
      requestId: REQUEST_ID,
      depositAddress: '',
      items: [
        transaction(
          '0x4cd00e387622c35bddb9b4c962c136462338bc31',
          '0xe80179520000000000000000000000007a1c3f5b92d4e608a7b3c5d1e9f0246813579bdf000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda02913000000000000000000000000000000000000000000000000000000000ee6b280ddd50d8a3b2b652da595e1813a1018c11aae5b1be5d45a7bb35df13f6aa2c96b',
          { gas: '78000' },
        ),
      ],
    },
  ],
  fees: {
    app: { currency: currency(8453, '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'), amount: '375000', amountUsd: '0.374963' },
  },
  details: {
    operation: 'swap',
    sender: USER,
    recipient: RECIPIENT,
    currencyIn: { currency: currency(8453, '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'), amount: '250000000' },
    currencyOut: {
      currency: currency(42161, '0xaf88d065e77c8cc2239327c5edb3a432268e5831'),
      amount: '249566588',
      minimumAmount: '248318755',
    },
    timeEstimate: 2,
  },
  protocol: {
    v2: {
      orderId: ORDER_ID,
      hubType: 'onchain',
      orderData: ORDER,
      paymentDetails: { chainId: 'base', depository: '0x4cd00e387622c35bddb9b4c962c136462338bc31', amount: '250000000' },
    },
  },
}

const LISTED = {
  chains: [
    { id: 8453, protocol: { v2: { chainId: 'base' } } },
    { id: 42161, protocol: { v2: { chainId: 'arbitrum' } } },
  ],
}

test('the id of the example’s order is the one in its calldata, computed by the adapter and by the simulator alike', async () => {
  expect(await orderIdOf(ORDER, indexChains([]))).toBe(ORDER_ID)
  expect(orderId(ORDER as Parameters<typeof orderId>[0])).toBe(ORDER_ID)
})

test('the example quote is offered, built, and proved to the letter', async () => {
  const asked = usdcOrder({ sender: named(USER), recipient: named(RECIPIENT), slippageBps: 50, feeBps: 15 })
  const broken = await openBroken((path) => ({ body: path === '/chains' ? LISTED : QUOTE }), {
    settings: { FEE_RECIPIENT: '0x999999cf1046e68e36e1aa2e0e07105eddd1f08e' },
  })
  const offer = await broken.venue.quote(asked, signal())
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

const LISTED_NAMES = indexChains([
  { id: 792703809, protocol: { v2: { chainId: 'solana' } } },
  { id: 8253038, protocol: { v2: { chainId: 'bitcoin' } } },
])

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
    const id = await orderIdOf(order, LISTED_NAMES)
    expect(id).toBe(orderId(order as Parameters<typeof orderId>[0]))
    expect(id).not.toBe(ORDER_ID)
  },
)

test('a listed name never takes the place of a published one', async () => {
  const index = indexChains([{ id: 143, protocol: { v2: { chainId: 'base' } } }])
  expect(index.byName('base')).toBe(8453)
  await expect(orderIdOf({ ...ORDER, output: { ...ORDER.output, chainId: 'monad' } }, index)).rejects.toMatchObject({
    kind: 'badResponse',
  })
})
