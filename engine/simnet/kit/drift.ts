import DRIFTS from './drift.json' with { type: 'json' }
import type { FaultName } from './faults.ts'

/**
 * How the answers of a live venue move on, as data for each venue: what one fault changes in its answers. `on` limits a change to paths
 * with that beginning.
 */
export type DriftEdit = { readonly on?: string } & (
  | { readonly replace: string; readonly with: string }
  /** A value at every such place; `*` stands for every row of a list or field of an object. `{ "$digits": "…" }` is a bare number. */
  | { readonly at: string; readonly value: unknown }
  /** One more row of a list. */
  | { readonly at: string; readonly push: unknown }
)

export const DRIFT_FAULTS = [
  'rotated-contract',
  'renamed-asset',
  'unknown-member',
  'extra-row',
  'large-number',
  'null-value',
] as const satisfies readonly FaultName[]

type Drifts = { readonly [venue: string]: { readonly [fault: string]: readonly DriftEdit[] } }

export const driftsOf = (venue: string): Drifts[string] => (DRIFTS as Drifts)[venue] ?? {}

type Raw = { rawJSON(digits: string): unknown }

/** Numbers keep their digits. */
const parse = (text: string): unknown =>
  JSON.parse(text, ((_key: string, value: unknown, { source }: { source: string }) =>
    typeof value === 'number' ? (JSON as never as Raw).rawJSON(source) : value) as never)

const written = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, part) =>
    typeof part === 'object' && part !== null && '$digits' in part ? (JSON as never as Raw).rawJSON(part.$digits) : part,
  )

/** Calls `change` with every holder of the place and the name of the place in it. */
const eachPlace = (
  body: unknown,
  names: readonly string[],
  change: (holder: Record<string, unknown>, name: string) => void,
): void => {
  const [name, ...rest] = names
  if (typeof body !== 'object' || body === null || name === undefined) return
  const holder = body as Record<string, unknown>
  for (const key of name === '*' ? Object.keys(holder) : [name]) {
    if (rest.length === 0) change(holder, key)
    else eachPlace(holder[key], rest, change)
  }
}

/** The answer of a venue as it is after the drift. Text that is not JSON is changed by replacements alone. */
export const drifted = (text: string, path: string, edits: readonly DriftEdit[]): string =>
  edits
    .filter(({ on = '' }) => path.startsWith(on))
    .reduce((left, edit) => {
      if ('replace' in edit) return left.replaceAll(new RegExp(edit.replace, 'gi'), edit.with)
      const root = { body: parse(left) }
      eachPlace(root, ['body', ...(edit.at === '' ? [] : edit.at.split('.'))], (holder, name) => {
        const row = holder[name]
        if ('value' in edit) holder[name] = written(edit.value)
        else if (Array.isArray(row)) row.push(written(edit.push))
      })
      return JSON.stringify(root.body)
    }, text)
