import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import type { SwapState } from '../../../engine/core/swapStatus.ts'
import { proveBalance } from '../../../engine/ledger/proveBalance.ts'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { createRetention } from '../../../engine/retention/createRetention.ts'
import type { WholeSwap } from '../../../engine/store/archive.ts'
import type { Store } from '../../../engine/store/store.ts'
import { StoreError } from '../../../engine/store/storeError.ts'
import type { NewSwap } from '../../../engine/store/swaps.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { pair, TOKENS } from '../../support/fakeChains.ts'
import { createFakeVenue, statusOf } from '../../support/fakeVenue.ts'
import { aNewSwap, aPayment } from '../../support/storedSwap.ts'
import { STORES } from '../../support/stores.ts'
import { createTestClock, createTestEngine, type TestClock } from '../../support/testEngine.ts'

const DAY_MS = 86_400_000
const KEPT_MS = 30 * DAY_MS

const closers: (() => Promise<unknown> | unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'retention-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  return folder
}

const linesOf = (folder: string): readonly WholeSwap[] =>
  readdirSync(folder).flatMap((name) =>
    gunzipSync(readFileSync(join(folder, name)))
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as WholeSwap),
  )

const awake = new AbortController().signal

const line = { account: 'operator', side: 'debit', ecosystem: 'evm', chainId: 1, token: '0x2', amount: 5n } as const

