import { describe, expect, it } from 'vitest'
import { createRetryAfter } from '../../handlers/http/retryAfter.ts'
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

  it('whose client left before take no place', async () => {
    const { come, ended, room } = open()
    const gone = AbortSignal.abort()
    await come('x0')
    await come('a1', () => gone)
    expect([ended, room.standing.waiting]).toEqual([['x0 place', 'a1 gone'], 0])
  })

  it('release a slot once, however often leave is called', async () => {
    const { room } = open({ max: 2 })
    const entry = await room.enter('a', never)
    if (entry.entry !== 'place') throw new Error('no place')
    entry.leave()
    entry.leave()
    expect(room.standing.underWay).toBe(0)
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

  it('and it receives one more only once it has released one', async () => {
    const { room, come, leave, ended } = open({ max: 4, ofOne: 3, waitMs: 0 })
    for (const name of ['a1', 'a2', 'a3']) await come(name)
    await come('a4')
    expect(ended.slice(3)).toEqual(['a4 refused'])
    expect(room.standing).toEqual({ underWay: 3, waiting: 0, max: 4 })
    await leave()
    await come('a5')
    expect(ended.slice(4)).toEqual(['a5 place'])
  })
})

describe('the Retry-After of a refused request', () => {
  const after = (served: number, refused: number, passedMs: number, random: number): number => {
    const clock = { at: 0 }
    const retryAfter = createRetryAfter(
      () => clock.at,
      () => random,
    )
    for (let i = 0; i < served; i += 1) retryAfter.served()
    for (let i = 0; i < refused; i += 1) retryAfter.refused()
    clock.at = passedMs
    return retryAfter.seconds()
  }

  it.each([
    ['twice as many requests as served', 100, 100, 0, 2],
    ['five times as many', 100, 400, 500, 5],
    ['within the second before', 100, 400, 1_500, 5],
    ['two seconds ago, none since', 100, 400, 2_500, 1],
    ['none served', 0, 1_000, 0, 10],
    ['far too many', 1, 100_000, 0, 10],
  ])('is drawn evenly from one second on: %s', (_what, served, refused, passedMs, most) => {
    expect([0, 0.999_999].map((random) => after(served, refused, passedMs, random))).toEqual([1, most])
  })
})
