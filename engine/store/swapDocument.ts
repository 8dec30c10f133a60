import type { Approval } from '../core/quote.ts'
import type { ExecutedSwap } from '../venues/venue.ts'

/** What a swap row keeps whole: everything the submitter and the tracker see again. */
export type SwapDocument = ExecutedSwap & { readonly approval: Approval | null }

const BIGINT_TAG = '$bigint'

/** JSON with bigints kept as bigints: `{"$bigint":"123"}`. */
export const writeDocument = (document: SwapDocument): string =>
  JSON.stringify(document, (_key, value: unknown) => (typeof value === 'bigint' ? { [BIGINT_TAG]: value.toString() } : value))

export const readDocument = (text: string): SwapDocument =>
  JSON.parse(text, (_key, value: unknown) => {
    const isTagged = typeof value === 'object' && value !== null && BIGINT_TAG in value
    return isTagged ? BigInt(value[BIGINT_TAG] as string) : value
  }) as SwapDocument
