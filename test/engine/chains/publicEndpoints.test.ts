import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { endpointFacts, headAgeMaxMs, publicEndpoints } from '../../../engine/chains/endpoints/publicEndpoints.ts'
import { BITCOIN, CHAIN_IDS, chainOf } from '../../../engine/core/chain.ts'
import { projectRoot } from '../../../scripts/contract/document.ts'
import { benchOver, never } from './evidenceBench.ts'
import { payee } from './evmBench.ts'

describe('public endpoints', () => {
  it.each(CHAIN_IDS)(
    'chain %i has 3 or 4 of different providers (Bitcoin 2), each with a source [rpc-public-defaults]',
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

  it('name each host once, no unknown third party, and have no facts about an endpoint of the operator', () => {
    const hosts = CHAIN_IDS.flatMap((chainId) => publicEndpoints(chainId).map(({ url }) => new URL(url).hostname))
    expect(hosts).not.toContain('rpc.ordofi.network')
    expect(new Set(hosts).size).toBe(hosts.length)
    expect(endpointFacts('https://base-mainnet.g.alchemy.com/v2/key')).toBeNull()
  })

  it('are the table of RPC.md, with the bound on the age of the newest block', () => {
    const known = (value: number | null, zero = '0') => (value === null ? '' : value === 0 ? zero : value.toLocaleString('en'))
    const rows = CHAIN_IDS.flatMap((chainId) =>
      publicEndpoints(chainId).map(({ url, provider, logBlocks, requestsPerMinute }, index) => {
        const bound = `${(headAgeMaxMs(chainId) / 1_000).toLocaleString('en')} s`
        const [name, age] = index === 0 ? [chainOf(chainId).name, bound] : ['', '']
        return `| ${name} | \`${url}\` | ${provider} | ${known(logBlocks, 'off')} | ${known(requestsPerMinute)} | ${age} |`
      }),
    )
    const page = readFileSync(join(projectRoot, 'engine/chains/RPC.md'), 'utf8')
    expect(page.split('\n').filter((line) => line.includes('| `https://'))).toEqual(rows)
  })

  it('are read in their order for an operator who sets none', async () => {
    const { evidence, hosts } = benchOver({ 'base-rpc.publicnode.com': { eth_getCode: '0x' } }, { rpcUrls: {} })
    expect(await evidence.hasCode({ chainId: 8453, address: payee }, never())).toBe(false)
    expect(hosts()).toEqual(['mainnet.base.org', 'base-rpc.publicnode.com'])
  })
})
