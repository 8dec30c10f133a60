import { type ChainEvidence, createChainEvidence } from '../../../engine/chains/chainEvidence.ts'
import { ChainError } from '../../../engine/chains/chains.ts'
import { createEndpointHealth } from '../../../engine/chains/endpoints/endpointHealth.ts'
import { paymentsTo } from '../../../engine/chains/seen.ts'
import type { Config } from '../../../engine/config/config.ts'
import { type Address, parseAddress } from '../../../engine/core/address.ts'
import { type Asset, parseAsset } from '../../../engine/core/asset.ts'
import { type ChainId, ecosystemOf } from '../../../engine/core/chain.ts'
import type { Clock } from '../../../engine/core/clock.ts'
import { parseTransactionId } from '../../../engine/core/transactionId.ts'
import { type AccessPayment, chainOfNetwork } from '../../../engine/ledger/accessEntry.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import type { Store } from '../../../engine/store/store.ts'
import { mapAtOnce } from '../../mapAtOnce.ts'
import { readPayments } from '../commands/payments.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** The amounts booked at one address, and those that the chain shows. */
export type Comparison = {
  readonly network: string
  readonly asset: string
  readonly payTo: string
  /** All calls ever booked at the address, and their sum. */
  readonly calls: number
  readonly booked: bigint
  /** The newest calls, which were read: their number, the booked sum and the sum on chain. */
  readonly read: { readonly calls: number; readonly booked: bigint; readonly shown: bigint }
  /** Transactions that could not be read. */
  readonly unreadable: number
  /** Transactions that show less than they are booked with. */
  readonly short: readonly string[]
  /** The number of listed transactions that paid the address since the first entry, and are in no entry. */
  readonly strangers: number
}

const LESS = 'Stop taking payments, copy the records, and examine these transactions: the ledger has more than was paid.'
const MORE = 'Where X402_PAY_TO_ is for paid calls alone, examine them: no entry has these payments.'

/** A smaller sum on chain than booked is a failure. Unreadable transactions and a larger sum are warnings. */
export const judgePaidCalls = (one: Comparison): Finding => {
  const { network, asset, payTo, calls, booked, read, unreadable, short, strangers } = one
  const check = `paid calls ${network}`
  const sums = `${calls} are booked with ${booked} of ${asset}; of ${read.calls} that were read with ${read.booked} the chain shows ${read.shown} at ${payTo}`
  if (short.length > 0)
    return fail(check, `${sums}. ${short.length} show less than they are booked with: ${short.slice(0, 3).join(', ')}.`, LESS)
  if (unreadable > 0)
    return warn(check, `${sums}. ${unreadable} transactions could not be read.`, 'Check the endpoints of the chain.')
  if (read.shown > read.booked || strangers > 0)
    return warn(check, `${sums}. ${strangers} transactions paid it beside those that are booked.`, MORE)
  return ok(check, `${sums}.`)
}

/** The maximum number of transactions per address, newest first: each read is a call of a node. */
const TRANSACTIONS_MAX = 1_000
const AT_ONCE = 8
const READ_MS = 5_000
const SEARCH_MS = 15_000

type Place = {
  readonly chainId: ChainId
  readonly asset: Asset
  readonly recipient: Address
  readonly first: AccessPayment
  calls: number
  booked: bigint
  since: number
  /** The booked calls and sums of the newest transactions. */
  readonly transactions: Map<string, { calls: number; booked: bigint }>
}

const placeOf = (first: AccessPayment): Place => {
  const chainId = chainOfNetwork(first.network)
  const [asset, recipient] = [parseAsset(chainId, first.asset), parseAddress(ecosystemOf(chainId), first.payTo)]
  if (asset === null || recipient === null) throw new Error(`entry ${first.id} has an invalid asset or recipient`)
  return { chainId, asset, recipient, first, calls: 0, booked: 0n, since: first.bookedAt, transactions: new Map() }
}

