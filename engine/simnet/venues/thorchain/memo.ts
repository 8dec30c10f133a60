import { parseAddress } from '../../../core/address.ts'
import { ecosystemOf } from '../../../core/chain.ts'
import { findPool, type Pool } from './networks.ts'

/** What a memo orders. The limit in eight decimals. */
export type Swap = {
  readonly pool: Pool
  readonly recipient: string
  readonly refundTo: string | null
  readonly limit: bigint
  /** Split by the network, each part with its share of the limit. */
  readonly isSplit: boolean
  readonly affiliates: readonly (readonly [name: string, bps: number])[]
}

const LIMIT = /^([0-9]+)(?:\.([0-9]+))?(?:e([0-9]{1,2}))?$/

const readLimit = (text: string): bigint | null => {
  if (text === '') return 0n
  const match = LIMIT.exec(text.toLowerCase())
  if (!match) return null
  const [, whole = '', fraction = '', power = '0'] = match
  return BigInt(whole + fraction.padEnd(Number(power), '0').slice(0, Number(power)))
}

/** Null for what the network would send back: `ParseSwapMemo` of THORNode. A quantity above one, or an interval, is not played offline. */
export const readMemo = (text: string, pools: readonly Pool[], from: number): Swap | null => {
  const fields = text.split(':')
  const [called = '', asset = '', to = '', limits = '', names = '', shares = ''] = fields
  if (text.length > 250 || fields.length > 6 || !['=', 's', 'swap'].includes(called.toLowerCase())) return null
  const pool = findPool(pools, asset)
  const [recipient = '', refundTo] = to.split('/')
  const [limit = '', interval = '0', quantity = '0'] = limits.split('/')
  const least = readLimit(limit)
  const isWhole = /^0*$/.test(interval) && /^0*1?$/.test(quantity)
  if (!pool || least === null || !isWhole) return null
  const isAddress = (chainId: number, address: string) => parseAddress(ecosystemOf(chainId as never), address) !== null
  if (!isAddress(pool.network.chainId, recipient) || (refundTo !== undefined && !isAddress(from, refundTo))) return null
  const [all, bps] = [names.split('/').filter(Boolean), shares.split('/').filter(Boolean)]
  if (all.length !== bps.length || bps.some((share) => !/^[0-9]{1,4}$/.test(share))) return null
  return {
    ...{ pool, recipient, refundTo: refundTo ?? null, limit: least, isSplit: /^0*$/.test(quantity) },
    affiliates: all.map((name, i) => [name, Number(bps[i])] as const),
  }
}
