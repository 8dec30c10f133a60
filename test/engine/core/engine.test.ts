import { afterEach, describe, expect, it } from 'vitest'
import { NATIVE, nativeToken } from '../../../engine/core/asset.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { HttpError } from '../../../engine/net/httpClient.ts'
import { VENUE_DEFINITIONS } from '../../../engine/venues/registry.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { closing } from '../../support/closing.ts'
import { chainFails, chainHangs, createFakeChains, pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue } from '../../support/fakeVenue.ts'
import { advance, fakeTime, realTime } from '../../support/raceTime.ts'
import { createTestEngine, refusalOf, type TestEngineOptions } from '../../support/testEngine.ts'

const own = closing()
afterEach(realTime)

const start = async (options: TestEngineOptions = {}) => own(await createTestEngine(options))

/** Resolves a token by an engine with one venue. */
const resolve = async (chainId: ChainId, address: string, options: TestEngineOptions = {}) => {
  const { engine, context } = await start({ venues: [createFakeVenue('toy')], ...options })
  return engine.resolveToken({ chainId, address }, context)
}

describe('resolveToken', () => {
  const symbol = 'must be the address of a token, not its symbol: check an address with /api/v1/tokens/resolve, or use'

  it.each([
    [1, TOKENS.usdcEthereum.address.toLowerCase(), TOKENS.usdcEthereum],
    [-1, 'BTC', nativeToken(-1)],
  ] as const)('on chain %i reads %s', async (chainId, address, token) => {
    expect(await resolve(chainId, address)).toEqual(token)
  })

  it.each([
    [1, 'USDC', `${symbol} ${NATIVE} for ETH`],
    [1, 'no address of a token', 'is not a valid EVM address'],
    [1, WALLETS.evm, 'is not a token on chain 1'],
    [-1, TOKENS.usdcEthereum.address, `must be ${NATIVE} or BTC`],
  ] as const)('on chain %i rejects %s with UNSUPPORTED_TOKEN: %s [token-unknown-400]', async (chainId, address, reason) => {
    const { details } = await refusalOf(resolve(chainId, address), 'UNSUPPORTED_TOKEN')
    expect(details).toEqual({ fields: [{ path: 'address', reason }] })
  })

  it.each([
    ['is unreachable', chainFails('unreachable', 1), 0],
    ['hangs for five seconds', chainHangs(1), 5_000],
  ])('rejects with a retryable INTERNAL while the chain %s [token-unknown-400]', async (_what, token, ms) => {
    const chains = createFakeChains()
    chains.script.token = token
    const { engine, context } = await start({ venues: [createFakeVenue('toy')], chains })
    fakeTime()
    const asked = { chainId: 1, address: TOKENS.usdcEthereum.address } as const
    const call = refusalOf(engine.resolveToken(asked, context), 'INTERNAL')
    await advance(ms)
    const { details, publicMessage } = await call
    expect(details).toEqual({ chainId: 1, retryable: true })
    expect(publicMessage).not.toContain('scripted')
  })
})

describe('engine', () => {
  it('lists every registered venue in venueIds, and those of VENUES_ENABLED in health, in their order', async () => {
    const ids = VENUE_DEFINITIONS.map(({ id }) => id)
    const enabled = ids.slice(0, 2)
    const { engine } = await start({ env: { VENUES_ENABLED: enabled.join(',') } })
    expect(engine.venueIds).toEqual(ids)
    expect((await engine.health()).venues.map(({ id }) => id)).toEqual(enabled)
  })

  it('bounds the answers and lists of venues by VENUES_ANSWER_BYTES_MAX and VENUES_LIST_BYTES_MAX', async () => {
    const bounds = new Map<string, number | undefined>()
    const http: TestEngineOptions['http'] = async ({ url, bytesMax }) => {
      bounds.set(new URL(url).pathname, bytesMax)
      throw new HttpError('unreachable', 'offline')
    }
    const sizes = { VENUES_ANSWER_BYTES_MAX: '2000000', VENUES_LIST_BYTES_MAX: '5000000' }
    const on = await start({ env: { ...sizes, VENUES_ENABLED: 'near-intents,across' }, http })
    const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
    await refusalOf(on.engine.quote(order, on.context), 'INTERNAL')
    expect([bounds.get('/api/swap/approval'), bounds.get('/v0/tokens')]).toEqual([2_000_000, 5_000_000])
  })
})
