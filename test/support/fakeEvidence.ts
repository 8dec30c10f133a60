import { hexToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import type { ChainEvidence } from '../../engine/chains/chainEvidence.ts'
import { ChainError } from '../../engine/chains/chains.ts'
import { enoughLast } from '../../engine/chains/oneChain.ts'
import { type Movement, paymentsTo, type SeenTransaction } from '../../engine/chains/seen.ts'
import type { Address } from '../../engine/core/address.ts'
import { type Asset, isNative } from '../../engine/core/asset.ts'
import { type ChainId, isEvmChainId, SOLANA } from '../../engine/core/chain.ts'
import { parseTransactionId, type TransactionId } from '../../engine/core/transactionId.ts'
import { START_AT } from './testEngine.ts'

/** One read of a chain: which, and of what transaction or address. */
export type EvidenceRead = { readonly method: keyof ChainEvidence; readonly chainId: ChainId; readonly of: string }

/** The chains in memory, empty at first: what is put in by hand is what they show. */
export type FakeEvidence = ChainEvidence & {
  /** Every read, in the order it was started. */
  readonly reads: EvidenceRead[]
  /** Takes the place of what had the same hash. */
  put(...transactions: readonly SeenTransaction[]): void
  /** As a reorganisation does. */
  remove(hash: TransactionId): void
  /** Coins that came to somebody in a block by calls between contracts. */
  gain(where: { readonly chainId: ChainId; readonly height: number; readonly recipient: Address }, amount: bigint): void
  readonly withCode: Set<Address>
  /** Addresses in use, without a transaction that shows it. */
  readonly inUse: Set<Address>
  /** Which reads fail; none at first. */
  isUnreadable: (read: EvidenceRead) => boolean
  /** The block from which on the nodes have balances. */
  stateSince: number
  /** The chains' confirmed time; the time of the test's start at first. */
  confirmedAt: number
  /** How far a search for what was sent came for good; 0 at first: it starts anew each time; null: it cannot tell. */
  reached: number | null
  /** How far the node has come that tells of addresses; null at first: as far as the chain. */
  addressesAt: number | null
}

/** A transaction id of a chain for each number. */
export const hashOf = (number: number, chainId: ChainId = 1): TransactionId => {
  const hex = number.toString(16).padStart(64, '0')
  const text = chainId === SOLANA ? base58.encode(hexToBytes(hex.repeat(2))) : isEvmChainId(chainId) ? `0x${hex}` : hex
  const hash = parseTransactionId(chainId, text)
  if (hash === null) throw new TypeError(`no transaction id: ${number}`)
  return hash
}

/** A transaction as a chain shows it: successful, confirmed and mined at the test's start, unless wished otherwise. */
export const seenTransaction = (wish: Partial<SeenTransaction> & Pick<SeenTransaction, 'chainId' | 'hash'>): SeenTransaction => ({
  isSuccess: true,
  standing: 'confirmed',
  at: START_AT,
  height: 1_000,
  movements: [],
  call: null,
  logs: [],
  instructions: [],
  notes: [],
  ...wish,
})

/** So much of an asset to somebody. */
export const movement = (asset: Asset, to: Address, amount: bigint, rest: Partial<Movement> = {}): Movement => ({
  place: 'log:0',
  token: asset.address,
  from: null,
  to,
  amount,
  ...rest,
})

export const createFakeEvidence = (): FakeEvidence => {
  const transactions = new Map<TransactionId, SeenTransaction>()
  const gains = new Map<string, bigint>()
  const reads: EvidenceRead[] = []
  const begin = async (read: EvidenceRead): Promise<void> => {
    reads.push(read)
    if (fake.isUnreadable(read)) throw new ChainError('unreachable', read.chainId, `scripted ${read.method}`)
  }
  const paying = (asset: Asset, recipient: Address): readonly SeenTransaction[] =>
    [...transactions.values()].filter(
      (seen) => seen.chainId === asset.chainId && paymentsTo(seen, { asset, recipient }).length > 0,
    )
  const fake: FakeEvidence = {
    reads,
    put: (...given) => {
      for (const seen of given) transactions.set(seen.hash, seen)
    },
    remove: (hash) => void transactions.delete(hash),
    gain: ({ chainId, height, recipient }, amount) => void gains.set(`${chainId}:${height}:${recipient}`, amount),
    withCode: new Set(),
    inUse: new Set(),
    isUnreadable: () => false,
    stateSince: 0,
    confirmedAt: START_AT,
    reached: 0,
    addressesAt: null,
    transaction: async ({ chainId, hash }) => {
      await begin({ method: 'transaction', chainId, of: hash })
      const seen = transactions.get(hash)
      return seen?.chainId === chainId ? seen : null
    },
    coinsByBalance: async ({ chainId, height, hash }, recipient) => {
      await begin({ method: 'coinsByBalance', chainId, of: hash })
      return height < fake.stateSince ? null : (gains.get(`${chainId}:${height}:${recipient}`) ?? 0n)
    },
    search: async ({ asset, recipient, since, least = 0n }) => {
      await begin({ method: 'search', chainId: asset.chainId, of: recipient })
      if (isNative(asset) && isEvmChainId(asset.chainId)) return { hashes: [], isWhole: false }
      const found = paying(asset, recipient).filter(({ at }) => at === null || at >= since)
      const isEnough = (seen: SeenTransaction) => paymentsTo(seen, { asset, recipient }).some(({ amount }) => amount >= least)
      const inOrder = found.toSorted((a, b) => a.height - b.height)
      return { hashes: enoughLast(inOrder, isEnough).map(({ hash }) => hash), isWhole: true }
    },
    sentBy: async ({ asset, sender, since, after }) => {
      await begin({ method: 'sentBy', chainId: asset.chainId, of: sender })
      const isFrom = ({ movements, call }: SeenTransaction) =>
        isNative(asset) ? call?.from === sender : movements.some(({ token, from }) => token === asset.address && from === sender)
      const found = [...transactions.values()].filter(
        (seen) => seen.chainId === asset.chainId && isFrom(seen) && seen.height > (after ?? 0) && (seen.at ?? since) >= since,
      )
      const inOrder = found.toSorted((a, b) => a.height - b.height).map(({ hash, height }) => ({ hash, height }))
      return { transactions: inOrder, reached: fake.reached, at: fake.confirmedAt }
    },
    searchByTwo: async () => ({ lists: [], isWhole: true }),
    untouchedUntil: async ({ asset, recipient }) => {
      await begin({ method: 'untouchedUntil', chainId: asset.chainId, of: recipient })
      const isUntouched = !fake.inUse.has(recipient) && paying(asset, recipient).length === 0
      return isUntouched ? (fake.addressesAt ?? fake.confirmedAt) : null
    },
    confirmedTime: async (chainId) => {
      await begin({ method: 'confirmedTime', chainId, of: 'head' })
      return fake.confirmedAt
    },
    hasCode: async ({ chainId, address }) => {
      await begin({ method: 'hasCode', chainId, of: address })
      return fake.withCode.has(address)
    },
  }
  return fake
}
