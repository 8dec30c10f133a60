import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Environment, parseConfig } from '../../../engine/config/config.ts'
import { projectRoot } from '../../../scripts/contract/document.ts'

const textOf = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')
const page = textOf('engine/config/README.md')

/** The name on the page: `<chainId>` stands for every chain. */
const nameOf = (key: string): string => key.replace(/^(RPC_URLS|CONFIRMATIONS)_\d+$/, '$1_<chainId>')

const readBy = (env: Environment): readonly string[] => {
  const keys: string[] = []
  const get = (target: Environment, key: string | symbol) => {
    if (typeof key === 'string') keys.push(key)
    return Reflect.get(target, key) as string | undefined
  }
  parseConfig(new Proxy(env, { get }))
  return keys
}

const read = [...new Set([...readBy({}), ...readBy({ NETWORK: 'mainnet' })])]
const missing = (names: readonly string[], listed: { has(name: string): boolean }) => names.filter((name) => !listed.has(name))

it('settings page: lists every setting that the service reads, and no other [config-documented]', () => {
  const own = read.filter((key) => !key.startsWith('VENUE_') && !key.endsWith('_FILE')).map(nameOf)
  expect(own.length).toBeGreaterThan(50)
  expect(missing(own, { has: (name) => page.includes(`\`${name}\``) })).toEqual([])
  const cells = [...page.matchAll(/^\| (`[^|]+`) \|/gm)].map(([, cell = '']) => cell)
  const listed = cells.flatMap((cell) => [...cell.matchAll(/`([A-Z0-9_]+(?:<chainId>)?)`/g)].map(([, name = '']) => name))
  expect(listed.length).toBeGreaterThan(50)
  // Not read by the proxy above: only the offline network's cache uses it.
  expect(missing(listed, new Set([...read.map(nameOf), 'XDG_CACHE_HOME']))).toEqual([])
})

it('VENUES.md: lists every setting of a venue, and no other [config-documented]', () => {
  const listed = [...textOf('engine/venues/VENUES.md').matchAll(/`(VENUE_[A-Z0-9_]+)`/g)].map(([, name = '']) => name)
  const own = read.filter((key) => /^VENUE_(?!.*_(BASE_URL|API_KEY|REQUESTS_PER_MINUTE|FILE)$)/.test(key))
  expect(own.length).toBeGreaterThan(60)
  expect([missing(own, new Set(listed)), missing(listed, new Set(read))]).toEqual([[], []])
})

it('settings page: names each secret that can be in a file', () => {
  const [, secrets = ''] = /Secrets \(([^)]+)\) may stand in a file/.exec(page) ?? []
  const inFiles = read.filter((key) => key.endsWith('_FILE') && !key.startsWith('VENUE_')).map((key) => nameOf(key.slice(0, -5)))
  expect(inFiles.length).toBeGreaterThan(4)
  expect(inFiles.filter((name) => !secrets.includes(name.replace(/_(<chainId>|SOLANA|BITCOIN)$/, '_')))).toEqual([])
})
