import { type Address, parseAddress } from '../../core/address.ts'
import { type Ecosystem, ecosystemOf } from '../../core/chain.ts'
import type { ClaimedFee, Execution, PayloadClaims } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import type { Json } from '../../core/json.ts'
import { jsonShape, ShapeError } from '../kit/jsonShape.ts'
import { VenueError } from '../venueError.ts'
import { sortFees } from './appFees.ts'
import { isSignedBy, type SignedWords, signedWords } from './quoteSignature.ts'
import { type NearIntentsSettings, toAccount } from './settings.ts'
import type { TokenIndex } from './tokenList.ts'
import type { AppFee, QuoteResponse } from './wire.ts'

/** What is kept of a real quote: the words the venue signed and nothing else, but for the fee list, which it does not sign. */
export type Evidence = {
  readonly v: 1
  readonly words: SignedWords
  readonly signature: string
  readonly appFees: readonly AppFee[]
}

/** The signed words this adapter can read, by their meaning. Any other word leaves the evidence unread. */
type ReadableWords = {
  readonly dry: boolean
  readonly swapType: string
  readonly originAsset: string
  readonly depositType: string
  readonly destinationAsset: string
  readonly amount: string
  readonly refundTo: string
  readonly refundType: string
  readonly recipient: string
  readonly recipientType: string
  readonly deadline: string
  readonly amountIn: string
  readonly minAmountOut: string
  readonly depositAddress: string
}

const TEXT = { type: 'string', maxLength: 512 }
const AMOUNT = { type: 'string', pattern: '^(0|[1-9][0-9]{0,77})$' }

const evidence = jsonShape<Evidence>('evidence', {
  type: 'object',
  required: ['v', 'words', 'signature', 'appFees'],
  additionalProperties: false,
  properties: {
    v: { const: 1 },
    signature: TEXT,
    words: {
      type: 'object',
      required: [
        'dry',
        'swapType',
        'originAsset',
        'depositType',
        'destinationAsset',
        'amount',
        'refundTo',
        'refundType',
        'recipient',
        'recipientType',
        'deadline',
        'amountIn',
        'minAmountOut',
        'depositAddress',
        'timestamp',
      ],
      properties: { dry: { type: 'boolean' }, amount: AMOUNT, amountIn: AMOUNT, minAmountOut: AMOUNT },
      additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: 512 },
    },
    appFees: {
      type: 'array',
      maxItems: 16,
      items: {
        type: 'object',
        required: ['recipient', 'fee'],
        additionalProperties: false,
        properties: { recipient: TEXT, fee: { type: 'integer', minimum: 0, maximum: 500 } },
      },
    },
  },
})

export const toEvidence = (answer: QuoteResponse): Json => ({
  v: 1,
  words: signedWords(answer),
  signature: answer.signature ?? '',
  appFees: (answer.quoteRequest.appFees ?? []).map(({ recipient, fee }) => ({ recipient, fee })),
})

const unreadable = (what: string): VenueError => new VenueError('badResponse', `the evidence cannot be read: ${what}`)

const readEvidence = (value: Json): Evidence => {
  try {
    return evidence.read(value)
  } catch (error) {
    if (error instanceof ShapeError) throw unreadable(error.message)
    throw error
  }
}

const addressIn = (ecosystem: Ecosystem, raw: string, what: string): Address => {
  const address = parseAddress(ecosystem, raw)
  if (!address) throw unreadable(`${what} is not an address of its chain`)
  return address
}

const UNUSED_WORDS = ['depositMemo', 'virtualChainRecipient', 'virtualChainRefundRecipient', 'customRecipientMsg']

/** Everything signed that would make the deposit do something other than a plain swap of an exact input. */
const oddities = (words: SignedWords & ReadableWords, { ours, unknown }: ReturnType<typeof sortFees>): readonly string[] => [
  ...failing({
    'a quote that opens no deposit': !words.dry,
    swapType: words.swapType === 'EXACT_INPUT',
    depositType: words.depositType === 'ORIGIN_CHAIN',
    refundType: words.refundType === 'ORIGIN_CHAIN',
    recipientType: words.recipientType === 'DESTINATION_CHAIN',
    amount: words.amount === words.amountIn,
    'more than one integrator fee': ours.length === 0 || ours.length + unknown.length === 1,
  }),
  ...UNUSED_WORDS.filter((word) => word in words),
]

/** Fees for accounts that are not ours are the venue's own, in the price already. */
const feeClaim = ([fee]: readonly AppFee[]): ClaimedFee | null =>
  fee ? { recipient: toAccount(fee.recipient), bps: fee.fee } : null

/**
 * What the deposit will do by the venue's own signed words. The fee is the one claim that is not signed: it is read
 * from the venue's echo. Assets are read from the signed ids themselves, never from what was asked for.
 */
export const decodeDeposit = (execution: Execution, index: TokenIndex, settings: NearIntentsSettings): PayloadClaims => {
  if (execution.payload.executionType !== 'DEPOSIT')
    throw unreadable(`a ${execution.payload.executionType} is none of this venue's`)
  const { words: signed, signature, appFees } = readEvidence(execution.evidence)
  if (!isSignedBy(settings.publicKey, signed, signature)) throw unreadable('the signature does not verify')
  const words = signed as SignedWords & ReadableWords
  const input = index.assetOf(words.originAsset)
  const output = index.assetOf(words.destinationAsset)
  if (!input || !output) throw unreadable('an asset id names nothing we know')
  const origin = ecosystemOf(input.chainId)
  const deadlineAt = Date.parse(words.deadline)
  const fees = sortFees(appFees, settings)
  return {
    chainId: input.chainId,
    pays: addressIn(origin, words.depositAddress, 'depositAddress'),
    spender: null,
    nativeFee: 0n,
    input: { asset: input, amount: BigInt(words.amountIn) },
    output: { asset: output, minimum: BigInt(words.minAmountOut) },
    recipient: addressIn(ecosystemOf(output.chainId), words.recipient, 'recipient'),
    refundTo: addressIn(origin, words.refundTo, 'refundTo'),
    fee: { told: feeClaim(fees.ours) },
    deadlineAt: Number.isNaN(deadlineAt) ? null : deadlineAt,
    unread: [...oddities(words, fees), ...(Number.isNaN(deadlineAt) ? ['deadline'] : [])],
  }
}
