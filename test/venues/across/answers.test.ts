import { beforeAll, describe, expect, test } from 'vitest'
import { anOrder } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import lies from './lies.json' with { type: 'json' }
import { NATIVE, openBench, properAnswer, told, usdcOrder, WITH_FEE } from './support.ts'

const open = closedAfterEach(openBench)

describe('across: an answer that differs from the request', () => {
  const order = usdcOrder({ feeBps: 15, slippageBps: 50 })
  let proper: unknown
  beforeAll(async () => {
    proper = await properAnswer(order, WITH_FEE)
  })

  const quoteWith = async (path: string, value: unknown) => {
    const broken = told(() => ({ body: altered(proper, path, value) }), { settings: WITH_FEE })
    return await refusalOf(broken.venue.quote(order, never()))
  }

  test.each(lies as [path: string, value: unknown, check: string][])(
    'with %s = %j is rejected: %s [venue-across]',
    async (path, value, check) => {
      expect(await quoteWith(path, value)).toMatchObject({ kind: 'rejected', check })
    },
  )

  test('with an unpinned contract is rejected, and the report names VENUE_ACROSS_EXTRA_CONTRACTS', async () => {
    const { message, found } = await quoteWith('swapTx.to', '0x000000000000000000000000000000000000bEEF')
    for (const text of [message, found]) expect(text).toContain('VENUE_ACROSS_EXTRA_CONTRACTS')
  })

  test('with an output too small for one unit of the fee is declined at quote', async () => {
    const least = { expectedOutputAmount: '600', minOutputAmount: '600', 'steps.bridge.outputAmount': '600' }
    const small = Object.entries({ ...least, 'fees.total.details.app.amount': '0' }).reduce(
      (answer, [path, value]) => altered(answer, path, value),
      proper,
    )
    const broken = told(() => ({ body: small }), { settings: WITH_FEE })
    expect((await refusalOf(broken.venue.quote(order, never()))).kind).toBe('amountTooSmall')
  })

  test('with an output above the calldata of a plain bridge is offered at the amount of the calldata', async () => {
    const offered = async (expectedOutputAmount: string) => {
      const broken = told(() => ({ body: altered(proper, 'expectedOutputAmount', expectedOutputAmount) }), { settings: WITH_FEE })
      const offer = await broken.venue.quote(order, never())
      return { outputAmount: offer.outputAmount, guaranteedMin: offer.slippage?.guaranteedMin }
    }
    const honest = await offered('249567587')
    // As far above the calldata as the tolerance reaches.
    expect(await offered('250821695')).toEqual(honest)
    // Beyond it the engine sees a bound that is too wide.
    expect(await offered('260000000')).toEqual({ outputAmount: 260_000_000n, guaranteedMin: 249_567_587n })
  })
})

describe('across: a plain bridge declared as an exchange', () => {
  test.each([10, 50, 5_000])('is priced by its calldata with a slippage of %i bps', async (slippageBps) => {
    const order = usdcOrder({ slippageBps })
    const proper = (await properAnswer(order)) as { readonly minOutputAmount: string }
    const minimum = BigInt(proper.minOutputAmount)
    const expected = (minimum * 10_000n) / BigInt(10_000 - slippageBps)
    const lie = { ...proper, crossSwapType: 'anyToBridgeable', expectedOutputAmount: expected.toString() }
    const broken = told(() => ({ body: lie }))
    expect((await broken.venue.quote(order, never())).outputAmount).toBe(minimum)
  })
})

test.each(['wrong-decimals', 'price-x100'] as const)(
  'across: a deposit with an output above its input, by the fault %s, is rejected since no relayer fills it [venue-across]',
  async (lie) => {
    const { venue, faults } = await open()
    faults.set('across', lie, {}, 1)
    expect(await refusalOf(venue.quote(usdcOrder(), never()))).toMatchObject({
      kind: 'rejected',
      check: 'anOutputNobodyFills',
    })
  },
)

test('execute: reports a halted venue as noLiquidity and rejects an offer of another version', async () => {
  const { venue, faults } = await open()
  const order = anOrder({ from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n })
  const { offer } = await swapOf(venue, order)
  faults.set('across', 'halt', {}, 1)
  expect((await refusalOf(venue.execute({ order, offer }, order, never()))).kind).toBe('noLiquidity')
  const foreign = { order, offer: { ...offer, carry: { v: 2 } } }
  expect((await refusalOf(venue.execute(foreign, order, never()))).kind).toBe('badResponse')
})
