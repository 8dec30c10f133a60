import { amount, each, lowerCase, matching, oneOf, queryFields, readFields } from '../../kit/fields.ts'
import { found, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimToken, SimTokens } from '../../kit/tokens.ts'
import { GASLESS_CHAIN_IDS, NATIVE_MARKER, SWAP_CHAIN_IDS } from './networks.ts'
import { refuseField, refuseInput } from './refusal.ts'

const ADDRESS = lowerCase(matching('an address', /^0x[0-9a-fA-F]{40}$/))
/** The zero address is refused. */
const TOKEN = lowerCase(matching('a token address', /^0x(?!0{40})[0-9a-fA-F]{40}$/))
const DIGITS = matching('an integer', /^[0-9]{1,7}$/)
const LIST = matching('a list', /^[^ ]{1,1000}$/)

const COMMON = {
  required: { ...each(TOKEN, 'sellToken', 'buyToken'), chainId: matching('a chain id', /^[0-9]{1,10}$/) },
  optional: {
    ...each(amount, 'sellAmount', 'buyAmount'),
    ...each(ADDRESS, 'taker', 'recipient', 'tradeSurplusRecipient'),
    ...each(DIGITS, 'slippageBps', 'slippagePpm', 'tradeSurplusMaxBps'),
    ...each(LIST, 'swapFeeRecipient', 'swapFeeBps', 'swapFeeToken', 'excludedSources'),
  },
}
const SWAP = {
  required: COMMON.required,
  optional: {
    ...COMMON.optional,
    txOrigin: ADDRESS,
    gasPrice: amount,
    sellEntireBalance: oneOf('true', 'false'),
    wrapUnwrapMode: oneOf('direct', 'settler'),
  },
}

type Fields = ReturnType<typeof readSwap>
const readSwap = (query: URLSearchParams) => readFields(queryFields(query), SWAP, refuseField)
const readGasless = (query: URLSearchParams): Fields => {
  const gasless = readFields(queryFields(query), COMMON, refuseField)
  return { ...gasless, txOrigin: undefined, gasPrice: undefined, sellEntireBalance: undefined, wrapUnwrapMode: undefined }
}

/** An integrator's fee, of the bought token. */
export type SwapFee = { readonly recipient: string; readonly bps: bigint }

/** What was asked, checked. */
export type Question = {
  readonly chainId: number
  readonly isGasless: boolean
  readonly sell: SimToken
  readonly buy: SimToken
  readonly amount: bigint
  readonly taker: string | null
  readonly recipient: string | null
  readonly slippagePpm: bigint
  readonly fee: SwapFee | null
}

const FEE_BPS_MAX = 1_000
const GASLESS_SLIPPAGE_PPM_MIN = 3_000
const SLIPPAGE_PPM_DEFAULT = 10_000

const slippageOf = ({ slippageBps, slippagePpm }: Fields, isGasless: boolean): bigint => {
  refuseInput(slippageBps !== undefined && slippagePpm !== undefined, 'slippagePpm', 'Cannot be combined with slippageBps')
  const ppm = slippagePpm === undefined ? Number(slippageBps ?? SLIPPAGE_PPM_DEFAULT / 100) * 100 : Number(slippagePpm)
  const least = isGasless ? GASLESS_SLIPPAGE_PPM_MIN : 0
  refuseInput(ppm < least || ppm > 1_000_000, slippagePpm === undefined ? 'slippageBps' : 'slippagePpm', 'Out of range')
  return BigInt(ppm)
}

