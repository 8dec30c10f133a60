import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Keys, readLog } from '../../scripts/operator/explain/readLog.ts'

const folder = mkdtempSync(join(tmpdir(), 'read-log-'))

const fileOf = (name: string, bytes: string | Buffer): string => {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

const lineOf = (fields: object): string => `${JSON.stringify({ level: 30, time: 1_000, event: 'request', ...fields })}\n`

const keysOf = (asked: string, change: Partial<Keys> = {}): Keys => ({
  asked,
  ids: new Set([asked]),
  names: new Set(),
  swapIds: new Set(),
  ...change,
})

describe('reading the log of a swap', () => {
  it('ignores requests of other callers that use its deposit address as request id', async () => {
    const ref = 'bc1qvictim'
    const flood = Array.from({ length: 6_000 }, (_none, ms) => lineOf({ requestId: ref, ms })).join('')
    const own = lineOf({ requestId: 'own', event: 'swap.tracked', quoteId: 'quote', ref, swapId: 7 })
    const read = await readLog([fileOf('flood.log', flood + own)], keysOf(ref, { names: new Set([ref]) }))
    expect(read.lines.map(({ event }) => event)).toEqual(['swap.tracked'])
    expect(read.unread).toEqual([])
  })

  it.each([
    ['plain', 'long.log', (bytes: Buffer) => bytes],
    ['compressed', 'long.log.gz', gzipSync],
  ])('continues after a %s file without line ends, and reports that file as unread', async (_what, name, pack) => {
    const long = fileOf(name, pack(Buffer.alloc(20 * 1024 * 1024, 'a')))
    const read = await readLog([long, fileOf('good.log', lineOf({ requestId: 'own' }))], keysOf('own'))
    expect(read.lines).toHaveLength(1)
    expect(read.unread).toEqual([expect.stringContaining(`${name}: a line of more than`)])
  })
})
