import { createServer, type IncomingHttpHeaders } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Secret } from '../../../engine/core/secret.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { createRemoteFacilitator, FacilitatorError } from '../../../engine/x402/remoteFacilitator.ts'
import { listening } from '../../support/listening.ts'
import { anAddress, type PaymentStage, requirementsFor, startPaymentStage } from '../../support/paymentStage.ts'

type Asked = { readonly method: string; readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string }
type Told = { readonly status?: number; readonly text?: string; readonly hangs?: true; readonly location?: string }

/** A facilitator that says whatever a test wants. */
const asked: Asked[] = []
let told: Told = {}
let paying: Awaited<ReturnType<typeof listening>>
let url = ''
let stage: PaymentStage
const http = createHttpClient()
let now = 1_000_000

beforeAll(async () => {
  stage = await startPaymentStage()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      asked.push({ method, path, headers, body: Buffer.concat(chunks).toString() })
      if (told.hangs) return
      response.writeHead(told.status ?? 200, {
        'content-type': 'application/json',
        ...(told.location ? { location: told.location } : {}),
      })
      response.end(told.text ?? '{}')
    })
  })
  paying = await listening(server)
  url = `${paying.url}/pay`
})
afterAll(async () => {
  await paying.close()
  await http.close()
  await stage.close()
})
afterEach(() => {
  asked.length = 0
  told = {}
})

const clock = { now: () => now }
const facilitator = (wish: { deadlineMs?: number; url?: string } = {}) =>
  createRemoteFacilitator({
    http,
    url: `${wish.url ?? url}/`,
    token: new Secret('s3cret'),
    clock,
    deadlineMs: wish.deadlineMs ?? 5_000,
  })

const aPayment = async () => {
  const { account, sign } = await stage.aPayer()
  const requirements = requirementsFor(anAddress())
  return { account, requirements, payment: await sign(requirements) }
}

/** What it said that must go no further. */
const LEAK = 'https://rpc.example/v2/KEY: execution reverted 0xe3ee160e'

const failureOf = async (work: Promise<unknown>): Promise<FacilitatorError> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof FacilitatorError)) throw new Error(`not refused: ${String(error)}`)
  for (const part of ['rpc.example', 'reverted', 's3cret', '127.0.0.1', '0xe3ee']) expect(error.message).not.toContain(part)
  return error
}

