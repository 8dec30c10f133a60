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
type Described = {
  readonly venues: { readonly [id: string]: { readonly baseUrl: string } }
  readonly notices: readonly { readonly reason: string }[]
}
type FaultParams = { readonly count?: number; readonly [name: string]: string | number }

/** Controls the offline network through its public control server. */
export interface NetworkControl {
  readonly url: string
  /** JSON-RPC of a chain; Esplora for Bitcoin. */
  rpcUrl(chainId: number): string
  advance(ms: number): Promise<void>
  /** Turns a fault on; for the next `count` calls, or until cleared. */
  fault(venue: string, fault: FaultName, params?: FaultParams): Promise<void>
  clearFaults(): Promise<void>
  deposit(payment: Payment): Promise<Delivery>
  /** Reports a transaction to the venues: a description, or the hash of one that was sent. */
  transaction(transaction: Sent | { readonly chainId: number; readonly txHash: string }): Promise<Delivery>
  faucet(payment: Payment): Promise<void>
  setPrice(currency: string, usd: string): Promise<void>
  /** Mines blocks on Bitcoin, with the unconfirmed transactions. */
  mine(blocks: number): Promise<void>
  /** Removes the last blocks of an EVM chain, or transactions of Bitcoin. Returns the hashes of the removed transactions. */
  reorg(wish: { readonly chainId: number; readonly depth?: number; readonly drop?: string }): Promise<readonly string[]>
  /** The reasons of actions that the network could not do for a venue. */
  notices(): Promise<readonly string[]>
  /** Calls a simulated venue itself, to read what it received. */
  askVenue<T>(venue: string, path: string): Promise<T>
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
  const describe = async () => (await call('GET', '/')) as Described
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
    mine: async (blocks) => void (await post('/mine', { blocks })),
    reorg: async (wish) => ((await post('/reorg', wish)) as { readonly dropped: readonly string[] }).dropped,
    notices: async () => (await describe()).notices.map(({ reason }) => reason),
    askVenue: async <T>(venue: string, path: string) => {
      const response = await fetch(`${(await describe()).venues[venue]?.baseUrl}${path}`)
      if (!response.ok) throw new Error(`${venue} answered ${response.status} to ${path}`)
      return (await response.json()) as T
    },
  }
}
