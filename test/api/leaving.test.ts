import http from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { createChainEvidence } from '../../engine/chains/chainEvidence.ts'
import { createEndpointHealth } from '../../engine/chains/endpoints/endpointHealth.ts'
import { systemClock } from '../../engine/core/clock.ts'
import { createHttpClient } from '../../engine/net/undiciClient.ts'
import { anOrder } from '../support/anOrder.ts'
import { startEdge } from '../support/edgeServer.ts'
import { pair, TOKENS } from '../support/fakeChains.ts'
import { createFakeVenue, statusOf } from '../support/fakeVenue.ts'
import { listening } from '../support/listening.ts'
import { USDC_SWAP } from '../support/swaps.ts'
import { createTestEngine, START_AT } from '../support/testEngine.ts'

const closers: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Far less than the deadline of any call: what ends by then was ended. */
const SOON_MS = 1_500

/** A server that takes requests and never answers. */
const startSilent = async () => {
  const asked: { readonly began: number; readonly ended: Promise<number> }[] = []
  let onAsked: () => void = () => undefined
  const server = http.createServer((request, response) => {
    request.resume()
    const { promise, resolve } = Promise.withResolvers<number>()
    response.once('close', () => resolve(performance.now()))
    asked.push({ began: performance.now(), ended: promise })
    onAsked()
  })
  const { url, close } = await listening(server)
  closers.push(close)
  return {
    url,
    asked,
    /** Resolves once that many requests are there. */
    hasAsked: (count: number) =>
      new Promise<void>((resolve) => {
        onAsked = () => {
          if (asked.length >= count) resolve()
        }
        onAsked()
      }),
  }
}

const TX_HASH = `0x${'ab'.repeat(32)}`

const JSON_TYPE = { 'content-type': 'application/json' }

const start = async () => {
  const [venueHost, rpc] = [await startSilent(), await startSilent()]
  const client = createHttpClient()
  closers.push(() => client.close())
  const venue = createFakeVenue('toy', { kind: 'DEPOSIT', now: () => START_AT })
  const troubles: object[] = []
  const health = createEndpointHealth({ clock: systemClock, observe: (event) => troubles.push(event) })
  const evidence = createChainEvidence({ rpcUrls: { 1: [rpc.url] }, http: client, health })
  const stage = await createTestEngine({ venues: [venue], evidence })
  const edge = await startEdge({ engine: stage.engine })
  closers.push(
    () => stage.close(),
    () => edge.close(),
  )
  const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
  const { quoteToken } = await stage.engine.quote(order, stage.context)
  const { statusRef } = await stage.engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, stage.context)
  /** Asks the venue's host, which is silent. */
  const asksSilence = async (_asked: unknown, signal: AbortSignal): Promise<never> => {
    await client.send({ method: 'GET', url: venueHost.url, signal })
    throw new Error('silence answered')
  }
  venue.script.track = asksSilence
  /** Asks for the status on a connection of its own, to be broken off. */
  const ask = () => {
    const path = `/api/v1/status?${new URLSearchParams({ quoteToken, ref: statusRef ?? '' })}`
    const request = http.get({ port: edge.port, host: '127.0.0.1', path, agent: false })
    request.on('error', () => undefined)
    return { leave: () => request.destroy() }
  }
  return { venue, stage, edge, venueHost, rpc, troubles, ask, order, asksSilence }
}

describe('a status ask whose client leaves [quote-client-disconnects]', () => {
  it('is no longer asked of the venue, and counts against nobody', async () => {
    const { stage, edge, venueHost, ask, venue, order } = await start()
    // As many as would open the breaker, were they failures or cuts.
    for (let i = 1; i <= 10; i += 1) {
      const { leave } = ask()
      await venueHost.hasAsked(i)
      const left = performance.now()
      leave()
      expect(((await venueHost.asked[i - 1]?.ended) ?? Number.POSITIVE_INFINITY) - left).toBeLessThan(SOON_MS)
      await edge.logged('request', { path: '/api/v1/status' })
    }
    expect(stage.called('track').map(({ outcome }) => outcome)).toEqual(Array.from({ length: 10 }, () => 'cut'))
    expect(edge.logs.filter(({ event }) => event === 'request.failed')).toEqual([])
    venue.script.track = async () => statusOf('processing')
    expect((await stage.engine.quote(order, stage.context)).venue.id).toBe('toy')
    expect(stage.reported('venue.health')).toEqual([])
  })

  it('is no longer asked of the chain, and nothing is concluded from that', async () => {
    const { stage, venue, rpc, ask, troubles } = await start()
    venue.script.track = async () => ({ ...statusOf('success', { txHash: TX_HASH }), paidBy: [TX_HASH] })
    for (let i = 1; i <= 5; i += 1) {
      const { leave } = ask()
      await rpc.hasAsked(rpc.asked.length + 1)
      const left = performance.now()
      leave()
      expect(((await rpc.asked.at(-1)?.ended) ?? Number.POSITIVE_INFINITY) - left).toBeLessThan(SOON_MS)
    }
    expect((await stage.store.kept()).map(({ status, isFollowed }) => [status.state, isFollowed])).toEqual([['pending', false]])
    expect(stage.reported('swap.tracked')).toEqual([])
    expect(troubles).toEqual([])
  })
})

describe('a quote whose client leaves [quote-client-disconnects]', () => {
  it('is no longer asked of the venue, and counts against nobody', async () => {
    const { stage, edge, venueHost, venue, asksSilence } = await start()
    venue.script.quote = asksSilence
    const body = JSON.stringify(USDC_SWAP)
    for (let i = 1; i <= 10; i += 1) {
      const request = http.request({
        port: edge.port,
        host: '127.0.0.1',
        path: '/api/v1/quote',
        method: 'POST',
        agent: false,
        headers: JSON_TYPE,
      })
      request.on('error', () => undefined)
      request.end(body)
      await venueHost.hasAsked(i)
      const left = performance.now()
      request.destroy()
      expect(((await venueHost.asked[i - 1]?.ended) ?? Number.POSITIVE_INFINITY) - left).toBeLessThan(SOON_MS)
    }
    await expect.poll(() => stage.called('quote').filter(({ outcome }) => outcome === 'cut')).toHaveLength(10)
    expect(stage.reported('venue.health')).toEqual([])
  })
})
