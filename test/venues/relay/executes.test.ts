import { decodeFunctionData, parseAbi } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { decodeSolanaTransaction, lookupTablesOf } from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { chainFails, createFakeChains } from '../../support/fakeChains.ts'
import { altered, depositOf, never, prove, refusalOf, said, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import {
  ARB,
  BLOCKHASH,
  bitcoinOrder,
  DEPOSITORY,
  etherOrder,
  NATIVE,
  NATIVE_SOL,
  openBench,
  properAnswers,
  RECIPIENT_BTC,
  type RelayBench,
  requestIdOf,
  SOLANA_PROGRAM,
  solanaUsdcOrder,
  solOrder,
  told,
  USDC,
  USDG,
  usdcOrder,
  WITH_FEE,
} from './support.ts'

let bench: RelayBench
afterEach(() => bench?.close())

const ABI = parseAbi([
  'function depositErc20(address depositor, address token, uint256 amount, bytes32 id)',
  'function depositNative(address depositor, bytes32 id)',
])

const execute = async (order: VenueOrder) => {
  bench = await openBench({ settings: WITH_FEE })
  return swapOf(bench.venue, order)
}

describe('on an EVM chain', () => {
  test('tokens are deposited with the depository, under the order’s id', async () => {
    const { execution } = await execute(usdcOrder())
    const { to, data, value, chainId } = transactionOf(execution)
    expect({ to, value, chainId }).toEqual({ to: DEPOSITORY, value: 0n, chainId: 8453 })
    const { functionName, args } = decodeFunctionData({ abi: ABI, data: data as Hex })
    expect(functionName).toBe('depositErc20')
    expect(args.slice(0, 3)).toEqual([WALLETS.evm, USDC.base, 250_000_000n])
    expect(execution.venueRef).toBe(requestIdOf(execution))
    expect(execution).toMatchObject({ outputAmount: 249_950_500n, slippage: { guaranteedMin: 248_700_747n } })
  })

  test('neither delivered nor refunded to the depository itself, where nobody would have it', async () => {
    for (const parties of [{ recipient: DEPOSITORY }, { refundTo: DEPOSITORY }]) {
      const swap = await execute(usdcOrder(parties))
      expect(await prove(bench.venue, swap)).toEqual(['contract.owner'])
      await bench.close()
    }
    bench = await openBench()
  })

  test('coins are deposited by value', async () => {
    const { execution } = await execute(etherOrder())
    const { data, value } = transactionOf(execution)
    expect(value).toBe(10n ** 18n)
    expect(decodeFunctionData({ abi: ABI, data: data as Hex })).toMatchObject({ functionName: 'depositNative' })
  })

  test('addresses bound at execute are the ones asked for and in the order, on both sides', async () => {
    bench = await openBench()
    const bound = { recipient: WALLETS.evm, refundTo: WALLETS.evmOther }
    const swap = await swapOf(bench.venue, usdcOrder(), bound)
    expect(bench.sent[2]?.body).toMatchObject(bound)
    expect(await prove(bench.venue, swap, swap.execution)).toEqual([])
    expect(await bench.venue.decode(swap.execution)).toMatchObject(bound)
  })

  test('asks afresh, and the fee that was quoted is asked for again', async () => {
    await execute(usdcOrder({ feeBps: 15, slippageBps: 50 }))
    expect(bench.sent.map(({ path }) => path)).toEqual(['/chains', '/quote/v2', '/quote/v2'])
    expect(bench.sent[2]?.body).toEqual(bench.sent[1]?.body)
  })
})

describe('on Solana', () => {
  const read = async (order: VenueOrder) => {
    const swap = await execute(order)
    const transaction = transactionOf(swap.execution)
    return { swap, transaction, decoded: await decodeSolanaTransaction(transaction.data) }
  }

  test.each([
    ['SOL', solOrder(), '0d9e0ddf5fd51c06'],
    ['tokens', solanaUsdcOrder(), '0b9c60da27a3b413'],
  ])('%s: an unsigned v0 transaction of the vendor’s instructions, on the latest block', async (_name, order, discriminator) => {
    const { transaction, decoded } = await read(order)
    expect(transaction).toMatchObject({ chainId: -2, to: SOLANA_PROGRAM, value: 0n, serialized: transaction.data })
    const wire = Buffer.from(transaction.data, 'base64')
    expect(wire.length).toBeLessThanOrEqual(1_232)
    expect(wire.subarray(1, 65).every((byte) => byte === 0)).toBe(true)
    expect(wire[65]).toBe(0x80)
    expect(decoded).toMatchObject({ feePayer: WALLETS.solana, signers: [WALLETS.solana], recentBlockhash: BLOCKHASH })
    expect(decoded?.instructions.map(({ programId }) => programId)).toEqual([
      'ComputeBudget111111111111111111111111111111',
      SOLANA_PROGRAM,
    ])
    const data = Buffer.from(decoded?.instructions[1]?.data ?? [])
    expect(data.subarray(0, 8).toString('hex')).toBe(discriminator)
    expect(data.readBigUInt64LE(8)).toBe(order.inputAmount)
    expect(bench.chains.calls.map(({ method }) => method)).toEqual(['latestBlockhash'])
  })

  const withData = async (order: VenueOrder, path: string, change: (data: never) => unknown, chains = createFakeChains()) => {
    const proper = await properAnswers(order)
    const { steps } = proper.quote as { steps: readonly { items: readonly { data: never }[] }[] }
    const data = change(steps[0]?.items[0]?.data as never)
    const quote = altered(proper.quote, `steps.0.items.0.data${path}`, data)
    return told({ ...proper, quote }, { chains })
  }

  const TABLE = addressOf('solana', 'SysvarRent111111111111111111111111111111111')
  type Data = { instructions: { keys: { pubkey: string }[]; programId: string; data: string }[] }

  test('lookup tables are read from the chain, and make the transaction shorter', async () => {
    const plain = Buffer.from(transactionOf((await execute(solanaUsdcOrder())).execution).data, 'base64').length
    const chains = createFakeChains()
    const keys: Address[] = []
    chains.script.lookupTable = async () => keys
    const order = solanaUsdcOrder()
    const named = await withData(
      order,
      '',
      (data: Data) => {
        keys.push(...data.instructions.flatMap((instruction) => instruction.keys.map(({ pubkey }) => pubkey as Address)))
        return { ...data, addressLookupTableAddresses: [TABLE] }
      },
      chains,
    )
    const swap = await swapOf(named.venue, order)
    const { data } = transactionOf(swap.execution)
    expect(await lookupTablesOf(data)).toEqual([TABLE])
    expect(Buffer.from(data, 'base64').length).toBeLessThan(plain)
    expect(await prove(named.venue, swap, swap.execution)).toEqual([])
    // Another answer of the chain for the same bytes is another transaction.
    keys.reverse()
    expect(await prove(named.venue, swap, swap.execution)).not.toEqual([])
    chains.script.lookupTable = async () => null
    expect(await prove(named.venue, swap, swap.execution)).not.toEqual([])
  })

  test('one that is longer than a packet is declined before it is offered', async () => {
    const long = await withData(solOrder(), '', (data: Data) => ({
      ...data,
      instructions: [
        ...data.instructions,
        { keys: [], programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', data: '61'.repeat(950) },
      ],
    }))
    expect(await refusalOf(long.venue.quote(solOrder(), never()))).toMatchObject({ kind: 'noLiquidity' })
    const fits = await withData(solOrder(), '', (data: Data) => ({
      ...data,
      instructions: [
        ...data.instructions,
        { keys: [], programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', data: '61'.repeat(700) },
      ],
    }))
    const swap = await swapOf(fits.venue, solOrder())
    expect(await prove(fits.venue, swap, swap.execution)).toEqual([])
  })

  test.each([
    ['a table that is none', () => Promise.resolve(null), 'badResponse'],
    ['a chain out of reach', chainFails('unreachable', -2), 'unavailable'],
    ['a chain that is slow', chainFails('timeout', -2), 'timeout'],
  ] as const)('%s refuses the offer', async (_name, answer, kind) => {
    const chains = createFakeChains()
    chains.script.lookupTable = answer
    const tables = (data: Data) => ({ ...data, addressLookupTableAddresses: [TABLE] })
    const broken = await withData(solOrder(), '', tables, chains)
    expect((await refusalOf(broken.venue.quote(solOrder(), never()))).kind).toBe(kind)
  })

  test('no blockhash, no transaction', async () => {
    bench = await openBench()
    const order = solOrder()
    const offer = await bench.venue.quote(order, never())
    bench.chains.script.latestBlockhash = chainFails('unreachable', -2)
    expect((await refusalOf(bench.venue.execute({ order, offer }, order, never()))).kind).toBe('unavailable')
  })
})

describe('from Bitcoin', () => {
  test('a wallet without the coins gets an address in the name of another, refunded and delivered as asked', async () => {
    const order = bitcoinOrder()
    const standIn = addressOf('bitcoin', '34xp4vRoCGJym3xR7yCVPFHoCNxv4Twseo')
    const { chains, quote } = await properAnswers(order)
    const poor = { status: 400, body: { message: 'not enough', errorCode: 'INSUFFICIENT_FUNDS' } }
    const broken = canned(relay, ({ path, body }) => {
      if (path === '/chains') return { body: chains }
      return path === '/price' || (body as { user: string }).user === standIn ? { body: quote } : poor
    })
    const swap = await swapOf(broken.venue, order)
    expect(depositOf(swap.execution)).toMatchObject({ amount: order.inputAmount, chainId: -1 })
    const { refundTo, recipient } = order
    expect(broken.asked.at(-1)?.body).toMatchObject({ user: standIn, refundTo, recipient, strict: true })
    expect(await prove(broken.venue, swap, swap.execution)).toEqual([])
  })

  test('a new address for this one order, with the refund address bound', async () => {
    const { execution, order } = await execute(bitcoinOrder({ feeBps: 30, slippageBps: 100 }))
    const { address, amount, chainId } = depositOf(execution)
    expect({ amount, chainId }).toEqual({ amount: 1_000_000n, chainId: -1 })
    expect(address).toMatch(/^bc1q/)
    expect(execution.venueRef).toBe(address)
    expect(bench.sent.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /chains', 'POST /price', 'POST /quote/v2'])
    expect(bench.sent[2]?.body).toMatchObject({ useDepositAddress: true, strict: true, refundTo: order.refundTo })
    const { pays, fee } = await bench.venue.decode(execution)
    expect([pays, said(fee)]).toMatchObject([address, { bps: 30 }])
  })
})

const ROUTES: readonly (readonly [string, VenueOrder])[] = [
  ['tokens', usdcOrder()],
  ['tokens with a fee', usdcOrder({ feeBps: 15, slippageBps: 50 })],
  ['coins with a fee', etherOrder({ feeBps: 100 })],
  ['from Linea, which has a depository of its own', usdcOrder({ from: [59144, USDC.linea] })],
  ['coins from Monad, which is settled too', etherOrder({ from: [143, NATIVE], amount: 10n ** 20n })],
  ['tokens from Robinhood Chain', usdcOrder({ from: [4663, USDG], to: [1, USDC.ethereum] })],
  ['into a token the solver has to buy', usdcOrder({ to: [42161, ARB] })],
  ['Solana SOL with a fee', solOrder({ feeBps: 25 })],
  ['Solana tokens', solanaUsdcOrder({ slippageBps: 1 })],
  ['into SOL', usdcOrder({ to: [-2, NATIVE_SOL], recipient: WALLETS.solana })],
  ['into bitcoin', etherOrder({ to: [-1, NATIVE], recipient: RECIPIENT_BTC })],
  ['from bitcoin with a fee', bitcoinOrder({ feeBps: 30 })],
  ['from bitcoin into SOL', bitcoinOrder({ to: [-2, NATIVE_SOL], recipient: WALLETS.solana })],
]

test.each(ROUTES)('%s: what is built is proved, and claims exactly what was asked', async (_name, order) => {
  const swap = await execute(order)
  expect(await prove(bench.venue, swap, swap.execution)).toEqual([])
  const { output, recipient, refundTo, fee, ...claims } = await bench.venue.decode(swap.execution)
  expect(claims).toMatchObject({
    chainId: order.input.chainId,
    input: { asset: order.input, amount: order.inputAmount },
    unread: [],
  })
  expect(output.asset).toEqual(order.output)
  expect([output.minimum, recipient, refundTo].map(said)).toEqual([
    swap.offer.slippage?.guaranteedMin,
    order.recipient,
    order.refundTo,
  ])
  if (order.feeBps === 0) expect(said(fee)).toBeNull()
  else expect(said(fee)).toMatchObject({ bps: order.feeBps })
})

describe('a price that moved between quote and execute', () => {
  const moved = async (order: VenueOrder, usdMicros: bigint) => {
    bench = await openBench()
    const offer = await bench.venue.quote(order, never())
    bench.market.setPrice('ETH', usdMicros)
    return { offer, execution: await bench.venue.execute({ order, offer }, order, never()) }
  }

  test('within the bound is held to the quoted minimum by a tighter slippage', async () => {
    const order = etherOrder({ to: [42161, USDC.arbitrum], slippageBps: 100 })
    const { offer, execution } = await moved(order, 3_930_000_000n)
    expect(bench.sent.slice(1).map(({ body }) => (body as { slippageTolerance: string }).slippageTolerance)).toEqual([
      '100',
      '100',
      '49',
    ])
    expect(execution.outputAmount).toBeLessThan(offer.outputAmount)
    expect(execution.slippage?.guaranteedMin).toBeGreaterThanOrEqual(offer.slippage?.guaranteedMin ?? 0n)
    const swap = { order, offer, binding: order, execution, executed: { order, offer, binding: order, execution } }
    expect(await prove(bench.venue, swap, execution)).toEqual([])
  })

  test('beyond the bound is told as it is: the engine refuses it', async () => {
    const { offer, execution } = await moved(etherOrder({ to: [42161, USDC.arbitrum], slippageBps: 100 }), 3_800_000_000n)
    expect(execution.outputAmount).toBeLessThan(offer.slippage?.guaranteedMin ?? 0n)
    expect(bench.sent.filter(({ path }) => path === '/quote/v2')).toHaveLength(2)
  })

  test('better is passed on', async () => {
    const { offer, execution } = await moved(etherOrder({ to: [42161, USDC.arbitrum] }), 4_000_000_000n)
    expect(execution.outputAmount).toBeGreaterThan(offer.outputAmount)
  })
})

test('an offer of another version is not executed', async () => {
  bench = await openBench()
  const order = usdcOrder()
  const offer = { ...(await bench.venue.quote(order, never())), carry: { v: 2 } }
  expect((await refusalOf(bench.venue.execute({ order, offer }, order, never()))).kind).toBe('badResponse')
})
