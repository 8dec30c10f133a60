/**
 * Loaded before the service by `node --import`: has its process die at a named point, as by SIGKILL, when the parent says
 * so; has its clock run ahead like the offline network's; and has webhooks to a public address arrive on this machine, since a
 * service of the public network delivers to no other. Nothing of it is in the product.
 */
import { subscribe } from 'node:diagnostics_channel'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import SQLite from 'better-sqlite3'
import pg from 'pg'
import type { Order, Point } from './points.ts'

let dieAt: Point | null = null
let left = 0
let aheadMs = Number(process.env['KILLS_AHEAD_MS'] ?? 0)

const take = (order: Order): void => {
  if ('aheadMs' in order) aheadMs = order.aheadMs
  else {
    dieAt = order.dieAt
    left = order.dieAt.nth
  }
}

/** The signal that nobody can handle; nothing of this process runs on. */
const reach = (isIt: boolean): void => {
  if (!isIt) return
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}

const isAt = (on: Point['on'], when: Point['when']): boolean => dieAt?.on === on && dieAt.when === when

const reachHook = (when: Point['when']): void => reach(isAt('hook', when))

// Time.
const realNow = Date.now
Date.now = () => realNow() + aheadMs

// Orders of the parent.
process.on('message', (order: Order) => {
  take(order)
  process.send?.('taken')
})
process.on('disconnect', () => process.exit())
process.channel?.unref()
const given = process.env['KILLS_DIE_AT']
if (given !== undefined) take({ dieAt: JSON.parse(given) as Point })

// Statements.
const tableOf = (sql: string): string | null =>
  /^\s*(?:insert\s+into|update|delete\s+from)\s+"?([a-z_]+)"?/i.exec(sql)?.[1] ?? null
const isCommit = (sql: string): boolean => /^\s*commit/i.test(sql)
const isBegin = (sql: string): boolean => /^\s*begin/i.test(sql)
const isRollback = (sql: string): boolean => /^\s*rollback/i.test(sql)

/** The tables that the open transaction of a connection has changed; none open: null. */
const open = new WeakMap<object, Set<string>>()

const reachWrite = (when: Point['when'], table: string): void =>
  reach(isAt('write', when) && dieAt?.on === 'write' && dieAt.table === table)
const reachCommit = (when: Point['when'], tables: ReadonlySet<string>): void =>
  reach(isAt('commit', when) && dieAt?.on === 'commit' && tables.has(dieAt.table))

/** What comes before a statement, right after it was handed over, and after its answer. */
const around = (connection: object, sql: string): { before(): void; sent(): void; after(): void } => {
  const table = tableOf(sql)
  const tables = open.get(connection)
  if (table !== null) {
    tables?.add(table)
    const alone = tables === undefined ? new Set([table]) : new Set<string>()
    return {
      before: () => {
        reachWrite('before', table)
        reachCommit('before', alone)
      },
      sent: () => reachCommit('sent', alone),
      after: () => {
        reachWrite('after', table)
        reachCommit('after', alone)
      },
    }
  }
  const ended = isCommit(sql) ? (tables ?? new Set<string>()) : new Set<string>()
  return {
    before: () => reachCommit('before', ended),
    sent: () => reachCommit('sent', ended),
    after: () => {
      if (isBegin(sql)) open.set(connection, new Set())
      if (isCommit(sql) || isRollback(sql)) open.delete(connection)
      reachCommit('after', ended)
    },
  }
}

type Work = (...args: readonly unknown[]) => unknown

const surround = (connection: object, sql: string, work: () => unknown): unknown => {
  const { before, sent, after } = around(connection, sql)
  before()
  const answer = work()
  sent()
  if (!(answer instanceof Promise)) {
    after()
    return answer
  }
  return answer.then((result: unknown) => {
    after()
    return result
  })
}

const sqlite = SQLite.prototype as unknown as { prepare: Work; exec: Work }
const { prepare, exec } = sqlite
sqlite.exec = function (this: object, sql) {
  return surround(this, String(sql), () => exec.call(this, sql))
}
sqlite.prepare = function (this: object, sql) {
  const statement = prepare.call(this, sql) as { run: Work; all: Work }
  if (tableOf(String(sql)) === null) return statement
  const { run, all } = statement
  return Object.assign(statement, {
    run: (...args: readonly unknown[]) => surround(this, String(sql), () => run.apply(statement, [...args])),
    all: (...args: readonly unknown[]) => surround(this, String(sql), () => all.apply(statement, [...args])),
  })
}

const client = pg.Client.prototype as unknown as { query: Work }
const { query } = client
client.query = function (this: object, ...args) {
  const [sql] = args
  if (typeof sql !== 'string' || typeof args.at(-1) === 'function') return query.apply(this, [...args])
  return surround(this, sql, () => query.apply(this, [...args]))
}

// Calls of venues and chains, by undici and by fetch.
type Called = { readonly request: { readonly origin?: unknown; readonly method?: unknown; readonly path?: unknown } }
const reachCall = (when: Point['when'], { request: { origin, method, path } }: Called): void =>
  reach(isAt('call', when) && dieAt?.on === 'call' && new RegExp(dieAt.to).test(`${method} ${origin}${path}`))
subscribe('undici:request:create', (message) => reachCall('before', message as Called))
subscribe('undici:request:bodySent', (message) => reachCall('sent', message as Called))
subscribe('undici:request:headers', (message) => reachCall('answered', message as Called))

// Webhooks.
const { request } = https
https.request = ((target: URL, options: object) => {
  reachHook('before')
  const there = new URL(target)
  there.hostname = '127.0.0.1'
  const sent = request(there, options)
  sent.on('finish', () => reachHook('sent'))
  sent.on('response', () => reachHook('answered'))
  return sent
}) as typeof https.request
syncBuiltinESMExports()
