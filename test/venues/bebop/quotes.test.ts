import { describe, expect, test } from 'vitest'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, refusalOf, swapOf, takenThrough, typedDataOf } from '../../support/venueKit/calls.ts'
import { changing, toldBy } from '../../support/venueKit/canned.ts'
import lies from './lies.json' with { type: 'json' }
import {
  API_KEY,
  BALANCE_MANAGER,
  type BebopBench,
  type Body,
  BY_RFQ,
  cannedBebop,
  DAI,
  etherToUsdc,
  FEE_RECIPIENT,
  openBench,
  ROUTER,
  SETTINGS,
  SETTLEMENT,
  SOURCE,
  STRANGER,
  USDC,
  usdcToDai,
  usdcToWeth,
  WETH,
} from './support.ts'

const open = closedAfterEach(openBench)

const queryOf = ({ sent }: BebopBench): Body => Object.fromEntries(sent.at(-1)?.query ?? [])

const common = {
  ...{ taker_address: WALLETS.evm, receiver_address: WALLETS.evmOther, approval_type: 'Standard' },
  ...{ slippage: '0.50', skip_validation: 'true' },
}

describe('quote: a token sold by a JAM order', () => {
  test('is requested with checksummed addresses and a slippage, and offered to the unit', async () => {
    const bench = await open()
    const { offer } = await takenThrough(bench.venue, usdcToWeth())
    expect(queryOf(bench)).toEqual({
      ...{ sell_tokens: USDC, buy_tokens: WETH, sell_amounts: '1000000000', gasless: 'true', ...common },
    })
    const { outputAmount, slippage } = offer
    expect(offer).toEqual({
      ...{ venue: 'bebop', executionType: 'SIGNATURE', outputAmount, fee: { bps: 0, amount: 0n }, gasUnits: null },
      ...{ spender: BALANCE_MANAGER, nativeFee: 0n, estimatedTimeSeconds: null, expiresAt: bench.clock.now() + 30_000 },
      ...{ decimals: { input: 6, output: 18 }, carry: { v: 1 } },
      slippage: { isFirm: true, guaranteedMin: outputAmount - (outputAmount * 50n + 9_999n) / 10_000n },
    })
    expect(slippage?.guaranteedMin).toBeGreaterThan(0n)
  })

  test('has the integrator fee in the signed order, taken from the output beside the protocol fee', async () => {
    const bench = await open()
    const { offer, execution } = await takenThrough(bench.venue, usdcToWeth({ feeBps: 30 }))
    expect(queryOf(bench)).toMatchObject({ fee: '30', fee_recipient: FEE_RECIPIENT })
    expect(offer.fee).toEqual({ bps: 30, amount: (offer.outputAmount * 30n) / 9_969n })
    expect(typedDataOf(execution).message['partnerInfo']).toBe(((BigInt(FEE_RECIPIENT) << 32n) | (30n << 16n) | 1n).toString())
    const most = await bench.venue.quote(usdcToWeth({ feeBps: 700 }), never())
    expect(most.fee.bps).toBe(500)
    const { venue } = await open({ settings: {} })
    expect((await venue.quote(usdcToWeth({ feeBps: 30 }), never())).fee).toEqual({ bps: 0, amount: 0n })
  })

  test.each(lies as [string, string, unknown, string][])('is rejected with %s', async (_name, at, value, check) => {
    const { sim } = await open()
    const lying = changing(toldBy(sim), { '/jam/ethereum/v2/quote': (body: Body) => altered(body, at, value) })
    const rejection = await refusalOf(cannedBebop(lying).venue.quote(usdcToWeth({ feeBps: 30 }), never()))
    expect(rejection).toMatchObject({ kind: 'rejected', check })
  })

  test('accepts numbers of any length and addresses in any case', async () => {
    const { sim, clock } = await open()
    const bare = async (asked: Parameters<ReturnType<typeof toldBy>>[0]) => {
      const { body } = await toldBy(sim)(asked)
      const text = JSON.stringify(body).replace(/"(partnerInfo|nonce)":"(\d+)"/g, '"$1":$2')
      return { raw: text.replaceAll(WETH, WETH.toLowerCase()) }
    }
    const { execution } = await takenThrough(cannedBebop(bare, { now: clock.now }).venue, usdcToWeth({ feeBps: 30 }), clock.now())
    expect(typedDataOf(execution).message['partnerInfo']).toBe(((BigInt(FEE_RECIPIENT) << 32n) | (30n << 16n) | 1n).toString())
  })
})

