import { type Abi, decodeFunctionData, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import type { SimCall, SimReceipt } from '../../../engine/simnet/kit/world.ts'
import { SOLVER } from '../../../engine/simnet/venues/bebop/networks.ts'
import { JAM_SETTLE, ROUTER_ABI } from '../../../engine/venues/bebop/abi.ts'
import { bebop } from '../../../engine/venues/bebop/venue.ts'
import type { Venue } from '../../../engine/venues/venue.ts'
import type { OrderWish } from '../../support/anOrder.ts'
import { chainFails } from '../../support/fakeChains.ts'
import { renamed } from '../../support/renamed.ts'
import { seenEvm } from '../../support/seenEvm.ts'
import { never, type Swap, sign, signed, swapOf, transactionOf, typedDataOf } from '../../support/venueKit/calls.ts'
import { toldBy } from '../../support/venueKit/canned.ts'
import { venueWith } from '../everyVenue.ts'
import { type ChainBench, chainBench } from './chainBench.ts'
import {
  BALANCE_MANAGER,
  cannedBebop,
  DAI,
  etherToUsdc,
  FEE_RECIPIENT,
  JAM,
  ROUTER,
  SETTLEMENT,
  STRANGER,
  USDC,
  usdcToDai,
  usdcToWeth,
  WETH,
} from './support.ts'

/** An offline Ethereum with simulated Bebop contracts settles the payloads of the adapter. */

const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

let bench: ChainBench
let byJam: Venue
beforeAll(async () => {
  bench = await chainBench()
  byJam = cannedBebop(toldBy(bench.sim), { chains: bench.chains, now: bench.clock.now }).venue
})
afterAll(() => bench.close())

const balance = (token: string, owner: string) => bench.evm.balance(1, token, owner)
const give = (token: string, holder: string, amount: bigint) => bench.evm.faucet({ chainId: 1, token, holder, amount })
const allow = async (token: string, owner: string, spender: string) => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender as Hex, maxUint256] })
  await bench.land({ chainId: 1, from: owner, to: token, data })
}
const seenOf = ({ logs, status }: SimReceipt): SeenTransaction => seenEvm(1, logs, { first: 3, isSuccess: status === 'success' })

const funded = async (venue: Venue, order = usdcToWeth(), spender: string | null = BALANCE_MANAGER): Promise<Swap> => {
  const swap = await swapOf(venue, order)
  await give(order.input.address, order.sender, order.inputAmount)
  if (spender !== null) await allow(order.input.address, order.sender, spender)
  return swap
}

const submit = async (swap: Swap) => (await byJam.submitter?.submit(swap, await signed(swap.execution), never()))?.statusRef ?? ''
const stateOf = async (swap: Swap, ref: string) => {
  const { state, venueStatus, txHash } = (await byJam.tracker?.track(ref, swap, never())) ?? {}
  return { state, venueStatus, txHash }
}
const isUnfilled = (swap: Swap) => byJam.unfilled?.isUnfilled(swap, never())

const BATCH = parseAbi([
  'struct JamOrder { address taker; address receiver; uint256 expiry; uint256 exclusivityDeadline; uint256 nonce; address executor; uint256 partnerInfo; address[] sellTokens; address[] buyTokens; uint256[] sellAmounts; uint256[] buyAmounts; bool usingPermit2; }',
  'struct Interaction { bool result; address to; uint256 value; bytes data; }',
  'struct Hooks { Interaction[] beforeSettle; Interaction[] afterSettle; }',
  'function settleBatch(JamOrder[] orders, bytes[] signatures, Interaction[] interactions, Hooks[] hooks, address balanceRecipient) payable',
])

