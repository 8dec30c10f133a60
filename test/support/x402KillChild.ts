import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../../engine/core/clock.ts'
import { Secret } from '../../engine/core/secret.ts'
import type { Engine } from '../../engine/engine.ts'
import { createHttpClient } from '../../engine/net/undiciClient.ts'
import { openPostgresStore } from '../../engine/store/postgresStore.ts'
import { openSqliteStore } from '../../engine/store/sqliteStore.ts'
import type { Store, StoreParts } from '../../engine/store/store.ts'
import type { AuthorizationReader } from '../../engine/x402/authorizationReader.ts'
import { createLeftCalls } from '../../engine/x402/leftCalls.ts'
import { createPaidCalls } from '../../engine/x402/paidCalls.ts'
import { createPaymentOptions } from '../../engine/x402/paymentOptions.ts'
import { createRemoteFacilitator } from '../../engine/x402/remoteFacilitator.ts'
import { createApp } from '../../handlers/app.ts'
import { createServer } from '../../handlers/http/server.ts'
import { wideRooms } from './wideRooms.ts'

/**
 * An instance of paid calls in a process of its own, which ends itself as `kill -9` does when it comes to a step that it was
 * told of. Its facilitator and its chain are its parent's, and outlive it.
 */

export type KillWish = {
  readonly database: { readonly file: string } | { readonly url: string }
  /** Where the parent answers as the facilitator, and as the chain. */
  readonly outside: string
  readonly payTo: string
  /** Its time is ahead of the last one's: what that left behind is over. */
  readonly aheadMs: number
}
export type KillOrder = { readonly killAt: string } | { readonly lookAfter: true }

const wish = JSON.parse(process.argv[2] ?? '') as KillWish
let killAt = ''

const at = (step: string): void => {
  if (step === killAt) process.kill(process.pid, 'SIGKILL')
}

/** Each call of a part, with a step before it and one after it. */
const stepped = <P extends object>(name: string, part: P): P =>
  new Proxy(part, {
    get: (target, key) => {
      const call: unknown = Reflect.get(target, key)
      if (typeof call !== 'function') return call
      return async (...args: readonly unknown[]) => {
        at(`before ${name}.${String(key)}`)
        const told: unknown = await Reflect.apply(call, target, args)
        at(`after ${name}.${String(key)}`)
        return told
      }
    },
  })

const steppedStore = (store: Store): Pick<Store, 'paidCalls' | 'transaction'> => ({
  paidCalls: stepped('paidCalls', store.paidCalls),
  transaction: async (work) => {
    const told = await store.transaction((parts: StoreParts) =>
      work({ ...parts, paidCalls: stepped('paidCalls', parts.paidCalls), ledger: stepped('ledger', parts.ledger) }),
    )
    at('after commit')
    return told
  },
})

const clock: Clock = { now: () => Date.now() + wish.aheadMs }

const open = (): Promise<Store> =>
  'file' in wish.database
    ? openSqliteStore({ file: wish.database.file, network: 'simnet' }, clock)
    : openPostgresStore({ url: new Secret(wish.database.url), network: 'simnet', poolMax: 3 }, clock)

const USDC = {
  chainId: 8453,
  address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  symbol: 'USDC',
  name: 'USD Coin',
  decimals: 6,
  isNative: false,
}

/** Each of its own: two answers to one payment would show. */
const quote = async () => {
  at('before work')
  const side = { token: USDC, amount: 25_000_000n }
  const told = {
    quoteToken: `token-${randomUUID()}`,
    venue: { id: 'across', name: 'Across' },
    routeType: 'EVM_CROSS_CHAIN',
    input: side,
    output: side,
    fee: { bps: 0, amount: 0n, token: USDC },
    ...{ isExecutable: true, slippage: null, gas: null, venueFee: null, depositAmount: null, approval: null },
    expectedProof: { recipient: 'proved', minimum: 'proved', refund: 'proved' },
    ...{ estimatedTimeSeconds: 4, estimatedTimeIsGuess: false, expiresAt: 1_795_000_060_000 },
  }
  at('after work')
  return told
}

const run = async (): Promise<void> => {
  const store = await open()
  const http = createHttpClient()
  const options = createPaymentOptions({ payTo: { evm: wish.payTo, solana: null }, networks: ['eip155:8453'], lifetimeSec: 600 })
  const authorizations: AuthorizationReader = {
    stateOf: async (payload) => {
      const request = { method: 'POST', url: `${wish.outside}/state`, headers: {}, json: payload, bytesMax: 10_000 } as const
      return JSON.parse((await http.send({ ...request, signal: AbortSignal.timeout(5_000) })).text)
    },
  }
  const ports = {
    facilitator: stepped('facilitator', createRemoteFacilitator({ http, url: wish.outside, token: null })),
    authorizations: stepped('chain', authorizations),
    options,
  }
  const parts = { ports, store: steppedStore(store), holder: randomUUID(), clock, observe: () => undefined }
  const identify = async () => ({ tier: 'anonymous', partnerId: null, feeBps: null, requestsPerMinute: 1_000_000 })
  const engine = { identify, quote, venueIds: [], paidCalls: createPaidCalls(parts) } as unknown as Engine
  const app = createApp(engine, {
    trustedProxies: [],
    keysPerAddressPerMinute: 0,
    validateResponses: true,
    rooms: wideRooms(),
    observe: () => undefined,
  })
  const server = createServer(app)
  server.prependListener('request', (req, res) => {
    if (req.headers['payment-signature'] === undefined) return
    const end = res.end.bind(res) as (...asked: unknown[]) => typeof res
    res.end = ((...asked: unknown[]) => {
      at('before send')
      const told = end(...asked)
      at('after send')
      return told
    }) as typeof res.end
  })
  process.on('message', (order: KillOrder) => {
    if ('killAt' in order) {
      killAt = order.killAt
      process.send?.({ armed: true })
    } else
      void createLeftCalls(parts)
        .run(new AbortController().signal)
        .then(() => process.send?.({ lookedAfter: true }))
  })
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
}

await run()
