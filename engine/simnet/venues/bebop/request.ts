import { parseEvmAddress } from '../../../core/address.ts'
import { amount, matching, oneOf, queryFields, readFields, text, type } from '../../kit/fields.ts'
import { hasKey } from '../../kit/refusal.ts'
import type { SimRequest } from '../../kit/simVenue.ts'
import { refuseField, refusing } from './refusal.ts'

const ADDRESS = type('a checksummed address', (value) =>
  typeof value === 'string' && parseEvmAddress(value) === value ? value : undefined,
)
const FEE = type('bps from 0 to 500', (value) =>
  typeof value === 'string' && /^(0|[1-9][0-9]{0,2})$/.test(value) && Number(value) <= 500 ? BigInt(value) : undefined,
)
/** In basis points. */
const SLIPPAGE = type('percent from 0 to 50 with up to two decimals', (value) => {
  const isPercent = typeof value === 'string' && /^[0-9]{1,2}(\.[0-9]{1,2})?$/.test(value) && Number(value) <= 50
  return isPercent ? BigInt(Math.round(Number(value) * 100)) : undefined
})
const FLAG = oneOf('true', 'false')

const FIELDS = {
  required: { sell_tokens: ADDRESS, buy_tokens: ADDRESS, taker_address: ADDRESS },
  optional: {
    sell_amounts: amount,
    buy_amounts: amount,
    receiver_address: ADDRESS,
    gasless: FLAG,
    approval_type: oneOf('Standard', 'Permit', 'Permit2'),
    source: text(1, 64),
    'source-auth': text(1, 256),
    fee: FEE,
    fee_recipient: ADDRESS,
    slippage: SLIPPAGE,
    expiry_type: oneOf('standard', 'short'),
    skip_validation: FLAG,
    origin_address: ADDRESS,
    origin_target: ADDRESS,
    origin_source: text(1, 64),
  },
}

const KEY = { lengthMax: 256, code: '101', message: 'unknown source' }

/** What both APIs are asked a quote with. */
export const readQuoteRequest = ({ query, headers }: SimRequest) => {
  const asked = readFields(queryFields(query), FIELDS, refuseField)
  const { sell_amounts: sold, buy_amounts: bought, sell_tokens: sell, buy_tokens: buy, approval_type: approval } = asked
  if ((sold === undefined) === (bought === undefined)) throw refusing(101, 'one of sell_amounts and buy_amounts must be given')
  if (sold === undefined) throw refusing(101, 'only sales are simulated')
  if (sell === buy) throw refusing(101, 'the tokens are the same')
  const isGasless = asked.gasless !== 'false'
  if (!isGasless && approval !== undefined && approval !== 'Standard')
    throw refusing(101, 'self execution is by Standard approval')
  const isKeyed = hasKey(asked['source-auth'] ?? headers['source-auth'] ?? headers['authorization'], KEY)
  return {
    sell,
    buy,
    amount: sold,
    taker: asked.taker_address,
    receiver: asked.receiver_address ?? asked.taker_address,
    isGasless,
    approval: approval ?? 'Standard',
    isKeyed,
    isAuthenticated: isKeyed && asked.source !== undefined,
    feeBps: asked.fee ?? 0n,
    feeRecipient: asked.fee_recipient ?? null,
    slippageBps: asked.slippage ?? null,
    isShort: asked.expiry_type === 'short',
    isValidated: asked.skip_validation !== 'true',
  }
}

export type QuoteRequest = ReturnType<typeof readQuoteRequest>

const SIGNATURE = matching('a signature', /^0x([0-9a-fA-F]{2}){64,}$/)

const ORDER_FIELDS = {
  required: { quote_id: text(1, 100), signature: SIGNATURE },
  optional: { sign_scheme: oneOf('EIP712', 'EIP1271', 'ETHSIGN') },
}

export const readOrderRequest = ({ body }: SimRequest) => {
  const { quote_id: quoteId, signature, sign_scheme: scheme = 'EIP712' } = readFields(body, ORDER_FIELDS, refuseField)
  return { quoteId, signature, scheme }
}
