import { type Address, addressOf } from '../../../engine/core/address.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import { anOrder, type OrderWish } from '../../support/anOrder.ts'
import type { RecordedAnswer } from '../../support/recordedAnswers.ts'
import { never, takenThrough } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import recordings from './recordings.json' with { type: 'json' }
import { NATIVE, USDC, USDG } from './support.ts'

const evm = (text: string): Address => addressOf('evm', text.toLowerCase())

/** Epoch seconds an order of today lives: the first ten digits of a live request's id are the second it was made in. */
const LIFE_SECONDS = 604_800

const madeAt = (deadline: number): number => (deadline - LIFE_SECONDS) * 1_000

const CHAINS: { readonly [name: string]: number } = {
  base: 8453,
  arbitrum: 42161,
  optimism: 10,
  ethereum: 1,
  robinhood: 4663,
  bitcoin: 8253038,
}
const LISTED = { chains: Object.entries(CHAINS).map(([name, id]) => ({ id, protocol: { v2: { chainId: name } } })) }

type Recorded = {
  readonly order: VenueOrder
  readonly answer: object
  /** Epoch ms of the answer. */
  readonly now: number
}

/** The adapter against the recording, as the engine would use it: quote, rules of offers, build, decode and proof. */
const take = async ({ order, answer, now }: Recorded): Promise<void> => {
  const { venue } = canned(relay, ({ path }) => ({ body: path === '/chains' ? LISTED : answer }), { now: () => now })
  await takenThrough(venue, order, now)
}

/** A wallet that swaps for itself. */
const ownSwap = (wallet: string, wish: Pick<OrderWish, 'from' | 'to' | 'amount'> & Partial<OrderWish>): VenueOrder =>
  anOrder({ sender: evm(wallet), recipient: evm(wallet), refundTo: evm(wallet), ...wish })

const VENDOR_WALLET = '0x03508bb71268bba25ecacc8f620e01866650532c'
const DOCUMENTS = 'relayprotocol/relay-docs, commit f0bbe93'

const USDT_ARBITRUM = '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9'
const stablecoins = ownSwap(VENDOR_WALLET, {
  from: [8453, USDC.base],
  to: [42161, USDT_ARBITRUM],
  amount: 100_000_000n,
  // Left out, as it was: what the venue then finds is what the profile asks for.
  slippageBps: 200,
})

/** Only the order was published; the deposit of it follows from the order, and the rest is shaped as the reference has it. */
const aroundOrder = (order: typeof recordings.fromRobinhood.order, orderId: string): object => {
  const [input] = order.inputs
  const [output] = order.output.payments
  const { amount = '', currency = '' } = input?.payment ?? {}
  const wallet = output?.recipient ?? ''
  const word = (hex: string) => hex.replace('0x', '').toLowerCase().padStart(64, '0')
  const paid = BigInt(amount).toString(16)
  const data = `0xe8017952${[wallet, currency, paid, orderId].map(word).join('')}`
  const deposit = { from: wallet, to: '0x4cd00e387622c35bddb9b4c962c136462338bc31', data, value: '0', chainId: 4663 }
  const inCurrency = { chainId: 4663, address: currency, decimals: 6 }
  const outCurrency = { chainId: 1, address: output?.currency, decimals: 6 }
  return {
    steps: [
      { id: 'deposit', kind: 'transaction', requestId: `0x${'00'.repeat(32)}`, items: [{ status: 'incomplete', data: deposit }] },
    ],
    details: {
      currencyIn: { currency: inCurrency, amount },
      currencyOut: { currency: outCurrency, amount: output?.expectedAmount, minimumAmount: output?.minimumAmount },
    },
    fees: {},
    protocol: { v2: { orderId, orderData: order } },
  }
}

/** Priced, and no more: the fees and the order were left out by who recorded it. */
const takeBitcoinPrice = async (): Promise<void> => {
  const { fromBitcoin: answer } = recordings
  const { details, steps } = answer
  const sender = addressOf('bitcoin', details.sender)
  const wish = { from: [-1, NATIVE], to: [8453, USDC.base], amount: BigInt(details.currencyIn.amount) } as const
  const order = anOrder({ ...wish, sender, recipient: evm(details.recipient), refundTo: sender, slippageBps: 200 })
  const now = Number(answer.requestId.slice(2, 12)) * 1_000
  const { venue } = canned(relay, ({ path }) => ({ body: path === '/chains' ? LISTED : { fees: {}, ...answer } }), {
    now: () => now,
  })
  const offer = checkOffer({ offer: await venue.quote(order, never()), order, asked: order, profile: venue.profile, now })
  const { amount, minimumAmount } = details.currencyOut
  const isAsRecorded = offer.outputAmount === BigInt(amount) && offer.slippage?.guaranteedMin === BigInt(minimumAmount)
  if (!isAsRecorded || steps[0]?.depositAddress === undefined) throw new Error('the price is not the recorded one')
}

