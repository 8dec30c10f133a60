import {
  closeSync,
  copyFileSync,
  cpSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { afterEach, describe, expect, it } from 'vitest'
import { Secret } from '../../../engine/core/secret.ts'
import { backUp, restore } from '../../../engine/store/backup/backUp.ts'
import { openPostgresStore } from '../../../engine/store/postgresStore.ts'
import { openSqliteStore } from '../../../engine/store/sqliteStore.ts'
import type { Store } from '../../../engine/store/store.ts'
import { StoreError } from '../../../engine/store/storeError.ts'
import { ask, createMigratedDatabase, dropDatabase } from '../../support/postgres/database.ts'
import { isOverPostgres } from '../../support/postgres/ownDatabase.ts'
import { aNewSwap } from '../../support/storedSwap.ts'
import { createTestClock } from '../../support/testEngine.ts'

/** Records that are taken away from under a service that runs. */

const closers: (() => Promise<unknown> | unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'identity-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  return folder
}

const open = async (file: string): Promise<Store> => {
  const store = await openSqliteStore({ file, network: 'simnet' }, createTestClock())
  closers.push(() => store.close())
  return store
}

/** With records, and a backup of them that is older than the last. */
const aService = async () => {
  const folder = aFolder()
  const [dataDir, file, backup] = [folder, join(folder, 'swaps.sqlite'), join(folder, 'backup.sqlite')]
  const store = await open(file)
  await store.swaps.add(await aNewSwap({ bindingKey: 'old' }))
  const place = { dataDir, database: { url: null, poolMax: 1 } }
  await backUp(place, backup)
  const { id } = await store.swaps.add(await aNewSwap({ bindingKey: 'new' }))
  return { file, folder, backup, place, store, id }
}

type Service = Awaited<ReturnType<typeof aService>>

/** Everything that writes, and the probe, is refused in these words. */
const expectRefused = async ({ store, id }: Pick<Service, 'store' | 'id'>, words: RegExp): Promise<void> => {
  const writes = [
    async () => store.swaps.add(await aNewSwap({ bindingKey: 'late' })),
    () => store.swaps.setPosting(id),
    () => store.transaction(({ swaps }) => swaps.setPosting(id)),
    () => store.probe(),
  ]
  for (const write of writes) {
    const error = await write().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StoreError)
    expect(error).toMatchObject({ message: expect.stringMatching(words) })
  }
}

const remove = (file: string): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
}

/** From the log into the file itself. */
const settle = (file: string): void => {
  const sqlite = new SQLite(file)
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  sqlite.close()
}

const HAPPENS: readonly (readonly [what: string, does: (service: Service) => void, words: RegExp])[] = [
  ['deleted', ({ file }) => remove(file), /was deleted; stop the service/],
  ['moved away', ({ file }) => renameSync(file, `${file}.away`), /was deleted/],
  [
    'replaced by another',
    ({ file, backup }) => {
      remove(file)
      copyFileSync(backup, file)
    },
    /replaced by another file/,
  ],
  ['left without its log', ({ file }) => rmSync(`${file}-wal`), /-wal was deleted or replaced/],
  [
    'overwritten by a backup',
    ({ file, backup }) => {
      settle(file)
      const descriptor = openSync(file, 'r+')
      writeSync(descriptor, new SQLite(backup, { readonly: true }).serialize(), 0)
      closeSync(descriptor)
    },
    /overwritten by other records/,
  ],
  ['emptied', ({ file }) => truncateSync(file), /was cut off/],
  [
    'cut off',
    ({ file }) => {
      settle(file)
      truncateSync(file, 8_192)
    },
    /was cut off/,
  ],
  [
    'overwritten by anything else',
    ({ file }) => {
      settle(file)
      writeFileSync(file, Buffer.alloc(300_000, 'x'))
    },
    /is no database any more/,
  ],
]

