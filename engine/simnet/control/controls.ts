import type { FacilitatorClient } from '@x402/core/server'
import type { PageSet } from '../../pages/pages.ts'
import type { BitcoinChain } from '../bitcoin/bitcoinChain.ts'
import type { Deliveries } from '../deliveries.ts'
import type { EvmChains } from '../evm/evmChains.ts'
import type { Faults } from '../kit/faults.ts'
import type { Market } from '../kit/market.ts'
import type { DrivenSchedule } from '../kit/simSchedule.ts'
import type { SimTokens } from '../kit/tokens.ts'
import type { SolanaChain } from '../solana/solanaChain.ts'
import type { Watch } from '../watch/watch.ts'
import type { WatchedClock } from '../watch/watchedClock.ts'

/** Everything the control server can move. */
export type Controls = {
  readonly clock: WatchedClock
  readonly schedule: DrivenSchedule
  readonly market: Market
  readonly tokens: SimTokens
  readonly faults: Faults
  readonly facilitator: FacilitatorClient
  /** What a fault can be set on: venue ids, `chain:<id>` for the node of a chain, and `facilitator`. */
  readonly faultTargets: readonly string[]
  readonly evm: EvmChains
  readonly solana: SolanaChain
  readonly bitcoin: BitcoinChain
  readonly deliveries: Deliveries
  /** What its page is told. */
  readonly watch: Watch
  /** The page itself. Read when it is first asked for. */
  pages(): Promise<PageSet>
  /** The answer to `GET /`. */
  describe(): unknown
}

/** One control call: takes the JSON body, undefined when there was none, and gives the JSON answer. Throws ControlError. */
export type Control = (controls: Controls, body: unknown, query: URLSearchParams) => unknown
