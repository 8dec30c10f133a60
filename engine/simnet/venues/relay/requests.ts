import { utf8ToBytes } from '@noble/hashes/utils.js'
import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { NATIVE_SOL } from '../../../core/asset.ts'
import { BITCOIN, type ChainId, SOLANA } from '../../../core/chain.ts'
import * as protocol from '../../../venues/relay/protocol.ts'
import { addressAt, uintAt, wordAt } from '../../kit/abiWords.ts'
import { discriminatorOf } from '../../kit/anchor.ts'
import { BoundedMap } from '../../kit/boundedMap.ts'
import { callData, ERC20 } from '../../kit/callData.ts'
import { sumOf } from '../../kit/deposits.ts'
import { unitsFor } from '../../kit/dollars.ts'
import { type Fate, fails, fateByFault, fills, refunds, takeSettlementFault } from '../../kit/fate.ts'
import { createFulfilment, type Fulfilment, type Progress, type Terms, untouched } from '../../kit/fulfilment.ts'
import type { Payout } from '../../kit/payOut.ts'
import { orRefused } from '../../kit/refusal.ts'
import type { SimLog, SimSolanaInstruction, SimVenue } from '../../kit/simVenue.ts'
import { watchProgram } from '../../kit/watchProgram.ts'
import type { SimProgram, World } from '../../kit/world.ts'
import { amountBody, currencyOf, type Payable, priced, routerOf } from './quotes.ts'

/** Requests in memory: their payments on the chains, their ends, and what the venue reports of them. */

/** A quote that may be paid, and how it stands. */
type RelayRequest = Payable & Terms & Progress

/** From the payment, or from its block on Bitcoin, until it is filled. */
const FILL_MS = 6_000
const REFUND_MS = 30 * 60_000
/** A refund lacks its network fee: features/deposit-addresses.mdx, and `fees.gas` of the vendor's examples. */
const REFUND_COST_SATOSHI = 1_900n
const REFUND_COST_MICROS = 1_000n

/** RelayRouterV3.sol: without calls, it sends its value to `refundTo`. */
const MULTICALL = [
  'struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function multicall(Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata) payable',
] as const

/**
 * Pays for an order as the oracle requires it of a solver: by a transaction that names the order after the calldata, in a memo or
 * in an OP_RETURN output. `getSolverPaidAmount` of relayprotocol/relay-protocol-oracle.
 */
const payFor = async ({ evm, solana, bitcoin }: World, orderId: string, { token, to, amount }: Payout): Promise<string> => {
  const { chainId, address, isNative } = token
  if (chainId === SOLANA) return solana.transfer({ token: address, to, amount, memo: orderId })
  if (chainId === BITCOIN) return bitcoin.transfer({ to, amount, data: utf8ToBytes(orderId) })
  const call = isNative
    ? await callData(MULTICALL, [[], to, ZERO_EVM_ADDRESS, '0x'])
    : await callData(ERC20.transfer, [to, amount])
  const by = { to: (isNative ? routerOf(chainId as ChainId) : null) ?? address, data: `${call}${orderId.slice(2)}` }
  return evm.transfer({ chainId, token: address, to, amount, by })
}

/** How a request ends that was paid this much: by a fault, or at the price of now. A better price is not passed on. */
const decideFate = (world: World, venue: string, entry: RelayRequest, paid: bigint, at: number): Fate => {
  const { amount, expected, minimum } = entry
  const { faults, market } = world
  const refund = (reason: string): Fate => refunds(at + REFUND_MS, reason)
  if (paid < amount) return refund('DEPOSITED_AMOUNT_TOO_LOW_TO_FILL')
  const fill = fills(at, expected, amount)
  const fault = takeSettlementFault(faults, venue)
  if (fault) return fateByFault(fault, { fill, minimum, refundAt: at + REFUND_MS, reason: 'NO_QUOTES' })
  if (faults.take(venue, 'unknown-status')) return { ...fails(at, null), ends: 'unheardOf' }
  const fresh = orRefused(() => priced(entry, market).expected) ?? 0n
  if (fresh < minimum) return refund('SLIPPAGE')
  return fresh < expected ? { ...fill, amount: fresh } : fill
}

