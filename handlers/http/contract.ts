import { readFileSync } from 'node:fs'
import type { Document, Operation } from 'openapi-backend'

export type Contract = {
  /** The published document, byte for byte. */
  readonly bytes: Buffer
  readonly document: Document
}

export type ContractOperation = Operation

/** The generated document, read anew: nothing is kept between two apps of one process. */
export const readContract = (): Contract => {
  const bytes = readFileSync(new URL('../../generated/openapi.json', import.meta.url))
  return { bytes, document: JSON.parse(bytes.toString()) as Document }
}
