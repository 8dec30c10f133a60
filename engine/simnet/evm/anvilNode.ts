import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'

/** A contract that is there from the first block on. Code, slots and values are hex with 0x. */
export type GenesisAccount = {
  readonly address: string
  readonly code: string
  readonly storage?: { readonly [slot: string]: string }
}

/** One running anvil process. */
export interface AnvilNode {
  /** One JSON-RPC call; the node's own error is thrown as AnvilRpcError. */
  rpc(method: string, params: readonly unknown[]): Promise<unknown>
  /** Hands on a raw JSON-RPC body and gives the raw answer. */
  forward(body: string): Promise<{ readonly status: number; readonly text: string }>
  /** Resolves when the process is gone, whoever ended it. */
  readonly gone: Promise<void>
  stop(): Promise<void>
}

export class AnvilRpcError extends Error {
  override readonly name = 'AnvilRpcError'
  /** The node's own words. */
  readonly reason: string
  /** What the contract returned when it reverted, in hex. */
  readonly data: string | null
  constructor(method: string, reason: string, data: string | null) {
    super(`${method}: ${reason}`)
    this.reason = reason
    this.data = data
  }
}

/** A contract, or the chain, did not take a call. */
export class EvmRevert extends Error {
  override readonly name = 'EvmRevert'
  /** What the contract returned, in hex; null when it was the chain that refused. */
  readonly data: string | null
  constructor(reason: string, data: string | null, cause?: unknown) {
    super(reason, { cause })
    this.data = data
  }
}

/** The node's refusal as what it means; anything else as it is. */
export const asRevert = (error: unknown): unknown =>
  error instanceof AnvilRpcError ? new EvmRevert(error.reason, error.data, error) : error

const PLATFORMS: { readonly [platform: string]: string } = { linux: 'linux', darwin: 'darwin', win32: 'win32' }
const ARCHITECTURES: { readonly [arch: string]: string } = { x64: 'amd64', arm64: 'arm64' }
const READY_MS = 10_000
/** Of a block. */
const GAS_LIMIT = '0x1c9c380'
/** Of the latest blocks, and in memory: further back neither balances can be read nor blocks be undone. */
const STATES_KEPT = 512
/**
 * EIP-2935's contract, without its code: every block would write to it, and the root of its growing storage is computed
 * anew for every block. Nothing here reads it.
 */
const BLOCK_HASHES: GenesisAccount = { address: '0x0000F90827F1C53a10cb7A02335B175320002935', code: '0x00' }

/** The platform's binary itself: the package's own launcher is a Node process that would only wait for it. */
export const anvilBinary = (): string => {
  const name = `@foundry-rs/anvil-${PLATFORMS[process.platform]}-${ARCHITECTURES[process.arch]}`
  const launcher = createRequire(import.meta.url).resolve('@foundry-rs/anvil/bin.mjs')
  try {
    return createRequire(launcher).resolve(`${name}/bin/anvil${process.platform === 'win32' ? '.exe' : ''}`)
  } catch (cause) {
    throw new Error(`anvil is not installed for ${process.platform} ${process.arch} (${name})`, { cause })
  }
}

/**
 * The shell ends anvil as soon as its own standard input closes, which also happens when this process is killed
 * outright. Anvil alone would outlive us.
 */
const WATCHED = 'exec 3<&0; "$0" "$@" 3<&- </dev/null & node=$!; (cat <&3 >/dev/null; kill -9 $node 2>/dev/null) & wait $node'

const launch = (args: readonly string[]): ChildProcess => {
  const stdio = ['pipe', 'pipe', 'ignore'] as const
  return process.platform === 'win32'
    ? spawn(anvilBinary(), args, { stdio: [...stdio], windowsHide: true })
    : spawn('sh', ['-c', WATCHED, anvilBinary(), ...args], { stdio: [...stdio] })
}

