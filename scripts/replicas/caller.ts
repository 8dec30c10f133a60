import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { BITCOIN, NATIVE, USDC } from '../client/tokens.ts'
import type { Lives } from '../kills/lives.ts'

/** What a client saw of one call. `code` null: a success; `gone`: no answer at all. */
export type Seen = { readonly status: number; readonly code: string | null; readonly ms: number; readonly data: unknown }

/** A client behind a balancer that gives each call to the next replica, and never repeats one. */
export type Caller = {
  readonly call: (
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    headers?: { readonly [name: string]: string },
  ) => Promise<Seen>
  readonly quote: (amount: bigint) => Promise<Seen>
  readonly execute: (quoteToken: string) => Promise<Seen>
  readonly status: (quoteToken: string, ref: string) => Promise<Seen>
}

type Envelope = { readonly data?: unknown; readonly error?: { readonly code: string } }

const TIMEOUT_MS = 30_000
const PAYER = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const RECIPIENT = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

export const depositOrder = (amount: bigint) => ({
  inputChainId: BITCOIN,
  inputToken: NATIVE,
  inputAmount: amount.toString(),
  outputChainId: 8453,
  outputToken: USDC.base,
  userAddress: PAYER,
  destinationAddress: RECIPIENT,
  excludeVenues: VENUE_DEFINITIONS.map(({ id }) => id).filter((id) => id !== 'near-intents'),
})

export const createCaller = (lives: Lives): Caller => {
  let calls = 0
  const call: Caller['call'] = async (method, path, body, headers = {}) => {
    const { url } = await lives.listening()
    calls += 1
    // Where it is believed, each call is another client's.
    const from = `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}`
    const startedAt = performance.now()
    const seen = (status: number, { data, error }: Envelope): Seen => ({
      status,
      code: status < 400 ? null : (error?.code ?? 'none'),
      ms: performance.now() - startedAt,
      data,
    })
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'x-forwarded-for': from, ...headers },
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return seen(response.status, (await response.json()) as Envelope)
    } catch {
      return seen(599, { error: { code: 'gone' } })
    }
  }
  return {
    call,
    quote: (amount) => call('POST', '/api/v1/quote', depositOrder(amount)),
    execute: (quoteToken) => call('POST', '/api/v1/execute', { quoteToken }),
    status: (quoteToken, ref) => call('GET', `/api/v1/status?${new URLSearchParams({ quoteToken, ref })}`),
  }
}

export const tokenOf = ({ data }: Seen): string | null =>
  (data as { readonly quoteToken?: string } | undefined)?.quoteToken ?? null

export const addressOf = ({ data }: Seen): string | null =>
  (data as { readonly deposit?: { readonly address: string } } | undefined)?.deposit?.address ?? null
