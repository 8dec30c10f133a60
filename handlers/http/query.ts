import { invalidRequest } from '../../engine/errors.ts'
import type { ContractOperation } from './contract.ts'

/**
 * A query parameter for the validators: text, or a value that no schema accepts. A repeated parameter becomes a list. A text that
 * is no integer in JSON becomes an object, because ajv would coerce `0x1` and ` 1` to 1. `1.0` is 1, as in a body: languages with
 * one kind of number send it.
 */
export type QueryValue = string | readonly string[] | { readonly notAnInteger: string }

type Query = { readonly [name: string]: QueryValue }

const INTEGER = /^(0|-?[1-9][0-9]*)(?:\.0{1,9})?$/
const NO_QUERY: Query = Object.freeze({})

/** The names of the integer query parameters of an operation whose references were resolved. */
export const integerParametersOf = ({ parameters = [] }: ContractOperation): ReadonlySet<string> => {
  const names = parameters.flatMap((parameter) => {
    if ('$ref' in parameter || parameter.in !== 'query' || !parameter.schema || '$ref' in parameter.schema) return []
    return parameter.schema.type === 'integer' ? [parameter.name] : []
  })
  return new Set(names)
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch (cause) {
    throw invalidRequest([{ path: 'query', reason: 'is not valid percent-encoded UTF-8' }], cause)
  }
}

const integerIn = (value: string): QueryValue => INTEGER.exec(value)?.[1] ?? { notAnInteger: value }

/** Reads a query string. Throws INVALID_REQUEST where it cannot be decoded. */
export const parseQuery = (search: string, integerParameters: ReadonlySet<string>): Query => {
  if (search === '') return NO_QUERY
  const values = new Map<string, QueryValue>()
  for (const part of search.split('&')) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decode(equals < 0 ? part : part.slice(0, equals))
    const value = equals < 0 ? '' : decode(part.slice(equals + 1))
    if (values.has(name)) values.set(name, [value])
    else values.set(name, integerParameters.has(name) ? integerIn(value) : value)
  }
  // fromEntries defines own properties, so a parameter called __proto__ is only another unknown name.
  return Object.fromEntries(values)
}
