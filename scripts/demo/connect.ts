import type { components, operations } from '../../generated/api.d.ts'

type Schemas = components['schemas']
export type Quote = Schemas['Quote']
export type QuoteRequest = operations['quote']['requestBody']['content']['application/json']
export type Execution = Schemas['Execution']
export type Transaction = Schemas['ApprovalTransaction'] & { readonly serialized?: string }
export type Approval = Schemas['Approval']
export type TypedData = Schemas['TypedData']
export type Deposit = Schemas['Deposit']
export type Token = Schemas['Token']
export type SwapStatus = Schemas['SwapStatus']
type Chain = Schemas['Chain']

/** The service and the offline network, as any client reaches them: over HTTP. Amounts are in smallest units. */
export interface Client {
  quote(request: QuoteRequest): Promise<Quote>
  execute(request: Schemas['ExecuteRequest']): Promise<Execution>
  submitSignature(request: Schemas['SubmitSignatureRequest']): Promise<Schemas['SubmittedSignature']>
  status(query: { readonly quoteToken: string; readonly ref: string }): Promise<SwapStatus>
  chain(chainId: number): Chain
  /** JSON-RPC of a chain; Esplora for Bitcoin. */
  rpcUrl(chainId: number): string
  /** Gives an address money out of nothing. */
  fund(gift: {
    readonly chainId: number
    readonly token: string
    readonly address: string
    readonly amount: string
  }): Promise<void>
  /** Lets the network's time run ahead. */
  advance(ms: number): Promise<void>
}

type Failure = { readonly error?: { readonly code?: string; readonly message?: string } | string }

const call = async <T>(url: string, body?: unknown): Promise<T> => {
  const init =
    body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(url, init)
  const answer = (await response.json()) as T & Failure
  if (response.ok) return answer
  throw new Error(`${new URL(url).pathname} answered ${response.status}: ${JSON.stringify(answer.error)}`)
}

export const connect = async ({
  serviceUrl,
  controlUrl,
}: {
  readonly serviceUrl: string
  readonly controlUrl: string
}): Promise<Client> => {
  const ask = async <T>(path: string, body?: unknown): Promise<T> =>
    (await call<{ readonly data: T }>(`${serviceUrl}/api/v1${path}`, body)).data
  const control = (path: string, body: unknown) => call<unknown>(`${controlUrl}${path}`, body)

  const chains = await ask<readonly Chain[]>('/chains')
  const { chains: nodes } = await call<{ chains: { [chainId: string]: { rpcUrl: string } } }>(`${controlUrl}/`)
  return {
    quote: (request) => ask('/quote', request),
    execute: (request) => ask('/execute', request),
    submitSignature: (request) => ask('/submit-signature', request),
    status: (query) => ask(`/status?${new URLSearchParams(query)}`),
    chain: (chainId) => {
      const chain = chains.find((candidate) => candidate.chainId === chainId)
      if (!chain) throw new Error(`the service has no chain ${chainId}`)
      return chain
    },
    rpcUrl: (chainId) => {
      const node = nodes[chainId]
      if (!node) throw new Error(`the offline network has no chain ${chainId}`)
      return node.rpcUrl
    },
    fund: async (gift) => void (await control('/faucet', gift)),
    advance: async (ms) => void (await control('/clock', { advanceMs: ms })),
  }
}
