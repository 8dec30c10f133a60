import { base58 } from '@scure/base'
import { describe, expect, test } from 'vitest'
import { addressOf } from '../../../engine/core/address.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { VenueError } from '../../../engine/venues/venueError.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, alteredBy, never, prove, refusalOf, takenThrough } from '../../support/venueKit/calls.ts'
import type { CannedOptions } from '../../support/venueKit/canned.ts'
import { flips } from '../../support/venueKit/mutations.ts'
import table from './answers.json' with { type: 'json' }
import { type Change, evmOrderId, forged, orderIn } from './forging.ts'
import { NATIVE, NATIVE_SOL, orders, STRANGER, USDC } from './orders.ts'
import { casesOf, keptAnswers, openBench, outcomeWith, type ProperAnswers, properAnswers, told, WITH_FEE } from './support.ts'

/** What a venue that errs, lies, or is not itself any more could hand to a wallet. Nothing of it may come through the proof. */

const ORDERS = {
  TOKENS: orders.usdc(),
  FEE: orders.usdc({ feeBps: 15, slippageBps: 50 }),
  COINS: orders.ether(),
  /** Refunded to another than the one who receives. */
  APART: orders.usdc({ refundTo: addressOf('evm', '0x976EA74026E726554dB657fA54763abd0C3a0aa9') }),
  SOL: orders.sol(),
  SPL: orders.solanaUsdc(),
  BITCOIN: orders.bitcoin(),
} as const
const { TOKENS, COINS, APART, SOL, SPL, BITCOIN } = ORDERS
type Name = keyof typeof ORDERS

const open = closedAfterEach(openBench)
const answers = keptAnswers(WITH_FEE)

const outcomeOf = async (order: VenueOrder, changed: Partial<ProperAnswers>, options: CannedOptions = {}) =>
  outcomeWith({ ...(await answers(order)), ...changed }, order, { settings: WITH_FEE, ...options })

/** The outcome with one place of the answer changed. */
const spoiltAt = async (order: VenueOrder, path: string, value: unknown, options?: CannedOptions) =>
  outcomeOf(order, { quote: altered((await answers(order)).quote, path, value) }, options)

/** The outcome with the order of the answer changed, and all else made for the changed order. */
const lyingBy = async (order: VenueOrder, changes: readonly Change[]) =>
  outcomeOf(order, { quote: forged((await answers(order)).quote, changes) })

const CASES = casesOf<
  {
    readonly [outcome in 'badResponse' | 'unsupportedPair' | 'signed']: readonly (readonly [Name, path: string, value: unknown])[]
  } & {
    readonly forged: readonly (readonly [what: string, Name, readonly Change[]])[]
    readonly honest: readonly (readonly [Name, readonly Change[]])[]
    readonly smuggled: readonly (readonly [what: string, programId: string, accounts: readonly string[], data: string])[]
    readonly depositAddresses: readonly (readonly [whose: string, address: string, outcome: string])[]
  }
>(table)

/**
 * A bad response is what was not asked for; a field more in the order is not covered by its hash, and a fee's address may be
 * none: nobody can read it, and nothing crashes. What is outside the settlement protocol is declined. Signed is what does not
 * matter: gas and value may be numbers, as in some of the vendor's examples; an approval of zero comes before a USDT-like one.
 */
describe.each(['badResponse', 'unsupportedPair', 'signed'] as const)('an answer comes to %s', (outcome) => {
  test.each(CASES[outcome])('%s: %s = %j', async (name, path, value) => {
    expect(await spoiltAt(ORDERS[name], path, value)).toBe(outcome)
  })
})

describe('a venue that lies', () => {
  test.each([
    ['wrong-recipient', [TOKENS, SOL, BITCOIN]],
    ['wrong-minimum', [TOKENS, SOL, BITCOIN]],
    ['wrong-contract', [TOKENS, COINS, SOL, BITCOIN]],
    ['bad-signature', [TOKENS, SOL, BITCOIN]],
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
      const isOwned = fault === 'wrong-contract' && order === BITCOIN && outcome.includes('deposit.owner')
      if (!isOwned) expect(outcome).toEqual(['badResponse'])
      faults.clear('relay')
    }
  })

  /** A venue that promises much and guarantees little, its order saying the same. The tolerance asked for is 200 bps. */
  test.each([
    ['nothing but one unit', '1', 'boundTooWide'],
    ['less than the tolerance leaves', '245400000', 'boundTooWide'],
    ['what the tolerance leaves', '245490000', null],
  ])('an offer that guarantees %s is taken only if it keeps the bound', async (_what, minimumAmount, reason) => {
    const order = orders.usdc({ slippageBps: 200 })
    const proper = await properAnswers(order)
    const amount = '250500000'
    const priced = alteredBy(proper.quote, [
      ['details.currencyOut.amount', amount],
      ['details.currencyOut.minimumAmount', minimumAmount],
    ])
    const quote = forged(priced, [
      ['output.payments.0.expectedAmount', amount],
      ['output.payments.0.minimumAmount', minimumAmount],
    ])
    const taken = takenThrough(told({ ...proper, quote }).venue, order)
    if (reason) expect(await refusalOf(taken)).toMatchObject({ kind: 'noLiquidity', reason, isDecline: true })
    else expect((await taken).offer.slippage).toEqual({ isFirm: true, guaranteedMin: BigInt(minimumAmount) })
  })
})

