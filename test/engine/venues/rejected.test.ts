import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Order } from '../../../engine/core/order.ts'
import { createRejectedSamples, newestSamples, readRejectedSamples } from '../../../engine/observe/rejectedSamples.ts'
import type { RejectedAnswer } from '../../../engine/venues/answerBook.ts'
import { rejected, VenueError } from '../../../engine/venues/venueError.ts'
import { anOrder } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, declines, type FakeVenue, offers } from '../../support/fakeVenue.ts'
import { createTestEngine, START_AT, type TestEngine } from '../../support/testEngine.ts'

/** A check of the service rejects priced answers of one venue: counted, reported, and no reason to stop asking the venue. */

type Name = 'usdcEthereum' | 'usdcArbitrum' | 'usdcBase'
const between = (from: Name, to: Name): Order => anOrder({ from: pair(TOKENS[from]), to: pair(TOKENS[to]), amount: 1_000_000n })
const there = between('usdcEthereum', 'usdcArbitrum')
const back = between('usdcArbitrum', 'usdcEthereum')

const refuses = async (): Promise<never> => {
  throw rejected('router', 'an unknown router', '0xbad')
}
const notSold = async (): Promise<never> => {
  throw new VenueError('unsupportedPair', 'a limit of ours', { reason: 'notSold' })
}

let engine: TestEngine
let venue: FakeVenue
let other: FakeVenue
const samples: RejectedAnswer[] = []
beforeEach(async () => {
  samples.length = 0
  venue = createFakeVenue('toy', { now: () => START_AT, quote: refuses })
  other = createFakeVenue('other', { now: () => START_AT, quote: declines('noLiquidity') })
  engine = await createTestEngine({ venues: [venue, other], keepSample: (sample) => samples.push(sample) })
})
afterEach(() => engine.close())

const quote = (client: string, order: Order = there) => engine.engine.quote(order, { ...engine.context, client })
/** As many quotes, of callers and pairs in turn. */
const quotes = async (count: number, { callers = 3, orders = [there, back] } = {}): Promise<void> => {
  for (let i = 0; i < count; i += 1) await quote(`c${i % callers}`, orders[i % orders.length]).catch(() => undefined)
}
const health = async () => (await engine.engine.health()).venues.find(({ id }) => id === 'toy')
const AT_QUOTE = { call: 'quote', check: 'toy.router' }

describe('a venue is reported as rejecting [venue-rejected-counted]', () => {
  test('after 5 rejected quotes within 15 minutes of 3 callers and 2 pairs, until the first accepted quote', async () => {
    await quotes(4)
    expect(await health()).toMatchObject({ trouble: null, rejecting: [] })
    await quotes(2)
    expect(await health()).toMatchObject({ trouble: 'failing', rejecting: [AT_QUOTE] })
    expect(engine.reported('venue.health')).toMatchObject([{ healthy: false, reason: 'rejecting toy.router at quote' }])
    venue.script.quote = offers(1_000n)
    await quote('c9')
    expect(await health()).toMatchObject({ trouble: null, rejecting: [] })
    expect(engine.reported('venue.health').at(-1)).toMatchObject({ healthy: true })
  })

  test.each([
    ['one caller', { callers: 1 }],
    ['two callers', { callers: 2 }],
    ['one pair', { orders: [there] }],
  ])('never by 60 rejected quotes of %s', async (_of, by) => {
    await quotes(60, by)
    expect(await health()).toMatchObject({ trouble: null })
  })

  test('although one caller has 200 more answers of other pairs rejected', async () => {
    const far = Array.from(
      { length: 60 },
      (_none, i) => ({ ...there, output: { ...there.output, address: `0x${String(i).padStart(40, '1')}` } }) as Order,
    )
    await quotes(6)
    await quotes(200, { callers: 1, orders: far })
    expect(await health()).toMatchObject({ trouble: 'failing' })
  })

  test('until an answer is accepted: silence is no evidence', async () => {
    await quotes(6)
    engine.clock.at += 24 * 3_600_000
    expect(await health()).toMatchObject({ trouble: 'failing', rejecting: [AT_QUOTE] })
  })

  test('when it refuses every request with an undocumented code', async () => {
    venue.script.quote = declines('badResponse', { nature: 'unexplained' })
    await quotes(6)
    expect(await health()).toMatchObject({ trouble: 'failing', rejecting: [{ call: 'quote', check: 'toy.refusal' }] })
  })

  test('whatever declines and documented limits come between', async () => {
    for (const between of [notSold, declines('amountTooSmall')]) {
      venue.script.quote = refuses
      await quotes(3)
      venue.script.quote = between
      await quotes(9)
    }
    expect(await health()).toMatchObject({ trouble: 'failing' })
    venue.script.quote = notSold
    await quotes(30)
    expect(await health()).toMatchObject({ trouble: 'failing' })
  })

  test('while every execute is rejected, however many quotes are accepted', async () => {
    venue.script.quote = offers(1_000n)
    venue.script.execute = refuses
    for (let i = 0; i < 6; i += 1) {
      const { quoteToken } = await quote(`c${i % 3}`, i % 2 ? there : back)
      const request = { quoteToken, destinationAddress: null, refundAddress: null }
      const failure = await engine.engine.execute(request, { ...engine.context, client: `c${i % 3}` }).catch((error) => error)
      expect(failure).toMatchObject({ code: 'INTERNAL', details: { venue: 'toy', kind: 'rejected' } })
    }
    await quotes(20)
    expect(await health()).toMatchObject({ trouble: 'failing', rejecting: [{ call: 'execute', check: 'toy.router' }] })
  })

  test('with the chain where its answers are rejected on one chain alone, and it stays healthy', async () => {
    const elsewhere = between('usdcBase', 'usdcArbitrum')
    venue.script.quote = async (asked, signal) =>
      [asked.input.chainId, asked.output.chainId].includes(1) ? refuses() : offers(1_000n)(asked, signal)
    await quotes(12, { orders: [there, back] })
    await quote('c1', elsewhere)
    await quotes(12, { orders: [there, back] })
    await quote('c2', elsewhere)
    expect(await health()).toMatchObject({ trouble: null, rejecting: [{ ...AT_QUOTE, chainId: 1 }] })
  })
})

