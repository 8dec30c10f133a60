import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, open, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { PUBLISHED, type PublishedContracts } from './publishedContracts.ts'

/** Ten times what the contracts take. */
const BYTES_MAX = 2_000_000
const WRITABLE_BY_OTHERS = 0o022

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The first line holds for what follows, and for what it was made from: no file under another name passes. */
const checkOf = (key: string, body: string): string => hashOf(`${key}\n${body}`)

const fileOf = (directory: string, key: string): string => join(directory, `contracts-${key.slice(0, 32)}.json`)

/** The text of a file that this user made and nobody else can change; null when it is none. */
const readOwnFile = async (path: string): Promise<string | null> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const stat = await file.stat()
    const isOurs = process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & WRITABLE_BY_OTHERS) === 0)
    return stat.isFile() && isOurs && stat.size <= BYTES_MAX ? await file.readFile('utf8') : null
  } finally {
    await file.close()
  }
}

const isWhole = (contracts: PublishedContracts | null): contracts is PublishedContracts =>
  PUBLISHED.every((name) => typeof contracts?.[name]?.runtimeCode === 'string')

/** What was kept under this key; null when there is nothing, or nothing that can be relied on. Never throws. */
export const readKept = async (directory: string, key: string): Promise<PublishedContracts | null> => {
  try {
    const text = (await readOwnFile(fileOf(directory, key))) ?? ''
    const end = text.indexOf('\n')
    const body = text.slice(end + 1)
    if (end === -1 || text.slice(0, end) !== checkOf(key, body)) return null
    const contracts = JSON.parse(body) as PublishedContracts | null
    return isWhole(contracts) ? contracts : null
  } catch {
    return null
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Node's own `recursive` never ends where a folder is there and takes none, as /proc, and nor does the process then. */
const makeFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if (await isThere(folder)) return
    if (await isThere(dirname(folder))) throw error
    await makeFolder(dirname(folder))
    await makeFolder(folder)
  }
}

/**
 * Keeps them for the next start, whole or not at all: several processes may do so at once. A folder that cannot be
 * written costs the next start its time, and is no failure.
 */
export const keep = async (directory: string, key: string, contracts: PublishedContracts): Promise<void> => {
  const path = fileOf(directory, key)
  const unfinished = `${path}.${randomUUID()}.part`
  const body = JSON.stringify(contracts)
  try {
    await makeFolder(directory)
    const file = await open(unfinished, 'wx', 0o600)
    try {
      await file.writeFile(`${checkOf(key, body)}\n${body}`)
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
  } catch {
    await rm(unfinished, { force: true }).catch(() => undefined)
  }
}

/** This user's folder for what can be made again; null for a user without a home. */
export const userCacheDir = (): string | null => {
  try {
    const home = homedir()
    return isAbsolute(home) ? join(home, '.cache', 'swap-service') : null
  } catch {
    return null
  }
}
