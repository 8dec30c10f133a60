import { Ajv } from 'ajv'
import { vi } from 'vitest'

/** JSON schemas are read as they are, whoever wrote them: an object of keywords. */
export type Schema = { readonly [keyword: string]: unknown }

/** A value that an adapter read by a schema. */
export type Reading = { readonly schema: Schema; readonly value: unknown }

export type ShapeListener = {
  /** What is read meanwhile by JSON schema, and fits it. */
  during(work: () => Promise<unknown>): Promise<readonly Reading[]>
}

/** To be called before anything is read: schemas are compiled when first used. */
export const listenToShapes = (): ShapeListener => {
  let readings: Reading[] | null = null
  const compile = Ajv.prototype.compile
  vi.spyOn(Ajv.prototype, 'compile').mockImplementation(function (this: Ajv, schema: never) {
    const validate = compile.call(this, schema)
    const listening = (value: unknown): boolean => {
      const isFitting = validate(value) as boolean
      listening.errors = validate.errors
      if (isFitting) readings?.push({ schema, value: structuredClone(value) })
      return isFitting
    }
    listening.errors = null as typeof validate.errors
    return listening as never
  } as never)
  return {
    during: async (work) => {
      const heard: Reading[] = []
      readings = heard
      await work()
      readings = null
      return heard
    },
  }
}

/** A place in a value that its schema speaks of. In a list every element stands for all: `chains.*.id`. */
export type Place = { readonly at: string; readonly isRequired: boolean; readonly schema: Schema; readonly value: unknown }

/** Smallest units, as every venue writes them. */
export const AMOUNT = /^(0|[1-9]\d{0,77})$/

const compiled = new WeakMap<Schema, (value: unknown) => unknown>()
const compilePart = Ajv.prototype.compile

/** Whether a value fits a part of a schema by itself. */
export const isFitting = (schema: Schema, value: unknown): boolean => {
  const validate = compiled.get(schema) ?? compilePart.call(new Ajv({ strict: false, formats: { amount: AMOUNT } }), schema)
  compiled.set(schema, validate)
  return validate(value) === true
}

export const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schema itself and, of alternatives, those that the value fits. */
const branchesOf = (schema: Schema, value: unknown): readonly Schema[] => {
  const alternatives = [...((schema['anyOf'] ?? []) as Schema[]), ...((schema['oneOf'] ?? []) as Schema[])]
  const all = [...((schema['allOf'] ?? []) as Schema[]), ...alternatives.filter((one) => isFitting(one, value))]
  return [schema, ...all.flatMap((one) => branchesOf(one, value))]
}

/** Every place of the value that the schema speaks of, each once. */
export const placesOf = ({ schema, value }: Reading, under: readonly string[] = []): readonly Place[] => {
  const places = branchesOf(schema, value).flatMap((branch): readonly Place[] => {
    if (Array.isArray(value)) {
      const { items } = branch as { items?: Schema }
      if (!isObject(items)) return []
      const at = [...under, '*']
      return value.flatMap((element) =>
        isObject(element) || Array.isArray(element)
          ? placesOf({ schema: items, value: element }, at)
          : [{ at: at.join('.'), isRequired: false, schema: items, value: element }],
      )
    }
    if (!isObject(value)) return []
    const { properties = {}, required = [] } = branch as { properties?: { [name: string]: Schema }; required?: readonly string[] }
    return Object.entries(properties).flatMap(([name, of]) => {
      if (!Object.hasOwn(value, name)) return []
      const path = [...under, name]
      const place = { at: path.join('.'), isRequired: required.includes(name), schema: of, value: value[name] }
      return [place, ...placesOf({ schema: of, value: value[name] }, path)]
    })
  })
  return [...new Map(places.map((place) => [place.at, place])).values()]
}

/** Where the value stands in an answer, equal by content; null when it is nowhere. A list's elements are `*`. */
export const findIn = (answer: unknown, value: unknown, at: readonly string[] = []): readonly string[] | null => {
  if (JSON.stringify(answer) === JSON.stringify(value)) return at
  const entries = Array.isArray(answer)
    ? answer.map((one) => ['*', one] as const)
    : isObject(answer)
      ? Object.entries(answer)
      : []
  for (const [name, part] of entries) {
    const found = findIn(part, value, [...at, name])
    if (found !== null) return found
  }
  return null
}
