import type { HttpClient } from '../net/httpClient.ts'
import { askInOrder, EndpointError, type Endpoints, endpointErrorOf } from './endpoints.ts'
import type { PaymentQuery, Payments } from './payments.ts'

type Output = { readonly scriptpubkey_address?: unknown; readonly value?: unknown }
type Transaction = { readonly vout?: unknown; readonly status?: { readonly confirmed?: unknown } }

const malformed = (cause?: unknown): EndpointError =>
  new EndpointError('unreachable', 'a transaction that is not as documented', cause)

const readPayments = (text: string, { recipient }: PaymentQuery): Payments | null => {
  let body: Transaction
  try {
    body = JSON.parse(text) as Transaction
  } catch (cause) {
    throw malformed(cause)
  }
  if (!Array.isArray(body.vout) || typeof body.status?.confirmed !== 'boolean') throw malformed()
  if (!body.status.confirmed) return null
  const amount = (body.vout as readonly Output[])
    .filter(({ scriptpubkey_address: address }) => address === recipient)
    .reduce((sum, { value }) => {
      if (!Number.isSafeInteger(value)) throw malformed()
      return sum + BigInt(value as number)
    }, 0n)
  return { amount, isAnything: amount > 0n }
}

/** What a confirmed Bitcoin transaction paid to an address: https://github.com/Blockstream/esplora/blob/master/API.md#get-txtxid. */
export const readBitcoinPayments = (
  http: HttpClient,
  endpoints: Endpoints,
  query: PaymentQuery,
  signal: AbortSignal,
): Promise<Payments | null> =>
  askInOrder(endpoints, signal, async (url, attemptSignal) => {
    const target = `${url.replace(/\/+$/, '')}/tx/${encodeURIComponent(query.txHash)}`
    const { status, text } = await http.send({ method: 'GET', url: target, signal: attemptSignal }).catch((error: unknown) => {
      throw endpointErrorOf(error)
    })
    if (status === 404) return null
    if (status !== 200) throw new EndpointError('unreachable', `HTTP ${status}`)
    return readPayments(text, query)
  })