/** A deposit by the depository's event or instruction; `token` is null for the native coin. */
type Deposit = { readonly orderId: string; readonly amount: bigint; readonly token: string | null }

const [COINS_DEPOSITED, TOKENS_DEPOSITED] = [protocol.COINS_DEPOSITED, protocol.TOKENS_DEPOSITED].map(keccakText)

const depositIn = ({ topics: [topic], data }: SimLog): readonly Deposit[] => {
  if (topic !== COINS_DEPOSITED && topic !== TOKENS_DEPOSITED) return []
  const [token, at] = topic === COINS_DEPOSITED ? [null, 1] : [addressAt(data, 1), 2]
  return [{ token, amount: uintAt(data, at), orderId: `0x${wordAt(data, at + 1)}` }]
}

const depositOnSolana = (instruction: SimSolanaInstruction): Deposit | null => {
  const { native, token } = protocol.SOLANA_DEPOSIT
  const [kind, { programId, accounts }] = [discriminatorOf(instruction), instruction]
  const isWhole = instruction.data.length === protocol.SOLANA_DEPOSIT_BYTES && (kind === native || kind === token)
  if (programId !== protocol.SOLANA_DEPOSITORY || !isWhole) return null
  const data = Buffer.from(instruction.data)
  const orderId = `0x${data.subarray(16).toString('hex')}`
  return { orderId, amount: data.readBigUInt64LE(8), token: kind === token ? (accounts[4] ?? null) : null }
}

const REORGED = 'DEPOSIT_REORGED'
const NOTHING = 'N/A'

export const createRequests = (world: World, venue: string) => {
  const { clock } = world
  const entries = new BoundedMap<string, RelayRequest>()
  const find = (fits: (entry: RelayRequest) => boolean) => [...entries.values()].find(fits) ?? null

  const fulfilment: Fulfilment<RelayRequest> = createFulfilment<RelayRequest>(world, {
    decide: (entry, completedAt) => {
      // On Bitcoin it waits for a block, and from there on.
      const at = (completedAt ?? clock.now()) + (entry.settleMs > 0 ? 0 : FILL_MS)
      return decideFate(world, venue, entry, sumOf(fulfilment.seen(entry)), at)
    },
    instead: () => refunds(clock.now() + REFUND_MS, 'TRANSFER_FAILED'),
    deliver: ({ orderId, output: token, recipient: to }, amount) => payFor(world, orderId, { token, to, amount }),
    giveBack: ({ orderId, input: token, refundTo: to }, amount) => payFor(world, orderId, { token, to, amount }),
    vanished: (entry) => {
      if (entry.origin === BITCOIN && entry.confirmedAt === null) {
        // Never in a block, it was no payment: the request waits for one again.
        for (const payment of entry.paid) fulfilment.whenBack(payment, () => fulfilment.pay(entry, payment))
        entry.paid = []
      } else entry.end = { ...fails(clock.now(), REORGED), keeps: 0n, txHash: null }
    },
  })

  const add = (payable: Payable): void => {
    const isBitcoin = payable.origin === BITCOIN
    const refundCost = isBitcoin ? REFUND_COST_SATOSHI : unitsFor(world.market, payable.input, REFUND_COST_MICROS)
    const terms = { amountNeeded: 1n, refundCost, openUntil: clock.now(), settleMs: isBitcoin ? FILL_MS : 0 }
    entries.set(payable.requestId, { ...payable, ...untouched(), ...terms })
  }

  return {
    ...{ add, pay: fulfilment.pay },
    byRequestId: (requestId: string) => entries.get(requestId.toLowerCase()) ?? null,
    byOrderId: (orderId: string) => find((entry) => entry.orderId === orderId.toLowerCase()),
    atDepositAddress: (address: string) => find(({ depositAddress }) => depositAddress === address),
  }
}

