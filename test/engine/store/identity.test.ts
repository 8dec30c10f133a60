import { closeSync, copyFileSync, openSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Secret } from '../../../engine/core/secret.ts'
import { backUp, restore } from '../../../engine/store/backup/backUp.ts'
import { openPostgresStore } from '../../../engine/store/postgresStore.ts'
import type { Store } from '../../../engine/store/store.ts'
import { StoreError } from '../../../engine/store/storeError.ts'
import { ask, createMigratedDatabase, dropDatabase } from '../../support/postgres/database.ts'
import { isOverPostgres } from '../../support/postgres/ownDatabase.ts'
import { aNewSwap } from '../../support/storedSwap.ts'
import { aFolder, closing, openFileStore } from '../../support/storeStage.ts'
import { createTestClock } from '../../support/testEngine.ts'

/** A service with 51 swaps, and a backup with the first one. */
const aService = async () => {
  const folder = aFolder()
  const [file, backup] = [join(folder, 'swaps.sqlite'), join(folder, 'backup.sqlite')]
  const store = await openFileStore(file)
  const { id } = await store.swaps.add(await aNewSwap({ bindingKey: 'old' }))
  const place = { dataDir: folder, database: { url: null, poolMax: 1 } }
  await backUp(place, backup)
  for (let i = 0; i < 50; i += 1) await store.swaps.add(await aNewSwap({ bindingKey: `new ${i}` }))
  return { file, folder, backup, place, store, id }
}

type Service = Awaited<ReturnType<typeof aService>>

/** Each kind of write, and the probe, fails with the message. */
const expectRefused = async ({ store, id }: { store: Store; id: number }, message: RegExp): Promise<void> => {
  const writes = [
    async () => store.swaps.add(await aNewSwap({ bindingKey: 'late' })),
    () => store.swaps.setPosting(id),
    () => store.transaction(({ swaps }) => swaps.setPosting(id)),
    () => store.probe(),
  ]
  for (const write of writes) {
    const error = await write().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StoreError)
    expect(error).toMatchObject({ message: expect.stringMatching(message) })
  }
}

const remove = (file: string): void => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
}

const replace = (file: string, other: string): void => {
  remove(file)
  copyFileSync(other, file)
}

/** Moves the log into the file. */
const settle = (file: string): void => {
  const sqlite = new SQLite(file)
  sqlite.pragma('wal_checkpoint(TRUNCATE)')
  sqlite.close()
}

const overwrite = (file: string, bytes: Buffer, at = 0): void => {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, bytes, 0, bytes.length, at)
  closeSync(descriptor)
}

/** Once the log is in the file. */
const settled = (act: (service: Service) => void) => (service: Service) => {
  settle(service.file)
  act(service)
}

