import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { projectRoot } from '../../../scripts/contract/document.ts'
import { compareNearIntents } from '../../../scripts/published/nearIntents.ts'

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
  const { compared, differences } = await compareNearIntents(folder)
  expect(compared).toBeGreaterThan(20)
  return differences.map(({ what }) => what)
}

const KEY = 'reYaWhvwu8Jzo3WUM3zhn6VrhuMEF4eADL17qtRVifc'
const ADDRESS = 'depositAddress: quote.depositAddress || void 0,'

test.each([
  ['another key', KEY, KEY.replace(/c$/, 'd'), 'key that signs quotes'],
  ['another host', 'https://1click.chaindefuser.com', 'https://2click.chaindefuser.com', 'host'],
  ['a chain by another name', '"monad"', '"mon"', 'code of chain 143'],
  ['a status nobody knew', '"REFUNDED"', '"RETURNED"', 'status RETURNED'],
  ['one signed word less of real quotes', ADDRESS, '', 'what is signed of a real quote'],
])('a package with %s is found to differ', async (_what, from, to, found) => {
  expect(await publishing(from, to)).toEqual([found])
})

test('a package that signs one more word is found to differ, dry or not', async () => {
  expect(await publishing('depositMode: void 0', 'depositMode: quoteRequest.depositMode')).toEqual([
    'what is signed of a dry quote',
    'what is signed of a real quote',
  ])
})
