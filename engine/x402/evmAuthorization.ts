import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import type { Authorization } from '../chains/evm/evmAuthorizations.ts'
import { type Address, parseEvmAddress } from '../core/address.ts'
import { type EvmChainId, isChainId, isEvmChainId } from '../core/chain.ts'
import type { Hex } from '../core/execution.ts'

/** The required payment on an EVM chain: the authorization, and the transfer that it must make. */
export type EvmPayment = { readonly authorization: Authorization; readonly payTo: Address; readonly amount: bigint }

const NETWORK = /^eip155:([1-9][0-9]{0,9})$/
const DIGITS = /^(0|[1-9][0-9]{0,77})$/
const NONCE = /^0x[0-9a-f]{64}$/i
const SECOND = 1_000n
/** Later than any block: equivalent to a time that never comes. */
const LATEST_MS = 8_640_000_000_000_000n

const addressIn = (value: unknown): Address | null => (typeof value === 'string' ? parseEvmAddress(value.toLowerCase()) : null)

const chainIn = (network: string): EvmChainId | null => {
  const chainId = Number(NETWORK.exec(network)?.[1])
  return isChainId(chainId) && isEvmChainId(chainId) ? chainId : null
}

const timeIn = (value: unknown): number | null => {
  if (typeof value !== 'string' || !DIGITS.test(value)) return null
  const ms = BigInt(value) * SECOND
  return Number(ms > LATEST_MS ? LATEST_MS : ms)
}

/** Null where a payload is no EIP-3009 authorization, or not for these requirements. */
export const readEvmPayment = (
  { authorization: fields }: PaymentPayload['payload'],
  requirements: PaymentRequirements,
): EvmPayment | null => {
  if (typeof fields !== 'object' || fields === null) return null
  const { from, to, value, validAfter: after, validBefore: before, nonce } = fields as { readonly [name: string]: unknown }
  const chainId = chainIn(requirements.network)
  const [token, payTo, authorizer] = [requirements.asset, requirements.payTo, from].map(addressIn)
  const [validAfter, validBefore] = [after, before].map(timeIn)
  if (chainId === null || !token || !payTo || !authorizer) return null
  if (validAfter === null || validAfter === undefined || validBefore === null || validBefore === undefined) return null
  // Wallets sign for the requested duration, mostly from time zero. For a longer duration the search covers only that duration.
  const since = Math.max(validAfter, validBefore - requirements.maxTimeoutSeconds * 1_000)
  if (typeof nonce !== 'string' || !NONCE.test(nonce)) return null
  if (addressIn(to) !== payTo || value !== requirements.amount || !DIGITS.test(requirements.amount)) return null
  const authorization = { chainId, token, authorizer, nonce: nonce.toLowerCase() as Hex, since, validBefore }
  return { authorization, payTo, amount: BigInt(requirements.amount) }
}