describe.each(STORES)('swaps in %s that ended long ago', (_name, openOne) => {
  const start = async () => {
    const clock = createTestClock()
    const store = await openOne(clock)
    closers.push(() => store.close())
    const archiveDir = aFolder()
    const events: EngineEvent[] = []
    const observe = (event: EngineEvent) => void events.push(event)
    const retain = (config: { afterMs?: number | null; archiveDir?: string | null; store?: Store } = {}) =>
      createRetention({ config: { afterMs: KEPT_MS, archiveDir, ...config }, store: config.store ?? store, clock, observe })
    return { clock, store, archiveDir, events, retain }
  }

  const add = async (store: Store, state: SwapState, wish: Partial<NewSwap> = {}) => {
    const { id } = await store.swaps.add(await aNewSwap({ quoteId: `q-${state}`, bindingKey: `b${Math.random()}`, ...wish }))
    if (state !== 'pending') await store.swaps.setStatus(id, statusOf(state), wish.ref ?? 'ref-1')
    return id
  }

  /** With everything that a swap may have. */
  const addWhole = async ({ store, clock }: { store: Store; clock: TestClock }) => {
    await store.partners.add({ id: 'partner', kind: 'selfServe', feeBps: 0, requestsPerMinute: null }, { email: 'a@example.org' })
    const id = await add(store, 'success', { quoteId: 'q-whole', bindingKey: 'b', ref: 'addr' })
    await store.payments.claim(id, [aPayment(1), aPayment(2, { kind: 'input' })])
    await store.broadcasts.claim(id, { txHash: 'tx', untilHeight: 7 })
    await store.swapKeys.claim({ swapId: id, venue: 'toy', kind: 'address', value: 'addr', until: null })
    await store.swapKeys.claim({ swapId: id, venue: 'toy', kind: 'orderId', value: 'o1', until: clock.at + 5 })
    const lines = [line, { ...line, account: 'partner:partner', side: 'credit' }] as const
    await store.transaction(({ ledger }) => ledger.book({ key: `fee:${id}`, kind: 'fee', swapId: id, document: {}, lines }))
    return id
  }

  it('are archived whole, and found by nobody any more; what guards money stays [store-retention]', async () => {
    const stage = await start()
    const { store, clock, archiveDir, events, retain } = stage
    const id = await addWhole(stage)
    const record = await store.swaps.byId(id)
    const proof = await proveBalance(store)
    clock.at += KEPT_MS + 1
    expect(await retain().run(awake)).toEqual({ isCut: false })

    const [whole] = linesOf(archiveDir)
    expect(whole).toMatchObject({
      swap: { id, quote_id: 'q-whole', state: 'success', ref: 'addr', document: expect.stringContaining('offer') },
      payments: [{ kind: 'output' }, { kind: 'input' }],
      broadcast: { tx_hash: 'tx' },
    })
    expect(whole?.keys.map(({ value }) => value).toSorted()).toEqual(['addr', 'o1'])
    expect(events).toMatchObject([{ event: 'swaps.archived', swaps: 1, file: expect.stringContaining(archiveDir) }])
    const [name = ''] = readdirSync(archiveDir)
    expect(statSync(join(archiveDir, name)).mode & 0o777).toBe(0o600)

    expect(record).not.toBeNull()
    expect(await store.swaps.byId(id)).toBeNull()
    expect(await store.swaps.ofQuote('q-whole')).toEqual([])
    expect(await store.operator.swaps({ ref: 'addr' }, { beforeId: null, limit: 9 })).toEqual([])
    expect(await store.broadcasts.find(id)).toBeNull()
    // Its payments are nobody else's, nor is its address, nor what the venue knows it by.
    const other = await add(store, 'processing')
    expect(await store.payments.claim(other, [aPayment(1)])).toBe(false)
    const claim = { swapId: other, venue: 'toy', until: null } as const
    expect(await store.swapKeys.claim({ ...claim, kind: 'address', value: 'addr' })).toBe(id)
    expect(await store.swapKeys.claim({ ...claim, kind: 'orderId', value: 'o1' })).toBe(other)
    expect(await store.swaps.isOfAnotherQuote('addr', 'q-whole')).toBe(true)
    // The books are as they were, and balance.
    expect(await store.ledger.ofSwap(id)).toHaveLength(1)
    expect(await proveBalance(store)).toEqual(proof)
  })

  it('stay whole for as long as anything still needs them', async () => {
    const { store, clock, archiveDir, retain } = await start()
    await store.partners.add({ id: 'partner', kind: 'selfServe', feeBps: 0, requestsPerMinute: null }, { email: 'a@example.org' })
    const open = await Promise.all((['pending', 'processing', 'expired'] as const).map((state) => add(store, state)))
    const [followed, told, touched] = [await add(store, 'success'), await add(store, 'failed'), await add(store, 'refunded')]
    await store.settlement.add({ swapId: followed, isPaid: true, dueAt: 0 })
    const event = { partnerId: 'partner', swapId: told, event: 'swap.failed', document: {}, delivery: 'due' } as const
    await store.partnerEvents.add(event)
    clock.at += KEPT_MS
    await store.swaps.setStatus(touched, statusOf('refunded'), 'ref-1')
    clock.at += 1
    const late = await add(store, 'success')
    const all = [...open, followed, told, touched, late]
    const whole = async () => (await Promise.all(all.map((id) => store.swaps.byId(id)))).flatMap((swap) => swap?.id ?? [])
    await retain().run(awake)
    expect(await whole()).toEqual(all)
    expect(readdirSync(archiveDir)).toEqual([])
    // And no longer.
    await store.settlement.abandon(followed)
    const [due] = await store.partnerEvents.ofPartner('partner', { afterPlace: 0, limit: 1 })
    await store.partnerEvents.start(due?.id ?? 0)
    await retain().run(awake)
    expect(await whole()).toEqual([...open, touched, late])
    clock.at += KEPT_MS + 1
    await retain().run(awake)
    expect(await whole()).toEqual(open)
    expect(linesOf(archiveDir)).toHaveLength(4)
  })

  it('of the sandbox have no end, and go when they are as old', async () => {
    const { store, clock, retain } = await start()
    const id = await add(store, 'pending', { isSandbox: true })
    clock.at += KEPT_MS
    await retain().run(awake)
    expect(await store.swaps.byId(id)).not.toBeNull()
    clock.at += 1
    await retain().run(awake)
    expect(await store.swaps.byId(id)).toBeNull()
  })

  it('are not given up where the archive cannot be written', async () => {
    const { store, clock, archiveDir, retain } = await start()
    const id = await add(store, 'success')
    clock.at += KEPT_MS + 1
    writeFileSync(join(archiveDir, 'taken'), '')
    await expect(retain({ archiveDir: join(archiveDir, 'taken') }).run(awake)).rejects.toThrow()
    expect(await store.swaps.byId(id)).not.toBeNull()
  })

  it('are archived by the next that tries, where the first was broken off between the file and the database', async () => {
    const { store, clock, archiveDir, retain } = await start()
    const id = await add(store, 'success')
    clock.at += KEPT_MS + 1
    const dead = { ...store, transaction: () => Promise.reject(new StoreError('gone')) }
    await expect(retain({ store: dead }).run(awake)).rejects.toThrow('gone')
    expect(await store.swaps.byId(id)).not.toBeNull()
    await retain().run(awake)
    expect(await store.swaps.byId(id)).toBeNull()
    expect(linesOf(archiveDir).map(({ swap }) => swap.id)).toEqual([id, id])
  })

  it('are dropped without a copy, kept for ever, or looked for once a day, as is set', async () => {
    const { store, clock, archiveDir, events, retain } = await start()
    const id = await add(store, 'success')
    clock.at += KEPT_MS + 1
    await retain({ afterMs: null }).run(awake)
    expect(await store.swaps.byId(id)).not.toBeNull()
    const retention = retain({ archiveDir: null })
    await retention.run(awake)
    expect(await store.swaps.byId(id)).toBeNull()
    expect(readdirSync(archiveDir)).toEqual([])
    expect(events).toEqual([{ event: 'swaps.archived', swaps: 1, file: null }])
    const next = await add(store, 'success', { quoteId: 'q-next' })
    await store.builds.reserve({ quoteId: 'q', bindingKey: 'b', owner: 'one' }, 1_000)
    clock.at += DAY_MS - 1
    await retention.run(awake)
    clock.at += KEPT_MS
    await retention.run(awake)
    expect(await store.swaps.byId(next)).toBeNull()
  })

  it('are walked through a stretch at a time, and gone on with where a pass was ended', async () => {
    const { store, clock, archiveDir, retain } = await start()
    const swap = await aNewSwap({ ref: null })
    await store.transaction(async ({ swaps }) => {
      for (let i = 0; i < 560; i += 1) {
        const { id } = await swaps.add({ ...swap, quoteId: `q${i}` })
        if (i % 3 > 0) await swaps.setStatus(id, statusOf('success'), null)
      }
    })
    clock.at += KEPT_MS + 1
    const retention = retain()
    const stopped = new AbortController()
    stopped.abort()
    expect(await retention.run(stopped.signal)).toEqual({ isCut: true })
    expect(readdirSync(archiveDir)).toEqual([])
    while ((await retention.run(awake)).isCut);
    const archived = linesOf(archiveDir).map(({ swap: { id } }) => id)
    expect(archived).toHaveLength(373)
    expect(new Set(archived).size).toBe(373)
    expect(await store.swaps.ofQuote('q0')).toHaveLength(1)
    expect(await store.swaps.ofQuote('q1')).toEqual([])
  })
})

