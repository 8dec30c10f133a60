import { CHAINS, ecosystemOf } from '../../core/chain.ts'
import type { Notice } from '../deliveries.ts'
import { plainUsd } from '../kit/dollars.ts'
import type { Faults } from '../kit/faults.ts'
import type { Market } from '../kit/market.ts'
import type { SimTokens } from '../kit/tokens.ts'
import { FAULT_KINDS } from './faultKinds.ts'
import { toldToken } from './raceBook.ts'
import type { KeptSwap } from './swapBook.ts'
import type { ChainHeight, ChainTold, FaucetToken, StateTold, SwapTold, ToldEvents, VenueTold } from './told.ts'
import type { TransactionFactsReader } from './transactionFacts.ts'
import type { WatchedClock } from './watchedClock.ts'

export type TellingPorts = {
  readonly clock: WatchedClock
  readonly tokens: SimTokens
  readonly market: Pick<Market, 'prices'>
  readonly faults: Pick<Faults, 'list'>
  readonly faultTargets: readonly string[]
  readonly venues: () => readonly Omit<VenueTold, 'faults'>[]
  readonly notices: readonly Notice[]
  readonly facts: Pick<TransactionFactsReader, 'of'>
}

/** Puts what the network knows into the shapes that its page is told. */
export type Telling = { readonly [N in 'faults' | 'prices' | 'clock']: () => ToldEvents[N] } & {
  swap(swap: KeptSwap): SwapTold
  /** All but what the service told. */
  everything(heights: readonly ChainHeight[]): Omit<StateTold, 'service' | 'races' | 'swaps'>
}

/** What the faucet gives on one chain, its coin first. */
export const faucetTokens = (tokens: SimTokens, chainId: number): readonly FaucetToken[] =>
  tokens.all
    .filter((token) => token.chainId === chainId)
    .map(({ address, symbol, name, decimals, isNative, currency }) => ({
      ...{ chainId, address, symbol, name, decimals, isNative, currency },
    }))

export const createTelling = (ports: TellingPorts): Telling => {
  const { clock, tokens, market, faults, faultTargets, venues, notices, facts } = ports
  const clockTold = () => ({ now: clock.now(), aheadMs: clock.aheadMs() })
  const pricesTold = () => Object.fromEntries(Object.entries(market.prices()).map(([name, micros]) => [name, plainUsd(micros)]))

  const chainTold = ({ chainId, name }: (typeof CHAINS)[number], heights: readonly ChainHeight[]): ChainTold => {
    const stands = heights.find((height) => height.chainId === chainId)
    const height = stands ?? { chainId, isRunning: false, height: null, blockAt: null }
    const names = { name, ecosystem: ecosystemOf(chainId), rpcPath: `/rpc/${chainId}`, faultTarget: `chain:${chainId}` }
    return { ...height, ...names, tokens: faucetTokens(tokens, chainId) }
  }

  const venuesTold = (): readonly VenueTold[] => {
    const active = faults.list()
    return venues().map((venue) => ({ ...venue, faults: active.filter((fault) => fault.venue === venue.id) }))
  }

  return {
    faults: () => faults.list(),
    prices: pricesTold,
    clock: clockTold,
    swap: ({ quoted, transactions, ...swap }) => ({
      ...swap,
      ...(quoted ?? { input: null, inputAmount: null, output: null, outputAmount: null }),
      transactions: transactions.map((transaction) => {
        const { chainId, txHash: hash, token, kind, amount, isFinal, seenAt } = transaction
        const known = { chainId, hash, kind, token: toldToken(tokens, chainId, token), amount, isFinal, seenAt }
        return { ...known, ...facts.of(transaction) }
      }),
    }),
    everything: (heights) => ({
      clock: clockTold(),
      chains: CHAINS.map((chain) => chainTold(chain, heights)),
      venues: venuesTold(),
      faultKinds: FAULT_KINDS,
      faultTargets,
      faults: faults.list(),
      prices: pricesTold(),
      notices: [...notices],
    }),
  }
}
