import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../core/clock.ts'
import type { Exchange } from '../net/exchanges.ts'
import type { KeepSample, RejectedAnswer } from '../venues/answerBook.ts'
import type { Observe } from './observe.ts'

/** A rejected answer on disk. Wallet addresses of the swap are kept; keys and tokens of the venue are not. `at`: epoch ms. */
export type RejectedSample = RejectedAnswer & { readonly at: number }

const PER_CHECK = 3
const TEXT_MAX = 64 * 1024
const EXCHANGES_MAX = 6
const BYTES_MAX = 20 * 1024 * 1024
const AGE_MAX_MS = 14 * 24 * 3_600_000
/** A check may write so many samples a minute: a flood of rejected answers costs no more disk than that. */
const WRITES_PER_MINUTE = PER_CHECK
const WAITING_MAX = 50
/** `<epoch ms>-<process>-<number>-<check>.json` */
const NAME = /^([0-9]+)-[0-9]+-[0-9]+-(.+)\.json$/

const cut = (text: string): string =>
  text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX)} [cut: ${text.length} characters in all]`

const cutExchange = (exchange: Exchange): Exchange => ({
  ...exchange,
  request: exchange.request === null ? null : cut(exchange.request),
  answer: cut(exchange.answer),
})

/** Deletes samples beyond the last three of a check, 14 days and 20 MB. Another process may delete the same files. */
const prune = async (folder: string, now: number): Promise<void> => {
  const names = (await readdir(folder))
    .filter((name) => NAME.test(name))
    .sort()
    .reverse()
  const kept = new Map<string, number>()
  let bytes = 0
  for (const name of names) {
    const [, at = '', check = ''] = NAME.exec(name) ?? []
    const place = (kept.get(check) ?? 0) + 1
    const { size } = await stat(join(folder, name)).catch(() => ({ size: 0 }))
    bytes += size
    if (place > PER_CHECK || now - Number(at) > AGE_MAX_MS || bytes > BYTES_MAX) await rm(join(folder, name), { force: true })
    else kept.set(check, place)
  }
}

/** Writes samples one after the other. A sample that cannot be written is reported and costs nothing else. */
export const createRejectedSamples = (folder: string, { clock, observe }: { clock: Clock; observe: Observe }): KeepSample => {
  const writtenAt = new Map<string, readonly number[]>()
  let waiting = 0
  let count = 0
  let last: Promise<void> = Promise.resolve()

  const mayWrite = (check: string, now: number): boolean => {
    const recent = (writtenAt.get(check) ?? []).filter((at) => now - at < 60_000)
    if (recent.length >= WRITES_PER_MINUTE || waiting >= WAITING_MAX) return false
    writtenAt.set(check, [...recent, now])
    return true
  }

  const write = async (sample: RejectedSample): Promise<void> => {
    try {
      count += 1
      const name = `${sample.at}-${process.pid}-${count}-${sample.check.replace(/[^a-zA-Z0-9.-]/g, '_')}.json`
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(join(folder, name), JSON.stringify(sample), { mode: 0o600, flag: 'wx' })
      await prune(folder, sample.at)
    } catch (error) {
      observe({ event: 'venue.sample.lost', reason: error instanceof Error && 'code' in error ? String(error.code) : 'unknown' })
    } finally {
      waiting -= 1
    }
  }

  return (rejected) => {
    const at = clock.now()
    if (!mayWrite(rejected.check, at)) return
    waiting += 1
    const sample = { ...rejected, at, exchanges: rejected.exchanges.slice(-EXCHANGES_MAX).map(cutExchange) }
    last = last.then(() => write(sample))
  }
}

/** The samples of a folder, the newest first; none where there is no folder. */
export const readRejectedSamples = async (folder: string): Promise<readonly RejectedSample[]> => {
  const names = await readdir(folder).catch(() => [])
  const texts = names.filter((name) => NAME.test(name)).map((name) => readFile(join(folder, name), 'utf8').catch(() => null))
  const samples = (await Promise.all(texts)).flatMap((text) => {
    try {
      return text === null ? [] : [JSON.parse(text) as RejectedSample]
    } catch {
      return []
    }
  })
  return samples.sort((a, b) => b.at - a.at)
}
