import type { SimToken } from '../../kit/tokens.ts'
import { type RelayRequest, statusAt } from './book.ts'
import { currencyOf, type Network } from './networks.ts'

const amountBody = (network: Network, token: SimToken, amount: bigint) => ({
  currency: { chainId: network.id, address: currencyOf(network, token), symbol: token.symbol, decimals: token.decimals },
  amount: amount.toString(),
})

/** One request of GET /requests/v3. */
export const requestBody = (entry: RelayRequest, now: number) => {
  const { requestId, request, quoted, depositAddress, paid, end } = entry
  const { origin, destination, input, output, amount, user, recipient, refundTo } = request
  const status = statusAt(entry, now)
  const delivered = end?.delivered ?? null
  const legs = (paidIn: bigint, delivery: bigint) => ({
    origin: { inputCurrency: amountBody(origin, input, paidIn) },
    destination: { outputCurrency: amountBody(destination, output, delivery) },
  })
  return {
    id: requestId,
    status,
    user,
    recipient,
    refundTo,
    supersededByRequestId: entry.supersededBy,
    depositAddress: depositAddress === null ? null : { address: depositAddress, type: 'open', depositor: user },
    data: {
      inTxs: paid ? [{ txHash: paid.txHash, chainId: origin.id }] : [],
      outTxs: delivered === null ? [] : (end?.txHashes ?? []).map((txHash) => ({ txHash, chainId: destination.id })),
      route: { quoted: legs(amount, quoted.expected), actual: delivered === null ? null : legs(amount, delivered) },
    },
  }
}
