import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../scripts/contract/document.ts'

/** What package.json and its lock file promise about the packages of others. */

type Package = {
  readonly name?: string
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly license?: string
  readonly dev?: boolean
  readonly dependencies?: { readonly [name: string]: string }
  readonly optionalDependencies?: { readonly [name: string]: string }
  readonly peerDependencies?: { readonly [name: string]: string }
}
type Manifest = {
  readonly dependencies: { readonly [name: string]: string }
  readonly devDependencies: { readonly [name: string]: string }
}

/** Published contracts are under BUSL, GPL and LGPL; their packages say AGPL and LGPL. */
const CONTRACTS = ['@across-protocol/contracts', '@cowprotocol/contracts']

/** Clients of venues, as judges of their simulators, which need for other chains what is not installed. */
const CLIENTS = ['@chainflip/sdk', '@chainflip/utils', '@mayanfinance/swap-sdk']

/** Packages of which one part is loaded, and their other parts' needs are not installed: of the x402 extensions, discovery; of the reference page, its bundle. */
const PARTLY_USED = ['@x402/extensions', '@scalar/api-reference']

/** Stands in for what those packages ask for and nobody uses. */
const EMPTIED = '@favware/skip-dependency'

const PERMISSIVE = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'PSF-2.0']
/** Of what the service is installed with. The first comes with @solana/web3.js; the others name their licence in a file: MIT, Unlicense. */
const OTHERWISE_LICENSED = ['rpc-websockets', 'eyes', 'text-encoding-utf-8']

let manifest: Manifest
let packages: { readonly [path: string]: Package }

beforeAll(async () => {
  const read = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(projectRoot, name), 'utf8'))
  manifest = (await read('package.json')) as Manifest
  packages = ((await read('package-lock.json')) as { packages: typeof packages }).packages
})

/** Where Node finds a package that one at this path asks for; null when it is not installed. */
const resolve = (from: string, name: string): string | null => {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (packages[path]) return path
    if (at === '') return null
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

describe('the packages of others', () => {
  it('are pinned: an exact version each, and in the lock file what its bytes must be', () => {
    const pinned = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(pinned.filter(([, version]) => !/^\d+\.\d+\.\d+(-beta\.\d+)?$/.test(version))).toEqual([])
    for (const [name, version] of pinned) {
      const locked = packages[`node_modules/${name}`]
      expect([name, locked?.version]).toEqual([name, version])
      expect(locked?.integrity, name).toMatch(/^sha512-/)
    }
  })

  it('come from whatever registry the installer uses', () => {
    expect(Object.entries(packages).flatMap(([path, { resolved }]) => (resolved === undefined ? [] : [path]))).toEqual([])
  })

  it('with contracts of others, and clients of venues, are for development alone', () => {
    for (const name of [...CONTRACTS, ...CLIENTS]) {
      expect(manifest.devDependencies).toHaveProperty([name])
      expect(packages[`node_modules/${name}`]?.dev).toBe(true)
    }
  })

  it('emptied for them are missing to nobody else', () => {
    const isEmptied = (path: string): boolean => packages[path]?.name === EMPTIED
    expect(Object.keys(packages).filter(isEmptied).length).toBeGreaterThan(10)
    const users = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies, peerDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
        .filter((name) => isEmptied(resolve(path, name) ?? ''))
        .map((name) => `${nameOf(path)} uses ${name}`),
    )
    expect(users.filter((use) => ![...CONTRACTS, ...CLIENTS, ...PARTLY_USED].some((name) => use.startsWith(`${name} `)))).toEqual(
      [],
    )
  })

  it('that the service is installed with let it be used under its own licence', () => {
    const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev)
    expect(installed.length).toBeGreaterThan(100)
    const others = installed.filter(
      ([path, { license }]) => !PERMISSIVE.includes(license ?? '') && !OTHERWISE_LICENSED.includes(nameOf(path)),
    )
    expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([])
  })
})
