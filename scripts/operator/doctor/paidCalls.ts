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

const LESS = 'Stop taking payments, keep a copy of the records, and look at these transactions: the books claim what nobody paid.'
const OTHERS = 'Where X402_PAY_TO_ is for paid calls alone, look at them: nobody booked these.'

/** A smaller sum on chain than booked is a failure. Unreadable transactions and a larger sum are warnings. */
export const judgePaidCalls = (one: Comparison): Finding => {
  const { network, asset, payTo, calls, booked, read, unreadable, short, strangers } = one
  const check = `paid calls ${network}`
  const sums = `${calls} are booked with ${booked} of ${asset}; of ${read.calls} that were read with ${read.booked} the chain shows ${read.shown} at ${payTo}`
  if (short.length > 0)
    return fail(check, `${sums}. ${short.length} show less than they are booked with: ${short.slice(0, 3).join(', ')}.`, LESS)
  if (unreadable > 0)
    return warn(check, `${sums}. ${unreadable} transactions could not be read.`, 'Look at the chain’s endpoints.')
  if (read.shown > read.booked || strangers > 0)
    return warn(check, `${sums}. ${strangers} transactions paid it beside those that are booked.`, OTHERS)
  return ok(check, `${sums}.`)
}

/** The maximum number of transactions per address, newest first: each read is a call of a node. */
const READ_MOST = 1_000
const TOGETHER = 8
const READ_MS = 5_000
const SEARCH_MS = 15_000

type Place = {
  readonly chainId: ChainId
  readonly asset: Asset
  readonly payTo: Address
  readonly first: AccessPayment
  calls: number
  booked: bigint
  since: number
  /** The booked calls and sums of the newest transactions. */
  readonly transactions: Map<string, { calls: number; booked: bigint }>
}

const placeOf = (first: AccessPayment): Place => {
  const chainId = chainOfNetwork(first.network)
  const asset = parseAsset(chainId, first.asset)
  const payTo = parseAddress(ecosystemOf(chainId), first.payTo)
  if (asset === null || payTo === null) throw new Error(`entry ${first.id} was paid in nothing or to nobody`)
  return { chainId, asset, payTo, first, calls: 0, booked: 0n, since: first.bookedAt, transactions: new Map() }
}

const gather = async (store: Store): Promise<readonly Place[]> => {
  const places = new Map<string, Place>()
  for await (const one of readPayments({ store }, {})) {
    const key = JSON.stringify([one.network, one.asset, one.payTo])
    const place = places.get(key) ?? placeOf(one)
    places.set(key, place)
    place.calls += 1
    place.booked += one.amount
    place.since = Math.min(place.since, one.bookedAt)
    const known = place.transactions.get(one.transaction)
    if (known === undefined && place.transactions.size >= READ_MOST) continue
    place.transactions.set(one.transaction, {
      calls: (known?.calls ?? 0) + 1,
      booked: (known?.booked ?? 0n) + one.amount,
    })
  }
  return [...places.values()]
}

/** The amount that a transaction paid to the address; null if it cannot be read. */
const shownBy = async (evidence: ChainEvidence, { chainId, asset, payTo }: Place, text: string): Promise<bigint | null> => {
  const hash = parseTransactionId(chainId, text)
  if (hash === null) return 0n
  try {
    const seen = await evidence.transaction({ chainId, hash }, AbortSignal.timeout(READ_MS))
    if (seen === null || !seen.isSuccess) return 0n
    return paymentsTo(seen, { asset, recipient: payTo }).reduce((sum, { amount }) => sum + amount, 0n)
  } catch (error) {
    if (error instanceof ChainError) return null
    throw error
  }
}

/** The number of payments to the address that are not booked; 0 if the chain or the records cannot show it. */
const strangersAt = async (evidence: ChainEvidence, { asset, payTo, since, transactions, calls }: Place): Promise<number> => {
  const isAllRead = [...transactions.values()].reduce((sum, one) => sum + one.calls, 0) === calls
  if (!isAllRead) return 0
  try {
    const found = await evidence.search({ asset, recipient: payTo, since }, AbortSignal.timeout(SEARCH_MS))
    return found.hashes.filter((hash) => !transactions.has(hash)).length
  } catch (error) {
    if (error instanceof ChainError) return 0
    throw error
  }
}

const compare = async (evidence: ChainEvidence, place: Place): Promise<Comparison> => {
  const read = { calls: 0, booked: 0n, shown: 0n }
  const short: string[] = []
  let unreadable = 0
  const waiting = [...place.transactions]
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [transaction, { calls, booked }] = next
      const shown = await shownBy(evidence, place, transaction)
      if (shown === null) {
        unreadable += 1
        continue
      }
      read.calls += calls
      read.booked += booked
      read.shown += shown
      if (shown < booked) short.push(transaction)
    }
  }
  await Promise.all(Array.from({ length: TOGETHER }, work))
  const { network, asset, payTo } = place.first
  const strangers = await strangersAt(evidence, place)
  return { network, asset, payTo, calls: place.calls, booked: place.booked, read, unreadable, short, strangers }
}

/** Compares the booked amounts of paid calls with the payments on chain to the same addresses. */
export const lookAtPaidCalls = async (config: Config, store: Store, clock: Clock): Promise<readonly Finding[]> => {
  const places = await gather(store)
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
