import { expect, test } from 'vitest'
import type { Hex } from '../../../engine/core/execution.ts'
import { kyberswap } from '../../../engine/venues/kyberswap/venue.ts'
import { WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, prove, refusalOf, said, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import { hexOf, readCall, writeCall, writeGeneric } from './routerAbi.ts'
import { BUILD, FEE_RECIPIENT, openBench, orders, ROUTER, ROUTES, STRANGER, told, WITH_FEE } from './support.ts'

const open = closedAfterEach(openBench)

test('execute: requests a new route, and builds it for the quoted fee, the bound recipient and five minutes', async () => {
  const bench = await open({ settings: { ...WITH_FEE, CLIENT_ID: 'acme' } })
  const order = orders.usdc({ feeBps: 15, recipient: WALLETS.evm, slippageBps: 75 })
  const swap = await swapOf(bench.venue, order, { recipient: WALLETS.evmOther })
  expect(await prove(bench.venue, swap)).toEqual([])
  expect(transactionOf(swap.execution)).toMatchObject({ to: ROUTER, value: 0n, chainId: 1 })
  expect(bench.sent.map(({ path }) => path)).toEqual([ROUTES, ROUTES, BUILD])
  expect(bench.sent[1]?.query.toString()).toBe(bench.sent[0]?.query.toString())
  expect(bench.sent[2]?.body).toEqual({
    routeSummary: expect.any(Object),
    ...{ sender: WALLETS.evm, origin: WALLETS.evm, recipient: WALLETS.evmOther, source: 'acme' },
    ...{ slippageTolerance: 75, deadline: START_OF_TIME / 1_000 + 300 },
  })
  const claims = await bench.venue.decode(swap.execution)
  expect([said(claims.recipient), said(claims.fee)]).toEqual([WALLETS.evmOther, { bps: 15, recipient: FEE_RECIPIENT }])
  expect(bench.sent[2]?.headers['content-type']).toBe('application/json')
  expect(bench.sent[2]?.rawBody).toMatch(/^\{"routeSummary":\{"tokenIn":/)
  // The least is what the words insist on, and what the answer comes to.
  const { outputAmount, slippage } = swap.execution
  expect(claims.output.minimum).toBe(slippage?.guaranteedMin)
  expect(claims.output.minimum).toBe((outputAmount * 9_925n) / 10_000n)
})

/** What JSON.parse and JSON.stringify between them would spell otherwise. */
const ODD =
  '"extra" : { "10":1.0, "2": 79228162514264337593543950336,"e":1E2, "t":"\\u003ca\\/b\\u00e9\\u003e" } , "checksum":"1","checksum":"2"'

test('execute: sends the route back byte for byte, with the original numbers, escapes, spaces and order', async () => {
  const bench = await open()
  const sim = told(bench)
  const routes: string[] = []
  const { venue, asked } = canned(kyberswap, async (call) => {
    if (call.path === BUILD) {
      // Built as if nothing had been put into it.
      const { routeSummary, ...wish } = call.body as { routeSummary: { extra?: object; checksum: string } }
      const issued = JSON.parse(routes.at(-1) ?? '') as { data: { routeSummary: object } }
      return bench.sim.handle({ ...call, body: { ...wish, routeSummary: issued.data.routeSummary } })
    }
    const { body } = await bench.sim.handle(call)
    routes.push(JSON.stringify(body))
    return { raw: JSON.stringify(body).replace('{"tokenIn"', `{${ODD},"tokenIn"`) }
  })
  await swapOf(venue, orders.usdc())
  expect(sim.asked).toEqual([])
  const sent = asked.at(-1)?.rawBody ?? ''
  const summary = /"routeSummary":(\{.*\}),"routerAddress"/.exec(routes.at(-1) ?? '')?.[1] ?? ''
  expect(sent.startsWith(`{"routeSummary":${summary.replace('{"tokenIn"', `{${ODD},"tokenIn"`)},"sender":`)).toBe(true)
  expect(asked.at(-1)?.headers['content-type']).toBe('application/json')
})

const built = (field: string, value: unknown) => (body: object) => altered(body, `data.${field}`, value)
const rewritten = (change: (call: ReturnType<typeof readCall>) => string) =>
  built('data', (data: string) => change(readCall(data)))
/** The least that the words insist on, more by so much. */
const bounded = (by: bigint) =>
  rewritten(({ desc, ...call }) => writeCall({ ...call, desc: { ...desc, minReturnAmount: desc.minReturnAmount + by } }))

test.each([
  ['another minimum', bounded(-1n)],
  ['another minimum', bounded(1n)],
  ['another call', rewritten(writeGeneric)],
])('execute: rejects an altered payload with the reason "%s" [venue-kyberswap]', async (what, change) => {
  const { venue } = told(await open(), { changes: { [BUILD]: change } })
  const { kind, message } = await refusalOf(swapOf(venue, orders.usdc()))
  expect([kind, message]).toEqual(['rejected', expect.stringContaining(what)])
})

test.each([
  ['anotherRecipient', { dstReceiver: hexOf(STRANGER) }],
  ['anotherInputAmount', { amount: 1n, srcAmounts: [1n] }],
  ['inputThatGoesElsewhere', { srcReceivers: [WETH_ETHEREUM] as readonly Hex[] }],
  ['flagsThatNobodyExplains', { flags: 0x281n }],
])('execute: rejects a payload by the check %s, without another request [venue-kyberswap]', async (check, words) => {
  const change = rewritten(({ desc, ...call }) => writeCall({ ...call, desc: { ...desc, ...words } }))
  const { venue, asked } = told(await open(), { changes: { [BUILD]: change } })
  const found = expect.stringContaining(WETH_ETHEREUM)
  expect(await refusalOf(swapOf(venue, orders.usdc()))).toMatchObject({ kind: 'rejected', check, found })
  expect(asked.map(({ path }) => path)).toEqual([ROUTES, ROUTES, BUILD])
})

test.each(['recipient', 'sender'] as const)('execute: a %s that the route uses as a pool is a badRequest', async (party) => {
  const change = rewritten((call) => writeCall({ ...call, desc: { ...call.desc, srcReceivers: [hexOf(STRANGER)] } }))
  const { venue } = told(await open(), { changes: { [BUILD]: change } })
  expect(await refusalOf(swapOf(venue, { ...orders.usdc(), [party]: STRANGER }))).toMatchObject({ kind: 'badRequest', party })
})

test('execute: builds a price within the slippage with less slippage, so that the quoted minimum holds', async () => {
  const bench = await open()
  const order = orders.usdc({ slippageBps: 100 })
  const offer = await bench.venue.quote(order, never())
  bench.market.setPrice('ETH', 3_970_000_000n)
  const execution = await bench.venue.execute({ order, offer }, order, never())
  expect(await prove(bench.venue, { order, offer, binding: order, execution })).toEqual([])
  expect(execution.slippage?.guaranteedMin).toBeGreaterThanOrEqual(offer.slippage?.guaranteedMin ?? 0n)
  const asked = bench.sent
    .filter(({ path }) => path === BUILD)
    .map(({ body }) => (body as { slippageTolerance: number }).slippageTolerance)
  expect(asked).toEqual([100, 49])
  // Beyond it nothing is built that would do.
  bench.market.setPrice('ETH', 4_100_000_000n)
  const late = await bench.venue.execute({ order, offer }, order, never())
  expect(await prove(bench.venue, { order, offer, binding: order, execution: late })).toContain('output.minimum')
})

test('execute: accepts a payload of two units less than its route', async () => {
  const bench = await open()
  const order = orders.usdc({ slippageBps: 0 })
  const less = built('amountOut', (amount: string) => String(BigInt(amount) - 2n))
  const { venue, asked } = told(bench, { changes: { [BUILD]: (body) => bounded(-2n)(less(body)) } })
  const swap = await swapOf(venue, order)
  expect(await prove(venue, swap)).toEqual([])
  expect(asked.filter(({ path }) => path === BUILD)).toHaveLength(1)
})
