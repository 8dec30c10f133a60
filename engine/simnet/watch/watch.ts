import { BITCOIN, CHAINS, SOLANA } from '../../core/chain.ts'
import type { BitcoinChain } from '../bitcoin/bitcoinChain.ts'
import type { EvmChains } from '../evm/evmChains.ts'
import { BoundedMap } from '../kit/boundedMap.ts'
import { plainUsd } from '../kit/dollars.ts'
import { FAULT_KINDS, type Faults } from '../kit/faults.ts'
import type { Market } from '../kit/market.ts'
import type { SimTokens } from '../kit/tokens.ts'
import type { SimClock } from '../kit/world.ts'
import type { SolanaChain } from '../solana/solanaChain.ts'
import { createListeners, type Listeners } from './listeners.ts'
import { createSwapBook, type RecordedSwap } from './swapBook.ts'
import { createTransactionFacts, type FactsChains } from './transactionFacts.ts'
import type { FaucetToken, NetworkState, Notice, Race, Swap, WatchedChain, WatchedEvent, WatchedRace } from './watched.ts'

/** A clock that reports its jumps. */
export interface WatchedClock extends SimClock {
  /** The sum of all jumps. */
  aheadMs(): number
}

export const watchClock = (clock: SimClock, onJump: () => void): WatchedClock => {
  let aheadMs = 0
  return {
    now: () => clock.now(),
    aheadMs: () => aheadMs,
    advance: (ms) => {
      clock.advance(ms)
      aheadMs += ms
      onJump()
    },
  }
}

export type WatchPorts = FactsChains & {
  readonly clock: WatchedClock
  readonly tokens: SimTokens
  readonly market: Pick<Market, 'prices'>
  readonly faults: Pick<Faults, 'list'>
  readonly faultTargets: readonly string[]
  readonly notices: readonly Notice[]
  readonly evm: Pick<EvmChains, 'started'>
  readonly solana: Pick<SolanaChain, 'head'>
  readonly bitcoin: Pick<BitcoinChain, 'head'>
}

type Part = 'clock' | 'service' | 'faults' | 'prices'

/** Records the state of the network for its page, and sends it to listeners. */
export interface Watch {
  /** Records an event of the service. Never throws. */
  watch(event: WatchedEvent): void
  /** Records the origin of the service. */
  servedAt(url: string): void
  state(): Promise<NetworkState>
  readonly listeners: Pick<Listeners, 'attach'>
  /** Reports a change of this part to the listeners. */
  changed(part: Part): void
  close(): void
}

const RACES_KEPT = 50
/** A quote may be executed after many others. */
const QUOTES_KEPT = 1_000
/** Between two reads of the chains' heights, while somebody listens. */
const HEIGHTS_MS = 1_000

/** The tokens of the faucet on one chain, its coin first. */
export const faucetTokens = (tokens: SimTokens, chainId: number): readonly FaucetToken[] =>
  tokens.all
    .filter((token) => token.chainId === chainId)
    .map(({ address, symbol, name, decimals, isNative, currency }) => ({
      ...{ chainId, address, symbol, name, decimals, isNative, currency },
    }))

/** The chains as they are now. Starts none of them, and never rejects. */
const createChainReader = ({ evm, solana, bitcoin, tokens }: WatchPorts) => {
  const heightOf = async (chainId: number): Promise<number | null> => {
    if (chainId === BITCOIN) return bitcoin.head()?.height ?? null
    if (chainId === SOLANA) return solana.head().isRunning ? solana.head().slot : null
    return evm.started().includes(chainId) ? Number(await evm.rpc(chainId, 'eth_blockNumber', [])) : null
  }
  return (): Promise<readonly WatchedChain[]> =>
    Promise.all(
      CHAINS.map(async ({ chainId, name }) => {
        // A node that fails reports its error to its callers.
        const height = await heightOf(chainId).catch(() => null)
        return { chainId, name, isRunning: height !== null, height, tokens: faucetTokens(tokens, chainId) }
      }),
    )
}

