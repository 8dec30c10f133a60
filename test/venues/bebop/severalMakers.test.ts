import { type Abi, decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import { AGGREGATE_ABI, BEBOP_ORDER, SINGLE_ABI } from '../../../engine/venues/bebop/abi.ts'
import { eventLog, seenEvm } from '../../support/seenEvm.ts'
import { accept } from './recordedAnswers.ts'
import recordings from './recordings.json' with { type: 'json' }
import { cannedBebop, STRANGER, USDC, WETH } from './support.ts'

const recorded = recordings.find(({ name }) => name === 'USDC to ONDO by several makers') as (typeof recordings)[number]
const { args } = decodeFunctionData({ abi: AGGREGATE_ABI, data: recorded.data as Hex })
const [order, signatures] = args
type Made = typeof order
const ONDO = order.maker_tokens[0]?.[0] ?? '0x'
const dataOf = (change: Partial<Made>, filled = 0n) =>
  encodeFunctionData({ abi: AGGREGATE_ABI, functionName: 'swapAggregate', args: [{ ...order, ...change }, signatures, filled] })
const [[paid = 0n] = [], [paidToo = 0n] = []] = order.maker_amounts
const [[sold = 0n] = [], [soldToo = 0n] = []] = order.taker_amounts

test.each<[string, Partial<Made>, bigint?]>([
  ['taker', { taker_address: STRANGER as Hex }],
  ['receiver', { receiver: STRANGER as Hex }],
  ['expiry', { expiry: order.expiry + 301n }],
  ['maker amount', { maker_amounts: [[paid - paid / 50n], [paidToo]] }],
  ['maker amount of nothing', { maker_amounts: [[0n], [paid + paidToo]] }],
  ['taker amount', { taker_amounts: [[sold], [soldToo + 1n]] }],
  ['smaller taker amount', { taker_amounts: [[sold - 1n], [soldToo]] }],
  ['maker token', { maker_tokens: [[ONDO], [WETH]] }],
  ['taker token', { taker_tokens: [[USDC], [WETH]] }],
  ['number of makers', { maker_addresses: order.maker_addresses.slice(1) }],
  ['number of nonces', { maker_nonces: [] }],
  ['number of amounts', { maker_amounts: [[paid, 1n], [paidToo]] }],
  ['second leg', { maker_tokens: [[ONDO, ONDO], [ONDO]], maker_amounts: [[paid, 1n], [paidToo]], commands: '0x0000000000' }],
  ...['01', '02', '03', '04', '05', '06', '07', '08', 'ff'].flatMap((command): [string, Partial<Made>][] => [
    [`maker command ${command}`, { commands: `0x${command}000000` }],
    [`taker command ${command}`, { commands: `0x0000${'00'}${command}` }],
  ]),
  ['number of commands', { commands: '0x000000' }],
  ['partner', { flags: order.flags | (7n << 64n) }],
  ['flag', { flags: order.flags | 1n }],
  ['filled amount', {}, 1n],
  ['filled amount, a unit less', {}, sold + soldToo - 1n],
  ['filled amount, a unit more', {}, sold + soldToo + 1n],
])('quote: rejects an order of several makers with another %s', async (_name, change, filled) => {
  await expect(accept({ ...recorded, data: dataOf(change, filled) })()).rejects.toThrow()
})

test('quote: accepts an order of several makers that is filled whole by its amount', async () => {
  await accept({ ...recorded, data: dataOf({}, sold + soldToo) })()
})

const TRANSFER = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
const move = (token: string, from: string, to: string, value: bigint) =>
  eventLog(TRANSFER as Abi, 'Transfer', token, { from, to, value })
/** As the settlement logs it: every maker pays, then takes. */
const logsOf = (made: Made = order, eventId = order.flags >> 128n) => [
  ...made.maker_addresses.flatMap((maker, i) => [
    move(ONDO, maker, order.receiver, made.maker_amounts[i]?.[0] ?? 0n),
    move(USDC, order.taker_address, maker, made.taker_amounts[i]?.[0] ?? 0n),
  ]),
  eventLog(BEBOP_ORDER as Abi, 'BebopOrder', recorded.to, { eventId }),
]
const asset = (address: string) => ({ chainId: 1, address: addressOf('evm', address) })
const swapWith = (data: string) =>
  ({
    order: {
      ...{ input: asset(USDC), output: asset(ONDO), inputAmount: sold + soldToo },
      sender: addressOf('evm', order.taker_address),
    },
    binding: { recipient: addressOf('evm', order.receiver) },
    execution: {
      payload: { executionType: 'TRANSACTION', transaction: { chainId: 1, to: addressOf('evm', recorded.to), data, value: 0n } },
    },
  }) as unknown as ExecutedSwap
const { events } = cannedBebop(() => ({})).venue
const read = async (logs: ReturnType<typeof logsOf>, data = recorded.data) => {
  const seen = seenEvm(1, logs)
  const [inputs, outputs] = [await events?.inputs(seen, swapWith(data)), await events?.outputs(seen, swapWith(data), [])]
  return [inputs?.map(({ place }) => place), outputs?.map(({ place, amount }) => [place, amount]), await events?.named(seen)]
}

test('events: several makers deliver in as many transfers, each in its own place', async () => {
  const places = ['log:3', 'log:0', 'log:2']
  expect(await read(logsOf())).toEqual([
    ['log:1'],
    [
      ['log:0', paid],
      ['log:2', paidToo],
    ],
    places,
  ])
  const [maker = STRANGER] = order.maker_addresses
  const equal = { maker_addresses: [maker, maker] as Hex[], maker_amounts: [[paid], [paid]], taker_amounts: [[sold], [sold]] }
  const twice = logsOf({ ...order, ...equal })
  expect((await read(twice, dataOf(equal)))[1]).toEqual([
    ['log:2', paid],
    ['log:0', paid],
  ])
  expect((await read(twice.slice(2), dataOf(equal))).slice(0, 2)).toEqual([[], []])
})

test('events: no delivery when the transfer of one maker is missing, smaller, to another recipient, of another order or failed', async () => {
  const logs = logsOf()
  const transfers: [number, ReturnType<typeof move>[]][] = [0, 2].flatMap((at): [number, ReturnType<typeof move>[]][] => {
    const [maker, amount] = at === 0 ? [order.maker_addresses[0], paid] : [order.maker_addresses[1], paidToo]
    const from = maker ?? STRANGER
    return [
      [at, []],
      [at, [move(ONDO, from, order.receiver, amount - 1n)]],
      [at, [move(ONDO, from, STRANGER, amount)]],
      [at, [move(ONDO, STRANGER, order.receiver, amount)]],
      [at, [move(WETH, from, order.receiver, amount)]],
    ]
  })
  for (const [at, instead] of transfers) expect((await read(logs.toSpliced(at, 1, ...instead)))[1]).toEqual([])
  for (const at of [1, 3]) expect((await read(logs.toSpliced(at, 1)))[0]).toEqual([])
  expect((await read(logs.slice(0, -1)))[1]).toEqual([])
  expect((await read(logsOf(order, 1n)))[1]).toEqual([])
  expect(await events?.outputs(seenEvm(1, logs, { isSuccess: false }), swapWith(recorded.data), [])).toEqual([])
})

test('events: coins are paid when the contract wraps all of them for the maker; a partial fill with the same id does not match', async () => {
  const coins = recordings.find(({ name }) => name === 'ether to WBTC by the settlement') as (typeof recordings)[number]
  const [made] = decodeFunctionData({ abi: SINGLE_ABI, data: coins.data as Hex }).args
  const swap = swapWith(coins.data)
  Object.assign(swap.order, { input: { chainId: 1, address: NATIVE }, inputAmount: made.taker_amount })
  const filled = eventLog(BEBOP_ORDER as Abi, 'BebopOrder', coins.to, { eventId: made.flags >> 128n })
  const inputs = async (...passed: Parameters<typeof move>[]) => {
    const seen = seenEvm(1, [...passed.map((one) => move(...one)), filled])
    return (await events?.inputs(seen, swap))?.map(({ place }) => place)
  }
  expect(await inputs([WETH, coins.to, made.maker_address, made.taker_amount])).toEqual(['log:1'])
  expect(await inputs()).toEqual([])
  for (const wrong of [
    [WETH, coins.to, made.maker_address, 1n],
    [WETH, STRANGER, made.maker_address, made.taker_amount],
    [WETH, coins.to, STRANGER, made.taker_amount],
    [USDC, coins.to, made.maker_address, made.taker_amount],
  ] as const)
    expect(await inputs([...wrong])).toEqual([])
})
