import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { provePayload } from '../../../engine/execution/payloadProof.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import {
  API_KEY,
  ARB,
  altered,
  bitcoinOrder,
  etherOrder,
  openBench,
  openBroken,
  type ProperAnswers,
  properAnswers,
  type RelayBench,
  refusalOf,
  type Swap,
  signal,
  solOrder,
  swapOf,
  USDC,
  usdcOrder,
  WITH_FEE,
} from './support.ts'

const HASH = `0x${'51'.repeat(32)}`

describe('a line in trouble', () => {
  let bench: RelayBench
  let swap: Swap
  let unrecorded: RelayBench
  beforeAll(async () => {
    bench = await openBench()
    swap = await swapOf(bench.venue, usdcOrder())
    unrecorded = await openBench({ apiKey: API_KEY })
  })
  afterAll(() => Promise.all([bench.close(), unrecorded.close()]))

  const CALLS = {
    'quote after the chains are known': (at: AbortSignal) => bench.venue.quote(usdcOrder(), at),
    'quote of a price': (at: AbortSignal) => bench.venue.quote(bitcoinOrder(), at),
    execute: (at: AbortSignal) => bench.venue.execute(swap, swap.binding, at),
    track: (at: AbortSignal) => bench.venue.tracker?.track(HASH, swap, at),
    'track without a record': (at: AbortSignal) => unrecorded.venue.tracker?.track(HASH, { ...swap, executed: null }, at),
    'quote of a venue never asked before': async (at: AbortSignal) => {
      const { venue, faults, close } = await openBench()
      for (const { fault, params } of bench.faults.list()) faults.set('relay', fault, params, null)
      return venue.quote(usdcOrder(), at).finally(close)
    },
  }

  const FAULTS = [
    ['reset', 'unavailable'],
    ['http-500', 'unavailable'],
    ['http-429', 'rateLimited'],
    ['malformed-body', 'badResponse'],
    ['truncated-body', 'unavailable'],
    ['huge-body', 'badResponse'],
    ['wrong-shape', 'badResponse'],
  ] as const

  const suffer = async (call: keyof typeof CALLS, fault: (typeof FAULTS)[number][0] | 'hang', at: AbortSignal) => {
    for (const each of [bench, unrecorded]) each.faults.set('relay', fault, {}, null)
    const refusal = await refusalOf(Promise.resolve(CALLS[call](at)))
    for (const each of [bench, unrecorded]) each.faults.clear('relay')
    return refusal.kind
  }

  for (const call of Object.keys(CALLS) as (keyof typeof CALLS)[]) {
    test.each(FAULTS)(`${call}: %s is %s`, async (fault, kind) => {
      expect(await suffer(call, fault, signal())).toBe(kind)
    })
    test(`${call}: a venue that hangs is cut by the caller’s signal`, async () => {
      expect(await suffer(call, 'hang', AbortSignal.timeout(60))).toBe('timeout')
    })
  }
})

const EVM = usdcOrder({ feeBps: 15, slippageBps: 50 })
const COIN = etherOrder()
const SOLANA = solOrder()
const BITCOIN = bitcoinOrder({ slippageBps: 100 })

const answersOf = new Map<VenueOrder, ProperAnswers>()
beforeAll(async () => {
  for (const order of [EVM, COIN, SOLANA, BITCOIN]) answersOf.set(order, await properAnswers(order, WITH_FEE))
})

type Part = 'quote' | 'price' | 'chains'

/** The refusal of quote, and for parts only execute sees, of execute. */
const refusedWith = async (order: VenueOrder, part: Part, path: string, value: unknown): Promise<string> => {
  const answers = answersOf.get(order)
  const broken = altered(answers?.[part], path, value)
  const spoiled = { ...answers, [part]: broken } as ProperAnswers
  const venue = await openBroken(
    (asked) => ({ body: asked === '/chains' ? spoiled.chains : asked === '/price' ? spoiled.price : spoiled.quote }),
    { settings: WITH_FEE },
  )
  try {
    const offer = await venue.venue.quote(order, signal())
    await venue.venue.execute({ order, offer }, order, signal())
    return 'accepted'
  } catch (error) {
    return (error as { kind?: string }).kind ?? String(error)
  } finally {
    await venue.close()
  }
}

