import { toAmount } from '../../../engine/core/amount.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { QUOTE_BODY, sampleOrder } from './sample.ts'

/** The nth quote tells its number to the venues by its amount: what each takes over it is drawn from that. */
const BASE_AMOUNT = BigInt(QUOTE_BODY.inputAmount)
const sample = sampleOrder()

export const orderOf = (quote: number): VenueOrder => ({ ...sample, inputAmount: toAmount(BASE_AMOUNT + BigInt(quote)) })

export const bodyOf = (quote: number): string =>
  JSON.stringify({ ...QUOTE_BODY, inputAmount: (BASE_AMOUNT + BigInt(quote)).toString() })

export const numberOf = ({ inputAmount }: VenueOrder): number => Number(inputAmount - BASE_AMOUNT)
