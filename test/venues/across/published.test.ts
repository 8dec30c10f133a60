import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { projectRoot } from '../../../scripts/contract/document.ts'
import { compareVenue } from '../../../scripts/published/compare.ts'
import { ROWS } from '../../../scripts/published/rows.ts'

const PACKAGES = join(projectRoot, 'node_modules')
const DEPLOYED = '@across-protocol/contracts/dist/broadcast/deployed-addresses.json'

const APP_SDK = ['dist/constants/index.js', 'package.json'].map((file) => `@across-protocol/app-sdk/${file}`)

let folder: string
afterEach(() => rm(folder, { recursive: true, force: true }))

/** The real packages, of which one file is changed. */
const publishing = async (change: (text: string) => string) => {
  folder = await mkdtemp(join(tmpdir(), 'across-packages-'))
  for (const path of [DEPLOYED, '@across-protocol/contracts/package.json', '@across-protocol/constants', ...APP_SDK])
    await cp(join(PACKAGES, path), join(folder, path), { recursive: true })
  const text = await readFile(join(folder, DEPLOYED), 'utf8')
  await writeFile(join(folder, DEPLOYED), change(text))
  return compareVenue('across', ROWS['across'] ?? [], folder)
}

test('published addresses: reports a periphery that moved, on every chain', async () => {
  const autumn = '0x97CCDBea4632140639aD5eA9b944aa034eb15fD4'
  const { compared, differences } = await publishing((text) => text.replaceAll(autumn, '0x12'))
  expect(compared).toBeGreaterThan(150)
  expect(differences).toHaveLength(13)
  expect(differences[0]).toEqual({ what: 'chains.1.SpokePoolPeriphery', ours: autumn, theirs: '0x12' })
})

test('published addresses: reports a newly published handler', async () => {
  const { differences } = await publishing((text) => {
    const deployed = JSON.parse(text) as { chains: { [chainId: string]: { contracts: { [name: string]: unknown } } } }
    const robinhood = deployed.chains['4663']
    if (robinhood) robinhood.contracts['MulticallHandler'] = { address: '0x34' }
    return JSON.stringify(deployed)
  })
  expect(differences).toEqual([{ what: 'chains.4663.MulticallHandler', ours: 'nothing', theirs: '0x34' }])
})
