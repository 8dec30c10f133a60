import { privateKeyToAccount } from 'viem/accounts'
import type { Token } from '../../../engine/core/asset.ts'
import type { Binding, Execution, Hex, TypedData } from '../../../engine/core/execution.ts'
import type { Offer } from '../../../engine/core/offer.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import type { SwapStatus } from '../../../engine/core/swapStatus.ts'
import { judgePayload } from '../../../engine/execution/payloadProof.ts'
import { sealBridged } from '../../../engine/quoting/bridgedLeast.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import type { SignedPayload, Venue } from '../../../engine/venues/venue.ts'
import { VenueError } from '../../../engine/venues/venueError.ts'
import { START_OF_TIME } from '../venueBench.ts'

/** The verbs of a venue as the engine calls them, and what a test reads of their outcome. */

export const never = (): AbortSignal => new AbortController().signal

/** A swap that was built. It is what a tracker is given, too. */
export type Swap = ExecutedSwap & { readonly executed: ExecutedSwap }

/** The reads of a quote where two price lists agree on what is locked and on the output, US dollars for one. */
export const pricesAt = (locked: { readonly usd: string; readonly decimals: number }, output: typeof locked) => {
  const token = ({ decimals }: typeof locked) => ({ value: { decimals } as Token })
  const priceOf = ({ usd }: typeof locked) => ({ usd, readAt: START_OF_TIME })
  const witnesses = ['one', 'two'].map((venue) => ({ venue, locked: priceOf(locked), output: priceOf(output) }))
  return { outputToken: Promise.resolve(token(output)), comparable: async () => ({ token: token(locked), witnesses }) }
}

/** No price list: only assets of a peg class, or dollars, can be compared. */
const UNREAD = { value: null, error: new Error('not read') } as const
const NO_PRICES = { outputToken: Promise.resolve(UNREAD), comparable: async () => ({ token: UNREAD, witnesses: [] }) }

/** The venue's offer as the engine seals it, without prices unless `reads` has some. Throws why the engine does not take it. */
export const offerOf = async (
  venue: Venue,
  order: VenueOrder,
  reads: Parameters<typeof sealBridged>[3]['reads'] = NO_PRICES,
): Promise<Offer> =>
  sealBridged(order, await venue.quote(order, never()), venue.profile, { reads, clock: { now: () => START_OF_TIME } })

/** Quotes and builds, with the addresses of the order unless others are bound. */
export const swapOf = async (
  venue: Venue,
  order: VenueOrder,
  bound: Partial<Binding> = {},
  reads: Parameters<typeof offerOf>[2] = NO_PRICES,
): Promise<Swap> => {
  const offer = await offerOf(venue, order, reads)
  const binding = { recipient: order.recipient, refundTo: order.refundTo, ...bound }
  const executed = { order, offer, binding, execution: await venue.execute({ order, offer }, binding, never()) }
  return { ...executed, executed }
}

let proofs = 0
/** How many payloads were decoded and held against the sealed quote so far. */
export const proofCount = (): number => proofs

/** The names of all that differs from the sealed quote; an empty list is the proof. */
export const provePayload = async (...args: Parameters<typeof judgePayload>): Promise<readonly string[]> => {
  proofs += 1
  return (await judgePayload(...args)).mismatches
}

/** What the payload proof objects to. */
export const prove = (
  venue: Venue,
  { order, offer, binding, execution }: ExecutedSwap,
  built: Execution = execution,
  now = START_OF_TIME,
): Promise<readonly string[]> => provePayload(venue, built, { sealed: { order, offer }, binding, now })

/** As the engine takes it: an offer that keeps the rules for all offers, built, and proved. Throws what is refused. */
export const takenThrough = async (
  venue: Venue,
  order: VenueOrder,
  now = START_OF_TIME,
  reads: Parameters<typeof offerOf>[2] = NO_PRICES,
): Promise<Swap> => {
  const swap = await swapOf(venue, order, {}, reads)
  checkOffer({ offer: swap.offer, order, asked: order, profile: venue.profile, now })
  const objections = await prove(venue, swap, swap.execution, now)
  if (objections.length > 0) throw new Error(objections.join('; '))
  return swap
}

