import type { Chains } from '../chains/chains.ts'
import { ChainError } from '../chains/chains.ts'
import { readAllowance } from '../chains/evm/readAllowance.ts'
import { readSignerCode, type SignerCode } from '../chains/evm/signerCode.ts'
import type { Address } from '../core/address.ts'
import type { Allowance } from '../core/approval.ts'
import { type Asset, isNative, nativeAsset, type Token } from '../core/asset.ts'
import { isEvmChainId } from '../core/chain.ts'
import type { VenueId } from '../core/offer.ts'
import type { Order } from '../core/order.ts'
import { pricedForms } from '../core/peg.ts'
import { untilAborted } from '../net/deadline.ts'
import type { CallContext } from '../observe/callContext.ts'
import type { GuardedVenue } from '../venues/guard.ts'
import type { TimedCalling } from '../venues/guardedCall.ts'
import type { ListedPrice } from '../venues/venue.ts'
import { needsSenderCode } from './canSign.ts'

/** A read that may have failed: the quote continues without it, and the log reports the failure. */
export type Read<T> = { readonly value: T } | { readonly value: null; readonly error: Error }

/** Each token as its chain reports it; null where that is not known. */
export type KnownTokens = { readonly input: Token | null; readonly output: Token | null }

/** Everything a quote reads from chains and price lists. All reads run while the venues compute their offers. */
export type QuoteReads = {
  readonly inputToken: Promise<Read<Token>>
  readonly outputToken: Promise<Read<Token>>
  /** The tokens as far as they have been read by now. */
  tokensSoFar(): KnownTokens
  readonly feePrice: Promise<Read<bigint>>
  /** The code at the sender's address; null where no venue needs it. */
  readonly senderCode: Promise<Read<SignerCode | null>>
  /** By spender: every contract of the asked venues on the input chain. */
  readonly allowances: ReadonlyMap<Address, Promise<Read<Allowance>>>
  /** US dollars for one whole native coin, by the first price list that has it. For display. */
  readonly nativeUsd: Promise<string | null>
  /** The prices of the two tokens by each venue's list. Lists are kept apart, because every venue is its own witness. */
  readonly priceLists: Promise<readonly PriceList[]>
  /** Reads what it takes to compare an asset that a venue locks with the output, when first called. Never rejects. */
  comparable(locked: Asset): Promise<Comparable>
}

/** The prices of a locked asset and of the output by one venue's list; null where the list has no price. */
export type Witness = { readonly venue: VenueId; readonly locked: ListedPrice | null; readonly output: ListedPrice | null }

/** A locked asset, with its price and the output's price by the list of every enabled venue. */
export type Comparable = { readonly token: Read<Token>; readonly witnesses: readonly Witness[] }

/** US dollars for one whole unit by one venue's list; null without a price. `native`: the input chain's coin. */
export type PriceList = {
  readonly venue: VenueId
  readonly input: string | null
  readonly output: string | null
  readonly native: string | null
}

/** How long chain reads and price lists may take. Both signals are obeyed on behalf of those that do not listen. */
export type ReadLimits = {
  readonly signal: AbortSignal
  readonly priceSignal: AbortSignal
  /** A separate limit for reads that start after the race. */
  startLate(): { readonly signal: AbortSignal; clear(): void }
}

const settle = async <T>(signal: AbortSignal, read: () => Promise<T>): Promise<Read<T>> => {
  try {
    return { value: await untilAborted(read(), signal) }
  } catch (error) {
    return { value: null, error: error instanceof Error ? error : new Error(String(error)) }
  }
}

const readPriceLists = (
  venues: readonly GuardedVenue[],
  { input, output }: Order,
  calling: TimedCalling,
): Promise<readonly PriceList[]> =>
  Promise.all(
    venues.flatMap(({ profile, prices }) => {
      if (prices === null) return []
      return [
        Promise.all([input, output, nativeAsset(input.chainId)].map((asset) => prices.usd(asset, calling))).then(
          ([paid, bought, native]) => ({
            ...{ venue: profile.id, input: paid?.usd ?? null, output: bought?.usd ?? null, native: native?.usd ?? null },
          }),
        ),
      ]
    }),
  )

type Feed = NonNullable<GuardedVenue['prices']>

/** The price of an asset or, where the list lacks it, of another form that is worth the same. */
const readPrice = async (prices: Feed, asset: Asset, calling: TimedCalling): Promise<ListedPrice | null> => {
  for (const form of pricedForms(asset)) {
    const price = await prices.usd(form, calling)
    if (price !== null) return price
  }
  return null
}

const readWitnesses = (venues: readonly GuardedVenue[], assets: readonly [Asset, Asset], calling: TimedCalling) =>
  Promise.all(
    venues.flatMap(({ profile, prices }) =>
      prices === null
        ? []
        : [
            Promise.all(assets.map((asset) => readPrice(prices, asset, calling))).then(
              ([locked = null, output = null]): Witness => ({ venue: profile.id, locked, output }),
            ),
          ],
    ),
  )

const firstNative = (lists: readonly PriceList[]): string | null => lists.find(({ native }) => native !== null)?.native ?? null

const spendersOf = (venues: readonly GuardedVenue[], { input }: Order): readonly Address[] => {
  if (!isEvmChainId(input.chainId) || isNative(input)) return []
  const { chainId } = input
  return [...new Set(venues.flatMap(({ profile }) => profile.contracts[chainId] ?? []))]
}

/** Starts every read at once; none of them rejects, and none outlasts its signal. */
export const startQuoteReads = (
  chains: Chains,
  { venues, listing }: { readonly venues: readonly GuardedVenue[]; readonly listing: readonly GuardedVenue[] },
  order: Order,
  { signal, priceSignal, startLate }: ReadLimits,
  context: CallContext,
): QuoteReads => {
  const pricing: TimedCalling = { ...context, signal: priceSignal }
  const allowances = spendersOf(venues, order).map(
    (spender) => [spender, settle(signal, () => readAllowance(chains, order, spender, signal))] as const,
  )
  const known: { -readonly [side in keyof KnownTokens]: Token | null } = { input: null, output: null }
  const tokenOf = async (side: keyof KnownTokens): Promise<Read<Token>> => {
    const read = await settle(signal, () => chains.token(order[side], signal))
    known[side] = read.value
    return read
  }
  const readSender = async (): Promise<SignerCode | null> => {
    const { sender: address, input } = order
    if (!isEvmChainId(input.chainId) || !venues.some((venue) => needsSenderCode(venue, order))) return null
    return readSignerCode(chains, { chainId: input.chainId, address }, priceSignal)
  }
  const priceLists = readPriceLists(venues, order, pricing)
  return {
    inputToken: tokenOf('input'),
    outputToken: tokenOf('output'),
    tokensSoFar: () => known,
    feePrice: settle(signal, () => chains.feePrice(order.input.chainId, signal)),
    senderCode: settle(priceSignal, readSender),
    allowances: new Map(allowances),
    nativeUsd: priceLists.then(firstNative),
    priceLists,
    comparable: async (locked) => {
      const late = startLate()
      const [token, witnesses] = await Promise.all([
        settle(late.signal, () => chains.token(locked, late.signal)),
        readWitnesses(listing, [locked, order.output], { ...context, signal: late.signal }),
      ])
      late.clear()
      return { token, witnesses }
    },
  }
}

/** True when the chain answered and there is no token there: the one failed read that ends a quote. */
export const isNotAToken = (read: Read<unknown>): boolean =>
  read.value === null && 'error' in read && read.error instanceof ChainError && read.error.failure === 'notAToken'
