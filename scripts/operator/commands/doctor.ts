import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { type Config, ConfigError, type Environment, parseConfig } from '../../../engine/config/config.ts'
import { BITCOIN, CHAIN_IDS, type ChainId, SOLANA } from '../../../engine/core/chain.ts'
import type { Clock } from '../../../engine/core/clock.ts'
import { proveBalance } from '../../../engine/ledger/proveBalance.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { hasRecords, inspectStore } from '../../../engine/store/inspectStore.ts'
import { openStore } from '../../../engine/store/openStore.ts'
import type { Store } from '../../../engine/store/store.ts'
import { createWebhookSecrets } from '../../../engine/webhooks/webhookSecrets.ts'
import { onSimnet } from '../../onSimnet.ts'
import { configOfRecords } from '../configOfRecords.ts'
import { judgeChain, judgeClock, sightChains } from '../doctor/chainTimes.ts'
import { lookAtDataFolder, lookAtDisk } from '../doctor/dataFolder.ts'
import { type Finding, fail, look, ok, warn } from '../doctor/finding.ts'
import { lookAtMonitor } from '../doctor/monitorPort.ts'
import { lookAtPaidCalls } from '../doctor/paidCalls.ts'
import { judgeBacklog, judgeLedger, judgeStore, lookAtTokenKeys, lookAtWebhookSecrets } from '../doctor/records.ts'
import { lookAtRedis } from '../doctor/redis.ts'
import { lookAtVenues } from '../doctor/venueHosts.ts'
import { clockOf, findOfflineNetwork } from '../offlineNetwork.ts'
import { cellOf, paint, type Told } from '../printing.ts'
import { createProgress } from '../progress.ts'
import { webhookKeysOf } from '../secretKeys.ts'
import type { Tool } from '../tool.ts'

type Configured = { readonly config: Config | null; readonly findings: readonly Finding[] }

/** The tool uses the network of the records. A service with another `NETWORK` does not start over them. */
const judgeNetwork = ({ network }: Config, { NETWORK }: Environment): readonly Finding[] => {
  const named = NETWORK?.trim() || 'simnet'
  if (named === network) return []
  const says = `The records are of ${network}, and NETWORK is ${named}: the service does not start so.`
  return [warn('network', says, `Set NETWORK=${network}.`)]
}

