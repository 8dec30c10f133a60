import { expect, it } from 'vitest'
import { watchClock } from '../../engine/simnet/watch/watchedClock.ts'

/** A clock that stands, and what was told of it. */
const bench = () => {
  let now = 1_000
  const told: number[] = []
  const clock = watchClock(
    {
      now: () => now,
      advance: (ms) => {
        now += ms
      },
    },
    () => told.push(clock.aheadMs()),
  )
  return { clock, told }
}

it('a clock tells of each jump, and of a long one with stops on the way once it is over, even if that failed', async () => {
  const { clock, told } = bench()
  clock.advance(5)
  expect(told).toEqual([5])
  await clock.asOneJump(async () => {
    clock.advance(10)
    await Promise.resolve()
    clock.advance(20)
    expect([clock.now(), told]).toEqual([1_035, [5]])
  })
  expect(told).toEqual([5, 35])
  const failed = clock.asOneJump(async () => {
    clock.advance(1)
    throw new Error('on the way')
  })
  await expect(failed).rejects.toThrow('on the way')
  await clock.asOneJump(async () => undefined)
  expect(told).toEqual([5, 35, 36])
})

it('of two jumps at once the last to end tells', async () => {
  const { clock, told } = bench()
  const gate = Promise.withResolvers<void>()
  const long = clock.asOneJump(async () => {
    clock.advance(1)
    await gate.promise
  })
  await clock.asOneJump(async () => clock.advance(2))
  expect(told).toEqual([])
  gate.resolve()
  await long
  expect(told).toEqual([3])
})
