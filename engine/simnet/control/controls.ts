import type { FacilitatorClient } from '@x402/core/server'
import { parseAddress } from '../../core/address.ts'
import { parseAsset } from '../../core/asset.ts'
import { CHAIN_IDS, type ChainId, ecosystemOf, isChainId } from '../../core/chain.ts'
import type { PageSet } from '../../pages/pages.ts'
import type { BitcoinChain } from '../bitcoin/bitcoinChain.ts'
import type { Deliveries } from '../deliveries.ts'
import type { EvmChains } from '../evm/evmChains.ts'
import type { Faults } from '../kit/faults.ts'
import { type FieldType, type ReadFields, readFields, type } from '../kit/fields.ts'
import type { Market } from '../kit/market.ts'
import { Refusal } from '../kit/refusal.ts'
import type { DrivenSchedule } from '../kit/simSchedule.ts'
import type { SimToken, SimTokens } from '../kit/tokens.ts'
import type { SolanaChain } from '../solana/solanaChain.ts'
import type { Watch, WatchedClock } from '../watch/watch.ts'

/** Everything the control server can change. */
export type Controls = {
  readonly clock: WatchedClock
  readonly schedule: DrivenSchedule
  readonly market: Market
  readonly tokens: SimTokens
  readonly faults: Faults
  readonly facilitator: FacilitatorClient
  /** Venue ids, `chain:<id>` for the node of a chain, and `facilitator`. */
  readonly faultTargets: readonly string[]
  readonly evm: EvmChains
  readonly solana: SolanaChain
  readonly bitcoin: BitcoinChain
  readonly deliveries: Deliveries
  readonly watch: Watch
  /** The page of the network, read when a browser first requests it. */
  pages(): Promise<PageSet>
  /** The answer to `GET /`. */
  describe(): unknown
}

/** One control call: takes the JSON body, undefined when there was none, and returns the JSON answer. Throws Refusal. */
export type Control = (controls: Controls, body: unknown, query: URLSearchParams) => unknown

type Spec = { readonly [name: string]: FieldType<unknown> }

export const badField = (name: string, reason: string): Refusal => new Refusal(null, `${name}: ${reason}`)

/** A call whose body has exactly these fields. */
export const withFields =
  <R extends Spec, O extends Spec>(
    required: R,
    optional: O,
    run: (controls: Controls, fields: ReadFields<R, O>) => unknown,
  ): Control =>
  (controls, body) => {
    const fields = readFields(body, { required, optional }, ({ kind, name, expects }) => {
      if (kind === 'noObject') return badField(name, 'must be a JSON object')
      return badField(name, kind === 'unknown' ? 'is not a field of this call' : `must be ${expects}`)
    })
    return run(controls, fields)
  }

export const chainIdField: FieldType<ChainId> = type(`one of ${CHAIN_IDS.join(', ')}, as a number`, (value) =>
  typeof value === 'number' && isChainId(value) ? value : undefined,
)

/** An address in the canonical spelling of its chain. */
export const addressOn = (chainId: ChainId, text: string, name = 'address'): string => {
  const address = parseAddress(ecosystemOf(chainId), text)
  if (!address) throw badField(name, `must be an address of chain ${chainId}`)
  return address
}

/** A token by its address, the native marker or its symbol, such as `ETH`. Symbols are unique on each chain. */
export const tokenOn = ({ tokens }: Controls, chainId: ChainId, text: string): SimToken => {
  const asset = parseAsset(chainId, text)
  const known = tokens.all.filter((candidate) => candidate.chainId === chainId)
  const isNamed = ({ symbol }: SimToken) => symbol.toLowerCase() === text.toLowerCase()
  const token = (asset && tokens.find(chainId, asset.address)) ?? known.find(isNamed)
  if (token) return token
  const listed = known.map(({ symbol, address }) => `${address} (${symbol})`).join(', ')
  throw badField('token', `must be one of ${listed} on chain ${chainId}`)
}
