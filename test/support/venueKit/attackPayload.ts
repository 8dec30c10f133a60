import { isDeepStrictEqual } from 'node:util'
import { hashTypedData } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { addressOf, ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import type { Execution, Hex, SignaturePayload, TypedData } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { WALLETS } from '../anOrder.ts'
import type { VenueBench } from '../venueBench.ts'
import { altered, prove, type Swap, swapOf, transactionOf } from './calls.ts'
import { countMutations, flips } from './mutations.ts'

/** An EVM account that belongs to no party of a swap. */
export const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906')
const UINT_MAX = 2n ** 256n - 1n

/** A payload taken apart: structs, lists and single values. `write(read(x))` must be `x`. */
export type Codec<T, P = string> = { read(payload: P): T; write(words: T): P }

/** A place where an altered payload differs from its own: the dotted path, both values there, and both payloads. */
type Difference<T> = { readonly path: string; readonly other: unknown; readonly was: unknown; readonly words: T; readonly own: T }

/**
 * Which differences harm no party, by their paths. `*` stands for each element of a list. The first pattern that fits decides.
 * The place of a list of another length is the list itself.
 */
export type Rules<T> = { readonly [pattern: string]: (difference: Difference<T>) => boolean }

export const any = (): boolean => true
type Amounts = { readonly other: unknown; readonly was: unknown }
const bigOf = (amount: unknown): bigint => BigInt(amount as bigint | string)
/** As much or more, for a minimum. */
export const atLeast = ({ other, was }: Amounts): boolean => bigOf(other) >= bigOf(was)

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

/** Whether a single difference harms no party. */
export const allows = <T>(
  rules: { readonly [pattern: string]: (place: Pick<Difference<T>, 'other' | 'was'>) => boolean },
  own: unknown,
  path: string,
  other: unknown,
): boolean => {
  const was = path.split('.').reduce<unknown>((part, name) => (part as { readonly [name: string]: unknown } | null)?.[name], own)
  return Object.entries(rules).some(([pattern, rule]) => fits(pattern, path) && rule({ other, was }))
}

const isHarmless = <T>(rules: Rules<T>, words: T, own: T): boolean =>
  differences(words, own).every((place) => {
    const [, rule] = Object.entries(rules).find(([pattern]) => fits(pattern, place.path)) ?? []
    return rule?.({ ...place, words, own }) === true
  })

const isSameHex = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()
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
      if (/^0x[0-9a-f]{40}$/i.test(value))
        return [STRANGER, ZERO_EVM_ADDRESS, WALLETS.evm, WALLETS.evmOther].filter((other) => !isSameHex(other, value))
      // An amount of typed data.
      if (/^\d+$/.test(value)) return otherValues(BigInt(value)).map(String)
      if (/^0x0{24}[0-9a-f]{40}$/i.test(value)) return [...[STRANGER, ZERO_EVM_ADDRESS].map(word), `0x01${value.slice(4)}`]
      if (/^0x[0-9a-f]{64}$/i.test(value)) return [`0x${'1'.repeat(64)}`, '0x', `${value}00`, `0x00${value.slice(2)}`]
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

type Attack<T, P> = {
  readonly venue: string
  readonly open: (options: { readonly settings: { readonly [name: string]: string } }) => Promise<VenueBench>
  /** A swap of each kind that the venue serves by such a payload. */
  readonly swaps: readonly Attacked[]
  readonly codec: Codec<T, P>
  readonly harmless: Rules<T>
  /** Alterations that the type of a value does not suggest; each must be refused. */
  readonly also?: (words: T, swap: Swap) => Iterable<T | P>
}

type Tried = (altered: Named, of?: Swap) => Promise<unknown>

/** One test for each swap, which must be accepted as it is and refused with every alteration that `attack` tries. */
export const attackSwaps = (
  { venue, open, swaps }: Pick<Attack<never, never>, 'venue' | 'open' | 'swaps'>,
  parts: string,
  attack: (swap: Swap, tried: Tried) => Promise<void>,
): void => {
  const count = countMutations(venue)
  const benches: VenueBench[] = []
  afterAll(() => Promise.all(benches.map((bench) => bench.close())))

  test.each(swaps)(`proof: rejects any altered ${parts} or quote: $title`, async ({ order, settings = {} }) => {
    const bench = await open({ settings })
    benches.push(bench)
    const swap = await swapOf(bench.venue, order)
    expect(await prove(bench.venue, swap)).toEqual([])
    const accepted: string[] = []
    const tried: Tried = async ([name, execution], of = swap) => count(name, await prove(bench.venue, of, execution), accepted)
    await attack(swap, tried)
    // A fee that no byte shows is taken on trust.
    const { fee } = await bench.venue.decode(swap.execution)
    for (const [name, other] of otherQuotes(swap))
      if (name !== 'another fee' || fee !== 'unproved') await tried([name, swap.execution], other)
    expect(accepted).toEqual([])
  })
}

/** What a function returns; null where it throws. */
const orNull = <R>(run: () => R): R | null => {
  try {
    return run()
  } catch {
    return null
  }
}

type CallAttack<T> = Attack<T, string> & {
  /** What a dishonest venue says beside altered data, such as its id. Unless given, what it said of the genuine data. */
  readonly fitted?: (data: string, swap: Swap) => Partial<Pick<Execution, 'venueRef' | 'evidence'>>
}

/**
 * Tests that the payload proof refuses every alteration of the venue's EVM calls. It alters each word by its type, each byte, the
 * length, the transaction and the quote. Only what `harmless` allows is left out.
 */
export const attackPayload = <T>({ codec, harmless, also = () => [], fitted = () => ({}), ...attacked }: CallAttack<T>): void =>
  attackSwaps(attacked, 'word, byte, transaction', async (swap, tried) => {
    const { data } = transactionOf(swap.execution)
    const own = codec.read(data)
    expect(codec.write(own)).toBe(data)
    const triedData = (name: string, other: string | null) =>
      other === null || other === data ? null : tried([name, altered({ ...swap.execution, ...fitted(other, swap) }, DATA, other)])
    const read = (other: string): T | null =>
      orNull(() => {
        const words = codec.read(other)
        return codec.write(words) === other ? words : null
      })

    for (const [path, value] of otherWords(own)) {
      const other = altered(own, path, value)
      if (!isHarmless(harmless, other, own))
        await triedData(
          `${path} = ${value}`,
          orNull(() => codec.write(other)),
        )
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
  })

/** What a wallet is to sign, and what the venue says about it. */
export type ToSign = Omit<SignaturePayload, 'executionType'> & Pick<Execution, 'venueRef' | 'evidence'>

const toSignOf = ({ payload, venueRef, evidence }: Execution): ToSign => {
  if (payload.executionType !== 'SIGNATURE') throw new TypeError('nothing to sign')
  const { chainId, typedData, approvalData } = payload
  return { chainId, typedData, approvalData, venueRef, evidence }
}

const toExecution = (swap: Swap, { venueRef, evidence, ...payload }: ToSign): Execution => ({
  ...swap.execution,
  ...{ venueRef, evidence, payload: { executionType: 'SIGNATURE', ...payload } },
})

const hashOf = (typedData: TypedData | null) => typedData && hashTypedData(typedData as never)

/** As by a venue that lies consistently: the hashes beside typed data are those of the altered data. Throws where it has none. */
const rehashedBy = (own: ToSign, { typedData, approvalData, ...beside }: ToSign): ToSign => {
  const pairs = [[own.typedData, typedData] as const, [own.approvalData, approvalData] as const]
  const text = pairs.reduce((was, [one, other]) => {
    const [from, to] = [hashOf(one), hashOf(other)]
    return from === null ? was : was.replaceAll(JSON.stringify(from), JSON.stringify(to))
  }, JSON.stringify(beside))
  return { typedData, approvalData, ...(JSON.parse(text) as typeof beside) }
}

/** Each field of a struct missing or null, and each struct with a field more; but for the parts of typed data and of its types. */
const otherFields = (value: unknown, path: string): readonly (readonly [path: string, other: unknown])[] => {
  if (!isStruct(value) && !Array.isArray(value)) return []
  const isSteady = Array.isArray(value) || /^(typedData|approvalData)(\.types\.\w+\.\d+)?$/.test(path)
  const parts = Object.entries(value).flatMap(([name, part]) => {
    const at = `${path}.${name}`
    return [...(isSteady ? [] : [undefined, null]).map((none) => [at, none] as const), ...otherFields(part, at)]
  })
  return isSteady ? parts : [[`${path}.more`, '1'], ...parts]
}

type SignedAttack<T> = Omit<Attack<T, ToSign>, 'codec'> & {
  /** Takes parts of the message apart as well. */
  readonly codec: Codec<T, ToSign>
  /** What the venue says about altered data. Unless given, every hash of typed data is replaced by that of the altered data. */
  readonly rehashed?: (own: ToSign, altered: ToSign) => ToSign
}

/**
 * Tests that the payload proof refuses every alteration of the data that a wallet signs. Each is tried with the hashes of the venue,
 * and again with the hashes of the altered data. It alters each word of the typed data, the approval and the evidence. It removes and
 * adds fields, removes the approval, and tries a deposit and another quote. Only what `harmless` allows is left out.
 * Harmless data is still refused by its former hash.
 */
export const attackTypedData = <T>({
  codec,
  harmless,
  also = () => [],
  rehashed = rehashedBy,
  ...attacked
}: SignedAttack<T>): void =>
  attackSwaps(attacked, 'typed data, approval, hash', async (swap, tried) => {
    const toSign = toSignOf(swap.execution)
    const own = codec.read(toSign)
    expect(codec.write(own)).toEqual(toSign)
    const triedWords = async (name: string, words: T, isAllowed = isHarmless(harmless, words, own)) => {
      const other = orNull(() => codec.write(words))
      if (other === null || isDeepStrictEqual(other, toSign)) return
      const lie = orNull(() => rehashed(toSign, other))
      const isSameHash = lie !== null && isDeepStrictEqual(lie, other)
      if (!isAllowed || !isSameHash) await tried([name, toExecution(swap, other)])
      const isSaid = isDeepStrictEqual([other.typedData, other.approvalData], [toSign.typedData, toSign.approvalData])
      if (!isAllowed && !isSameHash && !isSaid && lie !== null) await tried([`${name}, rehashed`, toExecution(swap, lie)])
    }

    const fields = (['typedData', 'approvalData', 'evidence'] as const).flatMap((name) => otherFields(toSign[name], name))
    const none = ['approvalData', 'venueRef', 'evidence'].map((name) => [name, null] as const)
    for (const [path, value] of [...otherWords(own), ...none]) await triedWords(`${path} = ${value}`, altered(own, path, value))
    for (const [path, value] of fields) await triedWords(`${path} = ${value}`, altered(own, path, value), false)
    for (const [at, other] of [...also(own, swap)].entries()) await triedWords(`alteration ${at}`, other as T, false)
    const deposit = { chainId: toSign.chainId, address: STRANGER, amount: swap.order.inputAmount }
    await tried(withPath(swap.execution, 'payload', { executionType: 'DEPOSIT', deposit }))
  })
