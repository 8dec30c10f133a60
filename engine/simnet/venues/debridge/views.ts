import { type DlnOrder, statusOf } from './book.ts'
import { nameOf } from './networks.ts'
import { textOf } from './order.ts'
import type { Deal } from './pricing.ts'

export const tokenBody = (network: Deal['origin'], token: Deal['input'], amount: bigint) => ({
  address: nameOf(network, token),
  chainId: network.wireId,
  decimals: token.decimals,
  name: token.name,
  symbol: token.symbol,
  amount: amount.toString(),
})

/** `estimation` of an answer. */
export const estimationOf = ({ origin, destination, input, output, given, amount, gross, cost, takeAmount }: Deal) => ({
  srcChainTokenIn: {
    ...tokenBody(origin, input, amount),
    approximateOperatingExpense: cost.toString(),
    mutatedWithOperatingExpense: false,
  },
  ...(given === input ? {} : { srcChainTokenOut: { ...tokenBody(origin, given, gross), maxRefundAmount: '0' } }),
  dstChainTokenOut: {
    ...tokenBody(destination, output, takeAmount),
    recommendedAmount: takeAmount.toString(),
    maxTheoreticalAmount: takeAmount.toString(),
  },
  costsDetails: [],
  recommendedSlippage: given === input ? 0 : 0.5,
})

export const wrapped = (stringValue: string | null) => ({ stringValue })
const metadataOf = (hash: string | null) => (hash === null ? null : { transactionHash: wrapped(hash) })

/** GET /api/Orders/{orderId} of the tracking API. */
export const orderBody = (entry: DlnOrder, now: number) => {
  const { orderId, txHash, order, end, invented, refunds, origin, destination } = entry
  const filled = end?.ends === 'filled' ? (end.isClaim ? invented : end.txHash) : null
  return {
    orderId: wrapped(orderId),
    state: statusOf(entry, now),
    creationTimestamp: Math.floor(entry.madeAt / 1_000),
    makerSrc: wrapped(textOf(origin, order.makerSrc)),
    receiverDst: wrapped(textOf(destination, order.receiverDst)),
    createdSrcEventMetadata: metadataOf(txHash),
    fulfilledDstEventMetadata: metadataOf(filled),
    claimedOrderCancelSrcEventInfo: { transactionMetadata: metadataOf(refunds.at(-1)?.txHash ?? null) },
  }
}
