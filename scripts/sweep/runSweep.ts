import { secp256k1 } from '@noble/curves/secp256k1.js'
import { Keypair } from '@solana/web3.js'
import { payments } from 'bitcoinjs-lib'
import { venueKey } from '../../engine/config/venues.ts'
import { BITCOIN, SOLANA } from '../../engine/core/chain.ts'
import { createSimRandom } from '../../engine/simnet/kit/simRandom.ts'
import { createTokens } from '../../engine/simnet/kit/tokens.ts'
import { VENUE_DEFINITIONS } from '../../engine/venues/registry.ts'
import { controlNetwork } from '../client/network.ts'
import { connectService, type ServiceClient } from '../client/service.ts'
import type { Execution, Failure, Quote } from '../client/wire.ts'
import { mapAtOnce } from '../mapAtOnce.ts'
import { amountOf, type Pair } from './pairs.ts'

/** How far a pair came at one venue. `why` is the venue's decline, or the code of an error. */
type Outcome =
  | { readonly result: 'executed' }
  | { readonly result: 'preview' }
  | { readonly result: 'declined'; readonly why: string; readonly isRetryable: boolean }
  | { readonly result: 'refused'; readonly at: 'quote' | 'execute'; readonly why: string; readonly text: string }

/** One pair at one venue. */
export type Trial = { readonly venue: string; readonly pair: Pair; readonly outcome: Outcome }

/** The addresses of one person on every kind of chain. */
export type Party = { on(chainId: number): string }

const createParty = (seed: string): Party => {
  const key = createSimRandom(seed).bytes(32)
  const evm = `0x${createSimRandom(`${seed} evm`).hex(40)}`
  const solana = Keypair.fromSeed(key).publicKey.toBase58()
  const { address: bitcoin } = payments.p2wpkh({ pubkey: secp256k1.getPublicKey(key) })
  if (!bitcoin) throw new Error('the key has no Bitcoin address')
  return { on: (chainId) => (chainId === BITCOIN ? bitcoin : chainId === SOLANA ? solana : evm) }
}

export type Parties = { readonly sender: Party; readonly recipient: Party }

/** Two new wallets. */
export const createParties = (seed: string): Parties => ({
  sender: createParty(`${seed} sender`),
  recipient: createParty(`${seed} recipient`),
})

/** A swap and its fees need less than this many times the amount. */
const PLENTY = 10n

/** Gives the sender every token of Solana, where the service simulates a payment before it returns it. Nothing is paid. */
const fundSender = async (controlUrl: string, { sender }: Parties): Promise<void> => {
  const { faucet } = controlNetwork(controlUrl)
  const address = sender.on(SOLANA)
  for (const token of createTokens().all.filter(({ chainId }) => chainId === SOLANA))
    await faucet({ chainId: SOLANA, token: token.address, address, amount: String(amountOf(token) * PLENTY) })
}

type Answer<T> = { readonly data: T } | { readonly error: Failure }

const refused = (at: 'quote' | 'execute', { code, message, details }: Failure): Outcome => ({
  ...{ result: 'refused', at, why: code },
  text: `${message}${details ? ` ${JSON.stringify(details)}` : ''}`,
})

/** Gets a quote for a pair at one venue alone, and executes it. Nothing is signed or paid. */
const tryPair = async ({ send }: ServiceClient, body: object, venue: string): Promise<Outcome> => {
  const post = async <T>(path: string, body: unknown) => (await send('POST', path, { body })).body as Answer<T>
  const quoted = await post<Quote>('/api/v1/quote', body)
  if ('error' in quoted) {
    const decline = quoted.error.details?.declines?.find((one) => one.venue === venue)
    if (!decline) return refused('quote', quoted.error)
    const why = [decline.kind, decline.reason && `(${decline.reason})`, decline.check].filter(Boolean).join(' ')
    return { result: 'declined', why, isRetryable: decline.retryable }
  }
  const { quoteToken, executable } = quoted.data
  if (!executable) return { result: 'preview' }
  const executed = await post<Execution>('/api/v1/execute', { quoteToken })
  return 'error' in executed ? refused('execute', executed.error) : { result: 'executed' }
}

/** More would wait for the two cores. */
const AT_ONCE = 6

export type SweepOptions = {
  readonly serviceUrl: string
  readonly controlUrl: string
  readonly venues: readonly string[]
  readonly pairs: readonly Pair[]
  readonly seed: string
  readonly onProgress?: (done: number, all: number) => void
}

/** Tries every pair at every venue alone. The trials keep the order of venues and pairs. */
export const runSweep = async (options: SweepOptions): Promise<readonly Trial[]> => {
  const { serviceUrl, controlUrl, venues, pairs, seed, onProgress } = options
  const [service, parties] = [connectService(serviceUrl), createParties(seed)]
  await fundSender(controlUrl, parties)
  const wanted = venues.flatMap((venue) => pairs.map((pair) => ({ venue, pair })))
  const tryOne = async ({ venue, pair }: Pick<Trial, 'venue' | 'pair'>): Promise<Trial> => {
    const { from, to } = pair
    const body = {
      ...{ inputChainId: from.chainId, inputToken: from.address, inputAmount: String(amountOf(from)) },
      ...{ outputChainId: to.chainId, outputToken: to.address, destinationAddress: parties.recipient.on(to.chainId) },
      ...{ userAddress: parties.sender.on(from.chainId), refundAddress: parties.sender.on(from.chainId) },
      excludeVenues: venues.filter((other) => other !== venue),
    }
    const first = await tryPair(service, body, venue)
    // A client repeats a retryable decline. A chain whose node is still starting causes some.
    const isFinal = first.result !== 'declined' || !first.isRetryable
    return { venue, pair, outcome: isFinal ? first : await tryPair(service, body, venue) }
  }
  let done = 0
  return mapAtOnce(AT_ONCE, wanted, async (one) => {
    const trial = await tryOne(one)
    done += 1
    onProgress?.(done, wanted.length)
    return trial
  })
}

/** Settings of a service in which only its venues decline. */
export const SWEEP_ENVIRONMENT = {
  PORT: '0',
  METRICS_PORT: 'off',
  SIMNET_CONTROL_PORT: '0',
  LOG_LEVEL: 'silent',
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: '1000000',
  ...Object.fromEntries(VENUE_DEFINITIONS.map(({ id }) => [venueKey(id, 'REQUESTS_PER_MINUTE'), '1000000'])),
  // LI.FI sells all its routes, also those of other venues.
  VENUE_LIFI_DENY_BRIDGES: 'none',
  // A busy machine must not look like a slow venue.
  QUOTE_DEADLINE_MS: '30000',
  QUOTE_SOFT_DEADLINE_MS: '30000',
}
