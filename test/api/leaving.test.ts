import { once } from 'node:events'
import http from 'node:http'
import { describe, expect, it } from 'vitest'
import { createChainEvidence } from '../../engine/chains/chainEvidence.ts'
import { createEndpointHealth } from '../../engine/chains/endpoints/endpointHealth.ts'
import { systemClock } from '../../engine/core/clock.ts'
import { createHttpClient } from '../../engine/net/undiciClient.ts'
import { anOrder } from '../support/anOrder.ts'
import { closing } from '../support/closing.ts'
import { startEdge } from '../support/edgeServer.ts'
import { pair, TOKENS } from '../support/fakeChains.ts'
import { createFakeVenue, statusOf } from '../support/fakeVenue.ts'
import { listening } from '../support/listening.ts'
import { USDC_SWAP } from '../support/swaps.ts'
import { createTestEngine, START_AT } from '../support/testEngine.ts'

const own = closing()

/** Far less than the deadline of any call: what ends by then was ended. */
const SOON_MS = 1_500

/** A server that takes requests and never answers. */
const startSilent = async () => {
  /** The end of each request. */
  const ends: Promise<number>[] = []
  const server = http.createServer((request, response) => {
    request.resume()
    ends.push(once(response, 'close').then(() => performance.now()))
  })
  const { url } = own(await listening(server))
  return {
    url,
    /** Waits for a further request. Then the client disconnects, and all requests end at once. */
    expectEnd: async (leave: () => void) => {
      const before = ends.length
      await expect.poll(() => ends.length).toBeGreaterThan(before)
      const left = performance.now()
      leave()
      expect(Math.max(...(await Promise.all(ends))) - left).toBeLessThan(SOON_MS)
    },
  }
}

const TX_HASH = `0x${'ab'.repeat(32)}`

const start = async () => {
  const [venueHost, rpc] = [await startSilent(), await startSilent()]
  const client = own(createHttpClient())
  const venue = createFakeVenue('toy', { kind: 'DEPOSIT', now: () => START_AT })
  const troubles: object[] = []
  const health = createEndpointHealth({ clock: systemClock, observe: (event) => troubles.push(event) })
  const evidence = createChainEvidence({ rpcUrls: { 1: [rpc.url] }, http: client, health })
  const stage = own(await createTestEngine({ venues: [venue], evidence }))
  const edge = own(await startEdge({ engine: stage.engine }))
  const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
  const { quoteToken } = await stage.engine.quote(order, stage.context)
  const { statusRef } = await stage.engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, stage.context)
  /** Asks the venue's host, which is silent. */
  const asksSilence = async (_asked: unknown, signal: AbortSignal): Promise<never> => {
    await client.send({ method: 'GET', url: venueHost.url, signal })
    throw new Error('silence answered')
  }
  /** Sends a request on a connection of its own. Returns how the client disconnects. */
  const leaver = (path: string, body?: object) => {
    const headers = body ? { 'content-type': 'application/json' } : {}
    const method = body ? 'POST' : 'GET'
    const request = http.request({ port: edge.port, host: '127.0.0.1', path, method, headers, agent: false })
    request.on('error', () => undefined)
    request.end(body && JSON.stringify(body))
    return () => request.destroy()
  }
  const status = `/api/v1/status?${new URLSearchParams({ quoteToken, ref: statusRef ?? '' })}`
  return { venue, stage, edge, venueHost, rpc, troubles, leaver, status, order, asksSilence }
}

describe('a client that disconnects [quote-client-disconnects]', () => {
  it.each(['track', 'quote'] as const)(
    'during the call "%s" of the venue ends it at once, which counts as no failure',
    async (kind) => {
      const { stage, edge, venueHost, leaver, status, venue, order, asksSilence } = await start()
      const { quote } = venue.script
      venue.script[kind] = asksSilence
      // As many as would open the breaker, were they failures or cuts.
      for (let i = 1; i <= 10; i += 1)
        await venueHost.expectEnd(kind === 'track' ? leaver(status) : leaver('/api/v1/quote', USDC_SWAP))
      const cut = () => stage.called(kind).filter(({ outcome }) => outcome === 'cut')
      await expect.poll(cut).toHaveLength(10)
      expect(await edge.logged('request')).toMatchObject({ status: null, aborted: true })
      expect(edge.logs.filter(({ level }) => level !== 'info')).toEqual([])
      expect(stage.reported('venue.health')).toEqual([])
      venue.script.quote = quote
      expect((await stage.engine.quote(order, stage.context)).venue.id).toBe('toy')
    },
  )

  it('from a status request ends the reads of the chain, and changes neither the swap nor the health of the endpoint', async () => {
    const { stage, venue, rpc, leaver, status, troubles } = await start()
    venue.script.track = async () => ({ ...statusOf('success', { txHash: TX_HASH }), paidBy: [TX_HASH] })
    for (let i = 1; i <= 5; i += 1) await rpc.expectEnd(leaver(status))
    expect((await stage.store.kept()).map((swap) => [swap.status.state, swap.isFollowed])).toEqual([['pending', false]])
    expect(stage.reported('swap.tracked')).toEqual([])
    expect(troubles).toEqual([])
  })
})
