import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { parseConfig } from '../../../engine/config/config.ts'
import { createEngine } from '../../../engine/engine.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { observeToLog } from '../../../engine/observe/jsonLog.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { createFakeSolana } from '../../support/fakeSolana.ts'
import { createMemoryStore } from '../../support/memoryStore.ts'
import { ANYBODY, TOKEN_KEY } from '../../support/testEngine.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import { type Answering, aBench, aLiar, bitcoinToBase, FEE_ACCOUNT, relayedFrom, usdcToSolana } from './support.ts'

/** What the venue says that is odd, and no reason to fail, stands in the log for the operator: through the whole engine. */

const ROTATED = 'ab'.repeat(32)
const closers: (() => unknown)[] = []
let bench: VenueBench
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
  await bench.close()
})

type Answer = { readonly quoteRequest: Record<string, unknown> }

const serve = async (answering: Answering): Promise<string> => {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const { status = 200, body } = answering({ path: request.url ?? '', body: text === '' ? undefined : JSON.parse(text) })
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const logging = async (change: (path: string, body: unknown) => unknown) => {
  bench = await aBench()
  const liar = aLiar()
  const baseUrl = await serve(
    relayedFrom(bench, (path, body) => {
      const changed = change(path, body)
      return path === '/v0/quote' ? liar.resign(body) : (changed ?? body)
    }),
  )
  const records: { readonly [field: string]: unknown }[] = []
  const http = createHttpClient()
  closers.push(() => http.close())
  const config = parseConfig({
    QUOTE_TOKEN_KEYS: TOKEN_KEY,
    NETWORK: 'mainnet',
    VENUES_ENABLED: 'near-intents',
    VENUE_NEAR_INTENTS_BASE_URL: baseUrl,
    VENUE_NEAR_INTENTS_PUBLIC_KEY: liar.publicKey,
    VENUE_NEAR_INTENTS_FEE_ACCOUNT: FEE_ACCOUNT,
  })
  const engine = await createEngine(config, {
    http,
    chains: createFakeChains(),
    solana: createFakeSolana(),
    store: createMemoryStore(bench.clock),
    evidence: 'trustVenues',
    clock: bench.clock,
    observe: observeToLog((record) => records.push(record)),
  })
  const noticed = () => records.filter(({ event }) => event === 'venue.noticed')
  return { engine, noticed }
}

const context = { requestId: 'req-1', caller: ANYBODY, client: 'anybody' }

describe('an account nobody knows that takes a fee', () => {
  test('is counted as the venue’s own where none was asked for, and told once however often it is met', async () => {
    const { engine, noticed } = await logging((path, body) => {
      if (path === '/v0/quote') (body as Answer).quoteRequest['appFees'] = [{ recipient: ROTATED, fee: 20 }]
    })
    for (const order of [bitcoinToBase(), usdcToSolana(), bitcoinToBase()])
      expect((await engine.quote(order, context)).fee).toMatchObject({ bps: 0 })
    expect(noticed()).toEqual([
      { level: 'warn', event: 'venue.noticed', venue: 'near-intents', what: expect.stringContaining(ROTATED) },
    ])
  })

  test('is told where a fee of ours was asked for too: the quote is refused, and the operator learns why', async () => {
    const { engine, noticed } = await logging((path, body) => {
      const { quoteRequest } = body as Answer
      if (path === '/v0/quote')
        quoteRequest['appFees'] = [...((quoteRequest['appFees'] as []) ?? []), { recipient: ROTATED, fee: 20 }]
    })
    const caller = { ...ANYBODY, feeBps: 20 }
    await expect(engine.quote(bitcoinToBase(), { ...context, caller })).rejects.toThrow()
    expect(noticed()).toMatchObject([{ what: expect.stringContaining(ROTATED) }])
  })
})

test('rows of the token list that are not what their id says are left out, and told: N of M', async () => {
  const { engine, noticed } = await logging((path, body) => {
    if (path !== '/v0/tokens') return
    const rows = body as { assetId: string; contractAddress?: string }[]
    return rows.map((row) =>
      row.assetId.startsWith('nep141:arb-0x') ? { ...row, contractAddress: `0x${'12'.repeat(20)}` } : row,
    )
  })
  await engine.quote(bitcoinToBase(), context)
  expect(noticed()).toMatchObject([{ what: expect.stringMatching(/^\d+ of \d+ rows of the token list/) }])
})

test('a venue that is as it should be is not told of', async () => {
  const { engine, noticed } = await logging(() => undefined)
  await engine.quote(bitcoinToBase(), context)
  expect(noticed()).toEqual([])
})
