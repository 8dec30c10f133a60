import type { Config } from '../../../engine/config/config.ts'
import { openRedisLink, redisScript } from '../../../engine/shared/redisLink.ts'
import { type Finding, ok, warn } from './finding.ts'

const NOTHING = redisScript('return 1')

const LOST = 'Until it is back, each process counts limits and breakers alone.'
const TODO = 'Check that Redis runs at REDIS_URL, and that its user may write and run scripts.'

/** Checks that the state shared by instances can be written and read. Omits the URL, which contains a password. */
export const lookAtRedis = async ({ redis: { url, keyPrefix } }: Pick<Config, 'redis'>): Promise<readonly Finding[]> => {
  if (url === null) return []
  let trouble: string | null = null
  const link = await openRedisLink({
    url,
    keyPrefix,
    observe: (event) => {
      if (event.event === 'redis.health') trouble = event.reason
    },
  })
  try {
    const askedAt = performance.now()
    const reply = await link.run(NOTHING, [], [], (answer) => (answer === 1 ? answer : null))
    const elapsedMs = Math.round(performance.now() - askedAt)
    if (reply === 1) return [ok('redis', `Redis accepts writes, and answers in ${elapsedMs} ms.`)]
    return [warn('redis', `Redis cannot be used: ${trouble ?? 'it did not answer in time'}. ${LOST}`, TODO)]
  } finally {
    link.close()
  }
}