describe('an answer of another shape is a bad response', () => {
  const ODD = [undefined, null, { odd: true }, [], -1.5]
  const shapes = (order: VenueOrder, part: Part, paths: readonly string[]) =>
    test.each(paths)(`${part} %s missing, null or of another type`, async (path) => {
      for (const value of ODD) {
        expect(await refusedWith(order, part, path, value), String(JSON.stringify(value))).toBe('badResponse')
      }
    })

  shapes(EVM, 'quote', [
    'steps',
    'steps.1.id',
    'steps.1.kind',
    'details',
    'details.currencyIn',
    'details.currencyIn.amount',
    'details.currencyIn.currency.chainId',
    'details.currencyIn.currency.address',
    'details.currencyIn.currency.decimals',
    'details.currencyOut.amount',
    'details.currencyOut.minimumAmount',
    'details.currencyOut.currency.chainId',
    'details.currencyOut.currency.address',
    'details.currencyOut.currency.decimals',
    'fees.app.amount',
    'protocol.v2.orderData.salt',
    'protocol.v2.orderData.solver',
    'protocol.v2.orderData.inputs',
    'protocol.v2.orderData.inputs.0.payment.amount',
    'protocol.v2.orderData.inputs.0.payment.currency',
    'protocol.v2.orderData.inputs.0.refunds.0.recipient',
    'protocol.v2.orderData.output.payments.0.recipient',
    'protocol.v2.orderData.output.payments.0.minimumAmount',
    'protocol.v2.orderData.output.deadline',
    'protocol.v2.orderData.output.extraData',
    'steps.1.items.0.data',
    'steps.1.items.0.data.from',
    'steps.1.items.0.data.to',
    'steps.1.items.0.data.data',
    'steps.1.items.0.data.value',
    'steps.1.items.0.data.chainId',
    'steps.0.items.0.data.to',
  ])
  shapes(SOLANA, 'quote', [
    'steps.0.items.0.data',
    'steps.0.items.0.data.instructions',
    'steps.0.items.0.data.instructions.1.keys',
    'steps.0.items.0.data.instructions.1.keys.1.pubkey',
    'steps.0.items.0.data.instructions.1.keys.1.isSigner',
    'steps.0.items.0.data.instructions.1.programId',
    'steps.0.items.0.data.instructions.1.data',
  ])
  shapes(BITCOIN, 'price', ['details', 'details.currencyOut.amount', 'details.currencyOut.minimumAmount'])
  shapes(BITCOIN, 'quote', ['steps.0.depositAddress', 'steps.0.requestId', 'details.currencyIn.amount'])
  shapes(EVM, 'chains', ['chains'])

  test('an order with a field the hash does not cover', async () => {
    expect(await refusedWith(EVM, 'quote', 'protocol.v2.orderData.bonus', '1')).toBe('badResponse')
    expect(await refusedWith(EVM, 'quote', 'protocol.v2.orderData.output.payments.0.unless', '1')).toBe('badResponse')
  })

  test.each(['0250', '-1', '1e9', '0x10', ' 1', '1.0', '', `1${'0'.repeat(78)}`])('%j is no amount', async (amount) => {
    for (const path of ['currencyIn.amount', 'currencyOut.amount', 'currencyOut.minimumAmount'])
      expect(await refusedWith(EVM, 'quote', `details.${path}`, amount)).toBe('badResponse')
    expect(await refusedWith(EVM, 'quote', 'steps.1.items.0.data.value', amount)).toBe('badResponse')
  })
})

