import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  dereference,
  type LocatedOperation,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  type Parameter,
  projectRoot,
} from '../../scripts/contract/document.ts'

/** The contract as it is published. */
export const contract = JSON.parse(readFileSync(join(projectRoot, 'generated/openapi.json'), 'utf8')) as OpenApiDocument

const all: readonly LocatedOperation[] = operationsOf(contract).map((located) => ({
  ...located,
  method: located.method.toUpperCase(),
}))

/** Every documented operation, its method in capitals. */
export const documentedOperations = {
  all,
  byId: (id: string): LocatedOperation => {
    const found = all.find(({ operation }) => operation.operationId === id)
    if (!found) throw new Error(`${id} is not documented`)
    return found
  },
  /** Null outside the contract. */
  find: (method: string, path: string): LocatedOperation | null =>
    all.find((located) => located.method === method && located.path === path) ?? null,
}

/** The query parameters of an operation. */
export const queryOf = ({ parameters = [] }: Operation): readonly Parameter[] =>
  parameters.map((parameter) => dereference(contract, parameter)).filter((parameter) => parameter.in === 'query')
