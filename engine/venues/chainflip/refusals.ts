import { parseAmount } from '../../core/amount.ts'
import type { Refusals } from '../kit/client.ts'
import { type Meaning, minimumAbove, refused } from '../kit/refusals.ts'
import type { VenueErrorOptions } from '../venueError.ts'
import { apiError } from './wire.ts'

type Rule = { readonly says: RegExp; readonly means: Meaning; readonly bound?: 'minimum' | 'maximum' }

/**
 * This venue's refusals have no code, only `{message}`. The first match applies. Sources: packages/swap/src/utils, quoting and
 * routes/v2 of chainflip-sdk-monorepo, 2026-08-21, and runtime errors that a node passes on.
 */
export const MEANINGS: readonly Rule[] = [
  { says: /below minimum swap amount \((\d+)\)/i, means: 'amountTooSmall', bound: 'minimum' },
  { says: /above maximum swap amount \((\d+)\)/i, means: 'amountTooLarge', bound: 'maximum' },
  { says: /lower than (?:the )?estimated ingress fee \((\d+)\)/i, means: 'amountTooSmall', bound: 'minimum' },
  // Fees in other units than the input's.
  { says: /lower than (?:the )?(?:ingress|egress) fee|lower than minimum egress amount/i, means: 'amountTooSmall' },
  { says: /insufficient ?liquidity|swap leg failed|failed to calculate network fee|-32603|-32021/i, means: 'noLiquidity' },
  { says: /requested assets cannot be swapped/i, means: 'unsupportedPair' },
  // Temporarily disabled: a pair that is otherwise served.
  { says: /is disabled|unavailable due to maintenance/i, means: 'noLiquidity' },
  // The limit resets a day after the channels were opened.
  { says: /too many channels/i, means: 'noLiquidity' },
  { says: /broker commission is too low/i, means: 'unavailable' },
  { says: /^invalid request$/i, means: 'badRequest' },
]

const boundIn = (digits: string | undefined, { bound }: Rule, asked: bigint): Pick<VenueErrorOptions, 'minimum' | 'maximum'> => {
  const amount = parseAmount(digits)
  if (bound === 'minimum') return minimumAbove(asked, amount)
  return bound === 'maximum' && amount !== null && amount < asked ? { maximum: amount } : {}
}

export type Parties = { readonly recipient: string; readonly refundTo: string }

/** The party whose address was refused: the message quotes the address, in one of several formats. */
const partyOf = (text: string, { recipient, refundTo }: Parties): Meaning => {
  const [, address] = /Address \\?"([^"\\]+)\\?" is not a valid/.exec(text) ?? []
  if (address === undefined) return 'badRequest'
  if (address === recipient) return ['badRequest', 'recipient']
  return address === refundTo ? ['badRequest', 'refundTo'] : 'badRequest'
}

/** The meaning of a refusal for a request with this amount; null where the status alone decides. */
export const refusalsOf =
  (inputAmount: bigint, parties: Parties | null): Refusals =>
  ({ status, body }) => {
    if (status === 429 || status === 401 || status === 403) return null
    const message = apiError.readOrNull(body)?.message.slice(0, 500)
    for (const rule of message === undefined ? [] : MEANINGS) {
      const found = rule.says.exec(message ?? '')
      if (found) return refused(rule.means, message ?? '', boundIn(found[1], rule, inputAmount))
    }
    if (status !== 400) return null
    const text = (JSON.stringify(body) ?? '').slice(0, 2_000)
    const isWorded = typeof body === 'object' && body !== null
    return isWorded ? refused(parties === null ? 'badRequest' : partyOf(text, parties), text.slice(0, 500)) : null
  }
