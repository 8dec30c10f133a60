import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEther } from 'viem'
import { type Environment, parseConfig } from '../../engine/config/config.ts'
import { createSimRandom } from '../../engine/simnet/kit/simRandom.ts'
import { startSimnet } from '../../engine/simnet/simnet.ts'
import { openStore } from '../../engine/store/openStore.ts'
import type { Store } from '../../engine/store/store.ts'
import { type PostgresServer, startPostgres } from '../../test/support/postgres/server.ts'
import { type RedisServer, startRedis } from '../../test/support/redisServer.ts'
import { approveAll, DEV_ACCOUNT } from '../client/evm.ts'
import { controlNetwork, type NetworkControl } from '../client/network.ts'
import { type SolanaWallet, solanaWallet } from '../client/solana.ts'
import { fund } from '../client/swap.ts'
import { NATIVE, NATIVE_SOL, SOLANA, USDC } from '../client/tokens.ts'
import { liveEnvironment } from '../liveEnvironment.ts'
import { type CountingProxy, startCountingProxy } from './countingProxy.ts'
import { createLives, type Lives } from './lives.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { createTurns } from './turns.ts'

export type DatabaseName = 'sqlite' | 'postgresql'

/** All that outlives the service: network, records, whom it tells, and what is counted between it and the venues. */
export type Stage = {
  readonly control: NetworkControl
  readonly lives: Lives
  readonly receiver: Receiver
  /** Null over SQLite. */
  readonly postgres: PostgresServer | null
  /** Null where there is one process. */
  readonly redis: RedisServer | null
  readonly solana: SolanaWallet
  readonly opened: CountingProxy
  readonly ordered: CountingProxy
  readonly broadcast: CountingProxy
  /** The environment of the service, and of the operator's tool beside it. */
  env(): Environment
  /** Time runs ahead, for the network and the service alike. */
  advance(ms: number): Promise<void>
  /** The service's time, epoch ms. */
  now(): number
  /** As another process reads the records. */
  openRecords(): Promise<Store>
  /** Leaves the SQLite files of the run on disk, and returns their folder. */
  keepRecords(): string
  close(): Promise<void>
}

export type StageWish = {
  /** More than one share a Redis. */
  readonly replicas?: number
  /** Settings of the service. */
  readonly wish?: Environment
}

/**
 * So far the service's clock is ahead of the chains' while time runs ahead, which takes the venues a while: less than what a block
 * may be dated before the swap that it pays (engine/chains/oneChain.ts).
 */
const STEP_MS = 120_000

const VENUES = ['across', 'cow', 'near-intents', 'relay']
/** Who holds what Across pays of fees. */
export const COLLECTOR = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const SPOKE_POOL_BASE = '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64'
const VAULT_RELAYER = '0xC92E8bdf79f0507f65a392b0ab4667716BFE0110'
const MILLION_USDC = (1_000_000n * 1_000_000n).toString()

const SETTINGS = {
  PORT: '0',
  METRICS_PORT: 'off',
  LOG_LEVEL: 'silent',
  SETTLEMENT_INTERVAL_SECONDS: '1',
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1000000',
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

const fundWallets = async (control: NetworkControl, solana: SolanaWallet): Promise<void> => {
  const coins = { [NATIVE]: parseEther('1000').toString() }
  await fund({ control }, 8453, DEV_ACCOUNT.address, { ...coins, [USDC.base]: MILLION_USDC })
  await fund({ control }, 1, DEV_ACCOUNT.address, { ...coins, [USDC.ethereum]: MILLION_USDC })
  await fund({ control }, SOLANA, solana.address, { [NATIVE_SOL]: (10_000n * 1_000_000_000n).toString() })
  await approveAll(control.rpcUrl(8453), { chainId: 8453, token: USDC.base, spender: SPOKE_POOL_BASE })
  await approveAll(control.rpcUrl(1), { chainId: 1, token: USDC.ethereum, spender: VAULT_RELAYER })
}

/** The URL of a venue's host in what the service is told, and the same through a counting proxy. */
const countedHosts = async (env: { readonly [name: string]: string }, control: NetworkControl) => {
  const hostOf = (name: string) => env[name] ?? ''
  const opened = await startCountingProxy(hostOf('VENUE_NEAR_INTENTS_BASE_URL'), (path, body) =>
    path.startsWith('/v0/quote') ? (JSON.parse(body) as { dry?: boolean }).dry === false : false,
  )
  const ordered = await startCountingProxy(hostOf('VENUE_COW_BASE_URL'), (path) => path.endsWith('/api/v1/orders'))
  const broadcast = await startCountingProxy(
    control.rpcUrl(SOLANA),
    (_path, body) => (JSON.parse(body) as { method?: string }).method === 'sendTransaction',
    '/solana',
  )
  const through = {
    VENUE_NEAR_INTENTS_BASE_URL: opened.url,
    VENUE_COW_BASE_URL: ordered.url,
    RPC_URLS_SOLANA: broadcast.url,
  }
  return { opened, ordered, broadcast, through }
}

export const createStage = async (
  database: DatabaseName,
  seed: string,
  { replicas = 1, wish = {} }: StageWish = {},
): Promise<Stage> => {
  const folder = mkdtempSync(join(tmpdir(), 'swap-kills-'))
  let isKept = false
  const closers: (() => Promise<unknown>)[] = [async () => isKept || rmSync(folder, { recursive: true, force: true })]
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    const simnet = await startSimnet({ controlPort: 0, seed, venues: VENUES })
    closers.push(() => simnet.close())
    const control = controlNetwork(simnet.controlUrl)
    const solana = solanaWallet(control, 61)
    await fundWallets(control, solana)
    const receiver = await startReceiver(createSimRandom(`${seed} receiver`))
    closers.push(() => receiver.close())
    const certificate = join(folder, 'receiver.pem')
    writeFileSync(certificate, receiver.certificate)
    const postgres = database === 'postgresql' ? await startPostgres() : null
    if (postgres) closers.push(() => postgres.close())
    const redis = replicas > 1 ? await startRedis() : null
    if (redis) closers.push(() => redis.close())
    const { through, ...counted } = await countedHosts(liveEnvironment(simnet), control)
    closers.push(() => Promise.all(Object.values(counted).map((proxy) => proxy.close())))
    let aheadMs = 0
    const now = () => Date.now() + aheadMs
    const inTurn = createTurns()
    const fixed = {
      ...liveEnvironment(simnet),
      ...SETTINGS,
      ...through,
      DATA_DIR: join(folder, 'data'),
      ...(postgres && { DATABASE_URL: postgres.urlOf() }),
      ...(redis && { REDIS_URL: redis.url }),
      ...wish,
    }
    const env = () => ({ ...fixed, NODE_EXTRA_CA_CERTS: certificate, KILLS_AHEAD_MS: String(aheadMs) })
    const lives = createLives(env, replicas)
    closers.push(() => lives.close())
    return {
      control,
      lives,
      receiver,
      postgres,
      redis,
      solana,
      ...counted,
      env,
      advance: (ms) =>
        inTurn(async () => {
          for (let left = ms; left > 0; left -= STEP_MS) {
            const step = Math.min(left, STEP_MS)
            aheadMs += step
            // The service first: to one whose clock is behind, old quotes and younger chains would not fit.
            await lives.order({ aheadMs })
            await control.advance(step)
          }
        }),
      now,
      openRecords: () => openStore(parseConfig(fixed), { now }),
      keepRecords: () => {
        isKept = true
        return folder
      },
      close: closeAll,
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}
