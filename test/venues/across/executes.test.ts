import { afterEach, describe, expect, test } from 'vitest'
import { decodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import { addressOf } from '../../../engine/core/address.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import type { SimEvm } from '../../../engine/simnet/kit/world.ts'
import { anOrder, type OrderWish, WALLETS } from '../../support/anOrder.ts'
import { chainFails } from '../../support/fakeChains.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { prove, refusalOf, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
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

test('asks again with the bound addresses and everything switched on, and passes the calldata on untouched', async () => {
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

test('binds the addresses given at execute time', async () => {
  bench = await openBench()
  const order = usdcOrder()
  const offer = await bench.venue.quote(order, AbortSignal.timeout(5_000))
  const binding = { recipient: FEE_RECIPIENT, refundTo: WALLETS.evmOther }
  const execution = await bench.venue.execute({ order, offer }, binding, AbortSignal.timeout(5_000))
  expect(Object.fromEntries(bench.sent[1]?.query ?? [])).toMatchObject({
    recipient: FEE_RECIPIENT,
    refundAddress: WALLETS.evmOther,
  })
  expect(await bench.venue.decode(execution)).toMatchObject(binding)
})

type Case = readonly [name: string, wish: OrderWish, expected: object, evm?: Partial<SimEvm>]

const CASES: readonly Case[] = [
  [
    'a plain bridge',
    { from: [8453, USDC.base], to: [42161, USDC.arbitrum], amount: 250_000_000n },
    { pays: SPOKE_POOL_BASE, fee: null },
  ],
  [
    'a bridge with a fee',
    { from: [8453, USDC.base], to: [42161, USDC.arbitrum], amount: 250_000_000n, feeBps: 15 },
    { pays: SPOKE_POOL_BASE, fee: { recipient: FEE_RECIPIENT, amount: 374_913n } },
  ],
  ['native to native', { from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n }, { pays: PERIPHERY, spender: null }],
  [
    'native to native with a fee',
    { from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n, feeBps: 30 },
    { fee: { recipient: FEE_RECIPIENT, amount: (999_882_405_063_291_140n * 30n) / 10_000n } },
  ],
  [
    'wrapped to wrapped, by a message',
    { from: [8453, WETH.base], to: [42161, WETH.arbitrum], amount: 10n ** 18n },
    { fee: null },
  ],
  ['wrapped to native', { from: [8453, WETH.base], to: [42161, NATIVE], amount: 10n ** 18n }, { pays: SPOKE_POOL_BASE }],
  ['native to wrapped', { from: [8453, NATIVE], to: [42161, WETH.arbitrum], amount: 10n ** 18n }, { pays: PERIPHERY }],
  ['native to a contract', { from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n }, { pays: PERIPHERY }, contractEvm],
  ['native on ZKsync, always by a message', { from: [1, NATIVE], to: [324, NATIVE], amount: 10n ** 18n }, { fee: null }],
  [
    'a swap before the bridge',
    { from: [42161, ARB], to: [8453, USDC.base], amount: 10n ** 21n, slippageBps: 50 },
    { pays: PERIPHERY, spender: PERIPHERY, fee: null },
  ],
  [
    'a swap before the bridge with a fee',
    { from: [42161, ARB], to: [8453, USDC.base], amount: 10n ** 21n, slippageBps: 50, feeBps: 100 },
    { pays: PERIPHERY },
  ],
  ['a native coin that must be swapped', { from: [137, NATIVE], to: [8453, USDC.base], amount: 10n ** 21n }, { spender: null }],
  ['a swap between decimals', { from: [56, NATIVE], to: [8453, USDC.base], amount: 10n ** 18n }, { spender: null }],
  [
    'EVM to Solana',
    { from: [8453, USDC.base], to: [-2, USDC.solana], amount: 10n ** 9n, recipient: WALLETS.solana, feeBps: 15 },
    { fee: null },
  ],
  [
    'Solana to EVM',
    { from: [-2, USDC.solana], to: [8453, USDC.base], amount: 10n ** 9n, recipient: WALLETS.evmOther, feeBps: 15 },
    { pays: SVM_SPOKE, spender: null, fee: null },
  ],
]

describe('what is built is what was asked, read back from its bytes', () => {
  test.each(CASES.map(([name, wish, expected, evm]) => ({ name, wish, expected, evm })))(
    '$name',
    async ({ wish, expected, evm }) => {
      bench = await openBench({ settings: WITH_FEE, ...(evm ? { evm } : {}) })
      const order = anOrder({ recipient: WALLETS.evmOther, ...wish })
      const swap = await swapOf(bench.venue, order)
      const claims = await bench.venue.decode(swap.execution)
      expect(claims).toMatchObject({
        chainId: order.input.chainId,
        input: { asset: order.input, amount: order.inputAmount },
        output: { asset: order.output, minimum: swap.execution.slippage?.guaranteedMin },
        recipient: order.recipient,
        refundTo: order.refundTo,
        deadlineAt: FILL_DEADLINE * 1_000,
        unread: [],
        ...expected,
      })
      expect(await prove(bench.venue, swap, swap.execution)).toEqual([])
    },
  )
})

describe('a native coin that arrives without a message arrives in the form the recipient’s code decides', () => {
  const wrapped = anOrder({
    from: [8453, WETH.base],
    to: [42161, WETH.arbitrum],
    amount: 10n ** 18n,
    recipient: WALLETS.evmOther,
  })
  const native = anOrder({ from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n, recipient: WALLETS.evmOther })
  const DELEGATED = `0xef0100${'11'.repeat(20)}` as const

  test('wrapped to a contract, and the read is of the recipient on the destination chain', async () => {
    bench = await openBench({ evm: contractEvm })
    bench.chains.script.code = async () => '0x6001'
    const swap = await swapOf(bench.venue, wrapped)
    expect(await prove(bench.venue, swap, swap.execution)).toEqual([])
    const reads = bench.chains.calls.filter(({ method }) => method === 'code')
    expect(reads.map(({ query }) => query)).toEqual(reads.map(() => ({ chainId: 42161, address: WALLETS.evmOther })))
  })

  test.each([
    ['Across takes a contract for a wallet', native, {}, '0x6001'],
    ['Across takes a wallet for a contract', wrapped, contractEvm, '0x'],
    ['the account has lent its code, which pools treat differently', wrapped, contractEvm, DELEGATED],
  ] as const)('%s: a decline at quote', async (_name, order, evm, code) => {
    bench = await openBench({ evm })
    bench.chains.script.code = async () => code
    expect((await refusalOf(bench.venue.quote(order, AbortSignal.timeout(5_000)))).kind).toBe('unsupportedPair')
  })

  test('a payload whose recipient has got code since is refused', async () => {
    bench = await openBench()
    const swap = await swapOf(bench.venue, native)
    expect(await prove(bench.venue, swap, swap.execution)).toEqual([])
    bench.chains.script.code = async () => '0x6001'
    expect(await prove(bench.venue, swap, swap.execution)).toEqual(['output.token'])
    bench.chains.script.code = async () => DELEGATED
    expect(await prove(bench.venue, swap, swap.execution)).toContain('unread: whether the output arrives wrapped')
  })

  test('a chain that cannot be asked is a decline, at quote and at execute, and no trouble of the venue', async () => {
    bench = await openBench()
    const { offer } = await swapOf(bench.venue, native)
    bench.chains.script.code = chainFails('unreachable', 42161)
    const kinds = [
      await refusalOf(bench.venue.quote(native, AbortSignal.timeout(5_000))),
      await refusalOf(bench.venue.execute({ order: native, offer }, native, AbortSignal.timeout(5_000))),
    ].map(({ kind }) => kind)
    expect(kinds).toEqual(['noLiquidity', 'noLiquidity'])
  })

  test('nothing is read where it decides nothing', async () => {
    bench = await openBench()
    await swapOf(bench.venue, anOrder({ from: [8453, USDC.base], to: [42161, USDC.arbitrum], amount: 250_000_000n }))
    expect(bench.chains.calls.filter(({ method }) => method === 'code')).toEqual([])
  })
})

test('a Solana transaction is one v0 transaction of the sender alone, given twice the same', async () => {
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

describe('payload faults of the venue never pass the proof', () => {
  const ROUTES = [
    ['plain', usdcOrder()],
    ['with a fee', usdcOrder({ feeBps: 15 })],
    ['native', anOrder({ from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n, recipient: WALLETS.evmOther })],
    ['swap', anOrder({ from: [42161, ARB], to: [8453, USDC.base], amount: 10n ** 21n, slippageBps: 50 })],
    ['Solana', usdcOrder({ from: [-2, USDC.solana], to: [8453, USDC.base] })],
    ['to Solana', usdcOrder({ to: [-2, USDC.solana], recipient: WALLETS.solana })],
  ] as const
  for (const [name, order] of ROUTES) {
    test.each(['wrong-recipient', 'wrong-amount', 'wrong-minimum'] as const)(`${name}: %s`, async (fault) => {
      bench = await openBench({ settings: WITH_FEE })
      const { offer } = await swapOf(bench.venue, order)
      bench.faults.set('across', fault, {}, 1)
      // A native amount stands in the answer itself and is refused before anything is decoded.
      const built = await bench.venue
        .execute({ order, offer }, order, AbortSignal.timeout(5_000))
        .catch((error: { kind: string }) => error)
      if ('kind' in built) expect(built.kind).toBe('badResponse')
      else
        expect(
          await prove(bench.venue, { order, offer, binding: order, execution: built as Execution }, built as Execution),
        ).not.toEqual([])
    })
    test(`${name}: wrong-contract is refused at once`, async () => {
      bench = await openBench({ settings: WITH_FEE })
      const { offer } = await swapOf(bench.venue, order)
      bench.faults.set('across', 'wrong-contract', {}, 1)
      const refusal = await refusalOf(bench.venue.execute({ order, offer }, order, AbortSignal.timeout(5_000)))
      expect(refusal.kind).toBe('badResponse')
    })
  }
})

test('a deposit in the documented shape, its values invented, reads as documented', async () => {
  bench = await openBench()
  const sender = addressOf('evm', '0x7a1c3f5b92d4e608a7b3c5d1e9f0246813579bdf')
  const recipient = addressOf('evm', '0x2b9d4e71f08a36c5b7e21d94f3a6085c7e1b9f42')
  const data =
    '0xad5425c60000000000000000000000007a1c3f5b92d4e608a7b3c5d1e9f0246813579bdf0000000000000000000000002b9d4e71f08a36c5b7e21d94f3a6085c7e1b9f42000000000000000000000000833589fcd6edb6e08f4c7c32d4f71b54bda02913000000000000000000000000af88d065e77c8cc2239327c5edb3a432268e5831000000000000000000000000000000000000000000000000000000000ee6b280000000000000000000000000000000000000000000000000000000000ee4fabd000000000000000000000000000000000000000000000000000000000000a4b10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000006aff8d44000000000000000000000000000000000000000000000000000000006affa9640000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000018000000000000000000000000000000000000000000000000000000000000000001dc0debeef73c0de'
  const transaction = { chainId: 8453, to: addressOf('evm', SPOKE_POOL_BASE), data, value: 0n } as never
  const execution = { payload: { executionType: 'TRANSACTION', transaction } } as unknown as Execution
  expect(await bench.venue.decode(execution)).toEqual({
    chainId: 8453,
    pays: SPOKE_POOL_BASE,
    spender: SPOKE_POOL_BASE,
    nativeFee: 0n,
    input: { asset: { chainId: 8453, address: USDC.base }, amount: 250_000_000n },
    output: { asset: { chainId: 42161, address: USDC.arbitrum }, minimum: 249_887_421n },
    recipient,
    refundTo: sender,
    fee: null,
    deadlineAt: 1_795_139_940_000,
    unread: [],
  })
})
