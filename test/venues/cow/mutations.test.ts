import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keccakText } from '../../../engine/chains/evm/evmCodec.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import type { Json } from '../../../engine/core/json.ts'
import { wordOf } from '../../../engine/simnet/kit/abiWords.ts'
import { START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import { altered, prove, type Swap, swapOf, transactionOf, typedDataOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import table from './mutations.json' with { type: 'json' }
import { type Body, etherToUsdc, openBench, SETTLEMENT, STRANGER, usdcToWeth, VAULT_RELAYER } from './support.ts'

let bench: VenueBench
let signed: Swap
let native: Swap
beforeEach(async () => {
  bench = await openBench()
  signed = await swapOf(bench.venue, usdcToWeth())
  native = await swapOf(bench.venue, etherToUsdc())
})
afterEach(() => bench.close())

const refuses = countMutations('cow')

/** The altered execution must be refused, and for the reason given. */
const expectRefused = async (swap: Swap, execution: Execution, reason: RegExp | string, now?: number): Promise<void> => {
  expect(refuses(String(reason), await prove(bench.venue, swap, execution, now)).join('; ')).toMatch(new RegExp(reason))
}

const NOW_S = START_OF_TIME / 1_000
const VALID_TO = NOW_S + 1_800
const MESSAGE = 'payload.typedData.message'
const TRANSACTION = 'payload.transaction'

/** One word of the argument of `createOrder` replaced. */
const withWord = (execution: Execution, index: number, value: string | bigint): Execution => {
  const { data } = transactionOf(execution)
  const at = 10 + index * 64
  return altered(execution, `${TRANSACTION}.data`, `${data.slice(0, at)}${wordOf(value)}${data.slice(at + 64)}`)
}

/** App data whose hash is signed, as by a venue that lies consistently. */
const withDocument = (execution: Execution, text: string): Execution => {
  const told = altered(execution, 'evidence.appData', text)
  const hash = keccakText(text)
  return execution.payload.executionType === 'SIGNATURE' ? altered(told, `${MESSAGE}.appData`, hash) : withWord(told, 4, hash)
}

const documentOf = ({ evidence }: Execution): string => (evidence as { appData: string }).appData

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]))
}

/** Field, value and what the refusal must say. */
type Row = readonly [field: string, value: Json, reason: string]
/** Of documents a value that is left out takes the field away. */
const MUTATIONS = table as unknown as {
  readonly documents: [what: string, path: string, reason: string, value?: Json][]
  readonly message: Row[]
  readonly domain: Row[]
  readonly words: [field: string, index: number, value: string, reason: string][]
  readonly call: [what: string, field: string, value: Json, reason: string][]
}
/** Digits with an n are a bigint. */
const asValue = (value: Json): unknown => (/^\d+n$/.test(String(value)) ? BigInt(String(value).slice(0, -1)) : value)

describe.each([
  ['a signed order', () => signed],
  ['a native order', () => native],
] as const)('proof: %s', (_kind, swapped) => {
  test('is accepted unaltered', async () => {
    expect(await prove(bench.venue, swapped())).toEqual([])
  })

  test.each(MUTATIONS.documents)('is rejected with app data of %s and a matching hash', async (_name, path, reason, value) => {
    const { execution } = swapped()
    const text = JSON.stringify(sorted(altered(JSON.parse(documentOf(execution)) as Body, path, value)))
    await expectRefused(swapped(), withDocument(execution, text), reason)
  })

  test.each<[string, Json]>([
    ['none', null],
    ['another version', { v: 2, appData: '{}', quoteId: 1 }],
    ['a document that is not the one named', { v: 1, appData: '{}', quoteId: 120_000_001 }],
  ])('is rejected with evidence: %s', async (_name, evidence) => {
    await expectRefused(swapped(), { ...swapped().execution, evidence }, /undecodable/)
  })
})