describe('bebop: a JAM order on the simulated settlement', () => {
  test.each<[string, Partial<OrderWish>]>([
    ['a token', {}],
    ['coins', { to: [1, NATIVE] }],
  ])('for %s pays to the unit including the fee, and is found by its nonce', async (_name, wish) => {
    const order = usdcToWeth({ feeBps: 30, ...wish })
    const swap = await funded(byJam, order)
    const { outputAmount, fee } = swap.offer
    const output = order.output.address
    const [before, ours] = [await balance(output, order.recipient), await balance(output, FEE_RECIPIENT)]
    const ref = await submit(swap)
    expect(await stateOf(swap, ref)).toEqual({ state: 'pending', venueStatus: 'Pending', txHash: null })
    await bench.schedule.advance(2_000)
    const { state, txHash } = await stateOf(swap, ref)
      .then(() => bench.schedule.advance(2_000))
      .then(() => stateOf(swap, ref))
    expect(state).toBe('success')
    expect((await balance(output, order.recipient)) - before).toBe(outputAmount)
    const paid = (await balance(output, FEE_RECIPIENT)) - ours
    expect(paid - fee.amount).toBeLessThanOrEqual(1n)
    expect(fee.amount - paid).toBeLessThanOrEqual(1n)
    const receipt = bench.receipts.get(txHash ?? '')
    const seen = seenOf(receipt as SimReceipt)
    const took = { token: order.input.address, amount: order.inputAmount }
    const [input] = (await byJam.events?.inputs(seen, swap)) ?? []
    expect(input).toEqual({ place: 'log:3', orderId: null, took })
    const [payout] = (await byJam.events?.outputs(seen, swap, [])) ?? []
    expect(payout?.amount).toBe(outputAmount)
    expect(await byJam.events?.named(seen)).toContain(output === NATIVE ? 'balance' : payout?.place)
    const added = venueWith(bebop, { JAM_SETTLEMENTS: STRANGER, BALANCE_MANAGERS: SETTLEMENT }).events
    const as = renamed({ seen, swap }, [[JAM, STRANGER]])
    expect([await added?.inputs(as.seen, as.swap), await added?.named(as.seen)]).toEqual([
      [input],
      await byJam.events?.named(seen),
    ])
    expect(await byJam.events?.named(as.seen)).toEqual([])
    const other = await swapOf(byJam, order)
    for (const nothing of [
      byJam.events?.inputs(seen, other),
      byJam.events?.outputs(seen, other, []),
      byJam.events?.outputs({ ...seen, isSuccess: false }, swap, []),
      byJam.events?.outputs({ ...seen, chainId: 8453 }, swap, []),
      byJam.events?.outputs(
        { ...seen, logs: seen.logs.map((log) => ({ ...log, address: ROUTER.toLowerCase() as Hex })) },
        swap,
        [],
      ),
      byJam.events?.refunds(seen, swap, []),
    ])
      expect(await nothing).toEqual([])
  })

  test('is unfilled only after its deadline in a block without use of its nonce', async () => {
    const [filled, left] = [await funded(byJam, usdcToWeth({ amount: 60_000_000n })), await swapOf(byJam, usdcToWeth())]
    await submit(filled)
    expect(await isUnfilled(left)).toBe(false)
    await bench.schedule.advance(29_000)
    await bench.evm.rpc(1, 'evm_mine', [])
    expect(await isUnfilled(left)).toBe(false)
    await bench.schedule.advance(3_000)
    await bench.evm.rpc(1, 'evm_mine', [])
    expect([await isUnfilled(left), await isUnfilled(filled)]).toEqual([true, false])
    const { call, code } = bench.chains.script
    bench.chains.script.call = chainFails('unreachable', 1)
    await expect(isUnfilled(left)).rejects.toThrow('scripted unreachable')
    bench.chains.script.call = async () => '0x'
    bench.chains.script.code = async () => '0x'
    expect(await isUnfilled(left)).toBe(false)
    Object.assign(bench.chains.script, { call, code })
  })

  test.each([
    ['a token', WETH],
    ['coins', NATIVE],
  ])('for %s is found in a batch that takes all inputs before any order event', async (_name, output) => {
    const wish = { to: [1, output] } satisfies Partial<OrderWish>
    const swaps = [
      await funded(byJam, usdcToWeth(wish)),
      await funded(byJam, usdcToWeth({ ...wish, amount: 77_000_000n })),
      await funded(byJam, usdcToWeth(wish)),
    ]
    const orders = swaps.map(({ execution }) => {
      const { hooksHash: _none, ...message } = typedDataOf(execution).message as Record<string, never>
      return { ...message, usingPermit2: false }
    })
    const signatures = await Promise.all(swaps.map(({ execution }) => sign(typedDataOf(execution))))
    const least = swaps.reduce((sum, { execution }) => sum + (execution.slippage?.guaranteedMin ?? 0n), 0n)
    await give(output, JAM, (least * 10_010n) / 9_999n)
    const { recipient } = usdcToWeth()
    const before = await balance(output, recipient)
    const data = encodeFunctionData({
      abi: BATCH,
      functionName: 'settleBatch',
      args: [orders as never, signatures, [], [], SOLVER],
    })
    const seen = seenOf(await bench.land({ chainId: 1, from: SOLVER, to: JAM, data }))
    const paid = await Promise.all(swaps.map(async (swap) => (await byJam.events?.inputs(seen, swap)) ?? []))
    const amounts = swaps.map(({ order }) => order.inputAmount)
    expect(paid.map(([input]) => [input?.place, input?.took.amount])).toEqual(
      amounts.map((amount, i) => [`log:${3 + i}`, amount]),
    )
    const payouts = (await Promise.all(swaps.map(async (swap) => (await byJam.events?.outputs(seen, swap, [])) ?? []))).flat()
    expect(new Set(payouts.map(({ place }) => place)).size).toBe(3)
    expect(payouts.reduce((sum, { amount }) => sum + amount, 0n)).toBe((await balance(output, recipient)) - before)
    expect(payouts[0]?.amount).toBeGreaterThanOrEqual(swaps[0]?.execution.slippage?.guaranteedMin ?? least)
  })

  const INTERNAL = parseAbi([
    'struct JamOrder { address taker; address receiver; uint256 expiry; uint256 exclusivityDeadline; uint256 nonce; address executor; uint256 partnerInfo; address[] sellTokens; address[] buyTokens; uint256[] sellAmounts; uint256[] buyAmounts; bool usingPermit2; }',
    'function settleInternal(JamOrder order, bytes signature, uint256[] filledAmounts, bytes hooksData) payable',
    'function transferTokens(address[] tokens, uint256[] amounts, address sender, address receiver)',
  ])

  test('fills only for its taker: not below the minimum, twice, late, by others or with another signature', async () => {
    const swap = await funded(byJam)
    const { hooksHash: _none, ...message } = typedDataOf(swap.execution).message as Record<string, never>
    const signature = await sign(typedDataOf(swap.execution))
    const least = swap.offer.slippage?.guaranteedMin ?? 0n
    await give(WETH, SOLVER, 10n ** 19n)
    await allow(WETH, SOLVER, BALANCE_MANAGER)
    const attempt = (
      filled: bigint,
      { from = SOLVER, signed: by = signature, ...change }: Record<string, never> | { from?: string; signed?: Hex } = {},
    ) => {
      const order = { ...message, ...change, usingPermit2: false }
      const data = encodeFunctionData({
        abi: INTERNAL,
        functionName: 'settleInternal',
        args: [order as never, by, [filled], '0x'],
      })
      return { chainId: 1, from, to: JAM, data }
    }
    const gross = (least * 10_000n) / 9_999n + 2n
    const refused: readonly [string, ReturnType<typeof attempt>][] = [
      ['below', attempt(least)],
      ['a solver that is none', attempt(gross, { from: STRANGER })],
      [
        'another signature',
        attempt(gross, {
          signed:
            `0x${signature.slice(2, -2)}1b` === signature ? `0x${signature.slice(2, -2)}1c` : `0x${signature.slice(2, -2)}1b`,
        }),
      ],
      ['another receiver', attempt(gross, { receiver: STRANGER } as never)],
    ]
    for (const [name, call] of refused) await expect(bench.evm.call(call), name).rejects.toThrow()
    const take = {
      abi: INTERNAL,
      functionName: 'transferTokens',
      args: [[USDC], [1n], swap.order.sender as Hex, STRANGER as Hex],
    } as const
    await expect(bench.evm.call({ chainId: 1, to: BALANCE_MANAGER, data: encodeFunctionData(take) })).rejects.toThrow()
    await bench.evm.call(attempt(gross))
    await bench.land(attempt(gross))
    await give(USDC, swap.order.sender, swap.order.inputAmount)
    await expect(bench.evm.call(attempt(gross))).rejects.toThrow()
    const late = await funded(byJam, usdcToWeth({ amount: 7_000_000n }))
    const ref = await submit(late)
    bench.faults.set('bebop', 'never-fills', {}, null)
    await bench.schedule.advance(31_000)
    bench.faults.clear(null)
    expect(await stateOf(late, ref)).toMatchObject({ state: 'failed', venueStatus: 'Failed' })
  })
})