/** Watches the chains for payments of requests, whatever wallet or contract made them. */
export const watchPayments = (
  world: World,
  { byOrderId, atDepositAddress, pay }: ReturnType<typeof createRequests>,
): Pick<SimVenue, 'onDeposit' | 'onTransaction'> => {
  const settle = ({ orderId, token, amount }: Deposit, chainId: number, txHash: string): void => {
    const entry = byOrderId(orderId)
    const isItsToken = token === (entry?.input.isNative === false ? currencyOf(entry.input) : null)
    if (entry?.origin === chainId && isItsToken) pay(entry, { txHash, amount })
  }
  const program: SimProgram = (instruction, { signers }) => {
    const [deposit, from = ''] = [depositOnSolana(instruction), instruction.accounts[1]]
    return deposit && signers.includes(from) ? { ...deposit, token: deposit.token ?? NATIVE_SOL, from } : null
  }
  const watched = { programId: protocol.SOLANA_DEPOSITORY, program, read: depositOnSolana }
  const isDepositOnSolana = watchProgram(world, watched, (deposit, txHash) => settle(deposit, SOLANA, txHash))

  return {
    onTransaction: (transaction) => {
      const { chainId, txHash, logs = [] } = transaction
      if (chainId === SOLANA) return isDepositOnSolana(transaction)
      const { depository } = protocol.PINNED[chainId as ChainId]
      const deposits = logs.filter(({ address }) => address.toLowerCase() === depository.toLowerCase()).flatMap(depositIn)
      for (const deposit of deposits) settle(deposit, chainId, txHash)
      return deposits.length > 0
    },
    onDeposit: ({ chainId, address, amount, txHash }) => {
      const entry = atDepositAddress(address)
      if (entry?.origin !== chainId) return false
      pay(entry, { txHash, amount })
      return true
    },
  }
}

const statusOf = ({ end, refunds: sent, paid }: RelayRequest): string => {
  // What is too little to be sent back stays where it is.
  const refunded = sent.length > 0 ? 'refund' : 'failure'
  if (end) return { filled: 'success', refunded, failed: 'failure', unheardOf: 'reviewing' }[end.ends]
  return paid.length > 0 ? 'pending' : 'waiting'
}

const deliveredBy = ({ end }: RelayRequest) => (end?.ends === 'filled' && end.txHash !== null ? [end.txHash] : [])

/** Why nothing went back of a failed request. */
const refundFailureOf = ({ end, fate }: RelayRequest): string => {
  if (end?.reason === REORGED) return NOTHING
  return fate?.ends === 'refunded' ? 'AMOUNT_TOO_LOW_TO_REFUND' : 'MANUAL_REFUND_REQUIRED'
}

/** GET /intents/status/v3. Of a deposit address only the records name the payments. */
export const statusBody = (entry: RelayRequest) => ({
  status: statusOf(entry),
  failReason: entry.end?.reason ?? NOTHING,
  refundFailReason: statusOf(entry) === 'failure' ? refundFailureOf(entry) : NOTHING,
  inTxHashes: entry.depositAddress === null ? entry.paid.slice(0, 1).map(({ txHash }) => txHash) : [],
  txHashes: entry.end?.ends === 'refunded' ? entry.refunds.map(({ txHash }) => txHash) : deliveredBy(entry),
  originChainId: protocol.toWireChain(entry.origin),
  destinationChainId: protocol.toWireChain(entry.destination),
})

/** One request of GET /requests/v3. */
export const requestBody = (entry: RelayRequest) => {
  const { input, output, amount, expected, recipient, depositAddress, paid, end } = entry
  const origin = { inputCurrency: amountBody(input, amount) }
  const legs = (delivery: bigint) => ({ origin, destination: { outputCurrency: amountBody(output, delivery) } })
  return {
    ...{ id: entry.requestId, status: statusOf(entry), recipient, supersededByRequestId: null },
    depositAddress: depositAddress === null ? null : { address: depositAddress, depositTxHash: paid[0]?.txHash ?? null },
    data: { route: { quoted: legs(expected), actual: deliveredBy(entry).length > 0 ? legs(end?.amount ?? 0n) : null } },
  }
}
