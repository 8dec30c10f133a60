import type { ChainId } from '../core/chain.ts'
import type { ObserveRequest } from '../observe/observe.ts'
import { ChainError } from './chains.ts'

/**
 * A read of a chain that the caller can do without: when the chain cannot be read, it logs the error and returns `fallback`.
 * Rethrows every error but ChainError.
 */
export const readOr = async <T, F>(
  { chainId, what, observe }: { readonly chainId: ChainId; readonly what: string; readonly observe: ObserveRequest },
  fallback: F,
  read: () => Promise<T>,
): Promise<T | F> => {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    observe({ event: 'chain.unread', chainId, what, reason: error.message })
    return fallback
  }
}
