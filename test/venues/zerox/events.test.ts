import { encodeFunctionData, type Hex, pad, parseAbi, toEventHash, toHex } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { COINS_BY_CALLS, type Movement, type SeenTransaction } from '../../../engine/chains/seen.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import { metaTxnCall } from '../../../engine/simnet/venues/zerox/actions.ts'
import { metaTxnSettler, takerSettler } from '../../../engine/simnet/venues/zerox/networks.ts'
import { USDC, WETH_ETHEREUM } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { movement } from '../../support/fakeEvidence.ts'
import { type Swap, swapOf, transactionOf, typedDataOf } from '../../support/venueKit/calls.ts'
import { ALLOWANCE_HOLDER, openBench, orders, STRANGER } from './support.ts'

type Header = {
  readonly recipient: string
  readonly buyToken: string
  readonly minAmountOut: string
  readonly actions: readonly Hex[]
}

let bench: Awaited<ReturnType<typeof openBench>>
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const TAKER = addressOf('evm', takerSettler(1))
const RELAYED = addressOf('evm', metaTxnSettler(1))
const asset = (address: string) => ({ chainId: 1, address: addressOf('evm', address) }) as const

type Seen = {
  readonly to: Address
  readonly data: string
  readonly movements?: readonly Movement[]
  readonly logs?: readonly Hex[][]
}

const seen = ({ to, data, movements = [], logs = [] }: Seen, change: Partial<SeenTransaction> = {}): SeenTransaction => ({
  ...{ chainId: 1, hash: `0x${'ab'.repeat(32)}` as never, isSuccess: true, standing: 'confirmed', at: null, height: 1 },
  ...{ movements, instructions: [], notes: [], call: { from: WALLETS.evm, to, data: data as Hex, value: 0n } },
  logs: logs.map(([event = '0x', account = '0x', data = '0x'], at) => ({
    ...{ index: at + 7, address: WETH_ETHEREUM.toLowerCase() as Hex, data },
    topics: [event, pad(account.toLowerCase() as Hex)],
  })),
  ...change,
})

const WITHDRAWAL = toEventHash('Withdrawal(address,uint256)')
const DEPOSIT = toEventHash('Deposit(address,uint256)')
const log = (event: Hex, account: string, amount: bigint): Hex[] => [event, account as Hex, toHex(amount, { size: 32 })]

const events = () => {
  const { events: read } = bench.venue
  if (!read) throw new TypeError('a venue without events')
  return read
}
/** As a contract wallet calls. */
const inside = (data: string) =>
  encodeFunctionData({
    abi: parseAbi(['function execute(address to, uint256 value, bytes data)']),
    args: [ALLOWANCE_HOLDER as Hex, 0n, data as Hex],
  })

describe('events: a signed 0x trade', () => {
  let swap: Swap
  let first: string
  beforeEach(async () => {
    swap = await swapOf(bench.venue, orders.usdcToEther())
    const { slippageAndActions } = typedDataOf(swap.execution).message as unknown as { slippageAndActions: { actions: string[] } }
    first = slippageAndActions.actions[0] ?? ''
  })
  const taken = (amount: bigint, from: Address = WALLETS.evm) =>
    movement(asset(USDC.ethereum), RELAYED, amount, { from, place: 'log:3' })

  test('is paid by the transaction that contains its first action, with the exact input', async () => {
    const data = `0xfd3ad6d4${first.slice(2)}`
    const paid = (movements: readonly Movement[], change: Partial<SeenTransaction> = {}, told = data) =>
      events().inputs(seen({ to: RELAYED, data: told, movements }, change), swap)
    expect(await paid([taken(1_000_000_000n)])).toMatchObject([{ place: 'log:3', took: { amount: 1_000_000_000n } }])
    expect(await paid([taken(999_999_999n)])).toEqual([])
    expect(await paid([taken(1_000_000_000n, STRANGER)])).toEqual([])
    expect(await paid([taken(1_000_000_000n)], {}, '0xfd3ad6d4')).toEqual([])
    expect(await paid([taken(1_000_000_000n)], { isSuccess: false })).toEqual([])
    expect(await paid([taken(1_000_000_000n)], { chainId: 10 })).toEqual([])
  })

  test('delivers coins unwrapped by its Settler, less other shares, in a transaction of its own', async () => {
    const amount = 10n ** 18n
    const net = (left: bigint) => [30n, 24n].reduce((rest, bps) => rest - (rest * bps) / 10_000n, left)
    const { slippageAndActions } = typedDataOf(swap.execution).message as never as { slippageAndActions: Header }
    const { actions, ...header } = slippageAndActions
    const trade = { header: { ...header, minAmountOut: BigInt(header.minAmountOut) }, actions, zid: `0x${'0'.repeat(24)}` }
    const own = await metaTxnCall({ ...trade, taker: WALLETS.evm }, '0x')
    const told = (logs: readonly Hex[][], to = RELAYED, data: string = own) =>
      events().outputs(seen({ to, data, logs }), swap, [])
    const [event] = (await told([log(WITHDRAWAL, RELAYED, amount)])) ?? []
    expect(event?.place).toBe('log:7')
    expect([
      event?.amount === undefined,
      (event?.amount ?? 0n) < amount,
      (event?.amount ?? 0n) >= net(amount) - amount / 100n,
    ]).toEqual([false, true, true])
    // Of two, or of another's, or below the minimum, none is told: the money must show it.
    expect(await told([log(WITHDRAWAL, RELAYED, amount), log(WITHDRAWAL, RELAYED, amount)])).toBeNull()
    expect(await told([log(WITHDRAWAL, TAKER, amount)])).toBeNull()
    expect(await told([log(WITHDRAWAL, RELAYED, 1n)])).toBeNull()
    expect(await told([log(WITHDRAWAL, RELAYED, amount)], STRANGER)).toBeNull()
    // Nor what the same Settler unwraps for another trade, whatever is written behind it.
    const [, ...others] = actions
    const another = await metaTxnCall(
      { ...trade, actions: [`${first.slice(0, -1)}7`, ...others] as Hex[], taker: WALLETS.evm },
      '0x',
    )
    for (const data of ['0x', another, `${another}${first.slice(2)}`, await metaTxnCall({ ...trade, taker: STRANGER }, '0x')])
      expect(await told([log(WITHDRAWAL, RELAYED, amount)], RELAYED, data)).toBeNull()
    // One that its signer made anew, with the same nonce and without a share, is paid and is not whole.
    const stripped = await metaTxnCall({ ...trade, actions: actions.slice(0, -1), taker: WALLETS.evm }, '0x')
    for (const [data, isWhole] of [
      [own, true],
      [stripped, undefined],
    ] as const) {
      const [paid] = (await events().inputs(seen({ to: RELAYED, data, movements: [taken(1_000_000_000n)] }), swap)) ?? []
      expect([paid?.place, paid?.isWhole]).toEqual(['log:3', isWhole])
    }
  })
})

