import { decodeAbiParameters, decodeFunctionData, encodeAbiParameters, encodeFunctionData, getAbiItem } from 'viem'
import type { Hex } from '../../../engine/core/execution.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { altered } from '../../support/venueKit/calls.ts'
import { ACTIONS, DEPOSITS, INSTRUCTIONS } from './abi.ts'
import table from './changes.json' with { type: 'json' }

/** The bytes of the adapter's integrator id and of Across itself, which end every calldata of a bench. */
export const TAGS = '1dc0debeef73c0de'

export type Call = { readonly target: Hex; readonly callData: Hex; readonly value: bigint }
export type Instructions = { readonly calls: readonly Call[]; readonly fallbackRecipient: Hex }

/** A value at a dotted path of names; a function is given what stood there. */
export type Change = readonly [path: string, value: unknown]

type Told = string | number | { readonly now?: number; readonly add?: Told; readonly times?: Told }

/** A value of changes.json. */
const readValue = (told: Told): unknown => {
  if (typeof told !== 'object') return /^-?\d+n$/.test(`${told}`) ? BigInt(`${told}`.slice(0, -1)) : told
  const [by] = [told.add ?? told.times ?? 0].map(readValue) as [bigint]
  if (told.now === undefined) return (was: bigint) => (told.add === undefined ? was * by : was + by)
  return START_OF_TIME / 1_000 + told.now
}

const { note: _, ...tables } = table
/** The changes of one table of changes.json. */
export const changesOf = (name: keyof typeof tables): readonly Change[] =>
  (tables[name] as unknown as readonly [string, Told][]).map(([path, told]) => [path, readValue(told)])

type Named = { readonly [name: string]: unknown }

export const word = (address: string): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

const nameOf = (functionName: string): readonly string[] =>
  getAbiItem({ abi: DEPOSITS, name: functionName as 'deposit' }).inputs.map(({ name }) => name)

/** Calldata that ends with the tags, by the names of its arguments. */
export const fieldsOf = (data: string): { readonly functionName: string; readonly fields: Named } => {
  const { functionName, args } = decodeFunctionData({ abi: DEPOSITS, data: data.slice(0, -TAGS.length) as Hex })
  return { functionName, fields: Object.fromEntries(nameOf(functionName).map((name, i) => [name, args[i]])) }
}

export const changed = (data: string, [path, value]: Change): string => {
  const { functionName, fields } = fieldsOf(data)
  const before = path.split('.').reduce<unknown>((part, name) => (part as Named)[name], fields)
  if (before === undefined) throw new TypeError(`${functionName} has no ${path}`)
  const after = altered(fields, path, typeof value === 'function' ? value(before) : value)
  const args = nameOf(functionName).map((name) => after[name])
  return `${encodeFunctionData({ abi: DEPOSITS, functionName, args } as never)}${TAGS}`
}

export const reworded = (data: string, change: (instructions: Instructions) => Instructions): string => {
  const afterwards = (message: Hex) => encodeAbiParameters(INSTRUCTIONS, [change(decodeAbiParameters(INSTRUCTIONS, message)[0])])
  return changed(data, ['message', afterwards])
}

export const action = (functionName: string, ...args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: ACTIONS, functionName, args } as never)
