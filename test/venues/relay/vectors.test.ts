import { expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { orderId } from '../../../engine/simnet/venues/relay/order.ts'
import { orderIdsOf, type RelayOrder } from '../../../engine/venues/relay/order.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { never, prove, said, swapOf } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import example from './exampleQuote.json' with { type: 'json' }
import { evmOrderId, forged } from './forging.ts'
import { API_KEY, DEPOSITORY, etherOrder, NATIVE, outcomeWith, properAnswers, USDC, usdcOrder } from './support.ts'

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
  expect(await orderIdsOf(ORDER)).toEqual([ORDER_ID])
  expect(orderId(ORDER as Parameters<typeof orderId>[0])).toBe(ORDER_ID)
})

test('the example quote is offered, built, and proved to the letter', async () => {
  const order = usdcOrder({ sender: named(USER), recipient: named(RECIPIENT), slippageBps: 50, feeBps: 15 })
  const broken = canned(relay, ({ path }) => ({ body: path === '/chains' ? LISTED : QUOTE }), {
    settings: { FEE_RECIPIENT: '0x999999cf1046e68e36e1aa2e0e07105eddd1f08e', REFERRER: 'acme' },
    apiKey: API_KEY,
  })
  const offer = await broken.venue.quote(order, never())
  const { includeProtocolData: _notAsked, ...asked } = example.request
  const request = { ...asked, disableOriginSwaps: true }
  expect(JSON.parse(JSON.stringify(broken.asked.at(-1)?.body).toLowerCase())).toEqual(
    JSON.parse(JSON.stringify(request).toLowerCase()),
  )
  expect(offer).toMatchObject({
    outputAmount: 249_566_588n,
    slippage: { guaranteedMin: 248_318_755n },
    fee: { bps: 15, amount: (249_566_588n * 15n) / 9_985n },
    gasUnits: 78_000n,
  })
  const swap = await swapOf(broken.venue, order)
  const { execution } = swap
  expect(await prove(broken.venue, swap, execution)).toEqual([])
  const { fee, ...claims } = await broken.venue.decode(execution)
  expect(said(fee)).toMatchObject({ bps: 15 })
  expect(claims).toEqual({
    chainId: 8453,
    pays: DEPOSITORY,
    spender: DEPOSITORY,
    nativeFee: 0n,
    input: { asset: { chainId: 8453, address: USDC.base }, amount: 250_000_000n },
    output: { asset: { chainId: 42161, address: USDC.arbitrum }, minimum: 248_318_755n },
    recipient: named(RECIPIENT),
    refundTo: named(USER),
    deadlineAt: null,
    unread: [],
  })
  expect(execution.venueRef).toBe(REQUEST_ID)
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
    const [id] = await orderIdsOf(order)
    expect(id).toBe(orderId(order as Parameters<typeof orderId>[0]))
    expect(id).not.toBe(ORDER_ID)
  },
)

/** HubAddressCodec.sol of relayprotocol/relay-settlement: the old kinds of address have a byte before them that no segwit version has. */
const BITCOIN_BYTES = [
  ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '0xff0062e907b15cbf27d5425399ebf6f0fb50ebb88f18'],
  ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', '0xff05b472a266d0bd89c13706a4132ccfb16f7c3b9fcb'],
  ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', '0x00e8df018c7e326cc253faac7e46cdc51e68542c42'],
  [
    'bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3297',
    '0x01a37c3903c8d0db6512e2b40b0dffa05e5a3ab73603ce8c9c4b7771e5412328f9',
  ],
] as const

/** Paid out in bitcoin; addresses as given, or as bytes. */
const toBitcoin = (recipient: string, currency: string) => {
  const [payment] = ORDER.output.payments
  const output = { ...ORDER.output, chainId: 'bitcoin', extraData: '0x', payments: [{ ...payment, recipient, currency }] }
  return { ...ORDER, output } as RelayOrder
}
/** The address that stands for the coin is one byte short of a real one. */
const NO_BYTES = `0x${'00'.repeat(20)}`

