import { afterEach, expect, test } from 'vitest'
import { type EdgeServer, startEdge } from '../../support/edgeServer.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { createTestEngine, type TestEngine } from '../../support/testEngine.ts'
import { forged } from './forging.ts'
import { altered, openBroken, properAnswers, USDC, usdcOrder } from './support.ts'

/** A venue that promises much and guarantees nothing, its order saying the same: through the service's own API. */

let open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open) await each.close()
  open = []
})

const keep = <T extends { close(): Promise<void> }>(opened: T): T => {
  open.unshift(opened)
  return opened
}

/** Everything consistent: details, order, the order's id, and the deposit that carries it. */
const lie = async (
  expected: string,
  minimum: string,
): Promise<{ edge: EdgeServer; engine: TestEngine; asked: () => unknown }> => {
  const order = usdcOrder()
  const { chains, quote } = await properAnswers({ ...order, recipient: order.sender })
  const payment = 'output.payments.0'
  const told = [
    ['details.currencyOut.amount', expected],
    ['details.currencyOut.minimumAmount', minimum],
  ].reduce<unknown>((answer, [path = '', value]) => altered(answer, path, value), quote)
  const answer = forged(told, [
    [`${payment}.expectedAmount`, expected],
    [`${payment}.minimumAmount`, minimum],
  ])
  const broken = keep(
    await openBroken((path) => ({ body: path === '/chains' ? chains : answer }), { chains: createFakeChains() }),
  )
  const engine = keep(await createTestEngine({ venues: [broken.venue], chains: broken.chains }))
  const edge = keep(await startEdge({ engine: engine.engine }))
  return { edge, engine, asked: () => broken.asked.at(-1)?.body }
}

const body = {
  inputChainId: 8453,
  outputChainId: 42161,
  inputToken: USDC.base,
  outputToken: USDC.arbitrum,
  inputAmount: '250000000',
  userAddress: usdcOrder().sender,
}

test.each([
  ['nothing but one unit', '1'],
  ['less than the tolerance leaves', '245400000'],
])('an offer that guarantees %s is declined, told so, and not held against the venue', async (_what, minimum) => {
  const { edge, engine, asked } = await lie('250500000', minimum)
  for (let time = 0; time < 6; time += 1) {
    const { status, json } = await edge.call('/api/v1/quote', { method: 'POST', body })
    expect(status).toBe(404)
    expect(json.error.details['declines']).toEqual([
      { venue: 'relay', kind: 'noLiquidity', reason: 'boundTooWide', retryable: true },
    ])
  }
  expect(asked()).toMatchObject({ slippageTolerance: '200' })
  expect((await engine.engine.health()).isDegraded).toBe(false)
})

test('one that keeps the bound is offered, and tells it', async () => {
  const { edge } = await lie('250500000', '245490000')
  const { status, json } = await edge.call('/api/v1/quote', { method: 'POST', body })
  expect([status, json.data['slippage']]).toEqual([200, { bps: 200, isFirm: true, guaranteedMin: '245490000' }])
})
