import type { FaultName } from '../../engine/simnet/kit/faults.ts'

type Delivery = { readonly txHash: string; readonly venue: string | null }
type Payment = { readonly chainId: number; readonly token: string; readonly address: string; readonly amount: string }
type Sent = {
  readonly chainId: number
  readonly from: string
  readonly to: string
  readonly data: string
  readonly value: string
}

/** Moves the offline network through its public control server, as anybody could. */
export interface NetworkControl {
  readonly url: string
  /** JSON-RPC of a chain; Esplora for Bitcoin. */
  rpcUrl(chainId: number): string
  advance(ms: number): Promise<void>
  /** Turns a fault on; for the next `count` calls, or until cleared. */
  fault(
    venue: string,
    fault: FaultName,
    params?: { readonly count?: number; readonly [name: string]: string | number },
  ): Promise<void>
  clearFaults(): Promise<void>
  deposit(payment: Payment): Promise<Delivery>
  /** A transaction somebody broadcast: described, or really sent and named by its hash. */
  transaction(transaction: Sent | { readonly chainId: number; readonly txHash: string }): Promise<Delivery>
  faucet(payment: Payment): Promise<void>
  setPrice(currency: string, usd: string): Promise<void>
}

export const controlNetwork = (url: string): NetworkControl => {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const init =
      body === undefined ? { method } : { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(`${url}${path}`, init)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} of the offline network answered ${response.status}: ${text}`)
    return JSON.parse(text)
  }
  const post = (path: string, body: unknown): Promise<unknown> => call('POST', path, body)
  return {
    url,
    rpcUrl: (chainId) => `${url}/rpc/${chainId}`,
    advance: async (ms) => void (await post('/clock', { advanceMs: ms })),
    fault: async (venue, fault, params = {}) => void (await post('/faults', { venue, fault, ...params })),
    clearFaults: async () => void (await call('DELETE', '/faults')),
    deposit: async (payment) => (await post('/deposits', payment)) as Delivery,
    transaction: async (transaction) => (await post('/transactions', transaction)) as Delivery,
    faucet: async (payment) => void (await post('/faucet', payment)),
    setPrice: async (currency, usd) => void (await post('/prices', { currency, usd })),
  }
}
