import type { SwapError } from '../../engine/errors.ts'
import type { Leaving } from './leaving.ts'
import type { Leave, Room } from './room.ts'

/** The slot of one request. */
export interface Stay {
  /**
   * Does work that waits for the client, without a slot meanwhile. Throws OVERLOADED where none is free afterwards, and throws
   * where the client has left by then.
   */
  outside<T>(work: () => Promise<T>): Promise<T>
  leave(): void
}

export type StayParts = {
  readonly room: Room
  readonly who: string
  readonly leaving: Leaving
  readonly overloaded: (retryAfterSec: number) => SwapError
}

/** Null: the caller left before it got a slot. Throws OVERLOADED without a free slot. */
const enter = async ({ room, who, leaving, overloaded }: StayParts): Promise<Leave | null> => {
  const entered = await room.enter(who, leaving)
  if (entered.entry === 'refused') throw overloaded(entered.retryAfterSec)
  return entered.entry === 'place' ? entered.leave : null
}

/** Takes a slot. Null: the caller left before. Throws OVERLOADED without a free slot. */
export const takeStay = async (parts: StayParts): Promise<Stay | null> => {
  let leave = await enter(parts)
  return (
    leave && {
      leave: () => leave?.(),
      outside: async (work) => {
        leave?.()
        const done = await work()
        leave = await enter(parts)
        if (leave === null) throw new Error('the caller left')
        return done
      },
    }
  )
}