describe('a facilitator elsewhere', () => {
  it('is asked nothing before somebody pays [x402-facilitator-lazy]', () => {
    facilitator()
    expect(asked).toEqual([])
  })

  it('is asked by the protocol, with its token, and settles on the chain', async () => {
    const { account, requirements, payment } = await aPayment()
    const offline = facilitator({ url: stage.simnet.facilitator.url })
    const { kinds, ...rest } = await offline.getSupported()
    expect(kinds).toContainEqual({ x402Version: 2, scheme: 'exact', network: 'eip155:8453' })
    expect(rest).toEqual({ extensions: [], signers: {} })
    expect(await offline.verify(payment, requirements)).toEqual({ isValid: true, payer: account.address })
    const settled = await offline.settle(payment, requirements)
    expect(settled).toMatchObject({ success: true, network: 'eip155:8453', payer: account.address })
    expect(await stage.stateOf(payment)).toEqual({ state: 'used', transaction: settled.transaction })
    expect(await offline.verify(payment, requirements)).toEqual({
      isValid: false,
      invalidReason: 'invalid_exact_evm_nonce_already_used',
      payer: account.address,
    })

    told = { text: JSON.stringify({ isValid: true }) }
    await facilitator().verify(payment, requirements)
    expect(asked).toEqual([
      {
        method: 'POST',
        path: '/pay/verify',
        headers: expect.objectContaining({ authorization: 'Bearer s3cret', 'content-type': 'application/json' }),
        body: JSON.stringify({ x402Version: 2, paymentPayload: payment, paymentRequirements: requirements }),
      },
    ])
  })

  it.each([
    ['garbage', { text: `<html>${LEAK}</html>` }, 'malformed'],
    ['nothing', { text: '' }, 'malformed'],
    ['a list', { text: '[{"isValid":true,"success":true,"kinds":[]}]' }, 'malformed'],
    ['a text for a truth', { text: '{"isValid":"true","success":"true","transaction":"0x12","kinds":"all"}' }, 'malformed'],
    [
      'consent with a bad status',
      { status: 500, text: '{"isValid":true,"success":true,"transaction":"0x12","kinds":[]}' },
      'refused',
    ],
    ['a wrong token', { status: 401, text: JSON.stringify({ error: LEAK }) }, 'refused'],
    [
      'a redirect',
      { status: 307, text: '{"isValid":true,"success":true,"transaction":"0x12","kinds":[]}', location: 'https://rpc.example' },
      'refused',
    ],
    [
      'more than anybody reads',
      { text: JSON.stringify({ isValid: true, success: true, transaction: '0x12', kinds: [], pad: 'x'.repeat(300_000) }) },
      'malformed',
    ],
    ['nothing for ever', { hangs: true }, 'timeout'],
  ] as const)('that answers %s has said nothing', async (_what, answer, failure) => {
    const { requirements, payment } = await aPayment()
    told = answer
    const remote = facilitator({ deadlineMs: failure === 'timeout' ? 50 : 5_000 })
    for (const call of [remote.verify(payment, requirements), remote.settle(payment, requirements), remote.getSupported()])
      expect((await failureOf(call)).failure).toBe(failure)
  })

  it('that is down has said nothing', async () => {
    const { requirements, payment } = await aPayment()
    const down = facilitator({ url: 'http://127.0.0.1:9' })
    for (const call of [down.verify(payment, requirements), down.settle(payment, requirements), down.getSupported()])
      expect((await failureOf(call)).failure).toBe('unreachable')
  })

  it('refuses in official words alone, whatever else it says [x402-facilitator-lazy]', async () => {
    const { account, requirements, payment } = await aPayment()
    const more = { invalidMessage: LEAK, errorMessage: LEAK, extra: { LEAK }, extensions: { LEAK } }
    told = {
      status: 400,
      text: JSON.stringify({ isValid: false, invalidReason: 'insufficient_funds', payer: account.address, ...more }),
    }
    expect(await facilitator().verify(payment, requirements)).toEqual({
      isValid: false,
      invalidReason: 'insufficient_funds',
      payer: account.address,
    })
    told = { text: JSON.stringify({ isValid: false, invalidReason: LEAK, payer: LEAK, ...more }) }
    expect(await facilitator().verify(payment, requirements)).toEqual({ isValid: false })
    told = { text: JSON.stringify({ isValid: true, payer: LEAK, ...more }) }
    expect(await facilitator().verify(payment, requirements)).toEqual({ isValid: true })
    told = { text: JSON.stringify({ success: false, errorReason: LEAK, transaction: LEAK, network: LEAK, ...more }) }
    expect(await facilitator().settle(payment, requirements)).toEqual({ success: false, transaction: '', network: 'eip155:8453' })
  })

  it.each([
    ['no transaction', { success: true }],
    ['an empty one', { success: true, transaction: '' }],
    ['a text for one', { success: true, transaction: LEAK }],
    ['one of another network', { success: true, transaction: '0x12', network: 'eip155:1' }],
  ])('that says it settled with %s has said nothing', async (_what, answer) => {
    const { requirements, payment } = await aPayment()
    told = { text: JSON.stringify(answer) }
    expect((await failureOf(facilitator().settle(payment, requirements))).failure).toBe('malformed')
  })

  it('is taken for what it supports of this version, and no further word of it reaches a client', async () => {
    const fee = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
    const kinds = [
      { x402Version: 2, scheme: 'exact', network: 'eip155:8453', extra: { note: LEAK } },
      {
        x402Version: 2,
        scheme: 'exact',
        network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
        extra: { feePayer: fee, memo: LEAK },
      },
      { x402Version: 2, scheme: 'exact', network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', extra: { feePayer: LEAK } },
      { x402Version: 1, scheme: 'exact', network: 'base' },
      { x402Version: 2, scheme: LEAK, network: 'eip155:1' },
      null,
      7,
    ]
    told = { text: JSON.stringify({ kinds, extensions: [LEAK], signers: { LEAK: [LEAK] } }) }
    expect(await facilitator().getSupported()).toEqual({
      kinds: [
        { x402Version: 2, scheme: 'exact', network: 'eip155:8453' },
        { x402Version: 2, scheme: 'exact', network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', extra: { feePayer: fee } },
        { x402Version: 2, scheme: 'exact', network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' },
      ],
      extensions: [],
      signers: {},
    })
  })

  it('that failed to say what it supports is not waited for again by each who asks, but soon asked again', async () => {
    const remote = facilitator()
    told = { status: 503 }
    const first = await failureOf(remote.getSupported())
    now += 4_999
    expect(await failureOf(remote.getSupported())).toBe(first)
    expect(asked).toHaveLength(1)
    now += 1
    told = { text: '{"kinds":[]}' }
    expect(await remote.getSupported()).toEqual({ kinds: [], extensions: [], signers: {} })
  })
})
