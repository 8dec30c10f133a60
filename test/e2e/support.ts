import { expect } from 'vitest'
import type { components, operations } from '../../generated/api.d.ts'
import type { TestService } from '../support/service.ts'

type Schemas = components['schemas']
export type Quote = Schemas['Quote']
export type Execution = Schemas['Execution']
export type SwapStatus = Schemas['SwapStatus']
export type QuoteRequest = operations['quote']['requestBody']['content']['application/json']
export type ExecutionOf<T extends Execution['executionType']> = Extract<Execution, { executionType: T }>

type Caller = Pick<TestService, 'call'>
type Network = Pick<TestService, 'control'>

export const EVM_HASH = /^0x[0-9a-f]{64}$/
export const SOLANA_SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{86,88}$/

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS

/** What a swap is in: the quote, and the ref its status is asked by. */
export type Open = { readonly quoteToken: string; readonly ref: string }

/** Executes a quote, which must answer with the payload that is expected. */
export const executeAs = async <T extends Execution['executionType']>(
  { call }: Caller,
  executionType: T,
  body: { readonly quoteToken: string; readonly destinationAddress?: string; readonly refundAddress?: string },
): Promise<ExecutionOf<T>> => {
  const execution = await call('execute', { body })
  if (execution.executionType !== executionType) throw new Error(`executed as ${execution.executionType}`)
  return execution as ExecutionOf<T>
}

export const statusOf = ({ call }: Caller, { quoteToken, ref }: Open): Promise<SwapStatus> =>
  call('status', { query: { quoteToken, ref } })

/** How far a swap has come. Once further, it never goes back. */
const PROGRESS: { readonly [state in SwapStatus['status']]: number } = {
  not_found: 0,
  unknown: 0,
  pending: 1,
  processing: 2,
  expired: 3,
  success: 4,
  refunded: 4,
  failed: 4,
}
const END = 4
const LOOKS_MAX = 60

/**
 * Polls while the network's time runs ahead, until the swap ends or `until` is reached, and gives every status that
 * differed from the one before. A swap that goes back fails the test.
 */
export const follow = async (
  service: Caller & Network,
  swap: Open,
  { stepMs, until }: { readonly stepMs: number; readonly until?: SwapStatus['status'] },
): Promise<readonly SwapStatus[]> => {
  const seen: SwapStatus[] = []
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const status = await statusOf(service, swap)
    const last = seen.at(-1)
    if (last)
      expect(PROGRESS[status.status], `${last.status} went back to ${status.status}`).toBeGreaterThanOrEqual(
        PROGRESS[last.status],
      )
    if (last?.status !== status.status || last.venueStatus !== status.venueStatus) seen.push(status)
    if (PROGRESS[status.status] === END || status.status === until) return seen
    await service.control.advance(stepMs)
  }
  throw new Error(`the swap did not end: ${JSON.stringify(seen)}`)
}

/** The states of a list of statuses, neighbours that are the same told once. */
export const statesOf = (seen: readonly SwapStatus[]): readonly string[] =>
  seen.map(({ status }) => status).filter((state, i, all) => state !== all[i - 1])

/** The end of a swap that was delivered. */
export const lastOf = (seen: readonly SwapStatus[]): SwapStatus => {
  const last = seen.at(-1)
  if (!last) throw new Error('no status was seen')
  return last
}

/** Asserts that a swap stays in one state, however far time runs ahead, and never becomes a success. */
export const staysIn = async (service: Caller & Network, swap: Open, state: SwapStatus['status']): Promise<SwapStatus> => {
  for (const advanceMs of [MINUTE_MS, HOUR_MS, 48 * HOUR_MS]) {
    await service.control.advance(advanceMs)
    expect((await statusOf(service, swap)).status).toBe(state)
  }
  return statusOf(service, swap)
}

/** Funds an address of the offline network, any number of tokens of one chain. */
export const fund = async (
  { control }: Network,
  chainId: number,
  address: string,
  amounts: { readonly [token: string]: string },
): Promise<void> => {
  for (const [token, amount] of Object.entries(amounts)) await control.faucet({ chainId, token, address, amount })
}

/** What a simulated venue itself answers: what reached it, told by the other side. */
export const askVenue = async <T>({ simnet }: Pick<TestService, 'simnet'>, venue: string, path: string): Promise<T> => {
  const response = await fetch(`${simnet.venues[venue]?.baseUrl}${path}`)
  if (!response.ok) throw new Error(`${venue} answered ${response.status} to ${path}`)
  return (await response.json()) as T
}
