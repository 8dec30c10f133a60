import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { projectRoot } from '../../scripts/contract/document.ts'
import { JUDGES } from '../../scripts/judges.ts'
import { compareVenue, describeComparison, differencesOf, isUpToDate } from '../../scripts/published/compare.ts'
import { ROWS } from '../../scripts/published/rows.ts'

/** Where the pinned packages are: those of the offline network in the project's own folder. */
const PINNED = [JUDGES, join(projectRoot, 'node_modules')] as const

const folderOf = (name: string): string => {
  const [folder = ''] = PINNED.map((packages) => join(packages, name)).filter((path) => existsSync(path))
  return folder
}

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

describe('venue tables equal those of the pinned packages [venue-tables-published]', () => {
  test.each(Object.entries(ROWS))('%s', async (venue, rows) => {
    const comparison = await compareVenue(venue, rows, ...PINNED)
    process.stdout.write(`${describeComparison(comparison)}\n`)
    expect(comparison.differences).toEqual([])
    expect(isUpToDate(comparison)).toBe(true)
  })
})

describe('the comparison of venue tables', () => {
  test('fails for an empty table and for any difference', () => {
    const comparison = { venue: 'x', sources: ['y 1.0.0'], compared: 1, differences: [] }
    expect(isUpToDate(comparison)).toBe(true)
    expect(isUpToDate({ ...comparison, compared: 0 })).toBe(false)
    const differing = { ...comparison, differences: [{ what: 'vault on 1', ours: '0x1', theirs: '0x2' }] }
    expect(isUpToDate(differing)).toBe(false)
    expect(describeComparison(differing)).toBe('x: 1 compared with y 1.0.0: 1 DIFFER\n  vault on 1: ours 0x1, theirs 0x2')
  })

  test('treats two spellings of hex as equal, and a missing entry as a difference', () => {
    expect(differencesOf('a', { b: '0xAb' }, { b: '0xaB' })).toEqual({ compared: 1, differences: [] })
    expect(differencesOf('a', { b: 'https://A' }, { b: 'https://a' }).differences).toHaveLength(1)
    const missing = [{ what: 'a.b', ours: '0xab', theirs: 'nothing' }]
    expect(differencesOf('a', { b: '0xab' }, {}).differences).toEqual(missing)
    const added = [{ what: 'a.b', ours: 'nothing', theirs: '0xab' }]
    expect(differencesOf('a', { b: null }, { b: '0xab' }, 'all').differences).toEqual(added)
    expect(differencesOf('a', { b: null }, { b: '0xab' })).toEqual({ compared: 0, differences: [] })
  })
})

describe('the comparison of CoW tables', () => {
  /** The real packages, of which one exports a few other things. */
  const publishing = async (change: string) => {
    const packagesDir = await mkdtemp(join(tmpdir(), 'published-'))
    folders.push(packagesDir)
    await mkdir(join(packagesDir, '@cowprotocol/sdk-config'), { recursive: true })
    const real = JSON.stringify(folderOf('@cowprotocol/sdk-config'))
    const source = `const real = require(${real}); module.exports = { ...real, ...(${change}) }`
    await writeFile(join(packagesDir, '@cowprotocol/sdk-config/index.js'), source)
    await writeFile(join(packagesDir, '@cowprotocol/sdk-config/package.json'), '{ "version": "9.9.9" }')
    return compareVenue('cow', ROWS['cow'] ?? [], packagesDir, ...PINNED)
  }

  test('reports a moved contract, a removed chain and a new chain', async () => {
    const moved = await publishing('{ ETH_FLOW_ADDRESSES: { ...real.ETH_FLOW_ADDRESSES, 8453: "0x1" } }')
    expect(moved.differences).toEqual([
      { what: 'ETH_FLOW_ADDRESSES.8453', ours: '0xbA3cB449bD2B4ADddBc894D8697F5170800EAdeC', theirs: '0x1' },
    ])
    const left = await publishing(
      '{ TRADABLE_SUPPORTED_CHAIN_IDS: real.TRADABLE_SUPPORTED_CHAIN_IDS.filter((id) => id !== 59144) }',
    )
    expect(left.differences).toEqual([{ what: 'TRADABLE_SUPPORTED_CHAIN_IDS.59144', ours: 'yes', theirs: 'nothing' }])
    const came = await publishing('{ TRADABLE_SUPPORTED_CHAIN_IDS: [...real.TRADABLE_SUPPORTED_CHAIN_IDS, 10] }')
    expect(came.differences).toEqual([{ what: 'TRADABLE_SUPPORTED_CHAIN_IDS.10', ours: 'nothing', theirs: 'yes' }])
  })

  test('fails for a package in an unknown form', async () => {
    await expect(publishing('{ ETH_FLOW_ADDRESSES: undefined }')).rejects.toThrow()
    const empty = { package: '@cowprotocol/sdk-config', path: 'ETH_ADDRESS', ours: {}, as: () => ({}) }
    await expect(compareVenue('x', [empty], ...PINNED)).rejects.toThrow(/publishes nothing/)
  })
})

