import { type Address, parseAddress, parseEvmAddress } from '../../core/address.ts'
import { type Asset, isNative } from '../../core/asset.ts'
import { BITCOIN, ecosystemOf } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import { demand } from '../kit/demand.ts'
import { createFreshLists, createKeptList } from '../kit/keptList.ts'
import { VenueError } from '../venueError.ts'
import type { ThorNode } from './client.ts'
import { assetNamed, codeOf, isNameOf, spelledOut } from './published.ts'
import type { ThorchainSettings } from './settings.ts'
import type { Inbound, Pool } from './wire.ts'

/** What must be right for a chain's deposits to be taken: who is paid, and by which contract. */
export type Vault = {
  readonly address: Address
  /** Null on chains without contracts. */
  readonly router: Address | null
  /** What the network keeps to send something there, eight-decimal units of the chain's coin. */
  readonly outboundFee: bigint
}

/** Vaults move on every few days, and halts come from one block to the next. */
const INBOUND = { entriesMax: 1, lifetimeMs: 5_000 }
const POOLS_MS = 60_000

const halted = (chain: string): VenueError => new VenueError('noLiquidity', `thorchain does not swap on ${chain} now`)

const isSame = (one: Vault, other: Vault): boolean => one.address === other.address && one.router === other.router

const isTraded = ({ status, trading_halted: isHalted }: Pool): boolean => status === 'Available' && !isHalted

const contractIn = (name: string): string => (name.includes('-') ? name.slice(name.indexOf('-') + 1) : '')

/** What the network reads in a name: the whole of it, or of the pools whose contract ends so the deepest. */
export const poolNamed = (text: string, pools: readonly Pool[]): Pool | null => {
  const name = spelledOut(text)
  const [ticker = ''] = name.split('-')
  const alike = pools.filter(({ asset }) => {
    const pool = asset.toUpperCase()
    return pool.split('-')[0] === ticker && contractIn(pool).endsWith(contractIn(name))
  })
  const whole = alike.find(({ asset }) => asset.toUpperCase() === name)
  return whole ?? alike.toSorted((a, b) => (BigInt(a.balance_rune) < BigInt(b.balance_rune) ? 1 : -1))[0] ?? null
}

/** Live state of the network, as two of its nodes tell it. Throws VenueError. */
export const createNetwork = (first: ThorNode, second: ThorNode, { routers }: ThorchainSettings, clock: Clock) => {
  const inbound = createFreshLists<readonly Inbound[]>(INBOUND, clock)
  const pools = createKeptList({ load: (signal) => first.pools(signal), clock, freshMs: POOLS_MS })

  const read = ({ chainId }: Pick<Asset, 'chainId'>, rows: readonly Inbound[]): Vault => {
    const code = codeOf({ chainId })
    const row = rows.find(({ chain }) => chain === code)
    const isPaused = rows.some((each) => each.global_trading_paused)
    if (row === undefined || isPaused || row.halted || row.chain_trading_paused || row.address === '') throw halted(code)
    const address = parseAddress(ecosystemOf(chainId), row.address)
    const router = chainId === BITCOIN ? null : parseEvmAddress(row.router ?? '')
    if (address === null) throw new VenueError('badResponse', `thorchain names no vault on ${code}`)
    // What was published does not change in silence: until the operator has looked, nobody pays there.
    demand(`thorchain lists ${code} with`, {
      'another router': chainId === BITCOIN || (routers[chainId] ?? []).some((known) => known === router),
    })
    return { address, router, outboundFee: BigInt(row.outbound_fee) }
  }

  return {
    /** As they were a minute ago: enough for a price. */
    pools: (signal: AbortSignal | null) => pools.read(signal),
    poolsNow: pools.renew,
    /** By the word of the first node: enough for a price. */
    vault: async (asset: Pick<Asset, 'chainId'>, signal: AbortSignal): Promise<Vault> =>
      read(asset, await inbound('inbound', first.inboundAddresses, signal)),
    /** By the word of both, asked for it: what is paid to a vault that is none is lost. `paidOutOn`: must not be halted either. */
    agreedVault: async (
      asset: Pick<Asset, 'chainId'>,
      signal: AbortSignal,
      paidOutOn: Pick<Asset, 'chainId'> = asset,
    ): Promise<Vault> => {
      const [one, other] = await Promise.all([first.inboundAddresses(signal), second.inboundAddresses(signal)])
      const vault = read(asset, one)
      if (!isSame(vault, read(asset, other)))
        throw new VenueError('unavailable', `thorchain: its nodes do not name the same vault on ${codeOf(asset)}`)
      for (const rows of [one, other]) read(paidOutOn, rows)
      return vault
    },
    /** The pool of an asset. Throws VenueError where there is none, or none that is traded. */
    pool: (asset: Asset, listed: readonly Pool[]): Pool => {
      const pool = listed.find((each) => isNameOf(each.asset, asset))
      if (pool === undefined)
        throw new VenueError('unsupportedPair', `thorchain has no pool of ${asset.address} on ${codeOf(asset)}`)
      if (!isTraded(pool)) throw halted(pool.asset)
      return pool
    },
    /** Tokens of the chain that are traded. */
    traded: (chainId: Asset['chainId'], listed: readonly Pool[]): readonly Address[] =>
      listed.filter(isTraded).flatMap(({ asset }) => {
        const named = assetNamed(asset)
        return named !== null && named.chainId === chainId ? [named.address] : []
      }),
  }
}

export type Network = ReturnType<typeof createNetwork>

/** Pools list decimals where they are fewer than the network's own; null where a list contradicts the chain. */
export const isDecimalsOf = ({ decimals = 0 }: Pool, asset: Asset, onChain: number): boolean =>
  isNative(asset) || decimals === 0 || decimals === onChain || (decimals >= 8 && onChain >= 8)
