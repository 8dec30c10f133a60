import type { FaultName } from '../../kit/faults.ts'
import type { World } from '../../kit/world.ts'
import type { Fate, RelayRequest } from './book.ts'
import { priceOf } from './pricing.ts'
import { ApiRefusal } from './refusal.ts'

const FATES = {
  'lying-success': ({ quoted }: RelayRequest): Fate => ({ ends: 'success', amount: quoted.expected, isLie: true }),
  'short-fill': ({ quoted }: RelayRequest): Fate => ({ ends: 'success', amount: (quoted.minimum * 9n) / 10n }),
  'never-fills': (): Fate => ({ ends: 'refund', failReason: 'NO_QUOTES' }),
  fails: (): Fate => ({ ends: 'failure', failReason: 'NO_QUOTES', refundFailReason: 'MANUAL_REFUND_REQUIRED' }),
  'unknown-status': (): Fate => ({ ends: 'unheardOf' }),
} as const satisfies { readonly [fault in FaultName]?: (request: RelayRequest) => Fate }

type Deciding = Pick<World, 'market' | 'faults'>

/** What the deposit fetches now; beyond the depth, or below the least, nothing. */
const freshAmount = ({ request }: RelayRequest, { market }: Deciding): bigint => {
  try {
    return priceOf(request, market).expected
  } catch (error) {
    if (error instanceof ApiRefusal) return 0n
    throw error
  }
}

/** What becomes of a request that was paid this much: a fault that is on, or a price of today. A better one is not passed on. */
export const decideFate = (venue: string, entry: RelayRequest, amount: bigint, world: Deciding): Fate => {
  const { request, quoted } = entry
  if (amount < request.amount) return { ends: 'refund', failReason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' }
  const fault = (Object.keys(FATES) as (keyof typeof FATES)[]).find((name) => world.faults.take(venue, name))
  if (fault) return FATES[fault](entry)
  const fresh = freshAmount(entry, world)
  if (fresh < quoted.minimum) return { ends: 'refund', failReason: 'SLIPPAGE' }
  if (fresh < quoted.expected) return { ends: 'success', amount: fresh }
  return { ends: 'success', amount: quoted.expected }
}
