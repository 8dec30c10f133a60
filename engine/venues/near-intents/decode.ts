import type { Execution, PayloadClaims } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import type { Json } from '../../core/json.ts'
import type { ExecutedSwap, SwapKey } from '../../core/swap.ts'
import { addressIn } from '../kit/addresses.ts'
import { addressKeys } from '../kit/swapKeys.ts'
import { rejected } from '../venueError.ts'
import { sortFees } from './appFees.ts'
import { PLAIN_SWAP } from './map.ts'
import { quoteDigest, signedWords } from './protocol.ts'
import { isSignedBy } from './quoteSignature.ts'
import { type NearIntentsSettings, toAccount } from './settings.ts'
import type { TokenIndex } from './tokenList.ts'
import { evidence, type QuoteResponse, REDIRECTING, type ReadableWords } from './wire.ts'

export const toEvidence = (answer: QuoteResponse): Json => ({
  v: 1,
  words: signedWords(answer),
  signature: answer.signature ?? '',
  appFees: (answer.quoteRequest.appFees ?? []).map(({ recipient, fee }) => ({ recipient, fee })),
})

const unreadable = (check: string, found: string) => rejected(check, `the evidence cannot be read: ${check}`, found)

const plainWords = Object.entries(PLAIN_SWAP)

/** Signed words that would make the deposit more than a plain swap of an exact input. */
const oddities = (words: ReadableWords, { ours, unknown }: ReturnType<typeof sortFees>): readonly string[] =>
  failing({
    'a quote that opens no deposit': !words.dry,
    ...Object.fromEntries(plainWords.map(([word, plain]) => [word, words[word] === plain])),
    amount: words.amount === words.amountIn,
    ...Object.fromEntries(['depositMemo', ...REDIRECTING].map((word) => [word, !(word in words)])),
    'more than one integrator fee': ours.length === 0 || ours.length + unknown.length === 1,
    deadline: ![words.deadline, words.timeWhenInactive ?? words.deadline].some((time) => Number.isNaN(Date.parse(time))),
  })

type DecodePorts = { readonly index: TokenIndex; readonly settings: NearIntentsSettings; readonly now: number }

/**
 * The end of the address. A payment after `timeWhenInactive` may be lost, and a payment after `deadline` is returned. Both are
 * equal in every recorded quote. After `deadline` the deposit is over for a payer, because it can only be returned.
 */
const endOf = ({ deadline, timeWhenInactive = deadline }: ReadableWords, now: number): number => {
  const deadlineAt = Date.parse(deadline)
  return deadlineAt > now ? Math.max(deadlineAt, Date.parse(timeWhenInactive)) : deadlineAt
}

/**
 * The effect of a deposit, by the venue's signed words. Only the fee is unsigned: it comes from the venue's echo. Assets come
 * from the signed ids themselves, never from the request.
 */
export const decodeDeposit = (execution: Execution, { index, settings, now }: DecodePorts): PayloadClaims => {
  if (execution.payload.executionType !== 'DEPOSIT') throw unreadable('payloadType', execution.payload.executionType)
  const { words, signature, appFees } = evidence.read(execution.evidence)
  if (!isSignedBy(settings.publicKey, words, signature)) throw unreadable('signature', signature)
  const input = index.assetOf(words.originAsset)
  const output = index.assetOf(words.destinationAsset)
  if (!input || !output) throw unreadable('assetId', input ? words.destinationAsset : words.originAsset)
  const deadlineAt = endOf(words, now)
  const fees = sortFees(appFees, settings)
  // Fees for other accounts are the venue's own, and part of the price.
  const [fee] = fees.ours
  return {
    chainId: input.chainId,
    pays: addressIn(input.chainId, words.depositAddress, 'depositAddress'),
    spender: null,
    nativeFee: 0n,
    input: { asset: input, amount: BigInt(words.amountIn) },
    output: { asset: output, minimum: BigInt(words.minAmountOut) },
    recipient: addressIn(output.chainId, words.recipient, 'recipient'),
    refundTo: addressIn(input.chainId, words.refundTo, 'refundTo'),
    fee: { told: fee ? { recipient: toAccount(fee.recipient), bps: fee.fee } : null },
    deadlineAt: Number.isNaN(deadlineAt) ? null : deadlineAt,
    unread: oddities(words, fees),
  }
}

/** The venue identifies a swap by its deposit address. One signed quote is valid for one swap. */
export const toldApartBy = async ({
  order,
  execution: { payload, evidence: words },
}: ExecutedSwap): Promise<readonly SwapKey[]> => {
  if (payload.executionType !== 'DEPOSIT') throw unreadable('payloadType', payload.executionType)
  const quote: SwapKey = { kind: 'signedQuote', value: quoteDigest(evidence.read(words).words) }
  return [...addressKeys(payload.deposit, order.input), quote]
}
