import { globSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { VENUE_DEFINITIONS } from '../engine/venues/registry.ts'
import { readContract } from '../handlers/http/contract.ts'
import { projectRoot } from '../scripts/contract/document.ts'
import { type FoundPattern, findPatterns } from './support/regexSources.ts'
import type { Pattern, TimerOptions, Verdict } from './support/regexTimer.ts'

/** The longest untrusted text: a response of a venue or of a chain endpoint. */
const LENGTH_MAX = 4 * 1024 * 1024
/** A regular expression that is silent for so long is not going to end. */
const SILENCE_MS = 20_000

/** Judges in a worker, which is ended when it hangs: the rest then counts as hanging too. */
const judge = (patterns: readonly Pattern[], lengthMax = LENGTH_MAX): Promise<readonly Verdict[]> =>
  new Promise((resolve, reject) => {
    const verdicts: Verdict[] = []
    const workerData: TimerOptions = { patterns, lengthMax }
    const worker = new Worker(new URL('support/regexTimer.ts', import.meta.url), { workerData })
    const end = () => {
      clearTimeout(silence)
      void worker.terminate()
      resolve([...verdicts, ...patterns.slice(verdicts.length).map((pattern) => ({ pattern, problem: 'hangs' }))])
    }
    let silence = setTimeout(end, SILENCE_MS)
    worker.on('message', (verdict: Verdict) => {
      verdicts.push(verdict)
      clearTimeout(silence)
      silence = setTimeout(end, SILENCE_MS)
      if (verdicts.length === patterns.length) end()
    })
    worker.on('error', reject)
  })

const files = globSync('{engine,handlers}/**/*.ts', { cwd: projectRoot })
  .concat('scripts/serve.ts', 'scripts/start.ts', 'generated/validators.cjs')
  .map((file) => join(projectRoot, file))

const found = files.flatMap((file) => findPatterns(file).map((one) => ({ ...one, file: relative(projectRoot, file) })))

/** Without the text of a template. */
const nameOf = ({ file, text }: FoundPattern): string => `${file}: ${text.replace(/`.*`/, '`...`')}`

/** Every `pattern` of a JSON document. */
const patternsIn = (value: unknown): readonly Pattern[] => {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'pattern' && typeof inner === 'string' ? [{ source: inner, flags: 'u' }] : patternsIn(inner),
  )
}

/** What is not written out where it is made, and what is judged in its place. */
const MADE_ELSEWHERE: { readonly [fileAndText: string]: readonly Pattern[] } = {
  "handlers/http/responseCheck.ts: new RegExp(pattern, 'u')": patternsIn(readContract().document),
  // Words of our own: the keys that are set, and what the offline network changes.
  "engine/venues/kit/client.ts: new RegExp(hidden, 'gi')": [],
  "engine/simnet/kit/drift.ts: new RegExp(edit.replace, 'gi')": [],
  ...Object.fromEntries(
    [
      'engine/venues/near-intents/settings.ts: pattern: ACCOUNT',
      'engine/venues/thorchain/settings.ts: pattern: AFFILIATE',
      'engine/venues/thorchain/settings.ts: pattern: URL_OR_PATH',
      'engine/venues/near-intents/settings.ts: new RegExp(`...`)',
    ].map((name) => [name, patternsOfSettings()]),
  ),
}

/** As the registry has them; an address is told otherwise. */
function patternsOfSettings(): readonly Pattern[] {
  const patterns = VENUE_DEFINITIONS.flatMap(({ settings }) => settings.map(({ pattern }) => pattern))
  return patterns.filter((pattern) => pattern instanceof RegExp).map(({ source, flags }) => ({ source, flags }))
}

const distinct = (patterns: readonly Pattern[]): readonly Pattern[] => [
  ...new Map(patterns.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).values(),
]

const problemsOf = (verdicts: readonly Verdict[]): readonly string[] =>
  verdicts.flatMap(({ pattern: { source, flags }, problem }) => (problem === null ? [] : [`/${source}/${flags}: ${problem}`]))

/** Planted: every zero is a place to begin, so the judge must find it. */
const QUADRATIC: Pattern = { source: '0+$', flags: '' }

describe('regular expressions that read untrusted text', () => {
  it('are literals, or are listed here with their pattern', () => {
    const unread = found.filter(({ pattern }) => pattern === null).map(nameOf)
    expect([...new Set(unread)].sort()).toEqual(Object.keys(MADE_ELSEWHERE).sort())
    expect(found.length).toBeGreaterThan(200)
  })

  it('take at most linear time on hostile text of the largest response size [security-hostile-text]', async () => {
    const patterns = found.map(({ pattern }) => pattern).filter((pattern) => pattern !== null)
    const verdicts = await judge(distinct([...patterns, ...Object.values(MADE_ELSEWHERE).flat(), QUADRATIC]))
    expect(verdicts.length).toBeGreaterThan(100)
    // A busy machine distorts single measurements. A pattern fails if two measurements find it slow.
    const slow = verdicts.flatMap(({ pattern, problem }) => (problem === null ? [] : pattern))
    expect(problemsOf(await judge(slow))).toEqual([expect.stringMatching(/^\/0\+\$\//)])
  }, 240_000)
})
