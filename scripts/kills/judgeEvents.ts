import type { PartnerEvent } from '../../engine/store/partnerEvents.ts'
import { isSignedBy } from '../demo/partner.ts'
import type { Evidence } from './evidence.ts'
import type { Partner } from './journal.ts'
import type { Delivered } from './neighbours.ts'

/** More than a partner has. */
const EVENTS_MAX = 1_000_000

const EVENT_OF: { readonly [state: string]: string } = {
  success: 'swap.settled',
  refunded: 'swap.refunded',
  failed: 'swap.failed',
}

const requestOf = ({ body }: Delivered): string => (JSON.parse(body) as { readonly requestId: string }).requestId

/** The webhook arrived at most once, and as the feed reports it. A `started` one may or may not have arrived. */
const judgeDelivery = ({ problem, count }: Evidence, event: PartnerEvent, delivered: readonly Delivered[]): void => {
  const { delivery, answered, failure } = event
  const name = `${String(event.document['requestId'])} ${event.event}`
  count(`webhook ${delivery}`)
  const [one] = delivered
  if (delivered.length > 1) problem(`${name}: delivered ${delivered.length} times`)
  if (delivery === 'answered' && one?.answered !== answered)
    problem(`${name}: the feed reports ${answered}, the target answered ${one?.answered}`)
  if (one && delivery !== 'answered' && delivery !== 'started') problem(`${name}: delivered, and ${delivery}`)
  if (delivery === 'due') problem(`${name}: never tried`)
  if (delivery === 'failed') problem(`${name}: ${failure}`)
}

/** The feed has each end and each change of a fee once, without a gap in its sequence. */
const judgeFeed = (evidence: Evidence, partner: Partner, events: readonly PartnerEvent[]): void => {
  const { stage, journal, recordOf, problem } = evidence
  const delivered = stage.receiver.delivered.filter(({ path }) => path === `/${partner.name}`)
  events.forEach(({ place }, i) => {
    if (place !== i + 1) problem(`${partner.name}: place ${place} of its feed comes after ${i}`)
  })
  for (const { requestId } of journal.swaps.filter((swap) => swap.partner === partner)) {
    const record = recordOf.get(requestId)
    const expected = record && EVENT_OF[record.status.state]
    const own = record ? events.filter(({ swapId }) => swapId === record.id) : []
    if (own.length !== (expected ? 1 : 0) || (expected && own[0]?.event !== expected))
      problem(`${requestId}: ${record?.status.state}, and the feed has ${JSON.stringify(own.map(({ event }) => event))}`)
    const arrived = delivered.filter((one) => requestOf(one) === requestId)
    for (const event of own) judgeDelivery(evidence, event, arrived)
    if (own.length === 0 && arrived.length > 0) problem(`${requestId}: delivered what the feed does not have`)
  }
  const { webhookSecret: secret } = partner
  if (secret !== null && !delivered.every((one) => isSignedBy(secret, one)))
    problem(`${partner.name}: a webhook of another signature`)
  const fees = events.filter(({ event }) => event === 'fee.changed').length
  if (fees !== partner.feesSet) problem(`${partner.name}: ${partner.feesSet} fees were set, the feed has ${fees}`)
}

/** Compares the feed of every partner with the ends of its swaps, and with the webhooks that arrived. */
export const judgeEvents = async (evidence: Evidence): Promise<void> => {
  const { stage, journal, records, count } = evidence
  count('webhooks received', stage.receiver.delivered.length)
  for (const partner of journal.partners) {
    const page = { afterPlace: 0, limit: EVENTS_MAX }
    judgeFeed(evidence, partner, await records.partnerEvents.ofPartner(partner.partnerId, page))
  }
}
