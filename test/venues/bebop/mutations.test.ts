import { decodeFunctionData, encodeFunctionData, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import type { Json } from '../../../engine/core/json.ts'
import { ROUTER_SIGNER } from '../../../engine/simnet/venues/bebop/networks.ts'
import { ROUTER_ABI, type RouterHook, type RouterOrder, SINGLE_ABI } from '../../../engine/venues/bebop/abi.ts'
import { routerTypedData } from '../../../engine/venues/bebop/routerOrder.ts'
import { renamed } from '../../support/renamed.ts'
import { START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import { altered, prove, type Swap, swapOf, takenThrough, transactionOf, typedDataOf } from '../../support/venueKit/calls.ts'
import { changing, toldBy } from '../../support/venueKit/canned.ts'
import { countMutations, flips } from '../../support/venueKit/mutations.ts'
import { otherCalls } from '../../support/venueKit/payloads.ts'
import {
  BALANCE_MANAGER,
  type Body,
  BY_RFQ,
  cannedBebop,
  chainsNaming,
  DAI,
  etherToUsdc,
  JAM,
  openBench,
  ROUTER,
  SETTLEMENT,
  STRANGER,
  USDC,
  usdcToDai,
  usdcToWeth,
  WETH,
} from './support.ts'

let bench: VenueBench
let signed: Swap
let byRouter: Swap
let byMaker: Swap
beforeAll(async () => {
  bench = await openBench({ settings: BY_RFQ })
  byRouter = await swapOf(bench.venue, etherToUsdc())
  byMaker = await swapOf(bench.venue, usdcToDai())
  signed = await swapOf(cannedBebop(toldBy(bench.sim)).venue, usdcToWeth({ feeBps: 30 }))
})
afterAll(() => bench.close())

const refuses = countMutations('bebop')

const venue = () => cannedBebop(() => ({})).venue

const expectRefused = async (swap: Swap, execution: Execution, reason: RegExp = /./): Promise<void> => {
  expect(refuses(String(reason), await prove(venue(), swap, execution)).join('; ')).toMatch(reason)
}

test.each([
  ['the signed order', () => signed],
  ['the call of the router', () => byRouter],
  ['the call of the settlement', () => byMaker],
])('proof: accepts %s unaltered, and rejects it with the evidence of another taker or version', async (_name, swap) => {
  expect(await prove(venue(), swap())).toEqual([])
  const evidence: readonly Json[] = [null, {}, { v: 2, taker: swap().order.sender }, { v: 1, taker: STRANGER }]
  for (const other of evidence) await expectRefused(swap(), { ...swap().execution, evidence: other })
})

const NOW_S = START_OF_TIME / 1_000
const MESSAGE = 'payload.typedData.message'
const ADDRESS_SHIFT = 32n

describe('proof: a signed JAM order', () => {
  const partnerInfo = () => BigInt(String(typedDataOf(signed.execution).message['partnerInfo']))
  const least = () => signed.offer.slippage?.guaranteedMin ?? 0n

  test.each<[string, Json, RegExp]>([
    ['taker', STRANGER, /taker/],
    ['receiver', STRANGER, /^recipient$/],
    ['receiver', ZERO_EVM_ADDRESS, /receiver/],
    ['receiver', '0x12', /undecodable/],
    ['expiry', String(NOW_S), /^deadline$/],
    ['expiry', String(NOW_S + 301), /^deadline$/],
    ['expiry', '9999999999', /^deadline$/],
    ['expiry', '9'.repeat(60), /^deadline$/],
    ['expiry', NOW_S + 30, /undecodable/],
    ['nonce', '0', /nonce/],
    ['sellTokens', [WETH], /^input.token$/],
    ['sellTokens', [USDC, WETH], /undecodable/],
    ['sellTokens', [], /undecodable/],
    ['sellTokens', ['0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'], /sellToken/],
    ['buyTokens', [DAI], /^output.token$/],
    ['buyTokens', [WETH, DAI], /undecodable/],
    ['sellAmounts', ['1000000001'], /^input.amount$/],
    ['sellAmounts', ['999999999'], /^input.amount$/],
    ['sellAmounts', ['1000000000', '1'], /undecodable/],
    ['buyAmounts', ['0'], /^output.minimum$/],
    ['buyAmounts', [], /undecodable/],
    ['hooksHash', `0x${'0'.repeat(63)}1`, /hooksHash/],
    ['aFieldMore', 'x', /undecodable/],
  ])('is rejected with another %s: %j', async (field, value, reason) => {
    await expectRefused(signed, altered(signed.execution, `${MESSAGE}.${field}`, value), reason)
  })

  test('is rejected with a minimum one unit lower, another fee or another fee recipient', async () => {
    await expectRefused(
      signed,
      altered(signed.execution, `${MESSAGE}.buyAmounts`, [(least() - 1n).toString()]),
      /^output.minimum$/,
    )
    const infos: readonly [bigint, RegExp][] = [
      [partnerInfo() + (1n << 16n), /^fee.amount$/],
      [partnerInfo() - (1n << 16n), /^fee.amount$/],
      [partnerInfo() & 0xffffn, /^fee$/],
      [partnerInfo() + (1n << ADDRESS_SHIFT), /^fee.recipient$/],
      [(BigInt(STRANGER) << ADDRESS_SHIFT) | (partnerInfo() & 0xffffffffn), /^fee.recipient$/],
      [partnerInfo() | (1n << 192n), /undecodable/],
    ]
    for (const [info, reason] of infos)
      await expectRefused(signed, altered(signed.execution, `${MESSAGE}.partnerInfo`, info.toString()), reason)
  })

  test.each<[string, Json, RegExp]>([
    ['domain.name', 'JamSettlement2', /domain/],
    ['domain.version', '1', /domain/],
    ['domain.salt', `0x${'1'.repeat(64)}`, /domain/],
    ['domain.chainId', 8453, /chain/],
    ['domain.chainId', 31_337, /undecodable/],
    ['domain.verifyingContract', STRANGER, /contract/],
    ['domain.verifyingContract', BALANCE_MANAGER, /verifyingContract/],
    ['primaryType', 'Order', /types/],
    ['types', {}, /types/],
    ['types.JamOrder.0.type', 'bytes32', /types/],
    ['types.JamOrder.6.name', 'partner', /types/],
    ['types.More', [], /types/],
  ])('is rejected with another %s: %j', async (path, value, reason) => {
    await expectRefused(signed, altered(signed.execution, `payload.typedData.${path}`, value), reason)
  })

  test('is rejected with an added approval, on another chain and as another payload type', async () => {
    const { typedData } = signed.execution.payload as { typedData: Json }
    await expectRefused(signed, altered(signed.execution, 'payload.approvalData', typedData), /approval/)
    await expectRefused(signed, altered(signed.execution, 'payload.chainId', 10), /chainId/)
    await expectRefused(signed, { ...signed.execution, payload: byMaker.execution.payload }, /executionType/)
    await expectRefused(signed, { ...byRouter.execution, evidence: signed.execution.evidence }, /executionType/)
  })
})

const withData = (swap: Swap, data: string): Execution => altered(swap.execution, 'payload.transaction.data', data)

const dataOf = (swap: Swap): Hex => transactionOf(swap.execution).data as Hex

type RouterArgs = Parameters<typeof encodeFunctionData<typeof ROUTER_ABI, 'swap'>>[0]['args']
const routerArgs = () => decodeFunctionData({ abi: ROUTER_ABI, data: dataOf(byRouter) }).args
const swapData = (args: readonly unknown[]) =>
  encodeFunctionData({ abi: ROUTER_ABI, functionName: 'swap', args: args as unknown as RouterArgs })
const singleData = (...args: Parameters<typeof encodeFunctionData<typeof SINGLE_ABI, 'swapSingle'>>[0]['args']) =>
  encodeFunctionData({ abi: SINGLE_ABI, functionName: 'swapSingle', args })

describe('proof: a router call', () => {
  test('is rejected with any altered byte that its signer covers or that precedes the signature', async () => {
    const args = routerArgs()
    const inner = dataOf(byRouter).indexOf(args[4].slice(2))
    const outer = Buffer.from(dataOf(byRouter).slice(2, inner), 'hex')
    expect(outer.length).toBeGreaterThan(800)
    for (const flipped of flips(outer))
      await expectRefused(
        byRouter,
        withData(byRouter, `0x${Buffer.from(flipped).toString('hex')}${dataOf(byRouter).slice(inner)}`),
      )
  })

  test.each<[string, unknown]>([
    ['taker_address', STRANGER],
    ['receiver', STRANGER],
    ['taker_token', DAI],
    ['maker_token', WETH],
    ['taker_amount', 1n],
    ['taker_amount', 10n ** 18n + 1n],
    ['maker_amount', 1n],
    ['packed_commands', 1n],
    ['packed_commands', 2n],
    ['packed_commands', 4n],
    ['flags', 1n],
    ['expiry', BigInt(NOW_S)],
  ])('is rejected with a maker order with another %s: %s', async (field, value) => {
    const args = routerArgs()
    const made = decodeFunctionData({ abi: SINGLE_ABI, data: args[4] })
    const changed = { ...made.args[0], [field]: value } as (typeof made.args)[0]
    const makers = singleData(changed, made.args[1], made.args[2])
    await expectRefused(byRouter, withData(byRouter, swapData(args.with(4, makers))))
  })

  test('is rejected with another maker call, an unsigned hook or trailing bytes', async () => {
    const args = routerArgs()
    const swapWith = (index: number, value: unknown) => swapData(args.with(index, value as never))
    const hook = { targetContract: STRANGER, data: '0x', hookSignature: '0x', flags: 0n }
    for (const [index, value] of [
      [4, '0x'],
      [4, '0x12345678'],
      [5, [hook]],
      [3, '0x'],
    ] as const)
      await expectRefused(byRouter, withData(byRouter, swapWith(index, value)))
    const data = dataOf(byRouter)
    for (const other of ['0x', '0x9586d0e8', `${data}00`, data.slice(0, -2), data.slice(0, -1)])
      await expectRefused(byRouter, withData(byRouter, other), /undecodable|unread/)
  })
})

const POST_HOOK = 1n << 160n
const CHECKER = '0x50fb512828EE10ff67Ec9b24328cAf51dEFA75E6'

describe('proof: a hook signed by the router signer', () => {
  const signer = privateKeyToAccount(`0x${ROUTER_SIGNER.key}`)
  const withHook = async (hook: RouterHook, checker: string) => {
    const args = routerArgs()
    const order = { ...args[1], checker } as unknown as RouterOrder
    const typedData = await routerTypedData(1, order, { extraInfo: args[2], hooks: [hook] })
    const signature = await signer.signTypedData(typedData as never)
    return withData(byRouter, swapData([args[0], order, args[2], signature, args[4], [hook]]))
  }
  const hook = { targetContract: CHECKER, data: '0x0e3f98de', hookSignature: '0x', flags: POST_HOOK } as RouterHook

  test('is accepted for a router from a setting, and rejected without the setting', async () => {
    const [sold, order, extraInfo, , makers] = routerArgs()
    const inner = renamed(makers, [[ROUTER, STRANGER]])
    const typedData = await routerTypedData(1, order as RouterOrder, { extraInfo, hooks: [], router: STRANGER })
    const signature = await signer.signTypedData(typedData as never)
    const data = swapData([sold, order, extraInfo, signature, inner, []])
    const execution = altered(withData(byRouter, data), 'payload.transaction.to', STRANGER)
    const chains = chainsNaming(ROUTER_SIGNER.address)
    const proof = (settings = {}) => prove(cannedBebop(() => ({}), { chains, settings }).venue, byRouter, execution)
    expect([await proof({ ROUTERS: STRANGER }), (await proof()).length > 0]).toEqual([[], true])
  })

  test('is accepted when it calls the order checker, as the recorded hook does', async () => {
    expect(await prove(venue(), byRouter, await withHook(hook, CHECKER))).toEqual([])
  })

  test.each<[string, Partial<Record<keyof RouterHook, unknown>>, string]>([
    ['when it calls a token that the router has allowances for', { targetContract: USDC, data: '0x23b872dd' }, CHECKER],
    ['without a checker', {}, ZERO_EVM_ADDRESS],
    ['when it calls the zero address', { targetContract: ZERO_EVM_ADDRESS }, ZERO_EVM_ADDRESS],
    ['when it is flagged for a maker', { flags: POST_HOOK | BigInt(STRANGER) }, CHECKER],
    ['with a signature', { hookSignature: '0x12' }, CHECKER],
    ['with the flag of maker hooks', { flags: POST_HOOK << 2n }, CHECKER],
    ['with a flag that permits transfers', { flags: POST_HOOK << 3n }, CHECKER],
  ])('is rejected %s', async (_name, change, checker) => {
    await expectRefused(byRouter, await withHook({ ...hook, ...change } as RouterHook, checker), /hooks/)
  })
})

describe('proof: a call of the maker settlement', () => {
  test.each<[string, unknown, RegExp]>([
    ['expiry', BigInt(NOW_S), /^deadline$/],
    ['expiry', BigInt(NOW_S + 301), /^deadline$/],
    ['expiry', (1n << 256n) - 1n, /^deadline$/],
    ['taker_address', STRANGER, /taker/],
    ['taker_token', WETH, /^input.token$/],
    ['maker_token', WETH, /^output.token$/],
    ['taker_amount', 1_000_000_001n, /^input.amount$/],
    ['taker_amount', 999_999_999n, /^input.amount$/],
    ['receiver', STRANGER, /^recipient$/],
    ['receiver', ZERO_EVM_ADDRESS, /receiver/],
    ['packed_commands', 1n, /coins/],
    ['packed_commands', 2n, /packed_commands/],
    ['flags', 1n, /flags/],
    ['flags', 1n << 63n, /flags/],
    ['flags', 1n << 64n, /partner/],
    ['flags', 7n << 64n, /partner/],
  ])('is rejected with another %s: %s', async (field, value, reason) => {
    const { args } = decodeFunctionData({ abi: SINGLE_ABI, data: dataOf(byMaker) })
    const order = { ...args[0], [field]: value } as (typeof args)[0]
    await expectRefused(byMaker, withData(byMaker, singleData(order, args[1], args[2])), reason)
  })

  test('is rejected with one unit less, a partial fill or misplaced bytes', async () => {
    const { args } = decodeFunctionData({ abi: SINGLE_ABI, data: dataOf(byMaker) })
    const [order, signature] = args
    const encoded = (changed: typeof order, filled: bigint) => singleData(changed, signature, filled)
    const less = { ...order, maker_amount: order.maker_amount - 1n }
    await expectRefused(byMaker, withData(byMaker, encoded(less, 0n)), /^output.minimum$/)
    for (const filled of [1n, order.taker_amount - 1n, order.taker_amount + 1n])
      await expectRefused(byMaker, withData(byMaker, encoded(order, filled)), /filledTakerAmount/)
    const [, ...odd] = otherCalls(dataOf(byMaker)).slice(-5)
    for (const data of odd) await expectRefused(byMaker, withData(byMaker, data), /undecodable/)
  })
})

describe.each([
  ['the router', () => byRouter, ROUTER],
  ['the settlement of makers', () => byMaker, SETTLEMENT],
])('proof: the transaction that calls %s', (_name, swap, to) => {
  test.each<[string, Json | bigint]>([
    ['to', STRANGER],
    ['to', to === ROUTER ? SETTLEMENT : ROUTER],
    ['to', JAM],
    ['to', BALANCE_MANAGER],
    ['value', 1n],
    ['value', 10n ** 18n + 1n],
    ['chainId', 8453],
    ['chainId', 42161],
    ['serialized', 'AA=='],
    ['data', '0xzz'],
  ])('is rejected with another %s: %s', async (field, value) => {
    await expectRefused(swap(), altered(swap().execution, `payload.transaction.${field}`, value))
  })
})

/** Amounts that are off by the decimals of another token. */
const POWERS = [1n, 6n, 12n, 18n].flatMap((power) => [
  [`times 10^${power}`, (digits: unknown) => (BigInt(String(digits)) * 10n ** power).toString()] as const,
  [`over 10^${power}`, (digits: unknown) => (BigInt(String(digits)) / 10n ** power).toString()] as const,
])

const outcomeWith = async (at: string, scaled: (digits: unknown) => string): Promise<string> => {
  const lying = changing(toldBy(bench.sim), { '/jam/ethereum/v2/quote': (body: Body) => altered(body, at, scaled) })
  const { venue: lied } = cannedBebop(lying, { now: bench.clock.now })
  return takenThrough(lied, usdcToWeth(), bench.clock.now()).then(
    () => 'taken',
    () => 'refused',
  )
}

test.each(POWERS)('quote and proof: no amount of an answer or payload is accepted %s', async (name, scaled) => {
  const isMore = name.startsWith('times')
  await expectRefused(signed, altered(signed.execution, `${MESSAGE}.sellAmounts.0`, scaled), /^input.amount$/)
  if (!isMore) await expectRefused(signed, altered(signed.execution, `${MESSAGE}.buyAmounts.0`, scaled), /^output.minimum$/)
  expect(await outcomeWith(`sellTokens.${USDC}.amount`, scaled)).toBe('refused')
  expect(await outcomeWith(`buyTokens.${WETH}.amount`, scaled)).toBe('refused')
  for (const at of ['sellAmounts.0', 'buyAmounts.0']) expect(await outcomeWith(`toSign.${at}`, scaled)).toBe('refused')
  // What is told to be guaranteed is nothing: the order's own words are.
  expect(await outcomeWith(`buyTokens.${WETH}.minimumAmount`, scaled)).toBe(isMore ? 'refused' : 'taken')
})
