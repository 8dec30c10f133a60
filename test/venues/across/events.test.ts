import { type Abi, encodeEventTopics, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import type { SimLog } from '../../../engine/simnet/kit/simVenue.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { retold, seenEvm } from '../../support/seenEvm.ts'
import { type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countForgeries } from '../../support/venueKit/forgeries.ts'
import { CALLS_FAILED, EVENTS, FILLS } from './abi.ts'
import { type EventsNetwork, type Landed, openEventsNetwork } from './eventsNetwork.ts'
import { type Change, changed, word } from './forging.ts'
import {
  type AcrossBench,
  ARB,
  NATIVE,
  openBench,
  SPOKE_POOL_ARBITRUM,
  SPOKE_POOL_BASE,
  USDC,
  usdcOrder,
  WETH,
  WITH_FEE,
} from './support.ts'

/**
 * Payments and deliveries by the events of Across's own contracts, which take on the offline chains what the adapter built;
 * then the same events told by others, or with one field of them altered.
 */

const STRANGER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const HANDLER = '0x0F7Ae28dE1C8532170AD4ee566B5801485c13a0E'
const ETHER = 10n ** 18n

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

/** The same swap with other calldata, as another quote might have had it. */
const altered = (swap: Swap, ...changes: readonly Change[]): Swap => {
  const transaction = transactionOf(swap.execution)
  const data = changes.reduce((built, change) => changed(built, change), transaction.data)
  const payload = { executionType: 'TRANSACTION', transaction: { ...transaction, data } } as const
  const executed = { ...swap, execution: { ...swap.execution, payload } }
  return { ...executed, executed }
}

const usdc = () => swapOf(bench.venue, usdcOrder())
const ether = { from: [8453, NATIVE], to: [42161, NATIVE], amount: ETHER, recipient: WALLETS.evmOther } as const
const exchanged = { from: [42161, ARB], to: [8453, USDC.base], amount: 1_000n * ETHER, recipient: WALLETS.evmOther } as const

const again = (landed: Landed, logs: readonly SimLog[], change: Partial<SeenTransaction> = {}): SeenTransaction =>
  seenEvm(landed.seen.chainId, logs, { first: 7, at: landed.seen.at, ...change })

/** One log told otherwise, wherever it stands. */
const withLog = (landed: Landed, at: number, change: (log: SimLog) => SimLog): SeenTransaction =>
  again(
    landed,
    landed.logs.map((log, i) => (i === at ? change(log) : log)),
  )

const topicAt = ({ logs }: Landed, topic: string | undefined): number => {
  const at = logs.findIndex(({ topics }) => topics[0] === topic)
  if (at < 0) throw new Error('no such event')
  return at
}
const [DEPOSITED] = encodeEventTopics({ abi: EVENTS, eventName: 'FundsDeposited' })
const [SWAPPED] = encodeEventTopics({ abi: EVENTS, eventName: 'SwapBeforeBridge' })
const [FILLED] = encodeEventTopics({ abi: FILLS, eventName: 'FilledRelay' })

describe('a payment and its delivery', () => {
  test.each([
    ['a token', usdcOrder(), 'tokens'],
    ['a token, and a fee of what arrives', usdcOrder({ feeBps: 15 }), 'tokens'],
    ['coins to a wallet', anOrder(ether), 'coins'],
    ['coins to a wallet, and a fee of what arrives', anOrder({ ...ether, feeBps: 30 }), 'coins'],
    ['wrapped coins', anOrder({ ...ether, from: [8453, WETH.base], to: [42161, WETH.arbitrum] }), 'tokens'],
    ['a swap before the bridge', anOrder(exchanged), 'tokens'],
  ] as const)('%s: both are told, in what was taken and in what arrived', async (_name, order, kind) => {
    const swap = await swapOf(bench.venue, order)
    const paid = await network.pay(swap)
    const [deposit] = network.depositsIn(paid)
    const orderId = `${order.input.chainId}:${deposit?.depositId}`
    const took = { token: expect.stringMatching(/^0x/), amount: deposit?.['inputAmount'] }
    const place = `log:${7 + topicAt(paid, DEPOSITED)}`
    expect(await inputsOf(paid.seen, swap)).toEqual([{ place, orderId, took }])
    const [filled] = await network.fill(paid)
    if (!filled) throw new Error('nothing was filled')
    const told = await outputsOf(filled.seen, swap, [orderId])
    expect(told).toMatchObject([{ amount: swap.execution.slippage?.guaranteedMin }])
    // The place is that of the money where it leaves a log, and else of the fill.
    const payment = filled.seen.movements.find(
      ({ to, token }) => to === swap.order.recipient && token === swap.order.output.address,
    )
    expect(told?.[0]?.place).toBe(kind === 'coins' ? `log:${7 + topicAt(filled, FILLED)}` : payment?.place)
    // Of no other order, and nothing of a transaction that failed.
    expect(await outputsOf(filled.seen, swap, [])).toEqual([])
    expect(await outputsOf(filled.seen, swap, [`${order.input.chainId}:${(deposit?.depositId ?? 0n) + 1n}`])).toEqual([])
    expect(await outputsOf(filled.seen, swap, [`10:${deposit?.depositId}`])).toEqual([])
    expect(await outputsOf({ ...filled.seen, isSuccess: false }, swap, [orderId])).toEqual([])
    expect(await inputsOf({ ...paid.seen, isSuccess: false }, swap)).toEqual([])
    expect(await inputsOf({ ...paid.seen, chainId: 10 }, swap)).toEqual([])
  })

  test('what the bridge took is what a refund comes in: wrapped coins for coins, and what a swap gave', async () => {
    const swap = await swapOf(bench.venue, anOrder(ether))
    const paid = await network.pay(swap)
    expect(await inputsOf(paid.seen, swap)).toMatchObject([{ took: { token: WETH.base, amount: ETHER } }])
  })

  test('two equal deposits in the call of one contract are two, beside those of strangers', async () => {
    const swap = await usdc()
    const other = await swapOf(bench.venue, usdcOrder({ amount: 99_000_000n, recipient: WALLETS.evm }))
    const paid = await network.bundle([other, swap, swap])
    const told = await inputsOf(paid.seen, swap)
    const ids = network.depositsIn(paid).map(({ depositId }) => `8453:${depositId}`)
    expect(told?.map(({ orderId }) => orderId)).toEqual(ids.slice(1))
    expect(new Set(told?.map(({ place }) => place)).size).toBe(2)
    expect(await inputsOf(paid.seen, other)).toMatchObject([{ orderId: ids[0] }])
    const fills = await network.fill(paid)
    // Three fills told in one transaction: each pays its own.
    const together = again(
      fills[0] as Landed,
      fills.flatMap(({ logs }) => logs),
    )
    const outputs = await outputsOf(together, swap, ids)
    expect(outputs).toHaveLength(2)
    expect(new Set(outputs?.map(({ place }) => place)).size).toBe(2)
    expect(await outputsOf(together, swap, ids.slice(0, 2))).toHaveLength(1)
    expect(await outputsOf(together, other, ids)).toHaveLength(1)
  })

  test('a slow fill delivers what it says, of another amount than the deposit asked', async () => {
    const swap = await usdc()
    const paid = await network.pay(swap)
    const [filled] = await network.fill(paid)
    if (!filled) throw new Error('nothing was filled')
    const at = topicAt(filled, FILLED)
    const slow = (log: SimLog): SimLog => {
      const typed = retold(log, FILLS, ['relayExecutionInfo.fillType', 2])
      return retold(typed, FILLS, ['relayExecutionInfo.updatedOutputAmount', 249_999_999n]) as SimLog
    }
    const paidSlowly = (log: SimLog): SimLog => ({ ...log, data: `0x${249_999_999n.toString(16).padStart(64, '0')}` })
    const seen = again(
      filled,
      filled.logs.map((log, i) => (i === at ? slow(log) : paidSlowly(log))),
    )
    const [orderId] = network.depositsIn(paid).map(({ depositId }) => `8453:${depositId}`)
    expect(await outputsOf(seen, swap, [orderId ?? ''])).toMatchObject([{ amount: 249_999_999n }])
  })
})

describe('which deposits are told apart', () => {
  const RELATIVE: readonly Change[] = [
    ['exclusiveRelayer', word(STRANGER)],
    ['exclusivityParameter', 30],
  ]

  test('of one sender in one second: by anything that the contract tells', async () => {
    const swap = await usdc()
    const paid = await network.pay(swap)
    const OTHERS: readonly Change[] = [
      ['depositor', word(STRANGER)],
      ['recipient', word(STRANGER)],
      ['inputToken', word(ARB)],
      ['outputToken', word(ARB)],
      ['inputAmount', 250_000_001n],
      ['inputAmount', 249_999_999n],
      ['outputAmount', 1n],
      ['destinationChainId', 10n],
      ['exclusiveRelayer', word(STRANGER)],
      ['quoteTimestamp', (was: number) => was + 1],
      ['fillDeadline', (was: number) => was + 1],
      ['exclusivityParameter', 30],
      ['message', '0x12'],
    ]
    for (const change of OTHERS) count(`payload with another ${change[0]}`, await inputsOf(paid.seen, altered(swap, change)))
    // Byte for byte the same but for the tags, which the contract does not see: the same deposit.
    expect(await inputsOf(paid.seen, await usdc())).toHaveLength(1)
  })

  test('coins from wrapped coins, a plain deposit from one after a swap', async () => {
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

  test('by a time of exclusivity that counts from the deposit on, or stands by itself', async () => {
    const swap = altered(await usdc(), ...RELATIVE)
    const paid = await network.pay(swap)
    expect(await inputsOf(paid.seen, swap)).toHaveLength(1)
    count('a second later', await inputsOf({ ...paid.seen, at: (paid.seen.at ?? 0) + 1_000 }, swap))
    count('without a time', await inputsOf({ ...paid.seen, at: null }, swap))
    const until = Math.floor((paid.seen.at ?? 0) / 1_000) + 30
    expect(await inputsOf({ ...paid.seen, at: null }, altered(swap, ['exclusivityParameter', until]))).toHaveLength(1)
  })

  test('after a swap: any more than its least, and the output exactly or in proportion', async () => {
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

describe('what counts for nothing', () => {
  test('a deposit that another contract tells, or that tells another field', async () => {
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

  test('a swap before the deposit that tells another field', async () => {
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
  ])('a fill %s that another contract tells, that tells another field, or shows no money', async (_name, order) => {
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

describe('what a stranger in the same transaction cannot undo', () => {
  const TRANSFERRED = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
  const transfer = (token: string, from: string, to: string, amount: bigint): SimLog => ({
    address: token,
    topics: [TRANSFERRED, word(from), word(to)],
    data: `0x${amount.toString(16).padStart(64, '0')}`,
  })

  test('a payment, by a swap into a pool of its own and a gift to the pool before it', async () => {
    const coins = await swapOf(bench.venue, anOrder(ether))
    const tokens = await usdc()
    const swapped = await network.pay(await swapOf(bench.venue, anOrder(exchanged)))
    const lure = swapped.logs.slice(0, topicAt(swapped, DEPOSITED))
    const gift = transfer(WETH.base, STRANGER, SPOKE_POOL_BASE, ETHER)
    for (const swap of [coins, tokens]) {
      const paid = await network.pay(swap)
      expect(await inputsOf(again(paid, [...lure, gift, ...paid.logs]), swap)).toHaveLength(1)
    }
  })

  test('a delivery of coins, by wrapped ones and failed calls behind it; nor of tokens, by dust', async () => {
    const [failed] = encodeEventTopics({ abi: CALLS_FAILED, args: { fallbackRecipient: STRANGER } })
    const calls = { address: HANDLER, topics: [failed, word(STRANGER)], data: `0x${'20'.padStart(64, '0')}${'0'.repeat(64)}` }
    for (const order of [anOrder(ether), anOrder({ ...ether, feeBps: 30 }), usdcOrder(), usdcOrder({ feeBps: 15 })]) {
      const swap = await swapOf(bench.venue, order)
      const paid = await network.pay(swap)
      const orderIds = network.depositsIn(paid).map(({ depositId }) => `8453:${depositId}`)
      const [filled] = (await network.fill(paid)) as [Landed]
      const told = await outputsOf(filled.seen, swap, orderIds)
      const dust = [WETH.arbitrum, USDC.arbitrum].map((token) => transfer(token, HANDLER, order.recipient, 1n))
      expect(told).toHaveLength(1)
      expect(await outputsOf(again(filled, [...filled.logs, ...dust, calls as SimLog]), swap, orderIds)).toEqual(told)
    }
  })

  test('and a wrapped coin that tells of no withdrawal but burns, as those of Arbitrum and ZKsync do', async () => {
    for (const [feeBps, holder] of [
      [0, SPOKE_POOL_ARBITRUM],
      [30, HANDLER],
    ] as const) {
      const swap = await swapOf(bench.venue, anOrder({ ...ether, feeBps }))
      const paid = await network.pay(swap)
      const orderIds = network.depositsIn(paid).map(({ depositId }) => `8453:${depositId}`)
      const [filled] = (await network.fill(paid)) as [Landed]
      const [withdrawn] = encodeEventTopics({ abi: FILLS, eventName: 'Withdrawal' })
      const burnt = (to: string) => (log: SimLog) => transfer(WETH.arbitrum, holder, to, BigInt(log.data))
      const at = topicAt(filled, withdrawn)
      const told = await outputsOf(filled.seen, swap, orderIds)
      expect(await outputsOf(withLog(filled, at, burnt(zeroAddress)), swap, orderIds)).toEqual(told)
      count('not burnt', await outputsOf(withLog(filled, at, burnt(STRANGER)), swap, orderIds))
    }
  })
})

test('nothing is asked of anybody', async () => {
  const swap = await usdc()
  const before = [bench.sent.length, bench.chains.calls.length]
  const paid = await network.pay(swap)
  await inputsOf(paid.seen, swap)
  expect([bench.sent.length, bench.chains.calls.length]).toEqual(before)
})
