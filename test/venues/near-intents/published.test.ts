import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { projectRoot } from '../../../scripts/contract/document.ts'
import { compareVenue } from '../../../scripts/published/compare.ts'
import { ROWS } from '../../../scripts/published/rows.ts'

const SDK = '@defuse-protocol/one-click-sdk-typescript'
const PINNED = join(projectRoot, 'node_modules')

let folder: string
afterEach(() => rm(folder, { recursive: true, force: true }))

/** The real package with a part of its text exchanged, inside our node_modules, where it finds what it depends on. */
const publishing = async (from: string, to: string) => {
  folder = await mkdtemp(join(PINNED, '.published-'))
  await mkdir(join(folder, SDK), { recursive: true })
  await cp(join(PINNED, SDK), join(folder, SDK), { recursive: true })
  const file = join(folder, SDK, 'dist/index.js')
  const text = await readFile(file, 'utf8')
  expect(text).toContain(from)
  await writeFile(file, text.replaceAll(from, to))
  const { compared, differences } = await compareVenue('near-intents', ROWS['near-intents'] ?? [], folder)
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
])('near-intents package check: reports %s', async (_what, from, to, found) => {
  expect(await publishing(from, to)).toEqual([found])
})

test('near-intents package check: reports one more signed field, in dry and firm quotes', async () => {
  expect(await publishing('depositMode: void 0', 'depositMode: quoteRequest.depositMode')).toEqual([
    'quoteHash.dry',
    'quoteHash.real',
  ])
})
