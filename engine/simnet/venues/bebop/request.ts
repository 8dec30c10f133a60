import { parseEvmAddress } from '../../../core/address.ts'
import { amount, type FieldProblem, matching, oneOf, queryFields, readFields, text, type } from '../../kit/fields.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { SimRequest } from '../../kit/simVenue.ts'

const ADDRESS = type('a checksummed address', (value) =>
  typeof value === 'string' && parseEvmAddress(value) === value ? value : undefined,
)
/** Refusals come with HTTP 200: https://docs.bebop.xyz */
export const refusing = (errorCode: number, message: string): Refusal => new Refusal(String(errorCode), message, { status: 200 })

const refuseField = ({ name }: FieldProblem): Refusal => refusing(101, `InvalidApiRequest: ${name}`)

const QUOTE = {
  required: {
    ...{ sell_tokens: ADDRESS, buy_tokens: ADDRESS, sell_amounts: amount, taker_address: ADDRESS, receiver_address: ADDRESS },
    ...{ gasless: oneOf('true', 'false'), approval_type: oneOf('Standard'), skip_validation: oneOf('true') },
    slippage: matching('percent from 0 to 50', /^(\d|[1-4]\d|50)\.\d\d$/),
  },
  optional: { source: text(1, 64), fee: matching('bps', /^\d{1,3}$/), fee_recipient: ADDRESS },
}

export const readQuoteRequest = ({ query, headers }: SimRequest) => {
  const asked = readFields(queryFields(query), QUOTE, refuseField)
  const isKeyed = headers['source-auth'] !== undefined
  return {
    ...{ sell: asked.sell_tokens, buy: asked.buy_tokens, sold: asked.sell_amounts },
    ...{ taker: asked.taker_address, receiver: asked.receiver_address, isGasless: asked.gasless === 'true', isKeyed },
    isPartner: isKeyed && asked.source !== undefined,
    feeBps: BigInt(asked.fee ?? 0),
    feeRecipient: asked.fee_recipient ?? null,
    slippageBps: BigInt(asked.slippage.replace('.', '')),
  }
}

const ORDER = {
  required: {
    quote_id: text(1, 100),
    signature: matching('a signature', /^0x([0-9a-f]{2})+$/i),
    sign_scheme: oneOf('EIP712', 'EIP1271'),
  },
  optional: {},
}
export const readOrderRequest = ({ body }: SimRequest) => readFields(body, ORDER, refuseField)
