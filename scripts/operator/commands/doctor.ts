import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type Config, ConfigError, type Environment } from '../../../engine/config/config.ts'
import { BITCOIN, CHAIN_IDS, type ChainId, SOLANA } from '../../../engine/core/chain.ts'
import type { Clock } from '../../../engine/core/clock.ts'
import { proveBalance } from '../../../engine/ledger/proveBalance.ts'
import type { HttpClient } from '../../../engine/net/httpClient.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { readRejectedSamples } from '../../../engine/observe/rejectedSamples.ts'
import { hasRecords, inspectStore } from '../../../engine/store/inspectStore.ts'
import { openStore } from '../../../engine/store/openStore.ts'
import type { Store } from '../../../engine/store/store.ts'
import { createWebhookSecrets } from '../../../engine/webhooks/webhookSecrets.ts'
import type { Add } from '../commandLine.ts'
import { configWithoutRecords } from '../configOfRecords.ts'
import { judgeChain, judgeClock, readBlockAges } from '../doctor/clocks.ts'
import { checkDataFolder, checkDisk } from '../doctor/dataFolder.ts'
import { type Finding, fail, ok, runCheck, warn } from '../doctor/finding.ts'
import { checkPaidCalls } from '../doctor/paidCalls.ts'
import { checkTokenKeys, checkWebhookSecrets, judgeBacklog, judgeLedger, judgeStore } from '../doctor/records.ts'
import { checkMonitor, checkRedis, checkVenues } from '../doctor/services.ts'
import { locate } from '../offlineNetwork.ts'
import { cellOf, createProgress, type Output, paint, printable, tableOf } from '../printing.ts'
import { webhookKeysOf } from '../secretKeys.ts'

/** The tool uses the network of the records. A service with another `NETWORK` does not start over them. */
const checkNetwork = ({ network }: Config, { NETWORK }: Environment): readonly Finding[] => {
  const named = NETWORK?.trim() || 'simnet'
  if (named === network) return []
  const says = `The records are of ${network}, and NETWORK is ${named}: the service does not start so.`
  return [warn('network', says, `Set NETWORK=${network}.`)]
}

type Configured = { readonly config: Config | null; readonly findings: readonly Finding[] }

