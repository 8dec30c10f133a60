import { hexToBytes } from '@noble/hashes/utils.js'
import { type Address, parseBitcoinAddress } from '../../core/address.ts'
import { NATIVE } from '../../core/asset.ts'
import { parseTransactionId, type TransactionId } from '../../core/transactionId.ts'
import type { Movement } from '../seen.ts'
import { dataOf } from './bitcoinScripts.ts'
import { notAsDocumented } from './esplora.ts'

/** A transaction in a block, with the time of its block, epoch ms. The miner sets that time, hours off at most. */
export type MinedTransaction = {
  readonly hash: TransactionId
  readonly height: number
  readonly at: number
  readonly movements: readonly Movement[]
  /** As in SeenTransaction. */
  readonly notes: readonly Uint8Array[]
}

type Output = { readonly address: Address | null; readonly value: bigint }

type RawOutput = { readonly scriptpubkey?: unknown; readonly scriptpubkey_address?: unknown; readonly value?: unknown }
type RawInput = { readonly is_coinbase?: unknown; readonly prevout?: RawOutput | null }
type Raw = {
  readonly txid?: unknown
  readonly vin?: unknown
  readonly vout?: unknown
  readonly status?: { readonly confirmed?: unknown; readonly block_height?: unknown; readonly block_time?: unknown }
}

export const wholeOf = (value: unknown): number => {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw notAsDocumented()
  return value as number
}

/** Some scripts have no address: notes, bare keys, kinds to come. */
const readOutput = (raw: RawOutput | null | undefined): Output => {
  const { scriptpubkey_address: text, value } = raw ?? {}
  return { address: typeof text === 'string' ? parseBitcoinAddress(text) : null, value: BigInt(wholeOf(value)) }
}

/** A note is the data pushed after OP_RETURN; a script with other operations has no note. */
const readNotes = (outputs: readonly (RawOutput | null)[]): readonly Uint8Array[] =>
  outputs.flatMap((output) => {
    const script = output?.scriptpubkey
    const isHex = typeof script === 'string' && /^6a(?:[0-9a-f]{2})*$/.test(script)
    return (isHex ? dataOf(hexToBytes(script)) : null) ?? []
  })

/** Newly mined coins have no previous owner. */
const readSpent = ({ is_coinbase: isCoinbase, prevout }: RawInput): readonly Output[] =>
  isCoinbase === true ? [] : [readOutput(prevout)]

const sumTo = (outputs: readonly Output[], to: Address): bigint =>
  outputs.reduce((sum, { address, value }) => (address === to ? sum + value : sum), 0n)

/** One movement for each output. An address that spent too gets one, less its inputs, in the place of its largest output. */
const movementsOf = (spent: readonly Output[], outputs: readonly Output[]): readonly Movement[] => {
  const all = outputs.flatMap(({ address, value }, index): readonly Movement[] =>
    address === null || value === 0n ? [] : [{ place: `output:${index}`, token: NATIVE, from: null, to: address, amount: value }],
  )
  const spenders = new Set(spent.flatMap(({ address }) => address ?? []))
  return all.flatMap((movement) => {
    const { to } = movement
    if (!spenders.has(to)) return [movement]
    const [largest] = all.filter((each) => each.to === to).toSorted((a, b) => (a.amount < b.amount ? 1 : -1))
    const left = sumTo(outputs, to) - sumTo(spent, to)
    return movement === largest && left > 0n ? [{ ...movement, amount: left }] : []
  })
}

/** Null while it is in no block. Throws EndpointError for an undocumented answer. */
export const readMined = (body: unknown): MinedTransaction | null => {
  const { txid, vin, vout, status } = (body ?? {}) as Raw
  const hash = typeof txid === 'string' ? parseTransactionId(-1, txid) : null
  if (hash === null || !Array.isArray(vin) || !Array.isArray(vout) || typeof status?.confirmed !== 'boolean')
    throw notAsDocumented()
  if (!status.confirmed) return null
  const spent = (vin as readonly (RawInput | null)[]).flatMap((input) => readSpent(input ?? {}))
  const outputs = (vout as readonly (RawOutput | null)[]).map(readOutput)
  const block = { height: wholeOf(status.block_height), at: wholeOf(status.block_time) * 1_000 }
  return { hash, ...block, movements: movementsOf(spent, outputs), notes: readNotes(vout as readonly (RawOutput | null)[]) }
}
