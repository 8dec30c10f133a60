import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Files of the folder that other users must not be able to read. */
const PRIVATE = /\.(sqlite|sqlite-wal|sqlite-shm|key)$/
const OTHERS = 0o077

const isOpenToOthers = (path: string): boolean => process.platform !== 'win32' && (statSync(path).mode & OTHERS) !== 0

const checkPermissions = (dataDir: string): Finding => {
  const open = readdirSync(dataDir).filter((name) => PRIVATE.test(name) && isOpenToOthers(join(dataDir, name)))
  const paths = open.map((name) => join(dataDir, name)).join(' ')
  const todo = `chmod 600 ${paths}; rotate the keys in these files if other users had a login here.`
  if (open.length > 0) return fail('data folder', `Other users may read ${open.join(', ')}.`, todo)
  if (isOpenToOthers(dataDir))
    return warn('data folder', 'Other users may list the folder. They cannot read its files.', `chmod 700 ${dataDir}`)
  return ok('data folder', `${dataDir} is readable by its owner only.`)
}

const checkOwner = (dataDir: string): readonly Finding[] => {
  const [us, owner] = [process.getuid?.(), statSync(dataDir).uid]
  if (us === undefined || us === owner || us === 0) return []
  const says = `The data folder belongs to user ${owner}, and this command runs as ${us}.`
  return [warn('owner', says, 'Run it as the user that runs the service.')]
}

const checkWritable = (dataDir: string): readonly Finding[] => {
  try {
    accessSync(dataDir, constants.W_OK | constants.X_OK)
    return []
  } catch {
    const todo = 'Make the user of the service its owner, and mount it for writing.'
    return [fail('data folder', `The folder ${dataDir} is not writable.`, todo)]
  }
}

export const checkDataFolder = (dataDir: string): readonly Finding[] => [
  checkPermissions(dataDir),
  ...checkOwner(dataDir),
  ...checkWritable(dataDir),
]

const MIB = 1024 * 1024

/** A full disk makes every `/execute` fail: the service returns only payloads that it has stored. */
export const judgeDisk = (freeBytes: number): Finding => {
  const says = `${Math.floor(freeBytes / MIB)} MiB are free.`
  const todo = 'Free space: move or delete logs, backups and old files.'
  if (freeBytes < 100 * MIB) return fail('disk', says, todo)
  return freeBytes < 1024 * MIB ? warn('disk', says, todo) : ok('disk', says)
}

export const checkDisk = async (dataDir: string): Promise<readonly Finding[]> => {
  const { bavail, bsize } = await statfs(dataDir)
  return [judgeDisk(bavail * bsize)]
}
