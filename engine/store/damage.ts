import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import SQLite from 'better-sqlite3'
import type { FileGuard } from './fileGuard.ts'

/** Looked through before anything else, which takes about a millisecond for each MiB; what is larger, beside the service. */
const AT_ONCE_BYTES = 64 * 1024 * 1024

const DAY_MS = 86_400_000

/** What SQLite finds wrong with its file first; null: nothing. All pages are read, and no index is compared with its table. */
export const findDamage = (sqlite: SQLite.Database): string | null => {
  try {
    const told = sqlite.pragma('quick_check(1)', { simple: true })
    return told === 'ok' ? null : String(told)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

export const isSmall = (file: string): boolean => statSync(file).size <= AT_ONCE_BYTES

/** The same by another process, whom nobody waits for: SQLite would stop this one as long as it takes. */
const findBeside = async (file: string, signal: AbortSignal): Promise<string | null> => {
  const child = spawn(process.execPath, [import.meta.filename, file], { stdio: ['ignore', 'pipe', 'ignore'], signal })
  child.unref()
  let told = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text
  })
  const [code] = await once(child, 'close')
  // One that could not look has found nothing.
  return code === 1 ? told.trim() : null
}

/** Looks a file through once a day, and at once where it is large; what is found condemns it. Answers with what ends that. */
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
