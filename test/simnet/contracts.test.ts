import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Artifact } from '../../engine/simnet/contracts/artifacts.ts'
import { createArtifacts } from '../../engine/simnet/contracts/createArtifacts.ts'
import { makePublished, PUBLISHED, type PublishedContracts } from '../../engine/simnet/contracts/published/makePublished.ts'
import { projectRoot } from '../../scripts/contract/document.ts'

/** Venue contracts are compiled from their packages, cached outside the tree and verified when read. */

const SOMEWHERE = '0x00000000000000000000000000000000000a11ce'
const OWN_CONTRACTS = join(projectRoot, 'engine/simnet/contracts')

let root: string
let cacheDir: string
let genuine: PublishedContracts
let made: number

/** Stands for the scratch chain, which takes its time and gives the same. */
const make: typeof makePublished = async () => {
  made += 1
  return genuine
}

const codeOf = async (options: Parameters<typeof createArtifacts>[0], contract = 'SwapProxy'): Promise<string> => {
  const artifacts = createArtifacts(options)
  try {
    return (await artifacts.accountOf(SOMEWHERE, contract)).code
  } finally {
    await artifacts.close()
  }
}
const onlyFile = async (): Promise<string> => {
  const [name = '', ...rest] = await readdir(cacheDir)
  expect(rest).toEqual([])
  return join(cacheDir, name)
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'simnet-contracts-'))
  await createArtifacts({
    make: async (...of) => {
      genuine = await makePublished(...of)
      return genuine
    },
  }).accountOf(SOMEWHERE, 'SwapProxy')
})
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(async () => {
  cacheDir = join(await mkdtemp(join(root, 'case-')), 'not', 'there-yet')
  made = 0
})

describe('the source tree', () => {
  it('contains only compiled contracts of this project [install-no-third-party-code]', async () => {
    const names = (await readdir(OWN_CONTRACTS)).filter((name) => name.endsWith('.json'))
    expect(names.length).toBeGreaterThan(5)
    for (const name of names) {
      const { contract, origin } = JSON.parse(await readFile(join(OWN_CONTRACTS, name), 'utf8')) as { [field: string]: string }
      const source = /^(scripts\/contracts\/\w+\.sol), solc 0\.8\.37/.exec(origin ?? '')?.[1] ?? 'nowhere'
      expect(await readFile(join(projectRoot, source), 'utf8')).toContain(`contract ${contract} `)
    }
  })

  it('contains no bytecode of a published contract in any file [install-no-third-party-code]', async () => {
    const pieces = Object.values(genuine).map(({ contract, runtimeCode }: Artifact) => {
      // What compilers put first is the same in all: the middle is the contract's own.
      const middle = Math.floor(runtimeCode.length / 2)
      return [contract, runtimeCode.slice(middle, middle + 64)] as const
    })
    expect(pieces.map(([contract]) => contract).sort()).toEqual([...PUBLISHED])
    const folders = ['engine', 'generated', 'handlers', 'scripts', 'test']
    const paths = (
      await Promise.all(folders.map((folder) => readdir(join(projectRoot, folder), { recursive: true, withFileTypes: true })))
    )
      .flat()
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map((entry) => join(entry.parentPath, entry.name))
    expect(paths.length).toBeGreaterThan(500)
    for (const path of paths) {
      const text = (await readFile(path, 'utf8')).toLowerCase()
      const found = pieces.flatMap(([contract, piece]) => (text.includes(piece) ? [contract] : []))
      expect(found, path).toEqual([])
    }
  })
})

describe('compiled venue contracts', () => {
  it('are compiled once and cached, readable by the current user only', async () => {
    expect(await codeOf({ cacheDir, make })).toBe(genuine.SwapProxy.runtimeCode)
    expect(await codeOf({ cacheDir, make })).toBe(genuine.SwapProxy.runtimeCode)
    expect(made).toBe(1)
    const modes = await Promise.all([cacheDir, await onlyFile()].map(async (path) => (await stat(path)).mode & 0o777))
    expect(modes).toEqual([0o700, 0o600])
  })

  const spoilt: readonly (readonly [string, (path: string) => Promise<unknown>])[] = [
    ['is empty', (path) => writeFile(path, '')],
    ['is cut off', async (path) => writeFile(path, (await readFile(path, 'utf8')).slice(0, -100))],
    [
      'has one digit changed',
      async (path) => writeFile(path, (await readFile(path, 'utf8')).replace('6080604052', '6080604053')),
    ],
    ['contains unrelated JSON', (path) => writeFile(path, '{"SwapProxy":{"contract":"SwapProxy","runtimeCode":"0x00"}}')],
  ]
  it.each(spoilt)('are compiled again when the cached file %s', async (_how, spoil) => {
    await codeOf({ cacheDir, make })
    const path = await onlyFile()
    await spoil(path)
    expect(await codeOf({ cacheDir, make })).toBe(genuine.SwapProxy.runtimeCode)
    expect(made).toBe(2)
    // And kept again.
    expect(await codeOf({ cacheDir, make })).toBe(genuine.SwapProxy.runtimeCode)
    expect(made).toBe(2)
  })
})
