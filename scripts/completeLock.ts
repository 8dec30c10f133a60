import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './contract/document.ts'

/**
 * `npm ci` wants every optional platform binary in the lock file, and `npm install` leaves out those that the registry
 * at hand does not serve. This puts them back, by name and exact version, for the platforms their names tell. Run it
 * after any `npm install`: `node scripts/completeLock.ts`.
 */

type Locked = {
  readonly version?: string
  readonly optionalDependencies?: { readonly [name: string]: string }
  readonly [field: string]: unknown
}
type Lock = { packages: { [path: string]: Locked } }

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const PROCESSORS: { readonly [word: string]: string } = {
  amd64: 'x64',
  arm: 'arm',
  arm64: 'arm64',
  ia32: 'ia32',
  loong64: 'loong64',
  ppc64: 'ppc64',
  riscv64: 'riscv64',
  s390x: 's390x',
  wasm32: 'wasm32',
  x64: 'x64',
}
const LIBRARIES: { readonly [word: string]: string } = { gnu: 'glibc', gnueabihf: 'glibc', musl: 'musl', musleabihf: 'musl' }

const EXACT = /^[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]+)?$/

const standIn = (name: string, version: string): Locked | null => {
  const words = name.split(/[/-]/)
  const os = words.find((word) => SYSTEMS.includes(word))
  const cpu = words.map((word) => PROCESSORS[word]).find((found) => found !== undefined)
  const libc = words.map((word) => LIBRARIES[word]).find((found) => found !== undefined)
  // Without a platform in its name npm would try to install it here.
  if (!EXACT.test(version) || (os === undefined && cpu !== 'wasm32')) return null
  return {
    version,
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(libc ? { libc: [libc] } : {}),
    optional: true,
    ...(os ? { os: [os] } : {}),
  }
}

const complete = (lock: Lock): readonly string[] => {
  const added: string[] = []
  for (const { optionalDependencies = {} } of Object.values(lock.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const path = `node_modules/${name}`
      const isLocked = Object.keys(lock.packages).some((locked) => locked === path || locked.endsWith(`/${path}`))
      const entry = isLocked ? null : standIn(name, version)
      if (!entry) continue
      lock.packages[path] = entry
      added.push(`${name}@${version}`)
    }
  }
  lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return added
}

const file = join(projectRoot, 'package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8')) as Lock
const added = complete(lock)
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
process.stdout.write(`${added.length} platform packages added\n`)
