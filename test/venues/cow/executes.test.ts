import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import { type Amount, toAmount } from '../../../engine/core/amount.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { PayloadClaims } from '../../../engine/core/execution.ts'
import type { Offer } from '../../../engine/core/offer.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { assetOf, WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf, type Swap, swapOf, typedDataOf } from '../../support/venueKit/calls.ts'
import {
  type Body,
  cannedCow,
  ETH_FLOW,
  etherToUsdc,
  FEE_RECIPIENT,
  openBench,
  quoteAnswer,
  SETTLEMENT,
  STRANGER,
  sentBy,
  submitted,
  USDC,
  usdcToWeth,
  VAULT_RELAYER,
  WETH,
} from './support.ts'

/** Exact requests, signatures and calldata are in vectors.test.ts. */

const open = closedAfterEach(openBench)

let bench: VenueBench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

/** Builds a changed offer. */
const built = async (order: VenueOrder, change: Partial<Offer> = {}, venue = bench.venue): Promise<Swap> => {
  const offer = { ...(await bench.venue.quote(order, never())), ...change }
  return swapOf({ ...venue, quote: async () => offer }, order)
}

const SAME = {
  chainId: 1,
  nativeFee: 0n,
  recipient: WALLETS.evmOther,
  unread: [],
  deadlineAt: START_OF_TIME + 30 * 60_000,
} as const
test.each<[string, VenueOrder, Partial<PayloadClaims>, string]>([
  [
    'a signed order',
    usdcToWeth(),
    {
      pays: addressOf('evm', SETTLEMENT),
      spender: addressOf('evm', VAULT_RELAYER),
      input: { asset: assetOf(1, USDC), amount: 1_000_000_000n },
      refundTo: null,
      fee: { recipient: FEE_RECIPIENT, bps: 30 },
    },
    WETH,
  ],
  [
    'a native order',
    etherToUsdc({ feeBps: 0 }),
    {
      pays: addressOf('evm', ETH_FLOW),
      spender: null,
      input: { asset: assetOf(1, NATIVE), amount: 10n ** 18n },
      refundTo: 'payer',
      fee: null,
    },
    USDC,
  ],
])('execute: %s matches the order when decoded', async (_name, order, claims, token) => {
  const { execution } = await swapOf(bench.venue, order)
  const output = { asset: assetOf(1, token), minimum: execution.slippage?.guaranteedMin }
  expect(await bench.venue.decode(execution)).toEqual({ ...SAME, ...claims, output })
})

describe('execute: a signed order', () => {
  test('is built from the sealed offer, without a request to the venue', async () => {
    const { offer, execution } = await built(usdcToWeth())
    expect(bench.sent.length).toBe(1)
    expect([execution.outputAmount, execution.slippage]).toEqual([offer.outputAmount, offer.slippage])
  })

  test('pays the recipient bound at execute, not the one of the quote', async () => {
    const { execution } = await swapOf(bench.venue, usdcToWeth(), { recipient: STRANGER })
    expect(typedDataOf(execution).message['receiver']).toBe(STRANGER)
    expect((await bench.venue.decode(execution)).recipient).toBe(STRANGER)
  })

  test('expires half an hour after execute, not after the quote', async () => {
    const { order, offer } = await swapOf(bench.venue, usdcToWeth())
    bench.clock.advance(45_000)
    const execution = await bench.venue.execute({ order, offer }, order, never())
    expect(typedDataOf(execution).message['validTo']).toBe((START_OF_TIME + 45_000) / 1_000 + 1_800)
  })
})

