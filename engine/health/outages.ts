import type { AnyEvent } from '../observe/observe.ts'

/** Failures that events have reported, without a success since. */
export interface Outages {
  observe(event: AnyEvent): void
  /** Chains without an endpoint that answers. */
  readonly chainsDown: readonly number[]
  /** Payments are neither verified nor settled. */
  readonly isFacilitatorDown: boolean
  /** `look` is called when a call of the store failed. */
  onStoreFailure(look: () => void): void
}

export const createOutages = (): Outages => {
  /** By chain, the endpoints that fail. */
  const chains = new Map<number, { readonly endpoints: number; readonly failing: Set<number> }>()
  let isFacilitatorDown = false
  let lookAtStore: () => void = () => undefined

  const onChain = ({ chainId, endpoint, endpoints, healthy }: Extract<AnyEvent, { event: 'chain.health' }>): void => {
    const failing = chains.get(chainId)?.failing ?? new Set<number>()
    if (healthy) failing.delete(endpoint)
    else failing.add(endpoint)
    chains.set(chainId, { endpoints, failing })
  }

  return {
    observe: (event) => {
      if (event.event === 'chain.health') onChain(event)
      else if (event.event === 'facilitator.health') isFacilitatorDown = !event.healthy
      else if (event.event === 'store.query' && event.outcome === 'failed') lookAtStore()
    },
    get chainsDown() {
      return [...chains].flatMap(([chainId, { endpoints, failing }]) => (failing.size >= endpoints ? [chainId] : []))
    },
    get isFacilitatorDown() {
      return isFacilitatorDown
    },
    onStoreFailure: (look) => {
      lookAtStore = look
    },
  }
}
