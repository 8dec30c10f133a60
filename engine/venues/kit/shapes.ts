import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { parseAmount } from '../../core/amount.ts'
import type { Hex } from '../../core/execution.ts'
import { checkId, rejected, VenueError } from '../venueError.ts'

declare const fitting: unique symbol

/** A JSON schema with the type of its values, so that the type is not written again. */
export type Schema<T> = { readonly [keyword: string]: unknown; readonly [fitting]?: T }

/** A checked reader for one JSON shape. It coerces, removes and fills in nothing. */
export type Shape<T> = {
  readonly schema: Schema<T>
  /**
   * The value as T. Throws VenueError naming the first place that does not fit, never its value. It is `rejected` for a faulty
   * answer of this kind, else `badResponse`.
   */
  read(value: unknown): T
  /** The value as T; null when it does not fit. */
  readOrNull(value: unknown): T | null
}

/** The type of the values of a schema or a shape. */
export type Static<S> = S extends Schema<infer T> | Shape<infer T> ? T : never

type Fields = { readonly [name: string]: Schema<unknown> }
type Keywords = { readonly [keyword: string]: unknown }
type Members<R extends Fields, O extends Fields> = { readonly [K in keyof R]: Static<R[K]> } & {
  readonly [K in keyof O]?: Static<O[K]>
}

/** At most 512 characters by default: every name of a venue is shorter. */
export const text = (keywords: Keywords = {}): Schema<string> => ({ type: 'string', maxLength: 512, ...keywords })
/** An amount of smallest units in decimal digits, from 0 to 2^256 - 1. */
export const amount: Schema<string> = { type: 'string', format: 'amount' }
export const evmAddress: Schema<string> = { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' }
export const hash32: Schema<Hex> = { type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' }
/** Whole bytes, at most this many characters. */
export const hex = (maxLength: number): Schema<Hex> => ({ type: 'string', pattern: '^0x([0-9a-fA-F]{2})*$', maxLength })
/** RFC 3339, with or without an offset and a fraction. */
export const isoTime: Schema<string> = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)$',
}
export const boolean: Schema<boolean> = { type: 'boolean' }
export const number = (keywords: Keywords = {}): Schema<number> => ({ type: 'number', ...keywords })
/** Whole, from 0 to the greatest exact JSON number. */
export const count = (maximum = Number.MAX_SAFE_INTEGER): Schema<number> => ({ type: 'integer', minimum: 0, maximum })
export const literal = <const T extends string | number | boolean>(value: T): Schema<T> => ({ const: value })
/** Any JSON: another reader checks it, or it stays unread. */
export const anything: Schema<unknown> = {}

export const orNull = <T>(schema: Schema<T>): Schema<T | null> => ({ anyOf: [schema, { type: 'null' }] })

export const either = <A, B>(one: Schema<A>, other: Schema<B>): Schema<A | B> => ({ anyOf: [one, other] })

export const list = <T>(items: Schema<T>, keywords: Keywords = {}): Schema<readonly T[]> => ({
  type: 'array',
  items,
  ...keywords,
})

export const record = <T>(values: Schema<T>): Schema<{ readonly [name: string]: T }> => ({
  type: 'object',
  additionalProperties: values,
})

/** Strict about the named fields, open to all others. `optional` ones may be absent. */
export const object = <R extends Fields, O extends Fields = Record<never, never>>(
  required: R,
  optional?: O,
): Schema<Members<R, O>> => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
})

/** Like `object`, but without any other field: for data that the service wrote itself. */
export const closed = <R extends Fields, O extends Fields = Record<never, never>>(
  required: R,
  optional?: O,
): Schema<Members<R, O>> => ({ ...object(required, optional), additionalProperties: false })

const word = text({ maxLength: 64 })

/** EIP-712 typed data in the format of venues, with this message. The hashing code fixes the types. */
export const typed = <M>(message: Schema<M>) =>
  closed({
    types: record(list(closed({ name: word, type: word }), { maxItems: 16 })),
    domain: closed({ name: text(), chainId: count(), verifyingContract: evmAddress }, { version: word }),
    message,
    primaryType: word,
  })

const describe = (errors: readonly ErrorObject[] | null | undefined): string => {
  const first = errors?.[0]
  return first ? `${first.instancePath === '' ? '/' : first.instancePath} ${first.message ?? first.keyword}` : 'does not fit'
}

/** Whether it is the shape of data that the service wrote itself. */
const isClosed = ({ additionalProperties, anyOf }: Keywords): boolean =>
  additionalProperties === false || (Array.isArray(anyOf) && anyOf.every(isClosed))

/** Whether the value is an answer of this kind, possibly a faulty one: an object with any of the fields, or a list with rows. */
const isOfKind = (value: unknown, { properties = {}, anyOf }: Keywords): boolean => {
  if (Array.isArray(anyOf)) return anyOf.some((schema) => isOfKind(value, schema))
  if (Array.isArray(value)) return value.length > 0
  return typeof value === 'object' && value !== null && Object.keys(Object(properties)).some((name) => name in value)
}

/** The types prove the schemas above: validating each against the meta schema would cost 10 ms. */
const AJV_OPTIONS = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  meta: false,
  validateSchema: false,
  formats: { amount: (digits: string) => parseAmount(digits) !== null },
} as const

/** `name` names the data in messages. Compiled at first use: an unused venue costs nothing at start. */
export const shape = <T>(name: string, schema: Schema<T>): Shape<T> => {
  let validate: ValidateFunction | null = null
  const fits = (value: unknown): value is T => {
    validate ??= new Ajv(AJV_OPTIONS).compile(schema)
    return validate(value) === true
  }
  return {
    schema,
    read: (value) => {
      if (fits(value)) return value
      const problem = `${name}: ${describe(validate?.errors)}`
      if (isClosed(schema) || !isOfKind(value, schema)) throw new VenueError('badResponse', problem)
      throw rejected(checkId(name), problem)
    },
    readOrNull: (value) => (fits(value) ? value : null),
  }
}
