import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import type { SwapState } from '../../../engine/core/swapStatus.ts'
import { proveBalance } from '../../../engine/ledger/proveBalance.ts'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { createRetention } from '../../../engine/retention/createRetention.ts'
import type { WholeSwap } from '../../../engine/store/archive.ts'
import type { Store } from '../../../engine/store/store.ts'
import { StoreError } from '../../../engine/store/storeError.ts'
import type { NewSwap } from '../../../engine/store/swaps.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { anEvent } from '../../support/hookStage.ts'
import { done, startMoneyBench } from '../../support/moneyBench.ts'
import { aNewSwap, anEntry, aPayment } from '../../support/storedSwap.ts'
import { aFolder, closing, startStore } from '../../support/storeStage.ts'

const DAY_MS = 86_400_000
const KEPT_MS = 30 * DAY_MS
const SIGNAL = new AbortController().signal

const linesOf = (folder: string): readonly WholeSwap[] =>
  readdirSync(folder).flatMap((name) => {
    const lines = gunzipSync(readFileSync(join(folder, name)))
      .toString()
      .trimEnd()
      .split('\n')
    return lines.map((line) => JSON.parse(line) as WholeSwap)
  })

const start = async () => {
  const stage = await startStore()
  const { store, clock } = stage
  const archiveDir = aFolder()
  const events: EngineEvent[] = []
  const retain = (config: { afterMs?: number | null; archiveDir?: string | null; store?: Store } = {}) =>
    createRetention({
      config: { afterMs: KEPT_MS, archiveDir, ...config },
      store: config.store ?? store,
      clock,
      observe: (event) => void events.push(event),
    })
  const add = async (state: SwapState, wish: Partial<NewSwap> = {}) => {
    const { id } = await store.swaps.add(await aNewSwap({ quoteId: `q-${state}`, bindingKey: `b${Math.random()}`, ...wish }))
    if (state !== 'pending') await store.swaps.setStatus(id, statusOf(state), wish.ref ?? 'ref-1')
    return id
  }
  await store.partners.add({ id: 'partner', kind: 'selfServe', feeBps: 0, requestsPerMinute: null }, null)
  return { ...stage, archiveDir, events, retain, add, run: () => retain().run(SIGNAL) }
}

it('retention writes old swaps whole to the archive, hides them, and keeps what guards other swaps [store-retention]', async () => {
  const { store, clock, archiveDir, events, add, run } = await start()
  const id = await add('success', { quoteId: 'q-whole', ref: 'addr' })
  await store.payments.claim(id, [aPayment(1), aPayment(2, { kind: 'input' })])
  await store.broadcasts.claim(id, { txHash: 'tx', untilHeight: 7 })
  await store.swapKeys.claim({ swapId: id, venue: 'toy', kind: 'address', value: 'addr', until: null })
  await store.swapKeys.claim({ swapId: id, venue: 'toy', kind: 'orderId', value: 'o1', until: clock.at + 5 })
  const fee = anEntry(`fee:${id}`, 'partner')
  await store.transaction(({ ledger }) => ledger.book({ ...fee, swapId: id }))
  const proof = await proveBalance(store)
  clock.at += KEPT_MS + 1
  expect(await run()).toEqual({ isCut: false })

  const [whole] = linesOf(archiveDir)
  expect(whole).toMatchObject({
    swap: { id, quote_id: 'q-whole', state: 'success', ref: 'addr', document: expect.stringContaining('offer') },
    payments: [{ kind: 'output' }, { kind: 'input' }],
    broadcast: { tx_hash: 'tx' },
  })
  expect(whole?.keys.map(({ value }) => value).toSorted()).toEqual(['addr', 'o1'])
  expect(events).toMatchObject([{ event: 'swaps.archived', swaps: 1, file: expect.stringContaining(archiveDir) }])
  expect(statSync(join(archiveDir, readdirSync(archiveDir)[0] ?? '')).mode & 0o777).toBe(0o600)

  expect([await store.swaps.byId(id), await store.broadcasts.find(id)]).toEqual([null, null])
  expect(await store.swaps.ofQuote('q-whole')).toEqual([])
  expect(await store.operator.swaps({ ref: 'addr' }, { beforeId: null, limit: 9 })).toEqual([])
  // No other swap may claim its payments or its permanent keys.
  const other = await add('processing')
  expect(await store.payments.claim(other, [aPayment(1)])).toBe(false)
  const claim = { swapId: other, venue: 'toy', until: null } as const
  expect(await store.swapKeys.claim({ ...claim, kind: 'address', value: 'addr' })).toBe(id)
  expect(await store.swapKeys.claim({ ...claim, kind: 'orderId', value: 'o1' })).toBe(other)
  expect(await store.swaps.isOfAnotherQuote('addr', 'q-whole')).toBe(true)
  expect(await proveBalance(store)).toEqual(proof)
})

