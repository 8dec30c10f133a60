import { describe, expect, it } from 'vitest'
import { createEndpointHealth } from '../../../engine/chains/endpoints/endpointHealth.ts'
import { CallReverted, createJsonRpc } from '../../../engine/chains/endpoints/jsonRpc.ts'
import type { HttpClient } from '../../../engine/net/httpClient.ts'
import words from './nodeWords.json' with { type: 'json' }

/** The most that an answer may be. */
const LARGEST = 4 * 1024 * 1024

const nodeThatSays = (message: string) => {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message } })
  const http: HttpClient = { send: async () => ({ status: 200, headers: {}, text }), close: async () => undefined }
  const health = createEndpointHealth({ clock: { now: () => 0 } })(1)
  return createJsonRpc(http, { chainId: 1, deadlineMs: 3_000, health, urls: async () => ['https://node.test'] })
}

const outcomeOf = (message: string): Promise<string> =>
  nodeThatSays(message)
    .call('eth_call', [], new AbortController().signal)
    .then(
      () => 'an answer',
      (error: unknown) => (error instanceof CallReverted ? 'reverted' : 'refused'),
    )

describe('the words of a node', () => {
  it.each(['opcode ', 'opcode 0xfe not define', 'stack und', 'rate ', 'r'])(
    'are read in no time, also where they are as many as an answer may hold: %s',
    async (words) => {
      expect(await outcomeOf(words.repeat(LARGEST / words.length))).toBe('refused')
    },
  )

  it.each(words.reverts as unknown as readonly [string, string][])(
    'tell a revert from a refusal: %s',
    async (message, outcome) => {
      expect(await outcomeOf(message)).toBe(outcome)
    },
  )
})
