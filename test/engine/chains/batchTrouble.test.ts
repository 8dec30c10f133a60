import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { assetOf, WALLETS } from '../../support/anOrder.ts'
import { benchOver, DEADLINE_MS, fakeTimers, pass, sizes, turn, USDC } from './chainsBench.ts'
import {
  ALLOWANCE,
  answersTooMuch,
  batchIn,
  byFunction,
  type Contracts,
  DECIMALS,
  type Endpoint,
  hangs,
  has,
  NAME,
  resets,
  type Sent,
  SYMBOL,
  says,
  USD_COIN,
  word,
} from './evmNode.ts'

const PATIENCE_MS = 2_000
const OTHER = assetOf(1, '0x6B175474E89094C44Da98b954EedeAC495271d0F')
const HOSTILE = assetOf(1, '0xdAC17F958D2ee523a2206206994597C13D831ec7')
const METADATA = [DECIMALS, SYMBOL, NAME]
const usdc = byFunction({ ...USD_COIN, [ALLOWANCE]: `0x${word(7n)}` })

/** Each request as who is asked for what: several in a batch, or one. */
const asked = (sent: readonly Sent[]): readonly string[] =>
  sent.map(({ call }) => {
    const reads = batchIn(call) ?? (call.params as readonly { to: string; data: string }[]).slice(0, 1)
    return reads.map(({ to, data }) => `${to.slice(2, 6)}:${data.slice(0, 10)}`).join(' ')
  })

/** Reads of chains that have one endpoint. */
const setUp = (endpoint: Endpoint) => benchOver({ a: endpoint })

beforeEach(fakeTimers)
afterEach(() => {
  vi.useRealTimers()
})

describe('a neighbour in a batch', () => {
  const strange =
    (answer: string | null): Contracts =>
    (read) =>
      read.to === HOSTILE.address ? answer : usdc(read)

  it.each([
    ['reverts', null],
    ['returns nothing', '0x'],
  ])('that %s is asked again by itself, and nobody else is', async (_what, answer) => {
    const { http, symbol } = setUp(has(strange(answer)))
    expect(await Promise.all([symbol(USDC), symbol(HOSTILE)])).toEqual(['USDC', 'notAToken'])
    expect(asked(http.sent).slice(1)).toEqual(METADATA.map((data) => `dAC1:${data}`))
  })

  it('that only fails among others is heard when it is asked by itself', async () => {
    const { http, symbol } = setUp((call, signal) => has(batchIn(call) ? strange(null) : usdc)(call, signal))
    expect(await Promise.all([symbol(USDC), symbol(HOSTILE)])).toEqual(['USDC', 'USDC'])
    expect(sizes(http.sent)).toEqual([6, 'one', 'one', 'one'])
  })

  /** A node for which any call that touches the hostile contract ends like that. */
  const spoiltBy =
    (spoilt: Endpoint): Endpoint =>
    (call, signal) => {
      const touched = batchIn(call) ?? [call.params[0] as { to: string }]
      return touched.some(({ to }) => to === HOSTILE.address) ? spoilt(call, signal) : has(usdc)(call, signal)
    }

  it.each([
    ['burns all the gas there is', says({ error: { code: -32_000, message: 'out of gas' } })],
    ['answers without end', answersTooMuch],
    ['makes the node refuse', says({ error: { code: -32_000, message: 'execution aborted (timeout = 5s)' } })],
    ['makes it find the request too large', says('too large', 413)],
  ])('that %s takes nothing from the others', async (_what, spoilt) => {
    const { http, symbol } = setUp(spoiltBy(spoilt))
    expect((await Promise.all([symbol(USDC), symbol(OTHER), symbol(HOSTILE)])).slice(0, 2)).toEqual(['USDC', 'USDC'])
    expect(sizes(http.sent).slice(0, 10)).toEqual([9, ...Array.from({ length: 9 }, () => 'one')])
  })

  it('that keeps the node busy for ever takes two thirds of the time from the others, and no more', async () => {
    const { http, symbol } = setUp(spoiltBy(hangs))
    const [good, hostile] = [symbol(USDC), symbol(HOSTILE)]
    await turn()
    await vi.advanceTimersByTimeAsync(PATIENCE_MS - 1)
    expect(sizes(http.sent)).toEqual([6])
    await vi.advanceTimersByTimeAsync(1)
    expect(await good).toBe('USDC')
    await vi.advanceTimersByTimeAsync(DEADLINE_MS - PATIENCE_MS)
    expect(await hostile).toBe('timeout')
    expect(sizes(http.sent)).toEqual([6, 'one', 'one', 'one', 'one', 'one', 'one'])
  })

  it('is waited for when it is only slow: an answer at the last moment is as good', async () => {
    const { symbol } = setUp(async (call, signal) => {
      if (!batchIn(call)) return hangs(call, signal)
      await new Promise((resolve) => setTimeout(resolve, DEADLINE_MS - 1))
      return has(usdc)(call, signal)
    })
    const reading = symbol(USDC)
    await turn()
    await vi.advanceTimersByTimeAsync(DEADLINE_MS - 1)
    expect(await reading).toBe('USDC')
  })

  it('that answers without end does not cost the chain its batches', async () => {
    const { http, symbol, allowance } = setUp(spoiltBy(answersTooMuch))
    expect(await symbol(HOSTILE)).toBe('notAToken')
    const before = http.sent.length
    await Promise.all([allowance(), allowance()])
    expect(sizes(http.sent.slice(before))).toEqual([2])
  })
})

