/**
 * Loaded before the service by `node --import`. Kills the process by SIGKILL at the point that `KILLS_DIE_AT` names, moves its clock
 * with the offline network's, and delivers webhooks for public addresses here.
 */
import { subscribe } from 'node:diagnostics_channel'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import SQLite from 'better-sqlite3'
import pg from 'pg'
import type { Point } from './points.ts'

const { KILLS_DIE_AT, KILLS_AHEAD_MS } = process.env
const dieAt = JSON.parse(KILLS_DIE_AT ?? 'null') as Point | null
let left = dieAt?.nth ?? 0
let aheadMs = Number(KILLS_AHEAD_MS ?? 0)

const realNow = Date.now
Date.now = () => realNow() + aheadMs
process.on('message', (message: { readonly aheadMs: number }) => {
  aheadMs = message.aheadMs
  process.send?.('taken')
})
process.on('disconnect', () => process.exit())
process.channel?.unref()

/** Kills the process if it has come to its point as often as it should. */
const reach = (on: Point['on'], when: Point['when'], isThere: (to: string) => boolean): void => {
  if (dieAt?.on !== on || dieAt.when !== when || !isThere(dieAt.to)) return
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}

/** A statement that changes a table, such as `insert swaps`; null for any other. */
const changeOf = (sql: string): string | null => {
  const [, verb = '', table] = /^\s*(insert|update|delete)\s+(?:into\s+|from\s+)?"?([a-z_]+)"?/i.exec(sql) ?? []
  return table === undefined ? null : `${verb.toLowerCase()} ${table}`
}

/** The changes of the open transaction of each connection. */
const transactions = new WeakMap<object, Set<string>>()

/** Reports the stages of a statement. A change outside of a transaction is also the commit of it. */
const stagesOf = (connection: object, sql: string): ((when: Point['when']) => void) => {
  const change = changeOf(sql)
  const open = transactions.get(connection)
  if (change !== null) open?.add(change)
  const alone = change === null || open ? [] : [change]
  const committed = new Set(/^\s*commit/i.test(sql) ? open : alone)
  return (when) => {
    if (change !== null && when !== 'sent') reach('write', when, (to) => to === change)
    reach('commit', when, (to) => committed.has(to))
    if (when !== 'after') return
    if (/^\s*begin/i.test(sql)) transactions.set(connection, new Set())
    else if (/^\s*(commit|rollback)/i.test(sql)) transactions.delete(connection)
  }
}

type Method = (...args: readonly unknown[]) => unknown

const surround = (connection: object, sql: string, work: () => unknown): unknown => {
  const reachStage = stagesOf(connection, sql)
  reachStage('before')
  const result = work()
  reachStage('sent')
  if (result instanceof Promise) return result.finally(() => reachStage('after'))
  reachStage('after')
  return result
}

const sqlite = SQLite.prototype as unknown as { prepare: Method; exec: Method }
const { prepare, exec } = sqlite
sqlite.exec = function (this: object, sql) {
  return surround(this, String(sql), () => exec.call(this, sql))
}
sqlite.prepare = function (this: object, sql) {
  const statement = prepare.call(this, sql) as { run: Method; all: Method }
  if (changeOf(String(sql)) === null) return statement
  const { run, all } = statement
  return Object.assign(statement, {
    run: (...args: readonly unknown[]) => surround(this, String(sql), () => run.apply(statement, [...args])),
    all: (...args: readonly unknown[]) => surround(this, String(sql), () => all.apply(statement, [...args])),
  })
}

const client = pg.Client.prototype as unknown as { query: Method }
const { query } = client
client.query = function (this: object, ...args) {
  const [sql] = args
  if (typeof sql !== 'string' || typeof args.at(-1) === 'function') return query.apply(this, [...args])
  return surround(this, sql, () => query.apply(this, [...args]))
}

// Requests to venues and chains, by undici and by fetch.
const CALL_STAGES = {
  'undici:request:create': 'before',
  'undici:request:bodySent': 'sent',
  'undici:request:headers': 'after',
} as const
for (const [channel, when] of Object.entries(CALL_STAGES))
  subscribe(channel, (message) => {
    const { origin, method, path } = (message as { readonly request: { readonly [field: string]: unknown } }).request
    reach('call', when, (to) => new RegExp(to).test(`${method} ${origin}${path}`))
  })

// Webhooks. A service of the public network delivers to public addresses only.
const { request } = https
https.request = ((target: URL, options: object) => {
  const reachHook = (when: Point['when']) => reach('call', when, (to) => to === 'webhook')
  reachHook('before')
  const local = new URL(target)
  local.hostname = '127.0.0.1'
  const sent = request(local, options)
  sent.on('finish', () => reachHook('sent'))
  sent.on('response', () => reachHook('after'))
  return sent
}) as typeof https.request
syncBuiltinESMExports()
