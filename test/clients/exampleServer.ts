import { createServer } from 'node:http'
import { dereference } from '../../scripts/contract/document.ts'
import { contract, documentedOperations } from '../support/documentedOperations.ts'
import { listening } from '../support/listening.ts'

/** The times of the quote it answers with: the first has more than 32 bits, the second a fraction. */
export const EXAMPLE_TIMES = { expiresAt: 1_795_000_060_000, estimatedTimeSeconds: 604_799.5 } as const

export type ExampleServer = { readonly url: string; close(): Promise<void> }

/** Answers every request with the first example of a quote that the document shows, whose times are known to the last digit. */
export const startExampleServer = async (): Promise<ExampleServer> => {
  const response = documentedOperations.byId('quote').operation.responses['200']
  const examples = response && dereference(contract, response).content?.['application/json']?.examples
  const example = Object.values(examples ?? {})[0]?.value as { readonly data: object; readonly meta: object } | undefined
  if (!example) throw new Error('the document shows no quote')
  const body = JSON.stringify({ ...example, data: { ...example.data, ...EXAMPLE_TIMES } })
  const server = createServer((request, answer) => {
    request.resume().once('end', () => {
      answer.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'example', 'service-version': '2026-11' })
      answer.end(body)
    })
  })
  return listening(server)
}
