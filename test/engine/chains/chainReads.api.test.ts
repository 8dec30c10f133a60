import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { expectFailure } from '../../support/expectFailure.ts'
import { only, startService, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService(only('across'))
})
afterAll(() => service.close())

describe('GET /api/v1/tokens/resolve over the chains of the offline network', () => {
  it.each([
    [1, 'a contract without metadata', '0xcA11bde05977b3631167028862bE2a173976CA11'],
    [1, 'a wallet', `0x${'77'.padStart(40, '0')}`],
    [-2, 'a program', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'],
    [-2, 'a wallet', 'GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE'],
    [-1, 'an EVM address', USDC.ethereum],
  ] as const)('rejects on chain %i %s: %s', async (chainId, _what, address) => {
    const answer = await service.send('GET', '/api/v1/tokens/resolve', { query: { chainId, address } })
    expectFailure(answer, 400, 'UNSUPPORTED_TOKEN')
  })

  it.each([
    [-2, '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo', { symbol: 'PYUSD', name: 'PayPal USD' }],
    [-2, USDC.solana, { symbol: 'USDC', name: 'USD Coin' }],
    [-1, NATIVE, { symbol: 'BTC', decimals: 8, isNative: true }],
  ] as const)('reads on chain %i the token %s: %j', async (chainId, address, expected) => {
    expect((await service.call('resolveToken', { query: { chainId, address } })).token).toMatchObject(expected)
  })
})
