import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSolanaTransactions } from '../../../engine/chains/solana/solanaTransactions.ts'
import { benchOver, DEADLINE_MS, fakeTimers, never, pass } from './chainsBench.ts'
import { type Endpoint, hangs, resets, says } from './evmNode.ts'

/** No pause before asking again is longer. */
const RETRY_MS = 250
const well = says({ result: '0x' })

beforeEach(fakeTimers)
afterEach(() => {
  vi.useRealTimers()
})

describe('a read that no endpoint answers', () => {
  it('is tried again after a moment, which is enough for a passing trouble [rpc-retry-once]', async () => {
    const { http, start } = benchOver({ a: resets })
    const reading = start()
    await vi.advanceTimersByTimeAsync(49)
    expect(http.sent).toHaveLength(1)
    http.endpoints['a'] = well
    await vi.advanceTimersByTimeAsync(RETRY_MS - 49)
    expect(http.sent).toHaveLength(2)
    expect(await reading).toBe('answered')
  })

  it.each([
    ['resets', resets],
    ['answers 503', says('', 503)],
    ['answers 429', says('', 429)],
  ])('is tried once more at each, and no more, when each %s', async (_what, endpoint) => {
    const { read } = benchOver({ a: endpoint, b: endpoint })
    expect(await read()).toEqual(['a', 'b', 'a', 'b', 'unreachable'])
  })

  it('is not tried again where it was refused, or where there was no answer in time', async () => {
    const refuses = says({ error: { code: -32_601, message: 'method not found' } })
    expect(await benchOver({ a: refuses }).read()).toEqual(['a', 'unreachable'])
    expect(await benchOver({ a: hangs }).read()).toEqual(['a', 'timeout'])
    expect(await benchOver({ a: hangs, b: resets, c: refuses }).read()).toEqual(['a', 'b', 'c', 'b', 'unreachable'])
  })

  it('is asked of each endpoint once when it is no read: a signed transaction to send [rpc-retry-once]', async () => {
    const { http, health, rpcUrls } = benchOver({ a: resets, b: says('', 503) })
    const sending = createSolanaTransactions({ rpcUrls, http, health }).send('AAAA', never())
    const refused = expect(sending).rejects.toMatchObject({ failure: 'unreachable' })
    await vi.advanceTimersByTimeAsync(DEADLINE_MS)
    await refused
    expect(http.sent.map(({ host, call }) => [host, call.method])).toEqual([
      ['a', 'sendTransaction'],
      ['b', 'sendTransaction'],
    ])
  })

  it('ends at its deadline, wherever it is by then', async () => {
    /** Resets when there is hardly time left to try again. */
    const late: Endpoint = async (call, signal) => {
      await new Promise((resolve) => setTimeout(resolve, DEADLINE_MS - 10))
      return resets(call, signal)
    }
    /** Hangs when it is tried again. */
    const worse = (): Endpoint => {
      let isFirst = true
      return (call, signal) => {
        const endpoint = isFirst ? resets : hangs
        isFirst = false
        return endpoint(call, signal)
      }
    }
    const dead: readonly { [host: string]: Endpoint }[] = [
      { a: hangs },
      { a: hangs, b: hangs, c: hangs },
      { a: late },
      { a: worse() },
      { a: hangs, b: worse() },
    ]
    for (const endpoints of dead) {
      const { start } = benchOver(endpoints)
      let isOver = false
      const reading = start().finally(() => {
        isOver = true
      })
      await pass(DEADLINE_MS - 11)
      expect(isOver).toBe(false)
      await pass(11)
      expect(isOver).toBe(true)
      expect(await reading).not.toBe('answered')
    }
  })

  it('leaves no timer behind', async () => {
    for (const endpoint of [well, resets, says('', 503)]) {
      await benchOver({ a: endpoint, b: endpoint }).read()
      expect(vi.getTimerCount()).toBe(0)
    }
  })
})
