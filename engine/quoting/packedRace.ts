import type { RunOutcome, ToldRace, ToldRun } from '../core/toldRace.ts'

/**
 * A race as a quote token carries it, so that any process that executes the swap can store it with the swap. One text with
 * numbers to base 36, because every byte is paid three times in a URL. Venues that were not asked, and messages, are left out.
 */

const RADIX = 36
/** Twenty venues with amounts of 18 decimals. More is not packed: the token is for the swap, and this is beside it. */
export const PACKED_RACE_MAX = 900

const LETTER_OF = {
  offer: 'o',
  dropped: 'd',
  decline: 'n',
  rejected: 'r',
  timeout: 't',
  failure: 'f',
  cut: 'c',
  skipped: 's',
} as const satisfies { readonly [outcome in RunOutcome]: string }

const OUTCOME_OF = new Map<string, RunOutcome>(
  Object.entries(LETTER_OF).map(([outcome, letter]) => [letter, outcome as RunOutcome]),
)

/** A fee without a price. */
const UNPRICED = '?'

const short = (digits: string): string => BigInt(digits).toString(RADIX)

const packRun = ({ venue, outcome, elapsedMs, amount, minimum, feeCost, kind, isPreview }: ToldRun): string => {
  const cost = feeCost === undefined ? '' : feeCost === null ? UNPRICED : short(feeCost)
  const fields = [
    venue,
    LETTER_OF[outcome] + elapsedMs.toString(RADIX),
    kind ?? '',
    amount === undefined ? '' : short(amount),
    minimum === undefined ? '' : short(minimum),
    cost,
    isPreview ? 'p' : '',
  ]
  return fields.slice(0, fields.findLastIndex((field) => field !== '') + 1).join(',')
}

/** Null for a text longer than PACKED_RACE_MAX. */
export const packRace = ({ mode, runs, reference }: ToldRace): string | null => {
  const head = `${mode === 'fastest' ? 'f' : 'b'}${reference === null ? '' : short(reference)}`
  const text = [head, ...runs.map(packRun)].join(';')
  return text.length > PACKED_RACE_MAX ? null : text
}

const long = (text: string): string => {
  let value = 0n
  for (const digit of text) value = value * BigInt(RADIX) + BigInt(Number.parseInt(digit, RADIX))
  return value.toString()
}

const unpackRun = (text: string, rank: number): ToldRun | null => {
  const [venue = '', [letter = '', ...ms] = '', kind = '', amount = '', minimum = '', cost = '', preview = ''] = text.split(',')
  const outcome = OUTCOME_OF.get(letter)
  if (outcome === undefined) return null
  return {
    venue,
    outcome,
    elapsedMs: Number.parseInt(ms.join(''), RADIX),
    ...(outcome === 'offer' && { rank }),
    ...(kind !== '' && { kind }),
    ...(amount !== '' && { amount: long(amount) }),
    ...(minimum !== '' && { minimum: long(minimum) }),
    ...(cost !== '' && { feeCost: cost === UNPRICED ? null : long(cost) }),
    ...(preview !== '' && { isPreview: true }),
  }
}

/** Null for a text that this version does not pack: a swap is executed without it. */
export const unpackRace = (packed: string): ToldRace | null => {
  const [head = '', ...texts] = packed.split(';')
  if (texts.length === 0) return null
  try {
    const runs = texts.map((text, place) => unpackRun(text, place + 1))
    const reference = head.length > 1 ? long(head.slice(1)) : null
    return runs.includes(null)
      ? null
      : { mode: head.startsWith('f') ? 'fastest' : 'best_output', runs: runs as ToldRun[], unwilling: [], reference }
  } catch {
    return null
  }
}