const feeOf = ({ swapFeeRecipient, swapFeeBps, swapFeeToken }: Fields, sell: SimToken, buy: SimToken): SwapFee | null => {
  const [recipients, shares] = [swapFeeRecipient, swapFeeBps].map((list) => list?.split(',') ?? [])
  refuseInput(recipients?.length !== shares?.length, 'swapFeeBps', 'Must go with as many recipients')
  const [recipient, bps] = [recipients?.[0], shares?.[0]]
  if (recipient === undefined || bps === undefined) {
    refuseInput(swapFeeToken !== undefined, 'swapFeeToken', 'Must go with a recipient')
    return null
  }
  refuseInput(recipients?.length !== 1, 'swapFeeRecipient', 'Only one is played offline')
  refuseInput(ADDRESS.read(recipient) === undefined, 'swapFeeRecipient', 'Expected an address')
  refuseInput(!/^[0-9]{1,4}$/.test(bps) || Number(bps) > FEE_BPS_MAX, 'swapFeeBps', `Must be at most ${FEE_BPS_MAX}`)
  const named = swapFeeToken?.toLowerCase()
  const isOfSell = named === undefined || named === sell.address.toLowerCase()
  refuseInput(!isOfSell && named !== buy.address.toLowerCase(), 'swapFeeToken', 'Must be buyToken or sellToken')
  // Unnamed, the token is 0x's choice.
  refuseIf(isOfSell, 'SWAP_VALIDATION_FAILED', 'A fee of the sold token is not played offline')
  return { recipient: recipient.toLowerCase(), bps: BigInt(bps) }
}

/** Wrapping and unwrapping is no swap: the wrapped coin does that, for its caller alone. */
const refuseWrapping = ({ recipient }: Fields, sell: SimToken, buy: SimToken): void => {
  const isWrapping =
    sell.isNative !== buy.isNative &&
    sell.currency === buy.currency &&
    (sell.isNative ? buy : sell).symbol === `W${(sell.isNative ? sell : buy).symbol}`
  refuseIf(isWrapping && recipient !== undefined, 'RECIPIENT_NOT_SUPPORTED', 'Recipient is not supported for wrap and unwrap')
  refuseIf(isWrapping, 'SWAP_VALIDATION_FAILED', 'Wrapping is not played offline')
}

const tokenOf = (tokens: SimTokens, chainId: number, address: string): SimToken =>
  found(tokens.find(chainId, address), 'TOKEN_NOT_SUPPORTED', `Token ${address} is not supported`, { token: address })

/** Reads a question as strictly as the reference describes it. Throws Refusal. */
export const readQuestion = (
  query: URLSearchParams,
  tokens: SimTokens,
  { isGasless, isFirm }: { readonly isGasless: boolean; readonly isFirm: boolean },
): Question => {
  const fields = isGasless ? readGasless(query) : readSwap(query)
  const { sellToken, buyToken, sellAmount, buyAmount, taker, recipient } = fields
  const chainId = Number(fields.chainId)
  refuseInput(!(isGasless ? GASLESS_CHAIN_IDS : SWAP_CHAIN_IDS).includes(chainId), 'chainId', 'Invalid chain')
  refuseInput((sellAmount === undefined) === (buyAmount === undefined), 'sellAmount', 'Exactly one amount is required')
  refuseInput(isGasless && sellAmount === undefined, 'buyAmount', 'Unrecognized key')
  refuseInput(sellToken === buyToken, 'buyToken', 'Must differ from sellToken')
  refuseInput(isFirm && taker === undefined, 'taker', 'Required')
  refuseInput(isGasless && sellToken === NATIVE_MARKER, 'sellToken', 'Native token is not supported')
  if (sellAmount === undefined) throw new Refusal('SWAP_VALIDATION_FAILED', 'Exact outputs are not played offline')
  const [sell, buy] = [tokenOf(tokens, chainId, sellToken), tokenOf(tokens, chainId, buyToken)]
  refuseWrapping(fields, sell, buy)
  return {
    ...{ chainId, isGasless, sell, buy, amount: sellAmount, taker: taker ?? null },
    recipient: recipient ?? taker ?? null,
    slippagePpm: slippageOf(fields, isGasless),
    fee: feeOf(fields, sell, buy),
  }
}
