import type { ObserveEdge } from '../../engine/observe/observe.ts'
import type { OperationId } from '../handler.ts'
import { createRoom, type Room, type RoomPorts, type RoomStanding } from './room.ts'

/** The kinds of requests, each with its own limit. */
export type RoomName = 'quotes' | 'executes' | 'statuses'

/**
 * The queue of each operation. Other operations are cheap, or needed when all else fails. The contract has OVERLOADED for exactly
 * these.
 */
const ROOM_OF: { readonly [Id in OperationId]?: RoomName } = {
  quote: 'quotes',
  execute: 'executes',
  submitSignature: 'executes',
  submitTransaction: 'executes',
  status: 'statuses',
  x402Quote: 'quotes',
  x402Execute: 'executes',
  x402SubmitSignature: 'executes',
  x402SubmitTransaction: 'executes',
  x402Status: 'statuses',
}

/**
 * The share of one address. An execute ends even without its caller, and lasts as long as its venue hangs. A caller with two such
 * venues could otherwise hold all slots. Quotes and status requests end within seconds, and with their callers.
 */
const OF_ONE: { readonly [name in RoomName]?: number } = { executes: 3 / 4 }

export type RoomsBounds = {
  /** Concurrent requests of each kind. */
  readonly [name in RoomName]: number
} & {
  /** The most waiting requests of each kind. */
  readonly waiting: number
  readonly waitMs: number
}

export interface Rooms {
  /** Null: an operation without a limit. */
  of(operationId: OperationId): Room | null
  readonly standing: readonly (RoomStanding & { readonly room: RoomName })[]
}

/** The least time between two reports of a full queue: a line for each refusal would be one more flood. */
const TELL_MS = 1_000

const createTeller = (room: RoomName, observe: ObserveEdge) => {
  let refused = 0
  return ({ underWay, waiting }: RoomStanding): void => {
    refused += 1
    if (refused > 1) return
    const tell = () => {
      observe({ event: 'overload', room, refused, underWay, waiting })
      refused = 0
    }
    setTimeout(tell, TELL_MS).unref()
  }
}

/** The limits of one process. */
export const createRooms = (
  { waiting: waitingMax, waitMs, ...places }: RoomsBounds,
  { observe, random = Math.random, now = () => performance.now() }: { readonly observe: ObserveEdge } & Partial<RoomPorts>,
): Rooms => {
  const open = (name: RoomName): Room => {
    const max = places[name]
    const bounds = { max, ofOne: Math.ceil(max * (OF_ONE[name] ?? 1)), waitingMax, waitMs }
    return createRoom(bounds, { random, now, onRefused: createTeller(name, observe) })
  }
  const rooms = { quotes: open('quotes'), executes: open('executes'), statuses: open('statuses') }
  return {
    of: (operationId) => {
      const name = ROOM_OF[operationId]
      return name === undefined ? null : rooms[name]
    },
    get standing() {
      return (Object.keys(rooms) as RoomName[]).map((room) => ({ room, ...rooms[room].standing }))
    },
  }
}
