import type { components } from '../../generated/api.d.ts'
import { connectService } from '../client/service.ts'
import { amountOf, type Pair } from './pairs.ts'
import type { Parties } from './parties.ts'

/** How far a pair came at one venue. `why` names what ended it: the venue's decline, or the code of an error. */
export type Outcome =
  | { readonly result: 'executed'; readonly executionType: string }
  | { readonly result: 'preview' }
  | { readonly result: 'declined'; readonly why: string; readonly isRetryable: boolean }
  | { readonly result: 'refused'; readonly at: 'quote' | 'execute'; readonly why: string; readonly text: string }

type Schemas = components['schemas']
type Failure = {
  readonly code: string
  readonly message: string
  readonly details?: {
    readonly declines?: readonly {
      readonly venue: string
      readonly kind: string
      readonly reason?: string
      readonly check?: string
      readonly retryable: boolean
    }[]
  }
}

type Answer<T> = { readonly data: T } | { readonly error: Failure }

const textOf = ({ message, details }: Failure): string => `${message}${details ? ` ${JSON.stringify(details)}` : ''}`

export type TryPorts = {
  readonly serviceUrl: string
  /** Left out of every quote, so that one venue is alone. */
  readonly excludeVenues: readonly string[]
  readonly parties: Parties
}

/** Quotes a pair at one venue alone, as any client would, and executes what is quoted. Nothing is signed or paid. */
export const tryPair = async (venue: string, { from, to }: Pair, ports: TryPorts): Promise<Outcome> => {
  const { serviceUrl, excludeVenues, parties } = ports
  const { send } = connectService(serviceUrl)
  const post = async <T>(path: string, body: unknown) => (await send('POST', path, { body })).body as Answer<T>
  const quoted = await post<Schemas['Quote']>('/api/v1/quote', {
    inputChainId: from.chainId,
    inputToken: from.address,
    inputAmount: String(amountOf(from)),
    outputChainId: to.chainId,
    outputToken: to.address,
    userAddress: parties.sender.on(from.chainId),
    refundAddress: parties.sender.on(from.chainId),
    destinationAddress: parties.recipient.on(to.chainId),
    excludeVenues,
  })
  if ('error' in quoted) {
    const { code, details } = quoted.error
    const decline = details?.declines?.find((one) => one.venue === venue)
    if (decline)
      return {
        result: 'declined',
        why: [decline.kind, ...(decline.reason ? [`(${decline.reason})`] : []), ...(decline.check ? [decline.check] : [])].join(
          ' ',
        ),
        isRetryable: decline.retryable,
      }
    return { result: 'refused', at: 'quote', why: code, text: textOf(quoted.error) }
  }
  const { quoteToken, executable } = quoted.data
  if (!executable) return { result: 'preview' }
  const executed = await post<Schemas['Execution']>('/api/v1/execute', { quoteToken })
  if ('error' in executed) return { result: 'refused', at: 'execute', why: executed.error.code, text: textOf(executed.error) }
  return { result: 'executed', executionType: executed.data.executionType }
}
