import { encodeFunctionData, parseAbi } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keccakText } from '../../../engine/chains/evm/evmCodec.ts'
import type { Amount } from '../../../engine/core/amount.ts'
import type { Execution, Hex, TypedData, WalletTransaction } from '../../../engine/core/execution.ts'
import type { Json } from '../../../engine/core/json.ts'
import type { ExecutedSwap } from '../../../engine/core/swap.ts'
import { provePayload } from '../../../engine/execution/payloadProof.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import { swapOf, transactionOf, typedDataOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import {
  ETH_FLOW,
  etherToUsdc,
  FEE_RECIPIENT,
  openBench,
  SETTLEMENT,
  STRANGER,
  USDC,
  usdcToWeth,
  VAULT_RELAYER,
  WETH,
} from './support.ts'

let bench: VenueBench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const refuses = countMutations('cow')

const prove = ({ order, offer, binding }: ExecutedSwap, execution: Execution, now = START_OF_TIME): Promise<readonly string[]> =>
  provePayload(bench.venue, execution, { sealed: { order, offer }, binding, now })

/** The altered execution must be refused, and for the reason given. */
const expectRefused = async (swap: ExecutedSwap, altered: Execution, reason: RegExp, now?: number): Promise<void> => {
  expect(refuses(String(reason), await prove(swap, altered, now)).join('; ')).toMatch(reason)
}

const VALID_TO = START_OF_TIME / 1_000 + 1_800

type Document = { appCode?: Json; version?: Json; metadata: { [key: string]: Json } }

const documentOf = ({ evidence }: Execution): Document => JSON.parse((evidence as { appData: string }).appData) as Document

/** App data that verifies against its hash, and says something else than was quoted. */
const DOCUMENTS: readonly (readonly [string, (document: Document) => unknown, RegExp])[] = [
  [
    'another fee recipient',
    (d) => ({ ...d, metadata: { ...d.metadata, partnerFee: { recipient: STRANGER, volumeBps: 30 } } }),
    /^fee.recipient$/,
  ],
  [
    'a higher fee',
    (d) => ({ ...d, metadata: { ...d.metadata, partnerFee: { recipient: FEE_RECIPIENT, volumeBps: 31 } } }),
    /^fee.amount$/,
  ],
  [
    'a fee that would be clipped',
    (d) => ({ ...d, metadata: { ...d.metadata, partnerFee: { recipient: FEE_RECIPIENT, volumeBps: 300 } } }),
    /partnerFee/,
  ],
  [
    'a second fee',
    (d) => ({
      ...d,
      metadata: { ...d.metadata, partnerFee: [d.metadata['partnerFee'], { recipient: STRANGER, volumeBps: 30 }] },
    }),
    /partnerFee/,
  ],
  [
    'a share of the surplus',
    (d) => ({ ...d, metadata: { ...d.metadata, partnerFee: { recipient: FEE_RECIPIENT, volumeBps: 30, surplusBps: 5_000 } } }),
    /partnerFee/,
  ],
  ['no fee at all', (d) => ({ ...d, metadata: { orderClass: d.metadata['orderClass'], quote: d.metadata['quote'] } }), /^fee$/],
  [
    'hooks',
    (d) => ({ ...d, metadata: { hooks: { pre: [{ target: STRANGER, callData: '0x', gasLimit: '1' }] }, ...d.metadata } }),
    /metadata.hooks/,
  ],
  [
    'an order it replaces',
    (d) => ({ ...d, metadata: { ...d.metadata, replacedOrder: { uid: '0x00' } } }),
    /metadata.replacedOrder/,
  ],
  ['another signer', (d) => ({ ...d, metadata: { ...d.metadata, signer: STRANGER } }), /metadata.signer/],
  [
    'a part for the backend',
    (d) => ({ appCode: d.appCode, backend: {}, metadata: d.metadata, version: d.version }),
    /app data backend/,
  ],
  ['no metadata', (d) => ({ appCode: d.appCode, version: d.version }), /app data/],
  ['no document', () => [], /app data/],
]

