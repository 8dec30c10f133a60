import type { Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import type { SimLog } from '../../../engine/simnet/kit/simVenue.ts'
import { anOrder } from '../../support/anOrder.ts'
import { retold } from '../../support/seenEvm.ts'
import { swapOf } from '../../support/venueKit/calls.ts'
import { countForgeries } from '../../support/venueKit/forgeries.ts'
import { EVENTS, FILLS } from './abi.ts'
import {
  again,
  altered,
  DEPOSITED,
  type EventsNetwork,
  ether,
  exchanged,
  FILLED,
  openEventsNetwork,
  STRANGER,
  SWAPPED,
  topicAt,
  withLog,
} from './eventsNetwork.ts'
import { type Change, changesOf, word } from './forging.ts'
import { type AcrossBench, openBench, USDC, usdcOrder, WETH, WITH_FEE } from './support.ts'

const count = countForgeries('across', 127)
let network: EventsNetwork
let bench: AcrossBench
beforeAll(async () => {
  network = openEventsNetwork()
  bench = await openBench({ settings: WITH_FEE })
})
afterAll(() => Promise.all([bench.close(), network.close()]))

const inputsOf = (seen: SeenTransaction, swap: ExecutedSwap) => bench.venue.events?.inputs(seen, swap) ?? null
const outputsOf = (seen: SeenTransaction, swap: ExecutedSwap, orderIds: readonly string[]) =>
  bench.venue.events?.outputs(seen, swap, orderIds) ?? null

const usdc = () => swapOf(bench.venue, usdcOrder())

describe('events: a deposit does not match a payload', () => {
  const RELATIVE: readonly Change[] = [
    ['exclusiveRelayer', word(STRANGER)],
    ['exclusivityParameter', 30],
  ]

  test('that differs in any field of the event, with the same sender and second', async () => {
    const swap = await usdc()
    const paid = await network.pay(swap)
    for (const change of changesOf('logged'))
      count(`payload with another ${change[0]}`, await inputsOf(paid.seen, altered(swap, change)))
    // Byte for byte the same but for the tags, which the contract does not see: the same deposit.
    expect(await inputsOf(paid.seen, await usdc())).toHaveLength(1)
  })

  test('of coins instead of wrapped coins, or with a swap before the bridge instead of without', async () => {
    const coins = await swapOf(bench.venue, anOrder(ether))
    const tokens = await swapOf(bench.venue, anOrder({ ...ether, from: [8453, WETH.base] }))
    const [paidCoins, paidTokens] = [await network.pay(coins), await network.pay(tokens)]
    expect(await inputsOf(paidCoins.seen, coins)).toHaveLength(1)
    expect(await inputsOf(paidTokens.seen, tokens)).toHaveLength(1)
    count('coins for wrapped coins', await inputsOf(paidTokens.seen, coins))
    count('wrapped coins for coins', await inputsOf(paidCoins.seen, tokens))

    const swapped = await swapOf(bench.venue, anOrder(exchanged))
    const paid = await network.pay(swapped)
    expect(await inputsOf(paid.seen, swapped)).toHaveLength(1)
    const [deposit] = network.depositsIn(paid)
    const plain = await swapOf(
      bench.venue,
      anOrder({ ...exchanged, from: [42161, USDC.arbitrum], amount: deposit?.['inputAmount'] as bigint }),
    )
    const same = ['outputAmount', 'recipient', 'message'].map((name): Change => [name, deposit?.[name]])
    count('a plain deposit for one after a swap', await inputsOf(paid.seen, altered(plain, ...same)))
    const paidPlain = await network.pay(altered(plain, ...same))
    count('a swap for a plain deposit', await inputsOf(paidPlain.seen, swapped))
    expect(await inputsOf(paidPlain.seen, altered(plain, ...same))).toHaveLength(1)
  })

  test('with another exclusivity time, relative to the deposit or absolute', async () => {
    const swap = altered(await usdc(), ...RELATIVE)
    const paid = await network.pay(swap)
    expect(await inputsOf(paid.seen, swap)).toHaveLength(1)
    count('a second later', await inputsOf({ ...paid.seen, at: (paid.seen.at ?? 0) + 1_000 }, swap))
    count('without a time', await inputsOf({ ...paid.seen, at: null }, swap))
    const until = Math.floor((paid.seen.at ?? 0) / 1_000) + 30
    expect(await inputsOf({ ...paid.seen, at: null }, altered(swap, ['exclusivityParameter', until]))).toHaveLength(1)
  })

  test('after a swap that gave less than the minimum, or an output other than exact or proportional', async () => {
    const swap = await swapOf(bench.venue, anOrder(exchanged))
    const paid = await network.pay(swap)
    const [deposit] = network.depositsIn(paid)
    const [inputAmount, outputAmount] = [deposit?.['inputAmount'] as bigint, deposit?.outputAmount as bigint]
    const giving = (input: bigint, output: bigint): SeenTransaction =>
      again(
        paid,
        paid.logs.map((log) => {
          if (log.topics[0] === DEPOSITED)
            return retold(retold(log, EVENTS, ['inputAmount', input]), EVENTS, ['outputAmount', output]) as SimLog
          if (log.topics[0] !== SWAPPED) return log
          return retold(retold(log, EVENTS, ['acrossInputAmount', input]), EVENTS, ['acrossOutputAmount', output]) as SimLog
        }),
      )
    const more = inputAmount * 2n
    const exact = altered(swap, ['swap.enableProportionalAdjustment', false])
    const scaled = altered(swap, ['swap.enableProportionalAdjustment', true])
    expect(await inputsOf(giving(more, outputAmount), exact)).toMatchObject([{ took: { amount: more } }])
    expect(await inputsOf(giving(more, outputAmount * 2n), scaled)).toMatchObject([{ took: { amount: more } }])
    count('in proportion', await inputsOf(giving(more, outputAmount * 2n), exact))
    count('not in proportion', await inputsOf(giving(more, outputAmount), scaled))
    count('less than the least', await inputsOf(giving(inputAmount - 1n, outputAmount), exact))
    const least: Change = ['swap.minExpectedInputTokenAmount', 0n]
    count('no least', await inputsOf(giving(more, outputAmount), altered(swap, least)))
  })
})

/** Every field of an event, changed to something of its kind. */
const fieldsOf = (abi: Abi, eventName: string): readonly string[] =>
  abi.flatMap((item) => (item.type === 'event' && item.name === eventName ? item.inputs.map(({ name }) => name ?? '') : []))
const another = (was: unknown): unknown => {
  if (typeof was === 'bigint') return was + 1n
  if (typeof was === 'number') return was + 1
  const text = String(was)
  if (text === '0x') return '0x12'
  return text.length === 42 ? STRANGER : `${text.slice(0, -1)}${text.endsWith('1') ? '2' : '1'}`
}

describe('events: no evidence is', () => {
  test('a deposit of another contract, or one with another field', async () => {
    const swap = await usdc()
    const paid = await network.pay(swap)
    const at = topicAt(paid, DEPOSITED)
    for (const address of [STRANGER, WETH.base, USDC.base])
      count(
        'told by another',
        await inputsOf(
          withLog(paid, at, (log) => ({ ...log, address })),
          swap,
        ),
      )
    // Any counted id is one that the contract may have given.
    for (const name of fieldsOf(EVENTS, 'FundsDeposited').filter((field) => field !== 'depositId'))
      count(
        name,
        await inputsOf(
          withLog(paid, at, (log) => retold(log, EVENTS, [name, another]) as SimLog),
          swap,
        ),
      )
    const unsafe = (log: SimLog) => retold(log, EVENTS, ['depositId', 1n << 200n]) as SimLog
    count('an id that its maker chose', await inputsOf(withLog(paid, at, unsafe), swap))
    count(
      'cut short',
      await inputsOf(
        withLog(paid, at, (log) => ({ ...log, data: log.data.slice(0, -64) })),
        swap,
      ),
    )
    count(
      'no data',
      await inputsOf(
        withLog(paid, at, (log) => ({ ...log, data: '0x' })),
        swap,
      ),
    )
    count('no logs', await inputsOf(again(paid, []), swap))
  })

  test('a deposit after a swap event with another field', async () => {
    const swap = await swapOf(bench.venue, anOrder(exchanged))
    const paid = await network.pay(swap)
    const at = topicAt(paid, SWAPPED)
    for (const name of fieldsOf(EVENTS, 'SwapBeforeBridge'))
      count(
        name,
        await inputsOf(
          withLog(paid, at, (log) => retold(log, EVENTS, [name, another]) as SimLog),
          swap,
        ),
      )
    count(
      'told by another',
      await inputsOf(
        withLog(paid, at, (log) => ({ ...log, address: STRANGER })),
        swap,
      ),
    )
    for (const name of ['swapTokenAmount', 'swapToken', 'exchange', 'routerCalldata'])
      count(name, await inputsOf(paid.seen, altered(swap, [`swap.${name}`, another])))
  })

  test.each([
    ['to a wallet', usdcOrder()],
    ['through the handler', usdcOrder({ feeBps: 15 })],
    ['of coins to a wallet', anOrder(ether)],
    ['of coins through the handler', anOrder({ ...ether, feeBps: 30 })],
  ])('a fill %s by another contract, with another field or without a transfer', async (_name, order) => {
    const swap = await swapOf(bench.venue, order)
    const paid = await network.pay(swap)
    const orderIds = network.depositsIn(paid).map(({ depositId }) => `8453:${depositId}`)
    const [filled] = await network.fill(paid)
    if (!filled) throw new Error('nothing was filled')
    expect(await outputsOf(filled.seen, swap, orderIds)).toHaveLength(1)
    const at = topicAt(filled, FILLED)
    const refuses = async (name: string, seen: SeenTransaction) => count(name, await outputsOf(seen, swap, orderIds))
    await refuses(
      'told by another',
      withLog(filled, at, (log) => ({ ...log, address: STRANGER })),
    )
    const own = fieldsOf(FILLS, 'FilledRelay').filter((name) => !/^(repaymentChainId|relayer|relayExecutionInfo)$/.test(name))
    for (const name of [...own, 'relayExecutionInfo.updatedRecipient', 'relayExecutionInfo.updatedMessageHash'])
      await refuses(
        name,
        withLog(filled, at, (log) => retold(log, FILLS, [name, another]) as SimLog),
      )
    await refuses('nothing beside it', again(filled, filled.logs.slice(0, at + 1)))
    await refuses('the money before it', again(filled, [...filled.logs.slice(at + 1), ...filled.logs.slice(0, at + 1)]))
    // Every other log told by a stranger: it is not the token's, the wrapped coin's or the handler's then.
    const strange = filled.logs.map((log, i) => (i === at ? log : { ...log, address: STRANGER }))
    await refuses('money of a stranger', again(filled, strange))
  })
})
