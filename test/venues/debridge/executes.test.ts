import { expect, test } from 'vitest'
import { ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import { USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, prove, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { FORWARDER, readCall, SOURCE, type Words, writeCall, writeForwarded } from './abi.ts'
import { CREATE_TX, openBench, orders, PROGRAM, RECIPIENT_SOLANA, STRANGER, told } from './support.ts'

const open = closedAfterEach(openBench)

test('execute: an order claims its refund address, and after a swap before it also the locked amount [venue-debridge]', async () => {
  const { venue } = await open()
  const { offer, execution } = await swapOf(venue, orders.arb())
  expect(transactionOf(execution).to).toBe(FORWARDER)
  const claims = await venue.decode(execution)
  expect([claims.refundTo, claims.bridged]).toEqual([WALLETS.evm, offer.bridges])
  const other = await swapOf(venue, orders.usdc())
  expect((await venue.decode(other.execution)).refundTo).toBe(WALLETS.evm)
})

test('execute: rejects a native fee that rose since the quote [venue-debridge]', async () => {
  const bench = await open()
  const order = orders.usdc()
  const offer = await bench.venue.quote(order, never())
  const raised = (body: object) => altered(altered(body, 'fixFee', '1000000000000002'), 'tx.value', '1000000000000002')
  const { venue } = told(bench, { changes: { [CREATE_TX]: raised } })
  const execution = await venue.execute({ order, offer }, order, never())
  expect(await prove(venue, { order, offer, binding: order, execution })).toEqual(['nativeFee'])
})

test('execute: two equal orders have distinct uniqueness keys, which depend on the payload alone', async () => {
  const { venue } = await open()
  const [first, second] = [await swapOf(venue, orders.usdc()), await swapOf(venue, orders.usdc())]
  const swaps = [first, second, { ...first, order: second.order }]
  const [one, other, same] = await Promise.all(swaps.map(venue.profile.toldApartBy))
  expect(one).not.toEqual(other)
  expect(one).toEqual(same)
})

test.each([
  ['DlnSource', orders.toSolana, SOURCE],
  ['the forwarder', (wish: object) => orders.arb({ to: [-2, USDC.solana], ...wish }), FORWARDER],
])(
  'execute: a quote without recipient uses a placeholder, and its spender is the contract of execute: %s',
  async (_, of, spender) => {
    const unnamed = of({ recipient: undefined as never })
    const bench = await open()
    const swap = await swapOf(bench.venue, unnamed, { recipient: RECIPIENT_SOLANA })
    expect(bench.sent[0]?.query.get('dstChainTokenOutRecipient')).toBe(unnamed.recipient)
    expect([swap.offer.spender, await prove(bench.venue, swap)]).toEqual([spender, []])
  },
)

test('the profile of deBridge lists its contracts, and higher limits with a key', async () => {
  const [keyless, keyed] = [await open(), await open({ apiKey: 'a-key-0123456789' })].map(({ venue }) => venue.profile)
  const { '-2': solana, ...evm } = keyless?.contracts ?? {}
  expect([solana, new Set(Object.values(evm).flat())]).toEqual([[PROGRAM], new Set([SOURCE, FORWARDER])])
  const limitsOf = (perMinute: number) => ({ requestsPerMinute: perMinute, statusPerMinute: perMinute })
  expect([keyless?.limits, keyed?.limits]).toEqual([limitsOf(50), limitsOf(300)])
})

test('quote: coins that are swapped before the order are not sold, or rejected through an unknown contract or call', async () => {
  const bench = await open()
  const refusalWith = async (change: Partial<NonNullable<Words['swap']>>, call?: Hex) => {
    const swapped = (data: string): Hex => {
      const words = readCall(data)
      const swap = words.swap && { ...words.swap, srcTokenIn: ZERO_EVM_ADDRESS as string as Hex, ...change }
      return call && swap ? writeForwarded(swap, call) : writeCall({ ...words, swap })
    }
    const { venue } = told(bench, { changes: { [CREATE_TX]: (body: object) => altered(body, 'tx.data', swapped) } })
    return venue.quote(orders.arb(), never()).catch((error: unknown) => error)
  }
  expect(await refusalWith({})).toMatchObject({ kind: 'unsupportedPair', reason: 'notSold' })
  expect(await refusalWith({ target: STRANGER })).toMatchObject({ kind: 'rejected' })
  expect(await refusalWith({}, '0xdeadbeef')).toMatchObject({ kind: 'rejected' })
})
