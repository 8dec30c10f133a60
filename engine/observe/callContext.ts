import type { RequestContext } from '../core/caller.ts'
import type { Observe, ObserveRequest, SwapMark } from './observe.ts'

/** The request that the engine's parts serve, and their observer. */
export type CallContext = RequestContext & { readonly observe: ObserveRequest }

/** Adds the ids of the request to every event. */
const bound = ({ requestId, trace }: RequestContext, observe: Observe): ObserveRequest => {
  if (!trace) return (event) => observe({ ...event, requestId })
  const { traceId } = trace
  return (event) => observe({ ...event, requestId, traceId })
}

export const bindContext = (request: RequestContext, observe: Observe): CallContext => ({
  ...request,
  // May be a getter, so it is copied explicitly.
  signal: request.signal,
  observe: bound(request, observe),
})

/** The same, for events about one swap. */
export const bindSwap = (context: CallContext, mark: SwapMark): CallContext => ({
  ...context,
  observe: (event) => context.observe({ ...mark, ...event }),
})

/** Added to every line about a stored swap. */
export const markOf = ({ id, quoteId, ref }: { readonly id: number; readonly quoteId: string; readonly ref: string | null }) =>
  ({ quoteId, swapId: id, ref }) as const satisfies SwapMark
