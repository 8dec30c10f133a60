import type { SimTokens } from '../kit/tokens.ts'
import { createChainLooks, type HeightChains, readHeights } from './chainHeights.ts'
import { createListeners, type Listeners, type ListenersOptions } from './listeners.ts'
import { createRaceBook } from './raceBook.ts'
import { createSwapBook, type KeptSwap } from './swapBook.ts'
import { createTelling, type TellingPorts } from './telling.ts'
import type { ServiceTold, StateTold } from './told.ts'
import { createTransactionFacts, type FactsChains } from './transactionFacts.ts'
import { isRace, type WatchedEvent } from './watched.ts'

/** What is told is read from these. */
export type WatchPorts = HeightChains &
  FactsChains &
  Omit<TellingPorts, 'facts'> & {
    readonly tokens: SimTokens
    /** For tests. */
    readonly listening?: Pick<ListenersOptions, 'max' | 'unreadBytesMax' | 'heartbeatMs' | 'gatherMs'>
  }

/** Keeps what the network's page shows, and tells it to whoever listens. Costs next to nothing while nobody does. */
export interface Watch {
  /** Takes note of something that the service tells. Never throws. */
  watch(event: WatchedEvent): void
  /** Takes note of where the service is. */
  servedAt(url: string): void
  /** Everything at one moment. */
  state(): Promise<StateTold>
  readonly listeners: Pick<Listeners, 'attach' | 'count'>
  /** Something was set: whoever listens is told. */
  changed(what: 'faults' | 'prices' | 'clock'): void
  close(): void
}

export const createWatch = (ports: WatchPorts): Watch => {
  const { clock, tokens } = ports
  const races = createRaceBook(tokens)
  const swaps = createSwapBook(races.quoted)
  const facts = createTransactionFacts(ports)
  const tell = createTelling({ ...ports, facts })
  let service: ServiceTold = { url: null }

  const state = async (): Promise<StateTold> => {
    const transactions = swaps.list().flatMap((swap) => swap.transactions)
    const [chains] = await Promise.all([readHeights(ports), facts.refresh(transactions)])
    const [told, newest] = [tell.everything(chains), swaps.list().map(tell.swap)]
    return { ...told, service, races: races.list(), swaps: newest }
  }

  const onChange = (isListenedTo: boolean): void => (isListenedTo ? looks.start() : looks.stop())
  const listeners = createListeners({ ...ports.listening, state, onChange })
  const looks = createChainLooks(ports, (height) => listeners.tell('chain', height.chainId, () => height))

  const tellSwap = (swap: KeptSwap): void => {
    const tellNow = () => listeners.tell('swap', swap.swapId, () => tell.swap(swap))
    if (listeners.count === 0) return
    tellNow()
    if (swap.transactions.length > 0) void facts.refresh(swap.transactions).then(tellNow)
  }

  return {
    watch: (event) => {
      if (isRace(event)) {
        const { id, read } = races.add(event, clock.now())
        listeners.tell('race', id, read)
        return
      }
      const swap = swaps.add(event, clock.now())
      if (swap) tellSwap(swap)
    },
    servedAt: (url) => {
      service = { url }
      listeners.tell('service', '', () => service)
    },
    state,
    listeners,
    changed: (what) => listeners.tell<'faults' | 'prices' | 'clock'>(what, '', tell[what]),
    close: () => {
      looks.stop()
      listeners.close()
    },
  }
}
