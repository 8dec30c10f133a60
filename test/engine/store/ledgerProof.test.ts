import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { createLifecycle } from '../../../engine/execution/lifecycle.ts'
import { proveAtStart } from '../../../engine/ledger/proveAtStart.ts'
import { proveBalance } from '../../../engine/ledger/proveBalance.ts'
import { type AnyEvent, levelOf } from '../../../engine/observe/observe.ts'
import { fileIn } from '../../../engine/store/inspectStore.ts'
import { openSqliteStore } from '../../../engine/store/sqliteStore.ts'
import { statusOf } from '../../support/fakeVenue.ts'
import { aNewSwap, anExecutedSwap, aPayment } from '../../support/storedSwap.ts'
import { createTestClock } from '../../support/testEngine.ts'
import { CUSTODY, FEE_BPS, QUOTED } from '../ledger/feeBench.ts'

const closers: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A store in a file with so many booked swaps, and another's connection to it. */
const withBooked = async (count: number) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ledger-'))
  closers.push(() => rmSync(dataDir, { recursive: true }))
  const store = await openSqliteStore({ file: fileIn(dataDir), network: 'simnet' }, createTestClock())
  closers.push(() => store.close())
  const swap = await anExecutedSwap()
  const fee = { bps: FEE_BPS, amount: QUOTED as typeof swap.offer.fee.amount }
  const withFee = { ...swap, offer: { ...swap.offer, fee }, feeCustody: CUSTODY.ofOutput }
  const ids: number[] = []
  for (let at = 0; at < count; at += 1) {
    const { id } = await store.swaps.add(await aNewSwap({ bindingKey: `${at}`, ref: null, swap: withFee }))
    await store.payments.claim(id, [aPayment(at, { amount: 1_000_000n, isFinal: true })])
    await createLifecycle(store).transition(id, statusOf('success'), null)
    ids.push(id)
  }
  const sqlite = new SQLite(join(dataDir, 'swaps.sqlite'))
  closers.push(() => void sqlite.close())
  return { store, ids, sqlite }
}

describe('the proof of the ledger [ledger-balances]', () => {
  it('passes over an empty one, and one of several pages', async () => {
    const { store } = await withBooked(0)
    expect(await proveBalance(store)).toEqual({ isBalanced: true, entries: 0, problemCount: 0, problems: [] })
    const lines = ['debit', 'credit'] as const
    const line = { ecosystem: 'evm', chainId: 1, token: '0x', amount: 1n } as const
    await store.transaction(async ({ ledger }) => {
      for (let at = 0; at < 1_001; at += 1)
        await ledger.book({
          key: `e${at}`,
          kind: 'payout',
          swapId: null,
          document: {},
          lines: lines.map((side) => ({ account: 'payer', side, ...line })),
        })
    })
    expect(await proveBalance(store)).toMatchObject({ isBalanced: true, entries: 1_001 })
  }, 60_000)

  it.each([
    ['an amount that was changed', `UPDATE ledger_lines SET amount = '10001' WHERE id = 3`, /differ by 1 of/],
    ['an amount below 0', `UPDATE ledger_lines SET amount = '-10000' WHERE entry_id = 2`, /an amount or a side/],
    ['an amount of 0', `UPDATE ledger_lines SET amount = '0' WHERE entry_id = 2`, /an amount or a side/],
    ['an amount that is no integer', `UPDATE ledger_lines SET amount = '1e4' WHERE entry_id = 2`, /an amount or a side/],
    ['a side that is none', `UPDATE ledger_lines SET side = 'left' WHERE id = 3`, /an amount or a side/],
    ['a line that is gone', 'DELETE FROM ledger_lines WHERE id = 3', /differ by -10000 of/],
    ['lines that are gone', 'DELETE FROM ledger_lines WHERE entry_id = 2', /has no lines/],
    ['another token on one side', `UPDATE ledger_lines SET token = 'x' WHERE id = 3`, /differ by/],
    ['a kind that nobody knows', `UPDATE ledger_entries SET kind = 'gift' WHERE id = 2`, /no known kind/],
    [
      'a fee that was given to another',
      `UPDATE ledger_lines SET account = 'partner:x' WHERE id = 4`,
      /credits partner:x, and its/,
    ],
    ['a swap that is no success', `UPDATE swaps SET state = 'refunded' WHERE id = 2`, /of a swap that is refunded/],
  ])('finds %s', async (_, spoil, what) => {
    const { store, sqlite } = await withBooked(3)
    sqlite.exec(spoil)
    const proof = await proveBalance(store)
    const ofEntries = proof.problems.filter(({ entryId }) => entryId !== null)
    expect([proof.isBalanced, proof.entries, ofEntries]).toMatchObject([false, 3, [{ entryId: 2, key: 'swap:2' }]])
    expect(ofEntries[0]?.what).toMatch(what)
    expect(proof.problemCount).toBe(proof.problems.length)
  })

  it('is told to the log at the start, loudly where it fails, and stops for nobody', async () => {
    const { store, sqlite } = await withBooked(3)
    const at = async (signal = new AbortController().signal) => {
      const events: AnyEvent[] = []
      await proveAtStart(store, (event) => void events.push(event), signal)
      return events.map((event) => [levelOf(event), event])
    }
    expect(await at()).toEqual([['info', { event: 'ledger.proved', balanced: true, entries: 3, problems: 0 }]])
    sqlite.exec('DELETE FROM ledger_lines WHERE entry_id = 2; DELETE FROM ledger_balances')
    expect(await at()).toEqual([
      ['error', { event: 'ledger.proved', balanced: false, entries: 3, problems: 1 }],
      ['error', { event: 'ledger.mismatch', entryId: 2, key: 'swap:2', what: 'has no lines' }],
    ])
    expect(await at(AbortSignal.abort())).toEqual([])
    sqlite.exec('ALTER TABLE ledger_lines RENAME TO gone')
    expect(await at()).toMatchObject([['warn', { event: 'ledger.unproved' }]])
  })

  it('holds while ends are taken back and come again beside it', async () => {
    const { store, ids } = await withBooked(20)
    const { transition } = createLifecycle(store)
    let isOver = false
    const changes = async () => {
      for (let round = 0; round < 5; round += 1)
        for (const id of ids) {
          await transition(id, statusOf('processing'), null, { takesBackEnd: true })
          await transition(id, statusOf('success'), null)
        }
      isOver = true
    }
    const proofs = async () => {
      let count = 0
      for (; !isOver; count += 1) expect((await proveBalance(store)).problems).toEqual([])
      return count
    }
    const [, count] = await Promise.all([changes(), proofs()])
    expect(count).toBeGreaterThan(1)
    expect(await proveBalance(store)).toMatchObject({ isBalanced: true, entries: 20 * 11 })
  }, 60_000)
})
