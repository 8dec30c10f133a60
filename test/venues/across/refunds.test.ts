import { encodeAbiParameters, encodeFunctionData, erc20Abi, type Hex, keccak256, parseEventLogs } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Movement, SeenInstruction, SeenTransaction } from '../../../engine/chains/seen.ts'
import { addressOf } from '../../../engine/core/address.ts'
import { SOLANA } from '../../../engine/core/chain.ts'
import { parseTransactionId } from '../../../engine/core/transactionId.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { eventLog, retold, seenEvm } from '../../support/seenEvm.ts'
import { type Swap, swapOf } from '../../support/venueKit/calls.ts'
import { SOMEONE } from '../../support/venueKit/payloads.ts'
import { ROOTS } from './abi.ts'
import {
  again,
  type EventsNetwork,
  ether,
  exchanged,
  type Landed,
  openEventsNetwork,
  STRANGER,
  withLog,
} from './eventsNetwork.ts'
import {
  type AcrossBench,
  openBench,
  SPOKE_POOL_ARBITRUM,
  SPOKE_POOL_BASE,
  SVM_SPOKE,
  USDC,
  usdcOrder,
  WETH,
  WITH_FEE,
} from './support.ts'
import { eventOf, keyWord } from './svmSpokeEvents.ts'

const LEAF = ROOTS.find((item) => item.type === 'function' && item.name === 'executeRelayerRefundLeaf')?.inputs[1]
/** Who may relay roots to the offline pools: the account that made them. */
const OWNER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

let network: EventsNetwork
let bench: AcrossBench
beforeAll(async () => {
  network = openEventsNetwork()
  bench = await openBench({ settings: WITH_FEE })
})
afterAll(() => Promise.all([bench.close(), network.close()]))

const refundsIn = async (seen: SeenTransaction, swap: Swap) =>
  (await bench.venue.events?.refunds(seen, swap, ['8453:5120000'])) ?? null

type Refund = readonly [to: string, amount: bigint]

/** A root of one leaf, relayed to a pool and executed. */
const giveBack = async (chainId: 8453 | 42161, token: string, refunds: readonly Refund[]): Promise<Landed> => {
  const pool = chainId === 8453 ? SPOKE_POOL_BASE : SPOKE_POOL_ARBITRUM
  const leaf = {
    ...{ amountToReturn: 0n, chainId: BigInt(chainId), leafId: 0, l2TokenAddress: token },
    ...{ refundAmounts: refunds.map(([, amount]) => amount), refundAddresses: refunds.map(([to]) => to) },
  }
  if (LEAF === undefined) throw new Error('no leaf')
  const root = keccak256(encodeAbiParameters([LEAF], [leaf as never]))
  const relay = encodeFunctionData({ abi: ROOTS, functionName: 'relayRootBundle', args: [root, root] })
  const { logs } = await network.land({ chainId, from: OWNER, to: pool, data: relay })
  const [told] = parseEventLogs({ abi: ROOTS, eventName: 'RelayedRootBundle', logs: logs as never })
  const args = [told?.args.rootBundleId ?? 0, leaf as never, []] as const
  const data = encodeFunctionData({ abi: ROOTS, functionName: 'executeRelayerRefundLeaf', args })
  return network.land({ chainId, from: STRANGER, to: pool, data })
}

const transfer = (token: string, from: string, to: string, value: bigint) =>
  eventLog(erc20Abi, 'Transfer', token, { from, to, value })

