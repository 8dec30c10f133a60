import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { USDC } from '../../scripts/client/tokens.ts'
import { only, startService, type TestService } from '../support/service.ts'

const MKR = '0x9f8F72aA9304c8B593d555F12eF6589cC3A579A2'
const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F'

let service: TestService
beforeAll(async () => {
  service = await startService(only('across'))
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const resolve = async (chainId: 1 | 56 | -1 | -2, address: string) =>
  (await service.call('resolveToken', { query: { chainId, address } })).token

describe('200', () => {
  it('reads a token from its chain, whatever the spelling of the address [token-metadata-onchain]', async () => {
    const token = { chainId: 1, address: USDC.ethereum, symbol: 'USDC', name: 'USD Coin', decimals: 6, isNative: false }
    expect(await resolve(1, USDC.ethereum)).toEqual(token)
    expect(await resolve(1, USDC.ethereum.toLowerCase())).toEqual(token)
  })

  it('names a token of the tables while its chain cannot be read', async () => {
    await service.control.fault('chain:1', 'http-500')
    expect(await resolve(1, DAI)).toMatchObject({ symbol: 'DAI', name: 'Dai Stablecoin', decimals: 18 })
  })

  it('reads the old tokens whose name is no string', async () => {
    expect(await resolve(1, MKR)).toMatchObject({ symbol: 'MKR', name: 'Maker', decimals: 18 })
  })

  it('reads the decimals of each chain: the same dollar has 18 on BNB Smart Chain', async () => {
    expect(await resolve(56, '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d')).toMatchObject({ symbol: 'USDC', decimals: 18 })
  })
})