/** The check of the records reports records that cannot be read. */
const checkConfig = async (env: Environment): Promise<Configured> => {
  try {
    const config = await configWithoutRecords(env)
    const todo = 'Repair it: anyone who reads it can act as this service.'
    const warnings = config.warnings.map((warning) => warn('configuration', `${warning}.`, todo))
    const settings = warnings.length > 0 ? warnings : [ok('configuration', 'All settings are known and valid.')]
    return { config, findings: [...settings, ...checkNetwork(config, env)] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const todo = 'Repair it: the service does not start so.'
    return { config: null, findings: error.problems.map((problem) => fail('configuration', `${problem}.`, todo)) }
  }
}

const NO_RECORDS = 'Set DATA_DIR or DATABASE_URL as the service has it, or start it once.'

/** `isLost`: the offline network has stopped, so the records cannot be compared with its chains. */
type Around = { readonly config: Config; readonly clock: Clock; readonly isLost: boolean }

const checkContents = async ({ config, clock, isLost }: Around, store: Store): Promise<readonly Finding[]> => {
  const now = clock.now()
  const checks = [
    runCheck('ledger', 'Keep a copy of the records, and compare with a backup.', async () =>
      judgeLedger(await proveBalance(store)),
    ),
    isLost ? [] : runCheck('paid calls', 'Examine the records.', () => checkPaidCalls(config, store, clock)),
    runCheck('token keys', 'Put the key back from a backup, or set QUOTE_TOKEN_KEYS.', async () =>
      checkTokenKeys(config, await store.operator.tokenKeyUses()),
    ),
    runCheck('webhook secrets', 'Set WEBHOOK_SECRET_KEYS as it was when they were sealed.', () =>
      checkWebhookSecrets(store, createWebhookSecrets(webhookKeysOf(config))),
    ),
    runCheck('settlement', 'Examine the records.', async () =>
      judgeBacklog(await store.operator.backlog(now), now, config.partners.settlement.intervalMs),
    ),
  ]
  return (await Promise.all(checks)).flat()
}

/** Checks the records without a change: records of an earlier schema are not migrated. */
const checkRecords = async (around: Around): Promise<readonly Finding[]> => {
  const { config, clock } = around
  const { dataDir } = config
  const where = config.database.url === null ? `DATA_DIR ${dataDir}` : 'the database that DATABASE_URL names'
  if (!(await hasRecords(config))) return [fail('records', `There are none in ${where}.`, NO_RECORDS)]
  const condition = await inspectStore(config)
  // With all secrets in the environment, and the records in a database, the folder is optional.
  const isUsed = condition.damages !== null || existsSync(dataDir)
  const folder = isUsed ? await runCheck('data folder', NO_RECORDS, () => checkDataFolder(dataDir)) : []
  const disk = isUsed ? await runCheck('disk', 'Examine the disk.', () => checkDisk(dataDir)) : []
  const file = judgeStore(condition)
  if (file.some(({ state }) => state !== 'ok')) return [...folder, ...disk, ...file]
  const store = await openStore(config, clock)
  try {
    return [...folder, ...disk, ...file, ...(await checkContents(around, store))]
  } finally {
    await store.close()
  }
}

/** A node of the offline network starts with its first request: one chain per ecosystem is a sufficient sample. */
const OFFLINE_CHAINS: readonly ChainId[] = [1, BITCOIN, SOLANA]

/** Checks chains and venues. */
const checkNetworks = async ({ config, clock, isLost }: Around, http: HttpClient): Promise<readonly Finding[]> => {
  const lost = 'It does not answer at SIMNET_CONTROL_PORT: it runs with the service.'
  if (isLost) return [warn('offline network', lost, 'Start the service.')]
  const chainIds = config.network === 'simnet' ? OFFLINE_CHAINS : CHAIN_IDS
  const blocks = await readBlockAges(config, { http, clock }, chainIds)
  const chains = chainIds.flatMap((id) => judgeChain(blocks.filter(({ chainId }) => chainId === id)))
  return [judgeClock(blocks), ...chains, ...(await checkVenues(config, http))]
}

const examine = async (env: Environment): Promise<readonly Finding[]> => {
  const { config, findings } = await checkConfig(env)
  if (config === null) return findings
  const around = await locate(config)
  const http = createHttpClient({ userAgent: config.userAgent })
  const steps = [
    () => runCheck('records', 'Check that the service starts on them.', () => checkRecords(around)),
    () => runCheck('monitor', 'Examine this machine.', () => checkMonitor(config, http)),
    () => runCheck('redis', 'Examine this machine.', () => checkRedis(config)),
    () => runCheck('networks', 'Check the network of this machine.', () => checkNetworks(around, http)),
  ]
  const progress = createProgress('checking')
  const found = [...findings]
  try {
    for (const [done, step] of steps.entries()) {
      progress.at(done, steps.length)
      found.push(...(await step()))
    }
    return found
  } finally {
    progress.end()
    await http.close()
  }
}

const MARKS = { ok: paint('green', 'ok  '), warn: paint('yellow', 'warn'), fail: paint('red', 'FAIL') } as const

const doctor = async (env: Environment): Promise<Output> => {
  const findings = await examine(env)
  const count = (state: Finding['state']): number => findings.filter((finding) => finding.state === state).length
  const totals = { ok: count('ok'), warn: count('warn'), fail: count('fail') }
  const width = Math.max(...findings.map(({ check }) => check.length))
  const lines = findings.flatMap(({ check, state, says, todo }) => [
    `${MARKS[state]}  ${check.padEnd(width)}  ${cellOf(says)}`,
    ...(todo === null ? [] : [`${' '.repeat(width + 8)}${cellOf(todo)}`]),
  ])
  return {
    data: { ...totals, findings },
    lines: [...lines, '', `${totals.ok} ok, ${totals.warn} warnings, ${totals.fail} failures.`],
    ...(totals.fail > 0 && { isFailed: true }),
  }
}

/** Prints the stored answers of venues that a check of the service rejected. */
const rejected = async (env: Environment, check: string | undefined): Promise<Output> => {
  const { dataDir } = await configWithoutRecords(env)
  const all = await readRejectedSamples(join(dataDir, 'rejected'), Date.now())
  const samples = all.filter((sample) => check === undefined || sample.check === check)
  const whole = samples.flatMap((sample) => JSON.stringify(sample, null, 2).split('\n').map(printable))
  const isTable = check === undefined || samples.length === 0
  const lines = isTable ? tableOf(samples, ['at', 'check', 'call', 'found'], 'No rejected answer is stored.') : whole
  return { data: { samples }, lines }
}

export const addDoctorCommands = (program: Command, { apart }: Add): void => {
  const examined =
    'check settings, records, keys, disk, monitor, Redis, clock, chains and venues; ends with 1 where anything is wrong'
  apart(program, 'doctor', examined, doctor)
  const listed = 'answers of venues that a check of the service rejected: the last three of each check, for 14 days'
  const command = apart(program, 'rejected', listed, rejected)
  command.argument('[check]', 'print the samples of this check whole, such as relay.router')
}
