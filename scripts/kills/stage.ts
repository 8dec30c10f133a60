import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEther } from 'viem'
import { type Environment, parseConfig } from '../../engine/config/config.ts'
import { createSimRandom } from '../../engine/simnet/kit/simRandom.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import { openStore } from '../../engine/store/openStore.ts'
import { startPostgres } from '../../test/support/postgres/server.ts'
import { startRedis } from '../../test/support/redisServer.ts'
import { approveAll, DEV_ACCOUNT } from '../client/evm.ts'
import { controlNetwork, type NetworkControl } from '../client/network.ts'
import { solanaWallet } from '../client/solana.ts'
import { fund } from '../client/swap.ts'
import { NATIVE, NATIVE_SOL, SOLANA, USDC } from '../client/tokens.ts'
import { liveEnvironment } from '../liveEnvironment.ts'
import { startCountingProxy, startReceiver } from './neighbours.ts'
import { createProcesses } from './processes.ts'

/** `replicas`: three processes that share a PostgreSQL and a Redis. */
export const STAGE_NAMES = ['sqlite', 'postgresql', 'replicas'] as const
export type StageName = (typeof STAGE_NAMES)[number]

const REPLICAS = 3

/** At most so much the service's clock is ahead of the chains': less than a block may be dated before its swap (engine/chains/oneChain.ts). */
const STEP_MS = 120_000

const VENUES = ['across', 'cow', 'near-intents', 'relay']
/** Holds the fees that Across pays. */
export const COLLECTOR = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const SPOKE_POOL_BASE = '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'
const VAULT_RELAYER = '0xC92E8bdf79f0507f65a392b0ab4667716BFE0110'
const MILLION_USDC = (1_000_000n * 1_000_000n).toString()

/** Requests per minute from one address. */
export const LIMIT = 300

const SETTINGS = {
  PORT: '0',
  METRICS_PORT: 'off',
  LOG_LEVEL: 'silent',
  SETTLEMENT_INTERVAL_SECONDS: '1',
  TRUSTED_PROXIES: '127.0.0.1',
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: String(LIMIT),
  RATE_LIMIT_KEYS_PER_ADDRESS: '0',
  VENUES_ENABLED: VENUES.join(','),
  QUOTE_TOKEN_KEYS: 'ab'.repeat(32),
  WEBHOOK_SECRET_KEYS: 'cd'.repeat(32),
  VENUE_ACROSS_FEE_RECIPIENT: COLLECTOR,
  VENUE_COW_FEE_RECIPIENT: COLLECTOR,
  VENUE_RELAY_FEE_RECIPIENT: COLLECTOR,
  VENUE_NEAR_INTENTS_FEE_ACCOUNT: 'swap-service.near',
  ...Object.fromEntries(VENUES.map((id) => [`VENUE_${id.toUpperCase().replaceAll('-', '_')}_REQUESTS_PER_MINUTE`, '1000000'])),
}

const startNetwork = async (simnet: Simnet) => {
  const control = controlNetwork(simnet.controlUrl)
  const solana = solanaWallet(control, 61)
  const coins = { [NATIVE]: parseEther('1000').toString() }
  await fund({ control }, 8453, DEV_ACCOUNT.address, { ...coins, [USDC.base]: MILLION_USDC })
  await fund({ control }, 1, DEV_ACCOUNT.address, { ...coins, [USDC.ethereum]: MILLION_USDC })
  await fund({ control }, SOLANA, solana.address, { [NATIVE_SOL]: (10_000n * 1_000_000_000n).toString() })
  await approveAll(control.rpcUrl(8453), { chainId: 8453, token: USDC.base, spender: SPOKE_POOL_BASE })
  await approveAll(control.rpcUrl(1), { chainId: 1, token: USDC.ethereum, spender: VAULT_RELAYER })
  return { control, solana }
}

