import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Order } from '../../../engine/core/order.ts'
import { createRejectedSamples, newestSamples, readRejectedSamples } from '../../../engine/observe/rejectedSamples.ts'
import type { RejectedAnswer } from '../../../engine/venues/answerBook.ts'
import { rejected } from '../../../engine/venues/venueError.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, declines, type FakeVenue, fails, offers } from '../../support/fakeVenue.ts'
import { asClient, executeToken, order } from '../../support/quoteBench.ts'
import { createTestEngine, refusalOf, START_AT, type TestEngine } from '../../support/testEngine.ts'

const there = order()
const back = order({ from: pair(TOKENS.usdcArbitrum), to: pair(TOKENS.usdcEthereum) })
const elsewhere = order({ from: pair(TOKENS.usdcBase) })

const refuses = fails(rejected('router', 'an unknown router', '0xbad'))
const notSold = declines('unsupportedPair', { reason: 'notSold' })

let engine: TestEngine
let venue: FakeVenue
let samples: RejectedAnswer[]
beforeEach(async () => {
  samples = []
  venue = createFakeVenue('toy', { now: () => START_AT, quote: refuses })
  const other = createFakeVenue('other', { now: () => START_AT, quote: declines('noLiquidity') })
  engine = await createTestEngine({ venues: [venue, other], keepSample: (sample) => void samples.push(sample) })
  return () => engine.close()
})

const quote = (client: string, asked: Order = there) => engine.engine.quote(asked, asClient(engine, client).context)
/** As many quotes, of callers and pairs in turn; after each one, so many quotes of another caller and so much time. */
const quotes = async (count: number, { callers = 3, orders = [there, back], ofBusy = 0, minutes = 0 } = {}): Promise<void> => {
  for (let i = 0; i < count; i += 1) {
    await quote(`c${i % callers}`, orders[i % orders.length]).catch(() => undefined)
    for (let busy = 0; busy < ofBusy; busy += 1) await quote('busy').catch(() => undefined)
    engine.clock.at += minutes * 60_000
  }
}
const health = async () => (await engine.engine.health()).venues.find(({ id }) => id === 'toy')
const FAILING = { trouble: 'failing', rejecting: [{ call: 'quote', check: 'toy.router', chainId: 1 }] }

describe('health reports the check that rejects the answers of a venue [venue-rejected-counted]', () => {
  test('after 5 rejected quotes of 3 callers and 2 pairs, whatever time passes, until the first accepted quote', async () => {
    await quotes(4)
    expect(await health()).toMatchObject({ trouble: null, rejecting: [] })
    await quotes(2)
    expect(await health()).toMatchObject(FAILING)
    expect(engine.reported('venue.health')).toMatchObject([{ healthy: false, reason: 'rejecting toy.router at quote' }])
    engine.clock.at += 24 * 3_600_000
    expect(await health()).toMatchObject(FAILING)
    venue.script.quote = offers(1_000n)
    await quote('c9')
    expect(await health()).toMatchObject({ trouble: null, rejecting: [] })
    expect(engine.reported('venue.health').at(-1)).toMatchObject({ healthy: true })
  })

  test.each([
    ['not after 60 rejected quotes of one caller', 60, { callers: 1 }, null],
    ['not after 60 rejected quotes of two callers', 60, { callers: 2 }, null],
    ['not after 60 rejected quotes of one pair', 60, { orders: [there] }, null],
    ['not after 19 rejected quotes that take 95 minutes', 19, { minutes: 5 }, null],
    ['after 20 rejected quotes that take 100 minutes', 20, { minutes: 5 }, FAILING.trouble],
    ['after ten, with 20 of one other caller between any two', 10, { ofBusy: 20, minutes: 20 }, FAILING.trouble],
  ])('%s', async (_after, count, by, trouble) => {
    await quotes(count, by)
    expect(await health()).toMatchObject({ trouble })
  })

  test.each([
    ['it refuses requests with an undocumented code', declines('badResponse', { nature: 'unexplained' }), 'refusal'],
    ['its offers contradict the chain', offers(9n, { decimals: { input: 18, output: 6 } }), 'contradictsChain'],
  ])('when %s', async (_what, answer, check) => {
    venue.script.quote = answer
    await quotes(6)
    expect(await health()).toMatchObject({ ...FAILING, rejecting: [{ call: 'quote', check: `toy.${check}` }] })
  })

  test('whatever declines and documented limits come between', async () => {
    await quotes(3)
    for (const between of [notSold, declines('amountTooSmall')]) {
      venue.script.quote = between
      await quotes(9)
    }
    venue.script.quote = refuses
    await quotes(3)
    expect(await health()).toMatchObject(FAILING)
  })

  test('while every execute is rejected, however many quotes are accepted', async () => {
    venue.script.quote = offers(1_000n)
    venue.script.execute = refuses
    for (let i = 0; i < 6; i += 1) {
      const { quoteToken } = await quote(`c${i % 3}`, i % 2 ? there : back)
      const { details } = await refusalOf(executeToken(asClient(engine, `c${i % 3}`), quoteToken), 'INTERNAL')
      expect(details).toMatchObject({ venue: 'toy', kind: 'rejected' })
    }
    await quotes(20)
    expect(await health()).toMatchObject({ ...FAILING, rejecting: [{ call: 'execute', check: 'toy.router' }] })
  })

  test('with the chain, and as healthy, when it rejects the answers about one chain only', async () => {
    venue.script.quote = (asked, signal) =>
      [asked.input.chainId, asked.output.chainId].includes(1) ? refuses(asked, signal) : offers(1_000n)(asked, signal)
    for (const client of ['c1', 'c2']) {
      await quotes(12)
      await quote(client, elsewhere)
    }
    expect(await health()).toMatchObject({ trouble: null, rejecting: FAILING.rejecting })
  })
})

