import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'

/** A JSON value that is not what its reader expects. `message` names the place and the rule, never the value. */
export class ShapeError extends Error {
  override readonly name = 'ShapeError'
}

export type JsonSchema = { readonly [keyword: string]: unknown }

export type JsonShape<T> = {
  /** The value as T, or ShapeError naming the first place that does not fit. Nothing is coerced, removed or filled in. */
  read(value: unknown): T
}

const describe = (errors: readonly ErrorObject[] | null | undefined): string => {
  const first = errors?.[0]
  return first ? `${first.instancePath === '' ? '/' : first.instancePath} ${first.message ?? first.keyword}` : 'does not fit'
}

/**
 * A checked reader for one JSON shape, by JSON schema. Compiled when first used: a venue that is never asked costs
 * nothing at start. The schema and T are written side by side by hand; keep them together.
 */
export const jsonShape = <T>(name: string, schema: JsonSchema): JsonShape<T> => {
  let validate: ValidateFunction | null = null
  return {
    read: (value) => {
      validate ??= new Ajv({ strict: true, strictTypes: false, strictRequired: false, allowUnionTypes: true }).compile(schema)
      if (!validate(value)) throw new ShapeError(`${name}: ${describe(validate.errors)}`)
      return value as T
    },
  }
}
