import { createRooms, type Rooms, type RoomsBounds } from '../../handlers/http/rooms.ts'

/** So that only tests about the bounds meet them. */
export const WIDE: RoomsBounds = { quotes: 1_000, executes: 1_000, statuses: 1_000, waiting: 0, waitMs: 1 }

export const wideRooms = (): Rooms => createRooms(WIDE, { observe: () => undefined })