test('a rejected quote is a decline with its check, is logged once a minute, kept as a sample, and the venue is still called [venue-rejected-counted]', async () => {
  const { details } = await refusalOf(quote('c1'), 'NO_LIQUIDITY')
  const declined = { venue: 'toy', kind: 'rejected', check: 'toy.router', retryable: true }
  expect(details).toMatchObject({ declines: [declined, { venue: 'other' }] })
  await quotes(40)
  expect(venue.calls.quote).toHaveLength(41)
  engine.clock.at += 60_000
  await quotes(1)
  const line = { venue: 'toy', call: 'quote', check: 'toy.router', found: '0xbad' }
  expect(engine.reported('venue.rejected')).toMatchObject([1, 41].map((times) => ({ ...line, times })))
  expect(samples).toHaveLength(42)
  expect(samples[0]).toMatchObject({ ...line, swap: { inputAmount: '1000000', sender: there.sender } })
})

describe('samples of rejected answers', () => {
  const writer = async (place: string) => {
    const parent = await mkdtemp(join(tmpdir(), 'rejected-'))
    onTestFinished(() => rm(parent, { recursive: true }))
    const [folder, clock, lost] = [join(parent, place), { at: START_AT, now: () => clock.at }, [] as unknown[]]
    const observe = (event: unknown) => void lost.push(event)
    return { folder, clock, lost, keep: createRejectedSamples(folder, { clock, observe, monotonic: clock.now }) }
  }
  const sample = (check: string, answer = '{}'): RejectedAnswer => {
    const exchanges = [{ method: 'GET' as const, url: 'http://x', request: null, status: 200, answer }]
    return { venue: 'toy', call: 'quote', check, found: 'x', swap: {}, exchanges }
  }

  test('are the last three of each check and three a minute, for their owner only, with each text cut at 64 KiB', async () => {
    const { folder, clock, keep } = await writer('samples')
    for (let minute = 0; minute < 4; minute += 1) {
      clock.at += 60_000
      keep(sample('toy.router', minute === 3 ? 'a'.repeat(70_000) : String(minute)))
    }
    for (let i = 0; i < 20; i += 1) keep(sample('toy.settler', String(i)))
    const answersOf = async (check: string) =>
      (await readRejectedSamples(folder, START_AT)).filter((one) => one.check === check).map((one) => one.exchanges[0]?.answer)
    await expect.poll(() => answersOf('toy.router')).toEqual([expect.stringMatching(/^a{60}/), '2', '1'])
    expect((await answersOf('toy.router'))[0]?.length).toBeLessThan(66_000)
    await expect.poll(() => answersOf('toy.settler')).toEqual(['2', '1', '0'])
    await expect.poll(async () => (await newestSamples(folder)).map(({ check }) => check)).toEqual(['toy.settler', 'toy.router'])
    expect((await stat(folder)).mode & 0o077).toBe(0)
  })

  test('that cannot be written are counted, and change no file', async () => {
    const { folder: file, lost, keep } = await writer('file')
    await writeFile(file, '')
    keep(sample('toy.router'))
    await expect.poll(() => lost).toMatchObject([{ event: 'venue.sample.lost' }])
    expect(await readFile(file, 'utf8')).toBe('')
  })
})