test.each(BITCOIN_BYTES)('%s is hashed as the settlement contracts encode it', async (address, bytes) => {
  const order = toBitcoin(address, 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8')
  // Hashed by viem, over the bytes themselves.
  const id = evmOrderId(toBitcoin(bytes, NO_BYTES) as never)
  expect((await orderIdsOf(order))[0]).toBe(id)
  expect(orderId(order as Parameters<typeof orderId>[0])).toBe(id)
})

test.each(['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'])(
  'a swap paid out to %s is signed by the id of either form, and by no other',
  async (recipient) => {
    const order = etherOrder({ to: [-1, NATIVE], recipient: addressOf('bitcoin', recipient) })
    const answers = await properAnswers(order)
    const [bytes] = BITCOIN_BYTES.filter(([address]) => address === recipient).map(([, encoded]) => encoded)
    const idOver = (encoded: string) => (told: RelayOrder) => {
      const [payment] = told.output.payments
      const output = { ...told.output, payments: [{ ...payment, recipient: encoded, currency: NO_BYTES }] }
      const [first] = told.inputs
      const refunds = first?.refunds.map((refund) =>
        refund.chainId === 'bitcoin' ? { ...refund, recipient: encoded, currency: NO_BYTES } : refund,
      )
      return evmOrderId({ ...told, output, inputs: [{ ...first, refunds }] } as never)
    }
    const outcomeOf = (encoded: string) =>
      outcomeWith({ ...answers, quote: forged(answers.quote, [], idOver(encoded) as never) }, order)
    expect(await outcomeOf(bytes ?? '')).toBe('signed')
    expect(await outcomeOf(`0x${bytes?.slice(4)}`)).toBe('signed')
    expect(await outcomeOf(`0xfe${bytes?.slice(4)}`)).toBe('badResponse')
  },
)

test('the order of the settlement protocol’s own test has the id it has there', async () => {
  const extraData = `0x${'b92fe925dc43a0ecde6c8b1a2709c170ec4fff4f'.padStart(64, '0')}`
  const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  const wallet = '7EaP2zkxDLo86x4rnNwwLhB593PsbMva41dqfrfxhsb1'
  const ether = `0x${'00'.repeat(20)}`
  const refund = { deadline: 1_774_878_936, minimumAmount: '0' }
  // test/order.test.ts of relayprotocol/relay-protocol-sdk.
  const order: RelayOrder = {
    version: 'v1',
    solverChainId: 'base',
    solver: '0xfd073a9ccb34f8a13c466eb16dff990d6178a5ef',
    salt: '0x0ef19e8ac216cebd161d73425c0b1e1ae12f5a4d56fc54cddb4f9755c5e7b1b8',
    inputs: [
      {
        payment: { chainId: 'base', currency: ether, amount: '100000000000000', weight: '1' },
        refunds: [
          { ...refund, chainId: 'base', currency: ether, recipient: '0x8B5E4dB198FfC7f69f8F11F6592f682717dF1D92', extraData },
          { ...refund, chainId: 'solana', currency: usdc, recipient: wallet, extraData: '0x' },
        ],
      },
    ],
    output: {
      chainId: 'solana',
      payments: [{ recipient: wallet, currency: usdc, minimumAmount: '187151', expectedAmount: '196567' }],
      calls: [],
      deadline: 1_774_878_936,
      extraData: '0x',
    },
    fees: [],
  }
  expect(await orderIdsOf(order)).toEqual(['0x67f44dc715059f196cd133e54e4bbe125773cb6d7053d24389fbda361f4c14d8'])
})

test.each(['Arbitrum', 'arbitrum ', '\u0430rbitrum', '\ud800', 'eclipse', 'constructor', '42161'])(
  'an order on a chain named %j has no id',
  async (chainId) => {
    const order = { ...ORDER, output: { ...ORDER.output, chainId } }
    await expect(orderIdsOf(order)).rejects.toMatchObject({ kind: 'badResponse' })
  },
)
