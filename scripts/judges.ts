import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The packages of `test/judges/package.json`: what neither the service nor the offline network nor `npm test` needs. A command
 * that needs them installs them first.
 */

const FOLDER = fileURLToPath(new URL('../test/judges', import.meta.url))

/** Where their packages are. */
export const JUDGES = join(FOLDER, 'node_modules')

/** The path of one of their commands. */
export const judgesCommand = (name: string): string => join(JUDGES, '.bin', name)

const isInstalled = (): boolean => {
  const installed = join(JUDGES, '.package-lock.json')
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(FOLDER, 'package-lock.json')).mtimeMs
}

/** Installs them where they are missing or older than their lock file. Throws when npm fails. */
export const installJudges = (): void => {
  if (isInstalled()) return
  process.stderr.write('Installing the packages of test/judges: npm ci --prefix test/judges\n')
  const args = ['ci', '--prefix', FOLDER, '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', args, { stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('The packages of test/judges could not be installed. Run npm ci --prefix test/judges')
}