const callOf = (swap: Swap, change: Partial<SimCall> = {}): SimCall => {
  const { to, data, value } = transactionOf(swap.execution)
  return { chainId: 1, from: swap.order.sender, to, data, value, ...change }
}

describe('bebop: a transaction on the simulated contracts', () => {
  const routes = [
    ['of the router, for a token', () => usdcToWeth(), ROUTER],
    ['of the router, for coins', () => usdcToWeth({ to: [1, NATIVE] }), ROUTER],
    ['of the router, by coins', () => etherToUsdc(), null],
    ['of the settlement of makers', () => usdcToDai(), SETTLEMENT],
  ] as const

  test.each(routes)('%s pays to the unit, is found by its uniqueness key and matches one swap', async (_name, wish, spender) => {
    const order = wish()
    const swap = await funded(bench.venue, order, spender)
    const output = order.output.address
    const before = await balance(output, order.recipient)
    await expect(bench.evm.call(callOf(swap, { from: STRANGER }))).rejects.toThrow()
    await bench.evm.call(callOf(swap))
    const seen = seenOf(await bench.land(callOf(swap)))
    expect((await balance(output, order.recipient)) - before).toBe(swap.offer.outputAmount)
    const { events } = bench.venue
    const took = { token: order.input.address, amount: order.inputAmount }
    expect(await events?.inputs(seen, swap)).toEqual([{ place: expect.stringMatching(/^log:\d+$/), orderId: null, took }])
    const [payout] = (await events?.outputs(seen, swap, [])) ?? []
    expect(payout?.amount).toBe(swap.offer.outputAmount)
    expect(await events?.named(seen)).toContain(output === NATIVE ? 'balance' : payout?.place)
    const other = await swapOf(bench.venue, order)
    for (const of of [
      events?.inputs(seen, other),
      events?.outputs(seen, other, []),
      events?.outputs({ ...seen, isSuccess: false }, swap, []),
    ])
      expect(await of).toEqual([])
    expect(await events?.named({ ...seen, chainId: 59144 })).toEqual([])
    await give(order.input.address, order.sender, order.inputAmount)
    await expect(bench.evm.call(callOf(swap))).rejects.toThrow()
  })

  test.each(routes)('%s reverts after its deadline and costs only gas', async (_name, wish, spender) => {
    const order = wish()
    const swap = await funded(bench.venue, order, spender)
    const before = await balance(order.input.address, order.sender)
    await bench.schedule.advance(31_000)
    await expect(bench.evm.call(callOf(swap))).rejects.toThrow()
    expect((await bench.land(callOf(swap))).status).toBe('reverted')
    expect(await balance(order.input.address, order.sender)).toBe(before)
  })

  test('of the router is proved unsent by its nonce after the deadline; that of a maker is not', async () => {
    const [sent, left] = [await funded(bench.venue, etherToUsdc(), null), await swapOf(bench.venue, etherToUsdc())]
    await bench.land(callOf(sent))
    expect(await isUnfilled(left)).toBe(false)
    await bench.schedule.advance(32_000)
    await bench.evm.rpc(1, 'evm_mine', [])
    const byMaker = await swapOf(bench.venue, usdcToDai())
    expect([await isUnfilled(left), await isUnfilled(sent), await isUnfilled(byMaker)]).toEqual([true, false, false])
    const { call } = bench.chains.script
    bench.chains.script.call = async () => null
    expect(await isUnfilled(left)).toBe(false)
    bench.chains.script.call = call
  })

  test('of the router reverts when its maker pays less than the minimum or the value differs', async () => {
    const swap = await swapOf(bench.venue, etherToUsdc())
    await give(NATIVE, swap.order.sender, 3n * 10n ** 18n)
    await expect(bench.evm.call(callOf(swap, { value: 10n ** 18n + 1n }))).rejects.toThrow()
    const other = await swapOf(bench.venue, etherToUsdc({ amount: 10n ** 17n }))
    const [mine, less] = [swap, other].map((each) =>
      decodeFunctionData({ abi: ROUTER_ABI, data: transactionOf(each.execution).data as Hex }),
    )
    const args = mine?.args.with(4, less?.args[4] as never)
    const data = encodeFunctionData({ abi: ROUTER_ABI as Abi, functionName: 'swap', args: args as unknown[] })
    await expect(bench.evm.call(callOf(swap, { data }))).rejects.toThrow()
    await bench.evm.call(callOf(swap))
  })

  test('of makers with a partner id lets the partner set any fee, which is why it is rejected', async () => {
    const register = parseAbi(['function registerPartner(uint64 id, uint16 fee, address beneficiary)'])
    const query = new URLSearchParams({
      ...{ sell_tokens: USDC, buy_tokens: DAI, sell_amounts: '1000000000', taker_address: usdcToDai().sender, gasless: 'false' },
      ...{ slippage: '0.50', source: 'acme', skip_validation: 'true' },
    })
    const headers = { 'source-auth': 'a-key-0123456789' }
    const asked = { method: 'GET', path: '/pmm/ethereum/v3/quote', query, headers, body: undefined, rawBody: '' }
    const { body } = await bench.sim.handle(asked)
    const { tx } = body as { tx: { data: string } }
    const thief = encodeFunctionData({ abi: register, functionName: 'registerPartner', args: [7n, 9_900, STRANGER as Hex] })
    await bench.land({ chainId: 1, from: STRANGER, to: SETTLEMENT, data: thief })
    const { sender } = usdcToDai()
    await give(USDC, sender, 10n ** 9n)
    await allow(USDC, sender, SETTLEMENT)
    const before = await balance(DAI, STRANGER)
    await bench.land({ chainId: 1, from: sender, to: SETTLEMENT, data: tx.data })
    expect((await balance(DAI, STRANGER)) - before).toBeGreaterThan(900n * 10n ** 18n)
  })
})

test('bebop: an order of zero amount invalidates a nonce, for its taker only', async () => {
  const swap = await swapOf(byJam, usdcToWeth())
  const { hooksHash: _none, ...message } = typedDataOf(swap.execution).message as Record<string, never>
  const nothing = {
    sellTokens: [],
    buyTokens: [],
    sellAmounts: [],
    buyAmounts: [],
    usingPermit2: false,
    executor: `0x${'0'.repeat(40)}`,
  }
  const args = [{ ...message, ...nothing }, '0x', [], '0x', STRANGER]
  const data = encodeFunctionData({ abi: JAM_SETTLE as Abi, functionName: 'settle', args })
  await expect(bench.evm.call({ chainId: 1, from: STRANGER, to: JAM, data })).rejects.toThrow()
  await bench.land({ chainId: 1, from: swap.order.sender, to: JAM, data })
  await expect(bench.evm.call({ chainId: 1, from: swap.order.sender, to: JAM, data })).rejects.toThrow()
})
