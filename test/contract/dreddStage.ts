import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createWalletClient, defineChain, http, type TypedDataDefinition } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { parseConfig } from '../../engine/config/config.ts'
import { systemClock } from '../../engine/core/clock.ts'
import type { PartnerKind } from '../../engine/core/partner.ts'
import { addPartner } from '../../engine/keys/issueKey.ts'
import { openStore } from '../../engine/store/openStore.ts'
import type { components } from '../../generated/api.d.ts'
import type { Ask } from '../../scripts/client/service.ts'
import { changeRecords } from '../support/postgres/ownDatabase.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { solanaSigner } from '../support/solanaSigner.ts'
import { allBut } from '../support/swaps.ts'
import { payerOf } from '../support/x402Bench.ts'

type Schemas = components['schemas']
export type QuoteRequest = Schemas['QuoteRequest']
export type Quote = Schemas['Quote']

/** A well-known development key: nobody's money. */
const wallet = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

const solanaWallet = solanaSigner(44)

/** Enough for one visitor's part in any scenario, and quickly exhausted. */
/** The one client for whom a venue fails: with several of them it would rest for all. */
export const HOLDER = { 'x-forwarded-for': '127.0.0.1' } as const
const LIMIT_PER_MINUTE = 3
/** See "Pay per call" of openapi.yaml. */
const CHALLENGES_PER_MINUTE = 120

/** A service in a known state, and what it takes to make it answer in every documented way. */
export type Stage = {
  readonly service: TestService
  readonly walletAddress: string
  readonly solanaAddress: string
  /** The header of a client nobody has seen before. */
  visitor(): { readonly 'x-forwarded-for': string }
  /** The header of a client that has used up its plain and its unpaid calls. */
  exhaustedVisitor(): Promise<{ readonly 'x-forwarded-for': string }>
  /** A key that was given out, as the header of whoever holds it. */
  keyOf(kind: PartnerKind): Promise<{ readonly 'x-api-key': string }>
  /** A quote asked by a fresh client, of `venue` alone when one is named. */
  quote(request: QuoteRequest, venue?: string): Promise<Quote>
  execute(quoteToken: string): Promise<Schemas['Execution']>
  sign(typedData: Schemas['TypedData']): Promise<string>
  /** Signs a Solana transaction, base64. */
  signSolana(serialized: string): string
  /** Gives the Solana wallet what it can pay with. */
  fundSolana(): Promise<void>
  /** Gives the wallet what a quote asks it to pay, and makes the approval the quote asks for. */
  fund(quote: Quote): Promise<void>
  /** An amount of about so much that nobody asked with before: two orders alike are never both handed out. */
  ownAmount(about: number): string
  /** A payment of somebody who has what it takes, as the header of a request. */
  payment(): Promise<{ readonly 'payment-signature': string }>
  /** Has one request under way that these venues keep waiting, and so no place for another of its kind, until `reset`. */
  occupy(
    request: { readonly method: string; readonly path: string; readonly ask: Ask },
    ...venues: readonly string[]
  ): Promise<void>
  /** Takes a table away under the service, until `reset`. */
  breakStore(table?: string): Promise<void>
  /** Ends every fault. */
  reset(): Promise<void>
  close(): Promise<void>
}