describe('refunds: an unfilled deposit', () => {
  test.each([
    ['in its token', usdcOrder(), 8453, USDC.base],
    ['in wrapped coins for coins', anOrder(ether), 8453, WETH.base],
    ['in the output of the swap before it', anOrder(exchanged), 42161, USDC.arbitrum],
  ] as const)('is refunded %s, at the place of the transfer, among other refunds', async (_what, order, chainId, token) => {
    const swap = await swapOf(bench.venue, order)
    const [deposit] = network.depositsIn(await network.pay(swap))
    const amount = deposit?.['inputAmount'] as bigint
    await network.give(chainId, token, chainId === 8453 ? SPOKE_POOL_BASE : SPOKE_POOL_ARBITRUM, 9n)
    const landed = await giveBack(chainId, token, [
      [STRANGER, 4n],
      [order.refundTo, amount],
      [WALLETS.evmOther, 5n],
    ])
    const place = landed.seen.movements.find(({ to }) => to === order.refundTo)?.place
    expect(await refundsIn(landed.seen, swap)).toEqual([{ place, amount }])
    for (const change of [{ isSuccess: false }, { chainId: 10 }, { chainId: 999 }] as const)
      expect(await refundsIn({ ...landed.seen, ...change }, swap)).toEqual([])
  })

  test('is not refunded by an unrelated transfer of the same amount', async () => {
    const swap = await swapOf(bench.venue, usdcOrder())
    const amount = 250_000_000n
    await network.give(8453, USDC.base, SPOKE_POOL_BASE, amount + 4n)
    const own = await giveBack(8453, USDC.base, [
      [WALLETS.evm, amount],
      [STRANGER, 4n],
    ])
    const at = own.logs.length - 1
    const root = own.logs[at]
    const [paid] = own.logs
    if (!root || !paid) throw new Error('nothing was given back')
    const isRefund = async (seen: SeenTransaction) => (await refundsIn(seen, swap))?.length
    expect(await isRefund(own.seen)).toBe(1)
    const gift = transfer(USDC.base, STRANGER, WALLETS.evm, amount)
    const byPool = transfer(USDC.base, SPOKE_POOL_BASE, WALLETS.evm, amount)
    // The same money without the event of its root, or with one that names others, another sum, another token, another pool.
    expect(await isRefund(again(own, own.logs.slice(0, -1)))).toBe(0)
    for (const change of [
      ['refundAddresses', [STRANGER, STRANGER]],
      ['refundAmounts', [amount - 1n, 4n]],
      ['l2TokenAddress', WETH.base],
    ] as const)
      expect(await isRefund(withLog(own, at, (log) => retold(log, ROOTS, change)))).toBe(0)
    expect(await isRefund(withLog(own, at, (log) => ({ ...log, address: SPOKE_POOL_ARBITRUM })))).toBe(0)
    // Money of another payer, token or payee, and money that moved after the event, or before that of another root.
    for (const other of [
      gift,
      transfer(WETH.base, SPOKE_POOL_BASE, WALLETS.evm, amount),
      transfer(USDC.base, SPOKE_POOL_BASE, STRANGER, amount),
    ])
      expect(await isRefund(again(own, [other, ...own.logs.slice(1)]))).toBe(0)
    expect(await isRefund(again(own, [...own.logs.slice(1), paid]))).toBe(0)
    const empty = retold(retold(root, ROOTS, ['refundAddresses', []]), ROOTS, ['refundAmounts', []])
    expect(await isRefund(again(own, [paid, empty, ...own.logs.slice(1)]))).toBe(0)
    // A stranger's gift, and what else the pool pays, beside it.
    expect(await refundsIn(again(own, [gift, byPool, ...own.logs.slice(1)]), swap)).toEqual([{ place: 'log:8', amount }])
  })

  test('is refunded once for each refund of its address', async () => {
    const swap = await swapOf(bench.venue, usdcOrder())
    await network.give(8453, USDC.base, SPOKE_POOL_BASE, 14n)
    const { seen } = await giveBack(8453, USDC.base, [
      [WALLETS.evm, 7n],
      [WALLETS.evm, 7n],
    ])
    expect(await refundsIn(seen, swap)).toEqual(['log:7', 'log:8'].map((place) => ({ place, amount: 7n })))
  })

  test('is refunded by a claim of its owner, not by a claim of another caller', async () => {
    const swap = await swapOf(bench.venue, usdcOrder())
    const wordOf = (address: string): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`
    const claimed = (caller: string) =>
      eventLog(ROOTS, 'ClaimedRelayerRefund', SPOKE_POOL_BASE, {
        ...{ l2TokenAddress: wordOf(USDC.base), refundAddress: wordOf(WALLETS.evm), amount: 7n, caller },
      })
    const paid = transfer(USDC.base, SPOKE_POOL_BASE, WALLETS.evm, 7n)
    expect(await refundsIn(seenEvm(8453, [paid, claimed(WALLETS.evm)]), swap)).toEqual([{ place: 'log:0', amount: 7n }])
    expect(await refundsIn(seenEvm(8453, [paid, claimed(STRANGER)]), swap)).toEqual([])
    expect(await refundsIn(seenEvm(8453, [claimed(WALLETS.evm)]), swap)).toEqual([])
  })
})

type Call = Omit<SeenInstruction, 'index'>

describe('refunds: an unfilled deposit on Solana', () => {
  const MINT = addressOf('solana', USDC.solana)
  const call: Call = { program: addressOf('solana', SVM_SPOKE), accounts: [], data: Uint8Array.of(1) }
  const token: Call = { program: SOMEONE, accounts: [], data: new Uint8Array() }
  const paid = (place: string, amount: bigint, to = WALLETS.solana): Movement => ({ place, token: MINT, from: null, to, amount })
  const seenOn = (calls: readonly Call[], movements: readonly Movement[]): SeenTransaction => {
    const hash = parseTransactionId(SOLANA, '5'.repeat(88))
    if (hash === null) throw new TypeError('no signature')
    const instructions = calls.map((each, index) => ({ ...each, index }))
    return { ...seenEvm(8453, []), chainId: SOLANA, hash, movements, instructions }
  }
  const rootOf = (change: object = {}): Call =>
    eventOf('ExecutedRelayerRefundRoot', {
      ...{ amount_to_return: 0n, chain_id: 34268394551451n, root_bundle_id: 3, leaf_id: 1, l2_token_address: keyWord(MINT) },
      ...{ refund_amounts: [4n, 250n], refund_addresses: [keyWord(SOMEONE), keyWord(WALLETS.solana)] },
      ...{ deferred_refunds: false, caller: keyWord(SOMEONE), ...change },
    })
  const ours = () => swapOf(bench.venue, usdcOrder({ from: [-2, USDC.solana], to: [8453, USDC.base] }))

  test('is refunded by the program event, at the place of the transfer', async () => {
    const swap = await ours()
    const both = [paid('instruction:1', 4n, SOMEONE), paid('instruction:2', 250n)]
    const own = { place: 'instruction:2', amount: 250n }
    expect(await refundsIn(seenOn([call, token, token, rootOf()], both), swap)).toEqual([own])
    const isRefund = async (calls: readonly Call[], movements: readonly Movement[] = both) =>
      (await refundsIn(seenOn(calls, movements), swap))?.length
    expect(await isRefund([call, token, token])).toBe(0)
    expect(await isRefund([call, token, token, { ...rootOf(), program: SOMEONE }])).toBe(0)
    expect(await isRefund([call, token, token, { ...rootOf(), accounts: [SOMEONE] }])).toBe(0)
    // What no instruction explains is a sum, which must be that of the refund.
    const sum = `balance:${MINT}:${WALLETS.solana}`
    expect(await refundsIn(seenOn([call, rootOf()], [paid(sum, 250n)]), swap)).toEqual([{ place: sum, amount: 250n }])
    expect(await isRefund([call, rootOf()], [paid(sum, 251n)])).toBe(0)
    // Money that moved elsewhere, to others, or of another sum.
    expect(await isRefund([token, token, call, rootOf()], [paid('instruction:1', 250n)])).toBe(0)
    expect(await isRefund([call, token, token, rootOf()], [paid('instruction:2', 250n, SOMEONE)])).toBe(0)
    expect(await isRefund([call, token, token, rootOf()], [paid('instruction:2', 249n)])).toBe(0)
    for (const change of [
      { refund_addresses: [keyWord(WALLETS.solana), keyWord(SOMEONE)] },
      { refund_amounts: [4n, 251n] },
      { l2_token_address: keyWord(SOMEONE) },
      { refund_addresses: [keyWord(WALLETS.solana)] },
    ])
      expect(await isRefund([call, token, token, rootOf(change)])).toBe(0)
    const root = rootOf()
    for (const data of [root.data.slice(0, -1), new Uint8Array([...root.data, 0]), root.data.slice(0, 36)])
      expect(await isRefund([call, token, token, { ...root, data }])).toBe(0)
  })

  test('is refunded by a claim when its transfer was not possible', async () => {
    const swap = await ours()
    const claimed = (address: string) =>
      eventOf('ClaimedRelayerRefund', {
        ...{ l2_token_address: keyWord(MINT), claim_amount: 250n, refund_address: keyWord(address) },
      })
    const moved = [paid('instruction:1', 250n)]
    expect(await refundsIn(seenOn([call, token, claimed(WALLETS.solana)], moved), swap)).toEqual([
      { place: 'instruction:1', amount: 250n },
    ])
    expect(await refundsIn(seenOn([call, token, claimed(SOMEONE)], moved), swap)).toEqual([])
  })
})
