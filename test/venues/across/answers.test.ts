import { beforeAll, describe, expect, test } from 'vitest'
import { anOrder } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import lies from './lies.json' with { type: 'json' }
import { NATIVE, openBench, properAnswer, told, usdcOrder, WITH_FEE } from './support.ts'

const open = closedAfterEach(openBench)

describe('an answer that is not what was asked for', () => {
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
    '%s = %j is rejected: %s [venue-across]',
    async (path, value, check) => {
      expect(await quoteWith(path, value)).toMatchObject({ kind: 'rejected', check })
    },
  )

  test('a contract that is not pinned is rejected, and the report names the setting that adds one', async () => {
    const { message, found } = await quoteWith('swapTx.to', '0x000000000000000000000000000000000000bEEF')
    for (const text of [message, found]) expect(text).toContain('VENUE_ACROSS_EXTRA_CONTRACTS')
  })

  test('an output too small for the fee to be a unit of it is declined at quote, not refused at execute', async () => {
    const least = { expectedOutputAmount: '600', minOutputAmount: '600', 'steps.bridge.outputAmount': '600' }
    const small = Object.entries({ ...least, 'fees.total.details.app.amount': '0' }).reduce(
      (answer, [path, value]) => altered(answer, path, value),
      proper,
    )
    const broken = told(() => ({ body: small }), { settings: WITH_FEE })
    expect((await refusalOf(broken.venue.quote(order, never()))).kind).toBe('amountTooSmall')
  })

  test('what a plain bridge is said to bring beyond its calldata is not counted', async () => {
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

describe('a plain bridge that calls itself an exchange', () => {
  test.each([10, 50, 5_000])('is still priced by its calldata, at a tolerance of %i bps', async (slippageBps) => {
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
  'a deposit that promises more than it pays in, by %s, is rejected: nobody fills it [venue-across]',
  async (lie) => {
    const { venue, faults } = await open()
    faults.set('across', lie, {}, 1)
    expect(await refusalOf(venue.quote(usdcOrder(), never()))).toMatchObject({
      kind: 'rejected',
      check: 'anOutputNobodyFills',
    })
  },
)

test('execute breaks as quote does', async () => {
  const { venue, faults } = await open()
  const order = anOrder({ from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n })
  const { offer } = await swapOf(venue, order)
  faults.set('across', 'halt', {}, 1)
  expect((await refusalOf(venue.execute({ order, offer }, order, never()))).kind).toBe('noLiquidity')
  const foreign = { order, offer: { ...offer, carry: { v: 2 } } }
  expect((await refusalOf(venue.execute(foreign, order, never()))).kind).toBe('badResponse')
})
