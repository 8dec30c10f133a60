import { decodeFunctionData, encodeFunctionData, type Hex, keccak256, stringToHex } from 'viem'
import { afterAll, test } from 'vitest'
import { INVALIDATE_ORDER } from '../../../engine/simnet/venues/cow/settlement.ts'
import { CREATE_ORDER, type EthFlowOrder, SETTLEMENT, VAULT_RELAYER } from '../../../engine/venues/cow/protocol.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { any, atLeast, attackPayload, attackTypedData, STRANGER, type ToSign } from '../../support/venueKit/attackPayload.ts'
import { altered, prove, swapOf, transactionOf, typedDataOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import { etherToUsdc, FEE_RECIPIENT, openBench, SETTINGS, usdcToWeth } from './support.ts'

const NOW_S = START_OF_TIME / 1_000
const count = countMutations('cow')

type Evidence = { readonly v: number; readonly appData: string; readonly quoteId: number }
type Alteration = readonly [path: string, value: unknown]

const hashOf = (text: string): Hex => keccak256(stringToHex(text))
/** With its keys in their order. */
const textOf = (document: unknown): string =>
  JSON.stringify(document, (_name, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )

const FEE = { recipient: FEE_RECIPIENT, volumeBps: 30 }
/** What a document can say beside other words. */
const OTHER_DOCUMENTS: readonly Alteration[] = [
  ['metadata.partnerFee.volumeBps', 300],
  ['metadata.partnerFee', [FEE, { ...FEE, recipient: STRANGER }]],
  ['metadata.partnerFee.surplusBps', 5_000],
  ['metadata.partnerFee', undefined],
  ['metadata.hooks', { pre: [{ target: STRANGER, callData: '0x', gasLimit: '1' }] }],
  ['metadata.replacedOrder', { uid: '0x00' }],
  ['metadata.signer', STRANGER],
  ['backend', {}],
  ['metadata', undefined],
  ['', []],
]
const otherTexts = (text: string): readonly string[] => [
  ...OTHER_DOCUMENTS.map((change) => textOf(altered(JSON.parse(text), ...change))),
  // The fee twice, and white space: another reader may read another document.
  text.replace('"partnerFee":', `"partnerFee":{"recipient":"${STRANGER}","volumeBps":99},"partnerFee":`),
  text.replace('{', '{ '),
]

const OTHER_WORDS: readonly Alteration[] = [
  ['typedData.message.receiver', '0x12'],
  ['typedData.message.buyAmount', '0x10'],
  ['typedData.message.validTo', String(NOW_S + 1_800)],
  ['typedData.message.kind', 'buy'],
  ['typedData.message.sellTokenBalance', 'external'],
  ['typedData.message.buyTokenBalance', 'internal'],
  ['typedData.domain.chainId', 5],
  ['typedData.domain.verifyingContract', SETTLEMENT.toLowerCase()],
  ['typedData.domain.verifyingContract', VAULT_RELAYER],
  ['typedData.domain.salt', hashOf('salt')],
  ['typedData.types.Order.2.type', 'uint160'],
  ['chainId', 8453],
]

/** A moment in which an order may end. */
const isSoon = ({ other }: { readonly other: unknown }): boolean => Number(other) > NOW_S && Number(other) <= NOW_S + 3_600

type Words = Omit<ToSign, 'evidence'> & { readonly evidence: object | null; readonly document: unknown; readonly quoteId: number }

attackTypedData<Words>({
  venue: 'cow',
  open: openBench,
  swaps: [{ title: 'tokens, with a fee', order: usdcToWeth(), settings: SETTINGS }],
  codec: {
    read: ({ evidence, ...signed }) => {
      const { appData, quoteId, ...rest } = evidence as Evidence
      return { ...signed, evidence: rest, document: JSON.parse(appData), quoteId }
    },
    write: ({ evidence, document, quoteId, ...signed }) => {
      const appData = typeof document === 'string' ? document : textOf(document)
      return { ...signed, evidence: evidence && { appData, ...evidence, quoteId } }
    },
  },
  rehashed: (own, other) => {
    const [{ appData: was }, { appData }] = [own, other].map(({ evidence }) => evidence as Evidence) as [Evidence, Evidence]
    return appData === was ? other : altered(other, 'typedData.message.appData', hashOf(appData))
  },
  // A signed order is independent of the quote's id.
  harmless: {
    ...{ venueRef: any, quoteId: ({ other }) => Number(other) >= 0 },
    ...{ 'typedData.message.buyAmount': atLeast, 'typedData.message.validTo': isSoon },
    ...{ 'document.appCode': any, 'document.version': any },
    ...{ 'document.metadata.quote.slippageBips': any, 'document.metadata.orderClass.orderClass': any },
  },
  *also(words) {
    for (const document of otherTexts(textOf(words.document))) yield { ...words, document }
    for (const change of OTHER_WORDS) yield altered(words, ...change)
    yield { ...words, approvalData: words.typedData }
  },
})

/** By their hashes, as a venue shows them that lies consistently. */
const documents = new Map<string, string>()

attackPayload<EthFlowOrder>({
  venue: 'cow',
  open: openBench,
  swaps: [{ title: 'coins, with a fee', order: etherToUsdc(), settings: SETTINGS }],
  codec: {
    read: (data) => decodeFunctionData({ abi: CREATE_ORDER, data: data as Hex }).args[0] as EthFlowOrder,
    write: (order) => encodeFunctionData({ abi: CREATE_ORDER, args: [order as never] }),
  },
  harmless: { buyAmount: atLeast, validTo: isSoon },
  fitted: (data, { execution }) => {
    const [, appData] = [...documents].find(([hash]) => data.includes(hash.slice(2))) ?? []
    return appData === undefined ? {} : { evidence: { ...(execution.evidence as Evidence), appData } }
  },
  *also(order, { execution }) {
    for (const text of otherTexts((execution.evidence as Evidence).appData)) {
      documents.set(hashOf(text), text)
      yield { ...order, appData: hashOf(text) }
    }
    yield { ...order, sellAmount: order.sellAmount - 10n ** 17n, feeAmount: 10n ** 17n }
    yield { ...order, validTo: 0xffffffff }
    yield encodeFunctionData({ abi: INVALIDATE_ORDER, args: [order as never] })
    for (const data of [`${transactionOf(execution).data}${'0'.repeat(64)}`, 'createOrder']) yield data
  },
})

const bench = await openBench()
afterAll(() => bench.close())

test('proof: rejects other evidence, another spender, a late order, and the payload of another swap', async () => {
  const [signed, native] = [await swapOf(bench.venue, usdcToWeth()), await swapOf(bench.venue, etherToUsdc())]
  for (const evidence of [null, { v: 2, appData: '{}', quoteId: 1 }, { v: 1, appData: '{}', quoteId: 120_000_001 }])
    for (const swap of [signed, native])
      count('evidence', await prove(bench.venue, altered(swap, 'execution.evidence', evidence)))
  for (const [swap, path, value] of [
    [signed, 'offer.spender', SETTLEMENT],
    [signed, 'offer.spender', null],
    [native, 'offer.spender', VAULT_RELAYER],
    [native, 'execution.payload.transaction.to', VAULT_RELAYER],
    [signed, 'execution', native.execution],
    [native, 'execution', signed.execution],
  ] as const)
    count(path, await prove(bench.venue, altered(swap, path, value)))
  const end = Number(typedDataOf(signed.execution).message['validTo']) * 1_000
  for (const swap of [signed, native]) count('after the end', await prove(bench.venue, swap, swap.execution, end))
})
