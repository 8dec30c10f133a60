import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Compares the tables of our adapters with the packages that the venues publish. */

type Value = string | number | null | undefined
export type Values = { readonly [name: string]: Value }

/** Values that a package publishes and a table of ours repeats. */
export type Row = {
  readonly package: string
  /** A file of the package: JSON is parsed, of others the text is read. Without it, the exports of the package. */
  readonly file?: string
  /** The place of the value, with dots. Of a text it only names the value. */
  readonly path: string
  /** One value, or several by name. */
  readonly ours: Value | Values
  /** Converts the published value to the form of ours. `source` is all that holds it. */
  as?(theirs: never, source: never): Value | Values
  /** Which names are compared. Default: ours. */
  readonly names?: 'ours' | 'theirs' | 'all'
}

export type Difference = { readonly what: string; readonly ours: string; readonly theirs: string }

export type Comparison = {
  readonly venue: string
  /** The packages with their versions. */
  readonly sources: readonly string[]
  /** The number of compared values. */
  readonly compared: number
  readonly differences: readonly Difference[]
}

const isTable = (value: unknown): value is { readonly [name: string]: unknown } => typeof value === 'object' && value !== null

/** Hex has no case. */
const isSame = (a: string, b: string): boolean => a === b || (/^0x[0-9a-fA-F]*$/.test(a) && a.toLowerCase() === b.toLowerCase())

const toValues = (value: unknown): Values => (isTable(value) ? (value as Values) : { '': value as Value })

const present = (values: Values): readonly string[] => Object.keys(values).filter((name) => values[name] != null)

/** A name that only one side has is a difference too. */
export const differencesOf = (path: string, ours: Values, theirs: Values, names: Row['names'] = 'ours') => {
  const compared = new Set([...(names === 'theirs' ? [] : present(ours)), ...(names === 'ours' ? [] : present(theirs))])
  const differences = [...compared].flatMap((name): readonly Difference[] => {
    const pair = { ours: String(ours[name] ?? 'nothing'), theirs: String(theirs[name] ?? 'nothing') }
    return isSame(pair.ours, pair.theirs) ? [] : [{ what: name === '' ? path : `${path}.${name}`, ...pair }]
  })
  return { compared: compared.size, differences }
}

/** The folder of a package in the first of these folders, each like node_modules, that has it. */
const folderOf = (folders: readonly string[], name: string): string => {
  const places = folders.map((folder) => join(folder, name))
  return places.find((place) => existsSync(place)) ?? places[0] ?? name
}

/** The published value of a row, in the form of ours. */
const readRow = async (folders: readonly string[], { package: name, file = '', path, as }: Row): Promise<unknown> => {
  const place = join(folderOf(folders, name), file)
  const isLoaded = file === '' || /\.(json|cjs)$/.test(file)
  const source: unknown = isLoaded ? createRequire(import.meta.url)(place) : await readFile(place, 'utf8')
  const value = isLoaded ? path.split('.').reduce((at, key) => (isTable(at) ? at[key] : undefined), source) : source
  if (value === undefined) throw new Error(`${name} has no ${path}`)
  return as ? as(value as never, source as never) : value
}

const versionOf = async (folders: readonly string[], name: string): Promise<string> => {
  const { version } = JSON.parse(await readFile(join(folderOf(folders, name), 'package.json'), 'utf8')) as { version: string }
  return `${name} ${version}`
}

/**
 * Compares the rows of one venue with the packages in `folders`, each like node_modules. Rejects when a package cannot be read.
 */
export const compareVenue = async (venue: string, rows: readonly Row[], ...folders: readonly string[]): Promise<Comparison> => {
  const results = await Promise.all(
    rows.map(async (row) => {
      const theirs = toValues(await readRow(folders, row))
      const result = differencesOf(row.path, toValues(row.ours), theirs, row.names)
      if (result.compared === 0) throw new Error(`${row.package} publishes nothing at ${row.path}`)
      return result
    }),
  )
  return {
    venue,
    sources: await Promise.all([...new Set(rows.map((row) => row.package))].map((name) => versionOf(folders, name))),
    compared: results.reduce((sum, { compared }) => sum + compared, 0),
    differences: results.flatMap(({ differences }) => differences),
  }
}

/** The comparison as text: its size, and every difference. */
export const describeComparison = ({ venue, sources, compared, differences }: Comparison): string => {
  const verdict = differences.length === 0 ? 'as published' : `${differences.length} DIFFER`
  const lines = differences.map(({ what, ours, theirs }) => `  ${what}: ours ${ours}, theirs ${theirs}`)
  return [`${venue}: ${compared} compared with ${sources.join(', ')}: ${verdict}`, ...lines].join('\n')
}

/** A comparison of nothing fails like a difference. */
export const isUpToDate = ({ compared, differences }: Comparison): boolean => compared > 0 && differences.length === 0