describe('the comparison of Across tables', () => {
  const DEPLOYED = '@across-protocol/contracts/dist/broadcast/deployed-addresses.json'

  /** The real packages, of which one file is changed. */
  const publishing = async (change: (text: string) => string) => {
    const packagesDir = await mkdtemp(join(tmpdir(), 'published-'))
    folders.push(packagesDir)
    for (const path of [DEPLOYED, '@across-protocol/contracts/package.json'])
      await cp(folderOf(path), join(packagesDir, path), { recursive: true })
    await writeFile(join(packagesDir, DEPLOYED), change(await readFile(folderOf(DEPLOYED), 'utf8')))
    return compareVenue('across', ROWS['across'] ?? [], packagesDir, ...PINNED)
  }

  test('reports a periphery that moved, on every chain', async () => {
    const autumn = '0x97CCDBea4632140639aD5eA9b944aa034eb15fD4'
    const { compared, differences } = await publishing((text) => text.replaceAll(autumn, '0x12'))
    expect(compared).toBeGreaterThan(150)
    expect(differences).toHaveLength(13)
    expect(differences[0]).toEqual({ what: 'chains.1.SpokePoolPeriphery', ours: autumn, theirs: '0x12' })
  })

  test('reports a newly published handler', async () => {
    const { differences } = await publishing((text) => {
      const deployed = JSON.parse(text) as { chains: { [chainId: string]: { contracts: { [name: string]: unknown } } } }
      const robinhood = deployed.chains['4663']
      if (robinhood) robinhood.contracts['MulticallHandler'] = { address: '0x34' }
      return JSON.stringify(deployed)
    })
    expect(differences).toEqual([{ what: 'chains.4663.MulticallHandler', ours: 'nothing', theirs: '0x34' }])
  })
})

describe('the comparison of NEAR Intents tables', () => {
  const SDK = '@defuse-protocol/one-click-sdk-typescript'

  /** The real package with other text, in a folder where it finds its dependencies. */
  const publishing = async (from: string, to: string) => {
    const packagesDir = await mkdtemp(join(JUDGES, '.published-'))
    folders.push(packagesDir)
    await mkdir(join(packagesDir, SDK), { recursive: true })
    await cp(folderOf(SDK), join(packagesDir, SDK), { recursive: true })
    const file = join(packagesDir, SDK, 'dist/index.js')
    const text = await readFile(file, 'utf8')
    expect(text).toContain(from)
    await writeFile(file, text.replaceAll(from, to))
    const { compared, differences } = await compareVenue('near-intents', ROWS['near-intents'] ?? [], packagesDir)
    expect(compared).toBeGreaterThan(20)
    return differences.map(({ what }) => what)
  }

  const KEY = 'reYaWhvwu8Jzo3WUM3zhn6VrhuMEF4eADL17qtRVifc'

  const ADDRESS = 'depositAddress: quote.depositAddress || void 0,'

  test.each([
    ['another key', KEY, KEY.replace(/c$/, 'd'), 'key'],
    ['another host', 'https://1click.chaindefuser.com', 'https://2click.chaindefuser.com', 'OpenAPI.BASE'],
    ['another chain name', '"monad"', '"mon"', 'TokenResponse.blockchain.monad'],
    ['a new status', '"REFUNDED"', '"RETURNED"', 'GetExecutionStatusResponse.status.RETURNED'],
    ['one signed field less in firm quotes', ADDRESS, '', 'quoteHash.real'],
  ])('reports %s', async (_what, from, to, found) => {
    expect(await publishing(from, to)).toEqual([found])
  })

  test('reports one more signed field, in dry and firm quotes', async () => {
    expect(await publishing('depositMode: void 0', 'depositMode: quoteRequest.depositMode')).toEqual([
      'quoteHash.dry',
      'quoteHash.real',
    ])
  })
})