/** The sums by address. Reads the payments one by one: there may be more than fit into memory. */
const readPlaces = async (store: Store): Promise<readonly Place[]> => {
  const places = new Map<string, Place>()
  for await (const payment of readPayments({ store }, {})) {
    const key = JSON.stringify([payment.network, payment.asset, payment.payTo])
    const place = places.get(key) ?? placeOf(payment)
    places.set(key, place)
    place.calls += 1
    place.booked += payment.amount
    place.since = Math.min(place.since, payment.bookedAt)
    const known = place.transactions.get(payment.transaction)
    if (known === undefined && place.transactions.size >= TRANSACTIONS_MAX) continue
    const { calls, booked } = known ?? { calls: 0, booked: 0n }
    place.transactions.set(payment.transaction, { calls: calls + 1, booked: booked + payment.amount })
  }
  return [...places.values()]
}

/** The result of a chain read; `fallback` if the chain cannot be read. */
const readOr = async <T, const F>(work: Promise<T>, fallback: F): Promise<T | F> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof ChainError) return fallback
    throw error
  }
}

/** The amount that a transaction paid to the address; null if it cannot be read. */
const shownBy = async (evidence: ChainEvidence, { chainId, asset, recipient }: Place, text: string): Promise<bigint | null> => {
  const hash = parseTransactionId(chainId, text)
  if (hash === null) return 0n
  const seen = await readOr(evidence.transaction({ chainId, hash }, AbortSignal.timeout(READ_MS)), 'unreadable')
  if (seen === 'unreadable') return null
  if (seen === null || !seen.isSuccess) return 0n
  return paymentsTo(seen, { asset, recipient }).reduce((sum, { amount }) => sum + amount, 0n)
}

/** The number of payments to the address that are not booked; 0 if the chain or the records cannot show it. */
const strangersAt = async (evidence: ChainEvidence, { asset, recipient, since, transactions, calls }: Place): Promise<number> => {
  const isAllRead = [...transactions.values()].reduce((sum, one) => sum + one.calls, 0) === calls
  if (!isAllRead) return 0
  const found = await readOr(evidence.search({ asset, recipient, since }, AbortSignal.timeout(SEARCH_MS)), { hashes: [] })
  return found.hashes.filter((hash) => !transactions.has(hash)).length
}

const compare = async (evidence: ChainEvidence, place: Place): Promise<Comparison> => {
  const results = await mapAtOnce(AT_ONCE, place.transactions, async ([transaction, own]) => {
    return { transaction, ...own, shown: await shownBy(evidence, place, transaction) }
  })
  const read = { calls: 0, booked: 0n, shown: 0n }
  const short: string[] = []
  let unreadable = 0
  for (const { transaction, calls, booked, shown } of results) {
    if (shown === null) {
      unreadable += 1
      continue
    }
    read.calls += calls
    read.booked += booked
    read.shown += shown
    if (shown < booked) short.push(transaction)
  }
  const { network, asset, payTo } = place.first
  const strangers = await strangersAt(evidence, place)
  return { network, asset, payTo, calls: place.calls, booked: place.booked, read, unreadable, short, strangers }
}

/** Compares the booked amounts of paid calls with the payments on chain to the same addresses. */
export const checkPaidCalls = async (config: Config, store: Store, clock: Clock): Promise<readonly Finding[]> => {
  const places = await readPlaces(store)
  if (places.length === 0) return [ok('paid calls', 'No call was paid.')]
  const { rpcUrls, confirmations, userAgent } = config
  const http = createHttpClient({ userAgent })
  try {
    const evidence = createChainEvidence({ rpcUrls, confirmations, http, health: createEndpointHealth({ clock }), clock })
    const findings: Finding[] = []
    for (const place of places) findings.push(judgePaidCalls(await compare(evidence, place)))
    return findings
  } finally {
    await http.close()
  }
}