it('retention keeps swaps that are open, young, followed, or have a webhook pending, for as long as they are', async () => {
  const { store, clock, archiveDir, add, run } = await start()
  const open = [await add('pending'), await add('processing'), await add('expired')]
  const [followed, told, touched] = [await add('success'), await add('failed'), await add('refunded')]
  // A sandbox swap never ends, and goes by its age.
  const sandbox = await add('pending', { isSandbox: true })
  await store.settlement.add({ swapId: followed, isPaid: true, dueAt: 0 })
  await store.partnerEvents.add(anEvent('partner', { swapId: told }))
  const all = [...open, followed, told, touched, sandbox]
  const kept = async (ms: number) => {
    clock.at += ms
    await run()
    return (await Promise.all(all.map((id) => store.swaps.byId(id)))).flatMap((swap) => swap?.id ?? [])
  }
  expect([await kept(KEPT_MS), readdirSync(archiveDir)]).toEqual([all, []])
  await store.swaps.setStatus(touched, statusOf('refunded'), 'ref-1')
  expect(await kept(1)).toEqual([...open, followed, told, touched])
  await store.settlement.abandon(followed)
  const [due] = await store.partnerEvents.ofPartner('partner', { afterPlace: 0, limit: 1 })
  await store.partnerEvents.start(due?.id ?? 0)
  expect(await kept(0)).toEqual([...open, touched])
  expect(await kept(KEPT_MS)).toEqual(open)
  expect(linesOf(archiveDir)).toHaveLength(4)
})

it('retention keeps swaps when the archive cannot be written, and archives them later when the store fails after the write', async () => {
  const { store, clock, archiveDir, retain, add, run } = await start()
  const id = await add('success')
  clock.at += KEPT_MS + 1
  const taken = join(aFolder(), 'taken')
  writeFileSync(taken, '')
  await expect(retain({ archiveDir: taken }).run(SIGNAL)).rejects.toThrow()
  const dead = { ...store, transaction: () => Promise.reject(new StoreError('gone')) }
  await expect(retain({ store: dead }).run(SIGNAL)).rejects.toThrow('gone')
  expect(await store.swaps.byId(id)).not.toBeNull()
  await run()
  expect(await store.swaps.byId(id)).toBeNull()
  expect(linesOf(archiveDir).map(({ swap }) => swap.id)).toEqual([id, id])
})

it('retention keeps all swaps, or archives no copy, as configured', async () => {
  const { store, clock, archiveDir, events, retain, add } = await start()
  const id = await add('success')
  clock.at += KEPT_MS + 1
  await retain({ afterMs: null }).run(SIGNAL)
  expect(await store.swaps.byId(id)).not.toBeNull()
  await retain({ archiveDir: null }).run(SIGNAL)
  expect([await store.swaps.byId(id), readdirSync(archiveDir)]).toEqual([null, []])
  expect(events).toEqual([{ event: 'swaps.archived', swaps: 1, file: null }])
})

it('retention archives each of many swaps once, and continues where a pass stopped', async () => {
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
  expect([await retention.run(AbortSignal.abort()), readdirSync(archiveDir)]).toEqual([{ isCut: true }, []])
  while ((await retention.run(SIGNAL)).isCut);
  const archived = linesOf(archiveDir).map(({ swap: { id } }) => id)
  expect([archived.length, new Set(archived).size]).toEqual([373, 373])
  expect([(await store.swaps.ofQuote('q0')).length, await store.swaps.ofQuote('q1')]).toEqual([1, []])
})

it('an archived swap is not_found for /status without a venue call, and is never built again', async () => {
  const env = { RETENTION_DAYS: '30', RETENTION_ARCHIVE_DIR: aFolder() }
  const bench = closing(await startMoneyBench('DEPOSIT', {}, { env }))
  const { engine, context, venue } = bench
  const swap = await bench.execute()
  bench.pay(swap)
  bench.says('success', done(bench.deliver(swap)))
  expect(await bench.stateOf(swap)).toBe('success')
  bench.pass(31 * DAY_MS)
  await engine.settlement.runOnce()
  const { length } = venue.calls.track
  expect(await bench.status(swap)).toMatchObject({ state: 'not_found', payments: [] })
  expect(venue.calls.track).toHaveLength(length)
  const again = engine.execute({ quoteToken: swap.quoteToken, destinationAddress: null, refundAddress: null }, context)
  await expect(again).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' })
  expect(venue.calls.execute).toHaveLength(1)
})
