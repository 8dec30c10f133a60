import { afterEach, describe, expect, test } from 'vitest'
import { decodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import type { SimEvm } from '../../../engine/simnet/kit/world.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { chainFails } from '../../support/fakeChains.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { never, prove, refusalOf, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { fieldsOf } from './forging.ts'
import {
  type AcrossBench,
  ARB,
  FEE_RECIPIENT,
  NATIVE,
  openBench,
  PERIPHERY,
  SPOKE_POOL_BASE,
  SVM_SPOKE,
  USDC,
  usdcOrder,
  WETH,
  WITH_FEE,
} from './support.ts'

let bench: AcrossBench
afterEach(() => bench?.close())

const FILL_DEADLINE = START_OF_TIME / 1_000 - 60 + 7_200
const contractEvm: Partial<SimEvm> = {
  rpc: (_chainId, method) => Promise.resolve(method === 'eth_getCode' ? '0x6001' : `0x${'0'.repeat(64)}`),
}

test('execute: requests the quote again with the bound addresses, and returns its calldata unchanged', async () => {
  bench = await openBench({ settings: WITH_FEE })
  const order = usdcOrder({ feeBps: 15 })
  const { execution } = await swapOf(bench.venue, order)
  const [quoted, executed] = bench.sent
  const { skipChecks, skipOriginTxEstimation, ...asked } = Object.fromEntries(quoted?.query ?? [])
  expect({ skipChecks, skipOriginTxEstimation }).toEqual({ skipChecks: 'true', skipOriginTxEstimation: 'true' })
  expect(Object.fromEntries(executed?.query ?? [])).toEqual(asked)
  const { to, value, chainId, data, serialized } = transactionOf(execution)
  expect({ to, value, chainId, serialized }).toEqual({ to: SPOKE_POOL_BASE, value: 0n, chainId: 8453, serialized: undefined })
  expect(data.endsWith('1dc0debeef73c0de')).toBe(true)
  expect(fieldsOf(data).fields).toMatchObject({ inputAmount: 250_000_000n, outputAmount: 249_942_500n })
  expect(execution).toMatchObject({ venueRef: null, evidence: null, carry: null, outputAmount: 249_567_587n })
})

test('execute: binds the addresses of the execute call', async () => {
  bench = await openBench()
  const order = usdcOrder()
  const offer = await bench.venue.quote(order, never())
  const binding = { recipient: FEE_RECIPIENT, refundTo: WALLETS.evmOther }
  const execution = await bench.venue.execute({ order, offer }, binding, never())
  expect(Object.fromEntries(bench.sent[1]?.query ?? [])).toMatchObject({
    recipient: FEE_RECIPIENT,
    refundAddress: WALLETS.evmOther,
  })
  expect(await bench.venue.decode(execution)).toMatchObject(binding)
})

type Case = [name: string, wish: OrderWish, expected: object, evm?: Partial<SimEvm>]

const ETHER = 10n ** 18n
const usdc = { from: [8453, USDC.base], to: [42161, USDC.arbitrum], amount: 250_000_000n } as const
const ether = { from: [8453, NATIVE], to: [42161, NATIVE], amount: ETHER } as const
const wrappedEther = { from: [8453, WETH.base], to: [42161, WETH.arbitrum], amount: ETHER } as const
const exchanged = { from: [42161, ARB], to: [8453, USDC.base], amount: 1_000n * ETHER, slippageBps: 50 } as const
const fromSolana = { from: [-2, USDC.solana], to: [8453, USDC.base], amount: 10n ** 9n } as const
const toSolana = { from: [8453, USDC.base], to: [-2, USDC.solana], amount: 10n ** 9n, recipient: WALLETS.solana } as const
const feeOf = (amount: bigint) => ({ fee: { recipient: FEE_RECIPIENT, amount } })

const CASES: Case[] = [
  ['a plain bridge', usdc, { pays: SPOKE_POOL_BASE, fee: null }],
  ['a bridge with a fee', { ...usdc, feeBps: 15 }, { pays: SPOKE_POOL_BASE, ...feeOf(374_913n) }],
  ['native to native', ether, { pays: PERIPHERY, spender: null }],
  ['native to native with a fee', { ...ether, feeBps: 30 }, feeOf((999_882_405_063_291_140n * 30n) / 10_000n)],
  ['wrapped to wrapped, by a message', wrappedEther, { fee: null }],
  ['wrapped to native', { ...wrappedEther, to: ether.to }, { pays: SPOKE_POOL_BASE }],
  ['native to wrapped', { ...wrappedEther, from: ether.from }, { pays: PERIPHERY }],
  ['native to a contract', ether, { pays: PERIPHERY }, contractEvm],
  ['native on ZKsync, always by a message', { from: [1, NATIVE], to: [324, NATIVE], amount: ETHER }, { fee: null }],
  ['a swap before the bridge', exchanged, { pays: PERIPHERY, spender: PERIPHERY, fee: null }],
  ['a swap before the bridge with a fee', { ...exchanged, feeBps: 100 }, { pays: PERIPHERY }],
  ['a native coin that must be swapped', { ...exchanged, from: [137, NATIVE] }, { spender: null }],
  ['a swap between decimals', { ...exchanged, from: [56, NATIVE], amount: ETHER }, { spender: null }],
  ['EVM to Solana', { ...toSolana, feeBps: 15 }, { fee: null }],
  ['Solana to EVM', { ...fromSolana, feeBps: 15 }, { pays: SVM_SPOKE, spender: null, fee: null }],
]

describe('execute: the decoded payload matches the order', () => {
  test.each<Case>(CASES)('%s', async (_name, wish, expected, evm = {}) => {
    bench = await openBench({ settings: WITH_FEE, evm })
    const order = anOrder({ recipient: WALLETS.evmOther, ...wish })
    const swap = await swapOf(bench.venue, order)
    expect(await bench.venue.decode(swap.execution)).toMatchObject({
      chainId: order.input.chainId,
      input: { asset: order.input, amount: order.inputAmount },
      output: { asset: order.output, minimum: swap.execution.slippage?.guaranteedMin },
      recipient: order.recipient,
      refundTo: order.refundTo,
      deadlineAt: FILL_DEADLINE * 1_000,
      unread: [],
      ...expected,
    })
    expect(await prove(bench.venue, swap)).toEqual([])
  })
})

describe('execute: a native output without a message depends on the code of the recipient', () => {
  const wrapped = anOrder({ ...wrappedEther, recipient: WALLETS.evmOther })
  const native = anOrder({ ...ether, recipient: WALLETS.evmOther })
  const DELEGATED = `0xef0100${'11'.repeat(20)}` as const

  test('a contract receives wrapped coins, after a read of its code on the destination chain', async () => {
    bench = await openBench({ evm: contractEvm })
    bench.chains.script.code = async () => '0x6001'
    const swap = await swapOf(bench.venue, wrapped)
    expect(await prove(bench.venue, swap)).toEqual([])
    const reads = bench.chains.calls.filter(({ method }) => method === 'code')
    expect(reads.map(({ query }) => query)).toEqual(reads.map(() => ({ chainId: 42161, address: WALLETS.evmOther })))
  })

  test.each([
    ['a contract that Across treats as a wallet is not sold', native, {}, '0x6001', 'notSold'],
    ['a wallet that Across treats as a contract is rejected', wrapped, contractEvm, '0x', null],
    ['a wallet with delegated code is not sold', wrapped, contractEvm, DELEGATED, 'notSold'],
  ] as const)('%s', async (_name, order, evm, code, reason) => {
    bench = await openBench({ evm })
    bench.chains.script.code = async () => code
    expect(await refusalOf(bench.venue.quote(order, never()))).toMatchObject({ isDecline: reason !== null, reason })
  })

  test('a payload is rejected once its recipient has code', async () => {
    bench = await openBench()
    const swap = await swapOf(bench.venue, native)
    expect(await prove(bench.venue, swap)).toEqual([])
    bench.chains.script.code = async () => '0x6001'
    expect(await prove(bench.venue, swap)).toEqual(['output.token'])
    bench.chains.script.code = async () => DELEGATED
    expect(await prove(bench.venue, swap)).toContain('unread: whether the output arrives wrapped')
  })

  test('an unreachable chain is declined at quote and execute, without a fault of the venue', async () => {
    bench = await openBench()
    const { offer } = await swapOf(bench.venue, native)
    bench.chains.script.code = chainFails('unreachable', 42161)
    const kinds = [
      await refusalOf(bench.venue.quote(native, never())),
      await refusalOf(bench.venue.execute({ order: native, offer }, native, never())),
    ].map(({ kind }) => kind)
    expect(kinds).toEqual(['noLiquidity', 'noLiquidity'])
  })

  test('the code is read only where it changes the result', async () => {
    bench = await openBench()
    await swapOf(bench.venue, anOrder(usdc))
    expect(bench.chains.calls.filter(({ method }) => method === 'code')).toEqual([])
  })
})

test('execute: a Solana order is one v0 transaction signed by the sender alone, and the same when built again', async () => {
  bench = await openBench({ settings: WITH_FEE })
  const order = usdcOrder({ from: [-2, USDC.solana], to: [8453, USDC.base], recipient: WALLETS.evmOther })
  const { execution } = await swapOf(bench.venue, order)
  const { to, value, data, serialized } = transactionOf(execution)
  expect({ to, value }).toEqual({ to: SVM_SPOKE, value: 0n })
  expect(serialized).toBe(data)
  const transaction = await decodeSolanaTransaction(data)
  expect(transaction).toMatchObject({ feePayer: WALLETS.solana, signers: [WALLETS.solana], usesLookupTables: false })
  const memo = transaction?.instructions.at(-1)
  expect(Buffer.from(memo?.data ?? []).toString()).toBe('0xbeef73c0de')
})

describe('execute: the proof rejects a payload fault of the venue', () => {
  const ROUTES = [
    ['plain', usdcOrder()],
    ['with a fee', usdcOrder({ feeBps: 15 })],
    ['native', anOrder({ ...ether, recipient: WALLETS.evmOther })],
    ['swap', anOrder(exchanged)],
    ['Solana', usdcOrder(fromSolana)],
    ['to Solana', usdcOrder(toSolana)],
  ] as const
  const FAULTS = ['wrong-recipient', 'wrong-amount', 'wrong-minimum', 'wrong-contract'] as const
  test.each(ROUTES.flatMap((route) => FAULTS.map((fault) => [...route, fault] as const)))('%s', async (_name, order, fault) => {
    bench = await openBench({ settings: WITH_FEE })
    const { offer } = await swapOf(bench.venue, order)
    bench.faults.set('across', fault, {}, 1)
    const built = await bench.venue.execute({ order, offer }, order, never()).catch((error: VenueError) => error)
    // Another contract, and a native amount, stand in the answer itself and are refused before anything is decoded.
    if (built instanceof VenueError) expect(built.kind).toBe('rejected')
    else {
      expect(fault).not.toBe('wrong-contract')
      expect(await prove(bench.venue, { order, offer, binding: order, execution: built })).not.toEqual([])
    }
  })
})
