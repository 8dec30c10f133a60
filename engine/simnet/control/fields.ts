import { parseAddress } from '../../core/address.ts'
import { parseAmount } from '../../core/amount.ts'
import { parseAsset } from '../../core/asset.ts'
import { CHAIN_IDS, type ChainId, ecosystemOf, isChainId } from '../../core/chain.ts'
import type { SimToken, SimTokens } from '../kit/tokens.ts'
import { ControlError } from './controlError.ts'

/** A JSON object from outside. */
export type Fields = { readonly [name: string]: unknown }

export const badField = (name: string, reason: string): ControlError => new ControlError(400, `${name}: ${reason}`)

/** The body as an object holding nothing but the fields named; `others` lets further ones through. */
export const readFields = (body: unknown, allowed: readonly string[], others = false): Fields => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ControlError(400, 'body: must be a JSON object')
  const stranger = Object.keys(body).find((name) => !allowed.includes(name))
  if (stranger !== undefined && !others) throw badField(stranger, 'is not a field of this call')
  return body as Fields
}

export const readText = (fields: Fields, name: string): string => {
  const value = fields[name]
  if (typeof value !== 'string' || value === '') throw badField(name, 'must be a text')
  return value
}

export const readInteger = (fields: Fields, name: string, range: { readonly min: number; readonly max: number }): number => {
  const value = fields[name]
  if (typeof value === 'number' && Number.isInteger(value) && value >= range.min && value <= range.max) return value
  throw badField(name, `must be a whole number from ${range.min} to ${range.max}`)
}

export const readChainId = (fields: Fields): ChainId => {
  const value = fields.chainId
  if (typeof value === 'number' && isChainId(value)) return value
  throw badField('chainId', `must be one of ${CHAIN_IDS.join(', ')}, as a number`)
}

/** More than zero, in smallest units. */
export const readAmount = (fields: Fields, name: string): bigint => {
  const amount = parseAmount(fields[name])
  if (amount === null || amount === 0n) throw badField(name, 'must be a decimal text of smallest units, more than zero')
  return amount
}

/** In the canonical spelling of the chain. */
export const readAddress = (fields: Fields, name: string, chainId: ChainId): string => {
  const address = parseAddress(ecosystemOf(chainId), readText(fields, name))
  if (!address) throw badField(name, `must be an address of chain ${chainId}`)
  return address
}

/** By address, native marker or symbol, such as `ETH`. Symbols are unique on each chain. */
export const readToken = (fields: Fields, chainId: ChainId, tokens: SimTokens): SimToken => {
  const text = readText(fields, 'token')
  const asset = parseAsset(chainId, text)
  const known = tokens.all.filter((candidate) => candidate.chainId === chainId)
  const isNamed = ({ symbol }: SimToken) => symbol.toLowerCase() === text.toLowerCase()
  const token = (asset && tokens.find(chainId, asset.address)) ?? known.find(isNamed)
  if (token) return token
  const listed = known.map(({ symbol, address }) => `${address} (${symbol})`).join(', ')
  throw badField('token', `must be one of ${listed} on chain ${chainId}`)
}
