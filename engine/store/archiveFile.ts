import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { makePrivateFolder } from './privateFile.ts'

const compress = promisify(gzip)

/** A compressed file of JSON lines that only grows. */
export interface ArchiveFile {
  readonly path: string
  /** Resolves when the lines are on the disk. After a rejection the file contains none of them. */
  append(lines: readonly object[]): Promise<void>
  close(): Promise<void>
}

const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Each append is a gzip member of its own: readers decompress all members as one stream. */
const createAppend = (handle: FileHandle): { append: ArchiveFile['append']; isEmpty(): boolean } => {
  let size = 0
  const append: ArchiveFile['append'] = async (lines) => {
    const bytes = await compress(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    try {
      const { bytesWritten } = await handle.write(bytes, 0, bytes.length, size)
      if (bytesWritten < bytes.length) throw new Error('the disk took only a part of it')
      await handle.datasync()
      size += bytes.length
    } catch (error) {
      await handle.truncate(size)
      throw error
    }
  }
  return { append, isEmpty: () => size === 0 }
}

/** Creates a new file: a file that a crash left half-written cannot be appended to. */
export const createArchiveFile = async (folder: string, name: string): Promise<ArchiveFile> => {
  makePrivateFolder(folder)
  const path = join(folder, `${name}-${randomBytes(4).toString('hex')}.jsonl.gz`)
  const handle = await open(path, 'wx', 0o600)
  await syncFolder(folder)
  const { append, isEmpty } = createAppend(handle)
  const close = async (): Promise<void> => {
    await handle.close()
    if (isEmpty()) await rm(path, { force: true })
  }
  return { path, append, close }
}
