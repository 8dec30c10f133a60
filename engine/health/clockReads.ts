import type { ChainEvidence } from '../chains/chainEvidence.ts'
import type { ChainClock } from '../chains/endpoints/chainClock.ts'
import type { RpcUrls } from '../chains/endpoints/chainEndpoints.ts'
import { CHAIN_IDS, type ChainId, isEvmChainId } from '../core/chain.ts'
import { pause } from '../net/pause.ts'

/** `uncompared`: fewer than two chains were readable lately. */
export type ClockVerdict = 'right' | 'wrong' | 'uncompared'

/** As `waitMs`: until the clock is compared. Irreversible acts wait for that. */
export const UNTIL_COMPARED = Number.POSITIVE_INFINITY

export type ClockReadParts = {
  readonly readHead: ChainEvidence['readHead']
  readonly chainClock: ChainClock
  /** In order of preference. None on the offline network, which sets its own time. */
  readonly candidates: readonly ChainId[]
  /** Ms, never running backwards. */
  readonly now: () => number
}

/** Their blocks come within seconds, and their sequencers and validators are independent of each other. */
const PREFERRED = [8453, 42161, 137] as const

/** How many chains are compared with. */
const CHAINS = 3
/** Between two rounds: at first, doubled up to the longest, and while our clock is wrong. */
const PAUSE_MS = { first: 5_000, longest: 60_000, wrong: 5_000 } as const
/** Between the first rounds, and from then on `PAUSE_MS.first`, while fewer than two chains are known. */
const EARLY_MS = [1_000, 2_000, 2_000]
/** The longest wait for a comparison: a client waits for the answer. */
const COMPARED_MS = 5_000
/** A chain whose newest block a read showed so recently is not read again. */
const FRESH_MS = 50_000

/** The EVM chains with endpoints of the operator come first. */
export const clockChains = (rpcUrls: RpcUrls): readonly ChainId[] => {
  const own = [...new Set([...PREFERRED, ...CHAIN_IDS])].filter((id) => isEvmChainId(id) && (rpcUrls[id]?.length ?? 0) > 0)
  return [...new Set([...own, ...PREFERRED])]
}

/** Reads the newest blocks of a few chains, so that our clock is compared with them also while swaps read one chain or none. */
export const createClockReads = ({ chainClock, candidates, readHead, now }: ClockReadParts) => {
  const over = new AbortController()
  let [order, readAt, pauseMs] = [candidates, Number.NEGATIVE_INFINITY, 0]
  let comparedAt = now()
  const early = [...EARLY_MS]
  let reading: Promise<unknown> | null = null

  const read = (chainId: ChainId) =>
    readHead?.(chainId, over.signal).catch(() => {
      order = [...order.filter((other) => other !== chainId), chainId]
    })
  /** A clock without chains to compare with counts as right. */
  const verdict = (): ClockVerdict => {
    if (chainClock.wrongByMs() !== null) return 'wrong'
    const isComparable = readHead !== undefined && candidates.length > 0
    return isComparable && chainClock.chains().length < 2 ? 'uncompared' : 'right'
  }
  const look = (): void => {
    const isWrong = verdict() === 'wrong'
    if (reading !== null || now() < readAt + (isWrong ? PAUSE_MS.wrong : pauseMs)) return
    readAt = now()
    const isKnown = chainClock.chains().length >= 2
    pauseMs = isKnown ? Math.min(Math.max(PAUSE_MS.first, pauseMs * 2), PAUSE_MS.longest) : (early.shift() ?? PAUSE_MS.first)
    const fresh = chainClock.chains(FRESH_MS)
    const missing = order.filter((chainId) => !fresh.includes(chainId)).slice(0, Math.max(0, CHAINS - fresh.length))
    reading = Promise.all((isWrong ? chainClock.chains() : missing).map(read)).finally(() => {
      reading = null
    })
  }

  return {
    verdict,
    /** False while our clock is wrong, and while it is not compared, for `waitMs` at most. */
    isRight: (waitMs: number): boolean => {
      const found = verdict()
      if (found === 'right') comparedAt = now()
      return found === 'right' || (found === 'uncompared' && now() - comparedAt >= waitMs)
    },
    /** Starts the reads that are due. */
    look,
    /** Ends when our clock is compared, or when the reads that are due have ended. Never rejects. */
    settled: async (): Promise<void> => {
      if (chainClock.aheadMs() !== null) return
      look()
      await reading
    },
    /** Ends when our clock is compared, or after a few rounds of reads, 5 seconds at most. Never rejects. */
    compared: async (): Promise<void> => {
      const ended = new AbortController()
      const rounds = async (): Promise<void> => {
        for (const ms of [0, ...EARLY_MS]) {
          if (verdict() !== 'uncompared' || ended.signal.aborted) return
          await pause(ms, ended.signal)
          look()
          await reading
        }
      }
      await Promise.race([rounds(), pause(COMPARED_MS, ended.signal)])
      ended.abort()
    },
    stop: async (): Promise<void> => {
      over.abort()
      await reading
    },
  }
}

export type ClockReads = ReturnType<typeof createClockReads>
