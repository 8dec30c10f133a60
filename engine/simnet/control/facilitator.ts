import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { type LoopbackRequest, parseJson } from '../kit/loopbackServer.ts'
import type { LineAnswer } from '../kit/transportFaults.ts'
import { ControlError } from './controlError.ts'
import type { Controls } from './controls.ts'
import { readFields } from './fields.ts'

export const FACILITATOR_PATH = '/facilitator/'

type Question = { readonly paymentPayload: PaymentPayload; readonly paymentRequirements: PaymentRequirements }

type Call = (facilitator: Controls['facilitator'], body: unknown) => Promise<unknown>

/** What is in the fields, the facilitator judges. */
const readQuestion = (body: unknown): Question =>
  readFields(body, ['x402Version', 'paymentPayload', 'paymentRequirements']) as unknown as Question

/** The protocol's own calls: https://docs.x402.org/core-concepts/facilitator */
const CALLS: { readonly [route: string]: Call } = {
  'POST /facilitator/verify': (facilitator, body) => {
    const { paymentPayload, paymentRequirements } = readQuestion(body)
    return facilitator.verify(paymentPayload, paymentRequirements)
  },
  'POST /facilitator/settle': (facilitator, body) => {
    const { paymentPayload, paymentRequirements } = readQuestion(body)
    return facilitator.settle(paymentPayload, paymentRequirements)
  },
  'GET /facilitator/supported': (facilitator) => facilitator.getSupported(),
}

const answer = (status: number, body: unknown): LineAnswer => ({
  status,
  text: JSON.stringify(body),
  contentType: 'application/json',
})

/** The facilitator as other processes reach it. What it cannot take it says in its own words, as the public ones do. */
export const answerFacilitator = async (
  { facilitator }: Controls,
  { method, url, rawBody }: LoopbackRequest,
): Promise<LineAnswer> => {
  const route = `${method} ${url.pathname}`
  const call = Object.hasOwn(CALLS, route) ? CALLS[route] : undefined
  if (!call) return answer(404, { error: `${route}: there is no such call; there are ${Object.keys(CALLS).join(', ')}` })
  try {
    return answer(200, await call(facilitator, parseJson(rawBody)))
  } catch (error) {
    return answer(error instanceof ControlError ? error.status : 500, {
      error: error instanceof Error ? error.message : String(error),
    })
  }
}
