import type { Refusal } from './refusal.ts'

/** Reads one value, or gives undefined where it is none; `undefined` itself never reaches it. */
export type FieldType<T> = { readonly expects: string; read(value: unknown): T | undefined }

type Spec = { readonly [name: string]: FieldType<unknown> }
type Value<F> = F extends FieldType<infer T> ? T : never

/** What a request must have, and what it may have. Nothing else is taken. */
export type Fields<R extends Spec, O extends Spec> = { readonly required: R; readonly optional: O }

export type ReadFields<R extends Spec, O extends Spec> = { readonly [K in keyof R]: Value<R[K]> } & {
  readonly [K in keyof O]: Value<O[K]> | undefined
}

/** What is wrong with a request; `noObject` names no field. */
export type FieldProblem = {
  readonly kind: 'noObject' | 'unknown' | 'missing' | 'wrong'
  readonly name: string
  readonly expects: string
}

export const type = <T>(expects: string, read: (value: unknown) => T | undefined): FieldType<T> => ({ expects, read })

/** A text of this form, as it came. */
export const matching = (expects: string, pattern: RegExp): FieldType<string> =>
  type(expects, (value) => (typeof value === 'string' && pattern.test(value) ? value : undefined))

/** The same, in lower case. */
export const lowerCase = ({ expects, read }: FieldType<string>): FieldType<string> =>
  type(expects, (value) => read(value)?.toLowerCase())

export const text = (least: number, most: number): FieldType<string> =>
  type(`a string of ${least} to ${most} characters`, (value) =>
    typeof value === 'string' && value.length >= least && value.length <= most ? value : undefined,
  )

export const flag = type('a boolean', (value) => (typeof value === 'boolean' ? value : undefined))

export const integer = (min: number, max: number): FieldType<number> =>
  type(`an integer from ${min} to ${max}`, (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : undefined,
  )

/** More than nothing, in smallest units: digits in a string. */
export const amount = type('a positive integer as a string', (value) =>
  typeof value === 'string' && /^[1-9][0-9]{0,77}$/.test(value) ? BigInt(value) : undefined,
)

/** Fields of one type. */
export const each = <T, const N extends string>(
  fieldType: FieldType<T>,
  ...names: readonly N[]
): { readonly [K in N]: FieldType<T> } =>
  Object.fromEntries(names.map((name) => [name, fieldType])) as { readonly [K in N]: FieldType<T> }

export const oneOf = <const T extends string>(...variants: readonly T[]): FieldType<T> =>
  type(variants.join(' | '), (value) => variants.find((variant) => variant === value))

export const nullable = <T>({ expects, read }: FieldType<T>): FieldType<T | null> =>
  type(`${expects} or null`, (value) => (value === null ? null : read(value)))

export const listOf = <T>({ expects, read }: FieldType<T>, most: number): FieldType<readonly T[]> =>
  type(`up to ${most} times ${expects}`, (value) => {
    if (!Array.isArray(value) || value.length > most) return undefined
    const items = value.map((item: unknown) => (item === undefined ? undefined : read(item)))
    return items.every((item) => item !== undefined) ? items : undefined
  })

const objectOf = (value: unknown): ReadonlyMap<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : null

const problemOf = (given: ReadonlyMap<string, unknown>, { required, optional }: Fields<Spec, Spec>): FieldProblem | null => {
  const all: Spec = { ...required, ...optional }
  const stranger = [...given.keys()].find((name) => !Object.hasOwn(all, name))
  if (stranger !== undefined) return { kind: 'unknown', name: stranger, expects: 'nothing' }
  for (const [name, { expects, read }] of Object.entries(all)) {
    const value = given.get(name)
    if (value === undefined && Object.hasOwn(required, name)) return { kind: 'missing', name, expects }
    if (value !== undefined && read(value) === undefined) return { kind: 'wrong', name, expects }
  }
  return null
}

/** An object of exactly these fields, as a type of its own. */
export const record = <R extends Spec, O extends Spec>(fields: Fields<R, O>): FieldType<ReadFields<R, O>> =>
  type('an object', (value) => {
    const given = objectOf(value)
    if (!given || problemOf(given, fields)) return undefined
    const all = Object.entries({ ...fields.required, ...fields.optional })
    const read = all.map(([name, { read: readOne }]) => [
      name,
      given.get(name) === undefined ? undefined : readOne(given.get(name)),
    ])
    // Every member was read by its own type; TypeScript cannot follow that.
    return Object.fromEntries(read) as ReadFields<R, O>
  })

/** The fields of a JSON object. One that is missing, of another type or unknown is refused, as `refuse` words it. */
export const readFields = <R extends Spec, O extends Spec>(
  body: unknown,
  fields: Fields<R, O>,
  refuse: (problem: FieldProblem) => Refusal,
): ReadFields<R, O> => {
  const given = objectOf(body)
  if (!given) throw refuse({ kind: 'noObject', name: 'body', expects: 'an object' })
  const problem = problemOf(given, fields)
  if (problem) throw refuse(problem)
  const read = record(fields).read(body)
  if (!read) throw new Error('what has no problem can be read')
  return read
}

/** A query as an object for `readFields`. A name that comes twice holds a list, which is of no text's type. */
export const queryFields = (query: URLSearchParams): { readonly [name: string]: unknown } =>
  Object.fromEntries(
    [...new Set(query.keys())].map((name) => [name, query.getAll(name).length > 1 ? query.getAll(name) : query.get(name)]),
  )