describe('quote: coins sold by a router call', () => {
  test('need no allowance, and the offer states the gas', async () => {
    const bench = await open()
    const { offer, execution } = await takenThrough(bench.venue, etherToUsdc())
    expect(queryOf(bench)).toEqual({
      ...{ sell_tokens: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', buy_tokens: USDC, sell_amounts: '1000000000000000000' },
      ...{ gasless: 'false', ...common },
    })
    expect(offer).toMatchObject({ executionType: 'TRANSACTION', spender: null, gasUnits: 391_793n, fee: { bps: 0 } })
    expect(execution).toMatchObject({ venueRef: null, payload: { transaction: { to: ROUTER, value: 10n ** 18n, chainId: 1 } } })
  })

  test('carry a fee that Bebop accounts for the source of the operator', async () => {
    const bench = await open({ settings: { ...SETTINGS, SOURCE }, apiKey: API_KEY })
    const { offer } = await takenThrough(bench.venue, etherToUsdc({ feeBps: 30 }))
    expect(queryOf(bench)).toMatchObject({ source: SOURCE, fee: '30' })
    expect(queryOf(bench)).not.toHaveProperty('fee_recipient')
    expect(bench.sent.at(-1)?.headers).toMatchObject({ 'source-auth': API_KEY, authorization: API_KEY })
    expect(offer.fee).toEqual({ bps: 30, amount: (offer.outputAmount * 30n) / 9_970n })
    expect(bench.venue.profile.feeRecipient(etherToUsdc())).toBe(SOURCE)
    expect(offer.expiresAt).toBe(bench.clock.now() + 75_000)
  })

  test.each([{ SOURCE }, {}])('carry no fee without both key and source: %j', async (settings) => {
    const { venue } = await open({ settings: { ...SETTINGS, ...settings } })
    expect((await venue.quote(etherToUsdc({ feeBps: 30 }), never())).fee).toEqual({ bps: 0, amount: 0n })
  })

  test.each<[string, string, unknown]>([
    ['no minimum output', 'minimumAmount', undefined],
    ['no transaction', 'tx', undefined],
    ['another contract', 'tx.to', SETTLEMENT],
    ['another sender', 'tx.from', STRANGER],
    ['another value', 'tx.value', '0x1'],
  ])('are rejected, or priced by their calldata, with %s', async (name, at, value) => {
    const { sim, clock } = await open()
    const path = at === 'minimumAmount' ? `buyTokens.${USDC}.minimumAmount` : at
    const lying = changing(toldBy(sim), { '/pmm/ethereum/v3/quote': (body: Body) => altered(body, path, value) })
    const { venue } = cannedBebop(lying, { now: clock.now })
    if (name !== 'no minimum output') return expect((await refusalOf(venue.quote(etherToUsdc(), never()))).kind).toBe('rejected')
    // The bytes tell it.
    const { offer } = await takenThrough(venue, etherToUsdc(), clock.now())
    expect(offer.slippage?.guaranteedMin).toBe(offer.outputAmount - (offer.outputAmount * 50n + 9_999n) / 10_000n)
  })

  test('are rejected without a minimum, as for a request without slippage', async () => {
    const { sim } = await open()
    const { venue } = cannedBebop((asked) => {
      asked.query.delete('slippage')
      return toldBy(sim)(asked)
    })
    const { kind, message } = await refusalOf(venue.quote(etherToUsdc(), never()))
    expect([kind, message]).toEqual(['rejected', expect.stringMatching(/limitAmount/)])
  })
})

test('quote: coins as input always use the router, and so do coins as output', async () => {
  const { venue } = await open({ settings: BY_RFQ })
  for (const order of [etherToUsdc({ to: [1, DAI] }), usdcToWeth({ to: [1, etherToUsdc().input.address] })])
    expect((await takenThrough(venue, order)).execution.payload).toMatchObject({ transaction: { to: ROUTER } })
})

describe('quote: tokens sold by transaction, where the operator configures it,', () => {
  const cases: readonly [string, VenueOrder, Address, boolean][] = [
    ['the router', usdcToWeth(), addressOf('evm', ROUTER), false],
    ['the settlement of makers, whose orders are firm', usdcToDai(), addressOf('evm', SETTLEMENT), true],
  ]
  test.each(cases)('pay %s', async (_name, order, spender, isExact) => {
    const { venue } = await open({ settings: BY_RFQ })
    const { offer } = await takenThrough(venue, order)
    expect([offer.executionType, offer.spender]).toEqual(['TRANSACTION', spender])
    expect(offer.slippage?.guaranteedMin === offer.outputAmount).toBe(isExact)
  })

  test('are rejected with a partner id, since the contract may take any fee for it', async () => {
    const { venue } = await open({ settings: { ...BY_RFQ, SOURCE }, apiKey: API_KEY })
    expect((await refusalOf(venue.quote(usdcToDai(), never()))).message).toMatch(/partner/)
  })
})

test('execute: the payload is signed for the recipient bound at execute', async () => {
  const { venue } = await open()
  const { execution } = await swapOf(venue, usdcToWeth(), { recipient: STRANGER })
  expect(typedDataOf(execution).message['receiver']).toBe(STRANGER)
})
