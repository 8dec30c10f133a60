import { AsyncLocalStorage } from 'node:async_hooks'
import SQLite from 'better-sqlite3'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { createExplainer } from '../../../scripts/explainer.ts'
import { anEvent } from '../../support/hookStage.ts'
import { isOverPostgres } from '../../support/postgres/ownDatabase.ts'
import { aNewSwap, aPayment, idOf } from '../../support/storedSwap.ts'
import { startStore } from '../../support/storeStage.ts'

/** Operators search all records while the service runs, so no search may scan a table. The plans of the database show that. */

const SWAPS = 20_000
const LARGE = ['swaps', 'payments', 'broadcasts', 'partner_events']
const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

type Stage = Awaited<ReturnType<typeof startStore>>
type Place = Stage['place']

/** Copies the first row of a table with the numbers from 2; `own` has the SQL of columns that must differ. */
const multiply = async (place: Place, table: string, own: Readonly<Record<string, string>>): Promise<void> => {
  const [first] = await place.ask(`SELECT * FROM ${table} LIMIT 1`)
  const columns = Object.keys(first ?? expect.fail(`nothing in ${table}`))
  const values = columns.map((column) => own[column] ?? `first."${column}"`)
  await place.change(`INSERT INTO ${table} (${columns.map((column) => `"${column}"`).join(', ')})
    WITH RECURSIVE n (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < ${SWAPS})
    SELECT ${values.join(', ')} FROM n, (SELECT * FROM ${table} LIMIT 1) first`)
}

/** Many swaps, each with a payment, a broadcast and an event. */
const fill = async ({ store, place }: Stage): Promise<void> => {
  await store.partners.add({ id: 'partner', kind: 'selfServe', feeBps: null, requestsPerMinute: null }, null)
  const { id } = await store.swaps.add(await aNewSwap())
  await store.payments.claim(id, [aPayment(1)])
  await store.broadcasts.claim(id, { txHash: idOf('a1'), untilHeight: 9 })
  await store.partnerEvents.add(anEvent('partner', { swapId: id }))
  const numbered = { id: 'n' }
  await multiply(place, 'swaps', { ...numbered, quote_id: "'q' || n", ref: "'ref-' || n", request_id: "'req-' || n" })
  await multiply(place, 'payments', { ...numbered, swap_id: 'n', tx_hash: "'tx' || n", place: "'place' || n" })
  await multiply(place, 'broadcasts', { swap_id: 'n', tx_hash: "'tx' || n" })
  await multiply(place, 'partner_events', { ...numbered, swap_id: 'n', place: 'n' })
}

const asSql = (value: unknown): string => (typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`)

const isOfWork = new AsyncLocalStorage<true>()

/** The SELECT statements of some work in either database, with their values. Services of other test files may query theirs meanwhile. */
const statementsOf = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
  const [{ prepare }, { query }] = [SQLite.prototype, pg.Client.prototype]
  const statements = new Set<string>()
  const add = (text: string) => isOfWork.getStore() && /^select\b/i.test(text) && statements.add(text)
  vi.spyOn(SQLite.prototype, 'prepare').mockImplementation(function (this: SQLite.Database, text) {
    add(text.replaceAll('?', "'1'"))
    return prepare.call(this, text)
  })
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: readonly unknown[]) {
    const [text, values] = given as [unknown, readonly unknown[] | undefined]
    add(String(text).replace(/\$([0-9]+)/g, (_all, at: string) => asSql(values?.[Number(at) - 1])))
    return Reflect.apply(query, this, given) as unknown
  })
  await isOfWork.run(true, work)
  vi.restoreAllMocks()
  return [...statements]
}

type Node = { readonly Plans?: readonly Node[]; readonly [fact: string]: unknown }

const nodesOf = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The scans of large tables in the plan of a statement. */
const scansOf = async ({ ask }: Place, text: string): Promise<readonly string[]> => {
  if (!isOverPostgres())
    return (await ask(`EXPLAIN QUERY PLAN ${text}`)).map(({ detail }) => String(detail)).filter((one) => one.startsWith('SCAN '))
  const [told] = await ask(`EXPLAIN (FORMAT JSON) ${text}`)
  const nodes = ((told?.['QUERY PLAN'] ?? []) as readonly { readonly Plan: Node }[]).flatMap(({ Plan }) => nodesOf(Plan))
  const reads = nodes.filter((node) => LARGE.includes(String(node['Relation Name'])) && !('Index Cond' in node))
  return reads.filter((node) => node['Node Type'] !== 'Bitmap Heap Scan').map((node) => JSON.stringify(node))
}

it('an explanation of a swap, or of an unknown id, scans no large table', async () => {
  const stage = await startStore()
  const { place } = stage
  await fill(stage)
  await place.change('ANALYZE')
  const explainer = createExplainer()
  explainer.over(await stage.open())
  const statements = await statementsOf(async () => {
    for (const id of ['q7', 'ref-7', 'tx7', '7', 'req-7'])
      expect([id, await explainer.explain(id)]).toEqual([id, expect.any(Array)])
    for (const id of ['nobody', idOf('b2'), ADDRESS]) expect([id, await explainer.explain(id)]).toEqual([id, null])
  })
  for (const table of LARGE) expect(statements.join('\n')).toContain(`from "${table}"`)
  for (const text of statements) expect([text, await scansOf(place, text)]).toEqual([text, []])
})
