import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createChainEvidence } from '../../../engine/chains/chainEvidence.ts'
import { createEndpointHealth } from '../../../engine/chains/endpoints/endpointHealth.ts'
import { endpointFacts, headAgeMaxMs, publicEndpoints } from '../../../engine/chains/endpoints/publicEndpoints.ts'
import { BITCOIN, CHAIN_IDS, chainOf } from '../../../engine/core/chain.ts'
import { projectRoot } from '../../../scripts/contract/document.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { benchOver, fakeTimers, never } from './chainsBench.ts'
import { createFakeHttp, type Endpoint, hangs, says } from './evmNode.ts'

describe('public endpoints: the list', () => {
  it.each(CHAIN_IDS)(
    'chain %i has three or more of different providers (Bitcoin two), each with a source [rpc-public-defaults]',
    (chainId) => {
      const endpoints = publicEndpoints(chainId)
      const least = chainId === BITCOIN ? 2 : 3
      expect(new Set(endpoints.map(({ provider }) => provider)).size).toBeGreaterThanOrEqual(least)
      // More would leave the later ones too little of a read's time.
      expect(endpoints.length).toBeLessThanOrEqual(4)
      for (const { url, source } of endpoints) {
        expect(url).toMatch(/^https:\/\/[a-z0-9.-]+(\/[a-z0-9/]*)?$/i)
        expect(source).not.toBe('')
        expect(endpointFacts(url)).toMatchObject({ url, source })
      }
    },
  )

  it('names no host of an unknown third party, and no facts of an endpoint of the operator', () => {
    const hosts = CHAIN_IDS.flatMap((chainId) => publicEndpoints(chainId).map(({ url }) => new URL(url).hostname))
    expect(hosts).not.toContain('rpc.ordofi.network')
    expect(new Set(hosts).size).toBe(hosts.length)
    expect(endpointFacts('https://base-mainnet.g.alchemy.com/v2/key')).toBeNull()
  })

  it('is the table of RPC.md, with the bound on the age of the newest block', () => {
    const page = readFileSync(join(projectRoot, 'engine/chains/RPC.md'), 'utf8')
    const known = (value: number | null, zero = '0') => (value === null ? '' : value === 0 ? zero : value.toLocaleString('en'))
    const rows = CHAIN_IDS.flatMap((chainId) => {
      const bound = `${(headAgeMaxMs(chainId) / 1_000).toLocaleString('en')} s`
      return publicEndpoints(chainId).map(
        ({ url, provider, logBlocks, requestsPerMinute }, index) =>
          `| ${index === 0 ? chainOf(chainId).name : ''} | \`${url}\` | ${provider} | ${known(logBlocks, 'off')} | ${known(requestsPerMinute)} | ${index === 0 ? bound : ''} |`,
      )
    })
    const table = page.split('\n').filter((line) => line.includes('| `https://'))
    expect(table).toEqual(rows)
  })

  it('asks the next public endpoint when the first fails, for an operator who set none', async () => {
    const http = createFakeHttp({ 'base-rpc.publicnode.com': says({ result: '0x' }) })
    const health = createEndpointHealth({ clock: { now: () => 0 } })
    const evidence = createChainEvidence({ rpcUrls: {}, http, health })
    expect(await evidence.hasCode({ chainId: 8453, address: WALLETS.evm }, never())).toBe(false)
    expect(http.sent.map(({ host }) => host)).toEqual(['mainnet.base.org', 'base-rpc.publicnode.com'])
  })
})

describe('several endpoints: their shares of the time for a read', () => {
  beforeEach(fakeTimers)
  afterEach(() => {
    vi.useRealTimers()
  })

  const after =
    (ms: number): Endpoint =>
    (call, signal) =>
      Promise.race([
        new Promise((resolve) => setTimeout(resolve, ms)).then(() => says({ result: '0x' })(call, signal)),
        hangs(call, signal),
      ])

  it.each([
    ['gives a slow first one half of it, however many there are', { a: 1_400, b: 1, c: 1, d: 1 }, ['a']],
    ['cuts the first one after half of it', { a: 1_600, b: 1, c: 1, d: 1 }, ['a', 'b']],
    ['shares the other half among the rest', { a: 1_600, b: 600, c: 400, d: 1 }, ['a', 'b', 'c']],
    ['gives a lone one all of it', { a: 2_900 }, ['a']],
  ])('%s', async (_what, delays, hosts) => {
    const { read } = benchOver(Object.fromEntries(Object.entries(delays).map(([host, ms]) => [host, after(ms)])))
    expect(await read()).toEqual([...hosts, 'answered'])
  })
})
