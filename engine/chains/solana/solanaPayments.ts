import { parseSolanaAddress } from '../../core/address.ts'
import { parseAmount } from '../../core/amount.ts'
import { NATIVE_SOL } from '../../core/asset.ts'
import { SOLANA } from '../../core/chain.ts'
import { ChainError } from '../chains.ts'
import type { JsonRpc } from '../endpoints/jsonRpc.ts'
import type { PaymentQuery, Payments } from '../payments.ts'

type TokenBalance = { readonly owner?: unknown; readonly mint?: unknown; readonly uiTokenAmount?: { readonly amount?: unknown } }
type Meta = {
  readonly err?: unknown
  readonly fee?: unknown
  readonly preBalances?: unknown
  readonly postBalances?: unknown
  readonly preTokenBalances?: unknown
  readonly postTokenBalances?: unknown
}
type Transaction = {
  readonly blockTime?: unknown
  readonly meta?: Meta | null
  readonly transaction?: { readonly message?: { readonly accountKeys?: unknown } }
}

const malformed = (): ChainError =>
  new ChainError('unreachable', SOLANA, 'Solana: getTransaction was answered with something else')

const lamports = (balances: unknown, index: number): bigint => {
  const value = Array.isArray(balances) ? (balances as readonly unknown[])[index] : undefined
  if (!Number.isSafeInteger(value)) throw malformed()
  return BigInt(value as number)
}

const keyOf = (entry: unknown): unknown =>
  typeof entry === 'object' && entry !== null && 'pubkey' in entry ? entry.pubkey : entry

/** What the wallet itself gained in lamports, its network fee left out. */
const coinsTo = ({ meta, transaction }: Transaction, { recipient }: PaymentQuery): bigint => {
  const keys = transaction?.message?.accountKeys
  const index = Array.isArray(keys) ? (keys as readonly unknown[]).findIndex((entry) => keyOf(entry) === recipient) : -1
  if (index < 0) return 0n
  const fee = index === 0 && Number.isSafeInteger(meta?.fee) ? BigInt(meta?.fee as number) : 0n
  return lamports(meta?.postBalances, index) - lamports(meta?.preBalances, index) + fee
}

const heldBy = (balances: unknown, recipient: string): ReadonlyMap<unknown, bigint> => {
  const held = new Map<unknown, bigint>()
  for (const { owner, mint, uiTokenAmount } of (Array.isArray(balances) ? balances : []) as readonly TokenBalance[]) {
    if (owner !== recipient) continue
    const amount = parseAmount(uiTokenAmount?.amount)
    if (amount === null) throw malformed()
    held.set(mint, (held.get(mint) ?? 0n) + amount)
  }
  return held
}

/** By mint, what the token accounts of a wallet hold more than before; less, where it is negative. */
const gains = ({ preTokenBalances, postTokenBalances }: Meta, recipient: string): Map<unknown, bigint> => {
  const before = heldBy(preTokenBalances, recipient)
  const after = heldBy(postTokenBalances, recipient)
  const mints = new Set([...before.keys(), ...after.keys()])
  return new Map([...mints].map((mint) => [mint, (after.get(mint) ?? 0n) - (before.get(mint) ?? 0n)]))
}

/** What a Solana transaction paid to a wallet, in lamports or in token accounts it owns: https://solana.com/docs/rpc/http/gettransaction. */
export const readSolanaPayments = async (rpc: JsonRpc, query: PaymentQuery, signal: AbortSignal): Promise<Payments | null> => {
  const options = { encoding: 'jsonParsed', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
  const found = (await rpc.call('getTransaction', [query.txHash, options], signal)) as Transaction | null
  if (found === null) return null
  if (!found.meta) throw malformed()
  if (found.meta.err !== null) return { amount: 0n, paidIn: [], paidAt: null }
  const gained = gains(found.meta, query.recipient)
  // The wrapped-SOL mint stands for SOL itself, which may arrive either way. Wrapping what one has is no payment.
  gained.set(NATIVE_SOL, (gained.get(NATIVE_SOL) ?? 0n) + coinsTo(found, query))
  const amount = gained.get(query.asset.address) ?? 0n
  return {
    amount: amount > 0n ? amount : 0n,
    paidIn: [...gained].flatMap(([mint, gain]) => (gain > 0n ? (parseSolanaAddress(String(mint)) ?? []) : [])),
    paidAt: typeof found.blockTime === 'number' ? found.blockTime * 1_000 : null,
  }
}
