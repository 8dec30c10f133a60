import { NATIVE } from '../../core/asset.ts'
import type { HttpClient } from '../../net/httpClient.ts'
import { askInOrder, EndpointError, type Endpoints, endpointErrorOf } from '../endpoints/endpoints.ts'
import type { PaymentQuery, Payments } from '../payments.ts'

type Output = { readonly scriptpubkey_address?: unknown; readonly value?: unknown }
type Transaction = {
  readonly vin?: unknown
  readonly vout?: unknown
  readonly status?: { readonly confirmed?: unknown; readonly block_time?: unknown }
}

const malformed = (cause?: unknown): EndpointError =>
  new EndpointError('unreachable', 'a transaction that is not as documented', cause)

const sumOf = (outputs: readonly (Output | null | undefined)[], recipient: string): bigint =>
  outputs.reduce((sum, output) => {
    if (output?.scriptpubkey_address !== recipient) return sum
    if (!Number.isSafeInteger(output.value)) throw malformed()
    return sum + BigInt(output.value as number)
  }, 0n)

const readPayments = (text: string, { recipient }: PaymentQuery): Payments | null => {
  let body: Transaction
  try {
    body = JSON.parse(text) as Transaction
  } catch (cause) {
    throw malformed(cause)
  }
  const { vin, vout, status } = body
  if (!Array.isArray(vin) || !Array.isArray(vout) || typeof status?.confirmed !== 'boolean') throw malformed()
  if (!status.confirmed) return null
  const spent = (vin as readonly { readonly prevout?: Output | null }[]).map(({ prevout }) => prevout)
  // What comes back to whoever spent it is change.
  const amount = sumOf(vout as readonly Output[], recipient) - sumOf(spent, recipient)
  const paidAt = typeof status.block_time === 'number' ? status.block_time * 1_000 : null
  return { amount: amount > 0n ? amount : 0n, paidIn: amount > 0n ? [NATIVE] : [], paidAt }
}

/** What a confirmed Bitcoin transaction paid to an address: https://github.com/Blockstream/esplora/blob/master/API.md#get-txtxid. */
export const readBitcoinPayments = (
  http: HttpClient,
  endpoints: Endpoints,
  query: PaymentQuery,
  signal: AbortSignal,
): Promise<Payments | null> =>
  askInOrder(endpoints, signal, async (url, attemptSignal) => {
    const target = `${url.replace(/(?<!\/)\/+$/, '')}/tx/${encodeURIComponent(query.txHash)}`
    const { status, text } = await http.send({ method: 'GET', url: target, signal: attemptSignal }).catch((error: unknown) => {
      throw endpointErrorOf(error)
    })
    if (status === 404) return null
    if (status !== 200) throw new EndpointError('unreachable', `HTTP ${status}`)
    return readPayments(text, query)
  })
