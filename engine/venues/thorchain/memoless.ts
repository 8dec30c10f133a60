import type { Clock } from '../../core/clock.ts'
import { demand } from '../kit/demand.ts'
import { createFreshLists } from '../kit/keptList.ts'
import { VenueError } from '../venueError.ts'
import type { Registrar, ThorNode } from './client.ts'
import type { Since } from './network.ts'
import { REFERENCES } from './protocol.ts'
import type { MemoCheck, Mimir } from './wire.ts'

/** The network's interpretation of a deposit. */
export type KeptMemo = {
  readonly memo: string
  readonly isUsed: boolean
  /** The end of the deposit time. Epoch ms. */
  readonly expiresAt: number
}

/** A registration: its hash, and the amount that refers to it. */
export type Registration = { readonly hash: string; readonly amount: bigint }

const BLOCK_MS = 6_000
/** A deposit must be in a block before its memo expires after six hours. Our own margin: the last hour. */
export const LATE_MS = 60 * 60_000
const FRESH = { entriesMax: 4, lifetimeMs: 5_000 }

/** `0.05`: the amount in bitcoin. */
const inBitcoin = (sats: bigint): string => {
  const digits = sats.toString().padStart(9, '0')
  return `${digits.slice(0, -8)}.${digits.slice(-8).replace(/0{1,7}$/, '')}`
}

/** The largest amount up to `most` that ends in a reference. */
const endingIn = (reference: bigint, most: bigint): bigint =>
  most - ((((most - reference) % REFERENCES) + REFERENCES) % REFERENCES)

export type MemolessPorts = {
  readonly nodes: readonly [first: ThorNode, second: ThorNode]
  readonly register: Registrar
  readonly clock: Clock
}

/** Deposits without a memo: the network stores it, under the last digits of their amount. Throws VenueError. */
export const createMemoless = ({ nodes, register, clock }: MemolessPorts) => {
  const mimirs = createFreshLists<Mimir>(FRESH, clock)
  const heights = createFreshLists<number>(FRESH, clock)

  /** Whether both nodes report that the network accepts deposits without a memo. `now`: a deposit follows. */
  const isOpen = async (since: Since, signal: AbortSignal): Promise<boolean> => {
    const told = await Promise.all(
      nodes.map((node, i) => (since === 'now' ? node.mimir(signal) : mimirs(String(i), node.mimir, signal))),
    )
    return told.every(({ HALTMEMOLESS: halt = 0 }) => Number(halt) <= 0)
  }

  const requireOpen = async (since: Since, signal: AbortSignal): Promise<void> => {
    if (!(await isOpen(since, signal))) throw new VenueError('noLiquidity', 'thorchain takes no deposits without a memo now')
  }

  const heightOf = (i: number, node: ThorNode, signal: AbortSignal): Promise<number> =>
    heights(String(i), async (cut) => Math.max(...(await node.lastBlocks(cut)).map(({ thorchain }) => thorchain)), signal)

  const checkBy = async (amount: bigint, i: number, node: ThorNode, signal: AbortSignal): Promise<KeptMemo> => {
    const [kept, height]: [MemoCheck, number] = await Promise.all([node.memoCheck(amount, signal), heightOf(i, node, signal)])
    const { memo = '', reference, expires_at: lastBlock, usage_count: used } = kept
    const isOfAmount = BigInt(reference) === amount % REFERENCES
    const expiresAt = clock.now() + (Number(lastBlock) - height) * BLOCK_MS - LATE_MS
    return { memo: isOfAmount ? memo : '', isUsed: BigInt(used) > 0n, expiresAt }
  }

  return {
    isOpen,
    requireOpen,
    /** Registers a memo at the network. `most`: the largest deposit, satoshi. */
    register: async (memo: string, most: bigint, signal: AbortSignal): Promise<Registration> => {
      const {
        reference,
        registration_hash: hash,
        memo: echo = memo,
        asset = 'BTC.BTC',
      } = await register(memo, inBitcoin(most), signal)
      demand('the registration service answered with', {
        'another memo': echo === memo,
        'another asset': asset === 'BTC.BTC',
        'no reference of five digits': BigInt(reference) < REFERENCES,
      })
      const registration = { hash: hash.replace(/^0x/, '').toUpperCase(), amount: endingIn(BigInt(reference), most) }
      // Another registration would never show the use of the deposit.
      const kept = await nodes[0].registration(registration.hash, signal)
      if (kept === null) throw new VenueError('unavailable', 'thorchain: the node does not know the registration')
      demand('the registration service answered with', {
        'the registration of another memo': [kept.memo === memo, kept.memo],
        'the registration of another reference': BigInt(kept.reference) === BigInt(reference),
      })
      return registration
    },
    /** The network's current interpretation of a deposit of this amount, where both nodes agree. */
    check: async (amount: bigint, signal: AbortSignal): Promise<KeptMemo> => {
      await requireOpen('now', signal)
      const [one, other] = await Promise.all([checkBy(amount, 0, nodes[0], signal), checkBy(amount, 1, nodes[1], signal)])
      if (one.memo !== other.memo) throw new VenueError('unavailable', 'thorchain: its nodes do not keep the same memo')
      return { memo: one.memo, isUsed: one.isUsed || other.isUsed, expiresAt: Math.min(one.expiresAt, other.expiresAt) }
    },
  }
}

export type Memoless = ReturnType<typeof createMemoless>
