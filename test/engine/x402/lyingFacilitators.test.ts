import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../engine/core/clock.ts'
import { SwapError } from '../../../engine/errors.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { createPaidCalls } from '../../../engine/x402/paidCalls.ts'
import { createPaymentOptions } from '../../../engine/x402/paymentOptions.ts'
import { createRemoteFacilitator } from '../../../engine/x402/remoteFacilitator.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { anAddress, type PaymentStage, startPaymentStage } from '../../support/paymentStage.ts'
import { createTestClock } from '../../support/testEngine.ts'
import { A_RESOURCE, payerOf, readReceipt } from '../../support/x402Bench.ts'

/** What a facilitator says after it did, or did not do, what it was asked. */
type Lie = (honest: () => Promise<string>) => Promise<string>
type Lies = { readonly [call in 'verify' | 'settle' | 'supported']?: Lie }

const HANGS = 'hangs'
const BREAKS_OFF = 'breaks off'
/** Enough for an honest settlement on a machine that is busy. */
const DEADLINE_MS = 6_000

let stage: PaymentStage
let server: Server
let url = ''
let lies: Lies = {}
const http = createHttpClient()

/** Between the service and the offline facilitator stands one that lies. */
beforeAll(async () => {
  stage = await startPaymentStage()
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const call = (request.url ?? '').slice(1) as keyof Lies
    const body = chunks.length > 0 ? Buffer.concat(chunks).toString() : null
    const honest = async () =>
      (
        await fetch(`${stage.simnet.facilitator.url}/${call}`, { method: request.method ?? 'GET', ...(body ? { body } : {}) })
      ).text()
    const text = await (lies[call] ?? ((ask) => ask()))(honest)
    if (text === HANGS) return
    if (text === BREAKS_OFF) return void response.destroy()
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await http.close()
  await stage.close()
})
afterEach(() => {
  lies = {}
})

/** A service, and a wallet that has signed for one call of it. */
const aCall = async ({ balance = '5000', strange = false } = {}) => {
  const payTo = anAddress()
  const clock = createTestClock()
  const ports = {
    facilitator: createRemoteFacilitator({ http, url, token: null, deadlineMs: DEADLINE_MS, clock: stage.simnet.clock }),
    authorizations: stage.reader,
    options: createPaymentOptions({ payTo: { evm: payTo, solana: null }, networks: ['eip155:8453'], lifetimeSec: 300 }),
  }
  const store = createMemoryStore(clock)
  const paidCalls = createPaidCalls({ ports, store, holder: 'holder-1', clock: systemClock, observe: () => undefined })
  const { account } = await stage.aPayer(balance)
  const stranger = privateKeyToAccount(generatePrivateKey())
  const signer = strange ? payerOf({ ...stranger, address: account.address }) : payerOf(account)
  const { header } = await paidCalls.demand(A_RESOURCE, 'noPayment')
  const payment = await signer.sign(header)
  let worked = 0
  const hooks = {
    room: async () => undefined,
    enter: async () => async () => undefined,
    work: async () => {
      worked += 1
      return JSON.stringify({ quote: worked })
    },
  }
  const request = {
    operation: 'x402Quote',
    requestId: 'req-1',
    partnerId: null,
    asked: { amount: '1' },
    payment,
    resource: A_RESOURCE,
  }
  /** What the call came to: its answer, or our code and words. */
  const call = async () => {
    try {
      const { answer, receipt } = await paidCalls.serve(request, hooks)
      return { answer, transaction: readReceipt(receipt).transaction }
    } catch (error) {
      if (!(error instanceof SwapError)) throw error
      for (const leak of ['127.0.0.1', 'http', '0x', 'revert', 'LEAK']) expect(error.publicMessage).not.toContain(leak)
      return { code: error.code, details: error.details }
    }
  }
  const booked = async () => (await store.ledger.rawAfter(0, 10)).length
  const paid = async () => [await stage.held(payTo), await booked()]
  return { call, paid, worked: () => worked, account, payTo }
}

const PENDING = { code: 'PAYMENT_PENDING', details: { retryAfterSec: expect.any(Number), retryable: true } }
const say = (said: object) => JSON.stringify({ network: 'eip155:8453', ...said })
const NO_TRANSACTION = `0x${'ab'.repeat(32)}`

