import { describe, expect, test } from 'vitest'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { VenueError } from '../../../engine/venues/venueError.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { alteredBy, never, prove, refusalOf, swapOf, takenThrough } from '../../support/venueKit/calls.ts'
import { forged } from './forging.ts'
import {
  ARB,
  bitcoinOrder,
  etherOrder,
  keptAnswers,
  openBench,
  properAnswers,
  solOrder,
  spoilt,
  told,
  USDC,
  usdcOrder,
  WITH_FEE,
} from './support.ts'

const open = closedAfterEach(openBench)
const ORDERS = {
  EVM: usdcOrder({ feeBps: 15, slippageBps: 50 }),
  COIN: etherOrder(),
  SOLANA: solOrder(),
  BITCOIN: bitcoinOrder({ slippageBps: 100 }),
} as const
const answers = keptAnswers()

/** What becomes of an answer with a part changed: quoted, then built. */
const outcomeOf = async (order: VenueOrder, path: string, value: unknown): Promise<string> => {
  const { venue } = told(spoilt(await answers(order, WITH_FEE), 'quote', path, value), { settings: WITH_FEE })
  return swapOf(venue, order).then(
    () => 'accepted',
    (error: { kind?: string }) => error.kind ?? String(error),
  )
}

describe('an answer that is not what was asked for is a bad response', () => {
  test.each<[keyof typeof ORDERS, string, unknown]>([
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
    // A field the order's hash does not cover.
    ['EVM', 'protocol.v2.orderData.bonus', '1'],
    ['EVM', 'protocol.v2.orderData.output.payments.0.unless', '1'],
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
  ])('%s: %s = %j', async (name, path, value) => {
    expect(await outcomeOf(ORDERS[name], path, value)).toBe('badResponse')
  })

  test.each<[keyof typeof ORDERS, string, unknown]>([
    // What is asked for and what is answered agree to begin with.
    ['EVM', 'extra', 1],
    ['COIN', 'extra', 1],
    ['SOLANA', 'extra', 1],
    ['BITCOIN', 'extra', 1],
    // Gas and value may be numbers, as in some of the vendor's examples.
    ['EVM', 'steps.1.items.0.data.value', 0],
    ['EVM', 'steps.1.items.0.data.gas', 78_000],
    // A USDT-like approval of zero may come before the other.
    [
      'EVM',
      'steps.0.items.0.data.data',
      `0x095ea7b3${'4cd00e387622c35bddb9b4c962c136462338bc31'.padStart(64, '0')}${'00'.repeat(32)}`,
    ],
  ])('and one that is, is taken: %s: %s = %j', async (name, path, value) => {
    expect(await outcomeOf(ORDERS[name], path, value)).toBe('accepted')
  })
})

describe('prices that lie', () => {
  test.each([
    ['wrong-decimals', 249_950_500n * 10n ** 12n],
    ['price-x100', 24_995_050_000n],
  ] as const)('%s comes through as priced: the engine drops it', async (fault, outputAmount) => {
    const { venue, faults } = await open()
    faults.set('relay', fault, {}, 1)
    expect((await venue.quote(usdcOrder(), never())).outputAmount).toBe(outputAmount)
  })

  test.each([
    ['wrong-recipient', [usdcOrder(), solOrder(), bitcoinOrder()]],
    ['wrong-minimum', [usdcOrder(), solOrder(), bitcoinOrder()]],
    ['wrong-contract', [usdcOrder(), etherOrder(), solOrder(), bitcoinOrder()]],
    ['bad-signature', [usdcOrder(), solOrder(), bitcoinOrder()]],
  ] as const)('%s is refused before anything is built', async (fault, orders) => {
    const { venue, faults } = await open()
    for (const order of orders) {
      const offer = await venue.quote(order, never())
      faults.set('relay', fault, {}, 1)
      const outcome: readonly string[] = await venue.execute({ order, offer }, order, never()).then(
        (execution) => prove(venue, { order, offer, binding: order, execution }),
        ({ kind }: VenueError): readonly string[] => [kind],
      )
      // Whose an address in bitcoin is, the engine may tell as well.
      const isOwned = fault === 'wrong-contract' && order.input.chainId === -1 && outcome.includes('deposit.owner')
      if (!isOwned) expect(outcome).toEqual(['badResponse'])
      faults.clear('relay')
    }
  })

  /** A venue that promises much and guarantees little, its order saying the same. The tolerance asked for is 200 bps. */
  test.each([
    ['nothing but one unit', '1', 'boundTooWide'],
    ['less than the tolerance leaves', '245400000', 'boundTooWide'],
    ['what the tolerance leaves', '245490000', null],
  ])('an offer that guarantees %s is taken only if it keeps the bound', async (_what, minimum, reason) => {
    const order = usdcOrder({ slippageBps: 200 })
    const proper = await properAnswers(order)
    const expected = '250500000'
    const details = alteredBy(proper.quote, [
      ['details.currencyOut.amount', expected],
      ['details.currencyOut.minimumAmount', minimum],
    ])
    const quote = forged(details, [
      ['output.payments.0.expectedAmount', expected],
      ['output.payments.0.minimumAmount', minimum],
    ])
    const { venue } = told({ ...proper, quote })
    if (reason)
      expect(await refusalOf(takenThrough(venue, order))).toMatchObject({ kind: 'noLiquidity', reason, isDecline: true })
    else expect((await takenThrough(venue, order)).offer.slippage).toEqual({ isFirm: true, guaranteedMin: BigInt(minimum) })
  })
})
