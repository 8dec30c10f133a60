import { unprocessable } from './refusal.ts'

/** Reads one value or says what was expected; `undefined` never reaches it. */
export type FieldType<T> = { readonly expects: string; read(value: unknown): T | undefined }

type Spec = { readonly [name: string]: FieldType<unknown> }

type Read<S extends Spec> = { readonly [K in keyof S]: S[K] extends FieldType<infer T> ? T | undefined : never }

const type = <T>(expects: string, read: (value: unknown) => T | undefined): FieldType<T> => ({ expects, read })

const matching = (expects: string, pattern: RegExp): FieldType<string> =>
  type(expects, (value) => (typeof value === 'string' && pattern.test(value) ? value.toLowerCase() : undefined))

export const address = matching('a 20-byte hex address', /^0x[0-9a-fA-F]{40}$/)
export const hash = matching('a 32-byte hex string', /^0x[0-9a-fA-F]{64}$/)
export const hexBytes = matching('hex bytes', /^0x([0-9a-fA-F]{2})*$/)
export const text = type('a string', (value) => (typeof value === 'string' ? value : undefined))
export const flag = type('a boolean', (value) => (typeof value === 'boolean' ? value : undefined))

export const integer = (min: number, max: number): FieldType<number> =>
  type(`an integer from ${min} to ${max}`, (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : undefined,
  )

export const amount = type('a decimal U256 string', (value) => {
  if (typeof value !== 'string' || !/^[0-9]{1,78}$/.test(value)) return undefined
  const parsed = BigInt(value)
  return parsed < 1n << 256n ? parsed : undefined
})

export const oneOf = <const T extends string>(...variants: readonly T[]): FieldType<T> =>
  type(`one of ${variants.join(', ')}`, (value) => variants.find((variant) => variant === value))

export const nullable = <T>({ expects, read }: FieldType<T>): FieldType<T | null> =>
  type(`${expects} or null`, (value) => (value === null ? null : read(value)))

/** The fields of a JSON object; a missing required, an ill-typed or an unknown one is refused. */
export const readFields = <S extends Spec, R extends keyof S & string>(
  body: unknown,
  spec: S,
  required: readonly R[],
): Read<S> & { readonly [K in R]: Exclude<Read<S>[K], undefined> } => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw unprocessable('expected a JSON object')
  const given = new Map<string, unknown>(Object.entries(body))
  const stranger = [...given.keys()].find((name) => !Object.hasOwn(spec, name))
  if (stranger !== undefined) throw unprocessable(`unknown field \`${stranger}\``)
  const values: Record<string, unknown> = {}
  for (const [name, { expects, read }] of Object.entries(spec)) {
    if (!given.has(name)) continue
    const value = read(given.get(name))
    if (value === undefined) throw unprocessable(`${name}: expected ${expects}`)
    values[name] = value
  }
  const missing = required.find((name) => values[name] === undefined)
  if (missing !== undefined) throw unprocessable(`missing field \`${missing}\``)
  // Every member was read by its own type above; TypeScript cannot follow the loop.
  return values as Read<S> & { readonly [K in R]: Exclude<Read<S>[K], undefined> }
}
