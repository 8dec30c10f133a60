import { type Abi, decodeEventLog, encodeAbiParameters, encodeEventTopics, getAbiItem, getAddress, parseAbi } from 'viem'
import type { SeenLog, SeenTransaction } from '../../engine/chains/seen.ts'
import { addressOf } from '../../engine/core/address.ts'
import type { ChainId } from '../../engine/core/chain.ts'
import type { Hex } from '../../engine/core/execution.ts'
import { parseTransactionId } from '../../engine/core/transactionId.ts'

/** What a transaction of an EVM chain shows, made of its logs alone: by the Transfers among them, as any token tells them. */

const TRANSFER = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
const TRANSFER_TOPIC = encodeEventTopics({ abi: TRANSFER })[0]

type AnyLog = { readonly address: string; readonly topics: readonly string[]; readonly data: string }

const movementOf = ({ index, address, topics, data }: SeenLog) => {
  if (topics[0] !== TRANSFER_TOPIC || topics.length !== 3 || data.length !== 66) return []
  const [from, to] = topics.slice(1).map((topic) => addressOf('evm', getAddress(`0x${topic.slice(26)}`)))
  if (from === undefined || to === undefined) return []
  return [{ place: `log:${index}`, token: addressOf('evm', getAddress(address)), from, to, amount: BigInt(data) }]
}

/** `first`: the number of its first log in the block. */
export const seenEvm = (
  chainId: ChainId,
  logs: readonly AnyLog[],
  { first = 0, ...change }: Partial<SeenTransaction> & { readonly first?: number } = {},
): SeenTransaction => {
  const seen = logs.map((log, i) => ({
    index: first + i,
    address: log.address.toLowerCase() as Hex,
    topics: log.topics.map((topic) => topic.toLowerCase() as Hex),
    data: log.data as Hex,
  }))
  const hash = parseTransactionId(chainId, `0x${'51'.repeat(32)}`)
  if (hash === null) throw new TypeError('no such hash there')
  return {
    chainId,
    hash,
    isSuccess: true,
    standing: 'confirmed',
    at: null,
    height: 1,
    movements: seen.flatMap(movementOf),
    call: null,
    logs: seen,
    instructions: [],
    notes: [],
    ...change,
  }
}

type Fields = { readonly [name: string]: unknown }

/** What a contract logs of an event, by the names of its fields. */
export const eventLog = (abi: Abi, eventName: string, address: string, fields: Fields): AnyLog => {
  const event = getAbiItem({ abi, name: eventName })
  const inputs = event && 'inputs' in event ? event.inputs : []
  const plain = inputs.filter((input) => !('indexed' in input && input.indexed))
  return {
    address,
    topics: encodeEventTopics({ abi, eventName, args: fields } as never) as Hex[],
    data: encodeAbiParameters(plain, plain.map(({ name }) => fields[name ?? '']) as never),
  }
}

/** A log with one field of its event changed, to a value or by a function of what it was. */
export const retold = (log: AnyLog, abi: Abi, [path, change]: readonly [path: string, change: unknown]): AnyLog => {
  const { eventName = '', args } = decodeEventLog({ abi, topics: log.topics as never, data: log.data as Hex })
  const fields = structuredClone(args) as unknown as Record<string, unknown>
  const names = path.split('.')
  const last = names.pop() ?? ''
  const parent = names.reduce((part, name) => part[name] as Record<string, unknown>, fields)
  if (!(last in parent)) throw new TypeError(`${eventName} has no ${path}`)
  parent[last] = typeof change === 'function' ? (change as (was: unknown) => unknown)(parent[last]) : change
  return eventLog(abi, eventName, log.address, fields)
}