/** Replaces document and hash together, as a venue that lies consistently would. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  )
}

const withEvidence = (execution: Execution, appData: string): Execution => ({
  ...execution,
  evidence: { ...(execution.evidence as { [key: string]: Json }), appData },
})

describe('a signed order', () => {
  const withTypedData = (execution: Execution, change: (typedData: TypedData) => TypedData): Execution => {
    const typedData = change(typedDataOf(execution))
    return { ...execution, payload: { executionType: 'SIGNATURE', chainId: 1, approvalData: null, typedData } }
  }
  const withMessage = (execution: Execution, change: { [field: string]: Json }): Execution =>
    withTypedData(execution, (typedData) => ({ ...typedData, message: { ...typedData.message, ...change } }))

  test('unaltered is proved', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    expect(await prove(swap, swap.execution)).toEqual([])
  })

  test.each<[string, { [field: string]: Json }, RegExp]>([
    ['sellToken', { sellToken: WETH }, /^input.token$/],
    ['buyToken', { buyToken: USDC }, /^output.token$/],
    ['receiver', { receiver: STRANGER }, /^recipient$/],
    ['receiver, left out', { receiver: '0x0000000000000000000000000000000000000000' }, /receiver/],
    ['receiver, no address', { receiver: '0x12' }, /undecodable/],
    ['sellAmount, up', { sellAmount: '1000000001' }, /^input.amount$/],
    ['sellAmount, down', { sellAmount: '999999999' }, /^input.amount$/],
    ['buyAmount, down by one', { buyAmount: 'MINIMUM-1' }, /^output.minimum$/],
    ['buyAmount, no integer', { buyAmount: '0x10' }, /undecodable/],
    ['validTo, past', { validTo: START_OF_TIME / 1_000 }, /^deadline$/],
    ['validTo, too far', { validTo: START_OF_TIME / 1_000 + 3_601 }, /^deadline$/],
    ['validTo, no number', { validTo: String(VALID_TO) }, /undecodable/],
    ['appData', { appData: `0x${'1'.repeat(64)}` }, /undecodable.*app data/],
    ['feeAmount', { feeAmount: '1' }, /feeAmount/],
    ['kind', { kind: 'buy' }, /kind/],
    ['partiallyFillable', { partiallyFillable: true }, /partiallyFillable/],
    ['sellTokenBalance', { sellTokenBalance: 'external' }, /sellTokenBalance/],
    ['buyTokenBalance', { buyTokenBalance: 'internal' }, /buyTokenBalance/],
    ['a field more', { note: 'x' }, /undecodable/],
  ])('is refused with another %s', async (_field, change, reason) => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    const minimum = swap.offer.slippage?.guaranteedMin ?? 0n
    const real = Object.fromEntries(
      Object.entries(change).map(([field, value]) => [field, value === 'MINIMUM-1' ? (minimum - 1n).toString() : value]),
    )
    await expectRefused(swap, withMessage(swap.execution, real), reason)
  })

  test.each<[string, Partial<TypedData['domain']>, RegExp]>([
    ['name', { name: 'Gnosis Protoco1' }, /domain/],
    ['version', { version: 'v3' }, /domain/],
    ['chain', { chainId: 8453 }, /chain/],
    ['chain we do not know', { chainId: 5 }, /undecodable/],
    ['contract', { verifyingContract: STRANGER }, /contract/],
    ['published contract that is not the settlement', { verifyingContract: ETH_FLOW }, /verifyingContract/],
    ['spelling of the contract', { verifyingContract: SETTLEMENT.toLowerCase() }, /verifyingContract/],
    ['salt', { salt: `0x${'1'.repeat(64)}` }, /domain/],
  ])('is refused with another domain %s', async (_field, change, reason) => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    await expectRefused(
      swap,
      withTypedData(swap.execution, (t) => ({ ...t, domain: { ...t.domain, ...change } })),
      reason,
    )
  })

  test.each<[string, (typedData: TypedData) => TypedData]>([
    ['another primary type', (t) => ({ ...t, primaryType: 'Permit', types: { ...t.types } })],
    ['a second type', (t) => ({ ...t, types: { ...t.types, Permit: [] } })],
    [
      'a field of another type',
      (t) => ({
        ...t,
        types: { Order: t.types['Order']?.map((f) => (f.name === 'receiver' ? { ...f, type: 'uint160' } : f)) ?? [] },
      }),
    ],
    ['two fields exchanged', (t) => ({ ...t, types: { Order: [...(t.types['Order'] ?? [])].reverse() } })],
    ['a field less', (t) => ({ ...t, types: { Order: t.types['Order']?.slice(1) ?? [] } })],
    ['no types', (t) => ({ ...t, types: {} })],
  ])('is refused with %s', async (_name, change) => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    await expectRefused(swap, withTypedData(swap.execution, change), /types/)
  })

  test('is refused on another chain than its domain’s, and with a second message to sign', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    const typedData = typedDataOf(swap.execution)
    const payload = { executionType: 'SIGNATURE', chainId: 1, typedData, approvalData: null } as const
    await expectRefused(swap, { ...swap.execution, payload: { ...payload, chainId: 8453 } }, /chainId/)
    await expectRefused(swap, { ...swap.execution, payload: { ...payload, approvalData: typedData } }, /approvalData/)
  })

  test.each(DOCUMENTS)('is refused with app data of %s, though the hash is right', async (_name, change, reason) => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    const text = JSON.stringify(sorted(change(documentOf(swap.execution))))
    const altered = withEvidence(withMessage(swap.execution, { appData: keccakText(text) }), text)
    await expectRefused(swap, altered, reason)
  })

  test('is refused with a document that says the fee twice', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    const { appData } = swap.execution.evidence as { appData: string }
    const twice = appData.replace('"partnerFee":', `"partnerFee":{"recipient":"${STRANGER}","volumeBps":99},"partnerFee":`)
    await expectRefused(swap, withEvidence(withMessage(swap.execution, { appData: keccakText(twice) }), twice), /app data/)
  })

  test.each<[string, Json]>([
    ['none', null],
    ['another version', { v: 2, appData: '{}', quoteId: 1 }],
    ['a document that is not the one signed', { v: 1, appData: '{}', quoteId: 1 }],
  ])('is refused with evidence: %s', async (_name, evidence) => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    await expectRefused(swap, { ...swap.execution, evidence }, /undecodable/)
  })

  test('is refused when another spender was quoted, and when its time has come', async () => {
    const swap = await swapOf(bench.venue, usdcToWeth())
    await expectRefused(
      { ...swap, offer: { ...swap.offer, spender: SETTLEMENT as typeof STRANGER } },
      swap.execution,
      /^spender$/,
    )
    await expectRefused({ ...swap, offer: { ...swap.offer, spender: null } }, swap.execution, /^spender$/)
    await expectRefused(swap, swap.execution, /^deadline$/, VALID_TO * 1_000)
  })

  test('is refused in place of a native order', async () => {
    const native = await swapOf(bench.venue, etherToUsdc())
    const { execution } = await swapOf(bench.venue, usdcToWeth())
    await expectRefused(native, execution, /executionType/)
  })
})

describe('a native order', () => {
  const ABI = parseAbi([
    'struct Data { address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; bytes32 appData; uint256 feeAmount; uint32 validTo; bool partiallyFillable; int64 quoteId; }',
    'function createOrder(Data order) payable returns (bytes32)',
  ])

  type Fields = {
    buyToken: Hex
    receiver: Hex
    sellAmount: bigint
    buyAmount: bigint
    appData: Hex
    feeAmount: bigint
    validTo: number
    partiallyFillable: boolean
    quoteId: bigint
  }

  const fieldsOf = (swap: ExecutedSwap): Fields => ({
    buyToken: USDC,
    receiver: WALLETS.evmOther as Hex,
    sellAmount: 10n ** 18n,
    buyAmount: swap.execution.slippage?.guaranteedMin ?? 0n,
    appData: keccakText((swap.execution.evidence as { appData: string }).appData),
    feeAmount: 0n,
    validTo: VALID_TO,
    partiallyFillable: false,
    quoteId: BigInt((swap.execution.evidence as { quoteId: number }).quoteId),
  })

  const withTransaction = (execution: Execution, change: Partial<WalletTransaction>): Execution => ({
    ...execution,
    payload: { executionType: 'TRANSACTION', transaction: { ...transactionOf(execution), ...change } },
  })

  const withFields = (swap: ExecutedSwap, change: Partial<Fields>): Execution =>
    withTransaction(swap.execution, {
      data: encodeFunctionData({ abi: ABI, functionName: 'createOrder', args: [{ ...fieldsOf(swap), ...change }] }),
    })

  test('unaltered is proved, and is what this test’s own encoder makes', async () => {
    const swap = await swapOf(bench.venue, etherToUsdc())
    expect(withFields(swap, {})).toEqual(swap.execution)
    expect(await prove(swap, swap.execution)).toEqual([])
  })

  test.each<[string, Partial<Fields>, RegExp]>([
    ['buyToken', { buyToken: WETH }, /^output.token$/],
    ['receiver', { receiver: STRANGER as Hex }, /^recipient$/],
    ['receiver, left out', { receiver: '0x0000000000000000000000000000000000000000' }, /receiver/],
    ['sellAmount, below the value', { sellAmount: 10n ** 18n - 1n }, /input.amount/],
    ['sellAmount, above the value', { sellAmount: 10n ** 18n + 1n }, /input.amount/],
    ['buyAmount', { buyAmount: 1n }, /^output.minimum$/],
    ['appData', { appData: `0x${'1'.repeat(64)}` }, /undecodable.*app data/],
    ['feeAmount, on top', { feeAmount: 1n }, /value.*feeAmount/],
    ['feeAmount, out of the input', { feeAmount: 10n ** 17n, sellAmount: 9n * 10n ** 17n }, /input.amount.*feeAmount/],
    ['validTo, past', { validTo: START_OF_TIME / 1_000 }, /^deadline$/],
    ['validTo, for ever', { validTo: 0xffffffff }, /^deadline$/],
    ['partiallyFillable', { partiallyFillable: true }, /partiallyFillable/],
    ['quoteId', { quoteId: 7n }, /quoteId/],
    ['quoteId, below zero', { quoteId: -1n }, /quoteId/],
  ])('is refused with another %s', async (_field, change, reason) => {
    const swap = await swapOf(bench.venue, etherToUsdc())
    await expectRefused(swap, withFields(swap, change), reason)
  })

  test.each<[string, (transaction: WalletTransaction) => Partial<WalletTransaction>, RegExp]>([
    ['another contract', () => ({ to: STRANGER }), /contract/],
    ['a published contract that is not EthFlow', () => ({ to: VAULT_RELAYER as typeof STRANGER }), /unread: to/],
    ['more value', ({ value }) => ({ value: (value + 1n) as Amount }), /value/],
    ['no value', () => ({ value: 0n as Amount }), /value/],
    ['another chain', () => ({ chainId: 8453 }), /chain/],
    ['bytes after the call', ({ data }) => ({ data: `${data}00` }), /undecodable/],
    ['a word after the call', ({ data }) => ({ data: `${data}${'0'.repeat(64)}` }), /undecodable/],
    ['dirt in an address', ({ data }) => ({ data: `${data.slice(0, 10)}01${data.slice(12)}` }), /undecodable/],
    ['another function', ({ data }) => ({ data: data.replace('0x322bba21', '0x7bc41b96') }), /undecodable/],
    ['a cut call', ({ data }) => ({ data: data.slice(0, -2) }), /undecodable/],
    ['no call', () => ({ data: '0x' }), /undecodable/],
    ['no hex', () => ({ data: 'createOrder' }), /undecodable/],
    ['a Solana transaction beside it', () => ({ serialized: 'AAAA' }), /serialized/],
  ])('is refused with %s', async (_name, change, reason) => {
    const swap = await swapOf(bench.venue, etherToUsdc())
    await expectRefused(swap, withTransaction(swap.execution, change(transactionOf(swap.execution))), reason)
  })

  test.each(DOCUMENTS)('is refused with app data of %s, though the hash is right', async (_name, change, reason) => {
    const swap = await swapOf(bench.venue, etherToUsdc())
    const text = JSON.stringify(sorted(change(documentOf(swap.execution))))
    await expectRefused(swap, withEvidence(withFields(swap, { appData: keccakText(text) }), text), reason)
  })

  test.each<[string, Json]>([
    ['none', null],
    ['a document that is not the one named', { v: 1, appData: '{}', quoteId: 120_000_001 }],
  ])('is refused with evidence: %s', async (_name, evidence) => {
    const swap = await swapOf(bench.venue, etherToUsdc())
    await expectRefused(swap, { ...swap.execution, evidence }, /undecodable/)
  })

  test('is refused when an allowance was quoted for it, and in place of a signed order', async () => {
    const swap = await swapOf(bench.venue, etherToUsdc())
    await expectRefused(
      { ...swap, offer: { ...swap.offer, spender: VAULT_RELAYER as typeof STRANGER } },
      swap.execution,
      /^spender$/,
    )
    await expectRefused(await swapOf(bench.venue, usdcToWeth()), swap.execution, /executionType/)
  })
})
