import { plainUsd } from '../kit/dollars.ts'
import type { Control } from './controls.ts'
import { badField, readFields, readText } from './fields.ts'

const USD = /^(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,6}))?$/

/** Moves the price of a currency, and with it every token that follows it. */
export const setPrice: Control = ({ market }, body) => {
  const fields = readFields(body, ['currency', 'usd'])
  const currency = readText(fields, 'currency')
  if (!Object.hasOwn(market.prices(), currency))
    throw badField('currency', `must be one of ${Object.keys(market.prices()).join(', ')}`)
  const [, whole, fraction = ''] = USD.exec(readText(fields, 'usd')) ?? []
  const micros = whole === undefined ? 0n : BigInt(whole + fraction.padEnd(6, '0'))
  if (micros === 0n) throw badField('usd', 'must be a decimal text such as "3950.25", more than zero, with at most 6 places')
  market.setPrice(currency, micros)
  return { currency, usd: plainUsd(micros) }
}

/** What every currency is worth, in dollars. */
export const listPrices: Control = ({ market }) =>
  Object.fromEntries(Object.entries(market.prices()).map(([currency, micros]) => [currency, plainUsd(micros)]))
