import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import SQLite from 'better-sqlite3'
import type { FileGuard } from './fileGuard.ts'

/** Files up to this size are checked before the start, at about 1 ms per MiB; larger ones in a separate process. */
const AT_ONCE_BYTES = 64 * 1024 * 1024

const DAY_MS = 86_400_000

/** The first problem that SQLite finds in its file; null if none. Reads all pages; does not compare indexes with tables. */
export const findDamage = (sqlite: SQLite.Database): string | null => {
  try {
    const told = sqlite.pragma('quick_check(1)', { simple: true })
    return told === 'ok' ? null : String(told)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

export const isSmall = (file: string): boolean => statSync(file).size <= AT_ONCE_BYTES

/** The same in a separate process: in this one SQLite would block all work meanwhile. */
const findBeside = async (file: string, signal: AbortSignal): Promise<string | null> => {
  const child = spawn(process.execPath, [import.meta.filename, file], { stdio: ['ignore', 'pipe', 'ignore'], signal })
  child.unref()
  let told = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text
  })
  const [code] = await once(child, 'close')
  // A check that could not run found nothing.
  return code === 1 ? told.trim() : null
}

/** Checks a file once a day, and immediately if it is large. A problem condemns the file. Returns a function that stops it. */
export const watchDamage = (file: string, guard: FileGuard): (() => void) => {
  const over = new AbortController()
  const look = async (): Promise<void> => {
    const damage = await findBeside(file, over.signal).catch(() => null)
    if (damage !== null) guard.condemn(damage)
  }
  if (!isSmall(file)) void look()
  const timer = setInterval(() => void look(), DAY_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    over.abort()
  }
}

const DAMAGED = 1
const UNREAD = 2

const main = (file: string): void => {
  try {
    const sqlite = new SQLite(file, { readonly: true })
    const damage = findDamage(sqlite)
    if (damage === null) return
    process.stdout.write(damage)
    process.exitCode = DAMAGED
  } catch {
    process.exitCode = UNREAD
  }
}

const [, , file] = process.argv
if (import.meta.main && file !== undefined) main(file)
