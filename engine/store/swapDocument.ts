import type { ExecutedSwap } from '../venues/venue.ts'

const BIGINT_TAG = '$bigint'

/** What a swap row keeps whole: JSON with bigints kept as bigints: `{"$bigint":"123"}`. */
export const writeDocument = (swap: ExecutedSwap): string =>
  JSON.stringify(swap, (_key, value: unknown) => (typeof value === 'bigint' ? { [BIGINT_TAG]: value.toString() } : value))

export const readDocument = (text: string): ExecutedSwap =>
  JSON.parse(text, (_key, value: unknown) => {
    const isTagged = typeof value === 'object' && value !== null && BIGINT_TAG in value
    return isTagged ? BigInt(value[BIGINT_TAG] as string) : value
  }) as ExecutedSwap