if (!isOverPostgres())
  describe('the file of records, while a service runs, [store-file-replaced]', () => {
    it.each(HAPPENS)('is not written to any more once it is %s', async (_what, does, words) => {
      const service = await aService()
      does(service)
      await expectRefused(service, words)
    })

    it('is written to while its log is moved into it, which begins with its header', async () => {
      const { file, folder, store, id } = await aService()
      for (let i = 0; i < 50; i += 1) await store.swaps.add(await aNewSwap({ bindingKey: `more ${i}` }))
      // What the header becomes, by a copy of both.
      const copy = join(folder, 'copy.sqlite')
      for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${copy}${end}`)
      settle(copy)
      const page = Buffer.alloc(4_096)
      const from = openSync(copy, 'r')
      readSync(from, page, 0, page.length, 0)
      closeSync(from)
      expect(page.readUInt32BE(28) * page.length).toBeGreaterThan(statSync(file).size)
      const to = openSync(file, 'r+')
      writeSync(to, page, 0, page.length, 0)
      await store.transaction(({ swaps }) => swaps.setPosting(id))
      // Cut off in the middle of that it is cut off all the same.
      ftruncateSync(to, 8_192)
      closeSync(to)
      await expectRefused({ store, id }, /was cut off/)
    })

    it('is written to again when it is put back', async () => {
      const { file, store, id } = await aService()
      renameSync(file, `${file}.away`)
      await expect(store.probe()).rejects.toThrow(/was deleted/)
      renameSync(`${file}.away`, file)
      await store.swaps.setPosting(id)
      await store.probe()
    })

    it('may be written to by others, looked through and backed up, and its log may come to its end', async () => {
      const { file, store, id, backup, place } = await aService()
      for (let i = 0; i < 3; i += 1) {
        settle(file)
        const other = await openSqliteStore({ file, network: 'simnet' }, createTestClock())
        await other.swaps.setPosting(id)
        await other.close()
        await backUp(place, `${backup}${i}`)
        await store.swaps.setPosting(id)
        await store.probe()
      }
    })

    it('is not written to any more once the database has found itself damaged', async () => {
      const { file, store, id } = await aService()
      await store.transaction(async ({ swaps }) => {
        for (let i = 0; i < 50; i += 1) await swaps.add(await aNewSwap({ bindingKey: `b${i}` }))
      })
      settle(file)
      await store.close()
      const again = await open(file)
      settle(file)
      const pages = new SQLite(file)
      const root = pages.prepare(`SELECT rootpage FROM sqlite_master WHERE name = 'swaps'`).pluck().get() as number
      pages.close()
      const descriptor = openSync(file, 'r+')
      writeSync(descriptor, Buffer.alloc(4_096, 0xff), 0, 4_096, (root - 1) * 4_096)
      closeSync(descriptor)
      await expect(again.swaps.ofQuote('q1')).rejects.toThrow(/malformed/)
      await expectRefused({ store: again, id }, /damaged/)
      // Nor by the next start, which says what to do.
      await again.close()
      await expect(open(file)).rejects.toThrow(/is damaged: .*restore the last backup/s)
    })
  })

if (!isOverPostgres())
  describe('a start', () => {
    it('after the file is gone begins nothing anew, and goes on once a backup is restored [store-file-replaced]', async () => {
      const { file, store, backup, place } = await aService()
      await store.close()
      remove(file)
      await expect(open(file)).rejects.toThrow(/is gone: put it back, or restore a backup; only to begin without any/)
      await restore(place, backup)
      expect(await (await open(file)).swaps.ofQuote('q1')).toHaveLength(1)
    })

    it('over the records of another service is refused, unless that is meant', async () => {
      const [{ file, store, place }, other] = [await aService(), await aService()]
      await store.close()
      remove(file)
      cpSync(other.backup, file)
      await expect(open(file)).rejects.toThrow(/has other records than before; where that is meant, delete .*\.id/)
      remove(file)
      await restore(place, other.backup)
      await open(file)
    })
  })

if (isOverPostgres())
  describe('a PostgreSQL database, while a service runs, [store-file-replaced]', () => {
    const start = async () => {
      const url = await createMigratedDatabase()
      const store = await openPostgresStore({ url: new Secret(url), network: 'simnet', poolMax: 3 }, createTestClock())
      closers.push(async () => {
        await store.close()
        await dropDatabase(url)
      })
      const { id } = await store.swaps.add(await aNewSwap())
      const name = new URL(url).pathname.slice(1)
      const server = new URL(url)
      server.pathname = '/postgres'
      return { url, store, id, name, server: server.href }
    }

    it('is not written to once another one is in its place, and is again once it is back', async () => {
      const { store, id, name, server, url } = await start()
      const other = new URL(await createMigratedDatabase()).pathname.slice(1)
      const swap = async (from: string, to: string) => {
        const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname IN ('${from}', '${to}')`
        await ask(server, end)
        await ask(server, `ALTER DATABASE ${from} RENAME TO ${from}_away`)
        await ask(server, `ALTER DATABASE ${to} RENAME TO ${from}`)
        await ask(server, `ALTER DATABASE ${from}_away RENAME TO ${to}`)
      }
      await swap(name, other)
      await expectRefused({ store, id }, /replaced by another one since the service started/)
      expect(await ask(url, 'SELECT 1 FROM swaps')).toEqual([])
      await swap(name, other)
      await store.swaps.setPosting(id)
      await store.probe()
      closers.unshift(() => dropDatabase(url.replace(name, other)))
    })

    it('is not written to once it was dropped and made anew, empty', async () => {
      const { store, id, name, server } = await start()
      await ask(server, `DROP DATABASE ${name} WITH (FORCE)`)
      await ask(server, `CREATE DATABASE ${name}`)
      await expectRefused({ store, id }, /replaced by another one/)
    })

    it('is not written to once a copy was restored over it, its tables being others', async () => {
      const { store, id, url } = await start()
      // A connection is looked at again after a second.
      await ask(url, 'SELECT pg_sleep(1.1)')
      await ask(url, 'ALTER TABLE store_facts RENAME TO gone; CREATE TABLE store_facts AS SELECT * FROM gone')
      await expectRefused({ store, id }, /replaced by another one/)
    })
  })
