import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { only, startService, type TestService } from '../support/service.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ ...only('across', 'cow', 'near-intents', 'relay'), TRUSTED_PROXIES: '127.0.0.1' })
})
afterAll(() => service.close())

describe('200', () => {
  it('is ok and names every venue when all is well', async () => {
    expect(await service.call('health')).toEqual({
      status: 'ok',
      venues: [
        { id: 'across', name: 'Across', healthy: true },
        { id: 'cow', name: 'CoW Protocol', healthy: true },
        { id: 'near-intents', name: 'NEAR Intents', healthy: true },
        { id: 'relay', name: 'Relay', healthy: true },
      ],
    })
  })

  it('does not mind a bad key', async () => {
    expect((await service.send('GET', '/api/v1/health', { headers: { 'x-api-key': 'nobodys' } })).status).toBe(200)
  })

  it('is degraded, and still 200, once a venue keeps failing', async () => {
    await service.control.fault('near-intents', 'http-500')
    for (let i = 1; i <= 5; i += 1)
      await service.send('POST', '/api/v1/quote', { body: DEPOSIT_SWAP, headers: { 'x-forwarded-for': `203.0.113.${i}` } })
    const health = await service.call('health')
    expect(health.status).toBe('degraded')
    expect(health.venues.filter(({ healthy }) => !healthy).map(({ id }) => id)).toEqual(['near-intents'])
  })
})
