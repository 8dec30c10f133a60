import type { RequestContext } from '../core/caller.ts'
import type { Observe, ObserveRequest, SwapMark } from './observe.ts'

/** What the engine's parts know of the request they serve, and where they tell what happens in it. */
export type CallContext = RequestContext & { readonly observe: ObserveRequest }

/** Puts into every event whose it is. */
const bound = ({ requestId, trace }: RequestContext, observe: Observe): ObserveRequest => {
  if (!trace) return (event) => observe({ ...event, requestId })
  const { traceId } = trace
  return (event) => observe({ ...event, requestId, traceId })
}

export const bindContext = (request: RequestContext, observe: Observe): CallContext => ({
  ...request,
  // May be made when it is asked for, and is then no field of its own.
  signal: request.signal,
  observe: bound(request, observe),
})

/** The same, where all that is told is about one swap. */
export const bindSwap = (context: CallContext, mark: SwapMark): CallContext => ({
  ...context,
  observe: (event) => context.observe({ ...mark, ...event }),
})

/** What is put into every line about a swap that is stored. */
export const markOf = ({ id, quoteId, ref }: { readonly id: number; readonly quoteId: string; readonly ref: string | null }) =>
  ({ quoteId, swapId: id, ref }) as const satisfies SwapMark
