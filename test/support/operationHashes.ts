import { readContract } from '../../handlers/http/contract.ts'

/** Where the reference shows each operation of the contract, as the part of its address after `/docs`. */
export const operationHashes = (): readonly string[] => {
  const { paths = {} } = readContract().document
  return Object.entries(paths).flatMap(([path, item = {}]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const tag = (operation as { tags?: string[] }).tags?.[0]
      return tag === undefined ? [] : [`#tag/${tag.replaceAll(' ', '-').toLowerCase()}/${method.toUpperCase()}${path}`]
    }),
  )
}
