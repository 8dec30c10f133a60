import { recoverTypedDataAddress } from 'viem'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import type { Offer } from '../../../engine/core/offer.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { orderTypedData, SETTLEMENT } from '../../../engine/venues/cow/protocol.ts'
import { anOrder } from '../../support/anOrder.ts'
import { type RecordedAnswer, recordedAnswer } from '../../support/recordedAnswers.ts'
import { never, takenThrough } from '../../support/venueKit/calls.ts'
import recordings from './recordings.json' with { type: 'json' }
import { cannedCow } from './support.ts'

/** `POST /quote` of a live order book, as published. */
type LiveQuote = (typeof recordings.quotes)[number]['answer']

const evm = (text: string): Address => addressOf('evm', text.toLowerCase())

/** The order that the recorded quote was for: everything it spends, to whoever it names. */
const orderOf = (chainId: ChainId, { quote, from }: LiveQuote): VenueOrder =>
  anOrder({
    from: [chainId, quote.sellToken],
    to: [chainId, quote.buyToken],
    amount: BigInt(quote.sellAmount) + BigInt(quote.feeAmount),
    sender: evm(from),
    recipient: evm(quote.receiver ?? from),
  })

/**
 * Quote, build, decode and proof of a recorded price. The document that its asker named is exchanged for ours, as the
 * book repeats whatever document it is asked with; every other field is as recorded.
 */
const acceptQuote =
  (chainId: ChainId, live: LiveQuote): RecordedAnswer['run'] =>
  async () => {
    const now = Date.parse(live.expiration.replace(/(\.[0-9]{3})[0-9]+Z$/, '$1Z')) - 30_000
    const { venue } = cannedCow(
      ({ body }) => {
        const { appData, appDataHash } = body as { appData: string; appDataHash: string }
        return { body: { ...live, quote: { ...live.quote, appData, appDataHash } } }
      },
      { now: () => now },
    )
    const { offer } = await takenThrough(venue, orderOf(chainId, live), now)
    if (offer.outputAmount !== BigInt(live.quote.buyAmount)) throw new Error(`offers ${offer.outputAmount}`)
  }

/** `GET /orders/{uid}` of a live order book. */
type LiveOrder = (typeof recordings.orders)[number]['answer'] & { readonly appData: Hex; readonly signature: Hex }

const signerOf = (chainId: ChainId, { signature, ...order }: LiveOrder): Promise<Hex> => {
  const [sellToken, buyToken, receiver] = [order.sellToken, order.buyToken, order.receiver].map(evm) as [
    Address,
    Address,
    Address,
  ]
  const amounts = { sellAmount: BigInt(order.sellAmount), buyAmount: BigInt(order.buyAmount) }
  const { validTo, appData } = order
  const terms = { sellToken, buyToken, receiver, ...amounts, validTo, appData }
  const typedData = orderTypedData({ chainId, settlement: SETTLEMENT }, terms)
  return recoverTypedDataAddress({ ...typedData, signature } as unknown as Parameters<typeof recoverTypedDataAddress>[0])
}

/** A live order is followed by nothing but its UID, and its signature is by its owner over what we would have built. */
const acceptOrder =
  (chainId: ChainId, live: LiveOrder): RecordedAnswer['run'] =>
  async () => {
    const { venue } = cannedCow(({ path }) => ({ body: path.endsWith('/status') ? { type: 'open' } : live }))
    const order = anOrder({
      from: [chainId, live.sellToken],
      to: [chainId, live.buyToken],
      amount: BigInt(live.sellAmount),
      sender: evm(live.owner),
      recipient: evm(live.receiver),
    })
    const slippage = { isFirm: true, guaranteedMin: toAmount(BigInt(live.buyAmount)) }
    const offer = { executionType: 'SIGNATURE', slippage } as Partial<Offer> as Offer
    const told = await venue.tracker?.track(live.uid, { order, offer, executed: null }, never())
    if (told?.state !== 'pending') throw new Error(`told as ${told?.state}`)
    const signer = await signerOf(chainId, live)
    if (signer.toLowerCase() !== live.owner) throw new Error(`signed by ${signer}`)
  }

const { quotes, orders } = recordings

export const recordedAnswers: readonly RecordedAnswer[] = [
  ...quotes.map(({ chainId, answer, ...row }) => recordedAnswer(row, acceptQuote(chainId as ChainId, answer))),
  ...orders.map(({ chainId, answer, ...row }) => recordedAnswer(row, acceptOrder(chainId as ChainId, answer as LiveOrder))),
]