const broadcast = async (rpcUrl: string, { chainId, to, data, value }: Schemas['ApprovalTransaction']): Promise<void> => {
  const chain = defineChain({
    id: chainId,
    name: 'offline',
    nativeCurrency: { name: 'coin', symbol: 'COIN', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const client = createWalletClient({ account: wallet, chain, transport: http() })
  await client.sendTransaction({ to: to as `0x${string}`, data: data as `0x${string}`, value: BigInt(value) })
}

const NATIVE_SOL = 'So11111111111111111111111111111111111111112'
const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'

export const openStage = async (): Promise<Stage> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'swap-stage-'))
  const service = await startService({
    ...only('across', 'cow', 'near-intents', 'relay'),
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: String(LIMIT_PER_MINUTE),
    TRUSTED_PROXIES: '127.0.0.1',
    DATA_DIR: dataDir,
    PUBLIC_URL: 'https://swaps.example',
    OVERLOAD_QUOTES_MAX: '1',
    OVERLOAD_EXECUTES_MAX: '1',
    OVERLOAD_STATUSES_MAX: '1',
    OVERLOAD_WAITING_MAX: '0',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  })
  const store = await openStore(parseConfig({ DATA_DIR: dataDir, ...service.databaseEnv }), systemClock)
  const rename = (from: string, to: string) => changeRecords(dataDir, service.databaseEnv, `ALTER TABLE ${from} RENAME TO ${to}`)
  let broken: string | null = null
  let holders: readonly Promise<number>[] = []
  let [visitors, amounts] = [0, 0]
  const visitor = () => {
    visitors += 1
    // 198.18.0.0/15 is set aside for measurements.
    return { 'x-forwarded-for': `198.18.${visitors >> 8}.${visitors & 255}` }
  }
  const keyOf: Stage['keyOf'] = async (kind) => {
    const terms = { kind, feeBps: null, requestsPerMinute: null }
    return { 'x-api-key': (await store.transaction((parts) => addPartner(parts, terms, null))).apiKey }
  }
  const holder = await keyOf('selfServe')
  return {
    service,
    walletAddress: wallet.address,
    solanaAddress: solanaWallet.address,
    visitor,
    exhaustedVisitor: async () => {
      const headers = visitor()
      // Each counts as a plain call and as a payment challenge: neither is left.
      for (let i = 0; i < CHALLENGES_PER_MINUTE; i += 1) await service.send('GET', '/api/v1/x402/status', { headers })
      return headers
    },
    keyOf,
    quote: (request, venue) =>
      service.call('quote', {
        body: venue === undefined ? request : { ...request, excludeVenues: allBut(venue) },
        headers: visitor(),
      }),
    execute: (quoteToken) => service.call('execute', { body: { quoteToken }, headers: visitor() }),
    sign: (typedData) => wallet.signTypedData(typedData as unknown as TypedDataDefinition),
    signSolana: (serialized) => solanaWallet.sign(serialized),
    fundSolana: () =>
      service.control.faucet({ chainId: -2, token: NATIVE_SOL, address: solanaWallet.address, amount: '10000000000' }),
    fund: async ({ input, approval }) => {
      const { chainId, address: token } = input.token
      await service.control.faucet({ chainId, token, address: wallet.address, amount: input.amount })
      if (!approval) return
      await service.control.faucet({ chainId, token: NATIVE, address: wallet.address, amount: '1000000000000000000' })
      for (const step of [approval.reset, approval.transaction]) if (step) await broadcast(service.control.rpcUrl(chainId), step)
    },
    ownAmount: (about) => {
      amounts += 1
      return String(about + amounts)
    },
    payment: async () => {
      const [chainId, token] = [8453, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913']
      // Of one payer no more than ten a minute may end without a charge.
      const payer = privateKeyToAccount(generatePrivateKey())
      await service.control.faucet({ chainId, token, address: payer.address, amount: '1000' })
      const { headers } = await service.send('POST', '/api/v1/x402/quote', { body: {}, headers: visitor() })
      return { 'payment-signature': await payerOf(payer).sign(headers.get('payment-required') ?? '') }
    },
    occupy: async ({ method, path, ask }, ...venues) => {
      for (const venue of venues) await service.control.fault(venue, 'hang')
      const headers = { ...HOLDER, ...holder }
      const hold = async () => (await service.send(method, path, { ...ask, headers })).status
      holders = [hold(), hold()]
      // The one that is answered has found the other one there.
      const status = await Promise.race(holders)
      if (status !== 503) throw new Error(`nothing holds the place: ${path} answered ${status}`)
    },
    breakStore: async (table = 'broadcasts') => {
      await rename(table, `${table}_away`)
      broken = table
    },
    reset: async () => {
      if (broken !== null) await rename(`${broken}_away`, broken)
      broken = null
      await service.control.clearFaults()
      await Promise.all(holders)
    },
    close: async () => {
      await store.close()
      await service.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
