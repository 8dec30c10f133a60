import type { SeenLog, SeenTransaction } from '../../engine/chains/seen.ts'
import type { Address } from '../../engine/core/address.ts'
import type { Hex } from '../../engine/core/execution.ts'
import type { SwapEvents } from '../../engine/venues/venue.ts'
import { TOY_CONTRACT } from './fakeVenue.ts'

/** A log of the toy venue's contract: what it is about, an order's name and an amount. */
export const log = (
  index: number,
  what: 'paid' | 'filled' | 'returned',
  orderId: string,
  amount: bigint,
  address: Address = TOY_CONTRACT,
): SeenLog => ({
  index,
  address: address.toLowerCase() as Hex,
  topics: [`0x${Buffer.from(`${what} ${orderId}`).toString('hex')}`],
  data: `0x${amount.toString(16)}`,
})

const readLogs = ({ logs }: SeenTransaction, what: string) =>
  logs
    .filter(({ address }) => address === TOY_CONTRACT.toLowerCase())
    .map(({ index, topics: [topic = '0x'], data }) => {
      const [said, orderId = ''] = Buffer.from(topic.slice(2), 'hex').toString().split(' ')
      return { place: `log:${index}`, said, orderId, amount: BigInt(data) }
    })
    .filter(({ said }) => said === what)

/** The contracts of a venue that names its orders. */
export const TOY_EVENTS: SwapEvents = {
  inputs: async (seen, { order }) =>
    readLogs(seen, 'paid').map(({ place, orderId, amount }) => ({
      place,
      orderId,
      took: { token: order.input.address, amount },
    })),
  outputs: async (seen, _swap, orderIds) => readLogs(seen, 'filled').filter(({ orderId }) => orderIds.includes(orderId)),
  refunds: async (seen, _swap, orderIds) => readLogs(seen, 'returned').filter(({ orderId }) => orderIds.includes(orderId)),
  named: async (seen) => readLogs(seen, 'filled').map(({ place }) => place),
}
