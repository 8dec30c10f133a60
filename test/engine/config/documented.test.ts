import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Environment, parseConfig } from '../../../engine/config/config.ts'
import { projectRoot } from '../../../scripts/contract/document.ts'

/** engine/config/README.md has every setting that is read, and none that is not. */

const page = readFileSync(join(projectRoot, 'engine/config/README.md'), 'utf8')

/** Read by others than the parser. */
const OTHERS = ['XDG_CACHE_HOME']

/** As the page names it: by what stands for a chain. */
const nameOf = (key: string): string => key.replace(/^(RPC_URLS|CONFIRMATIONS)_\d+$/, '$1_<chainId>')

const readBy = (env: Environment): ReadonlySet<string> => {
  const asked = new Set<string>()
  const watched = new Proxy(env, {
    get: (target, key) => {
      if (typeof key === 'string') asked.add(key)
      return Reflect.get(target, key) as string | undefined
    },
  })
  parseConfig(watched)
  return asked
}

const read = new Set([...readBy({}), ...readBy({ NETWORK: 'mainnet' })])

it('tells of every setting that is read [config-documented]', () => {
  const own = [...read].filter((key) => !key.startsWith('VENUE_') && !key.endsWith('_FILE')).map(nameOf)
  expect(own.length).toBeGreaterThan(50)
  expect([...new Set(own)].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

it('tells of no other [config-documented]', () => {
  const told = [...page.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([A-Z0-9_]+(?:<chainId>)?)`/g)].map(([, name]) => name),
  )
  expect(told.length).toBeGreaterThan(50)
  const known = new Set([...[...read].map(nameOf), ...OTHERS])
  expect(told.filter((name) => name !== undefined && !known.has(name))).toEqual([])
})

it('VENUES.md tells of every setting of a venue, and of no other [config-documented]', () => {
  const venues = readFileSync(join(projectRoot, 'engine/venues/VENUES.md'), 'utf8')
  const told = new Set([...venues.matchAll(/`(VENUE_[A-Z0-9_]+)`/g)].map(([, name]) => name))
  const own = [...read].filter((key) => /^VENUE_(?!.*_(BASE_URL|API_KEY|REQUESTS_PER_MINUTE|FILE)$)/.test(key))
  expect(own.length).toBeGreaterThan(60)
  expect(own.filter((name) => !told.has(name))).toEqual([])
  expect([...told].filter((name) => name !== undefined && !read.has(name))).toEqual([])
})

it('names each secret that may stand in a file', () => {
  const [, secrets = ''] = /Secrets \(([^)]+)\) may stand in a file/.exec(page) ?? []
  const inFiles = [...read]
    .filter((key) => key.endsWith('_FILE') && !key.startsWith('VENUE_'))
    .map((key) => nameOf(key.slice(0, -'_FILE'.length)))
  expect(inFiles.length).toBeGreaterThan(4)
  expect(inFiles.filter((name) => !secrets.includes(name.replace(/_(<chainId>|SOLANA|BITCOIN)$/, '_')))).toEqual([])
})