const createRaces = () => {
  const quotes = new BoundedMap<string, WatchedRace>(QUOTES_KEPT)
  const races = new BoundedMap<number, Race>(RACES_KEPT)
  let count = 0
  return {
    add: (event: WatchedRace, at: number): Race => {
      count += 1
      const race = { ...event, id: count, at }
      races.set(count, race)
      if (event.event === 'quote.served') quotes.set(event.quoteId, event)
      return race
    },
    /** Newest first. */
    list: (): readonly Race[] => [...races.values()].reverse(),
    quotedBy: (quoteId: string): Swap['quoted'] => {
      const race = quotes.get(quoteId)
      if (!race) return null
      const { input, inputAmount, output, runs } = race
      return { input, inputAmount, output, outputAmount: runs.find(({ rank }) => rank === 1)?.amount ?? null }
    },
  }
}

export const createWatch = (ports: WatchPorts): Watch => {
  const { clock, market, faults, faultTargets, notices } = ports
  const races = createRaces()
  const swaps = createSwapBook(races.quotedBy)
  const facts = createTransactionFacts(ports)
  const readChains = createChainReader(ports)
  let service: NetworkState['service'] = { url: null }
  let polling: NodeJS.Timeout | undefined
  let heights = new Map<number, number | null>()

  const parts: { readonly [P in Part]: () => NetworkState[P] } = {
    clock: () => ({ now: clock.now(), aheadMs: clock.aheadMs() }),
    service: () => service,
    faults: () => faults.list(),
    prices: () => Object.fromEntries(Object.entries(market.prices()).map(([name, micros]) => [name, plainUsd(micros)])),
  }
  const shown = (swap: RecordedSwap): Swap => ({
    ...swap,
    payments: swap.payments.map((payment) => ({ ...payment, ...facts.of(payment) })),
  })

  const state = async (): Promise<NetworkState> => {
    const payments = swaps.list().flatMap((swap) => swap.payments)
    const [chains] = await Promise.all([readChains(), facts.refresh(payments)])
    const fixed = { chains, faultKinds: FAULT_KINDS, faultTargets, notices: [...notices] }
    const read = { clock: parts.clock(), service, faults: parts.faults(), prices: parts.prices() }
    return { ...fixed, ...read, races: races.list(), swaps: swaps.list().map(shown) }
  }

  const pollHeights = async (): Promise<void> => {
    const chains = await readChains()
    const moved = chains.filter(({ chainId, height }) => heights.get(chainId) !== height)
    heights = new Map(chains.map(({ chainId, height }) => [chainId, height]))
    if (moved.length > 0) listeners.report('chains', () => ({ chains: moved }))
    polling?.refresh()
  }
  const listeners = createListeners(state, (isListenedTo) => {
    clearTimeout(polling)
    polling = isListenedTo ? setTimeout(() => void pollHeights(), HEIGHTS_MS).unref() : undefined
  })

  const reportSwap = (swap: RecordedSwap): void => {
    if (listeners.count === 0) return
    const report = () => listeners.report(`swap ${swap.swapId}`, () => ({ swaps: [shown(swap)] }))
    report()
    if (swap.payments.length > 0) void facts.refresh(swap.payments).then(report)
  }

  const changed = (part: Part): void => listeners.report(part, () => ({ [part]: parts[part]() }))

  return {
    watch: (event) => {
      if (event.event === 'quote.served' || event.event === 'quote.refused') {
        const race = races.add(event, clock.now())
        return listeners.report(`race ${race.id}`, () => ({ races: [race] }))
      }
      const swap = swaps.add(event, clock.now())
      if (swap) reportSwap(swap)
    },
    servedAt: (url) => {
      service = { url }
      changed('service')
    },
    state,
    listeners,
    changed,
    close: () => {
      clearTimeout(polling)
      listeners.close()
    },
  }
}
