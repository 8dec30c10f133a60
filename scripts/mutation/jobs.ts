import { globSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { projectRoot } from '../contract/document.ts'
import type { Mutant } from './findMutants.ts'

/** A file to run without a mutant, or a mutant with the files that reach it and their time without it. */
export type Job =
  | { readonly kind: 'dry'; readonly path: string }
  | {
      readonly kind: 'mutant'
      readonly id: number
      /** `reloaded`: the modules load again with the mutant on. For what runs while they load. */
      readonly passes: readonly ('hot' | 'reloaded')[]
      /** False if more files reach the mutant than these. */
      readonly isWhole: boolean
      readonly files: readonly { readonly path: string; readonly ms: number }[]
    }

/** `loading`, `running`: the mutants reached while the file was loaded, and by its tests. */
export type DryRun = {
  readonly kind: 'dry'
  readonly path: string
  readonly isGreen: boolean
  readonly failure: string
  readonly ms: number
  readonly loading: readonly number[]
  readonly running: readonly number[]
}

/** `noise`: the file that failed also fails without the mutant. */
export type Judgement = {
  readonly kind: 'mutant'
  readonly id: number
  readonly verdict: 'killed' | 'timeout' | 'survived' | 'noise'
  /** For a survivor whether all files that reach it ran, else the file that failed. */
  readonly by: string
  readonly failure: string
  readonly ms: number
}

export type Answer = DryRun | Judgement

/** Which tests may kill a mutant. */
export const TESTS = 'test/{engine,api,venues,contract}/**/*.test.ts'

/** Tools in other processes, with time limits of their own: a loaded machine fails them. */
const LEFT_OUT = 'test/contract/{dredd,prism}.test.ts'

type Project = { readonly test: { readonly exclude: string[] } }
type Settings = { readonly test: { readonly projects: readonly [Project] } }

/** The settings of Vitest and of its project `quick`. Read as data: scripts do not depend on tests. */
export const readSettings = async () => {
  const path = join(projectRoot, 'test/vitest.config.ts')
  const { default: settings }: { readonly default: Settings } = await import(path)
  const { projects, ...base } = settings.test
  return { ...base, ...projects[0].test }
}

export const listTests = async (glob: string): Promise<readonly string[]> => {
  const { exclude } = await readSettings()
  return globSync(glob, { cwd: projectRoot })
    .filter((path) => ![...exclude, LEFT_OUT].some((pattern) => matchesGlob(path, pattern)))
    .sort()
}

/**
 * The job of a mutant: the files that reach it. Files that take little time and reach little other code come first. All but the
 * first file must fit into `msMax` in all. What only runs while modules load is tried by the files that reach other code of its file
 * or, without one, of its folder.
 */
export const createJobs = (mutants: readonly Mutant[], dryRuns: readonly DryRun[], msMax: number) => {
  const runs = dryRuns.map((run) => {
    const running = new Set(run.running)
    const byFile = Map.groupBy(running, (id) => mutants[id]?.file ?? '')
    return { ...run, running, loading: new Set(run.loading), byFile }
  })
  const near = (start: string) => runs.filter(({ byFile }) => [...byFile.keys()].some((file) => file.startsWith(start)))
  return (id: number): Job => {
    const { file = '' } = mutants[id] ?? {}
    const running = runs.filter((run) => run.running.has(id))
    const isLoaded = runs.some(({ loading }) => loading.has(id))
    const beside = near(file).length > 0 ? near(file) : near(file.slice(0, file.lastIndexOf('/') + 1))
    const reaching = running.length > 0 ? running : isLoaded ? beside : []
    const costOf = ({ ms, byFile, running: all }: (typeof runs)[number]) => (ms * all.size) / (byFile.get(file)?.length ?? 1)
    const sorted = reaching.toSorted((a, b) => costOf(a) - costOf(b))
    let total = 0
    const files = sorted.filter(({ ms }, index) => {
      total += ms
      return index === 0 || total <= msMax
    })
    const passes = [...(running.length > 0 ? ['hot' as const] : []), ...(isLoaded ? ['reloaded' as const] : [])]
    return {
      kind: 'mutant',
      id,
      passes,
      isWhole: files.length === reaching.length,
      files: files.map(({ path, ms }) => ({ path, ms })),
    }
  }
}
