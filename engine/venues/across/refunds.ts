import { base58 } from '@scure/base'
import { readEvent } from '../../chains/evm/readEvent.ts'
import type { Movement, SeenLog, SeenTransaction } from '../../chains/seen.ts'
import type { Address } from '../../core/address.ts'
import { SOLANA } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import type { PayoutEvent } from '../venue.ts'
import { CLAIMED_REFUND, EXECUTED_REFUND_ROOT } from './abi.ts'
import { addressOfWord } from './delivery.ts'
import type { OwnDeposit } from './ownDeposit.ts'
import { acrossChain } from './published.ts'
import { callsOf, viewOf } from './solanaEvents.ts'

/** What a contract of Across says it gave back: whose it was, where it went and how much of which token. */
type Refund = { readonly of: Address; readonly to: Address; readonly token: Address; readonly amount: bigint }

/** Refunds with the money that moved while they were made. */
type Told = { readonly refunds: readonly Refund[]; readonly moved: readonly Movement[] }

/** Null for any other event. Of a root whose refunds were put off in part, those are claimed later by whom they are owed. */
const refundsOf = async (log: SeenLog, chainId: SeenTransaction['chainId']): Promise<readonly Refund[] | null> => {
  const root = await readEvent(EXECUTED_REFUND_ROOT, log)
  if (root !== null) {
    const [token, amounts] = [root['l2TokenAddress'] as Address, root['refundAmounts'] as readonly bigint[]]
    return (root['refundAddresses'] as readonly Address[]).map((to, i) => ({ of: to, to, token, amount: amounts[i] ?? 0n }))
  }
  const claimed = await readEvent(CLAIMED_REFUND, log)
  if (claimed === null) return null
  const [token, to] = ['l2TokenAddress', 'refundAddress'].map((field) => addressOfWord(chainId, claimed[field] as Hex))
  return token && to ? [{ of: claimed['caller'] as Address, to, token, amount: claimed['amount'] as bigint }] : []
}

/** A pool pays before it tells. */
const toldOnEvm = async ({ chainId, logs, movements }: SeenTransaction): Promise<readonly Told[]> => {
  const spokePool = acrossChain(chainId)?.spokePool
  const byPool = new Map(movements.filter(({ from }) => from === spokePool).map((moved) => [moved.place, moved]))
  const told: Told[] = []
  let before: Movement[] = []
  for (const log of logs) {
    const moved = byPool.get(`log:${log.index}`)
    if (moved) before.push(moved)
    const refunds = log.address === spokePool?.toLowerCase() ? await refundsOf(log, chainId) : null
    if (refunds === null) continue
    told.push({ refunds, moved: before })
    before = []
  }
  return told
}

/** ExecutedRelayerRefundRoot and ClaimedRelayerRefund of the program: their discriminators. */
const ROOT = 'c6a7f8af220304f0'
const CLAIMED = 'a1869b9fd3259629'
const KEY_BYTES = 32
const CLAIMED_BYTES = KEY_BYTES + 8 + KEY_BYTES

const keyAt = (event: Uint8Array, at: number): Address => base58.encode(event.slice(at, at + KEY_BYTES)) as Address

/** Behind two numbers of eight bytes: the amounts, two numbers of four bytes, the token and the addresses, a mark and a key. */
const refundsOfRoot = (event: Uint8Array): readonly Refund[] => {
  const view = viewOf(event)
  const countAt = (at: number): number => (event.length >= at + 4 ? view.getUint32(at, true) : -1)
  const count = countAt(16)
  const tokenAt = 20 + 8 * count + 8
  const addressesAt = tokenAt + KEY_BYTES + 4
  const isWhole = event.length === addressesAt + KEY_BYTES * count + 1 + KEY_BYTES
  if (count < 0 || !isWhole || countAt(tokenAt + KEY_BYTES) !== count) return []
  const token = keyAt(event, tokenAt)
  return Array.from({ length: count }, (_none, i) => {
    const to = keyAt(event, addressesAt + KEY_BYTES * i)
    return { of: to, to, token, amount: view.getBigUint64(20 + 8 * i, true) }
  })
}

const refundClaimed = (event: Uint8Array): readonly Refund[] => {
  if (event.length !== CLAIMED_BYTES) return []
  const to = keyAt(event, KEY_BYTES + 8)
  return [{ of: to, to, token: keyAt(event, 0), amount: viewOf(event).getBigUint64(KEY_BYTES, true) }]
}

const toldOnSolana = (seen: SeenTransaction): readonly Told[] => [
  ...callsOf(seen, ROOT).map(({ event, moved }) => ({ refunds: refundsOfRoot(event), moved })),
  ...callsOf(seen, CLAIMED).map(({ event, moved }) => ({ refunds: refundClaimed(event), moved })),
]

/**
 * What a transaction gives back to the depositor of a swap: refunds go out by roots, which name the address, the token and the
 * sum, and no deposit. Each is the money beside it, of that very sum.
 */
export const refundsIn = async (seen: SeenTransaction, own: OwnDeposit, refundTo: Address): Promise<readonly PayoutEvent[]> => {
  const { chainId } = seen
  const [depositor, token] = [addressOfWord(chainId, own.depositor), addressOfWord(chainId, own.inputToken)]
  const told = chainId === SOLANA ? toldOnSolana(seen) : await toldOnEvm(seen)
  return told.flatMap(({ refunds, moved }) => {
    const left = [...moved]
    return refunds.flatMap((refund) => {
      if (refund.of !== depositor || refund.to !== refundTo || refund.token !== token) return []
      const at = left.findIndex(({ to, amount, ...paid }) => to === refundTo && paid.token === token && amount === refund.amount)
      const [paid] = at < 0 ? [] : left.splice(at, 1)
      return paid ? [{ place: paid.place, amount: paid.amount }] : []
    })
  })
}