const day = (deadline: number): string => new Date(madeAt(deadline)).toISOString().slice(0, 10)

const recorded = (
  of: Omit<RecordedAnswer, 'run' | 'recordedAt'>,
  deadline: number,
  answer: object,
  order: VenueOrder,
): RecordedAnswer => ({ ...of, recordedAt: day(deadline), run: () => take({ order, answer, now: madeAt(deadline) }) })

const deadlineOf = ({
  protocol,
}: {
  readonly protocol: { readonly v2: { readonly orderData: { readonly output: { readonly deadline: number } } } }
}) => protocol.v2.orderData.output.deadline

const ether = (from: ChainId, to: ChainId, amount: bigint, slippageBps: number) =>
  ({ from: [from, NATIVE], to: [to, NATIVE], amount, slippageBps }) as const

/** Answers of api.relay.link that somebody published, and one order whose id is known. */
export const recordedAnswers: readonly RecordedAnswer[] = [
  recorded(
    { name: '100 USDC of Base for USDT on Arbitrum', source: `${DOCUMENTS}, features/price-stabilization.mdx:53` },
    deadlineOf(recordings.stablecoins),
    recordings.stablecoins,
    stablecoins,
  ),
  recorded(
    { name: 'the same at a fixed rate', source: `${DOCUMENTS}, features/price-stabilization.mdx:697` },
    deadlineOf(recordings.fixedRate),
    recordings.fixedRate,
    stablecoins,
  ),
  recorded(
    {
      name: '0.1 ETH of Base to Optimism, by an address of its own',
      source: `${DOCUMENTS}, features/deposit-addresses.mdx:95`,
      refusedBecause: 'nothing binds an address on an EVM chain to its order: there the depository is called',
      refusedWith: /another contract/,
    },
    deadlineOf(recordings.openAddress),
    recordings.openAddress,
    ownSwap('0xF0AE622e463fa757Cf72243569E18Be7Df1996cd', ether(8453, 10, 10n ** 17n, 200)),
  ),
  recorded(
    {
      name: '0.1 ETH of Ethereum to Base, for a call on delivery',
      source: `${DOCUMENTS}, references/api/api_guides/calling-integration-guide.mdx:104`,
      refusedBecause: 'its order was edited for the document and has another id; it pays a router for a call nobody asked for',
      refusedWith: /another order id/,
    },
    deadlineOf(recordings.callOnDelivery),
    recordings.callOnDelivery,
    ownSwap(VENDOR_WALLET, ether(1, 8453, 100_012_440_985_606_146n, 200)),
  ),
  recorded(
    {
      name: '0.01 ETH of Base to Robinhood Chain',
      source: 'a test of an integrator on GitHub, relay.fixture.ts: a read-only quote, shortened, its order whole',
    },
    deadlineOf(recordings.toRobinhood),
    recordings.toRobinhood,
    ownSwap(VENDOR_WALLET, ether(8453, 4663, 10n ** 16n, 50)),
  ),
  recorded(
    {
      name: 'a stock on Base for a token on Robinhood Chain',
      source: 'a test of an integrator on GitHub, executionFixture: the steps left out, its order whole',
      refusedBecause: 'an exchange before the deposit, whose calldata nothing binds',
      refusedWith: /a swap before the deposit/,
    },
    deadlineOf(recordings.originSwap),
    { ...recordings.originSwap, steps: [{ id: 'deposit', kind: 'transaction', items: [] }] },
    ownSwap(recordings.originSwap.details.sender, {
      from: [8453, recordings.originSwap.details.currencyIn.currency.address],
      to: [4663, recordings.originSwap.details.currencyOut.currency.address],
      amount: BigInt(recordings.originSwap.details.currencyIn.amount),
      slippageBps: 100,
    }),
  ),
  recorded(
    {
      name: '1,000 USDG of Robinhood Chain for USDC on Ethereum',
      source: 'the order of a funded test of 2026-10-01 and its id; what is around it is shaped as the reference has it',
    },
    recordings.fromRobinhood.order.output.deadline,
    aroundOrder(recordings.fromRobinhood.order, recordings.fromRobinhood.orderId),
    ownSwap('0x000000000000000000000000000000000000dEaD', {
      from: [4663, USDG],
      to: [1, USDC.ethereum],
      amount: 1_000_000_000n,
      slippageBps: 30,
    }),
  ),
  {
    name: '0.02 BTC for USDC on Base, the price',
    source: 'gemwalletcom/wallet, core/crates/swapper/src/relay/testdata/quote_btc_to_base_usdc.json, without fees and order',
    recordedAt: '2026-09-17',
    run: takeBitcoinPrice,
  },
]
