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

/** Puts a file of its owner's alone in the place of another, whole and on the disk: whoever reads it has the one or the other. */
export const replaceFile = (file: string, content: string): void => {
  const made = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(made, content, { flag: 'wx', mode: 0o600, flush: true })
    renameSync(made, file)
  } finally {
    rmSync(made, { force: true })
  }
  // The name itself must survive a power cut, too. Windows opens no folders.
  if (process.platform !== 'win32') sync(dirname(file))
}
