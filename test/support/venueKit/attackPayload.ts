import { afterAll, expect, test } from 'vitest'
import { addressOf, ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import type { Execution, Hex } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { WALLETS } from '../anOrder.ts'
import type { VenueBench } from '../venueBench.ts'
import { altered, prove, type Swap, swapOf, transactionOf } from './calls.ts'
import { countMutations, flips } from './mutations.ts'

/** An EVM account that belongs to no party of a swap. */
export const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906')
const UINT_MAX = 2n ** 256n - 1n

/** A payload taken apart: structs, lists and single values. `write(read(x))` must be `x`. */
export type Codec<T> = { read(data: string): T; write(words: T): string }

/** A place where an altered payload differs from its own: the dotted path, both values there, and both payloads. */
type Difference<T> = { readonly path: string; readonly other: unknown; readonly was: unknown; readonly words: T; readonly own: T }

/**
 * Which differences harm no party, by their paths: `*` stands for each element of a list, and the first pattern that fits decides.
 * The place of a list of another length is the list itself.
 */
export type Rules<T> = { readonly [pattern: string]: (difference: Difference<T>) => boolean }

export const any = (): boolean => true
/** As much or more, for a minimum. */
export const atLeast = ({ other, was }: Pick<Difference<unknown>, 'other' | 'was'>): boolean =>
  (other as bigint) >= (was as bigint)

const isStruct = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Where two payloads differ. */
const differences = (other: unknown, was: unknown, path = ''): readonly Omit<Difference<unknown>, 'words' | 'own'>[] => {
  const isList = Array.isArray(other) && Array.isArray(was) && other.length === was.length
  if (!isList && !(isStruct(other) && isStruct(was))) return Object.is(other, was) ? [] : [{ path, other, was }]
  const [others, own] = [other, was] as readonly { readonly [name: string]: unknown }[]
  const names = new Set([...Object.keys(others ?? {}), ...Object.keys(own ?? {})])
  return [...names].flatMap((name) => differences(others?.[name], own?.[name], path === '' ? name : `${path}.${name}`))
}

export const fits = (pattern: string, path: string): boolean => {
  const [parts, names] = [pattern.split('.'), path.split('.')]
  return parts.length === names.length && parts.every((part, at) => part === '*' || part === names[at])
}

const isHarmless = <T>(rules: Rules<T>, words: T, own: T): boolean =>
  differences(words, own).every((place) => {
    const [, rule] = Object.entries(rules).find(([pattern]) => fits(pattern, place.path)) ?? []
    return rule?.({ ...place, words, own }) === true
  })

const word = (address: string): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

/** Other values of a single word, each in a way that would be a gain of somebody else. */
const otherValues = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) {
    const [first, ...rest] = value
    if (first === undefined) return []
    return [[], rest, [...value, value.at(-1)], ...(value.length > 1 ? [value.toReversed()] : [])]
  }
  switch (typeof value) {
    case 'bigint':
      return [0n, 1n, value - 1n, value + 1n, value / 2n, value / 10n, value * 2n, value * 10n, UINT_MAX]
    case 'number':
      return [0, 1, value - 1, value + 1, value * 2]
    case 'boolean':
      return [!value]
    case 'string':
      if (/^0x[0-9a-f]{40}$/i.test(value)) return [STRANGER, ZERO_EVM_ADDRESS, WALLETS.evm, WALLETS.evmOther]
      if (/^0x0{24}[0-9a-f]{40}$/i.test(value)) return [...[STRANGER, ZERO_EVM_ADDRESS].map(word), `0x01${value.slice(4)}`]
      return value.startsWith('0x') ? ['0x', `${value}00`, `0x00${value.slice(2)}`] : ['', `${value} `]
    default:
      return []
  }
}

/** Every single value and list of a payload, with the values to try there. */
export const otherWords = (value: unknown, path = ''): readonly (readonly [path: string, other: unknown])[] => {
  const parts = Array.isArray(value) || isStruct(value) ? Object.entries(value) : []
  const own = isStruct(value) ? [] : otherValues(value).map((other) => [path, other] as const)
  return [...own, ...parts.flatMap(([name, part]) => otherWords(part, path === '' ? name : `${path}.${name}`))]
}

type Named = readonly [name: string, altered: Execution]
const withPath = (execution: Execution, path: string, value: unknown): Named => [
  `${path} = ${value}`,
  altered(execution, path, value),
]
const DATA = 'payload.transaction.data'