describe('proof: a signed CoW order', () => {
  test.each(MUTATIONS.message)('is rejected with another %s: %j', async (field, value, reason) => {
    await expectRefused(signed, altered(signed.execution, `${MESSAGE}.${field}`, value), reason)
  })

  test('is rejected with a minimum one unit lower', async () => {
    const minimum = signed.offer.slippage?.guaranteedMin ?? 0n
    const lower = altered(signed.execution, `${MESSAGE}.buyAmount`, (minimum - 1n).toString())
    await expectRefused(signed, lower, /^output.minimum$/)
  })

  test.each(MUTATIONS.domain)('is rejected with another %s of its domain: %j', async (field, value, reason) => {
    await expectRefused(signed, altered(signed.execution, `payload.typedData.domain.${field}`, value), reason)
  })

  test('is rejected with other types', async () => {
    const { types } = typedDataOf(signed.execution)
    const fields = types['Order'] ?? []
    for (const [place, value] of [
      ['primaryType', 'Permit'],
      ['types.Permit', []],
      ['types.Order', fields.map((field) => (field.name === 'receiver' ? { ...field, type: 'uint160' } : field))],
      ['types.Order', [...fields].reverse()],
      ['types.Order', fields.slice(1)],
      ['types', {}],
    ] as const)
      await expectRefused(signed, altered(signed.execution, `payload.typedData.${place}`, value), /types/)
  })

  test('is rejected on another chain than its domain, and with a second message to sign', async () => {
    const { execution } = signed
    await expectRefused(signed, altered(execution, 'payload.chainId', 8453), /chainId/)
    await expectRefused(signed, altered(execution, 'payload.approvalData', typedDataOf(execution)), /approvalData/)
  })

  test('is rejected with a document that states the fee twice', async () => {
    const fee = `"partnerFee":{"recipient":"${STRANGER}","volumeBps":99},"partnerFee":`
    const twice = documentOf(signed.execution).replace('"partnerFee":', fee)
    await expectRefused(signed, withDocument(signed.execution, twice), /app data/)
  })

  test('is rejected with another spender, after its deadline, and in place of a native order', async () => {
    for (const spender of [SETTLEMENT, null])
      await expectRefused(altered(signed, 'offer.spender', spender), signed.execution, /^spender$/)
    await expectRefused(signed, signed.execution, /^deadline$/, VALID_TO * 1_000)
    await expectRefused(native, signed.execution, /executionType/)
  })
})

describe('proof: a native CoW order', () => {
  test.each(MUTATIONS.words)('is rejected with another %s, word %i: %s', async (_field, index, value, reason) => {
    await expectRefused(native, withWord(native.execution, index, value), reason)
  })

  test('is rejected with a fee from the input', async () => {
    const execution = withWord(withWord(native.execution, 5, 10n ** 17n), 2, 9n * 10n ** 17n)
    await expectRefused(native, execution, /input.amount.*feeAmount/)
  })

  test.each(MUTATIONS.call)('is rejected with %s', async (_name, field, value, reason) => {
    await expectRefused(native, altered(native.execution, `${TRANSACTION}.${field}`, asValue(value)), reason)
  })

  test.each<[string, (data: string) => string]>([
    ['bytes after the call', (data) => `${data}00`],
    ['a word after the call', (data) => `${data}${'0'.repeat(64)}`],
    ['set padding bits of an address', (data) => `${data.slice(0, 10)}01${data.slice(12)}`],
    ['another function', (data) => data.replace('0x322bba21', '0x7bc41b96')],
    ['a truncated call', (data) => data.slice(0, -2)],
  ])('is rejected with %s', async (_name, change) => {
    const data = change(transactionOf(native.execution).data)
    await expectRefused(native, altered(native.execution, `${TRANSACTION}.data`, data), /undecodable/)
  })

  test('is rejected with a spender, and in place of a signed order', async () => {
    await expectRefused(altered(native, 'offer.spender', VAULT_RELAYER), native.execution, /^spender$/)
    await expectRefused(signed, native.execution, /executionType/)
  })
})
