import type { SharedStandings, Told } from '../../engine/shared/sharedStandings.ts'
import { createRateCounter } from '../../handlers/http/rateCounter.ts'
import type { Question, Reply } from './messages.ts'

/** Longer than any call takes. A member that stays longer has died. */
const INSIDE_MS = 120_000

type Written = Omit<Told, 'standing'> & { readonly standing: Told['standing']; readonly at: number }

/** The state that the workers of one machine share without Redis. The primary process holds it. */
export const createSharedState = (now: () => number = () => performance.now()) => {
  const counter = createRateCounter()
  const rooms = new Map<string, Map<string, number>>()
  const standings = new Map<string, Written>()

  const inside = (key: string): Map<string, number> => {
    const room = rooms.get(key) ?? new Map<string, number>()
    for (const [member, until] of room) if (until <= now()) room.delete(member)
    return room
  }

  const enter = async ({ key, member, limit }: Extract<Question, { ask: 'enter' }>): Promise<boolean> => {
    const { requests } = await counter.look(key)
    const room = inside(key)
    if (requests + room.size >= limit) return false
    rooms.set(key, room.set(member, now() + INSIDE_MS))
    return true
  }

  const leave = ({ key, member }: Extract<Question, { ask: 'leave' }>): boolean => {
    const room = inside(key)
    const wasInside = room.delete(member)
    if (room.size === 0) rooms.delete(key)
    return wasInside
  }

  const exchange = (changes: Parameters<SharedStandings['exchange']>[0]): readonly Told[] => {
    for (const { key, on, mark, standing } of changes)
      if ((standings.get(key)?.mark ?? '') === on) standings.set(key, { key, mark, standing, at: now() })
    return [...standings.values()].map(({ at, ...told }) => {
      const restsMs = told.standing?.restsMs ?? null
      return restsMs === null || told.standing === null
        ? told
        : { ...told, standing: { ...told.standing, restsMs: Math.max(0, restsMs - (now() - at)) } }
    })
  }

  return async (question: Question): Promise<Reply> => {
    switch (question.ask) {
      case 'count':
        return counter.count(question.key)
      case 'look':
        return counter.look(question.key)
      case 'giveBack':
        return counter.giveBack(question.key)
      case 'enter':
        return enter(question)
      case 'leave':
        return leave(question)
      case 'exchange':
        return exchange(question.changes)
    }
  }
}
