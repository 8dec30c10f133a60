import type { ChainId } from '../../../engine/core/chain.ts'
import { thorchain } from '../../../engine/venues/thorchain/venue.ts'
import { type RecordedAnswer, type RecordedRow, recordedAnswer, recordedOrder } from '../../support/recordedAnswers.ts'
import { takenThrough } from '../../support/venueKit/calls.ts'
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
  readonly quote: { readonly expiry: number; readonly memo: string }
}

export const RECORDED = recordings.quotes as unknown as readonly Recorded[]

const REFERENCE = 20_002
const HASH = 'AB'.repeat(32)
/** What nobody recorded beside a quote: who is paid, the pools, and what a registration service answers. */
const BESIDE: { readonly [path: string]: unknown } = recordings.beside

/** The adapter, answered what was recorded. */
export const cannedBy = ({ quote }: Recorded): Canned => {
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
      return { body: BESIDE[name] }
    },
    { settings: SETTINGS, now },
  )
}

const taken = async (recorded: Recorded): Promise<void> => {
  const order = recordedOrder(recorded, recorded.amount, 100)
  const { offer, execution } = await takenThrough(cannedBy(recorded).venue, order, (recorded.quote.expiry - 900) * 1_000)
  if (String(offer.outputAmount) !== recorded.output) throw new Error('the price is not the recorded one')
  if (String(execution.slippage?.guaranteedMin) !== recorded.minimum) throw new Error('the minimum is not that of the price')
}

/** Answers of the network's public nodes that somebody published. */
export const recordedAnswers: readonly RecordedAnswer[] = RECORDED.map((each) => recordedAnswer(each, () => taken(each)))
