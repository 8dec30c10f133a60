import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { inertSolanaTransaction } from '../chains/solana/inertSolanaTransaction.ts'
import { placeholderAddress } from '../core/address.ts'
import { toAmount } from '../core/amount.ts'
import { buildApproval } from '../core/approval.ts'
import { type ChainId, ecosystemOf, SOLANA } from '../core/chain.ts'
import type { Binding, Execution, Payload, TypedData } from '../core/execution.ts'
import type { Order } from '../core/order.ts'
import type { Approval } from '../core/swap.ts'
import type { SwapStatus } from '../core/swapStatus.ts'
import type { SealedQuote } from '../quoting/seal.ts'

/**
 * Sandbox payloads are shaped like real ones without effect. At worst, signing and sending one pays a network fee for a transfer
 * of nothing to oneself.
 */

const ORDER_FIELDS = [
  { name: 'inputToken', type: 'address' },
  { name: 'outputToken', type: 'string' },
  { name: 'inputAmount', type: 'uint256' },
  { name: 'minimumOutput', type: 'uint256' },
  { name: 'recipient', type: 'string' },
  { name: 'validTo', type: 'uint32' },
] as const

/** One second after the epoch: every contract rejects this deadline. */
const LONG_PAST_SECONDS = 1

const inertTypedData = ({ order, offer }: SealedQuote, { recipient }: Binding): TypedData => ({
  // The verifying contract is the sender's wallet, which does not support this order.
  domain: { name: 'Sandbox', version: '1', chainId: order.input.chainId, verifyingContract: order.sender },
  types: { Order: ORDER_FIELDS },
  primaryType: 'Order',
  message: {
    inputToken: order.input.address,
    outputToken: order.output.address,
    inputAmount: order.inputAmount.toString(),
    minimumOutput: (offer.slippage?.guaranteedMin ?? offer.outputAmount).toString(),
    recipient,
    validTo: LONG_PAST_SECONDS,
  },
})

const inertTransaction = async ({ id, order }: SealedQuote): Promise<Payload> => {
  const { chainId } = order.input
  const value = toAmount(0n)
  if (chainId !== SOLANA) return { executionType: 'TRANSACTION', transaction: { chainId, to: order.sender, data: '0x', value } }
  const serialized = await inertSolanaTransaction(order.sender, `sandbox ${id}`, placeholderAddress('solana'))
  return { executionType: 'TRANSACTION', transaction: { chainId, to: order.sender, data: serialized, value, serialized } }
}

const inertPayload = async (quote: SealedQuote, binding: Binding): Promise<Payload> => {
  const { order, offer } = quote
  switch (offer.executionType) {
    case 'TRANSACTION':
      return inertTransaction(quote)
    case 'SIGNATURE':
      return {
        executionType: 'SIGNATURE',
        chainId: order.input.chainId,
        typedData: inertTypedData(quote, binding),
        approvalData: null,
      }
    case 'DEPOSIT':
      return {
        executionType: 'DEPOSIT',
        deposit: { chainId: order.input.chainId, address: order.sender, amount: order.inputAmount },
      }
  }
}

/** An execution that moves no funds, made without calling the venue. */
export const sandboxExecution = async (quote: SealedQuote, binding: Binding): Promise<Execution> => {
  const payload = await inertPayload(quote, binding)
  const { outputAmount, slippage } = quote.offer
  const venueRef = payload.executionType === 'DEPOSIT' ? payload.deposit.address : null
  return { payload, venueRef, evidence: null, outputAmount, slippage, carry: null }
}

/** The approval step of a sandbox swap: the sender approves itself, without effect. */
export const sandboxApproval = ({ input, sender, inputAmount }: Order): Approval =>
  buildApproval(input, sender, inputAmount, false)

const syntheticHash = (quoteId: string, chainId: ChainId): string => {
  const seed = utf8ToBytes(`sandbox:${quoteId}`)
  switch (ecosystemOf(chainId)) {
    case 'evm':
      return `0x${bytesToHex(sha256(seed))}`
    case 'bitcoin':
      return bytesToHex(sha256(seed))
    case 'solana':
      return base58.encode(sha512(seed))
  }
}

/** The response of /submit-signature in the sandbox: recognisably invented, and stable. */
export const sandboxStatusRef = (quoteId: string): string => `sandbox-${bytesToHex(sha256(utf8ToBytes(quoteId))).slice(0, 32)}`

/** The response of /submit-transaction in the sandbox: an invented signature. */
export const sandboxTxHash = ({ id, order }: SealedQuote): string => syntheticHash(id, order.input.chainId)

/** The response of /status in the sandbox, for every ref. */
export const sandboxStatus = ({ id, order, offer }: SealedQuote): SwapStatus => ({
  state: 'success',
  venueStatus: null,
  deliveredAmount: offer.outputAmount,
  txHash: syntheticHash(id, order.output.chainId),
})
