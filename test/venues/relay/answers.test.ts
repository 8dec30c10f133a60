import { base58 } from '@scure/base'
import { afterAll, describe, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import type { VenueError } from '../../../engine/venues/venueError.ts'
import { NATIVE, NATIVE_SOL } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { altered, alteredBy, never, outcomeOf, prove, refusalOf, takenThrough } from '../../support/venueKit/calls.ts'
import type { CannedOptions } from '../../support/venueKit/canned.ts'
import table from './answers.json' with { type: 'json' }
import { forged } from './forging.ts'
import { casesOf, openBench, orders, STRANGER, told, WITH_FEE } from './support.ts'

const ORDERS = {
  TOKENS: orders.usdc(),
  FEE: orders.usdc({ feeBps: 15, slippageBps: 50 }),
  COINS: orders.ether(),
  /** Refunded to another than the one who receives. */
  APART: orders.usdc({ refundTo: addressOf('evm', '0x976EA74026E726554dB657fA54763abd0C3a0aa9') }),
  TO_SOL: orders.usdc({ to: [-2, NATIVE_SOL], recipient: WALLETS.solana }),
  TO_LINEA: orders.ether({ to: [59144, NATIVE] }),
  SOL: orders.sol(),
  SPL: orders.solanaUsdc(),
  BITCOIN: orders.bitcoin(),
} as const
type Name = keyof typeof ORDERS

const bench = await openBench()
afterAll(() => bench.close())

/** Every lookup table is there, and empty. */
const chains = createFakeChains()
chains.script.lookupTable = async () => []

/** How far answers come that are changed like this. */
const venueWith = (change: (quote: never) => unknown, settings: CannedOptions['settings'] = WITH_FEE) =>
  told(bench, { changes: { '/quote/v2': change }, settings, chains }).venue
const outcomeWith = (name: Name, ...change: Parameters<typeof venueWith>) => outcomeOf(venueWith(...change), ORDERS[name])

/** Behind the value, some say why. */
type Rows = readonly (readonly [Name, path: string, value: unknown])[]
type Checks = readonly (readonly [Name, path: string, value: unknown, by: string, found: string])[]
const CASES = casesOf<{
  readonly answer: { readonly [outcome in keyof typeof table.answer]: Rows }
  readonly order: { readonly [outcome in keyof typeof table.order]: Rows }
  readonly checks: { readonly answer: Checks; readonly order: Checks }
  readonly smuggled: readonly (readonly [what: string, programId: string, accounts: readonly string[], data: string])[]
}>(table)
const REFUSED = /^rejected$|^not proved: (deposit\.owner|.*none of this order alone)/

/**
 * Rejected is what was not asked for; a field more in the order is not covered by its hash, and a fee's address may be
 * none: nobody can read it, and nothing crashes. Signed is what does not matter: gas and value may be numbers, as in some of the vendor's examples; an approval of zero comes before a USDT-like one;
 * accounts that need not be written may be. Nothing proves that an address in bitcoin is the venue's own for an order; that it
 * is somebody else's can be told.
 */
describe.each(Object.entries<Rows>(CASES.answer))('relay: an altered answer is %s:', (outcome, rows) => {
  test.each(rows)('%s: %s = %j %s', async (name, path, value) => {
    const found = await outcomeWith(name, (quote) => altered(quote, path, value))
    expect(found).toMatch(outcome === 'refused' ? REFUSED : new RegExp(`^${outcome}$`))
  })
})

/** The vendor's own router may deliver, and either party be refunded on the other chain. Else it is not even offered. */
describe.each(Object.entries<Rows>(CASES.order))(
  'relay: an altered order with matching id and deposit is %s [venue-relay]',
  (outcome, rows) => {
    test.each(rows)('%s: %s = %j %s', async (name, path, value) => {
      expect(await outcomeWith(name, (quote) => forged(quote, [[path, value]]))).toBe(outcome)
    })
  },
)

/** The changes that a row makes: several when they come `together`. */
const changesOf = (path: string, value: unknown): readonly (readonly [string, unknown])[] =>
  path === 'together' ? Object.entries(value as object) : [[path, value]]

/** A limit of this service has no check. It is thrown only where nothing else of the answer is refused. */
describe.each<[string, Checks, (quote: unknown, path: string, value: unknown) => unknown]>([
  ['an answer', CASES.checks.answer, (quote, path, value) => alteredBy(quote, changesOf(path, value))],
  ['an order', CASES.checks.order, (quote, path, value) => forged(quote, changesOf(path, value))],
])('relay: %s is rejected by its own check, with the value found:', (_what, rows, change) => {
  test.each(rows)('%s: %s = %j by %s', async (name, path, value, by, found = '') => {
    const refusal = await refusalOf(venueWith((quote) => change(quote, path, value)).quote(ORDERS[name], never()))
    expect([refusal.check ?? refusal.reason, refusal.kind]).toEqual([by, by === 'notSold' ? 'unsupportedPair' : 'rejected'])
    expect(`${refusal.found}`.toLowerCase()).toContain(found.toLowerCase())
  })
})

const WITH_ROUTER = ['output.extraData', `0x${STRANGER.slice(2).toLowerCase().padStart(64, '0')}`]
test.each([
  ['solver', { SOLVER: STRANGER }, ['solver', STRANGER.toLowerCase()], 'rejected'],
  ['router', { ROUTERS: `42161=${STRANGER}` }, WITH_ROUTER, 'signed'],
  ['name of a chain', { CHAIN_NAMES: '42161=arb, 10=op,8453=base2' }, ['output.chainId', 'arb'], 'signed'],
  ['name of the chain of the solver', { CHAIN_NAMES: '8453=base2' }, ['solverChainId', 'base2'], 'signed'],
] as const)('quote: an order of another %s is accepted only from a setting', async (_what, settings, change, ofOurs) => {
  const withOther = (quote: unknown) => forged(quote, [change as [string, unknown]])
  expect(await outcomeWith('COINS', withOther)).toBe('rejected')
  expect(await outcomeWith('COINS', withOther, { ROUTERS: `8453=${STRANGER}` })).toBe('rejected')
  expect(await outcomeWith('COINS', withOther, settings)).toBe('signed')
  expect(await outcomeWith('COINS', (quote) => quote, settings)).toBe(ofOurs)
})

describe('quote: an answer of the Relay simulator with the fault', () => {
  test.each(['wrong-recipient', 'wrong-minimum', 'wrong-contract', 'bad-signature'] as const)(
    '%s is rejected before anything is built [venue-relay]',
    async (fault) => {
      const { venue, faults } = bench
      for (const name of ['TOKENS', 'COINS', 'SOL', 'BITCOIN'] as const) {
        const order = ORDERS[name]
        const offer = await venue.quote(order, never())
        faults.set('relay', fault, {}, 1)
        const outcome = await venue.execute({ order, offer }, order, never()).then(
          (execution) => prove(venue, { order, offer, binding: order, execution }),
          ({ kind }: VenueError) => kind,
        )
        // Whose an address in bitcoin is, the engine may tell as well.
        const isOwned = name === 'BITCOIN' && fault === 'wrong-contract'
        expect([outcome].join()).toMatch(isOwned ? /^rejected$|deposit\.owner/ : /^rejected$/)
        faults.clear('relay')
      }
    },
  )

  /** A venue that promises much and guarantees little, its order saying the same. The tolerance asked for is 200 bps. */
  const TOO_WIDE = { kind: 'noLiquidity', reason: 'boundTooWide' }
  test.each<[string, string, object | null, string?]>([
    ['one unit', '1', TOO_WIDE],
    ['less than the slippage allows', '245400000', TOO_WIDE],
    ['exactly what the slippage allows', '245490000', null],
    ['zero, for an output of one unit', '0', { kind: 'amountTooSmall' }, '1'],
    ['zero, for a larger output', '0', { kind: 'rejected', check: 'anotherMinimumOutput' }],
  ])('with a guaranteed amount of %s', async (_what, minimumAmount, refusal, amount = '250500000') => {
    const ordered = { expectedAmount: amount, minimumAmount }
    const promising = (quote: unknown) =>
      altered(
        forged(quote, [['output.payments.0', (payment: object) => ({ ...payment, ...ordered })]]),
        'details.currencyOut',
        (price: object) => ({ ...price, amount, minimumAmount }),
      )
    const taken = takenThrough(told(bench, { changes: { '/quote/v2': promising } }).venue, orders.usdc({ slippageBps: 200 }))
    if (refusal) expect(await refusalOf(taken)).toMatchObject(refusal)
    else expect((await taken).offer.slippage).toEqual({ isFirm: true, guaranteedMin: BigInt(minimumAmount) })
  })
})

type Instruction = { readonly keys: readonly object[]; readonly programId: string; readonly data: string }

describe('quote: a Relay deposit on Solana', () => {
  const outcomeAmong = (name: Name, change: (own: readonly Instruction[]) => readonly Instruction[]) =>
    outcomeWith(name, (quote) => altered(quote, 'steps.0.items.0.data.instructions', change))

  test.each(CASES.smuggled)('with %s beside it is rejected', async (_name, programId, accounts, data) => {
    const keys = accounts.map((pubkey) => ({ pubkey, isSigner: pubkey === WALLETS.solana, isWritable: true }))
    const extra = { programId, keys, data }
    // The venue is not in trouble for it.
    for (const name of ['SOL', 'SPL'] as const) {
      expect(await outcomeAmong(name, (own) => [extra, ...own])).toMatch(REFUSED)
      expect(await outcomeAmong(name, (own) => [...own, extra])).toMatch(REFUSED)
    }
  })

  /** A memo of so many bytes, which names 60 accounts of a block of them. */
  const memo = (bytes: number, block?: number): Instruction => {
    const named = block === undefined ? [] : Array.from({ length: 60 }, (_, i) => Uint8Array.of(block, ...Array(31).fill(i)))
    const keys = named.map((key) => ({ pubkey: base58.encode(key), isSigner: false, isWritable: true }))
    return { programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', keys, data: '61'.repeat(bytes) }
  }
  test.each([
    ['a memo that fits a packet', [memo(700)], 'signed'],
    ['a longer memo', [memo(950)], 'noLiquidity'],
    ['more accounts than a transaction can name', [1, 2, 3, 4, 5].map((block) => memo(1, block)), 'noLiquidity'],
  ])('with %s', async (_what, memos, outcome) => {
    expect(await outcomeAmong('SOL', (own) => [...own, ...memos])).toBe(outcome)
  })
})

test.each([
  ['TOKENS', 'steps.1.items.0.data.data', 4 + 4 * 32],
  ['COINS', 'steps.0.items.0.data.data', 4 + 2 * 32],
  ['SOL', 'steps.0.items.0.data.instructions.1.data', 48],
  ['SPL', 'steps.0.items.0.data.instructions.1.data', 48],
] as const)('quote: rejects a deposit of %s with one flipped bit', async (name, path, length) => {
  const outcomeOf = (change: (hex: string) => string) => outcomeWith(name, (quote) => altered(quote, path, change))
  for (let at = 1; at <= length; at += 1) {
    // Counted from its end.
    const turned = (hex: string) =>
      hex.replace(new RegExp(`(.)(?=.{${2 * at - 2}}$)`), (digit) => (parseInt(digit, 16) ^ 1).toString(16))
    expect(await outcomeOf(turned), `byte ${length - at}`).toBe('rejected')
  }
  expect(await outcomeOf((hex) => `${hex}${'00'.repeat(32)}`)).toBe('rejected')
  expect(await outcomeOf((hex) => hex.toUpperCase().replace('0X', '0x'))).toBe('signed')
})

test('quote: rejects a deposit of a wrapped coin token without the coin', async () => {
  const word = (hex: string) => hex.toLowerCase().padStart(64, '0')
  const sum = word(NATIVE.slice(2)) + word(ORDERS.COINS.inputAmount.toString(16))
  const asTokens = ({ data, ...call }: { data: string }) => ({
    ...call,
    data: `0xe8017952${data.slice(10, 74)}${sum}${data.slice(74)}`,
    value: '0',
  })
  expect(await outcomeWith('COINS', (quote) => altered(quote, 'steps.0.items.0.data', asTokens))).toBe('rejected')
})
