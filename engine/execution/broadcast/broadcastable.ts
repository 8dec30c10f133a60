import type { Execution } from '../../core/execution.ts'
import type { Order } from '../../core/order.ts'

/** The unsigned transaction the service is to broadcast for the caller, base64; null where the wallet sends it itself. */
export const broadcastable = (
  { broadcastViaService }: Pick<Order, 'broadcastViaService'>,
  { payload }: Pick<Execution, 'payload'>,
): string | null =>
  broadcastViaService && payload.executionType === 'TRANSACTION' ? (payload.transaction.serialized ?? null) : null
