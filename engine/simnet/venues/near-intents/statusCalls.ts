import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import type { DepositView } from './depositView.ts'
import type { Order, OrderBook } from './orders.ts'
import type { HasFault } from './quoteCall.ts'
import { Refused } from './quoteRequest.ts'
import { statusBody } from './statusBody.ts'

/** The calls about orders by their deposit address. Both throw Refused. */
export interface StatusCalls {
  /** `GET /v0/status` */
  getStatus(call: SimRequest): SimResponse
  /** `POST /v0/deposit/submit` */
  submitDeposit(call: SimRequest): SimResponse
}

const isText = (value: unknown): value is string => typeof value === 'string'

const unknownAddress = (address: string): Refused => new Refused(`Deposit address ${address} not found`, 404)

type Dependencies = { readonly book: OrderBook; readonly view: DepositView; readonly hasFault: HasFault }

export const createStatusCalls = ({ clock, random }: World, { book, view, hasFault }: Dependencies): StatusCalls => {
  const answer = (order: Order, status: number, path: string): SimResponse => {
    const override = hasFault('unknown-status', path) ? 'SOLVER_REVIEW' : null
    return { status, body: { correlationId: random.hex(32), ...statusBody(order, view, clock.now(), override) } }
  }

  return {
    getStatus: ({ query, path }) => {
      const address = query.get('depositAddress')
      if (!address) throw new Refused('depositAddress must be a string')
      // None of the simulated addresses has a memo, so one that is asked for with a memo is another one.
      const order = query.has('depositMemo') ? null : book.find(address)
      if (!order) throw unknownAddress(address)
      return answer(order, 200, path)
    },
    submitDeposit: ({ body, path }) => {
      const { txHash, depositAddress, ...rest } = (body ?? {}) as Record<string, unknown>
      if (!isText(txHash) || txHash === '') throw new Refused('txHash must be a string')
      if (!isText(depositAddress)) throw new Refused('depositAddress must be a string')
      const stranger = Object.keys(rest).find((field) => field !== 'memo' && field !== 'nearSenderAccount')
      if (stranger !== undefined) throw new Refused(`property ${stranger} should not exist`)
      const order = book.find(depositAddress)
      if (!order) throw unknownAddress(depositAddress)
      order.hint = txHash
      return answer(order, 201, path)
    },
  }
}