const lookAtConfig = async (env: Environment): Promise<Configured> => {
  try {
    // The check of the records reports records that cannot be read.
    const config = (await configOfRecords(env).catch(() => null)) ?? parseConfig(env)
    const todo = 'Mend it: whoever reads it can act as this service.'
    const warnings = config.warnings.map((warning) => warn('configuration', `${warning}.`, todo))
    const settings = warnings.length > 0 ? warnings : [ok('configuration', 'Every setting is one, and fits.')]
    return { config, findings: [...settings, ...judgeNetwork(config, env)] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const todo = 'Mend it: the service does not start so.'
    return { config: null, findings: error.problems.map((problem) => fail('configuration', `${problem}.`, todo)) }
  }
}

const NO_RECORDS = 'Set DATA_DIR or DATABASE_URL as the service has it, or start it once.'

/** `areChainsThere`: false if the offline network has stopped, so the records cannot be compared with its chains. */
type Around = { readonly config: Config; readonly clock: Clock; readonly areChainsThere: boolean }

const lookIntoRecords = async ({ config, clock, areChainsThere }: Around, store: Store): Promise<readonly Finding[]> => [
  ...(await look('ledger', 'Keep a copy of the records, and compare with a backup.', async () =>
    judgeLedger(await proveBalance(store)),
  )),
  ...(areChainsThere ? await look('paid calls', 'Look at the records.', () => lookAtPaidCalls(config, store, clock)) : []),
  ...(await look('token keys', 'Put the key back from a backup, or set QUOTE_TOKEN_KEYS.', async () =>
    lookAtTokenKeys(config, await store.operator.tokenKeyUses()),
  )),
  ...(await look('webhook secrets', 'Set WEBHOOK_SECRET_KEYS as it was when they were sealed.', () =>
    lookAtWebhookSecrets(store, createWebhookSecrets(webhookKeysOf(config))),
  )),
  ...(await look('settlement', 'Look at the records.', async () =>
    judgeBacklog(await store.operator.backlog(clock.now()), clock.now(), config.partners.settlement.intervalMs),
  )),
]

/** Checks the records without a change: records of an earlier schema are not migrated. */
const lookAtRecords = async (around: Around): Promise<readonly Finding[]> => {
  const { config, clock } = around
  const { dataDir } = config
  const where = config.database.url === null ? `DATA_DIR ${dataDir}` : 'the database that DATABASE_URL names'
  if (!(await hasRecords(config))) return [fail('records', `There are none in ${where}.`, NO_RECORDS)]
  const condition = await inspectStore(config)
  // With all secrets in the environment, and the records in a database, the folder is optional.
  const isUsed = condition.damages !== null || existsSync(dataDir)
  const folder = isUsed ? await look('data folder', NO_RECORDS, () => lookAtDataFolder(dataDir)) : []
  const disk = isUsed ? await look('disk', 'Look at the disk.', () => lookAtDisk(dataDir)) : []
  const file = judgeStore(condition)
  if (file.some(({ state }) => state !== 'ok')) return [...folder, ...disk, ...file]
  const store = await openStore(config, clock)
  try {
    return [...folder, ...disk, ...file, ...(await lookIntoRecords(around, store))]
  } finally {
    await store.close()
  }
}

/** Checks the services that run beside this command. */
const lookBeside = async (config: Config): Promise<readonly Finding[]> => {
  const http = createHttpClient({ userAgent: config.userAgent })
  try {
    return [...(await lookAtMonitor(config, http)), ...(await lookAtRedis(config))]
  } finally {
    await http.close()
  }
}

/** A node of the offline network starts with its first request: one chain per ecosystem is a sufficient sample. */
const OFFLINE_CHAINS: readonly ChainId[] = [1, BITCOIN, SOLANA]

const lookOutside = async (config: Config, clock: Clock): Promise<readonly Finding[]> => {
  const http = createHttpClient({ userAgent: config.userAgent })
  try {
    const chainIds = config.network === 'simnet' ? OFFLINE_CHAINS : CHAIN_IDS
    const sights = await sightChains(config, { http, clock }, chainIds)
    const chains = chainIds.flatMap((id) => judgeChain(sights.filter(({ chainId }) => chainId === id)))
    return [judgeClock(sights), ...chains, ...(await lookAtVenues(config, http))]
  } finally {
    await http.close()
  }
}

const examine = async (env: Environment): Promise<readonly Finding[]> => {
  const progress = createProgress('looking')
  let done = 0
  const step = async (work: Promise<readonly Finding[]>): Promise<readonly Finding[]> => {
    progress.at(done, 3)
    const findings = await work
    done += 1
    return findings
  }
  const { config: parsed, findings } = await lookAtConfig(env)
  if (parsed === null) return findings
  try {
    const offline = parsed.network === 'simnet' ? await findOfflineNetwork(parsed) : null
    const clock = clockOf(offline)
    const config = offline === null ? parsed : onSimnet(parsed, offline)
    const isLost = parsed.network === 'simnet' && offline === null
    const lost = warn(
      'offline network',
      'It does not answer at SIMNET_CONTROL_PORT: it runs with the service.',
      'Start the service.',
    )
    const around = { config, clock, areChainsThere: !isLost }
    const records = await step(look('records', 'See that the service starts on them.', () => lookAtRecords(around)))
    const beside = await step(look('beside', 'Look at this machine.', () => lookBeside(parsed)))
    const outside = isLost
      ? [lost]
      : await step(look('outside', 'Look at the network of this machine.', () => lookOutside(config, clock)))
    return [...findings, ...records, ...beside, ...outside]
  } finally {
    progress.end()
  }
}

const MARKS = { ok: paint('green', 'ok  '), warn: paint('yellow', 'warn'), fail: paint('red', 'FAIL') } as const

const linesOf = (findings: readonly Finding[]): readonly string[] => {
  const width = Math.max(...findings.map(({ check }) => check.length))
  return findings.flatMap(({ check, state, says, todo }) => [
    `${MARKS[state]}  ${check.padEnd(width)}  ${cellOf(says)}`,
    ...(todo === null ? [] : [`${' '.repeat(width + 8)}${cellOf(todo)}`]),
  ])
}

const doctor = async (env: Environment): Promise<Told> => {
  const findings = await examine(env)
  const count = (state: Finding['state']): number => findings.filter((finding) => finding.state === state).length
  const totals = { ok: count('ok'), warn: count('warn'), fail: count('fail') }
  return {
    data: { ...totals, findings },
    lines: [...linesOf(findings), '', `${totals.ok} ok, ${totals.warn} warnings, ${totals.fail} failures.`],
    ...(totals.fail > 0 && { isFailed: true }),
  }
}

export const addDoctorCommand = (program: Command, { runApart }: Tool): void => {
  program
    .command('doctor')
    .description(
      'look at settings, records, keys, disk, monitor, Redis, clock, chains and venues; ends with 1 where anything is wrong',
    )
    .action((_options: object, command: Command) => runApart(command, doctor))
}
