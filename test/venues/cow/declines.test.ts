import { describe, expect, test } from 'vitest'
import type { Chains } from '../../../engine/chains/chains.ts'
import { ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import { wordOf } from '../../../engine/simnet/kit/abiWords.ts'
import { cow } from '../../../engine/venues/cow/venue.ts'
import type { VenueErrorKind } from '../../../engine/venues/venueError.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { unnoticed } from '../../support/unnoticed.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import refusals from './refusals.json' with { type: 'json' }
import {
  type Body,
  cannedCow,
  etherToUsdc,
  openBench,
  quoteAnswer,
  STRANGER,
  submitted,
  USDC,
  usdcToWeth,
  VAULT_RELAYER,
  WETH,
} from './support.ts'

const open = closedAfterEach(openBench)

type Party = 'sender' | 'recipient' | 'refundTo' | 'signature' | 'slippageBps' | null

const refusing = async (status: number, body: unknown, raw?: string) => {
  const { venue } = cannedCow(() => ({ status, body, ...(raw === undefined ? {} : { raw }) }))
  return await refusalOf(venue.quote(usdcToWeth(), never()))
}

/** Every documented `errorType` by what it means, and some that are not documented. */
const REFUSALS = refusals as [number, VenueErrorKind, Party, errorTypes: string][]
const EACH_REFUSAL = REFUSALS.flatMap(([status, kind, party, errorTypes]) =>
  errorTypes.split(' ').map((errorType) => [status, errorType, kind, party] as const),
)

describe('quote: a refusal by the CoW order book', () => {
  test.each(EACH_REFUSAL)('with HTTP %i %s is %s', async (status, errorType, kind, party) => {
    const error = await refusing(status, { errorType, description: 'why' })
    expect({ kind: error.kind, party: error.party, minimum: error.minimum }).toEqual({ kind, party, minimum: null })
    const isUnexplained = status === 429 || (status === 500 && errorType.startsWith('Some'))
    expect(error.message).toContain(isUnexplained ? String(status) : errorType)
  })

  test.each([
    // An unparsable request is our fault, not an outage; the others are of a gateway.
    [422, 'Failed to deserialize the JSON body', 'badRequest'],
    [403, '<html>gateway</html>', 'unavailable'],
    [404, '<html>gateway</html>', 'badResponse'],
  ] as const)('with HTTP %i and the text %s is %s', async (status, raw, kind) => {
    expect((await refusing(status, null, raw)).kind).toBe(kind)
  })

  test.each<[unknown, bigint | null]>([
    ['1000000000', 1_000_000_001n],
    ['0x3b9aca00', 1_000_000_001n],
    // A cost below what was offered contradicts the refusal.
    ['999999999', null],
    ['-5', null],
    [1_000_000_000, null],
    ['1e12', null],
    [undefined, null],
  ])('with the network cost %j has the minimum %s', async (fee_amount, minimum) => {
    const error = await refusing(400, { errorType: 'SellAmountDoesNotCoverFee', description: '', data: { fee_amount } })
    expect(error).toMatchObject({ kind: 'amountTooSmall', minimum, maximum: null })
  })

  test('is read beside data of another kind', async () => {
    expect((await refusing(404, { errorType: 'NoLiquidity', description: '', data: 'text' })).kind).toBe('noLiquidity')
  })
})

describe('quote: the simulated order book', () => {
  test('declines an amount below the network cost with a minimum that it then quotes', async () => {
    const bench = await open()
    const error = await refusalOf(bench.venue.quote(usdcToWeth({ amount: 500_000n }), never()))
    expect(error.kind).toBe('amountTooSmall')
    expect(error.minimum).toBe(800_001n)
    const offer = await bench.venue.quote(usdcToWeth({ amount: error.minimum ?? 0n, feeBps: 0 }), never())
    expect(offer.outputAmount).toBeGreaterThan(0n)
  })

  test('reports noLiquidity for too much or a halt, unsupportedPair for a token without a price', async () => {
    const bench = await open()
    expect((await refusalOf(bench.venue.quote(usdcToWeth({ amount: 3_000_000_000_000n }), never()))).kind).toBe('noLiquidity')
    expect((await refusalOf(bench.venue.quote(usdcToWeth({ to: [1, STRANGER] }), never()))).kind).toBe('unsupportedPair')
    bench.faults.set('cow', 'halt', {}, 1)
    expect((await refusalOf(bench.venue.quote(usdcToWeth(), never()))).kind).toBe('noLiquidity')
  })

  test('receives no request for an unsupported pair', async () => {
    const bench = await open()
    expect((await refusalOf(bench.venue.quote(usdcToWeth({ from: [1, WETH] }), never()))).kind).toBe('unsupportedPair')
    expect((await refusalOf(bench.venue.quote(usdcToWeth({ from: [10, USDC], to: [10, WETH] }), never()))).kind).toBe(
      'unsupportedPair',
    )
    expect(bench.sent).toEqual([])
  })

  test('receives no zero address as recipient, which it would read as the owner', async () => {
    const bench = await open()
    const recipient = ZERO_EVM_ADDRESS
    const refusal = { kind: 'badRequest', party: 'recipient' }
    expect(await refusalOf(bench.venue.quote({ ...usdcToWeth(), recipient }, never()))).toMatchObject(refusal)
    expect(await refusalOf(swapOf(bench.venue, usdcToWeth(), { recipient }))).toMatchObject(refusal)
  })

  test('declines a price without a guaranteed unit as too small an amount', async () => {
    const { venue } = cannedCow(({ body }) => ({ body: quoteAnswer(body as Body, { quote: { buyAmount: '0' } }) }))
    expect((await refusalOf(venue.quote(usdcToWeth(), never()))).kind).toBe('amountTooSmall')
  })
})

describe('submit: a refusal by the CoW order book', () => {
  test.each(EACH_REFUSAL)('with HTTP %i %s is %s', async (status, errorType, kind, party) => {
    const { venue } = cannedCow(({ path, body }) =>
      path.endsWith('/quote') ? { body: quoteAnswer(body as Body) } : { status, body: { errorType, description: 'why' } },
    )
    const error = await refusalOf(submitted(venue, await swapOf(venue, usdcToWeth())))
    expect({ kind: error.kind, party: error.party }).toEqual({ kind, party })
  })

  test('for an order signed by another key names the signature', async () => {
    const bench = await open()
    const swap = await swapOf(bench.venue, usdcToWeth({ sender: STRANGER }))
    const error = await refusalOf(submitted(bench.venue, swap))
    expect(error).toMatchObject({ kind: 'badRequest', party: 'signature' })
    expect(error.message).toContain('WrongOwner')
  })

  test('for a wallet without allowance or balance names the cause', async () => {
    const holdings = { balance: 0n, allowance: 0n }
    const rpc = async (_chainId: number, _method: string, [call]: readonly unknown[]) => {
      const { to, data } = call as { to: string; data: string }
      if (to !== USDC.toLowerCase() || data.slice(10, 74) !== wordOf(WALLETS.evm)) throw new Error('another token or owner')
      if (data.startsWith('0x70a08231')) return `0x${wordOf(holdings.balance)}`
      return `0x${wordOf(data === `0xdd62ed3e${wordOf(WALLETS.evm)}${wordOf(VAULT_RELAYER)}` ? holdings.allowance : 0n)}`
    }
    const bench = await open({ evm: { rpc } })
    const swap = await swapOf(bench.venue, usdcToWeth())
    for (const [held, message] of [
      ['balance', 'InsufficientBalance'],
      ['allowance', 'InsufficientAllowance'],
    ] as const) {
      const refusal = { kind: 'badRequest', party: 'sender', message: expect.stringContaining(message) }
      expect(await refusalOf(submitted(bench.venue, swap))).toMatchObject(refusal)
      holdings[held] = 1_000_000_000n
    }
    expect(await submitted(bench.venue, swap)).toBe(swap.execution.venueRef)
  })

  test('is badRequest for the signature of an order that is sent on chain', async () => {
    const bench = await open()
    const native = await swapOf(bench.venue, etherToUsdc())
    const signature = { signature: '0x00', approvalSignature: null, scheme: 'ecdsa' } as const
    expect((await refusalOf(bench.venue.submitter?.submit(native, signature, never()))).kind).toBe('badRequest')
  })
})

test('cow: the start rejects a fee recipient with a wrong checksum', () => {
  const mistyped = {
    baseUrl: 'http://localhost',
    apiKey: null,
    settings: { FEE_RECIPIENT: '0x70997970C51812dc3A010C7d01b50e0d17dc79c8' },
  }
  const http = { send: () => Promise.reject(new Error('not asked')), close: () => Promise.resolve() }
  expect(() =>
    cow.create(mistyped, { http, chains: {} as Chains, clock: { now: () => 0 }, wellVenues: () => [], notice: unnoticed }),
  ).toThrow(TypeError)
})

test('quote: a coin refund to another wallet than the sender is declined without a request', async () => {
  const { venue, asked } = cannedCow(() => ({ status: 500, body: {} }))
  const order = etherToUsdc({ refundTo: STRANGER })
  expect(await refusalOf(venue.quote(order, never()))).toMatchObject({ kind: 'unsupportedPair', isDecline: true })
  expect(asked).toEqual([])
})
