import type { Address } from '../../core/address.ts'
import { isNative } from '../../core/asset.ts'
import { SOLANA } from '../../core/chain.ts'
import { parseTransactionId, type TransactionId } from '../../core/transactionId.ts'
import { isRefusal } from '../endpoints/endpoints.ts'
import type { JsonRpc } from '../endpoints/jsonRpc.ts'
import type { Found, OneChain, SearchQuery, Sent, SentQuery } from '../oneChain.ts'
import { readSeenSolanaTransaction } from './seenSolanaTransaction.ts'
import { askSolana, askSolanaNode, solanaAnswer } from './solanaAnswers.ts'
import { associatedTokenAddress, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './solanaCodec.ts'

export type SolanaEvidenceParts = { readonly rpc: JsonRpc; finalizedSlot(signal: AbortSignal): Promise<number> }

/** The most that one call lists: https://solana.com/docs/rpc/http/getsignaturesforaddress */
const SIGNATURES_MAX = 1_000

/** https://docs.anza.xyz/runtime/sysvars#clock: the time that programs use follows four numbers of eight bytes. */
const CLOCK = { address: 'SysvarC1ock11111111111111111111111111111111', unixTimeAt: 32 } as const

export const readFinalizedSlot = async (rpc: JsonRpc, signal: AbortSignal): Promise<number> =>
  solanaAnswer('getSlot').whole(await askSolana(rpc, 'getSlot', [{ commitment: 'finalized' }], signal))

/** The first slot that an answer may reflect: a node that has not reached it refuses. */
type Since = { readonly minContextSlot: number }

/** The associated accounts of a wallet for a mint, and what other accounts of that mint it has now. */
const tokenAccountsOf = async (
  rpc: JsonRpc,
  { asset, recipient }: SearchQuery,
  signal: AbortSignal,
  since?: Since,
): Promise<readonly Address[]> => {
  const method = 'getTokenAccountsByOwner'
  const answer = solanaAnswer(method)
  const params = [recipient, { mint: asset.address }, { encoding: 'base64', commitment: 'confirmed', ...since }]
  const { context, value } = answer.fields(await askSolana(rpc, method, params, signal))
  // Some that are behind answer all the same.
  if (since && answer.whole(answer.fields(context)['slot']) < since.minContextSlot) throw answer.malformed()
  const held = answer.list(value).map((entry) => answer.address(answer.fields(entry)['pubkey']))
  const associated = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((program) =>
    associatedTokenAddress(recipient, asset.address, program),
  )
  return [...new Set([...associated, ...held])]
}

type Named = { readonly hash: TransactionId; readonly slot: number; readonly at: number | null; readonly isSuccess: boolean }

/** Latest first. */
const readNamed = async (
  rpc: JsonRpc,
  account: Address,
  how: { readonly limit: number; readonly before?: TransactionId } & Partial<Since>,
  signal: AbortSignal,
): Promise<readonly Named[]> => {
  const method = 'getSignaturesForAddress'
  const answer = solanaAnswer(method)
  const found = await askSolana(rpc, method, [account, { ...how, commitment: 'confirmed' }], signal)
  return answer.list(found).map((entry) => {
    const { signature, slot, err, blockTime } = answer.fields(entry)
    const hash = typeof signature === 'string' ? parseTransactionId(SOLANA, signature) : null
    if (hash === null || err === undefined) throw answer.malformed()
    const at = blockTime === null || blockTime === undefined ? null : answer.whole(blockTime) * 1_000
    return { hash, slot: answer.whole(slot), at, isSuccess: err === null }
  })
}

/** Whether the node keeps the transactions since then. Most keep those of a few days; one that does not say may keep none. */
const keepsSince = async (rpc: JsonRpc, since: number, signal: AbortSignal): Promise<boolean> => {
  try {
    const first = solanaAnswer('getFirstAvailableBlock').whole(await askSolana(rpc, 'getFirstAvailableBlock', [], signal))
    const time = await askSolana(rpc, 'getBlockTime', [first], signal)
    return typeof time === 'number' && time * 1_000 <= since
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

/** How many slots behind the endpoint that returned the time another endpoint may be in a search: those of 60 s. */
const LAG_SLOTS = 150

/** The read of the time also checks its endpoint: one that lags is read after the others from then on. */
const search = async (rpc: JsonRpc, query: SearchQuery, signal: AbortSignal): Promise<Found> => {
  const since = { minContextSlot: Math.max(0, (await readClock(rpc, signal)).minContextSlot - LAG_SLOTS) }
  const tokenAccounts = await tokenAccountsOf(rpc, query, signal, since)
  // A mention of the wallet shows nothing about its tokens, and any account can mention it at will.
  const accounts = isNative(query.asset) ? [query.recipient, ...tokenAccounts] : tokenAccounts
  const lists = await Promise.all(accounts.map((account) => readNamed(rpc, account, { limit: SIGNATURES_MAX, ...since }, signal)))
  const isSince = ({ at }: Named) => at === null || at >= query.since
  const wanted = lists.flat().filter((named) => named.isSuccess && isSince(named))
  const latestFirst = [...new Map(wanted.toSorted((a, b) => b.slot - a.slot).map((named) => [named.hash, named])).keys()]
  const isCut = lists.some((list) => list.length >= SIGNATURES_MAX && list.every(isSince))
  const isWhole = !isCut && latestFirst.length <= SIGNATURES_MAX && (await keepsSince(rpc, query.since, signal))
  return { hashes: latestFirst.slice(0, SIGNATURES_MAX).toReversed(), isWhole }
}

/** Pages of signatures that are read back for a wallet in one search. */
const PAGES_MAX = 5
/** A slot this far below the newest that was read is final: a later search begins behind it. */
const SETTLED_SLOTS = 64

/** All transactions that name the wallet: it signs its payments, whichever account pays the fee. See ChainEvidence.sentBy. */
const searchSent = async (
  { rpc, finalizedSlot }: SolanaEvidenceParts,
  { sender, since, after }: SentQuery,
  signal: AbortSignal,
): Promise<Sent> => {
  const [{ at: now }, slot] = [await readClock(rpc, signal), await finalizedSlot(signal)]
  const isWanted = ({ at, slot: own }: Named) => (after === null || own > after) && (at === null || at >= since)
  const latestFirst: Named[] = []
  let isWhole = false
  for (let page = 0; page < PAGES_MAX && !isWhole; page += 1) {
    const before = latestFirst.at(-1)?.hash
    const read = await readNamed(rpc, sender, { limit: SIGNATURES_MAX, ...(before && { before }) }, signal)
    latestFirst.push(...read.filter(isWanted))
    isWhole = read.length < SIGNATURES_MAX || !read.every(isWanted)
  }
  const paid = latestFirst.filter(({ isSuccess }) => isSuccess).toReversed()
  const transactions = paid.map(({ hash, slot: height }) => ({ hash, height }))
  // Of more than were read the oldest are missing: those are never come to.
  return { transactions, reached: Math.max(after ?? 0, slot - SETTLED_SLOTS), at: isWhole ? now : null }
}

/** The time that programs use, and the slot of that time. */
export const readClock = async (rpc: JsonRpc, signal: AbortSignal): Promise<Since & { readonly at: number }> => {
  const method = 'getAccountInfo'
  const answer = solanaAnswer(method)
  const params = [CLOCK.address, { encoding: 'base64', commitment: 'confirmed' }]
  const { result, sawHead } = await askSolanaNode(rpc, method, params, signal, { isHead: true })
  const { context, value } = answer.fields(result)
  const [text, encoding] = answer.list(answer.fields(value)['data'])
  const data = typeof text === 'string' && encoding === 'base64' ? Buffer.from(text, 'base64') : Buffer.alloc(0)
  if (data.length < CLOCK.unixTimeAt + 8) throw answer.malformed()
  const at = answer.whole(Number(data.readBigInt64LE(CLOCK.unixTimeAt))) * 1_000
  sawHead(at)
  return { at, minContextSlot: answer.whole(answer.fields(context)['slot']) }
}

const readUntouchedUntil = async (rpc: JsonRpc, query: SearchQuery, signal: AbortSignal) => {
  const { at, minContextSlot } = await readClock(rpc, signal)
  const accounts = [query.recipient, ...(await tokenAccountsOf(rpc, query, signal, { minContextSlot }))]
  const lists = await Promise.all(accounts.map((account) => readNamed(rpc, account, { limit: 1, minContextSlot }, signal)))
  if (lists.some((list) => list.length > 0)) return null
  return (await keepsSince(rpc, query.since, signal)) ? at : 'cannotTell'
}

/** Evidence of Solana. */
export const createSolanaEvidence = (parts: SolanaEvidenceParts): OneChain => {
  const { rpc } = parts
  return {
    transaction: (hash, signal) => readSeenSolanaTransaction(parts, hash, signal),
    search: (query, signal) => search(rpc, query, signal),
    sentBy: (query, signal) => searchSent(parts, query, signal),
    untouchedUntil: (query, signal) => readUntouchedUntil(rpc, query, signal),
    confirmedTime: async (signal) => (await readClock(rpc, signal)).at,
  }
}
