import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { makePrivateFolder } from './privateFile.ts'

const compress = promisify(gzip)

/** A file of JSON lines, compressed, that only grows. */
export interface ArchiveFile {
  readonly path: string
  /** On the disk when it resolves; where it rejects, nothing of it is in the file. */
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

/** What is appended is a gzip member of its own: whoever reads the file reads them as one. */
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

/** Makes a file of its own, since one that a process left in the middle of a write cannot be added to. */
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