/** Anvil takes a free port itself and prints it: nobody can take it in between. */
const listeningOrigin = (child: ChildProcess, signal: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    let printed = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed = `${printed}${text}`.slice(-8_192)
      const address = /Listening on (127\.0\.0\.1:[0-9]+)/.exec(printed)?.[1]
      if (address) resolve(`http://${address}`)
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error('anvil ended before it was ready')))
    signal.addEventListener('abort', () => reject(new Error(`anvil was not ready within ${READY_MS} ms`)), { once: true })
  })

const endOf = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    const ended = () => {
      // Lets the watching half of the shell go too.
      child.stdin?.destroy()
      resolve()
    }
    child.once('exit', ended)
    child.once('error', ended)
  })

const readAnswer = (method: string, text: string): unknown => {
  const { result, error } = JSON.parse(text) as { result?: unknown; error?: { message?: string; data?: unknown } }
  if (error) throw new AnvilRpcError(method, error.message ?? 'refused', typeof error.data === 'string' ? error.data : null)
  return result
}

/** https://geth.ethereum.org/docs/fundamentals/private-network: the state of block 0 in one file, read before the first call. */
const genesisText = (chainId: number, second: number, accounts: readonly GenesisAccount[]): string =>
  JSON.stringify({
    config: { chainId },
    // The option of the same name times the block, this the calls made on it.
    timestamp: `0x${second.toString(16)}`,
    difficulty: '0x0',
    gasLimit: GAS_LIMIT,
    alloc: Object.fromEntries(
      [BLOCK_HASHES, ...accounts].map(({ address, code, storage = {} }) => [address, { balance: '0x0', code, storage }]),
    ),
  })

const listen = async (child: ChildProcess, end: () => Promise<void>): Promise<string> => {
  // A pipe that breaks while the process ends is no news.
  child.stdin?.on('error', () => undefined)
  return listeningOrigin(child, AbortSignal.timeout(READY_MS)).catch(async (error: unknown) => {
    await end()
    throw error
  })
}

const nodeAt = (origin: string, gone: Promise<void>, end: () => Promise<void>): AnvilNode => {
  const pool = new Pool(origin, { connections: 16, keepAliveTimeout: 30_000 })
  const forward = async (body: string) => {
    const response = await pool.request({ path: '/', method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return { status: response.statusCode, text: await response.body.text() }
  }
  const rpc = async (method: string, params: readonly unknown[]) =>
    readAnswer(method, (await forward(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))).text)
  const stop = async () => {
    await pool.destroy()
    await end()
  }
  return { rpc, forward, gone, stop }
}

export type AnvilOptions = {
  readonly chainId: number
  /** Of the first block. */
  readonly timestampMs: number
  readonly accounts: readonly GenesisAccount[]
  /** `safe` is so many blocks behind the latest, `finalized` twice as many. */
  readonly epochBlocks: number
}

/** Starts a node, with its contracts in place before it takes the first call. */
export const startAnvil = async ({ chainId, timestampMs, accounts, epochBlocks }: AnvilOptions): Promise<AnvilNode> => {
  const directory = await mkdtemp(join(tmpdir(), 'anvil-'))
  const genesis = join(directory, 'genesis.json')
  try {
    const second = Math.floor(timestampMs / 1_000)
    await writeFile(genesis, genesisText(chainId, second, accounts))
    const where = ['--host', '127.0.0.1', '--port', '0', '--color', 'never']
    const blocks = ['--slots-in-an-epoch', String(epochBlocks), '--prune-history', String(STATES_KEPT)]
    const chain = ['--chain-id', String(chainId), '--timestamp', String(second), '--init', genesis]
    const child = launch([...where, ...blocks, ...chain])
    const gone = endOf(child)
    const end = (): Promise<void> => {
      child.stdin?.end()
      if (process.platform === 'win32') child.kill()
      return gone
    }
    return nodeAt(await listen(child, end), gone, end)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
