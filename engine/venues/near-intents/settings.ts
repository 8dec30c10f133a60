import { base58 } from '@scure/base'
import type { VenueConfig, VenueSetting } from '../venue.ts'
import { VENUE_FEE_ACCOUNT } from './protocol.ts'
import { CODES_SETTING, chainCodesIn, PUBLIC_KEY } from './published.ts'

/** The operator's settings for this venue, checked and with defaults. */
export type NearIntentsSettings = {
  /** The account inside NEAR Intents that gets the integrator fee; null: no fee. */
  readonly feeAccount: string | null
  /** The account of the venue's own share of fees, which it adds to the echoed fee list by itself. */
  readonly venueFeeAccount: string
  /** The raw ed25519 key of the venue's signatures on quotes. */
  readonly publicKey: Uint8Array
  readonly referral: string | null
  /** How long the venue may wait for more solvers before it answers a quote; 0: no wait. */
  readonly quoteWaitingTimeMs: number
  readonly codes: ReturnType<typeof chainCodesIn>
}

const NAMED_ACCOUNT = '(?=.{2,64}$)(?:[a-z0-9]+(?:[-_][a-z0-9]+)*\\.)+[a-z0-9]+(?:[-_][a-z0-9]+)*'
const ACCOUNT = new RegExp(`^(?:${NAMED_ACCOUNT}|[0-9a-f]{64}|0x[0-9a-fA-F]{40})$`)
const ACCOUNT_EXPECTS = 'a NEAR Intents account: a named account, 64 hex digits, or an EVM address'

export const NEAR_INTENTS_SETTINGS: readonly VenueSetting[] = [
  { name: 'FEE_ACCOUNT', pattern: ACCOUNT, expects: ACCOUNT_EXPECTS },
  { name: 'VENUE_FEE_ACCOUNT', pattern: ACCOUNT, expects: ACCOUNT_EXPECTS },
  { name: 'PUBLIC_KEY', pattern: /^ed25519:[1-9A-HJ-NP-Za-km-z]{32,44}$/, expects: 'ed25519: and a base58 key of 32 bytes' },
  { name: 'REFERRAL', pattern: /^[a-z0-9][a-z0-9_-]{0,63}$/, expects: 'a tag of lower-case letters, digits, - and _' },
  { name: 'QUOTE_WAITING_TIME_MS', pattern: /^(?:0|[1-9]\d{0,2}|[12]\d{3}|3000)$/, expects: 'milliseconds from 0 to 3000' },
  CODES_SETTING,
]

/**
 * The venue's own default is 0, which gets the fewest solvers; integrators use up to 3 s. With an offer of another venue, a quote
 * must arrive within QUOTE_SOFT_DEADLINE_MS (1,500): one second leaves half a second for the calls around it.
 */
const QUOTE_WAITING_TIME_MS = '1000'

const toPublicKey = (text: string): Uint8Array => {
  const key = base58.decode(text.replace(/^ed25519:/, ''))
  if (key.length !== 32) throw new TypeError('the PUBLIC_KEY of near-intents is not an ed25519 key of 32 bytes')
  return key
}

/** NEAR Intents stores EVM account ids in lower case, and compares them as text. */
export const toAccount = (text: string): string => (text.startsWith('0x') ? text.toLowerCase() : text)

/** Throws TypeError for an invalid key: no quote could be verified with it. */
export const readSettings = ({ settings }: VenueConfig): NearIntentsSettings => {
  const feeAccount = settings['FEE_ACCOUNT'] ?? null
  return {
    feeAccount: feeAccount === null ? null : toAccount(feeAccount),
    venueFeeAccount: toAccount(settings['VENUE_FEE_ACCOUNT'] ?? VENUE_FEE_ACCOUNT),
    publicKey: toPublicKey(settings['PUBLIC_KEY'] ?? PUBLIC_KEY),
    referral: settings['REFERRAL'] ?? null,
    quoteWaitingTimeMs: Number(settings['QUOTE_WAITING_TIME_MS'] ?? QUOTE_WAITING_TIME_MS),
    codes: chainCodesIn({ settings }),
  }
}
