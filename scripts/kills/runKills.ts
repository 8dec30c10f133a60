import { createSimRandom } from '../../engine/simnet/kit/simRandom.ts'
import { createClient } from './client.ts'
import { type Deaths, keepAlive, killAgainAndAgain, type Tally } from './deaths.ts'
import { createDesk } from './desk.ts'
import { type Findings, judge } from './judge.ts'
import { createPartnerJobs } from './partnerJobs.ts'
import { createTale } from './records.ts'
import { settleAll } from './settleAll.ts'
import { createStage, type DatabaseName } from './stage.ts'
import { createSwapJobs } from './swapJobs.ts'
import { type Means, useService } from './users.ts'

export type Run = Deaths & { readonly seed: string; readonly database: DatabaseName; readonly replicas?: number }

export type Outcome = { readonly database: DatabaseName; readonly tally: Tally; readonly elapsedMs: number } & Findings

const PARTNERS_AT_FIRST = 3

const signUpFirst = async ({ stage: { lives }, partners }: Means): Promise<void> => {
  lives.start()
  await lives.listening()
  for (let i = 0; i < PARTNERS_AT_FIRST; i += 1) await partners.signUp()
}

/** Kills the service as often as is asked for while it is used, lets all that was begun come to its end, and judges what is left. */
export const runKills = async ({ database, seed, replicas = 1, ...deaths }: Run): Promise<Outcome> => {
  const startedAt = performance.now()
  const stage = await createStage(database, seed, { replicas })
  try {
    const { lives } = stage
    const [tale, desk, random] = [createTale(), createDesk(lives), createSimRandom(`${seed} ${database}`)]
    const ports = { stage, ask: createClient(stage), desk, tale, random }
    const [swaps, partners] = [createSwapJobs(ports), createPartnerJobs(ports)]
    const means: Means = { stage, desk, tale, random, swaps, partners, lives: 0, isOver: false }
    await signUpFirst(means)
    const used = useService(means)
    const tally = await killAgainAndAgain(means, deaths)
    means.isOver = true
    await keepAlive(means)
    await used
    await settleAll({ stage, tale, swaps })
    const judged = await judge({ stage, tale, partners })
    if (judged.problems.length > 0) process.stderr.write(`${database}: the records are in ${stage.keepRecords()}\n`)
    return { database, tally, ...judged, elapsedMs: performance.now() - startedAt }
  } finally {
    await stage.close()
  }
}