if (!isOverPostgres()) {
  describe('a running service writes nothing more to its SQLite file', () => {
    it.each<[string, (service: Service) => void, RegExp]>([
      ['is deleted', ({ file }) => remove(file), /was deleted; stop the service/],
      ['is replaced by another file', ({ file, backup }) => replace(file, backup), /replaced by another file/],
      ['loses its log', ({ file }) => rmSync(`${file}-wal`), /-wal was deleted or replaced/],
      [
        'is overwritten by a backup',
        settled(({ file, backup }) => overwrite(file, new SQLite(backup, { readonly: true }).serialize())),
        /overwritten by other records/,
      ],
      ['is emptied', ({ file }) => truncateSync(file), /was cut off/],
      ['is cut off', settled(({ file }) => truncateSync(file, 8_192)), /was cut off/],
      [
        'is overwritten by other bytes',
        settled(({ file }) => overwrite(file, Buffer.alloc(300_000, 'x'))),
        /is no database any more/,
      ],
    ])('that %s [store-file-replaced]', async (_what, happens, message) => {
      const service = await aService()
      happens(service)
      await expectRefused(service, message)
    })

    it('that is deleted during a transaction, which rejects', async () => {
      const { file, store, id } = await aService()
      const work = store.transaction(async ({ swaps }) => {
        await swaps.setPosting(id)
        remove(file)
      })
      await expect(work).rejects.toThrow(/was deleted/)
    })

    it('that is moved away, until it is put back', async () => {
      const service = await aService()
      const { file, store, id } = service
      renameSync(file, `${file}.away`)
      await expectRefused(service, /was deleted/)
      renameSync(`${file}.away`, file)
      await store.swaps.setPosting(id)
      await store.probe()
    })

    it('that is cut off during a checkpoint, and writes while that has written the header only', async () => {
      const service = await aService()
      const { file, folder, store, id } = service
      // The header as the checkpoint writes it, by a copy of both files.
      const copy = join(folder, 'copy.sqlite')
      for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${copy}${end}`)
      settle(copy)
      const page = readFileSync(copy).subarray(0, 4_096)
      expect(page.readUInt32BE(28) * page.length).toBeGreaterThan(statSync(file).size)
      overwrite(file, page)
      await store.transaction(({ swaps }) => swaps.setPosting(id))
      truncateSync(file, 8_192)
      await expectRefused(service, /was cut off/)
    })

    it('that is damaged, and the next start refuses it with the remedy [store-file-replaced]', async () => {
      const { file, store, id } = await aService()
      await store.close()
      const again = await openFileStore(file)
      settle(file)
      const pages = new SQLite(file)
      const root = pages.prepare(`SELECT rootpage FROM sqlite_master WHERE name = 'swaps'`).pluck().get() as number
      pages.close()
      overwrite(file, Buffer.alloc(4_096, 0xff), (root - 1) * 4_096)
      await expect(again.swaps.ofQuote('q1')).rejects.toThrow(/malformed/)
      await expectRefused({ store: again, id }, /damaged/)
      await again.close()
      await expect(openFileStore(file)).rejects.toThrow(/is damaged: .*restore the last backup/s)
    })
  })

  describe('a start', () => {
    it('without the file of before stops with the remedy, and works after a restore [store-file-replaced]', async () => {
      const { file, store, backup, place } = await aService()
      await store.close()
      remove(file)
      await expect(openFileStore(file)).rejects.toThrow(/is gone: put it back, or restore a backup; only to begin without any/)
      await restore(place, backup)
      expect(await (await openFileStore(file)).swaps.ofQuote('q1')).toHaveLength(1)
    })

    it('over the records of another service stops, unless they were restored', async () => {
      const [{ file, store, place }, other] = [await aService(), await aService()]
      await store.close()
      replace(file, other.backup)
      await expect(openFileStore(file)).rejects.toThrow(/has other records than before; where that is meant, delete .*\.id/)
      remove(file)
      await restore(place, other.backup)
      await openFileStore(file)
    })
  })
}

if (isOverPostgres())
  describe('a running service writes nothing more to its PostgreSQL database [store-file-replaced]', () => {
    const start = async () => {
      const url = await createMigratedDatabase()
      onTestFinished(() => dropDatabase(url))
      const options = { url: new Secret(url), network: 'simnet', poolMax: 3 } as const
      const store = closing(await openPostgresStore(options, createTestClock()))
      const { id } = await store.swaps.add(await aNewSwap())
      const server = new URL(url)
      server.pathname = '/postgres'
      return { url, store, id, name: new URL(url).pathname.slice(1), server: server.href }
    }

    it('while another database has its name', async () => {
      const { store, id, name, server, url } = await start()
      const otherUrl = await createMigratedDatabase()
      onTestFinished(() => dropDatabase(otherUrl))
      const other = new URL(otherUrl).pathname.slice(1)
      const swap = async () => {
        const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname IN ('${name}', '${other}')`
        const rename = (from: string, to: string) => ask(server, `ALTER DATABASE ${from} RENAME TO ${to}`)
        await ask(server, end)
        await rename(name, `${name}_away`)
        await rename(other, name)
        await rename(`${name}_away`, other)
      }
      await swap()
      await expectRefused({ store, id }, /replaced by another one since the service started/)
      expect(await ask(url, 'SELECT 1 FROM swaps')).toEqual([])
      await swap()
      await store.swaps.setPosting(id)
      await store.probe()
    })

    it('that was dropped and made again, empty', async () => {
      const { store, id, name, server } = await start()
      await ask(server, `DROP DATABASE ${name} WITH (FORCE)`)
      await ask(server, `CREATE DATABASE ${name}`)
      await expectRefused({ store, id }, /replaced by another one/)
    })

    it('into which a copy was restored, with other tables', async () => {
      const { store, id, url } = await start()
      // A connection is checked again after a second.
      await ask(url, 'SELECT pg_sleep(1.1)')
      await ask(url, 'ALTER TABLE store_facts RENAME TO gone; CREATE TABLE store_facts AS SELECT * FROM gone')
      await expectRefused({ store, id }, /replaced by another one/)
    })
  })
