import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const sync = (path: string): void => {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Replaces a file by a private one atomically and durably: readers see the old file or the new one. */
export const replaceFile = (file: string, content: string): void => {
  const made = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(made, content, { flag: 'wx', mode: 0o600, flush: true })
    renameSync(made, file)
  } finally {
    rmSync(made, { force: true })
  }
  // Makes the name durable too. Windows cannot open folders.
  if (process.platform !== 'win32') sync(dirname(file))
}
