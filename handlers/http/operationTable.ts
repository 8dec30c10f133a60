import type { OperationId } from '../handler.ts'
import type { ContractOperation } from './contract.ts'
import { integerParametersOf } from './query.ts'

/** One operation of the contract, with the edge's properties of it computed once. */
export type KnownOperation = {
  readonly operationId: OperationId
  readonly takesBody: boolean
  readonly takesQuery: boolean
  /** `security: []` in the contract: never identified and never limited. */
  readonly isOpen: boolean
  /** Every alternative of its security names a key. */
  readonly needsKey: boolean
  /** Each call is paid for: its contract has a 402. */
  readonly isPaid: boolean
  /** The status of its one success. */
  readonly successStatus: number
  readonly integerParameters: ReadonlySet<string>
  /** The form that openapi-backend uses. */
  readonly contract: ContractOperation
}

export type KnownPath = {
  /** The value of the Allow header. */
  readonly allow: string
  /** By upper-case method. HEAD is served like GET. */
  readonly methods: ReadonlyMap<string, KnownOperation>
}

export type OperationTable = ReadonlyMap<string, KnownPath>

/** Throws RangeError where the contract has no success status, or several, which would be ambiguous. */
const successStatusOf = ({ operationId, responses = {} }: ContractOperation): number => {
  const [status, ...others] = Object.keys(responses).filter((one) => one.startsWith('2'))
  if (status === undefined || others.length > 0) throw new RangeError(`not one success in the contract of ${operationId}`)
  return Number(status)
}

const toKnownOperation = (contract: ContractOperation): KnownOperation => ({
  // One run of the generator makes the types and the document.
  operationId: contract.operationId as OperationId,
  takesBody: contract.requestBody !== undefined,
  takesQuery: contract.parameters?.some((parameter) => 'in' in parameter && parameter.in === 'query') ?? false,
  isOpen: contract.security?.length === 0,
  needsKey: contract.security?.length === 1 && Object.keys(contract.security[0] ?? {}).length > 0,
  isPaid: contract.responses?.['402'] !== undefined,
  successStatus: successStatusOf(contract),
  integerParameters: integerParametersOf(contract),
  // The edge identifies the caller first, so openapi-backend need not authorise.
  contract: { ...contract, security: [] },
})

const toKnownPath = (operations: readonly ContractOperation[]): KnownPath => {
  const methods = new Map(operations.map((operation) => [operation.method.toUpperCase(), toKnownOperation(operation)]))
  const get = methods.get('GET')
  if (get) methods.set('HEAD', get)
  return { allow: [...methods.keys(), 'OPTIONS'].toSorted().join(', '), methods }
}

/** Every path of the contract. Exact paths only: throws RangeError on a templated one, which no look-up would match. */
export const createOperationTable = (operations: readonly ContractOperation[]): OperationTable => {
  const byPath = Map.groupBy(operations, ({ path }) => path)
  for (const path of byPath.keys()) if (path.includes('{')) throw new RangeError(`templated path in the contract: ${path}`)
  return new Map([...byPath].map(([path, found]) => [path, toKnownPath(found)]))
}
