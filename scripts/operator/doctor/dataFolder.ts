import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Files of the folder that other users must not be able to read. */
const PRIVATE = /\.(sqlite|sqlite-wal|sqlite-shm|key)$/

const OTHERS = 0o077

const isOpenToOthers = (path: string): boolean => process.platform !== 'win32' && (statSync(path).mode & OTHERS) !== 0

const permissions = (dataDir: string): Finding => {
  const open = readdirSync(dataDir).filter((name) => PRIVATE.test(name) && isOpenToOthers(join(dataDir, name)))
  if (open.length > 0)
    return fail(
      'data folder',
      `Other users may read ${open.join(', ')}.`,
      `chmod 600 ${open.map((name) => join(dataDir, name)).join(' ')}; rotate the keys in these files if other users had a login here.`,
    )
  if (isOpenToOthers(dataDir))
    return warn('data folder', 'Other users may list the folder. They cannot read its files.', `chmod 700 ${dataDir}`)
  return ok('data folder', `${dataDir} is readable by its owner only.`)
}

const ownership = (dataDir: string): readonly Finding[] => {
  const us = process.getuid?.()
  const owner = statSync(dataDir).uid
  if (us === undefined || us === owner || us === 0) return []
  return [
    warn(
      'owner',
      `The data folder belongs to user ${owner}, and this command runs as ${us}.`,
      'Run it as the user that runs the service.',
    ),
  ]
}

const writable = (dataDir: string): readonly Finding[] => {
  try {
    accessSync(dataDir, constants.W_OK | constants.X_OK)
    return []
  } catch {
    return [
      fail(
        'data folder',
        `The folder ${dataDir} is not writable.`,
        'Make the user of the service its owner, and mount it for writing.',
      ),
    ]
  }
}

export const lookAtDataFolder = (dataDir: string): readonly Finding[] => [
  permissions(dataDir),
  ...ownership(dataDir),
  ...writable(dataDir),
]

const MIB = 1024 * 1024

/** A full disk makes every `/execute` fail: the service returns only payloads that it has stored. */
export const judgeDisk = (freeBytes: number): Finding => {
  const says = `${Math.floor(freeBytes / MIB)} MiB are free.`
  const todo = 'Free space: move or delete logs, backups and old files.'
  if (freeBytes < 100 * MIB) return fail('disk', says, todo)
  return freeBytes < 1024 * MIB ? warn('disk', says, todo) : ok('disk', says)
}

export const lookAtDisk = async (dataDir: string): Promise<readonly Finding[]> => {
  const { bavail, bsize } = await statfs(dataDir)
  return [judgeDisk(bavail * bsize)]
}
