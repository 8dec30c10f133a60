import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import { relay } from '../../../engine/venues/relay/venue.ts'
import { type RecordedRow, type RecordedSwap, recordedAnswer, recordedOrder } from '../../support/recordedAnswers.ts'
import { never, takenThrough } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import recordings from './recordings.json' with { type: 'json' }
import { listed } from './support.ts'

/** Lifetime of a current order in seconds: the first ten digits of a live request id are its creation time. */
const LIFE_SECONDS = 604_800

const CHAINS = listed(recordings.chains)

type Row = Omit<RecordedRow, 'recordedAt'> &
  RecordedSwap & {
    /** Which of the recordings. */
    readonly of: Exclude<keyof typeof recordings, 'answers' | 'chains' | 'liveRequest'>
    /** What was asked for; where that was left out, what the venue then finds. */
    readonly slippageBps: number
  }

/** Epoch ms. */
const madeAt = (of: Row['of']): number => {
  const recording = recordings[of]
  if ('protocol' in recording) return (recording.protocol.v2.orderData.output.deadline - LIFE_SECONDS) * 1_000
  return Number(recording.requestId.slice(2, 12)) * 1_000
}

/** The adapter against the recording, as the engine would use it: quote, rules of offers, build, decode and proof. */
const take = async ({ of, slippageBps, ...swap }: Row): Promise<void> => {
  const answer = recordings[of]
  const now = madeAt(of)
  const { currencyIn, currencyOut } = answer.details
  const order = recordedOrder(swap, currencyIn.amount, slippageBps)
  const { venue } = canned(relay, ({ path }) => ({ body: path === '/chains' ? CHAINS : answer }), { now: () => now })
  const offer = checkOffer({ offer: await venue.quote(order, never()), order, asked: order, profile: venue.profile, now })
  const { amount, minimumAmount } = currencyOut
  if (offer.outputAmount !== BigInt(amount) || offer.slippage?.guaranteedMin !== BigInt(minimumAmount))
    throw new Error('the price is not the recorded one')
  // Who recorded the price from bitcoin left the order out.
  if ('protocol' in answer) await takenThrough(venue, order, now)
}

/** Answers of api.relay.link that somebody published, and one order whose id is known. */
export const recordedAnswers = (recordings.answers as unknown as readonly Row[]).map((row) =>
  recordedAnswer({ ...row, recordedAt: new Date(madeAt(row.of)).toISOString().slice(0, 10) }, () => take(row)),
)
