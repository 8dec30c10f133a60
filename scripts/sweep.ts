/**
 * `npm run sweep`: quotes and executes every ordered pair of the offline network's tokens at every venue alone. Prints a table.
 * Exits with 1 for any fault of the service or an adapter, and when a venue no longer reaches a pair of the baseline.
 * `--sample 2` takes 2 pairs of each kind of route. `--write` makes the outcome the new baseline, and writes engine/venues/REACH.md.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { VENUE_DEFINITIONS } from '../engine/venues/registry.ts'
import { serve } from './serve.ts'
import { faultsOf, lossesOf, readBaseline, tallyTable, untriedOf, writeBaseline } from './sweep/baseline.ts'
import { allPairs, type Pair, samplePairs } from './sweep/pairs.ts'
import { writeReachPage } from './sweep/reach.ts'
import { runSweep, SWEEP_ENVIRONMENT, type Trial } from './sweep/runSweep.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

const sweep = async (pairs: readonly Pair[], seed: string): Promise<readonly Trial[]> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'swap-sweep-'))
  try {
    const { url, simnet, close } = await serve({ ...SWEEP_ENVIRONMENT, DATA_DIR: dataDir })
    try {
      if (!simnet) throw new Error('the sweep runs on the offline network')
      const venues = VENUE_DEFINITIONS.map(({ id }) => id)
      const onProgress = (done: number, all: number) => {
        if (done % 1_000 === 0) process.stderr.write(`${done} of ${all}\n`)
      }
      return await runSweep({ serviceUrl: url, controlUrl: simnet.controlUrl, venues, pairs, seed, onProgress })
    } finally {
      await close()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' }, write: { type: 'boolean', default: false } },
  })
  const { sample, seed, write } = values
  if (sample !== undefined && !/^[1-9][0-9]{0,5}$/.test(sample))
    throw new RangeError('--sample takes a whole number of at least 1')
  const trials = await sweep(sample === undefined ? allPairs() : samplePairs(Number(sample), seed), seed)
  if (write && sample === undefined) writeBaseline(trials)
  const baseline = readBaseline()
  if (write) writeReachPage(baseline)
  const untried = sample === undefined ? untriedOf(trials, baseline) : []
  const failures = [...faultsOf(trials), ...untried, ...lossesOf(trials, baseline)]
  say(tallyTable(trials, baseline))
  for (const line of failures) say(`FAILED ${line}`)
  if (trials.length === 0 || failures.length > 0) process.exitCode = 1
}

await main()
