import { decodeFunctionData, erc20Abi, type Hex } from 'viem'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { isNative, NATIVE } from '../../../engine/core/asset.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import type { SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'
import { createCow } from '../../../engine/simnet/venues/cow/cow.ts'
import {
  CREATE_ORDER,
  ETH_FLOW,
  ORDER_INVALIDATION,
  ORDER_PLACEMENT,
  ORDER_REFUND,
  placementOf,
  SETTLED,
  SETTLEMENT,
  TRADE,
} from '../../../engine/venues/cow/protocol.ts'
import { type CowNetwork, networkOf } from '../../../engine/venues/cow/published.ts'
import { cow } from '../../../engine/venues/cow/venue.ts'
import { usually, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains, type FakeChains } from '../../support/fakeChains.ts'
import { eventLog } from '../../support/seenEvm.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { transactionOf } from '../../support/venueKit/calls.ts'
import { type Answering, type Canned, type CannedOptions, canned } from '../../support/venueKit/canned.ts'
import { createFakeNetwork } from '../../support/venueKit/network.ts'

export const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
export const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
export const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
export const SETTINGS = { FEE_RECIPIENT, APP_CODE: 'example-aggregator' }

export type CowBench = VenueBench & { readonly chains: FakeChains }

export const openBench = async (options: { readonly settings?: { readonly [name: string]: string } } = {}): Promise<CowBench> => {
  const chains = createFakeChains()
  const { evm } = createFakeNetwork({ evm: { balance: async () => 0n, fund: async () => undefined } })
  return { ...(await createVenueBench(cow, createCow, { chains, evm, settings: SETTINGS, ...options })), chains }
}

const USUAL = { recipient: WALLETS.evmOther, feeBps: 30 }
/** The example of the venue's fact sheet: 1,000 USDC to WETH on Ethereum, paid out to another wallet. */
export const usdcToWeth = usually({ from: [1, USDC], to: [1, WETH], amount: 1_000_000_000n, ...USUAL })
/** 1 ether to USDC on Ethereum. */
export const etherToUsdc = usually({ from: [1, NATIVE], to: [1, USDC], amount: 10n ** 18n, ...USUAL })

/** The order that a swap signs or places. */
export const uidOf = ({ execution }: ExecutedSwap): string => execution.venueRef?.split(':')[1] ?? ''

type Log = ReturnType<typeof eventLog>
export type Logs = { readonly [name: string]: Log }
type Family = { readonly [name in 'SETTLEMENT' | 'ETH_FLOW']: string }
type Call = Pick<SimTransaction, 'chainId' | 'from' | 'data'>
const PINNED: Family = { SETTLEMENT, ETH_FLOW }

/** The event by which EthFlow reports an order that it placed. */
export const ethFlowLogs = ({ chainId, from, data }: Call, { ETH_FLOW: by } = PINNED) => {
  const { args } = decodeFunctionData({ abi: CREATE_ORDER, data: data as Hex })
  const book = { ...(networkOf(chainId as ChainId) as CowNetwork), settlement: SETTLEMENT, ethFlow: by as Address }
  return [eventLog(ORDER_PLACEMENT, 'OrderPlacement', by, { sender: from, ...placementOf(book, args[0] as never) })]
}
export const placed = ({ execution, order }: ExecutedSwap, from: string = order.sender, by = PINNED): Logs => ({
  placed: ethFlowLogs({ chainId: 1, from, data: transactionOf(execution).data }, by)[0] as Log,
})

/** The event by which EthFlow reports the end of an order: by its owner, or by anybody after its end. */
export const endOf = (swap: ExecutedSwap, refunder: string | null, by: string = ETH_FLOW): Logs => {
  const orderUid = uidOf(swap)
  const refund = refunder && eventLog(ORDER_REFUND, 'OrderRefund', by, { orderUid, refunder })
  return { ended: refund || eventLog(ORDER_INVALIDATION, 'OrderInvalidation', by, { orderUid }) }
}

export const transfer = (token: string, from: string, to: string, value: bigint) =>
  eventLog(erc20Abi, 'Transfer', token, { from, to, value })

/** The logs of one settlement as the contract leaves them: each trade, then what it takes, then what it pays. */
export const settled = (swaps: readonly ExecutedSwap[], buyAmount: bigint, by: Family = PINNED): Logs => {
  const each = (name: string, logOf: (swap: ExecutedSwap) => Log) => swaps.map((swap, at) => [`${name}${at || ''}`, logOf(swap)])
  return Object.fromEntries([
    ...each('trade', (swap) => {
      const { input, output, inputAmount: sellAmount, sender } = swap.order
      const sold = isNative(input) ? { owner: by.ETH_FLOW, sellToken: WETH } : { owner: sender, sellToken: input.address }
      const bought = { buyToken: output.address, buyAmount, feeAmount: 0n, orderUid: uidOf(swap) }
      return eventLog(TRADE, 'Trade', by.SETTLEMENT, { ...sold, sellAmount, ...bought })
    }),
    ...each('taken', ({ order }) => transfer(order.input.address, order.sender, by.SETTLEMENT, order.inputAmount)),
    ...each('paid', ({ order, binding }) => transfer(order.output.address, by.SETTLEMENT, binding.recipient, buyAmount)),
    ['settled', eventLog(SETTLED, 'Settlement', by.SETTLEMENT, { solver: FEE_RECIPIENT })],
  ])
}

/** The transaction of a native order as the network reports it. */
export const sentBy = ({ execution, order }: ExecutedSwap, change: Partial<SimTransaction> = {}): SimTransaction => {
  const { chainId, to, data, value } = transactionOf(execution)
  const call = { chainId, from: order.sender, to, data, value, txHash: `0x${'e'.repeat(64)}`, ...change }
  return { logs: ethFlowLogs(call), status: 'success', ...call }
}

/** The adapter, given these answers. */
export const cannedCow = (answering: Answering, options: CannedOptions = {}): Canned =>
  canned(cow, answering, { settings: SETTINGS, ...options })

export type Body = Record<string, unknown>

/** A quote answer for the request as the order book documents it. */
export const quoteAnswer = (request: Body): Body => {
  const { sellToken, buyToken, receiver, from, validTo, appData, appDataHash, kind, signingScheme, sellAmountBeforeFee } = request
  const feeAmount = 800_000n
  const amounts = {
    sellAmount: `${BigInt(String(sellAmountBeforeFee)) - feeAmount}`,
    buyAmount: '249800000000000000',
    feeAmount: `${feeAmount}`,
  }
  const manner = { kind, partiallyFillable: false, sellTokenBalance: 'erc20', buyTokenBalance: 'erc20', signingScheme }
  return {
    quote: { sellToken, buyToken, receiver, ...amounts, validTo, appData, appDataHash, ...manner },
    from,
    expiration: '2026-09-21T13:13:20.123456789Z',
    id: 123_456_789,
    verified: true,
    protocolFeeBps: '2',
  }
}