/** The transaction around the call: another target, value, chain, form or function. */
const otherTransactions = ({ order, execution }: Swap): readonly Named[] => {
  const { data, value, chainId } = transactionOf(execution)
  const changes = {
    to: [STRANGER, WALLETS.evm],
    value: [value + 1n, value === 0n ? 10n ** 18n : 0n],
    chainId: [10, 8453, 42161].filter((other) => other !== chainId),
    serialized: [data],
    data: [`${data}00`, `${data}${'ab'.repeat(32)}`, data.slice(0, -2), data.slice(0, -1), '0x', data.slice(0, 10)],
  }
  const deposit = { executionType: 'DEPOSIT', deposit: { chainId, address: STRANGER, amount: order.inputAmount } }
  return [
    ...Object.entries(changes).flatMap(([field, values]) =>
      values.map((other) => withPath(execution, `payload.transaction.${field}`, other)),
    ),
    withPath(execution, 'payload', deposit),
  ]
}

/** The same payload beside another quote or for another recipient. */
const otherQuotes = (swap: Swap): readonly (readonly [name: string, other: Swap])[] => [
  ['another spender', altered(swap, 'offer.spender', STRANGER)],
  ['another fee', altered(swap, 'offer.fee.bps', swap.offer.fee.bps + 1)],
  ['another minimum', altered(swap, 'offer.slippage.guaranteedMin', swap.offer.outputAmount * 2n)],
  ['another recipient', altered(swap, 'binding.recipient', STRANGER)],
]

export type Attacked = {
  readonly title: string
  readonly order: VenueOrder
  readonly settings?: { readonly [name: string]: string }
}

export type Attack<T> = {
  readonly venue: string
  readonly open: (options: { readonly settings: { readonly [name: string]: string } }) => Promise<VenueBench>
  /** A swap of each kind that the venue serves by an EVM call. */
  readonly swaps: readonly Attacked[]
  readonly codec: Codec<T>
  readonly harmless: Rules<T>
  /** Alterations that the type of a value does not suggest; each must be refused. */
  readonly also?: (words: T, swap: Swap) => Iterable<T | string>
}

/**
 * Tests that the payload proof refuses every alteration of the venue's EVM calls: each word set to values that somebody could gain
 * by, each byte, calls that are cut or longer, another transaction and another quote. Only what `harmless` allows is left out.
 */
export const attackPayload = <T>({ venue, open, swaps, codec, harmless, also = () => [] }: Attack<T>): void => {
  const count = countMutations(venue)
  const benches: VenueBench[] = []
  afterAll(() => Promise.all(benches.map((bench) => bench.close())))

  test.each(swaps)('proof: rejects any altered word, byte, transaction or quote: $title', async ({ order, settings = {} }) => {
    const bench = await open({ settings })
    benches.push(bench)
    const swap = await swapOf(bench.venue, order)
    expect(await prove(bench.venue, swap)).toEqual([])
    const { data } = transactionOf(swap.execution)
    const own = codec.read(data)
    expect(codec.write(own)).toBe(data)
    const accepted: string[] = []
    const tried = async ([name, execution]: Named, of = swap) => count(name, await prove(bench.venue, of, execution), accepted)
    const triedData = (name: string, other: string | null) =>
      other === null || other === data ? null : tried([name, altered(swap.execution, DATA, other)])
    const write = (words: T): string | null => {
      try {
        return codec.write(words)
      } catch {
        return null
      }
    }
    const read = (other: string): T | null => {
      try {
        const words = codec.read(other)
        return codec.write(words) === other ? words : null
      } catch {
        return null
      }
    }

    for (const [path, value] of otherWords(own)) {
      const other = altered(own, path, value)
      if (!isHarmless(harmless, other, own)) await triedData(`${path} = ${value}`, write(other))
    }
    for (const [at, other] of [...also(own, swap)].entries())
      await triedData(`alteration ${at}`, typeof other === 'string' ? other : codec.write(other))

    const bytes = flips(Buffer.from(data.slice(2), 'hex')).map((flipped) => `0x${Buffer.from(flipped).toString('hex')}`)
    const harmful = bytes.filter((other) => {
      const words = read(other)
      return words === null || !isHarmless(harmless, words, own)
    })
    expect(harmful.length).toBeGreaterThan(bytes.length / 2)
    for (const other of harmful) await triedData(`byte ${bytes.indexOf(other)}`, other)

    for (const other of otherTransactions(swap)) await tried(other)
    for (const [name, other] of otherQuotes(swap)) await tried([name, swap.execution], other)
    expect(accepted).toEqual([])
  })
}