describe('an order that is altered, its id and the deposit with it', () => {
  // The vendor's own router may deliver.
  test.each(CASES.honest)('is signed where that is honest: %s: %j', async (name, changes) => {
    expect(await lyingBy(ORDERS[name], changes)).toBe('signed')
  })
  // Not even offered.
  test.each(CASES.forged)('%s: is refused', async (_name, name, changes) => {
    expect(['badResponse', 'unsupportedPair']).toContain(await lyingBy(ORDERS[name], changes))
  })

  const firstRefund = async (order: VenueOrder) => orderIn((await answers(order)).quote).inputs[0]?.refunds[0]

  test.each([
    ['the recipient', APART.recipient, true],
    ['the refund address', APART.refundTo, true],
    ['a stranger', STRANGER, false],
    ['the sender', APART.sender, false],
  ])('may be refunded on the other chain to %s: %s, %s', async (_who, to, isSigned) => {
    const own = await firstRefund(APART)
    const there = { ...own, chainId: 'arbitrum', recipient: to.toLowerCase(), currency: USDC.arbitrum.toLowerCase() }
    expect((await lyingBy(APART, [['inputs.0.refunds', [own, there]]])) === 'signed').toBe(isSigned)
  })

  test('may be refunded there in wrapped SOL, for which there is no name here; but not paid in it', async () => {
    const order = orders.usdc({ to: [-2, NATIVE_SOL], recipient: SOL.sender })
    const own = await firstRefund(order)
    const wrapped = { ...own, chainId: 'solana', recipient: SOL.sender, currency: NATIVE_SOL, extraData: '0x' }
    expect(await lyingBy(order, [['inputs.0.refunds', [own, wrapped]]])).toBe('signed')
    expect(await lyingBy(SOL, [['inputs.0.payment.currency', NATIVE_SOL]])).toBe('unsupportedPair')
  })

  const listedBy = async (order: VenueOrder) => ((await answers(order)).chains as { chains: { id: number }[] }).chains

  test('on a chain that lends its name is not', async () => {
    const order = orders.ether({ to: [143, NATIVE] })
    const lent = (chain: { id: number }) => (chain.id === 143 ? altered(chain, 'protocol.v2.chainId', 'degen') : chain)
    const chains = { chains: (await listedBy(order)).map(lent) }
    const changes: Change[] = [
      ['output.chainId', 'degen'],
      ['inputs.0.refunds', [await firstRefund(order)]],
    ]
    const quote = forged((await answers(order)).quote, changes, evmOrderId)
    expect(await outcomeOf(order, { chains, quote })).not.toBe('signed')
  })

  test('and whose solver the venue lists as its own is not, unless the operator says so', async () => {
    const solverAddresses = [STRANGER.toLowerCase()]
    const chains = { chains: (await listedBy(TOKENS)).map((chain) => ({ ...chain, solverAddresses })) }
    const quote = forged((await answers(TOKENS)).quote, [['solver', STRANGER.toLowerCase()]])
    expect(await outcomeOf(TOKENS, { chains, quote })).not.toBe('signed')
    const settings = { SOLVER: STRANGER }
    expect(await outcomeOf(TOKENS, { quote }, { settings })).toBe('signed')
    expect(await outcomeOf(TOKENS, {}, { settings })).not.toBe('signed')
  })
})

type Instruction = { keys: { pubkey: string; isSigner: boolean; isWritable: boolean }[]; programId: string; data: string }
type Step = { readonly instructions: readonly Instruction[] }
type Stepped = { readonly steps: readonly { readonly items: readonly { readonly data: Step & { readonly data: string } }[] }[] }

