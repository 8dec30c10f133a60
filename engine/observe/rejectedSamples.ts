import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../core/clock.ts'
import type { KeepSample, RejectedAnswer } from '../venues/answerBook.ts'
import type { Observe } from './observe.ts'

/** A rejected answer on disk. It includes wallet addresses of the swap, but no keys and tokens of the venue. `at`: epoch ms. */
export type RejectedSample = RejectedAnswer & { readonly at: number }

const PER_CHECK = 3
const TEXT_BYTES_MAX = 64 * 1024
const EXCHANGES_MAX = 4
const SAMPLE_BYTES_MAX = 512 * 1024
const BYTES_MAX = 20 * 1024 * 1024
const AGE_MAX_MS = 14 * 24 * 3_600_000
const PRUNE_MS = 3_600_000
/** The most samples of one check a minute: a flood of rejected answers uses no more disk. */
const WRITES_PER_MINUTE = PER_CHECK
const WAITING_MAX = 50
/** `<number>-<epoch ms>-<random>-<check>.json`. The numbers give the order, independent of the clock. */
const NAME = /^([0-9]{10})-([0-9]+)-[0-9a-f]{8}-(.+)\.json$/

const cut = (text: string): string => {
  const bytes = Buffer.from(text)
  if (bytes.length <= TEXT_BYTES_MAX) return text
  return `${bytes.subarray(0, TEXT_BYTES_MAX)} [cut: ${bytes.length} bytes in all]`
}

/** Drops the first exchanges when all would exceed the limit. */
const textOf = (sample: RejectedSample): string => {
  const exchanges = sample.exchanges
    .slice(-EXCHANGES_MAX)
    .map((one) => ({ ...one, request: one.request === null ? null : cut(one.request), answer: cut(one.answer) }))
  for (let from = 0; ; from += 1) {
    const text = JSON.stringify({ ...sample, exchanges: exchanges.slice(from) })
    if (from >= exchanges.length || Buffer.byteLength(text) <= SAMPLE_BYTES_MAX) return text
  }
}

const namesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name)).sort()

const isOld = (name: string, now: number): boolean => now - Number(NAME.exec(name)?.[2]) > AGE_MAX_MS

/** Deletes samples beyond the last three of a check, 14 days and 20 MB. Another process may delete the same files. */
const prune = async (folder: string, now: number): Promise<void> => {
  const kept = new Map<string, number>()
  let bytes = 0
  for (const name of (await namesIn(folder)).toReversed()) {
    const check = NAME.exec(name)?.[3] ?? ''
    const place = (kept.get(check) ?? 0) + 1
    bytes += await stat(join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    )
    if (place <= PER_CHECK && !isOld(name, now) && bytes <= BYTES_MAX) kept.set(check, place)
    else await rm(join(folder, name), { force: true }).catch(() => undefined)
  }
}

/** `monotonic`: ms, never running backwards. */
type SamplePorts = { readonly clock: Clock; readonly observe: Observe; readonly monotonic?: () => number }

/**
 * Writes samples one after the other, and deletes old ones at the start and every hour. A failed write is reported and has no
 * other effect.
 */
export const createRejectedSamples = (folder: string, ports: SamplePorts): KeepSample => {
  const { clock, observe, monotonic = () => performance.now() } = ports
  const writtenAt = new Map<string, readonly number[]>()
  let waiting = 0
  let count: number | null = null
  let last: Promise<void> = prune(folder, clock.now())
  setInterval(() => void prune(folder, clock.now()), PRUNE_MS).unref()

  const mayWrite = (check: string): boolean => {
    const recent = (writtenAt.get(check) ?? []).filter((at) => monotonic() - at < 60_000)
    if (recent.length >= WRITES_PER_MINUTE || waiting >= WAITING_MAX) return false
    writtenAt.set(check, [...recent, monotonic()])
    return true
  }

  const write = async (sample: RejectedSample): Promise<void> => {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      count ??= Number(NAME.exec((await namesIn(folder)).at(-1) ?? '')?.[1] ?? 0)
      count += 1
      const check = sample.check.replace(/[^a-zA-Z0-9.-]/g, '_')
      const name = `${String(count).padStart(10, '0')}-${sample.at}-${randomUUID().slice(0, 8)}-${check}.json`
      await writeFile(join(folder, name), textOf(sample), { mode: 0o600, flag: 'wx' })
      await prune(folder, sample.at)
    } catch (error) {
      observe({ event: 'venue.sample.lost', reason: error instanceof Error && 'code' in error ? String(error.code) : 'unknown' })
    } finally {
      waiting -= 1
    }
  }

  return (rejected) => {
    if (!mayWrite(rejected.check)) return
    waiting += 1
    last = last.then(() => write({ ...rejected, at: clock.now() }))
  }
}

/** `check`: its id, with `_` for characters that a file name cannot hold. `at`: epoch ms. */
export type SamplePlace = { readonly check: string; readonly at: number; readonly file: string }

/** The newest sample of each check, the newest first; none where there is no folder. */
export const newestSamples = async (folder: string): Promise<readonly SamplePlace[]> => {
  const newest = new Map<string, SamplePlace>()
  for (const name of await namesIn(folder)) {
    const [, , at, check = ''] = NAME.exec(name) ?? []
    newest.delete(check)
    newest.set(check, { check, at: Number(at), file: join(folder, name) })
  }
  return [...newest.values()].toReversed()
}

const isSample = (value: unknown): value is RejectedSample =>
  typeof value === 'object' && value !== null && 'check' in value && 'at' in value && 'found' in value

/** The recent samples of a folder, the newest first; empty without a folder. */
export const readRejectedSamples = async (folder: string, now: number): Promise<readonly RejectedSample[]> => {
  const names = (await namesIn(folder)).filter((name) => !isOld(name, now)).toReversed()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => 'null')))
  return texts.flatMap((text) => {
    try {
      const sample: unknown = JSON.parse(text)
      return isSample(sample) ? [sample] : []
    } catch {
      return []
    }
  })
}