test('a rejected quote is a decline of its own in the API, and the venue is asked on [venue-rejected-counted]', async () => {
  const { code, details } = await quote('c1').catch((error) => error)
  const declined = { venue: 'toy', kind: 'rejected', check: 'toy.router', retryable: true }
  expect({ code, details }).toMatchObject({ code: 'NO_LIQUIDITY', details: { declines: [declined, { venue: 'other' }] } })
  await quotes(40)
  expect(venue.calls.quote).toHaveLength(41)
})

test('a check is logged at most once a minute, with the value it refuses and how often', async () => {
  await quotes(5)
  engine.clock.at += 60_000
  await quotes(1)
  const line = { venue: 'toy', call: 'quote', check: 'toy.router', found: '0xbad' }
  expect(engine.reported('venue.rejected')).toMatchObject([
    { ...line, times: 1 },
    { ...line, times: 5 },
  ])
  expect(samples[0]).toMatchObject({ check: 'toy.router', found: '0xbad', swap: { inputAmount: '1000000' } })
})

describe('samples of rejected answers [venue-rejected-counted]', () => {
  const kept = async (write: (keep: ReturnType<typeof createRejectedSamples>, clock: { at: number }) => void) => {
    const folder = join(await mkdtemp(join(tmpdir(), 'rejected-')), 'rejected')
    const clock = { at: START_AT, now: () => clock.at }
    const lost: unknown[] = []
    const keep = createRejectedSamples(folder, { clock, observe: (event) => void lost.push(event), monotonic: () => clock.at })
    write(keep, clock)
    await expect.poll(async () => (await readRejectedSamples(folder, START_AT)).length + lost.length).toBeGreaterThan(0)
    return { folder, lost }
  }
  const sample = (check: string, answer = '{}'): RejectedAnswer => ({
    venue: 'toy',
    call: 'quote',
    check,
    found: 'x',
    swap: {},
    exchanges: [{ method: 'GET', url: 'http://x', request: null, status: 200, answer }],
  })

  test('are the last three of a check, for their owner alone, each text cut at 64 KiB', async () => {
    const { folder } = await kept((keep, clock) => {
      for (let minute = 0; minute < 4; minute += 1) {
        clock.at += 60_000
        keep(sample('toy.router', minute === 3 ? 'a'.repeat(70_000) : String(minute)))
      }
      for (let i = 0; i < 20; i += 1) keep(sample('toy.settler', String(i)))
    })
    const places = await newestSamples(folder)
    expect(places.map(({ check, at }) => [check, at - START_AT])).toEqual([
      ['toy.settler', 240_000],
      ['toy.router', 240_000],
    ])
    expect(JSON.parse(await readFile(places[1]?.file ?? '', 'utf8')).exchanges[0].answer).toMatch(/^aaa/)
    expect(await newestSamples(join(folder, 'none'))).toEqual([])
    const answersOf = async (check: string) =>
      (await readRejectedSamples(folder, START_AT))
        .filter((one) => one.check === check)
        .map((one) => one.exchanges[0]?.answer.slice(0, 3))
    await expect.poll(() => answersOf('toy.router')).toEqual(['aaa', '2', '1'])
    await expect.poll(async () => (await answersOf('toy.settler')).length).toBe(3)
    const { mode } = await stat(folder)
    expect(mode & 0o077).toBe(0)
    await rm(folder, { recursive: true })
  })

  test('that cannot be written are counted and cost nothing', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'rejected-')), 'file')
    await writeFile(file, '')
    const lost: unknown[] = []
    const keep = createRejectedSamples(file, { clock: { now: () => START_AT }, observe: (event) => void lost.push(event) })
    keep(sample('toy.router'))
    await expect.poll(() => lost).toMatchObject([{ event: 'venue.sample.lost' }])
    expect(await readFile(file, 'utf8')).toBe('')
  })
})