describe('a facilitator that lies gives no answer away, and keeps none that was paid:', () => {
  it('that says a payment is valid that is not: it is not answered', async () => {
    const { call, paid } = await aCall({ strange: true })
    lies = { verify: async () => say({ isValid: true }) }
    expect(await call()).toEqual({ code: 'PAYMENT_REQUIRED', details: { reason: 'badSignature' } })
    expect(await paid()).toEqual([0n, 0])
  })

  it('that says so of an empty wallet, and that it has settled: nobody can tell yet, and nothing is booked', async () => {
    const { call, paid } = await aCall({ balance: '999' })
    lies = { verify: async () => say({ isValid: true }), settle: async () => say({ success: true, transaction: NO_TRANSACTION }) }
    expect(await call()).toEqual(PENDING)
    expect(await call()).toEqual(PENDING)
    expect(await paid()).toEqual([0n, 0])
  })

  it('that names the transaction of another payment of the same wallet: nobody can tell yet, until it is paid', async () => {
    const other = await aCall()
    const { transaction } = (await other.call()) as { transaction: string }
    expect(await other.paid()).toEqual([1_000n, 1])
    const { call, paid, worked } = await aCall()
    lies = { settle: async () => say({ success: true, transaction }) }
    expect(await call()).toEqual(PENDING)
    expect(await paid()).toEqual([0n, 0])
    lies = {}
    expect(await call()).toMatchObject({ answer: '{"quote":1}', transaction: expect.not.stringMatching(transaction) })
    expect([await paid(), worked()]).toEqual([[1_000n, 1], 1])
  })

  const afterSettling: readonly (readonly [string, string])[] = [
    ['that it was not', say({ success: false, errorReason: 'insufficient_funds', transaction: '' })],
    ['that another transaction did', say({ success: true, transaction: NO_TRANSACTION })],
    ['garbage', '<html>LEAK'],
    ['nothing', BREAKS_OFF],
  ]
  it.each(afterSettling)('that settles and says %s: what was paid for is answered, and booked once', async (_what, said) => {
    const { call, paid, worked } = await aCall()
    lies = {
      settle: async (honest) => {
        await honest()
        return said
      },
    }
    const first = await call()
    expect(first).toMatchObject({ answer: '{"quote":1}', transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
    expect(await call()).toEqual(first)
    expect([await paid(), worked()]).toEqual([[1_000n, 1], 1])
  })

  const notSettling: readonly (readonly [string, string])[] = [
    ['nothing', BREAKS_OFF],
    ['nothing for ever', HANGS],
    ['garbage', '<html>LEAK'],
    ['that it is not sure', say({ success: false, errorReason: 'settlement_pending', transaction: NO_TRANSACTION })],
  ]
  it.each(notSettling)(
    'that does not settle and says %s: nobody can tell yet, and the same call repeated is charged once',
    async (_what, said) => {
      const { call, paid, worked } = await aCall()
      lies = { settle: async () => said }
      expect(await call()).toEqual(PENDING)
      expect(await paid()).toEqual([0n, 0])
      lies = {}
      expect(await call()).toMatchObject({ answer: '{"quote":1}' })
      expect([await paid(), worked()]).toEqual([[1_000n, 1], 1])
    },
  )

  it.each([
    BREAKS_OFF,
    '<html>LEAK',
    '{"kinds":"all"}',
    '{"kinds":[]}',
    say({ kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:1' }] }),
  ])(
    'that is not there at first, or settles nothing of what is accepted (%s): it is asked again, and nobody is told how to pay before',
    async (said) => {
      lies = { supported: async () => said }
      await expect(aCall()).rejects.toMatchObject({ code: 'PAYMENT_PENDING', details: PENDING.details })
      lies = {}
      await stage.advance(5_000)
      const { call } = await aCall()
      expect(await call()).toMatchObject({ answer: '{"quote":1}' })
    },
  )

  it('that does not verify: nothing was done, and the same call repeated is answered', async () => {
    const { call, paid, worked } = await aCall()
    for (const said of [BREAKS_OFF, '<html>LEAK', say({ isValid: 'yes' })]) {
      lies = { verify: async () => said }
      expect(await call()).toEqual(PENDING)
    }
    expect([await paid(), worked()]).toEqual([[0n, 0], 0])
    lies = {}
    expect(await call()).toMatchObject({ answer: '{"quote":1}' })
    expect(await paid()).toEqual([1_000n, 1])
  })

  it('while our own node cannot be read nothing is believed, and afterwards it is answered once', async () => {
    const { call, paid, worked } = await aCall()
    const settle: Lie = async (honest) => {
      const text = await honest()
      stage.simnet.faults.set('chain:8453', 'http-500', {}, null)
      return text
    }
    lies = { settle }
    expect(await call()).toEqual(PENDING)
    stage.simnet.faults.clear(null)
    expect(await call()).toMatchObject({ answer: '{"quote":1}' })
    expect([await paid(), worked()]).toEqual([[1_000n, 1], 1])
  })
})