const DATA = 'steps.0.items.0.data'
const dataOf = async (order: VenueOrder, step: number) =>
  ((await answers(order)).quote as Stepped).steps[step]?.items[0]?.data as Step & { readonly data: string }

describe('on Solana', () => {
  const withInstructions = async (order: VenueOrder, change: (own: readonly Instruction[]) => readonly Instruction[]) =>
    spoiltAt(order, `${DATA}.instructions`, change((await dataOf(order, 0)).instructions))

  test.each(CASES.smuggled)('%s beside a deposit is not offered', async (_name, programId, accounts, data) => {
    const keys = accounts.map((pubkey) => ({ pubkey, isSigner: pubkey === SOL.sender, isWritable: true }))
    const extra = { programId, keys, data }
    // The venue is not in trouble for it.
    for (const order of [SOL, SPL]) {
      expect(['badResponse', 'unsupportedPair']).toContain(await withInstructions(order, (own) => [extra, ...own]))
      expect(['badResponse', 'unsupportedPair']).toContain(await withInstructions(order, (own) => [...own, extra]))
    }
  })

  test('accounts that need not be written may be: it takes nothing, and the wallet is all who signs', async () => {
    const withKeys = (change: object) => (own: readonly Instruction[]) =>
      own.map((each) => ({ ...each, keys: each.keys.map((key) => ({ ...key, ...change })) }))
    expect(await withInstructions(SPL, withKeys({ isWritable: true }))).toBe('signed')
    expect(await withInstructions(SPL, withKeys({ isSigner: true }))).not.toBe('signed')
  })

  test('a lookup table of no address is an answer nobody can read, not a crash', async () => {
    const chains = createFakeChains()
    chains.script.lookupTable = async () => []
    const tables = `${DATA}.addressLookupTableAddresses`
    expect(await spoiltAt(SOL, tables, ['z'.repeat(44)], { chains })).toBe('badResponse')
  })

  test('more accounts than a transaction can name are too many, not a crash', async () => {
    const keyOf = (block: number, i: number) => base58.encode(Uint8Array.of(block, ...Array<number>(31).fill(i)))
    const extra = [1, 2, 3, 4, 5].map((block) => ({
      programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
      keys: Array.from({ length: 60 }, (_, i) => ({ pubkey: keyOf(block, i), isSigner: false, isWritable: true })),
      data: '61',
    }))
    expect(await withInstructions(SOL, (own) => [...own, ...extra])).not.toBe('signed')
  })
})

test.each([
  ['TOKENS', 1],
  ['COINS', 0],
  ['SOL', 0],
  ['SPL', 0],
] as const)('a deposit of %s with one bit turned over is not offered', async (name, step) => {
  const { data, instructions } = await dataOf(ORDERS[name], step)
  const own = instructions?.at(-1)?.data ?? data.slice(2)
  const place = instructions ? `instructions.${instructions.length - 1}.data` : 'data'
  const prefix = instructions ? '' : '0x'
  const outcomeOf = (hex: string) => spoiltAt(ORDERS[name], `steps.${step}.items.0.data.${place}`, `${prefix}${hex}`)
  for (const bytes of flips(Buffer.from(own, 'hex')))
    expect(await outcomeOf(Buffer.from(bytes).toString('hex'))).toBe('badResponse')
  expect(await outcomeOf(`${own}${'00'.repeat(32)}`)).toBe('badResponse')
  expect(await outcomeOf(own.toUpperCase())).toBe('signed')
})

/** Nothing proves that an address in bitcoin is the venue's own for an order; that it is somebody else's can be told. */
test.each(CASES.depositAddresses)('a deposit address %s: %s: %s', async (_whose, address, outcome) => {
  const found = await spoiltAt(BITCOIN, 'steps.0.depositAddress', address)
  expect(found).toMatch(outcome === 'signed' ? /^signed$/ : /^badResponse$|deposit\.owner|none of this order alone/)
})

test('a deposit of tokens that stand for the coin, and of no coin with it, is not offered', async () => {
  const { data } = await dataOf(COINS, 0)
  const word = (hex: string) => hex.toLowerCase().padStart(64, '0')
  const tokens = `0xe8017952${data.slice(10, 74)}${word(NATIVE.slice(2))}${word(COINS.inputAmount.toString(16))}${data.slice(74)}`
  const { quote } = await answers(COINS)
  const changed = altered(altered(quote, 'steps.0.items.0.data.data', tokens), 'steps.0.items.0.data.value', '0')
  expect(await outcomeOf(COINS, { quote: changed })).toBe('badResponse')
})
