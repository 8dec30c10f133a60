import type { Address } from '../../../engine/core/address.ts'
import { assetOf, WALLETS } from '../../support/anOrder.ts'
import type { Answers } from './evidenceBench.ts'

export const USDC = assetOf(1, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48')
export const DAI = assetOf(1, '0x6B175474E89094C44Da98b954EedeAC495271d0F')
export const payee: Address = WALLETS.evm

export const hex = (value: number | bigint): string => `0x${value.toString(16)}`
const digits = (value: bigint | string): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).toLowerCase().padStart(64, '0')
/** ABI words, one after the other. */
export const word = (...values: readonly (bigint | string)[]): string => `0x${values.map(digits).join('')}`
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
export const BLOCK_SECONDS = 12
/** How much earlier than by our clock an EVM chain may date its blocks. */
export const APART_MS = 300_000

export const blockHash = (height: number, fork = 'a'): string => `0x${fork.repeat(8)}${height.toString(16).padStart(56, '0')}`
/** Epoch ms. */
export const timeOf = (height: number): number => 1_000_000_000_000 + height * BLOCK_SECONDS * 1_000

export const block = (height: number, rest: object = {}) => ({
  number: hex(height),
  hash: blockHash(height),
  timestamp: hex(timeOf(height) / 1_000),
  miner: `0x${'99'.repeat(20)}`,
  transactions: [],
  ...rest,
})

/** An honest node as far as its head. */
export const node = ({
  head = 200,
  finalized = 150,
  ...rest
}: { head?: number; finalized?: number | null } & Answers = {}): Answers => ({
  eth_getBlockByNumber: (where: string) => {
    if (where === 'latest') return block(head)
    if (where === 'finalized') return finalized === null ? null : block(finalized)
    return Number(where) > head ? null : block(Number(where))
  },
  ...rest,
})
