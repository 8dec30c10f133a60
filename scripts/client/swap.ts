import type { NetworkControl } from './network.ts'
import type { ServiceClient } from './service.ts'
import type { Sent, Wallet } from './wallet.ts'
import type { Approval, Execution, ExecutionOf, Quote, SwapStatus } from './wire.ts'

type Caller = Pick<ServiceClient, 'call'>
type Network = { readonly control: Pick<NetworkControl, 'advance' | 'faucet'> }

/** A swap: its quote, and the ref for its status. */
export type Open = { readonly quoteToken: string; readonly ref: string }

/** Executes a quote. Throws for another type of payload. */
export const executeAs = async <T extends Execution['executionType']>(
  { call }: Caller,
  executionType: T,
  body: { readonly quoteToken: string; readonly destinationAddress?: string; readonly refundAddress?: string },
): Promise<ExecutionOf<T>> => {
  const execution = await call('execute', { body })
  if (execution.executionType !== executionType) throw new Error(`executed as ${execution.executionType}`)
  return execution as ExecutionOf<T>
}

/** The actions of a wallet for a swap: the ref for its status, the payments, and the cost of all. */
export type CarriedOut = {
  readonly ref: string
  /** Null for a signature. */
  readonly payment: Sent | null
  readonly approvals: readonly Sent[]
  readonly cost: bigint
}

type Means = { readonly service: Caller; readonly wallet: Wallet }

const approve = async (approval: Approval | undefined, wallet: Wallet): Promise<readonly Sent[]> => {
  if (!approval) return []
  // Tokens such as USDT refuse to change an allowance that is not zero.
  const reset = approval.reset ? [await wallet.send(approval.reset)] : []
  return [...reset, await wallet.send(approval.transaction)]
}

/** Carries out the answer of `/execute` of any venue. Only this function of a client depends on the executionType. */
export const carryOut = async (
  execution: Execution,
  { quoteToken }: Pick<Quote, 'quoteToken'>,
  { service, wallet }: Means,
): Promise<CarriedOut> => {
  const ended = (ref: string, payment: Sent | null, approvals: readonly Sent[]): CarriedOut => {
    const sent = [...approvals, ...(payment ? [payment] : [])]
    return { ref, payment, approvals, cost: sent.reduce((sum, { cost }) => sum + cost, 0n) }
  }
  switch (execution.executionType) {
    case 'TRANSACTION': {
      const approvals = await approve(execution.approval, wallet)
      const payment = await wallet.send(execution.transaction)
      return ended(payment.id, payment, approvals)
    }
    case 'SIGNATURE': {
      const approvals = await approve(execution.approval, wallet)
      const { typedData, approvalData } = execution
      const approvalSignature = approvalData && (await wallet.sign(approvalData))
      const signature = await wallet.sign(typedData)
      const body = { quoteToken, signature, ...(approvalSignature && { approvalSignature }) }
      return ended((await service.call('submitSignature', { body })).statusRef, null, approvals)
    }
    case 'DEPOSIT':
      return ended(execution.statusRef, await wallet.pay(execution.deposit), [])
  }
}

export const statusOf = ({ call }: Caller, { quoteToken, ref }: Open): Promise<SwapStatus> =>
  call('status', { query: { quoteToken, ref } })

/** The progress of a swap by its state. */
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
const LOOKS_MAX = 150

export type Following = {
  /** The time between two polls, or a function of the number of polls before. */
  readonly stepMs: number | ((look: number) => number)
  readonly until?: SwapStatus['status']
  /** Permits an earlier state after a later one, as after a reorganisation. Default: throws. */
  readonly mayGoBack?: boolean
  readonly onStatus?: (status: SwapStatus) => void
}

/**
 * Polls and advances the network's time, until the swap ends or reaches `until`. Returns each status that differs from the one
 * before.
 */
export const follow = async (
  service: Caller & { readonly control: Pick<NetworkControl, 'advance'> },
  swap: Open,
  { stepMs, until, mayGoBack = false, onStatus }: Following,
): Promise<readonly SwapStatus[]> => {
  const seen: SwapStatus[] = []
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const status = await statusOf(service, swap)
    const last = seen.at(-1)
    const isBehind = last !== undefined && PROGRESS[status.status] < PROGRESS[last.status]
    if (isBehind && !mayGoBack) throw new Error(`${last.status} went back to ${status.status}`)
    if (last?.status !== status.status || last.venueStatus !== status.venueStatus) {
      seen.push(status)
      onStatus?.(status)
    }
    if (PROGRESS[status.status] === END || status.status === until) return seen
    await service.control.advance(typeof stepMs === 'number' ? stepMs : stepMs(look))
  }
  throw new Error(`the swap did not end: ${JSON.stringify(seen)}`)
}

/** The states of a list of statuses, without equal neighbours. */
export const statesOf = (seen: readonly SwapStatus[]): readonly string[] =>
  seen.map(({ status }) => status).filter((state, i, all) => state !== all[i - 1])

/** The last status of a swap. */
export const lastOf = (seen: readonly SwapStatus[]): SwapStatus => {
  const last = seen.at(-1)
  if (!last) throw new Error('no status was seen')
  return last
}

/** Funds an address of the offline network with tokens of one chain. */
export const fund = async (
  { control }: Network,
  chainId: number,
  address: string,
  amounts: { readonly [token: string]: string },
): Promise<void> => {
  for (const [token, amount] of Object.entries(amounts)) await control.faucet({ chainId, token, address, amount })
}
