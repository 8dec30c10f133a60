import type { Stage } from '../kills/stage.ts'
import { createCaller } from './caller.ts'

const AT_ONCE = 12
const CLIENT = '203.0.113.9'

/** How many of so many requests got through, asked of all replicas in turn. */
export const askBeyondLimit = async ({ lives }: Stage, requests: number): Promise<number> => {
  const { call } = createCaller(lives)
  let [asked, through] = [0, 0]
  const work = async (): Promise<void> => {
    while (asked < requests) {
      asked += 1
      const { status } = await call('GET', '/api/v1/chains', undefined, { 'x-forwarded-for': CLIENT })
      if (status === 200) through += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return through
}
