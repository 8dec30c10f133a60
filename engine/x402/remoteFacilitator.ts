import type { FacilitatorClient } from '@x402/core/server'
import type { Network, PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { parseSolanaAddress } from '../core/address.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import type { Secret } from '../core/secret.ts'
import { withDeadline } from '../net/deadline.ts'
import { type HttpClient, HttpError, type HttpResponse } from '../net/httpClient.ts'

export type RemoteFacilitatorOptions = {
  readonly http: HttpClient
  /** The base of its calls: /verify, /settle and /supported. */
  readonly url: string
  /** Sent as a bearer token, if set. */
  readonly token: Secret | null
  /** For each call. */
  readonly deadlineMs?: number
  readonly clock?: Clock
}

/** `refused`: it refused, for example because of a wrong token. `malformed`: any other answer. */
export type FacilitatorFailure = 'timeout' | 'unreachable' | 'refused' | 'malformed'

/** A facilitator gave no usable answer. The error contains none of its content. */
export class FacilitatorError extends Error {
  override readonly name = 'FacilitatorError'
  readonly failure: FacilitatorFailure
  /** True for a failure of the facilitator itself, which no payer can cause. */
  readonly isTrouble: boolean
  constructor(failure: FacilitatorFailure, operation: string, status: number | null = null) {
    super(`the facilitator's ${operation}: ${failure}${status === null ? '' : `, HTTP ${status}`}`)
    this.failure = failure
    // A payer may have caused the answer to its payment. Only the service asks for the supported kinds.
    this.isTrouble = status === null || status >= 500 || operation === 'supported'
  }
}

const DEADLINE_MS = 8_000
const ANSWER_BYTES_MAX = 256 * 1024
/** While a facilitator is down, requests for its supported kinds fail at once for this long. */
const ASK_AGAIN_MS = 5_000

type Fields = { readonly [name: string]: unknown }

/** Official reasons have this form; other text may contain anything. */
const REASON = /^[a-z0-9_]{1,100}$/
const NAME = /^[0-9A-Za-z]{1,128}$/
const NETWORK = /^[a-z0-9-]{3,8}:[0-9A-Za-z_-]{1,32}$/
const KINDS_MAX = 1_000

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

const matching = (value: unknown, form: RegExp): string | undefined =>
  typeof value === 'string' && form.test(value) ? value : undefined

const fieldsIn = ({ text }: HttpResponse): Fields | null => {
  try {
    const body: unknown = JSON.parse(text)
    return isFields(body) ? body : null
  } catch {
    return null
  }
}

const isGood = ({ status }: HttpResponse): boolean => status >= 200 && status <= 299

/** The supported kinds that a payment demand can use: no other part may reach a client. */
const kindIn = (value: unknown) => {
  if (!isFields(value)) return []
  const { x402Version, scheme, network, extra } = value
  const [named, on] = [matching(scheme, REASON), matching(network, NETWORK)]
  if (x402Version !== 2 || named === undefined || on === undefined) return []
  const payer = isFields(extra) && typeof extra['feePayer'] === 'string' ? parseSolanaAddress(extra['feePayer']) : null
  return [{ x402Version, scheme: named, network: on as Network, ...(payer ? { extra: { feePayer: payer } } : {}) }]
}

/** An optional field in the form of the official types: present, or absent. */
const optional = <K extends string>(name: K, value: string | undefined): { readonly [name in K]?: string } =>
  (value === undefined ? {} : { [name]: value }) as { readonly [name in K]?: string }

type Ask = (operation: 'verify' | 'settle' | 'supported', json?: unknown) => Promise<HttpResponse>

const createAsk = ({ http, url, token, deadlineMs = DEADLINE_MS }: RemoteFacilitatorOptions): Ask => {
  const base = url.replace(/(?<!\/)\/+$/, '')
  const headers = token === null ? {} : { authorization: `Bearer ${token.reveal()}` }
  return (operation, json) =>
    withDeadline(deadlineMs, (signal) => {
      const method = json === undefined ? 'GET' : 'POST'
      return http.send({ method, url: `${base}/${operation}`, headers, json, bytesMax: ANSWER_BYTES_MAX, signal })
    }).catch((error: unknown) => {
      const failure = error instanceof HttpError ? error.failure : 'unreachable'
      const kinds = {
        aborted: 'timeout',
        tooLarge: 'malformed',
        malformed: 'malformed',
        unreachable: 'unreachable',
        starved: 'unreachable',
      } as const
      throw new FacilitatorError(kinds[failure], operation)
    })
}

const failed = (operation: string, response: HttpResponse): FacilitatorError =>
  new FacilitatorError(isGood(response) ? 'malformed' : 'refused', operation, response.status)

/** A remote facilitator, by the protocol's own calls: https://docs.x402.org/core-concepts/facilitator */
export const createRemoteFacilitator = (options: RemoteFacilitatorOptions): FacilitatorClient => {
  const { clock = systemClock } = options
  const ask = createAsk(options)
  let failing: { readonly error: unknown; readonly since: number } | null = null

  const question = (paymentPayload: PaymentPayload, paymentRequirements: PaymentRequirements) => ({
    x402Version: paymentPayload.x402Version,
    paymentPayload,
    paymentRequirements,
  })

  const readSupported: FacilitatorClient['getSupported'] = async () => {
    const response = await ask('supported')
    const kinds = fieldsIn(response)?.['kinds']
    if (!isGood(response) || !Array.isArray(kinds) || kinds.length > KINDS_MAX) throw failed('supported', response)
    return { kinds: kinds.flatMap(kindIn), extensions: [], signers: {} }
  }

  return {
    verify: async (payload, requirements) => {
      const response = await ask('verify', question(payload, requirements))
      const { isValid, invalidReason, payer } = fieldsIn(response) ?? {}
      const by = optional('payer', matching(payer, NAME))
      // A refusal may have any status, an approval only a success.
      if (isValid === false) return { isValid, ...optional('invalidReason', matching(invalidReason, REASON)), ...by }
      if (isValid !== true || !isGood(response)) throw failed('verify', response)
      return { isValid, ...by }
    },
    settle: async (payload, requirements) => {
      const response = await ask('settle', question(payload, requirements))
      const { success, errorReason, transaction, network: on, payer } = fieldsIn(response) ?? {}
      const { network } = requirements
      const name = matching(transaction, NAME)
      const by = optional('payer', matching(payer, NAME))
      if (success === false) {
        const reason = optional('errorReason', matching(errorReason, REASON))
        return { success, ...reason, transaction: name ?? '', network, ...by }
      }
      const isOfNetwork = on === undefined || on === network
      if (success !== true || name === undefined || !isOfNetwork || !isGood(response)) throw failed('settle', response)
      return { success, transaction: name, network, ...by }
    },
    getSupported: async () => {
      if (failing && clock.now() - failing.since < ASK_AGAIN_MS) throw failing.error
      try {
        const supported = await readSupported()
        failing = null
        return supported
      } catch (error) {
        failing = { error, since: clock.now() }
        throw error
      }
    },
  }
}
