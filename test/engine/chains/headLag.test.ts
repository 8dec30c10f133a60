import { describe, expect, it } from 'vitest'
import { benchOver, never, resets } from './evidenceBench.ts'
import { BLOCK_SECONDS, node, payee, timeOf } from './evmBench.ts'
import cases from './headLag.json' with { type: 'json' }

/**
 * `steps`: the block that is new by our clock, and the newest block of each endpoint; an endpoint that is missing does not answer.
 * `reads`: for each step the endpoint that showed the newest block, and the endpoint of another read. `reports`: in blocks.
 */
const readsOver = async ({
  hosts,
  steps,
  aheadMs = 0,
}: Omit<(typeof cases)[number], 'aheadMs'> & { readonly aheadMs?: number }) => {
  const { evidence, asked, clock, events, nodes } = benchOver(Object.fromEntries([...hosts].map((host) => [host, {}])))
  const reads: string[] = []
  for (const step of steps.split('; ')) {
    const [now, ...heads] = step.split(' ')
    clock.at = timeOf(Number(now)) + aheadMs
    for (const host of hosts) nodes[host] = { eth_getBlockByNumber: resets, eth_getCode: resets }
    for (const shown of heads) nodes[shown.charAt(0)] = { ...node({ head: Number(shown.slice(1)) }), eth_getCode: '0x' }
    asked.length = 0
    await evidence.confirmedTime(1, never()).catch(() => null)
    const latest = asked.findLast(({ params }) => params[0] === 'latest')
    await evidence.hasCode({ chainId: 1, address: payee }, never())
    reads.push(`${latest?.host}${asked.at(-1)?.host}`)
  }
  const reports = events.flatMap((event) =>
    event.event === 'chain.lag'
      ? `${event.endpoint} ${event.lagging ? 'lags' : 'is well'} by ${event.behindMs / 1_000 / BLOCK_SECONDS}`
      : [],
  )
  return { reads: reads.join(' '), reports }
}

describe('chain endpoints: the age of the newest block [rpc-lagging-endpoint]', () => {
  // Ethereum's bound is 180 s, which are 15 blocks here.
  it.each(cases)('$name', async (one) => {
    const { reads, reports } = one
    expect(await readsOver(one)).toEqual({ reads, reports })
  })

  it('on Solana is the age of the clock account', async () => {
    const { evidence, clock, nodes, events, hosts } = benchOver({ a: {}, b: {} })
    const show = (seconds: number) => {
      const data = Buffer.alloc(40)
      data.writeBigInt64LE(BigInt(seconds), 32)
      return { getAccountInfo: { context: { slot: 7 }, value: { data: [data.toString('base64'), 'base64'] } } }
    }
    for (const now of [1_000, 1_061, 1_066, 1_071]) {
      clock.at = now * 1_000
      Object.assign(nodes, { a: show(1_000), b: show(now) })
      await evidence.confirmedTime(-2, never())
    }
    expect(hosts().join('')).toBe('aabb')
    expect(events).toMatchObject([{ event: 'chain.lag', chainId: -2, endpoint: 1, lagging: true, behindMs: 61_000 }])
  })
})
