import type { Address } from '../../core/address.ts'
import { type Asset, isNative } from '../../core/asset.ts'
import { rejected, VenueError } from '../venueError.ts'
import { halted } from './network.ts'
import { assetNamed, isNameOf, spelledOut } from './protocol.ts'
import { codeOf } from './published.ts'
import { type Pool, poolName, poolRow } from './wire.ts'

/** Rows of GET /thorchain/pools. An unreadable row is missing from every list, and rejects only its own asset. */
export type Pools = readonly unknown[]

const nameOf = (row: unknown): string => poolName.readOrNull(row)?.asset ?? ''

const isTraded = ({ status, trading_halted: isHalted }: Pool): boolean => status === 'Available' && !isHalted

const contractIn = (name: string): string => (name.includes('-') ? name.slice(name.indexOf('-') + 1) : '')

const depthOf = (row: unknown): bigint => BigInt(poolRow.readOrNull(row)?.balance_rune ?? 0)

/** The pool that the network finds for a name: an exact match, or the deepest pool whose contract ends with the text. */
export const poolNamed = (text: string, pools: Pools): string | null => {
  const name = spelledOut(text)
  const [ticker = ''] = name.split('-')
  const alike = pools.filter((row) => {
    const pool = nameOf(row).toUpperCase()
    return pool.split('-')[0] === ticker && contractIn(pool).endsWith(contractIn(name))
  })
  const whole = alike.find((row) => nameOf(row).toUpperCase() === name)
  const found = whole ?? alike.toSorted((a, b) => (depthOf(a) < depthOf(b) ? 1 : -1))[0]
  return found === undefined ? null : nameOf(found)
}

/** `PoolStatus` of THORNode. */
const STATUSES = ['Available', 'Staged', 'Suspended']

/**
 * The pool of an asset. Throws VenueError when it is missing, not traded, or unreadable. Each served chain has a pool of its
 * coin. A pool with an unreadable name may be of a token whose contract it contains.
 */
export const poolOf = (asset: Asset, pools: Pools): Pool => {
  const row = pools.find((each) => isNameOf(nameOf(each), asset))
  if (row === undefined) {
    const odd = pools.map(nameOf).filter((name) => assetNamed(name) === null)
    const isOdd = (name: string) => name === '' || name.toUpperCase().includes(asset.address.toUpperCase())
    if (isNative(asset) || odd.some(isOdd)) throw rejected('pool', `thorchain names no pool of ${asset.address}`, odd)
    throw new VenueError('unsupportedPair', `thorchain has no pool of ${asset.address} on ${codeOf(asset)}`)
  }
  const pool = poolRow.read(row)
  if (!STATUSES.includes(pool.status)) throw rejected('poolStatus', `${pool.asset} is in an unknown status`, pool.status)
  if (!isTraded(pool)) throw halted(pool.asset)
  return pool
}

/** The price of an asset by its pool, in dollars of eight decimals; 0 without a price. */
export const priceOf = (asset: Asset, pools: Pools): bigint =>
  BigInt(poolRow.readOrNull(pools.find((each) => isNameOf(nameOf(each), asset)))?.asset_tor_price ?? 0)

/** Tokens of the chain that are traded. */
export const tradedOn = (chainId: Asset['chainId'], pools: Pools): readonly Address[] =>
  pools.flatMap((row) => {
    const pool = poolRow.readOrNull(row)
    const named = pool !== null && isTraded(pool) ? assetNamed(pool.asset) : null
    return named !== null && named.chainId === chainId ? [named.address] : []
  })

/** Pools list decimals where they have fewer than the network; false where a list contradicts the chain. */
export const isDecimalsOf = ({ decimals = 0 }: Pool, asset: Asset, onChain: number): boolean =>
  isNative(asset) || decimals === 0 || decimals === onChain || (decimals >= 8 && onChain >= 8)
