import type { GasCost, Quote, TokenAmount, VenueFee } from '../../engine/core/answers.ts'
import type { components } from '../../generated/api.d.ts'
import { toApproval, toProof } from './execution.ts'
import { toToken } from './token.ts'

type ApiQuote = components['schemas']['Quote']

const toTokenAmount = ({ token, amount }: TokenAmount): ApiQuote['input'] => ({
  token: toToken(token),
  amount: amount.toString(),
})

const toSlippage = ({ bps, isFirm, guaranteedMin }: NonNullable<Quote['slippage']>): ApiQuote['slippage'] => ({
  bps,
  isFirm,
  guaranteedMin: guaranteedMin.toString(),
})

const toGas = ({ native, nativeSymbol, usd, isEstimated }: GasCost): ApiQuote['gas'] => ({
  native: native.toString(),
  nativeSymbol,
  usd,
  estimated: isEstimated,
})

const toVenueFee = ({ native, nativeSymbol }: VenueFee): ApiQuote['venueFee'] => ({ native: native.toString(), nativeSymbol })

export const toQuote = ({ depositAmount: range, ...quote }: Quote): ApiQuote => ({
  quoteToken: quote.quoteToken,
  venue: { id: quote.venue.id, name: quote.venue.name },
  routeType: quote.routeType,
  input: toTokenAmount(quote.input),
  output: toTokenAmount(quote.output),
  fee: { bps: quote.fee.bps, amount: quote.fee.amount.toString(), token: toToken(quote.fee.token) },
  executable: quote.isExecutable,
  slippage: quote.slippage && toSlippage(quote.slippage),
  gas: quote.gas && toGas(quote.gas),
  venueFee: quote.venueFee && toVenueFee(quote.venueFee),
  ...(range && { depositAmount: { min: range.min.toString(), max: range.max.toString() } }),
  expectedProof: toProof(quote.expectedProof),
  ...(quote.approval && { approval: toApproval(quote.approval) }),
  estimatedTimeSeconds: quote.estimatedTimeSeconds,
  estimatedTimeIsGuess: quote.estimatedTimeIsGuess,
  expiresAt: quote.expiresAt,
})