describe('submit: a signed order', () => {
  /** The book takes no order that ends within a minute. */
  const waitTooLong = ({ execution }: Swap): void => {
    const { validTo } = typedDataOf(execution).message as { validTo: number }
    bench.clock.advance(validTo * 1_000 - START_OF_TIME - 30_000)
  }

  test('posted again has the same result, and creates no second order', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    const first = await submitted(bench.venue, swap)
    expect(await submitted(bench.venue, swap)).toBe(first)
    expect(bench.sent.map(({ method, path }) => `${method} ${path.replace(/0x[0-9a-f]+/, '…')}`).slice(-3)).toEqual([
      'POST /mainnet/api/v1/orders',
      'POST /mainnet/api/v1/orders',
      'GET /mainnet/api/v1/orders/…',
    ])
  })

  test('has the same result after a lost response, even when the post is then refused', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    bench.faults.set('cow', 'reset', { when: 'after' }, 1)
    expect((await refusalOf(submitted(bench.venue, swap))).kind).toBe('unavailable')
    expect(await submitted(bench.venue, swap)).toBe(swap.execution.venueRef)
    waitTooLong(swap)
    expect(await submitted(bench.venue, swap)).toBe(swap.execution.venueRef)
  })

  test('that was refused and is not in the book stays refused', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    waitTooLong(swap)
    expect((await refusalOf(submitted(bench.venue, swap))).isDecline).toBe(true)
  })

  test('reported as a duplicate but missing in the book is an error', async () => {
    const { venue } = cannedCow(({ method, path, body }) => {
      if (path.endsWith('/quote')) return { body: quoteAnswer(body as Body) }
      return method === 'POST'
        ? { status: 400, body: { errorType: 'DuplicatedOrder', description: 'order already exists' } }
        : { status: 404, body: { errorType: 'NotFound', description: 'Order was not found' } }
    })
    expect((await refusalOf(submitted(venue, await swapOf(venue, usdcToWeth())))).kind).toBe('rejected')
  })
})

describe('execute: a native order', () => {
  test('equal to one in the book gets a higher minimum, never a lower one', async () => {
    const order = etherToUsdc()
    const offer = await bench.venue.quote(order, never())
    const guaranteed = offer.slippage?.guaranteedMin ?? 0n
    const minimums: bigint[] = []
    for (let i = 0; i < 8; i += 1) {
      const swap = await built(order, offer)
      minimums.push(swap.execution.slippage?.guaranteedMin ?? 0n)
      expect(bench.sim.onTransaction(sentBy(swap))).toBe(true)
      bench.clock.advance(3_000)
    }
    expect([...minimums].sort().map((minimum) => minimum - guaranteed)).toEqual([0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n])
    expect((await refusalOf(built(order, offer))).kind).toBe('badRequest')
  })

  test('never gets a minimum above the expected amount', async () => {
    const guaranteedMin = 3_900_000_000n as Amount
    const { execution } = await built(etherToUsdc(), {
      outputAmount: guaranteedMin,
      slippage: { isFirm: true, guaranteedMin },
    })
    expect(execution.slippage?.guaranteedMin).toBe(guaranteedMin)
  })
})

test.each<[string, Partial<Offer>, VenueOrder]>([
  ['without carried data', { carry: null }, usdcToWeth()],
  ['of another version', { carry: { v: 2, quoteId: 1 } }, usdcToWeth()],
  ['with additional carried data', { carry: { v: 1, quoteId: 1, receiver: STRANGER } }, usdcToWeth()],
  ['with a quote id of text', { carry: { v: 1, quoteId: '1' } }, usdcToWeth()],
  ['without a minimum', { slippage: null }, usdcToWeth()],
  ['for a native order without a quote id', { carry: { v: 1, quoteId: null } }, etherToUsdc()],
])('execute: rejects a sealed offer %s', async (_name, change, order) => {
  expect((await refusalOf(built(order, change))).kind).toBe('badResponse')
})

test('execute: rejects an order with a fee once no fee recipient is configured', async () => {
  const { venue } = await open({ settings: {} })
  expect((await refusalOf(built(usdcToWeth(), {}, venue))).kind).toBe('unavailable')
})

test('proof: rejects a deposit as a payload of CoW', async () => {
  const { execution } = await swapOf(bench.venue, usdcToWeth())
  const payload = { executionType: 'DEPOSIT', deposit: { chainId: 1, address: STRANGER, amount: toAmount(1n) } } as const
  expect((await refusalOf(bench.venue.decode({ ...execution, payload }))).kind).toBe('rejected')
})
