import type { ErrorObject } from 'ajv'
import { FIELDS_MAX, type FieldProblem, invalidRequest, SwapError } from '../../engine/errors.ts'

const PATH_LENGTH_MAX = 64

const TYPE_REASONS: { readonly [type: string]: string } = {
  integer: 'must be a whole number',
  number: 'must be a number',
  string: 'must be a string',
  boolean: 'must be true or false',
  object: 'must be a JSON object',
  array: 'must be a list',
}

/** The contract's patterns in words. */
const PATTERN_REASONS: { readonly [pattern: string]: string } = {
  '^[1-9][0-9]{0,77}$': 'must be a positive whole number in smallest units without leading zeros',
  '^0x[0-9a-fA-F]+$': 'must be 0x followed by hex digits',
  '^[0-9A-Za-z]+$': 'must consist of letters and digits',
  '^[0-9A-Za-z+/]+={0,2}$': 'must be base64',
  '^[^\\x00-\\x1f\\x7f-\\x9f]*$': 'must not contain control characters',
  '^thor1[a-z0-9]{38}$': 'must be thor1 followed by 38 lower-case letters and digits',
  '^https://': 'must be an https URL without user name and password',
}

const FORMAT_REASONS: { readonly [format: string]: string } = {
  email: 'must be an email address',
  uri: 'must be a URL with its scheme',
}

type Params = { readonly [name: string]: unknown }

const reasonOf = ({ keyword, params, message, instancePath }: ErrorObject, value: unknown): string => {
  const { limit, type, pattern, format } = params as Params
  const isInQuery = instancePath.startsWith('/query')
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return isInQuery ? 'is not a known parameter' : 'is not a known field'
    case 'type':
      return isInQuery && Array.isArray(value)
        ? 'must be given once, as one value'
        : (TYPE_REASONS[String(type)] ?? `must be of type ${type}`)
    case 'enum':
      return `must be one of ${(params as { allowedValues: readonly unknown[] }).allowedValues.join(', ')}`
    case 'pattern':
      return PATTERN_REASONS[String(pattern)] ?? 'is not in the expected form'
    case 'format':
      return FORMAT_REASONS[String(format)] ?? 'is not in the expected form'
    case 'minProperties':
      return 'must have at least one known field'
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`
    case 'maxLength':
      return `must have at most ${limit} characters`
    case 'minItems':
      return `must have at least ${limit} items`
    case 'maxItems':
      return `must have at most ${limit} items`
    default:
      return message ?? 'is not valid'
  }
}

const unescapePointer = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~')

/** The segments of the invalid value: below the body or the query, plus a missing or unexpected field. */
const segmentsOf = ({ instancePath, params }: ErrorObject): readonly string[] => {
  const named = (params as Params)['missingProperty'] ?? (params as Params)['additionalProperty']
  const segments = instancePath.split('/').slice(1).map(unescapePointer)
  return named === undefined ? segments : [...segments, String(named)]
}

const valueAt = (root: unknown, segments: readonly string[]): unknown =>
  segments.reduce<unknown>(
    (value, segment) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, segment) ? (value as Params)[segment] : undefined,
    root,
  )

/** `excludeVenues[3]`, `payload.url`; `body` for the whole body. */
const pathOf = ([part, ...segments]: readonly string[]): string => {
  const path = segments.reduce(
    (path, segment) => (/^\d+$/.test(segment) ? `${path}[${segment}]` : path ? `${path}.${segment}` : segment),
    '',
  )
  return path.slice(0, PATH_LENGTH_MAX) || (part === 'requestBody' ? 'body' : 'query')
}

/** The same, for a value below the body. */
export const bodyPath = (segments: readonly string[]): string => pathOf(['requestBody', ...segments])

const isEnumOfNumbers = ({ keyword, params }: ErrorObject): boolean =>
  keyword === 'enum' &&
  (params as { allowedValues: readonly unknown[] }).allowedValues.every((value) => typeof value === 'number')

/**
 * The generated validators' findings in `{ requestBody, query }`, in words. An unsupported whole number as chain id is
 * UNSUPPORTED_CHAIN, also beside other errors; any other error is INVALID_REQUEST.
 */
export const invalidAgainstSchema = (errors: readonly ErrorObject[], request: object): SwapError => {
  // A value with several errors is reported once, by its first error.
  const byPath = new Map<string, FieldProblem>()
  let strangeChain: number | null = null
  for (const error of errors) {
    const isEnum = isEnumOfNumbers(error)
    if (byPath.size >= FIELDS_MAX && !isEnum) continue
    const segments = segmentsOf(error)
    const value = valueAt(request, segments)
    const path = pathOf(segments)
    if (!byPath.has(path)) byPath.set(path, { path, reason: reasonOf(error, value) })
    // Chain ids are the only enumeration of numbers.
    if (isEnum && Number.isInteger(value)) strangeChain ??= value as number
  }
  const problems = [...byPath.values()]
  if (strangeChain === null) return invalidRequest(problems)
  const details = { chainId: strangeChain, fields: problems.slice(0, FIELDS_MAX) }
  return new SwapError('UNSUPPORTED_CHAIN', `The chain ${strangeChain} is not supported. Choose one of GET /api/v1/chains.`, {
    details,
  })
}
