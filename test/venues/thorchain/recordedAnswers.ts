import type { ChainId } from '../../../engine/core/chain.ts'
import { spelledOut } from '../../../engine/venues/thorchain/protocol.ts'
import { thorchain } from '../../../engine/venues/thorchain/venue.ts'
import { NATIVE } from '../../../scripts/client/tokens.ts'
import { type RecordedAnswer, type RecordedRow, recordedAnswer, recordedOrder } from '../../support/recordedAnswers.ts'
import { never, takenThrough } from '../../support/venueKit/calls.ts'
import { type Canned, canned } from '../../support/venueKit/canned.ts'
import recordings from './recordings.json' with { type: 'json' }
import { SETTINGS } from './support.ts'

type Place = readonly [ChainId, string]
export type Recorded = RecordedRow & {
  readonly from: Place
  readonly to: Place
  readonly wallet: string
  readonly recipient?: string
  readonly amount: string
  readonly output: string
  readonly minimum: string
  /** What its affiliate takes, where the operator is that one. */
  readonly affiliate?: { readonly name: string; readonly bps: number }
  readonly quote: { readonly expiry: number; readonly memo: string; readonly inbound_address: string }
}

export const RECORDED = recordings.quotes as unknown as readonly Recorded[]

const REFERENCE = 20_002
const HASH = 'AB'.repeat(32)
/** What nobody recorded beside a quote: who is paid, the pools, and what a registration service answers. */
const BESIDE: { readonly [path: string]: unknown } = recordings.beside
/** The vault of Bitcoin in it, in whose place is the one of the quote. */
const VAULT = 'bc1qct4mxayrdy96d4py20l4u02mu06r667f42p9fp'

/** The adapter, answered what was recorded. */
export const cannedBy = ({ quote, from, affiliate }: Recorded): Canned => {
  let registered = ''
  const now = () => (quote.expiry - 900) * 1_000
  return canned(
    thorchain,
    ({ path, body }) => {
      const name = path.slice(path.indexOf('/thorchain/') + '/thorchain/'.length)
      if (name === 'quote/swap') return { body: quote }
      if (path.endsWith('/register')) {
        registered = (body as { memo: string }).memo
        return { body: { success: true, reference: String(REFERENCE), registration_hash: HASH, memo: registered } }
      }
      if (name.startsWith('memo/check/'))
        return { body: { reference: String(REFERENCE), expires_at: '4600', usage_count: '0', memo: registered } }
      if (name === `memo/${HASH}`) return { body: { memo: registered, reference: String(REFERENCE) } }
      const beside = JSON.stringify(BESIDE[name])
      return { body: JSON.parse(from[0] === -1 ? beside.replaceAll(VAULT, quote.inbound_address) : beside) }
    },
    { settings: { ...SETTINGS, ...(affiliate && { AFFILIATE: affiliate.name }) }, now },
  )
}

const taken = async (recorded: Recorded): Promise<void> => {
  const order = { ...recordedOrder(recorded, recorded.amount, 100), feeBps: recorded.affiliate?.bps ?? 0 }
  const { offer, execution } = await takenThrough(cannedBy(recorded).venue, order, (recorded.quote.expiry - 900) * 1_000)
  if (String(offer.outputAmount) !== recorded.output) throw new Error('the price is not the recorded one')
  if (String(execution.slippage?.guaranteedMin) !== recorded.minimum) throw new Error('the minimum is not that of the price')
}

type Status = RecordedRow & {
  readonly state: string
  readonly status: {
    readonly tx: {
      readonly id: string
      readonly from_address: string
      readonly memo: string
      readonly coins: readonly { readonly asset: string }[]
    }
  }
}

const CHAINS: { readonly [code: string]: ChainId } = { ETH: 1, BSC: 56, BTC: -1 }
/** The coin of the chain in an asset's name: of a leg nothing but its chain and recipient is compared. */
const coinOf = (asset: string): Place => {
  const chainId = CHAINS[spelledOut(asset).split('.')[0] ?? '']
  if (chainId === undefined) throw new Error(`${asset} is not served`)
  return [chainId, NATIVE]
}

const followed = async ({ status, state }: Status): Promise<void> => {
  const { id, from_address: wallet, memo, coins } = status.tx
  const [, asset = '', recipient = ''] = memo.split(':')
  const order = recordedOrder({ wallet, recipient, from: coinOf(coins[0]?.asset ?? ''), to: coinOf(asset) }, '1', 100)
  const execution = { payload: { executionType: 'TRANSACTION' }, carry: { v: 1, registration: null, outboundFee: '0' } }
  const executed = { order, binding: order, offer: { expiresAt: null }, execution }
  const { venue } = canned(thorchain, () => ({ body: status }), { settings: SETTINGS })
  const word = await venue.tracker?.track(`0x${id.toLowerCase()}`, { order, offer: {}, executed } as never, never())
  if (word?.state !== state) throw new Error(`${word?.state} in place of ${state}`)
}

/** Answers of the network's public nodes that somebody published. */
export const recordedAnswers: readonly RecordedAnswer[] = [
  ...RECORDED.map((each) => recordedAnswer(each, () => taken(each))),
  ...(recordings.statuses as unknown as readonly Status[]).map((each) => recordedAnswer(each, () => followed(each))),
]
