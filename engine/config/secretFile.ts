import { readFileSync, statSync } from 'node:fs'

/** The content of a secret's file, or why it is rejected. The path is not reported: a secret may be in its place by mistake. */
export type SecretFile =
  | { readonly content: string; readonly isReadByAll: boolean }
  | { readonly content: null; readonly problem: string }

const BYTES_MAX = 64 * 1024
/** Every writer of the file controls the secret. */
const WRITTEN_BY_OTHERS = 0o022
/** Excludes the group: under an access list, like that of systemd's credentials, the group bits are those of the list. */
const READ_BY_ALL = 0o004

/** A list without items counts as empty. */
const BLANK = /^[\s,]*$/

const REASONS: { readonly [code: string]: string } = {
  ENOENT: 'names no file',
  EACCES: 'names a file that this user may not read',
}

const read = (path: string): SecretFile => {
  const file = statSync(path)
  const refuse = (problem: string): SecretFile => ({ content: null, problem })
  // A pipe or a device could block the start for ever.
  if (!file.isFile()) return refuse('names something that is no file')
  if (file.size > BYTES_MAX) return refuse(`names a file of more than ${BYTES_MAX / 1024} KiB`)
  const bits = process.platform === 'win32' ? 0 : file.mode
  if ((bits & WRITTEN_BY_OTHERS) !== 0) return refuse('names a file that others may write: chmod 600 it')
  const content = readFileSync(path, 'utf8').trim()
  return BLANK.test(content) ? refuse('names an empty file') : { content, isReadByAll: (bits & READ_BY_ALL) !== 0 }
}

/** Removes the newline that editors add at the end. */
export const readSecretFile = (path: string): SecretFile => {
  try {
    return read(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return { content: null, problem: REASONS[code] ?? `names a file that cannot be read (${code})` }
  }
}
