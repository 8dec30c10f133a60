import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { StoreError } from './storeError.ts'

/** Checks that the open file is still whole and still at its path. Data written to a replaced file would be lost. */
export interface FileGuard {
  /** Throws StoreError if writing is no longer safe. */
  check(): void
  /** Stops all writing after the database reported damage. */
  condemn(reason: string): void
  /** Call after the database is closed. */
  close(): void
}

/** The guard of a database in memory. */
export const NO_FILE: FileGuard = { check: () => undefined, condemn: () => undefined, close: () => undefined }

/** The bytes of https://www.sqlite.org/fileformat2.html#the_database_header that the guard reads. */
const HEADER_BYTES = 72
const MAGIC = 'SQLite format 3\0'
const PAGE_SIZE_AT = 16
const PAGES_AT = 28
const TAG_AT = 68

type Opened = {
  readonly file: string
  /** SQLite's application id in the header. Backups by the service clear it. */
  readonly tag: number
}

type Identity = { readonly dev: bigint; readonly ino: bigint }

const identityOf = (path: string): Identity | null => statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null

const isSame = (one: Identity | null, other: Identity): boolean => one?.dev === other.dev && one.ino === other.ino

const trouble = (what: string): StoreError =>
  new StoreError(`the store failed: ${what}; stop the service and put its records back`)

/** SQLite stores 65,536 as 1. */
const pageSizeIn = (header: Buffer): number => {
  const told = header.readUInt16BE(PAGE_SIZE_AT)
  return told === 1 ? 65_536 : told
}

/** Opens the guard before SQLite opens the file. Closing a file releases all locks that its process has on it. */
export const openFileGuard = (file: string) => {
  const descriptor = openSync(file, 'r')
  const header = Buffer.alloc(HEADER_BYTES)

  /** The size of the file when it was opened, or when it last had all the pages of its header. */
  let sizeBefore = fstatSync(descriptor).size

  /**
   * A checkpoint writes the header first, which then counts more pages than the file has. A checkpoint never makes the file
   * shorter.
   */
  const isCut = (): boolean => {
    const { size } = fstatSync(descriptor)
    const isWhole = size >= header.readUInt32BE(PAGES_AT) * pageSizeIn(header)
    if (!isWhole && size < sizeBefore) return true
    if (isWhole) sizeBefore = size
    return false
  }

  const readHeader = (): 'whole' | 'cut' | 'none' => {
    if (readSync(descriptor, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return 'cut'
    if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) return 'none'
    return isCut() ? 'cut' : 'whole'
  }

  let isOpen = true
  const close = (): void => {
    if (isOpen) closeSync(descriptor)
    isOpen = false
  }

  /** Starts checking the log, and the tag once it has left the log. */
  const watch = ({ file: path, tag }: Opened): FileGuard => {
    const log = `${path}-wal`
    const [ours, ourLog] = [identityOf(path), identityOf(log)]
    if (ours === null) throw trouble(`${path} was deleted`)
    let damage: string | null = null
    let isTagged = readHeader() === 'whole' && header.readUInt32BE(TAG_AT) === tag

    const checkHeader = (): void => {
      const found = readHeader()
      if (found !== 'whole') throw trouble(found === 'cut' ? `${path} was cut off` : `${path} is no database any more`)
      const isOurs = header.readUInt32BE(TAG_AT) === tag
      isTagged ||= isOurs
      if (isTagged && !isOurs) throw trouble(`${path} was overwritten by other records`)
    }

    return {
      check: () => {
        if (damage !== null) throw trouble(damage)
        const now = identityOf(path)
        if (now === null) throw trouble(`${path} was deleted`)
        if (!isSame(now, ours)) throw trouble(`${path} was replaced by another file`)
        // Without shared memory, as on some file systems, SQLite uses no log file.
        if (ourLog !== null && !isSame(identityOf(log), ourLog)) throw trouble(`${log} was deleted or replaced`)
        checkHeader()
      },
      condemn: (reason) => {
        damage ??= `${path} is damaged: ${reason}`
      },
      close,
    }
  }

  return { watch, close }
}
