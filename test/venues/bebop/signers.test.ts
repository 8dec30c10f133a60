import { encodeFunctionResult, multicall3Abi, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, describe, expect, test } from 'vitest'
import { ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import { ROUTER_SIGNER } from '../../../engine/simnet/venues/bebop/desk.ts'
import { type RouterHook, type RouterOrder, routerTypedData } from '../../../engine/venues/bebop/protocol.ts'
import type { VenueError } from '../../../engine/venues/venueError.ts'
import { chainFails, createFakeChains } from '../../support/fakeChains.ts'
import { renamed } from '../../support/renamed.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import {
  altered,
  never,
  prove,
  refusalOf,
  signed,
  swapOf,
  takenThrough,
  transactionOf,
  typedDataOf,
} from '../../support/venueKit/calls.ts'
import { changing, toldBy } from '../../support/venueKit/canned.ts'
import { accept } from './recordedAnswers.ts'
import recordings from './recordings.json' with { type: 'json' }
import * as its from './support.ts'

const bench = await its.openBench()
afterAll(() => bench.close())

describe('bebop: the order signer is the one that the router on chain names [venue-bebop]', () => {
  const open = (chains: ReturnType<typeof createFakeChains>, change = (body: object): object => body) => {
    let now = bench.clock.now()
    const answering = changing(toldBy(bench.sim), { '/pmm/base/v3/quote': change })
    const { venue } = its.cannedBebop(answering, { chains, now: () => now })
    const order = its.orders.ether({ from: [8453, NATIVE], to: [8453, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'] })
    const outcome = (): Promise<string> =>
      venue.quote(order, never()).then(
        () => 'offered',
        ({ check }: VenueError) => String(check),
      )
    return { outcome, later: (ms: number) => (now += ms) }
  }

  test('quote: reads the router once an hour', async () => {
    const chains = createFakeChains()
    const { outcome, later } = open(chains)
    for (const ms of [0, 59 * 60_000, 60_000, 1]) {
      later(ms)
      expect(await outcome()).toBe('offered')
    }
    expect(chains.calls).toHaveLength(2)
  })

  test('quote: accepts a signer that the router names since, a minute after its first rejection', async () => {
    const chains = its.chainsNaming(its.STRANGER)
    const { outcome, later } = open(chains)
    expect(await outcome()).toBe('signer')
    chains.script.call = createFakeChains().script.call
    expect(await outcome()).toBe('signer')
    later(60_000)
    expect(await outcome()).toBe('offered')
  })

  test('quote: accepts a new signer after rejections of others, with few chain reads', async () => {
    const chains = its.chainsNaming(its.STRANGER)
    let forged: number | null = 0
    // The last byte of the signature's `s`: each is of a signer of its own.
    const forge = (data: string) => data.replace(/(0{62}41[0-9a-f]{126})../, `$1${Buffer.of(forged ?? 0).toString('hex')}`)
    const { outcome } = open(chains, (body) => (forged === null ? body : altered(body, 'tx.data', forge)))
    expect(await outcome()).toBe('signer')
    chains.script.call = createFakeChains().script.call
    forged = null
    expect(await outcome()).toBe('offered')
    for (forged = 1; forged < 21; forged += 1) expect(await outcome()).toBe('signer')
    expect(chains.calls.length).toBeLessThanOrEqual(9)
  })
})

const POST_HOOK = 1n << 160n
const CHECKER = '0x50fb512828EE10ff67Ec9b24328cAf51dEFA75E6'
const signer = privateKeyToAccount(`0x${ROUTER_SIGNER.key}`)
const byRouter = await swapOf(bench.venue, its.orders.ether())
const call = its.readRouter(transactionOf(byRouter.execution).data)
const sign = async (order: RouterOrder, hooks: readonly RouterHook[], router?: typeof its.STRANGER) =>
  signer.signTypedData((await routerTypedData(1, order, { extraInfo: call.extra, hooks, ...(router && { router }) })) as never)
const withData = (data: string) => altered(byRouter.execution, 'payload.transaction.data', data)

test.each<[string, Partial<Record<keyof RouterHook, unknown>>, string, boolean]>([
  ['accepts a hook that calls the order checker, as the recorded one does', {}, CHECKER, true],
  ['rejects a hook that calls an approved token', { targetContract: its.USDC, data: '0x23b872dd' }, CHECKER, false],
  ['rejects a hook without a checker', {}, ZERO_EVM_ADDRESS, false],
  ['rejects a hook that calls the zero address', { targetContract: ZERO_EVM_ADDRESS }, ZERO_EVM_ADDRESS, false],
  ['rejects a hook that is flagged for a maker', { flags: POST_HOOK | BigInt(its.STRANGER) }, CHECKER, false],
  ['rejects a hook with a signature', { hookSignature: '0x12' }, CHECKER, false],
  ['rejects a hook with the flag of maker hooks', { flags: POST_HOOK << 2n }, CHECKER, false],
  ['rejects a hook with a flag that permits transfers', { flags: POST_HOOK << 3n }, CHECKER, false],
])('proof: of an order that the router signer signed, %s', async (_title, change, checker, isTaken) => {
  const hook = { targetContract: CHECKER, data: '0x0e3f98de', hookSignature: '0x', flags: POST_HOOK, ...change } as RouterHook
  const order = { ...call.order, checker } as RouterOrder
  const data = its.writeRouter({ ...call, order, hooks: [hook], signature: await sign(order, [hook]) } as typeof call)
  expect((await prove(bench.venue, byRouter, withData(data))).join()).toMatch(isTaken ? /^$/ : /hooks/)
})

test('proof: a router is called only where the setting adds it', async () => {
  const inner = renamed(its.writeSingle(call.makers), [[its.ROUTER, its.STRANGER]])
  const data = its.writeRouter({ ...call, signature: await sign(call.order as RouterOrder, [], its.STRANGER) }, inner)
  const execution = altered(withData(data), 'payload.transaction.to', its.STRANGER)
  const proof = (settings = {}) =>
    prove(its.cannedBebop(() => ({}), { chains: its.chainsNaming(ROUTER_SIGNER.address), settings }).venue, byRouter, execution)
  expect([await proof({ ROUTERS: its.STRANGER }), (await proof()).length > 0]).toEqual([[], true])
})

test.each<[string, object, object]>([
  ['is not sold', {}, { kind: 'unsupportedPair', reason: 'notSold' }],
  ['is rejected with an unknown contract', { to: its.STRANGER }, { kind: 'rejected', check: 'to' }],
  ['is rejected with an unknown call', { data: '0xdeadbeef00000000' }, { kind: 'rejected', check: 'call' }],
  ['is rejected with another taker', { wallet: its.STRANGER }, { kind: 'rejected', check: 'taker' }],
])('quote: a recorded order that is routed through a maker %s', async (_title, change, refusal) => {
  const several = recordings.find(({ name }) => name === 'USDC to ONDO by several makers') as (typeof recordings)[number]
  // A maker's token into the contract, and out of it to another maker.
  const data = several.data.replace(/0{63}400000000(?=0{56})/, `${'0'.repeat(63)}407000000`)
  expect(await refusalOf(accept({ ...several, data, ...change })())).toMatchObject(refusal)
})

test('quote: accepts bare numbers beyond the precision of JSON', async () => {
  const answering = async (asked: Parameters<ReturnType<typeof toldBy>>[0]) => {
    const text = JSON.stringify((await toldBy(bench.sim)(asked)).body)
    return { raw: text.replace(/"(partnerInfo|nonce)":"(\d+)"/g, '"$1":$2').replaceAll(its.WETH, its.WETH.toLowerCase()) }
  }
  const { execution } = await takenThrough(its.cannedBebop(answering).venue, its.orders.usdc({ feeBps: 30 }))
  expect(String(typedDataOf(execution).message['partnerInfo'])).toMatch(/^\d{58}$/)
})

test('unfilled: proves by its nonce in a later block that an order was never filled, but not one of makers', async () => {
  const chains = createFakeChains()
  const { venue } = its.cannedBebop(toldBy(bench.sim), { chains })
  const byMaker = await swapOf(its.cannedBebop(toldBy(bench.sim), { settings: its.BY_RFQ }).venue, its.orders.dai())
  const byJam = await swapOf(venue, its.orders.usdc())
  const isUnfilled = async (swap: typeof byJam, answer: string | null, code = '0x60') => {
    chains.script.call = async () => answer as never
    chains.script.code = async () => code as never
    return venue.unfilled?.isUnfilled(swap, never())
  }
  // The trial of an empty order with the same nonce succeeds only where the nonce is free, and only after the order's end.
  expect(await isUnfilled(byJam, '0x')).toBe(true)
  for (const [answer, code] of [[null], ['0x', '0x']] as const) expect(await isUnfilled(byJam, answer, code)).toBe(false)
  const { message } = typedDataOf(byJam.execution)
  const [, trial] = chains.calls
    .filter(({ method }) => method === 'call')
    .map(({ query }) => (query as { readonly data: string }).data)
  expect(trial).toContain(BigInt(String(message['nonce'])).toString(16))
  expect(trial).toContain(BigInt(String(message['expiry'])).toString(16).padStart(64, '0'))
  const answered = (seconds: number, isFree: boolean) => {
    const words = [seconds, Number(isFree)].map((word) => ({ success: true, returnData: toHex(word, { size: 32 }) }))
    return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: words })
  }
  const end = START_OF_TIME / 1_000 + 30
  for (const [seconds, isFree, isProved] of [
    [end + 1, true, true],
    [end + 1, false, false],
    [end, true, false],
  ] as const)
    expect(await isUnfilled(byRouter, answered(seconds, isFree))).toBe(isProved)
  expect([await isUnfilled(byRouter, null), await isUnfilled(byMaker, '0x')]).toEqual([false, false])
  const anybody = its.writeRouter({ ...call, order: { ...call.order, tokensOwner: ZERO_EVM_ADDRESS } } as typeof call)
  const byAnybody = altered(byRouter, 'execution.payload.transaction.data', anybody)
  expect(await isUnfilled(byAnybody, answered(end + 1, true))).toBe(false)
  chains.script.call = chainFails('unreachable', 1)
  for (const swap of [byJam, byRouter])
    await expect(venue.unfilled?.isUnfilled(swap, never())).rejects.toThrow('scripted unreachable')
})

test('submit: a swap that is sent on chain is not posted', async () => {
  const swap = await swapOf(bench.venue, its.orders.usdc())
  const submitted = bench.venue.submitter?.submit(byRouter, await signed(swap.execution), never())
  expect((await refusalOf(submitted)).kind).toBe('badRequest')
})
