import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { USDC } from '../../scripts/client/tokens.ts'
import { only, startService, type TestService } from '../support/service.ts'

const MKR = '0x9f8F72aA9304c8B593d555F12eF6589cC3A579A2'
const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F'

const USDC_TOKEN = { chainId: 1, address: USDC.ethereum, symbol: 'USDC', name: 'USD Coin', decimals: 6, isNative: false }

let service: TestService
beforeAll(async () => {
  service = await startService(only('across'))
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const resolve = async (chainId: 1 | 56, address: string) =>
  (await service.call('resolveToken', { query: { chainId, address } })).token

describe('tokens/resolve', () => {
  it.each<[string, 1 | 56, string, object]>([
    ['an address with checksum', 1, USDC.ethereum, USDC_TOKEN],
    ['an address in lower case', 1, USDC.ethereum.toLowerCase(), USDC_TOKEN],
    ['an old token whose name is no string', 1, MKR, { symbol: 'MKR', name: 'Maker', decimals: 18 }],
    ['USDC of BNB Smart Chain', 56, '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', { symbol: 'USDC', decimals: 18 }],
  ])('reads %s from its chain [token-metadata-onchain]', async (_what, chainId, address, token) => {
    expect(await resolve(chainId, address)).toMatchObject(token)
  })

  it('returns a listed token while its chain cannot be read', async () => {
    await service.control.fault('chain:1', 'http-500')
    expect(await resolve(1, DAI)).toMatchObject({ symbol: 'DAI', name: 'Dai Stablecoin', decimals: 18 })
  })
})
