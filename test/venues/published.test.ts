import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { projectRoot } from '../../scripts/contract/document.ts'
import { compareVenue, describeComparison, differencesOf, isUpToDate } from '../../scripts/published/compare.ts'
import { ROWS } from '../../scripts/published/rows.ts'

const PINNED = join(projectRoot, 'node_modules')

describe('venue tables equal those of the pinned packages [venue-tables-published]', () => {
  test.each(Object.entries(ROWS))('%s', async (venue, rows) => {
    const comparison = await compareVenue(venue, rows, PINNED)
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
  const folders: string[] = []
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
  })

  /** The real packages, of which one exports a few things exchanged. */
  const publishing = async (change: string) => {
    const packagesDir = await mkdtemp(join(tmpdir(), 'published-'))
    folders.push(packagesDir)
    await mkdir(join(packagesDir, '@cowprotocol/sdk-config'), { recursive: true })
    for (const name of ['contracts', 'sdk-order-book']) {
      await symlink(join(PINNED, '@cowprotocol', name), join(packagesDir, '@cowprotocol', name))
    }
    const real = JSON.stringify(join(PINNED, '@cowprotocol/sdk-config'))
    const source = `const real = require(${real}); module.exports = { ...real, ...(${change}) }`
    await writeFile(join(packagesDir, '@cowprotocol/sdk-config/index.js'), source)
    await writeFile(join(packagesDir, '@cowprotocol/sdk-config/package.json'), '{ "version": "9.9.9" }')
    return compareVenue('cow', ROWS['cow'] ?? [], packagesDir)
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
    await expect(compareVenue('x', [empty], PINNED)).rejects.toThrow(/publishes nothing/)
  })
})