/** `without`: our record of the swap is lost. */
export const track = async (venue: Venue, ref: string, swap: Swap, record: 'with' | 'without' = 'with'): Promise<SwapStatus> => {
  if (!venue.tracker) throw new TypeError('a venue without a tracker')
  return venue.tracker.track(ref, record === 'with' ? swap : { ...swap, executed: null }, never())
}

/** The VenueError a call ends in; anything else, or no error at all, fails the test. */
export const refusalOf = async (call: Promise<unknown> | undefined): Promise<VenueError> => {
  const outcome: unknown = await Promise.resolve(call).then(
    (value) => new Error(`no error: ${JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? v.toString() : v))}`),
    (error: unknown) => error,
  )
  if (outcome instanceof VenueError) return outcome
  throw outcome
}

/** `signed`: what the wallet would be given. Else the kind of refusal, or what the proof objects to. */
export const outcomeOf = async (venue: Venue, order: VenueOrder): Promise<string> => {
  try {
    const swap = await swapOf(venue, order)
    const objections = await prove(venue, swap)
    return objections.length === 0 ? 'signed' : `not proved: ${objections.join('; ')}`
  } catch (error) {
    if (!(error instanceof VenueError)) throw error
    return error.kind
  }
}

/** What a claim says, whether it is proved or only told. */
export const said = (claim: unknown): unknown =>
  typeof claim === 'object' && claim !== null && 'told' in claim ? claim.told : claim

export const transactionOf = ({ payload }: Execution) => {
  if (payload.executionType !== 'TRANSACTION') throw new TypeError('not a transaction')
  return payload.transaction
}

export const depositOf = ({ payload }: Execution) => {
  if (payload.executionType !== 'DEPOSIT') throw new TypeError('not a deposit')
  return payload.deposit
}

export const typedDataOf = ({ payload }: Execution): TypedData => {
  if (payload.executionType !== 'SIGNATURE') throw new TypeError('nothing to sign')
  return payload.typedData
}

/** The public development key behind WALLETS.evm. */
export const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

export const sign = (typedData: TypedData): Promise<Hex> => account.signTypedData(typedData as never)

export const signed = async (execution: Execution): Promise<SignedPayload> => {
  const { payload } = execution
  const approval = payload.executionType === 'SIGNATURE' ? payload.approvalData : null
  const approvalSignature = approval && (await sign(approval))
  return { signature: await sign(typedDataOf(execution)), approvalSignature, scheme: 'ecdsa' }
}

/**
 * A copy with the value at a dotted path replaced, by what a function makes of it where one is given; `undefined` removes it,
 * or empties its place in a list. `*` stands for every element of a list, `[name=text]` for those with this field.
 */
export const altered = <T>(value: T, path: string, replacement: unknown): T => {
  const [head = '', ...rest] = path.match(/\[[^\]]*\]|[^.]+/g) ?? []
  const [, name, text] = /^\[(.*?)=(.*)\]$/.exec(head) ?? []
  const ofOld = (old: unknown) => (typeof replacement === 'function' ? replacement(old) : replacement)
  const next = (old: unknown) => (rest.length === 0 ? ofOld(old) : altered(old, rest.join('.'), replacement))
  if (head === '*' && Array.isArray(value)) return value.map(next) as T
  if (name !== undefined && Array.isArray(value)) {
    if (!value.some((each) => each[name] === text)) throw new TypeError(`no ${head}`)
    return value.map((each) => (each[name] === text ? next(each) : each)) as T
  }
  if (head === '') return replacement as T
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  copy[head] = next(copy[head])
  if (copy[head] === undefined && !Array.isArray(value)) delete copy[head]
  return copy as T
}

/** Several changes, one after the other. */
export const alteredBy = <T>(value: T, changes: readonly (readonly [path: string, replacement: unknown])[]): T =>
  changes.reduce((changed, [path, replacement]) => altered(changed, path, replacement), value)

/** Changes of a table of cases, by their paths; `<absent>` removes a value. */
export type Change = { readonly [path: string]: unknown }
export const changed = <T>(value: T, change: Change): T =>
  alteredBy(
    value,
    Object.entries(change).map(([path, to]) => [path, to === '<absent>' ? undefined : to]),
  )
