import { chainOf } from '../../../core/chain.ts'
import type { SimTokens } from '../../kit/tokens.ts'
import { amountBody, currencyBody, NETWORKS, type Network, SOLVER } from './networks.ts'
import { FILL_MS, type RelayRequest } from './quoteBody.ts'
import { REORGED } from './requests.ts'

const STAGE_MS = 2_000
const NOTHING = 'N/A'

/** The raw status at a moment. */
const statusAt = ({ end, refunds, paid, fate, confirmedAt, origin, supersededBy }: RelayRequest, now: number): string => {
  // Too little to be sent back, it stays where it is.
  const refunded = refunds.length > 0 ? 'refund' : 'failure'
  if (end) return { filled: 'success', refunded, failed: 'failure', unheardOf: 'reviewing' }[end.ends]
  // It stays what it was when it was handed over.
  if (supersededBy !== null) return 'pending'
  const [payment] = paid
  if (!payment) return 'waiting'
  const isBitcoin = origin.vm === 'bvm'
  if (isBitcoin && confirmedAt === null) return 'pending'
  const elapsed = now - (isBitcoin && confirmedAt !== null ? confirmedAt : payment.at)
  // A fill that does not work is tried again and again.
  if (elapsed >= FILL_MS) return fate?.ends === 'refunded' ? 'delayed' : 'submitted'
  if (isBitcoin || elapsed >= 2 * STAGE_MS) return 'submitted'
  return elapsed >= STAGE_MS ? 'pending' : 'depositing'
}

const deliveredBy = ({ end }: RelayRequest) => (end?.ends === 'filled' && end.txHash !== null ? [end.txHash] : [])

/** Why nothing went back, where a refund was due or nobody can make one. */
const refundFailureOf = ({ end, fate }: RelayRequest, status: string): string => {
  if (status !== 'failure' || end?.reason === REORGED) return NOTHING
  return fate?.ends === 'refunded' ? 'AMOUNT_TOO_LOW_TO_REFUND' : 'MANUAL_REFUND_REQUIRED'
}

/**
 * Of a deposit address it is the sweep that is named, once it can be made, and not what the depositor sent: `depositTxHash` in
 * the changelog of relayprotocol/relay-docs.
 */
const paidInBy = ({ paid, depositAddress, confirmedAt, sweepTxHash }: RelayRequest): readonly string[] => {
  if (depositAddress === null) return paid.slice(0, 1).map(({ txHash }) => txHash)
  return paid.length > 0 && confirmedAt !== null ? [sweepTxHash] : []
}

/** GET /intents/status/v3. */
export const statusBody = (entry: RelayRequest, now: number) => {
  const { end, refunds, origin, destination } = entry
  const status = statusAt(entry, now)
  return {
    status,
    inTxHashes: paidInBy(entry),
    txHashes: end?.ends === 'refunded' ? refunds.map(({ txHash }) => txHash) : deliveredBy(entry),
    originChainId: origin.id,
    destinationChainId: destination.id,
    failReason: end?.reason ?? NOTHING,
    refundFailReason: refundFailureOf(entry, status),
  }
}

/** One request of GET /requests/v3. */
export const requestBody = (entry: RelayRequest, now: number) => {
  const { origin, destination, input, output, amount, expected, recipient, depositAddress, paid, end } = entry
  const legs = (paidIn: bigint, delivery: bigint) => ({
    origin: { inputCurrency: amountBody(origin, input, paidIn) },
    destination: { outputCurrency: amountBody(destination, output, delivery) },
  })
  const actual = deliveredBy(entry).length > 0 ? legs(amount, end?.amount ?? 0n) : null
  return {
    id: entry.requestId,
    status: statusAt(entry, now),
    recipient,
    supersededByRequestId: entry.supersededBy,
    depositAddress: depositAddress === null ? null : { address: depositAddress, depositTxHash: paid[0]?.txHash ?? null },
    data: { route: { quoted: legs(amount, expected), actual } },
  }
}

const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11'
const ANOTHER_SOLVER = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'

const chainBody = (network: Network, tokens: SimTokens) => ({
  id: network.id,
  name: network.name,
  displayName: chainOf(network.chainId).name,
  vmType: network.vm,
  disabled: false,
  depositEnabled: true,
  blockProductionLagging: false,
  currency: currencyBody(network, tokens.native(network.chainId)),
  contracts: {
    multicall3: MULTICALL3,
    ...(network.router === null ? {} : { erc20Router: network.router, 'v3.2': { erc20Router: network.router } }),
  },
  solverAddresses: [ANOTHER_SOLVER, SOLVER],
  protocol: { v2: { chainId: network.name, depository: network.depository } },
})

/** GET /chains. */
export const chainsBody = (tokens: SimTokens) => ({ chains: NETWORKS.map((network) => chainBody(network, tokens)) })

type Listing = { readonly chainIds: readonly number[] | undefined; readonly limit: number | undefined }

/** POST /currencies/v2, of which terms and pages are not played. */
export const currenciesBody = (tokens: SimTokens, { chainIds, limit = 20 }: Listing) =>
  NETWORKS.filter(({ id }) => chainIds === undefined || chainIds.includes(id))
    .flatMap((network) =>
      tokens.all.flatMap((token) => (token.chainId === network.chainId ? [currencyBody(network, token)] : [])),
    )
    .slice(0, limit)
