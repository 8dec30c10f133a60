import { readContract } from '../../handlers/http/contract.ts'

/** Where the reference shows each operation of the contract, as the part of its address after `/docs`. */
export const operationHashes = (): readonly string[] => {
  const { paths = {} } = readContract().document
  return Object.values(paths).flatMap((item = {}) =>
    Object.values(item).flatMap((operation) => {
      const { tags, operationId } = operation as { tags?: string[]; operationId?: string }
      return tags === undefined ? [] : [`#/${tags[0]?.replaceAll(' ', '%20')}/${operationId}`]
    }),
  )
}