describe('events: a 0x call inside a contract wallet transaction', () => {
  const delivered = (amount: bigint, to: Address = WALLETS.evmOther, from = TAKER) =>
    movement(asset(USDC.ethereum), to, amount, { from, place: 'log:9' })

  test('pays in coins that its Settler wrapped, where it paid the recipient the minimum', async () => {
    const swap = await swapOf(bench.venue, orders.ether())
    const data = inside(transactionOf(swap.execution).data)
    const least = swap.execution.slippage?.guaranteedMin ?? 0n
    const paid = (movements: readonly Movement[], logs: readonly Hex[][]) =>
      events().inputs(seen({ to: WALLETS.evm, data, movements, logs }), swap)
    const wrapped = [log(DEPOSIT, TAKER, 10n ** 18n)]
    expect(await paid([delivered(least)], wrapped)).toMatchObject([{ place: 'log:7', took: { token: NATIVE } }])
    for (const movements of [
      [],
      [delivered(least - 1n)],
      [delivered(least, STRANGER)],
      [delivered(least, WALLETS.evmOther, STRANGER)],
    ])
      expect(await paid(movements, wrapped)).toEqual([])
    // Not every pool wants wrapped coins.
    expect(await paid([delivered(least)], [])).toBeNull()
    expect(await paid([delivered(least)], [log(DEPOSIT, TAKER, 1n)])).toBeNull()
  })

  test('is left to the top-level call, and does not match another call', async () => {
    const swap = await swapOf(bench.venue, orders.ether())
    const { data } = transactionOf(swap.execution)
    expect(await events().inputs(seen({ to: ALLOWANCE_HOLDER, data }), swap)).toBeNull()
    expect(await events().inputs(seen({ to: WALLETS.evm, data: inside('0x1234') }), swap)).toBeNull()
  })
})

describe('events: the claimed transfers of a 0x transaction', () => {
  const none = async (tx: SeenTransaction) => expect(await events().named(tx)).toEqual([])

  test('are all payouts of Settlers, with coins where they unwrapped some or a call names them', async () => {
    const movements = [
      movement(asset(USDC.ethereum), STRANGER, 5n, { from: TAKER, place: 'log:1' }),
      movement(asset(USDC.ethereum), STRANGER, 5n, { from: RELAYED, place: 'log:2' }),
      movement(asset(USDC.ethereum), STRANGER, 5n, { from: STRANGER, place: 'log:3' }),
    ]
    expect(await events().named(seen({ to: STRANGER, data: '0x', movements }))).toEqual(['log:1', 'log:2'])
    const unwrapped = seen({ to: STRANGER, data: '0x', logs: [log(WITHDRAWAL, RELAYED, 5n)] })
    expect(await events().named(unwrapped)).toEqual([COINS_BY_CALLS])
    const swap = await swapOf(bench.venue, orders.usdcToEther({ slippageBps: 20 }))
    const call = seen({ to: ALLOWANCE_HOLDER, data: transactionOf(swap.execution).data })
    expect(await events().named(call)).toEqual([COINS_BY_CALLS])
    await none({ ...unwrapped, isSuccess: false })
    await none({ ...unwrapped, chainId: 324 })
    await none(seen({ to: STRANGER, data: '0x', logs: [log(WITHDRAWAL, STRANGER, 5n)] }))
  })
})
