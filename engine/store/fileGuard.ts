import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { StoreError } from './storeError.ts'

/**
 * Whether the file that is written to is still the one that was opened, whole, and where the next start will look for it. What is
 * written into another nobody finds again.
 */
export interface FileGuard {
  /** Throws StoreError where nothing may be written any more. */
  check(): void
  /** The database found itself damaged: nothing is written from here on. */
  condemn(reason: string): void
  /** After the database itself is closed. */
  close(): void
}

/** Of a database in memory. */
export const NO_FILE: FileGuard = { check: () => undefined, condemn: () => undefined, close: () => undefined }

/** https://www.sqlite.org/fileformat2.html#the_database_header: as much of it as is read. */
const HEADER_BYTES = 72
const MAGIC = 'SQLite format 3\0'
const PAGE_SIZE_AT = 16
const PAGES_AT = 28
const TAG_AT = 68

type Opened = {
  readonly file: string
  /** The number in the file's header that a copy made by us does not have: SQLite's application id. */
  readonly tag: number
}

type Identity = { readonly dev: bigint; readonly ino: bigint }

const identityOf = (path: string): Identity | null => statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null

const isSame = (one: Identity | null, other: Identity): boolean => one?.dev === other.dev && one.ino === other.ino

const trouble = (what: string): StoreError =>
  new StoreError(`the store failed: ${what}; stop the service and put its records back`)

/** SQLite says 1 for 65,536. */
const pageSizeIn = (header: Buffer): number => {
  const told = header.readUInt16BE(PAGE_SIZE_AT)
  return told === 1 ? 65_536 : told
}

/**
 * Opens what guards a file, before SQLite opens it: of one process, whoever closes a file gives up all locks that SQLite has on it.
 */
export const openFileGuard = (file: string) => {
  const descriptor = openSync(file, 'r')
  const header = Buffer.alloc(HEADER_BYTES)

  /** As long as it was when it had all the pages that its header tells of, or was opened. */
  let sizeBefore = fstatSync(descriptor).size

  /**
   * Whoever moves pages from the log into the file begins with the header: until the last one it tells of more than are there. So
   * the file never gets shorter for it.
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

  /** From here on it has its log beside it, and its tag once that has left the log. */
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
        // A file system without shared memory has none.
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
