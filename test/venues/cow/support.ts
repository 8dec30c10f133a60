import { addressOf } from '../../../engine/core/address.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import type { SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'
import type { SimEvm } from '../../../engine/simnet/kit/world.ts'
import { createCow } from '../../../engine/simnet/venues/cow/cow.ts'
import { cow } from '../../../engine/venues/cow/venue.ts'
import type { Venue } from '../../../engine/venues/venue.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains, type FakeChains } from '../../support/fakeChains.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { never, signed, transactionOf } from '../../support/venueKit/calls.ts'
import { type Answering, type Canned, type CannedOptions, canned } from '../../support/venueKit/canned.ts'
import { createFakeEvm, ethFlowLogs, type FakeEvm } from './fakeEvm.ts'

export const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
export const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
export const SETTLEMENT = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41'
export const VAULT_RELAYER = '0xC92E8bdf79f0507f65a392b0ab4667716BFE0110'
export const ETH_FLOW = '0xbA3cB449bD2B4ADddBc894D8697F5170800EAdeC'
export const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
export const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906')
export const SETTINGS = { FEE_RECIPIENT, APP_CODE: 'example-aggregator' }

export type CowBench = VenueBench & { readonly fake: FakeEvm; readonly chains: FakeChains }

export const openBench = async ({
  evm = {},
  chains = createFakeChains(),
  ...options
}: {
  settings?: Record<string, string>
  apiKey?: string
  evm?: Partial<SimEvm>
  chains?: FakeChains
} = {}): Promise<CowBench> => {
  const fake = createFakeEvm()
  const bench = await createVenueBench(cow, createCow, {
    chains,
    settings: SETTINGS,
    ...options,
    evm: { ...fake.evm, ...evm },
  })
  fake.tell = bench.sim.onTransaction
  return { ...bench, fake, chains }
}

/** The example of the venue's fact sheet: 1,000 USDC to WETH on Ethereum, paid out to another wallet. */
export const usdcToWeth = (wish: Partial<OrderWish> = {}): VenueOrder =>
  anOrder({ from: [1, USDC], to: [1, WETH], amount: 1_000_000_000n, recipient: WALLETS.evmOther, feeBps: 30, ...wish })

/** 1 ether to USDC on Ethereum. */
export const etherToUsdc = (wish: Partial<OrderWish> = {}): VenueOrder =>
  anOrder({ from: [1, NATIVE], to: [1, USDC], amount: 10n ** 18n, recipient: WALLETS.evmOther, feeBps: 30, ...wish })

/** The order of a status reference. */
export const uidOf = (ref: string | null | undefined): string => ref?.slice('mainnet:'.length) ?? ''

/** Signs and posts: the reference to follow the swap by. */
export const submitted = async (venue: Venue, swap: ExecutedSwap): Promise<string> => {
  const answer = await venue.submitter?.submit(swap, await signed(swap.execution), never())
  return answer?.statusRef ?? ''
}

/** The transaction of a native order as the network tells of it; its events are those of its calldata. */
export const sentBy = ({ execution, order }: ExecutedSwap, change: Partial<SimTransaction> = {}): SimTransaction => {
  const { chainId, to, data, value } = transactionOf(execution)
  const call = { chainId, from: order.sender, to, data, value, txHash: `0x${'e'.repeat(64)}`, ...change }
  return { logs: ethFlowLogs(call), status: 'success', ...call }
}

/** The owner takes the coins of a native order back. */
export const takenBack = (swap: ExecutedSwap, change: Partial<SimTransaction> = {}): SimTransaction => {
  const data = sentBy(swap).data.replace(/^0x322bba21/, '0x7bc41b96')
  return sentBy(swap, { data, value: 0n, txHash: `0x${'d'.repeat(64)}`, ...change })
}

/** What ether quotes say is spent: all but the network cost of `quoteAnswer`. */
export const ETHER_SPENT = { sellAmount: (10n ** 18n - 800_000n).toString() }

/** The adapter, given these answers. */
export const cannedCow = (answering: Answering, options: CannedOptions = {}): Canned =>
  canned(cow, answering, { settings: SETTINGS, ...options })

export type Body = Record<string, unknown>

/** A quote answer for the request as the order book documents it, changed where a test wants it wrong. */
export const quoteAnswer = (request: Body, change: { quote?: Body; top?: Body } = {}): Body => {
  const { sellToken, buyToken, receiver, from, validTo, appData, appDataHash, kind, signingScheme, sellAmountBeforeFee } = request
  const feeAmount = 800_000n
  const lower = (value: unknown) => String(value).toLowerCase()
  return {
    quote: {
      sellToken: lower(sellToken),
      buyToken: lower(buyToken),
      receiver: lower(receiver),
      sellAmount: (BigInt(String(sellAmountBeforeFee)) - feeAmount).toString(),
      buyAmount: '249800000000000000',
      feeAmount: feeAmount.toString(),
      gasAmount: '150000',
      gasPrice: '1333333333',
      sellTokenPrice: '0.00025',
      validTo,
      appData,
      appDataHash,
      kind,
      partiallyFillable: false,
      sellTokenBalance: 'erc20',
      buyTokenBalance: 'erc20',
      signingScheme,
      ...change.quote,
    },
    from: lower(from),
    expiration: '2026-09-21T13:13:20.123456789Z',
    id: 123_456_789,
    verified: true,
    protocolFeeBps: '2',
    ...change.top,
  }
}
