import { formatUnits } from 'viem'
import type { Token } from '../client/wire.ts'

/** Prints lines; an empty one when called without. */
export type Say = (line?: string) => void

/** Prints one fact about the swap under way. */
export type Tell = (name: string, value: string) => void

export const tellBy =
  (say: Say): Tell =>
  (name, value) =>
    say(`   ${name.padEnd(10)} ${value}`)

export const inCoins = (amount: string | bigint, { decimals, symbol }: Pick<Token, 'decimals' | 'symbol'>): string =>
  `${formatUnits(BigInt(amount), decimals)} ${symbol}`
