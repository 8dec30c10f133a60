import { createHash } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { CHAIN_IDS, isEvmChainId } from '../../../engine/core/chain.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import { PINNED, SOLANA_DEPOSIT } from '../../../engine/venues/relay/protocol.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { altered, alteredBy, outcomeOf, prove, said, swapOf } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import example from './recordedExample.json' with { type: 'json' }
import { API_KEY, DEPOSITORY, idOf, listed, openBench, orders } from './support.ts'
import vectors from './vectors.json' with { type: 'json' }

const USER = addressOf('evm', '0x7a1c3f5b92d4e608a7b3c5d1e9f0246813579bdf')
const RECIPIENT = addressOf('evm', '0x2b9d4e71f08a36c5b7e21d94f3a6085c7e1b9f42')
const NO_ID = `0x${'00'.repeat(32)}`

const bench = await openBench()
afterAll(() => bench.close())

/** The vendor's shapes with invented values, ids and calldata agreeing with each other. */
const { orderId: ORDER_ID, orderData: ORDER } = example.answer.protocol.v2
type Order = typeof ORDER | typeof vectors.protocolOrder.order

/** Whether the adapter takes a deposit under this id for one of the order. */
const isPaidBy = async (order: Order, id: string): Promise<boolean> => {
  const { currency = '', amount = '' } = order.inputs[0]?.payment ?? {}
  const word = (hex: string) => hex.slice(2).toLowerCase().padStart(64, '0')
  const isCoin = BigInt(currency) === 0n
  const sum = isCoin ? '' : word(currency) + word(`0x${BigInt(amount).toString(16)}`)
  const data = `${isCoin ? '0x49290c1c' : '0xe8017952'}${word(USER)}${sum}${id.slice(2)}`
  const transaction = { chainId: 8453, to: DEPOSITORY, data, value: isCoin ? BigInt(amount) : 0n }
  const evidence = { v: 1, order, user: USER, appFee: null, depositAddress: null }
  const execution = { payload: { executionType: 'TRANSACTION', transaction }, evidence } as unknown as Execution
  return !(await bench.venue.decode(execution)).unread.includes('a call other than the order’s deposit')
}

test.each([
  ['the example', ORDER, ORDER_ID],
  ['the settlement protocol’s own test', vectors.protocolOrder.order, vectors.protocolOrder.id],
])('relay: the order of %s has the published id in the adapter and the simulator', async (_whose, order, id) => {
  expect(await isPaidBy(order, id)).toBe(true)
  expect(await isPaidBy(order, NO_ID)).toBe(false)
  expect(await idOf(order)).toBe(id)
})

test('relay: the example quote is offered, built and proved exactly', async () => {
  const order = orders.usdc({ sender: USER, recipient: RECIPIENT, slippageBps: 50, feeBps: 15 })
  const settings = { FEE_RECIPIENT: '0x999999cf1046e68e36e1aa2e0e07105eddd1f08e', REFERRER: 'acme' }
  const answering = ({ path }: { path: string }) => ({
    body: path === '/chains' ? listed({ base: 8453, arbitrum: 42161 }) : example.answer,
  })
  const { venue, asked } = canned(relay, answering, { settings, apiKey: API_KEY })
  const swap = await swapOf(venue, order)
  const { includeProtocolData: _notAsked, ...request } = example.request
  const lowered = (body: unknown): unknown => JSON.parse(JSON.stringify(body).toLowerCase())
  expect(lowered(asked.at(-1)?.body)).toEqual(lowered({ ...request, disableOriginSwaps: true }))
  expect(swap.offer).toMatchObject({
    outputAmount: 249_566_588n,
    slippage: { guaranteedMin: 248_318_755n },
    fee: { bps: 15, amount: (249_566_588n * 15n) / 9_985n },
    gasUnits: 78_000n,
  })
  expect(await prove(venue, swap)).toEqual([])
  const { fee, ...claims } = await venue.decode(swap.execution)
  expect(said(fee)).toMatchObject({ bps: 15 })
  expect(claims).toEqual({
    chainId: 8453,
    pays: DEPOSITORY,
    spender: DEPOSITORY,
    nativeFee: 0n,
    input: { asset: { chainId: 8453, address: USDC.base }, amount: 250_000_000n },
    output: { asset: { chainId: 42161, address: USDC.arbitrum }, minimum: 248_318_755n },
    recipient: RECIPIENT,
    refundTo: USER,
    refundsElsewhere: [],
    deadlineAt: null,
    unread: [],
  })
  expect(swap.execution.venueRef).toBe('0x1f2e3d4c5b6a79880716253443526170f0e1d2c3b4a5968778695a4b3c2d1e0f')
})

/** configs/chains.mainnets.prod.json of relay-protocol-oracle, and the names of the program's calls, which Anchor hashes. */
test('relay: the pinned depositories, numbers of chains and calls of Solana are the published ones', () => {
  const evm = CHAIN_IDS.filter(isEvmChainId)
  const depositories = evm.map((chainId) => [chainId, PINNED[chainId].depository])
  const common = addressOf('evm', '0x4cd00e387622c35bddb9b4c962c136462338bc31')
  const ofLinea = addressOf('evm', '0x59916da825d2d2ec1bf878d71c88826f6633ecca')
  expect(depositories).toEqual(evm.map((chainId) => [chainId, chainId === 59144 ? ofLinea : common]))
  expect(evm.map((chainId) => PINNED[chainId].wireId)).toEqual(evm)
  const called = (name: string) => createHash('sha256').update(`global:deposit_${name}`).digest('hex').slice(0, 16)
  expect(SOLANA_DEPOSIT).toEqual({ native: called('native'), token: called('token') })
})

const BITCOIN_ROWS = vectors.bitcoinBytes.rows as unknown as readonly (readonly [string, string, readonly string[], string])[]

test.each(BITCOIN_ROWS)(
  'relay: an order paid to %s is hashed exactly as the settlement contracts encode it',
  async (address, _bytes, ids, other) => {
    // Stands for the coin itself.
    const coin = 'bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8'
    const order = alteredBy(ORDER, [
      ['output.chainId', 'bitcoin'],
      ['output.payments.0.recipient', address],
      ['output.payments.0.currency', coin],
    ])
    for (const id of ids) expect(await isPaidBy(order, id)).toBe(true)
    expect(await isPaidBy(order, other)).toBe(false)
    expect(await idOf(order)).toBe(ids[0])
    const recipient = addressOf('bitcoin', address)
    expect(await outcomeOf(bench.venue, orders.ether({ to: [-1, NATIVE], recipient }))).toBe('signed')
  },
)

test.each(['Arbitrum', 'arbitrum ', '\u0430rbitrum', '\ud800', 'eclipse', 'constructor', '42161'])(
  'relay: an order or fee on a chain named %j has no id',
  async (chainId) => {
    const fee = { recipientChainId: chainId, recipient: USER, currencyChainId: 'base', currency: USDC.base, amount: '1' }
    for (const [path, value] of [
      ['output.chainId', chainId],
      ['fees', [fee]],
    ] as const)
      await expect(isPaidBy(altered(ORDER, path, value), ORDER_ID)).rejects.toMatchObject({ check: 'chainName' })
  },
)
