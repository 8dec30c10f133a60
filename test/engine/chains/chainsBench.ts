import { vi } from 'vitest'
import { ChainError } from '../../../engine/chains/chains.ts'
import { createChains } from '../../../engine/chains/createChains.ts'
import { createEndpointHealth } from '../../../engine/chains/endpoints/endpointHealth.ts'
import type { Address } from '../../../engine/core/address.ts'
import type { Asset } from '../../../engine/core/asset.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import type { EngineEvent } from '../../../engine/observe/observe.ts'
import { assetOf, WALLETS } from '../../support/anOrder.ts'
import { batchIn, createFakeHttp, type Endpoint, type Sent } from './evmNode.ts'

export const DEADLINE_MS = 3_000
export const USDC = assetOf(1, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48')

export const never = (): AbortSignal => new AbortController().signal

/** What became of a read, in a word. */
const told = (reading: Promise<unknown>): Promise<unknown> =>
  reading.catch((error: unknown) => (error instanceof ChainError ? error.failure : String(error)))

/** Timers stand still until a test moves them; the turns of the event loop go on. */
export const fakeTimers = (): void => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
}

/** Until all that was started has been sent. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const STEP_MS = 50

/** Lets that much faked time pass, and the event loop turn as often as a deadline grants it. */
export const pass = async (ms: number): Promise<void> => {
  for (let left = ms; left > 0; left -= STEP_MS) {
    await vi.advanceTimersByTimeAsync(Math.min(left, STEP_MS))
    await turn()
    await turn()
  }
}

/** How many calls each request to a node carried; a call that goes by itself is 'one'. */
export const sizes = (sent: readonly Sent[]) => sent.map(({ call }) => batchIn(call)?.length ?? 'one')

/** Reads of chains that all have the same endpoints: by host name, most preferred first; each URL holds a key. */
export const benchOver = (endpoints: { [host: string]: Endpoint }) => {
  const http = createFakeHttp(endpoints)
  const clock = { at: 1_000_000, now: () => clock.at }
  const events: EngineEvent[] = []
  const health = createEndpointHealth({ clock, observe: (event) => events.push(event) })
  const urls = Object.keys(endpoints).map((host) => `https://${host}/v3/secret-key`)
  const rpcUrls = Object.fromEntries([1, 10, 324, -1, -2].map((chainId) => [chainId, urls]))
  const chains = createChains({ rpcUrls, http, clock, health, deadlineMs: DEADLINE_MS })

  /** A read that is one call to the node, never part of a batch and never cached. */
  const start = (signal = never()) => told(chains.code({ chainId: 1, address: WALLETS.evm }, signal).then(() => 'answered'))
  /** The same to its end: who was asked, and how it went. */
  const read = async (): Promise<readonly unknown[]> => {
    const before = http.sent.length
    const reading = start()
    await pass(DEADLINE_MS)
    const outcome = await reading
    return [...http.sent.slice(before).map(({ host }) => host), outcome]
  }
  const symbol = (asset: Asset, signal = never()) => told(chains.token(asset, signal).then((token) => token.symbol))
  const allowance = (spender: Address = WALLETS.evmOther, signal = never(), chainId: ChainId = 1) =>
    told(chains.allowance({ asset: { chainId, address: USDC.address }, owner: WALLETS.evm, spender }, signal))
  return { http, clock, events, health, rpcUrls, chains, start, read, symbol, allowance }
}
