import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload } from '@x402/core/types'
import { afterAll, afterEach, expect, it } from 'vitest'
import { systemClock } from '../../../engine/core/clock.ts'
import { Secret } from '../../../engine/core/secret.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { createRemoteFacilitator, FacilitatorError } from '../../../engine/x402/remoteFacilitator.ts'
import { watchFacilitator } from '../../../engine/x402/watchedFacilitator.ts'
import { listening } from '../../support/listening.ts'
import { anAddress, requirementsFor } from '../../support/paymentStage.ts'

type Received = { readonly method: string; readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }
type Answer = { readonly status?: number; readonly text?: string; readonly hangs?: true; readonly location?: string }

/** A facilitator that answers what a test sets. */
const received: Received[] = []
let answer: Answer = {}
const answering = (fields: object, status = 200) => {
  answer = { status, text: JSON.stringify(fields) }
}
const server = await listening(
  createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    received.push({ method, path, headers, body: await text(request) })
    if (answer.hangs) return
    const location = answer.location ? { location: answer.location } : {}
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...location })
    response.end(answer.text ?? '{}')
  }),
)
const http = createHttpClient()
afterAll(async () => {
  await server.close()
  await http.close()
})
afterEach(() => {
  received.length = 0
  answer = {}
})

const payer = anAddress()
const requirements = requirementsFor(anAddress())
const payment: PaymentPayload = { x402Version: 2, accepted: requirements, payload: { signature: '0x12' } }

const facilitator = ({ deadlineMs = 5_000, url = `${server.url}/pay`, clock = systemClock } = {}) =>
  createRemoteFacilitator({ http, url: `${url}/`, token: new Secret('s3cret'), clock, deadlineMs })

/** Text of a facilitator that must reach nobody. */
const LEAK = 'https://rpc.example/v2/KEY: execution reverted 0xe3ee160e'

const failureOf = async (call: Promise<unknown>): Promise<FacilitatorError> => {
  const error = await call.catch((thrown: unknown) => thrown)
  if (!(error instanceof FacilitatorError)) throw new Error(`not refused: ${String(error)}`)
  for (const part of ['rpc.example', 'reverted', 's3cret', '127.0.0.1', '0xe3ee']) expect(error.message).not.toContain(part)
  return error
}

it('facilitator: is not called before a caller pays, and then by the protocol with its token [x402-facilitator-lazy]', async () => {
  const remote = facilitator()
  expect(received).toEqual([])
  answering({ isValid: true, success: true, transaction: '0x12' })
  await remote.verify(payment, requirements)
  await remote.settle(payment, requirements)
  const headers = expect.objectContaining({ authorization: 'Bearer s3cret', 'content-type': 'application/json' })
  const body = JSON.stringify({ x402Version: 2, paymentPayload: payment, paymentRequirements: requirements })
  expect(received).toEqual(['/pay/verify', '/pay/settle'].map((path) => ({ method: 'POST', path, headers, body })))
})

const consent = { isValid: true, success: true, transaction: '0x12', kinds: [] }
const settlement = (fields: object) => ({ text: JSON.stringify({ success: true, ...fields }) })

it.each<[string, Answer, string]>([
  ['HTML', { text: `<html>${LEAK}</html>` }, 'malformed'],
  ['text for a boolean', { text: '{"isValid":"true","success":"true","transaction":"0x12","kinds":"all"}' }, 'malformed'],
  ['consent with HTTP 500', { status: 500, text: JSON.stringify(consent) }, 'refused'],
  ['a redirect', { status: 307, text: JSON.stringify(consent), location: 'https://rpc.example' }, 'refused'],
  ['300 kB', { text: JSON.stringify({ ...consent, pad: 'x'.repeat(300_000) }) }, 'malformed'],
  ['a settlement with an empty transaction', settlement({ transaction: '' }), 'malformed'],
  ['a settlement with text for a transaction', settlement({ transaction: LEAK }), 'malformed'],
  ['a settlement on another network', settlement({ transaction: '0x12', network: 'eip155:1' }), 'malformed'],
  ['nothing within its deadline', { hangs: true }, 'timeout'],
  ['no connection', {}, 'unreachable'],
])('facilitator: an answer of %s proves nothing', async (_what, given, failure) => {
  answer = given
  const closed = failure === 'unreachable' ? { url: 'http://127.0.0.1:9' } : {}
  const remote = facilitator({ deadlineMs: failure === 'timeout' ? 50 : 5_000, ...closed })
  for (const call of [remote.verify(payment, requirements), remote.settle(payment, requirements), remote.getSupported()])
    expect((await failureOf(call)).failure).toBe(failure)
})

