import { parseEvmAddress, parseSolanaAddress } from '../core/address.ts'
import { Secret } from '../core/secret.ts'
import { createPaymentOptions, PaymentOptionsError } from '../x402/paymentOptions.ts'
import type { Reader } from './reader.ts'

/** The payments of the paid paths: recipients and networks. */
export type X402Config = {
  /** Null: no payments there. */
  readonly payTo: { readonly evm: string | null; readonly solana: string | null }
  /** CAIP-2, in the order of preference for clients. */
  readonly networks: readonly string[]
  /** The facilitator that verifies and settles payments; null on the offline network, which has its own, and without payments. */
  readonly facilitator: { readonly url: string; readonly token: Secret | null } | null
}

const BASE = 'eip155:8453'
/** https://namespaces.chainagnostic.org/solana/caip2: the main network by the beginning of its genesis hash. */
const SOLANA_NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const EVM_NETWORK = /^eip155:[1-9][0-9]{0,17}$/

/** An address without an owner: payments on the offline network have no value. */
const PAY_TO_OFFLINE = '0x402F0000000000000000000000000000000000A1'

const readPayTo = (reader: Reader, key: string, parse: (text: string) => string | null): string | null => {
  const text = reader.optional(key)
  const address = text === null ? null : parse(text)
  if (text !== null && address === null) reader.problems.push(`${key} must be an address of that kind of chain`)
  return address
}

const readNetworks = (reader: Reader, payTo: X402Config['payTo']): readonly string[] => {
  const given = reader.list('X402_NETWORKS')
  const known = given.filter((network) => EVM_NETWORK.test(network) || network === SOLANA_NETWORK)
  if (known.length < given.length || new Set(given).size < given.length)
    reader.problems.push(`X402_NETWORKS must be different CAIP-2 ids, such as ${BASE} or ${SOLANA_NETWORK}`)
  if (known.some((network) => EVM_NETWORK.test(network)) && payTo.evm === null)
    reader.problems.push('X402_NETWORKS has EVM networks, which need X402_PAY_TO_EVM')
  if (known.includes(SOLANA_NETWORK) && payTo.solana === null)
    reader.problems.push('X402_NETWORKS has Solana, which needs X402_PAY_TO_SOLANA')
  if (known.length > 0) return known
  return [...(payTo.evm === null ? [] : [BASE]), ...(payTo.solana === null ? [] : [SOLANA_NETWORK])]
}

/** Rejects unsupported networks and fractional prices before the first call. */
const checkOptions = (reader: Reader, wish: Pick<X402Config, 'payTo' | 'networks'>): void => {
  try {
    createPaymentOptions({ ...wish, lifetimeSec: 1 })
  } catch (error) {
    if (!(error instanceof PaymentOptionsError)) throw error
    reader.problems.push(`X402_NETWORKS: ${error.message}`)
  }
}

/** An incomplete configuration is a mistake: with an address set, the operator expects payments. */
export const readX402 = (reader: Reader): X402Config => {
  const isOffline = reader.isOffline()
  const evm = readPayTo(reader, 'X402_PAY_TO_EVM', parseEvmAddress) ?? (isOffline ? PAY_TO_OFFLINE : null)
  const payTo = { evm, solana: readPayTo(reader, 'X402_PAY_TO_SOLANA', parseSolanaAddress) }
  const networks = readNetworks(reader, payTo)
  const url = reader.url('X402_FACILITATOR_URL', '')
  const token = reader.secret('X402_FACILITATOR_TOKEN')
  const takesPayments = payTo.evm !== null || payTo.solana !== null
  if (!isOffline && takesPayments && url === '')
    reader.problems.push('X402_PAY_TO_EVM and X402_PAY_TO_SOLANA need X402_FACILITATOR_URL')
  if (url !== '' && !takesPayments) reader.problems.push('X402_FACILITATOR_URL needs X402_PAY_TO_EVM or X402_PAY_TO_SOLANA')
  if (token !== null && url === '') reader.problems.push('X402_FACILITATOR_TOKEN needs X402_FACILITATOR_URL')
  if (reader.problems.length === 0) checkOptions(reader, { payTo, networks })
  return { payTo, networks, facilitator: url === '' ? null : { url, token: token === null ? null : new Secret(token) } }
}
