import { readFileSync } from 'node:fs'
import type { Document, Operation } from 'openapi-backend'

export type Contract = {
  /** The published document as JSON without whitespace. */
  readonly bytes: Buffer
  readonly document: Document
}

export type ContractOperation = Operation

/** The generated document, read again each time: two apps of one process share nothing. */
export const readContract = (): Contract => {
  const document = JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as Document
  return { bytes: Buffer.from(JSON.stringify(document)), document }
}