it('facilitator: only official reasons, payers, transactions and kinds pass, none of its other text [x402-facilitator-lazy]', async () => {
  const { verify, settle, getSupported } = facilitator()
  const more = { invalidMessage: LEAK, errorMessage: LEAK, extra: { LEAK }, extensions: { LEAK } }
  answering({ isValid: false, invalidReason: 'insufficient_funds', payer, ...more }, 400)
  expect(await verify(payment, requirements)).toEqual({ isValid: false, invalidReason: 'insufficient_funds', payer })
  answering({ isValid: false, invalidReason: LEAK, payer: LEAK, ...more })
  expect(await verify(payment, requirements)).toEqual({ isValid: false })
  answering({ success: false, errorReason: LEAK, transaction: LEAK, network: LEAK, ...more })
  expect(await settle(payment, requirements)).toEqual({ success: false, transaction: '', network: 'eip155:8453' })
  const feePayer = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
  const solana = { x402Version: 2, scheme: 'exact', network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }
  const kinds = [
    { ...solana, extra: { feePayer, memo: LEAK } },
    { ...solana, extra: { feePayer: LEAK } },
    { x402Version: 1, scheme: 'exact', network: 'eip155:137' },
    { x402Version: 2, scheme: LEAK, network: 'eip155:1' },
    null,
  ]
  answering({ kinds, extensions: [LEAK], signers: { LEAK: [LEAK] } })
  expect(await getSupported()).toEqual({ kinds: [{ ...solana, extra: { feePayer } }, solana], extensions: [], signers: {} })
})

it('facilitator: a failed read of its supported kinds fails at once for 5 seconds, then is repeated', async () => {
  const time = { ms: 1_000_000 }
  const remote = facilitator({ clock: { now: () => time.ms } })
  answer = { status: 503 }
  const first = await failureOf(remote.getSupported())
  time.ms += 4_999
  expect(await failureOf(remote.getSupported())).toBe(first)
  expect(received).toHaveLength(1)
  time.ms += 1
  answering({ kinds: [] })
  expect((await remote.getSupported()).kinds).toEqual([])
})

const watched = () => {
  const answers = { verify: async (): Promise<object> => ({ isValid: true }), getSupported: async (): Promise<object> => ({}) }
  const events: unknown[] = []
  const time = { ms: 0 }
  const facilitator = { verify: () => answers.verify(), getSupported: () => answers.getSupported() }
  const observe = (event: unknown) => void events.push(event)
  const client = watchFacilitator(facilitator as unknown as FacilitatorClient, { observe, now: () => time.ms })
  const calls = { verify: () => client.verify({} as never, {} as never), getSupported: client.getSupported }
  const call = async (name: keyof typeof calls, times = 1) => {
    for (let i = 0; i < times; i += 1) await calls[name]().catch(() => undefined)
  }
  return { answers, events, time, call }
}

const fails = (make: () => unknown) => () => Promise.reject(make())
const down = (reason: string) => ({ event: 'facilitator.health', healthy: false, reason })
const healthy = { event: 'facilitator.health', healthy: true, reason: null }

it('facilitator health: three failures of one call in a row are reported once, until that call succeeds or 15 minutes pass', async () => {
  const { answers, events, time, call } = watched()
  const timesOut = fails(() => new FacilitatorError('timeout', 'verify'))
  answers.verify = timesOut
  await call('verify', 2)
  expect(events).toEqual([])
  await call('verify', 2)
  // Another call proves nothing about this one.
  await call('getSupported')
  expect(events).toEqual([down('verify: timeout')])
  answers.verify = async () => ({ isValid: false })
  await call('verify')
  expect(events.splice(0)).toEqual([down('verify: timeout'), healthy])
  answers.verify = timesOut
  await call('verify', 3)
  time.ms += 15 * 60_000 - 1
  await call('getSupported')
  expect(events).toEqual([down('verify: timeout')])
  time.ms += 1
  await call('getSupported')
  expect(events).toEqual([down('verify: timeout'), healthy])
})

const cached = new FacilitatorError('unreachable', 'supported')
it.each<[string, 'verify' | 'getSupported', () => unknown, string | null]>([
  ['the refusal of a payment is no failure', 'verify', () => new FacilitatorError('refused', 'verify', 400), null],
  ['an unreadable answer to a payment is no failure', 'verify', () => new FacilitatorError('malformed', 'verify', 200), null],
  ['an error of this service is no failure', 'verify', () => new Error('ours'), null],
  ['a cached error counts once', 'getSupported', () => cached, null],
  ['HTTP 401 of its kinds is one', 'getSupported', () => new FacilitatorError('refused', 'supported', 401), 'supported: refused'],
])('facilitator health: %s', async (_what, name, error, reported) => {
  const { answers, events, call } = watched()
  answers[name] = fails(error)
  await call(name, 10)
  expect(events).toEqual(reported === null ? [] : [down(reported)])
})
