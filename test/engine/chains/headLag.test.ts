import { describe, expect, it } from 'vitest'
import { type Answers, evidenceOver, patient, resets } from './evidenceBench.ts'
import { BLOCK_SECONDS, node, payee, timeOf } from './evmBench.ts'
import cases from './headLag.json' with { type: 'json' }

/** `steps`: the block that is new by our clock, and the newest block that each endpoint shows; none: it does not answer. */
type Case = Omit<(typeof cases)[number], 'steps'> & {
  readonly steps: readonly (readonly [number, { readonly [host: string]: number }])[]
}

/** For each step who answered the read of the newest block, and who answers another read. */
const readsOver = async ({ hosts, steps, aheadMs = 0 }: Case) => {
  const nodes: { [host: string]: Answers } = Object.fromEntries([...hosts].map((host) => [host, {}]))
  const { evidence, asked, clock, events } = evidenceOver(nodes)
  const rows: string[] = []
  for (const [now, heads] of steps) {
    clock.at = timeOf(now) + aheadMs
    for (const host of hosts) {
      const head = heads[host]
      const dead = { eth_getBlockByNumber: resets, eth_getCode: resets }
      nodes[host] = head === undefined ? dead : { ...node({ head }), eth_getCode: '0x' }
    }
    asked.length = 0
    await evidence.confirmedTime(1, patient()).catch(() => null)
    const latest = asked.filter(({ params }) => params[0] === 'latest').at(-1)
    await evidence.hasCode({ chainId: 1, address: payee }, patient())
    rows.push(`${latest?.host}${asked.at(-1)?.host}`)
  }
  const reports = events.flatMap((event) =>
    event.event === 'chain.lag' ? [[event.endpoint, event.lagging, event.behindMs / 1_000 / BLOCK_SECONDS]] : [],
  )
  return { rows, reports }
}

describe('chain endpoints: the age of the newest block [rpc-lagging-endpoint]', () => {
  // Ethereum's bound is 180 s, which are 15 blocks here.
  it.each(cases as unknown as readonly Case[])('$name', async (one) => {
    const { rows, reports } = one
    expect(await readsOver(one)).toEqual({ rows, reports })
  })

  it('is that of the clock account on Solana', async () => {
    const { evidence, asked, clock, nodes, events } = evidenceOver({ a: {}, b: {} })
    const show = (seconds: number) => {
      const data = Buffer.alloc(40)
      data.writeBigInt64LE(BigInt(seconds), 32)
      return { getAccountInfo: { context: { slot: 7 }, value: { data: [data.toString('base64'), 'base64'] } } }
    }
    for (const now of [1_000, 1_061, 1_066, 1_071]) {
      clock.at = now * 1_000
      Object.assign(nodes, { a: show(1_000), b: show(now) })
      await evidence.confirmedTime(-2, patient())
    }
    expect(asked.map(({ host }) => host).join('')).toBe('aabb')
    expect(events).toMatchObject([{ event: 'chain.lag', chainId: -2, endpoint: 1, lagging: true, behindMs: 61_000 }])
  })
})
