import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compareAcross } from '../../../scripts/published/across.ts'

const PACKAGES = join(import.meta.dirname, '../../../node_modules')
const DEPLOYED = '@across-protocol/contracts/dist/broadcast/deployed-addresses.json'

test('our tables of contracts and tokens are those of Across’s packages', async () => {
  const { packages, compared, differences } = await compareAcross(PACKAGES)
  expect(differences).toEqual([])
  expect(packages).toEqual(['@across-protocol/contracts@5.0.27', '@across-protocol/constants@3.1.127'])
  expect(compared).toBeGreaterThan(150)
})

test('a contract that moved is told', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'across-packages-'))
  try {
    for (const path of [DEPLOYED, '@across-protocol/contracts/package.json', '@across-protocol/constants'])
      await cp(join(PACKAGES, path), join(dir, path), { recursive: true })
    const text = await readFile(join(dir, DEPLOYED), 'utf8')
    await writeFile(join(dir, DEPLOYED), text.replaceAll('0x97CCDBea4632140639aD5eA9b944aa034eb15fD4', `0x${'12'.repeat(20)}`))
    const { differences } = await compareAcross(dir)
    expect(differences).toHaveLength(13)
    expect(differences[0]).toEqual({
      what: 'SpokePoolPeriphery on Ethereum',
      ours: '0x97ccdbea4632140639ad5ea9b944aa034eb15fd4',
      theirs: `0x${'12'.repeat(20)}`,
    })
  } finally {
    await rm(dir, { recursive: true })
  }
})
