import type { RequestContext } from '../core/caller.ts'
import type { Observe, ObserveRequest } from './observe.ts'

/** What the engine's parts know of the request they serve, and where they tell what happens in it. */
export type CallContext = RequestContext & { readonly observe: ObserveRequest }

export const bindContext = (request: RequestContext, observe: Observe): CallContext => ({
  ...request,
  observe: (event) => observe({ ...event, requestId: request.requestId }),
})
