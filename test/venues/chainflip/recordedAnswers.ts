import { toAmount } from '../../../engine/core/amount.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { checkOffer } from '../../../engine/quoting/offerRules.ts'
import { WIRE_ASSETS } from '../../../engine/venues/chainflip/protocol.ts'
import { chainflip } from '../../../engine/venues/chainflip/venue.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { proveCall, type RecordedRow, type RecordedSwap, recordedAnswer, recordedOrder } from '../../support/recordedAnswers.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { never } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import recordings from './recordings.json' with { type: 'json' }
import { VAULT } from './support.ts'

/** Published recordings contain prices, calls and shortened statuses, but no opened channel. */
type Assets = { readonly [name: string]: readonly [ChainId, string] }
type Wire = { readonly chain: string; readonly asset: string }
const RECIPIENTS = { '1': WALLETS.evmOther, '-1': WALLETS.bitcoin, '-2': WALLETS.solana }

const orderOf = (src: Wire, dest: Wire, amount: string): VenueOrder => {
  const assets = recordings.assets as unknown as Assets
  const [from, to] = [src, dest].map(({ chain, asset }) => assets[`${chain} ${asset}`])
  if (!from || !to) throw new Error('no such asset')
  const recipient = RECIPIENTS[`${to[0]}` as keyof typeof RECIPIENTS]
  return anOrder({ from, to, amount: BigInt(amount), recipient, slippageBps: 200 })
}

const priced = async ([body]: (typeof recordings.quotes)[number]['answer'], answer: unknown): Promise<void> => {
  if (!body) throw new Error('no price')
  const on = { depositChannelDepositsEnabled: true, depositChannelCreationEnabled: true, egressEnabled: true }
  const assets = WIRE_ASSETS.map(({ name: asset }) => ({ asset, vaultSwapDepositsEnabled: true, ...on }))
  const { venue } = canned(chainflip, ({ path }) => {
    if (path === '/api/networkInfo') return { body: { assets } }
    return { body: path === '/v2/quote' ? answer : { result: { ethereum: { Eth: VAULT.ethereum } } } }
  })
  const order = orderOf(body.srcAsset, body.destAsset, body.depositAmount)
  const offer = checkOffer({
    ...{ offer: await venue.quote(order, never()), order, asked: order },
    ...{ profile: venue.profile, now: START_OF_TIME },
  })
  if (String(offer.outputAmount) !== body.egressAmount) throw new Error(`offers ${offer.outputAmount}`)
}

const followed = async ({ answer, told, parties }: (typeof recordings.reports)[number]): Promise<void> => {
  const { srcChain, srcAsset, destChain, destAsset, deposit } = answer
  const order = orderOf({ chain: srcChain, asset: srcAsset }, { chain: destChain, asset: destAsset }, deposit.amount)
  const { venue } = canned(chainflip, () => ({ body: answer }))
  const execution = {
    ...{ payload: {}, venueRef: null, evidence: null, slippage: null },
    ...{ outputAmount: toAmount(1n), carry: { v: 1, channelId: null } },
  }
  const executed = { order, offer: {}, binding: { ...order, ...parties }, execution } as never
  const { chainId } = order.input
  const ref = chainId === -2 ? '5'.repeat(88) : chainId === -1 ? 'ab'.repeat(32) : `0x${'ab'.repeat(32)}`
  const word = await venue.tracker?.track(ref, { order, offer: {} as never, executed }, never())
  if (word?.state !== told) throw new Error(`${word?.state} in place of ${told}`)
}

type Call = RecordedRow &
  RecordedSwap & { readonly [name in 'amount' | 'vault' | 'data' | 'delivers']: string } & { readonly value?: string }

/** Nothing is told of what the network takes for sending: it counts as nothing here. */
const proved = async ({ amount, vault, value = '0', ...call }: Call): Promise<void> => {
  const { venue } = canned(chainflip, () => ({ status: 500, body: {} }))
  const evidence = { v: 1, ingress: '0', egress: '0' }
  await proveCall(venue, recordedOrder(call, amount, 200), START_OF_TIME, { ...call, to: vault, value }, { evidence })
}

export const recordedAnswers = [
  ...(recordings.calls as unknown as readonly Call[]).map((row) => recordedAnswer(row, () => proved(row))),
  ...recordings.quotes.map((row) => recordedAnswer(row as RecordedRow, () => priced(row.answer, row.answer))),
  ...recordings.reports.map((row) => recordedAnswer(row, () => followed(row))),
]