describe('an answer that is not what was asked for is a bad response', () => {
  const ORDERS = { EVM, COIN, SOLANA, BITCOIN }
  const ECHOES: readonly (readonly [keyof typeof ORDERS, string, unknown])[] = [
    ['EVM', 'details.currencyIn.currency.address', USDC.arbitrum],
    ['EVM', 'details.currencyIn.currency.chainId', 10],
    ['EVM', 'details.currencyIn.currency.chainId', 7],
    ['EVM', 'details.currencyIn.amount', '250000001'],
    ['EVM', 'details.currencyOut.currency.address', ARB],
    ['EVM', 'details.currencyOut.currency.chainId', 1],
    ['EVM', 'details.recipient', WALLETS.evm],
    ['EVM', 'details.currencyOut.amount', '0'],
    ['EVM', 'details.currencyOut.amount', '248317174'],
    ['EVM', 'details.currencyOut.amount', '260000000'],
    ['EVM', 'details.currencyOut.minimumAmount', '0'],
    ['EVM', 'details.currencyOut.minimumAmount', '248317170'],
    ['EVM', 'details.currencyOut.minimumAmount', '248317180'],
    ['EVM', 'details.timeEstimate', -1],
    ['EVM', 'fees.app.amount', '374999'],
    ['EVM', 'fees.app.amount', '375001'],
    ['EVM', 'fees.app.currency.address', ARB],
    ['COIN', 'fees.app.amount', '1'],
    ['EVM', 'protocol.v2.orderId', `0x${'11'.repeat(32)}`],
    ['EVM', 'protocol.v2.orderData.salt', '0x1'],
    ['EVM', 'protocol.v2.orderData.output.payments.0.recipient', WALLETS.evm],
    ['EVM', 'protocol.v2.orderData.output.chainId', 'nowhere'],
    ['EVM', 'steps.1.items.0.data.from', WALLETS.evmOther],
    ['EVM', 'steps.1.items.0.data.to', '0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f'],
    ['EVM', 'steps.1.items.0.data.chainId', 42161],
    ['EVM', 'steps.1.items.0.data.value', '1'],
    ['EVM', 'steps.1.items.0.data.data', '0x'],
    ['EVM', 'steps.1.items.0.data.data', '0x5a1ee3ac'],
    ['EVM', 'steps.0.items.0.data.to', ARB],
    ['EVM', 'steps.0.items.0.data.value', '1'],
    ['EVM', 'steps.0.items.0.data.data', `0x095ea7b3${'00'.repeat(12)}${'be'.repeat(20)}${'00'.repeat(31)}00`],
    ['EVM', 'steps.1.requestId', `0x${'11'.repeat(32)}`],
    ['EVM', 'steps.1.kind', 'signature'],
    ['COIN', 'steps.0.items.0.data.value', '1'],
    ['SOLANA', 'steps.0.items.0.data.instructions.1.programId', 'SysvarC1ock11111111111111111111111111111111'],
    ['SOLANA', 'steps.0.items.0.data.instructions.1.keys.1.pubkey', 'SysvarC1ock11111111111111111111111111111111'],
    ['SOLANA', 'steps.0.items.0.data.instructions.1.keys.2.pubkey', 'SysvarC1ock11111111111111111111111111111111'],
    ['SOLANA', 'steps.0.items.0.data.instructions.1.keys.0.isSigner', true],
    ['BITCOIN', 'steps.0.depositAddress', ''],
    ['BITCOIN', 'steps.0.depositAddress', WALLETS.evm],
    ['BITCOIN', 'steps.0.depositAddress', 'bc1p5x8constructedexampleonly0000000000000000000000000000000000'],
  ]
  test.each(ECHOES)('%s: %s = %j', async (name, path, value) => {
    expect(await refusedWith(ORDERS[name], 'quote', path, value)).toBe('badResponse')
  })
  test('what is asked for and what is answered agree to begin with', async () => {
    for (const order of [EVM, COIN, SOLANA, BITCOIN]) expect(await refusedWith(order, 'quote', 'extra', 1)).toBe('accepted')
  })
  test('gas and value may be numbers, as in some of the vendor’s examples', async () => {
    expect(await refusedWith(EVM, 'quote', 'steps.1.items.0.data.value', 0)).toBe('accepted')
    expect(await refusedWith(EVM, 'quote', 'steps.1.items.0.data.gas', 78_000)).toBe('accepted')
  })
  test('a USDT-like approval of zero may come before the other', async () => {
    const zero = `0x095ea7b3${'4cd00e387622c35bddb9b4c962c136462338bc31'.padStart(64, '0')}${'00'.repeat(32)}`
    expect(await refusedWith(EVM, 'quote', 'steps.0.items.0.data.data', zero)).toBe('accepted')
  })
})

describe('prices that lie', () => {
  test('wrong decimals and a hundredfold price come through as priced: the engine drops them', async () => {
    const bench = await openBench()
    bench.faults.set('relay', 'wrong-decimals', {}, 1)
    expect((await bench.venue.quote(usdcOrder(), signal())).outputAmount).toBe(249_950_500n * 10n ** 12n)
    bench.faults.set('relay', 'price-x100', {}, 1)
    expect((await bench.venue.quote(usdcOrder(), signal())).outputAmount).toBe(24_995_050_000n)
    await bench.close()
  })

  test.each([
    ['wrong-recipient', [usdcOrder(), solOrder(), bitcoinOrder()]],
    ['wrong-minimum', [usdcOrder(), solOrder(), bitcoinOrder()]],
    ['wrong-contract', [usdcOrder(), etherOrder(), solOrder(), bitcoinOrder()]],
    ['bad-signature', [usdcOrder(), solOrder(), bitcoinOrder()]],
  ] as const)('%s is refused before anything is built', async (fault, orders) => {
    const bench = await openBench()
    for (const order of orders) {
      const offer = await bench.venue.quote(order, signal())
      bench.faults.set('relay', fault, {}, 1)
      const call = bench.venue.execute({ order, offer }, order, signal())
      if (fault === 'wrong-contract' && order.input.chainId === -1)
        expect(
          await provePayload(bench.venue, await call, { sealed: { order, offer }, binding: order, now: START_OF_TIME }),
        ).toContain('deposit.owner')
      else expect((await refusalOf(call)).kind).toBe('badResponse')
      bench.faults.clear('relay')
    }
    await bench.close()
  })
})
