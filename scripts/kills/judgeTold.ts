import type { PartnerEvent } from '../../engine/store/partnerEvents.ts'
import { allEvents, type Evidence } from './evidence.ts'
import { type Delivered, isSignedBy } from './receiver.ts'
import type { Partner } from './records.ts'

type Told = {
  readonly event: string
  readonly requestId: string
  readonly partnerId: string
  readonly deliveredOut: string | null
}

const bodyOf = ({ body }: Delivered): Told => JSON.parse(body) as Told

const EVENT_OF: { readonly [state: string]: string } = {
  success: 'swap.settled',
  refunded: 'swap.refunded',
  failed: 'swap.failed',
}

/** What was delivered fits what the feed says of it. */
const judgeDelivery = (evidence: Evidence, event: PartnerEvent, delivered: readonly Delivered[]): void => {
  const { problem, counts } = evidence
  const name = `${String(event.document['requestId'])} ${event.event}`
  counts[`delivery ${event.delivery}`] = (counts[`delivery ${event.delivery}`] ?? 0) + 1
  if (delivered.length > 1) problem(`${name}: delivered ${delivered.length} times`)
  const [one] = delivered
  if (event.delivery === 'answered' && one?.answered !== event.answered)
    problem(`${name}: the feed says ${event.answered}, the target answered ${one?.answered}`)
  if (event.delivery === 'started' && one) counts['delivered, and unknown'] = (counts['delivered, and unknown'] ?? 0) + 1
  if (one && event.delivery !== 'answered' && event.delivery !== 'started') problem(`${name}: delivered, and ${event.delivery}`)
  if (event.delivery === 'due') problem(`${name}: never tried`)
  if (event.delivery === 'failed') problem(`${name}: ${event.failure}`)
}

const judgeFeed = (evidence: Evidence, partner: Partner, events: readonly PartnerEvent[]): void => {
  const { stage, tale, recordOf, problem } = evidence
  const delivered = stage.receiver.delivered.filter(({ path }) => path === `/${partner.name}`)
  events.forEach(({ place }, i) => {
    if (place !== i + 1) problem(`${partner.name}: place ${place} of its feed comes after ${i}`)
  })
  const ends = events.filter(({ swapId }) => swapId !== null)
  for (const swap of tale.swaps.filter((one) => one.partner === partner)) {
    const record = recordOf.get(swap.requestId)
    const expected = record ? EVENT_OF[record.status.state] : undefined
    const own = ends.filter(({ swapId }) => swapId === record?.id)
    if (own.length !== (expected ? 1 : 0) || (expected && own[0]?.event !== expected))
      problem(`${swap.requestId}: ${record?.status.state}, and the feed has ${JSON.stringify(own.map(({ event }) => event))}`)
    const of = delivered.filter((one) => bodyOf(one).requestId === swap.requestId)
    for (const event of own) judgeDelivery(evidence, event, of)
    if (own.length === 0 && of.length > 0) problem(`${swap.requestId}: delivered what the feed does not have`)
  }
  const { webhookSecret: secret } = partner
  if (secret !== null && !delivered.every((one) => isSignedBy(secret, one)))
    problem(`${partner.name}: a webhook of another signature`)
  const fees = events.filter(({ event }) => event === 'fee.changed').length
  if (fees !== partner.feesSet) problem(`${partner.name}: ${partner.feesSet} fees were set, the feed has ${fees}`)
}

/** Everybody was told of every end once, by a webhook at most once, and the feed says how that went. */
export const judgeTold = async (evidence: Evidence): Promise<void> => {
  const { stage, tale, records, counts } = evidence
  counts['webhooks received'] = stage.receiver.delivered.length
  counts['secrets whose answer was lost'] = tale.partners.filter(({ webhookSecret }) => webhookSecret === null).length
  for (const partner of tale.partners) judgeFeed(evidence, partner, await allEvents(records, partner.partnerId))
}
