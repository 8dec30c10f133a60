import { describe, expect, test } from 'vitest'
import type { Chains } from '../../../engine/chains/chains.ts'
import { ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import { cow } from '../../../engine/venues/cow/venue.ts'
import type { VenueErrorKind } from '../../../engine/venues/venueError.ts'
import { unnoticed } from '../../support/unnoticed.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf, signed, swapOf } from '../../support/venueKit/calls.ts'
import { cannedCow, etherToUsdc, openBench, quoteAnswer, STRANGER, submitted, USDC, usdcToWeth, WETH } from './support.ts'

const open = closedAfterEach(openBench)

type Body = Record<string, unknown>
type Party = 'sender' | 'recipient' | 'refundTo' | 'signature' | 'slippageBps' | null

const refusing = async (status: number, body: unknown, raw?: string) => {
  const { venue } = cannedCow(() => ({ status, body, ...(raw === undefined ? {} : { raw }) }))
  return await refusalOf(venue.quote(usdcToWeth(), never()))
}

describe('a refused quote', () => {
  test.each<[number, string, VenueErrorKind, Party]>([
    [404, 'NoLiquidity', 'noLiquidity', null],
    [400, 'InsufficientLiquidity', 'noLiquidity', null],
    [400, 'CustomSolverError', 'noLiquidity', null],
    [400, 'QuoteNotVerified', 'noLiquidity', null],
    [400, 'TradingOutsideAllowedWindow', 'noLiquidity', null],
    [400, 'TokenTemporarilySuspended', 'noLiquidity', null],
    [400, 'UnsupportedToken', 'unsupportedPair', null],
    [400, 'InvalidNativeSellToken', 'unsupportedPair', null],
    [400, 'SameBuyAndSellToken', 'unsupportedPair', null],
    [400, 'SellAmountDoesNotCoverFee', 'amountTooSmall', null],
    [400, 'UnsupportedOrderType', 'badRequest', null],
    [400, 'UnsupportedSellTokenSource', 'badRequest', null],
    [400, 'UnsupportedBuyTokenDestination', 'badRequest', null],
    [400, 'InsufficientValidTo', 'noLiquidity', null],
    [400, 'ExcessiveValidTo', 'badRequest', null],
    [400, 'InvalidAppData', 'badRequest', null],
    [400, 'AppDataHashMismatch', 'badRequest', null],
    [403, 'Forbidden', 'badRequest', 'sender'],
    [400, 'SomethingNewAndUndocumented', 'badRequest', null],
    [400, 'constructor', 'badRequest', null],
    [500, 'InternalServerError', 'unavailable', null],
    [500, 'SomethingNewAndUndocumented', 'unavailable', null],
    [429, 'TooManyRequests', 'rateLimited', null],
    [429, 'NoLiquidity', 'rateLimited', null],
  ])('%i %s is %s', async (status, errorType, kind, party) => {
    const error = await refusing(status, { errorType, description: 'why' })
    expect({ kind: error.kind, party: error.party, minimum: error.minimum }).toEqual({ kind, party, minimum: null })
    expect(error.message).toContain(
      status === 429 || (status === 500 && kind === 'unavailable' && errorType.startsWith('Some')) ? String(status) : errorType,
    )
  })

  test('an unparsable request is our fault, not an outage', async () => {
    const error = await refusing(422, null, 'Failed to deserialize the JSON body')
    expect(error.kind).toBe('badRequest')
  })

  test.each([
    [403, 'unavailable'],
    [404, 'badResponse'],
    [502, 'unavailable'],
    [503, 'unavailable'],
    [408, 'unavailable'],
    [302, 'badResponse'],
  ] as const)('%i from a gateway that speaks no JSON is %s', async (status, kind) => {
    expect((await refusing(status, null, '<html>gateway</html>')).kind).toBe(kind)
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
  ])('the network cost %j gives the minimum %s', async (fee_amount, minimum) => {
    const error = await refusing(400, { errorType: 'SellAmountDoesNotCoverFee', description: '', data: { fee_amount } })
    expect(error).toMatchObject({ kind: 'amountTooSmall', minimum, maximum: null })
  })

  test('data of another kind does not hide the error', async () => {
    expect((await refusing(404, { errorType: 'NoLiquidity', description: '', data: 'text' })).kind).toBe('noLiquidity')
  })
})

describe('against the simulated book', () => {
  test('an amount below the network cost is declined with a minimum that is then quoted', async () => {
    const bench = await open()
    const error = await refusalOf(bench.venue.quote(usdcToWeth({ amount: 500_000n }), never()))
    expect(error.kind).toBe('amountTooSmall')
    expect(error.minimum).toBe(800_001n)
    const offer = await bench.venue.quote(usdcToWeth({ amount: error.minimum ?? 0n, feeBps: 0 }), never())
    expect(offer.outputAmount).toBeGreaterThan(0n)
  })

  test('more than anyone would fill has no liquidity; a token without a price is unsupported; a halt stops all', async () => {
    const bench = await open()
    expect((await refusalOf(bench.venue.quote(usdcToWeth({ amount: 3_000_000_000_000n }), never()))).kind).toBe('noLiquidity')
    expect((await refusalOf(bench.venue.quote(usdcToWeth({ to: [1, STRANGER] }), never()))).kind).toBe('unsupportedPair')
    bench.faults.set('cow', 'halt', {}, 1)
    expect((await refusalOf(bench.venue.quote(usdcToWeth(), never()))).kind).toBe('noLiquidity')
  })

  test('a pair that is none is declined without asking', async () => {
    const bench = await open()
    expect((await refusalOf(bench.venue.quote(usdcToWeth({ from: [1, WETH] }), never()))).kind).toBe('unsupportedPair')
    expect((await refusalOf(bench.venue.quote(usdcToWeth({ from: [10, USDC], to: [10, WETH] }), never()))).kind).toBe(
      'unsupportedPair',
    )
    expect(bench.sent).toEqual([])
  })

  test('the zero address, which the book reads as the owner, is refused as a recipient when quoting and when building', async () => {
    const bench = await open()
    const order = usdcToWeth()
    const zero = await refusalOf(bench.venue.quote({ ...order, recipient: ZERO_EVM_ADDRESS }, never()))
    expect(zero).toMatchObject({ kind: 'badRequest', party: 'recipient' })
    const offer = await bench.venue.quote(order, never())
    const binding = { ...order, recipient: ZERO_EVM_ADDRESS }
    expect(await refusalOf(bench.venue.execute({ order, offer }, binding, never()))).toMatchObject({
      kind: 'badRequest',
      party: 'recipient',
    })
  })

  test('a price of which nothing can be guaranteed is too small an amount', async () => {
    const { venue } = cannedCow(({ body }) => ({
      body: quoteAnswer(body as Body, { quote: { buyAmount: '0' } }),
    }))
    expect((await refusalOf(venue.quote(usdcToWeth(), never()))).kind).toBe('amountTooSmall')
  })
})

describe('a refused order', () => {
  const refusedWith = async (status: number, errorType: string) => {
    const { venue } = cannedCow(({ path, body }) =>
      path.endsWith('/quote') ? { body: quoteAnswer(body as Body) } : { status, body: { errorType, description: 'why' } },
    )
    const swap = await swapOf(venue, usdcToWeth())
    return await refusalOf(venue.submitter?.submit(swap, await signed(swap.execution), never()))
  }

  test.each<[number, string, VenueErrorKind, Party]>([
    [400, 'InsufficientBalance', 'badRequest', 'sender'],
    [400, 'InsufficientAllowance', 'badRequest', 'sender'],
    [400, 'TransferSimulationFailed', 'badRequest', 'sender'],
    [400, 'TooManyLimitOrders', 'badRequest', 'sender'],
    [403, 'Forbidden', 'badRequest', 'sender'],
    [400, 'InvalidSignature', 'badRequest', 'signature'],
    [400, 'WrongOwner', 'badRequest', 'signature'],
    [400, 'InvalidEip1271Signature', 'badRequest', 'signature'],
    [400, 'QuoteNotFound', 'badRequest', null],
    [400, 'QuoteNotVerified', 'noLiquidity', null],
    [400, 'InvalidQuote', 'badRequest', null],
    [400, 'MissingFrom', 'badRequest', null],
    [400, 'ZeroAmount', 'amountTooSmall', null],
    [400, 'IncompatibleSigningScheme', 'badRequest', null],
    [400, 'TooMuchGas', 'badRequest', null],
    [400, 'NonZeroFee', 'badRequest', null],
    [400, 'InvalidValidFrom', 'badRequest', null],
    [400, 'InsufficientValidTo', 'noLiquidity', null],
    [400, 'ExcessiveValidTo', 'badRequest', null],
    [400, 'InvalidAppData', 'badRequest', null],
    [400, 'AppDataHashMismatch', 'badRequest', null],
    [400, 'AppDataMismatch', 'badRequest', null],
    [400, 'AppdataFromMismatch', 'badRequest', null],
    [400, 'UnsupportedToken', 'unsupportedPair', null],
    [400, 'UnsupportedOrderType', 'badRequest', null],
    [400, 'UnsupportedSellTokenSource', 'badRequest', null],
    [400, 'UnsupportedBuyTokenDestination', 'badRequest', null],
    [400, 'InvalidNativeSellToken', 'unsupportedPair', null],
    [400, 'SameBuyAndSellToken', 'unsupportedPair', null],
    [400, 'MetadataSerializationFailed', 'badRequest', null],
    [400, 'OldOrderActivelyBidOn', 'badRequest', null],
    [400, 'SomethingNewAndUndocumented', 'badRequest', null],
    [404, 'NoLiquidity', 'noLiquidity', null],
    [500, 'SellAmountOverflow', 'amountTooLarge', null],
    [500, 'InternalServerError', 'unavailable', null],
    [429, 'TooManyRequests', 'rateLimited', null],
  ])('%i %s is %s', async (status, errorType, kind, party) => {
    const error = await refusedWith(status, errorType)
    expect({ kind: error.kind, party: error.party }).toEqual({ kind, party })
  })

  test('the book recovers the signer itself: an order signed by another key is the signature’s fault', async () => {
    const bench = await open()
    const swap = await swapOf(bench.venue, usdcToWeth({ sender: STRANGER }))
    const error = await refusalOf(submitted(bench.venue, swap))
    expect(error).toMatchObject({ kind: 'badRequest', party: 'signature' })
    expect(error.message).toContain('WrongOwner')
  })

  test('a wallet without the allowance or without the tokens is told so by the book, from the chain', async () => {
    const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
    const holdings = { balance: 0n, allowance: 0n }
    const calls: unknown[] = []
    const rpc = (_chainId: number, _method: string, [call]: readonly unknown[]) => {
      calls.push(call)
      return Promise.resolve(
        word((call as { data: string }).data.startsWith('0x70a08231') ? holdings.balance : holdings.allowance),
      )
    }
    const bench = await open({ evm: { rpc } })
    const swap = await swapOf(bench.venue, usdcToWeth())
    const poor = await refusalOf(submitted(bench.venue, swap))
    expect([poor.kind, poor.party, poor.message.includes('InsufficientBalance')]).toEqual(['badRequest', 'sender', true])
    holdings.balance = 1_000_000_000n
    const closed = await refusalOf(submitted(bench.venue, swap))
    expect([closed.kind, closed.party, closed.message.includes('InsufficientAllowance')]).toEqual(['badRequest', 'sender', true])
    holdings.allowance = 1_000_000_000n
    expect(await submitted(bench.venue, swap)).toBe(swap.execution.venueRef)
    const owner = swap.order.sender.slice(2).toLowerCase().padStart(64, '0')
    const relayer = 'c92e8bdf79f0507f65a392b0ab4667716bfe0110'.padStart(64, '0')
    expect(calls.at(-1)).toEqual({ to: USDC.toLowerCase(), data: `0xdd62ed3e${owner}${relayer}` })
  })

  test('an order that was to be sent is not taken as a signature', async () => {
    const bench = await open()
    const native = await swapOf(bench.venue, etherToUsdc())
    const signature = { signature: '0x00', approvalSignature: null, scheme: 'ecdsa' } as const
    expect((await refusalOf(bench.venue.submitter?.submit(native, signature, never()))).kind).toBe('badRequest')
  })
})

test('an address with a wrong checksum as fee recipient stops the start', () => {
  const mistyped = {
    baseUrl: 'http://localhost',
    apiKey: null,
    settings: { FEE_RECIPIENT: '0x70997970C51812dc3A010C7d01b50e0d17dc79c8' },
  }
  const http = { send: () => Promise.reject(new Error('not asked')), close: () => Promise.resolve() }
  expect(() => cow.create(mistyped, { http, chains: {} as Chains, clock: { now: () => 0 }, notice: unnoticed })).toThrow(
    TypeError,
  )
})
