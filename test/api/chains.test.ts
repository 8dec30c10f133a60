import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectFailure } from '../support/expectFailure.ts'
import { only, startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService(only('across'))
})
afterAll(() => service.close())

describe('200', () => {
  it('lists every chain once, in a list that is safe to cache', async () => {
    const answer = await service.send('GET', '/api/v1/chains')
    const { data } = answer.body as { data: readonly { chainId: number; nativeCurrency: { symbol: string } }[] }
    expect(answer.headers.get('cache-control')).toMatch(/max-age/)
    expect(data.map(({ chainId }) => chainId).toSorted((a, b) => a - b)).toEqual([
      -2, -1, 1, 10, 56, 130, 137, 143, 324, 480, 999, 4663, 8453, 42161, 43114, 59144,
    ])
    expect(data.find(({ chainId }) => chainId === -1)).toMatchObject({
      name: 'Bitcoin',
      nativeCurrency: { symbol: 'BTC', decimals: 8 },
    })
  })
})

describe('401', () => {
  it('refuses a key nobody was given', async () => {
    expectFailure(await service.send('GET', '/api/v1/chains', { headers: { 'x-api-key': 'nobodys' } }), 401, 'UNAUTHORIZED')
  })
})

describe('429', () => {
  it('says when to come back', async () => {
    const limited = await startService({ ...only('across'), RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1' })
    try {
      await limited.send('GET', '/api/v1/chains')
      const answer = await limited.send('GET', '/api/v1/chains')
      const { retryAfterSec } = expectFailure(answer, 429, 'RATE_LIMITED')
      expect(answer.headers.get('retry-after')).toBe(String(retryAfterSec))
      expect((await limited.send('GET', '/api/v1/health')).status).toBe(200)
    } finally {
      await limited.close()
    }
  })
})
