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

/** What is asked, signed, posted and sent, digit for digit, is in vectors.test.ts. */

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
])('%s does what was asked, as read back from its bytes', async (_name, order, claims, token) => {
  const { execution } = await swapOf(bench.venue, order)
  const output = { asset: assetOf(1, token), minimum: execution.slippage?.guaranteedMin }
  expect(await bench.venue.decode(execution)).toEqual({ ...SAME, ...claims, output })
})

describe('a signed order', () => {
  test('is built from the sealed offer alone: nothing is sent to the venue', async () => {
    const { offer, execution } = await built(usdcToWeth())
    expect(bench.sent.length).toBe(1)
    expect([execution.outputAmount, execution.slippage]).toEqual([offer.outputAmount, offer.slippage])
  })

  test('pays whoever is bound at execute time, not whom the quote was asked for', async () => {
    const { execution } = await swapOf(bench.venue, usdcToWeth(), { recipient: STRANGER })
    expect(typedDataOf(execution).message['receiver']).toBe(STRANGER)
    expect((await bench.venue.decode(execution)).recipient).toBe(STRANGER)
  })

  test('lives half an hour from the moment it is built, not from the quote', async () => {
    const { order, offer } = await swapOf(bench.venue, usdcToWeth())
    bench.clock.advance(45_000)
    const execution = await bench.venue.execute({ order, offer }, order, never())
    expect(typedDataOf(execution).message['validTo']).toBe((START_OF_TIME + 45_000) / 1_000 + 1_800)
  })
})

describe('posting a signed order', () => {
  /** The book takes no order that ends within a minute. */
  const waitTooLong = ({ execution }: Swap): void => {
    const { validTo } = typedDataOf(execution).message as { validTo: number }
    bench.clock.advance(validTo * 1_000 - START_OF_TIME - 30_000)
  }

  test('again is the same success, and opens no second order', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    const first = await submitted(bench.venue, swap)
    expect(await submitted(bench.venue, swap)).toBe(first)
    expect(bench.sent.map(({ method, path }) => `${method} ${path.replace(/0x[0-9a-f]+/, '…')}`).slice(-3)).toEqual([
      'POST /mainnet/api/v1/orders',
      'POST /mainnet/api/v1/orders',
      'GET /mainnet/api/v1/orders/…',
    ])
  })

  test('after an answer that was lost on the line is the same success, also when its first post would be refused by now', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    bench.faults.set('cow', 'reset', { when: 'after' }, 1)
    expect((await refusalOf(submitted(bench.venue, swap))).kind).toBe('unavailable')
    expect(await submitted(bench.venue, swap)).toBe(swap.execution.venueRef)
    waitTooLong(swap)
    expect(await submitted(bench.venue, swap)).toBe(swap.execution.venueRef)
  })

  test('that was refused, and never was in the book, stays refused', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    waitTooLong(swap)
    expect((await refusalOf(submitted(bench.venue, swap))).isDecline).toBe(true)
  })

  test('a duplicate that is not in the book is not believed', async () => {
    const { venue } = cannedCow(({ method, path, body }) => {
      if (path.endsWith('/quote')) return { body: quoteAnswer(body as Body) }
      return method === 'POST'
        ? { status: 400, body: { errorType: 'DuplicatedOrder', description: 'order already exists' } }
        : { status: 404, body: { errorType: 'NotFound', description: 'Order was not found' } }
    })
    expect((await refusalOf(submitted(venue, await swapOf(venue, usdcToWeth())))).kind).toBe('rejected')
  })
})

describe('a native order', () => {
  test('that would be the same as one in the book is told apart by a higher minimum, never a lower one', async () => {
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

  test('is never given a minimum above what is expected', async () => {
    const guaranteedMin = 3_900_000_000n as Amount
    const { execution } = await built(etherToUsdc(), {
      outputAmount: guaranteedMin,
      slippage: { isFirm: true, guaranteedMin },
    })
    expect(execution.slippage?.guaranteedMin).toBe(guaranteedMin)
  })
})

test.each<[string, Partial<Offer>, VenueOrder]>([
  ['that carries nothing', { carry: null }, usdcToWeth()],
  ['of another version', { carry: { v: 2, quoteId: 1 } }, usdcToWeth()],
  ['that carries more', { carry: { v: 1, quoteId: 1, receiver: STRANGER } }, usdcToWeth()],
  ['whose quote id is no number', { carry: { v: 1, quoteId: '1' } }, usdcToWeth()],
  ['without a minimum', { slippage: null }, usdcToWeth()],
  ['for a native order without a quote id', { carry: { v: 1, quoteId: null } }, etherToUsdc()],
])('a sealed offer %s is none of this venue’s, and is refused', async (_name, change, order) => {
  expect((await refusalOf(built(order, change))).kind).toBe('badResponse')
})

test('an order with a fee is not built once the fee recipient is gone', async () => {
  const { venue } = await open({ settings: {} })
  expect((await refusalOf(built(usdcToWeth(), {}, venue))).kind).toBe('unavailable')
})

test('a deposit is nothing this venue could have built', async () => {
  const { execution } = await swapOf(bench.venue, usdcToWeth())
  const payload = { executionType: 'DEPOSIT', deposit: { chainId: 1, address: STRANGER, amount: toAmount(1n) } } as const
  expect((await refusalOf(bench.venue.decode({ ...execution, payload }))).kind).toBe('rejected')
})