/** Counts what the service posts: deposit addresses, orders and transactions. `through` leads it there. */
const startProxies = async (hosts: { readonly [name: string]: string }, control: NetworkControl) => {
  const opened = await startCountingProxy(
    hosts['VENUE_NEAR_INTENTS_BASE_URL'] ?? '',
    (path, body) => path.startsWith('/v0/quote') && (JSON.parse(body) as { dry?: boolean }).dry === false,
  )
  const ordered = await startCountingProxy(hosts['VENUE_COW_BASE_URL'] ?? '', (path) => path.endsWith('/api/v1/orders'))
  const isSent = (_path: string, body: string) => (JSON.parse(body) as { method?: string }).method === 'sendTransaction'
  const broadcast = await startCountingProxy(control.rpcUrl(SOLANA), isSent, '/solana')
  const through = { VENUE_NEAR_INTENTS_BASE_URL: opened.url, VENUE_COW_BASE_URL: ordered.url, RPC_URLS_SOLANA: broadcast.url }
  return { opened, ordered, broadcast, through }
}

/** Does one piece of work after another, whatever becomes of those before. */
const createQueue = () => {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
}

/** Moves the time of the service and of the network by small steps. */
const createTime = (control: NetworkControl, setAhead: (ms: number) => Promise<void>) => {
  const inTurn = createQueue()
  const time = {
    aheadMs: 0,
    /** How often the clock was moved. */
    steps: 0,
    now: () => Date.now() + time.aheadMs,
    advance: (ms: number) =>
      inTurn(async () => {
        for (let left = ms; left > 0; left -= STEP_MS) {
          const step = Math.min(left, STEP_MS)
          time.aheadMs += step
          time.steps += 1
          // The service first: with its clock behind, it would refuse younger blocks.
          await setAhead(time.aheadMs)
          await control.advance(step)
        }
      }),
  }
  return time
}

/** Everything that outlives the service: the network, the databases, the webhook targets, and the proxies before the venues. */
export const createStage = async (name: StageName, seed: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'swap-kills-'))
  let isKept = false
  const closers: (() => unknown)[] = [() => isKept || rmSync(folder, { recursive: true, force: true })]
  const close = async (): Promise<void> => {
    for (const closeOne of closers.splice(0).reverse()) await closeOne()
  }
  const closing = <T extends { close(): unknown }>(opened: T): T => {
    closers.push(() => opened.close())
    return opened
  }
  try {
    const simnet = closing(await startSimnet({ controlPort: 0, seed, venues: VENUES }))
    const { control, solana } = await startNetwork(simnet)
    const receiver = closing(await startReceiver(createSimRandom(`${seed} receiver`)))
    const certificate = join(folder, 'receiver.pem')
    writeFileSync(certificate, receiver.certificate)
    const postgres = name === 'sqlite' ? null : closing(await startPostgres())
    const redis = name === 'replicas' ? closing(await startRedis()) : null
    const { through, ...proxies } = await startProxies(liveEnvironment(simnet), control)
    for (const proxy of Object.values(proxies)) closing(proxy)
    const settings: Environment = {
      ...liveEnvironment(simnet),
      ...SETTINGS,
      ...through,
      DATA_DIR: join(folder, 'data'),
      ...(postgres && { DATABASE_URL: postgres.urlOf() }),
      ...(redis && { REDIS_URL: redis.url }),
    }
    const env = (): Environment => ({ ...settings, NODE_EXTRA_CA_CERTS: certificate, KILLS_AHEAD_MS: String(time.aheadMs) })
    const replicas = name === 'replicas' ? REPLICAS : 1
    const processes = closing(createProcesses(env, replicas))
    const time = createTime(control, processes.setAhead)
    const { now, advance } = time
    const steps = () => time.steps
    /** Reads the records as another process does. */
    const openRecords = () => openStore(parseConfig(settings), { now })
    /** Leaves the SQLite files of the run on disk, and returns their folder. */
    const keepRecords = (): string => {
      isKept = true
      return folder
    }
    // Two transactions of one account need two nonces.
    const oneByOne = createQueue()
    const servers = { control, solana, receiver, postgres, redis, ...proxies }
    return { ...servers, replicas, oneByOne, processes, env, now, steps, advance, openRecords, keepRecords, close }
  } catch (error) {
    await close()
    throw error
  }
}

export type Stage = Awaited<ReturnType<typeof createStage>>
