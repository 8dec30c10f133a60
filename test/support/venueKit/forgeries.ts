import { afterAll, expect } from 'vitest'
import { faultsOf } from './mutations.ts'

/**
 * Counts the altered events of one suite, and fails it at its end when fewer were tried than `least` or any counted. The
 * function it gives takes what was made of one, and fails at once when that is anything.
 */
export const countForgeries = (suite: string, least: number) => {
  let altered = 0
  let refused = 0
  afterAll(() => {
    process.stdout.write(`forged events ${suite}: ${altered} altered, ${refused} refused\n`)
    expect(faultsOf({ altered, refused }, least)).toEqual([])
  })
  return (name: string, counted: readonly unknown[] | null): void => {
    altered += 1
    if (counted?.length === 0) refused += 1
    expect(counted, name).toEqual([])
  }
}