describe('a swap that was archived', () => {
  it('is not_found for whoever still asks, without a call of its venue, and is never built again', async () => {
    const clock = createTestClock()
    const venue = createFakeVenue('toy', { kind: 'DEPOSIT', now: clock.now })
    venue.script.track = async () => statusOf('success')
    const env = { RETENTION_DAYS: '30', RETENTION_ARCHIVE_DIR: aFolder() }
    const stage = await createTestEngine({ venues: [venue], clock, env })
    closers.push(() => stage.close())
    const { engine, context } = stage
    const order = anOrder({ from: pair(TOKENS.usdcEthereum), to: pair(TOKENS.usdcArbitrum), amount: 1_000_000n })
    const { quoteToken } = await engine.quote(order, context)
    const parties = { quoteToken, destinationAddress: WALLETS.evm, refundAddress: WALLETS.evm }
    const { statusRef } = await engine.execute(parties, context)
    const ask = () => engine.status({ quoteToken, ref: statusRef ?? '' }, context)
    expect(await ask()).toMatchObject({ state: 'success' })
    clock.at += 31 * DAY_MS
    await engine.settlement.runOnce()
    const asked = venue.calls.track.length
    expect(await ask()).toMatchObject({ state: 'not_found', payments: [] })
    expect(venue.calls.track).toHaveLength(asked)
    await expect(engine.execute(parties, context)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' })
    expect(venue.calls.execute).toHaveLength(1)
  })
})
