import { describe, expect, it } from 'vitest'
import { createRoom, type Entry, type Leave, type RoomBounds } from '../../handlers/http/room.ts'

const never = () => new AbortController().signal

const open = (bounds: Partial<RoomBounds> = {}) => {
  const room = createRoom(
    { max: 1, waitingMax: 100, waitMs: 60_000, ...bounds },
    { random: () => 0, now: () => 0, onRefused: () => undefined },
  )
  const ended: string[] = []
  const places: Leave[] = []
  const note = (name: string, entry: Entry) => {
    ended.push(`${name} ${entry.entry}`)
    if (entry.entry === 'place') places.push(entry.leave)
  }
  /** Comes from an address; the name is the address and a number. */
  const come = async (name: string, leaving = never): Promise<void> => note(name, await room.enter(name.slice(0, 1), leaving))
  /** The oldest holder releases its slot. */
  const leave = async (): Promise<void> => {
    places.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { room, come, leave, ended }
}

describe('waiting requests', () => {
  it('take turns by address, and are served in their order within one [overload-turns-by-address]', async () => {
    const { room, come, leave, ended } = open()
    await come('x0')
    for (const name of ['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'b2']) void come(name)
    expect(room.standing).toEqual({ underWay: 1, waiting: 7, max: 1 })
    for (let i = 0; i < 8; i += 1) await leave()
    expect(ended).toEqual(['x0', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'].map((name) => `${name} place`))
    expect(room.standing).toEqual({ underWay: 0, waiting: 0, max: 1 })
  })

  it('lose no turn to a request that leaves or is evicted', async () => {
    const { come, leave, ended, room } = open({ waitingMax: 3 })
    const gone = new AbortController()
    await come('x0')
    void come('a1', () => gone.signal)
    for (const name of ['a2', 'a3', 'b1']) void come(name)
    gone.abort()
    await leave()
    await leave()
    await leave()
    expect(ended).toEqual(['x0 place', 'a3 refused', 'a1 gone', 'a2 place', 'b1 place'])
    expect(room.standing).toEqual({ underWay: 0, waiting: 0, max: 1 })
  })

  it('are not evicted for a request whose address has as many already', async () => {
    const { come, ended } = open({ waitingMax: 2 })
    await come('x0')
    for (const name of ['a1', 'b1', 'a2', 'b2', 'c1']) void come(name)
    await new Promise((resolve) => setImmediate(resolve))
    expect(ended.slice(1)).toEqual(['a2 refused', 'b2 refused', 'c1 refused'])
  })
})

describe('the slots of one address are limited', () => {
  it('and the others are served in their turns', async () => {
    const { room, come, leave, ended } = open({ max: 4, ofOne: 3 })
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'b2']) void come(name)
    await new Promise((resolve) => setImmediate(resolve))
    expect(ended).toEqual(['a1', 'a2', 'a3', 'b1'].map((name) => `${name} place`))
    expect(room.standing).toEqual({ underWay: 4, waiting: 4, max: 4 })
    await leave()
    await leave()
    await leave()
    expect(ended.slice(4)).toEqual(['a4', 'c1', 'b2'].map((name) => `${name} place`))
  })
})