describe('a batch under trouble', () => {
  it('goes to the next endpoint as any read does', async () => {
    const { http, allowance } = benchOver({ a: resets, b: has(usdc) })
    expect(await Promise.all([allowance(), allowance()])).toEqual([7n, 7n])
    expect(http.sent.map(({ host }) => host)).toEqual(['a', 'b'])
    expect(sizes(http.sent)).toEqual([2, 2])
  })

  it('is not taken apart while the second endpoint has hardly been asked', async () => {
    const { http, allowance } = benchOver({ a: hangs, b: has(usdc) })
    const reading = Promise.all([allowance(), allowance()])
    await turn()
    await vi.advanceTimersByTimeAsync(DEADLINE_MS / 2)
    expect(await reading).toEqual([7n, 7n])
    expect(sizes(http.sent)).toEqual([2, 2])
  })

  it('is not taken apart when no endpoint can be reached: more requests would not help', async () => {
    const { http, symbol } = setUp(resets)
    const reading = symbol(USDC)
    await turn()
    await vi.advanceTimersByTimeAsync(250)
    expect(await reading).toBe('unreachable')
    expect(sizes(http.sent)).toEqual([3, 3])
  })

  it('ends at the deadline when nothing ever answers', async () => {
    const { http, allowance } = benchOver({ a: hangs, b: hangs })
    let over = 0
    const readings = [allowance(), allowance(), allowance()].map((reading) =>
      reading.finally(() => {
        over += 1
      }),
    )
    await turn()
    await pass(DEADLINE_MS - 1)
    expect(over).toBe(0)
    await pass(1)
    expect(over).toBe(3)
    expect(await Promise.all(readings)).toEqual(['timeout', 'timeout', 'timeout'])
    expect(vi.getTimerCount()).toBe(0)
    expect(http.sent.every(({ signal }) => signal.aborted)).toBe(true)
  })

  it('is held against the endpoint that never answers it, though not when everybody has left', async () => {
    const { events, allowance } = setUp(hangs)
    const leaver = new AbortController()
    const left = [1, 2].map(() => allowance(WALLETS.evmOther, leaver.signal))
    await turn()
    leaver.abort()
    await Promise.all(left)
    await turn()
    expect(events).toEqual([])
    const stayed = [allowance(), allowance()]
    await turn()
    await vi.advanceTimersByTimeAsync(DEADLINE_MS)
    expect(await Promise.all(stayed)).toEqual(['timeout', 'timeout'])
    expect(events).toMatchObject([{ event: 'chain.health', chainId: 1, endpoint: 1, healthy: false }])
  })

  it('goes on without a caller who leaves', async () => {
    let answer = (): void => undefined
    const { http, allowance } = setUp(async (call, signal) => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return has(usdc)(call, signal)
    })
    const leaver = new AbortController()
    const [leaves, stays] = [allowance(WALLETS.evmOther, leaver.signal), allowance()]
    await turn()
    leaver.abort()
    expect(await leaves).toBe('timeout')
    expect(http.sent[0]?.signal.aborted).toBe(false)
    answer()
    expect(await stays).toBe(7n)
    expect(sizes(http.sent)).toEqual([2])
  })

  it('is given up when everybody has left', async () => {
    const { http, allowance } = setUp(hangs)
    const leaver = new AbortController()
    const reads = [1, 2].map(() => allowance(WALLETS.evmOther, leaver.signal))
    await turn()
    leaver.abort()
    expect(await Promise.all(reads)).toEqual(['timeout', 'timeout'])
    await turn()
    expect(http.sent[0]?.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
    expect(sizes(http.sent)).toEqual([2])
  })

  it('is not even sent for callers who left before it was', async () => {
    const { http, allowance } = setUp(has(usdc))
    const leaver = new AbortController()
    const reads = [allowance(WALLETS.evmOther, leaver.signal), allowance(WALLETS.evmOther, leaver.signal), allowance()]
    leaver.abort()
    expect(await Promise.all(reads)).toEqual(['timeout', 'timeout', 7n])
    expect(sizes(http.sent)).toEqual(['one'])
  })
})
