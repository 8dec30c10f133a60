import type { Execution } from '../../core/execution.ts'
import type { Order } from '../../core/order.ts'

/** The unsigned transaction that the service broadcasts, base64; null if the wallet sends it. */
export const broadcastable = (
  { broadcastViaService }: Pick<Order, 'broadcastViaService'>,
  { payload }: Pick<Execution, 'payload'>,
): string | null =>
  broadcastViaService && payload.executionType === 'TRANSACTION' ? (payload.transaction.serialized ?? null) : null
