import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { object, shape, text } from '../../engine/venues/kit/shapes.ts'

/** What our tables say of a venue, held against what the venue publishes in its packages. */

export type Difference = { readonly what: string; readonly ours: string; readonly theirs: string }

export type Comparison = {
  readonly venue: string
  /** Packages with their versions. */
  readonly sources: readonly string[]
  /** How many statements of theirs were looked at. */
  readonly compared: number
  readonly differences: readonly Difference[]
}

export type Comparator = {
  /** The packages that are read, as npm calls them. */
  readonly packages: readonly string[]
  /** `packagesDir` is a folder like node_modules, with these packages in it; what they depend on may be of another age. */
  compare(packagesDir: string): Promise<Comparison>
}

/** What stands for "they say nothing of it". */
export const NOTHING = 'nothing'

type Claim = { readonly what: string; readonly ours: string | null | undefined; readonly theirs: string | null | undefined }

/** Whether two spellings are one value: hex has no case of its own. */
const isSame = (a: string, b: string): boolean => a === b || (/^0x[0-9a-fA-F]*$/.test(a) && a.toLowerCase() === b.toLowerCase())

/** Holds every pair against each other; what only one of the two knows is a difference as well. */
export const differencesOf = (claims: readonly Claim[]): readonly Difference[] =>
  claims.flatMap(({ what, ours, theirs }) => {
    const pair = { what, ours: ours ?? NOTHING, theirs: theirs ?? NOTHING }
    return isSame(pair.ours, pair.theirs) ? [] : [pair]
  })

const manifestShape = shape('package.json', object({ version: text() }))

export const readText = (packagesDir: string, file: string): Promise<string> => readFile(join(packagesDir, file), 'utf8')

/** A JSON file of a package. */
export const readPackageJson = async (packagesDir: string, file: string): Promise<unknown> =>
  JSON.parse(await readText(packagesDir, file))

/** What a package's main file exports. */
export const loadPackage = (packagesDir: string, name: string): unknown => createRequire(import.meta.url)(join(packagesDir, name))

/** `name version` of each package that is there. */
export const versionsOf = (packagesDir: string, names: readonly string[]): Promise<readonly string[]> =>
  Promise.all(
    names.map(
      async (name) => `${name} ${manifestShape.read(await readPackageJson(packagesDir, `${name}/package.json`)).version}`,
    ),
  )

/** For people: what was compared, and every difference. */
export const describeComparison = ({ venue, sources, compared, differences }: Comparison): string => {
  const verdict =
    compared === 0 ? 'NOTHING WAS COMPARED' : differences.length === 0 ? 'as published' : `${differences.length} DIFFER`
  const lines = differences.map(({ what, ours, theirs }) => `  ${what}: ours ${ours}, theirs ${theirs}`)
  return [`${venue}: ${compared} compared with ${sources.join(', ')}: ${verdict}`, ...lines].join('\n')
}

/** A comparison that looked at nothing is as bad as one that found a difference. */
export const isUpToDate = (comparisons: readonly Comparison[]): boolean =>
  comparisons.length > 0 && comparisons.every(({ compared, differences }) => compared > 0 && differences.length === 0)
