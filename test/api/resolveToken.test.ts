import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { NATIVE, USDC } from '../../scripts/client/tokens.ts'
import { expectFailure, failingPaths } from '../support/expectFailure.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { OTHER_EVM, SOLANA_WALLET } from '../support/swaps.ts'

const PATH = '/api/v1/tokens/resolve'
const MKR = '0x9f8F72aA9304c8B593d555F12eF6589cC3A579A2'
const DAI = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112'

let service: TestService
beforeAll(async () => {
  service = await startService(only('across'))
})
afterAll(() => service.close())
afterEach(() => service.control.clearFaults())

const get = (query: { readonly [name: string]: string | number }) => service.send('GET', PATH, { query })
const resolve = async (chainId: 1 | 56 | -1 | -2, address: string) =>
  (await service.call('resolveToken', { query: { chainId, address } })).token

describe('200', () => {
  it('reads a token from its chain, whatever the spelling of the address', async () => {
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

  it('knows native coins without reading anything', async () => {
    await service.control.fault('chain:1', 'hang')
    expect(await resolve(1, NATIVE)).toMatchObject({ symbol: 'ETH', decimals: 18, isNative: true })
    expect(await resolve(-1, 'BTC')).toMatchObject({ address: NATIVE, symbol: 'BTC', decimals: 8, isNative: true })
    expect(await resolve(-2, WRAPPED_SOL)).toMatchObject({ symbol: 'SOL', decimals: 9, isNative: true })
  })

  it('reads a Solana mint', async () => {
    expect(await resolve(-2, USDC.solana)).toMatchObject({ symbol: 'USDC', decimals: 6, isNative: false })
  })
})

describe('400', () => {
  it.each([
    ['a wallet', 1, OTHER_EVM],
    ['a wallet given as a mint', -2, SOLANA_WALLET],
    ['no address at all', 1, 'USDC'],
    ['a token of another chain', -1, USDC.ethereum],
  ] as const)('says that %s is no token', async (_what, chainId, address) => {
    expectFailure(await get({ chainId, address }), 400, 'UNSUPPORTED_TOKEN')
  })

  it('says which chain is not supported', async () => {
    expectFailure(await get({ chainId: 250, address: NATIVE }), 400, 'UNSUPPORTED_CHAIN')
  })

  it.each(['0x1', '1.5', '1.', '01', '+1', '1e0', '-0', '1.00000000001', ' 1', 'one', ''])(
    'refuses the chain id %j',
    async (chainId) => {
      expect(failingPaths(expectFailure(await get({ chainId, address: NATIVE }), 400, 'INVALID_REQUEST'))).toEqual(['chainId'])
    },
  )

  it('requires both parameters', async () => {
    expect(failingPaths(expectFailure(await get({}), 400, 'INVALID_REQUEST')).toSorted()).toEqual(['address', 'chainId'])
  })
})

describe('500', () => {
  it('says that the chain could not be read, which is not the same as no token', async () => {
    await service.control.fault('chain:1', 'http-500')
    const details = expectFailure(await get({ chainId: 1, address: `0x${'5'.repeat(40)}` }), 500, 'INTERNAL')
    expect(details).toMatchObject({ chainId: 1, retryable: true })
  })
})
