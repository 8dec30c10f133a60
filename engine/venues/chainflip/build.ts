import { toAmount } from '../../core/amount.ts'
import type { Execution } from '../../core/execution.ts'
import { addressIn } from '../kit/addresses.ts'
import { claimProblems } from '../kit/claimProblems.ts'
import { demand } from '../kit/demand.ts'
import { checkId, rejected } from '../venueError.ts'
import type { ChainflipClient } from './client.ts'
import { type DecodePorts, decode } from './decode.ts'
import { countedFees, type Terms, toChannelRequest, toVaultSwapRequest, type Wish } from './map.ts'
import type { Evidence, OpenedChannel, SwapReport, TrackingCarry } from './wire.ts'

export type BuildPorts = DecodePorts & {
  readonly client: Pick<ChainflipClient, 'openChannel' | 'encodeVaultSwap' | 'swap'>
  readonly now: number
  readonly signal: AbortSignal
}

/** An order with its current price, and the least delivery. */
export type Priced = { readonly wish: Wish; readonly terms: Terms; readonly guaranteedMin: bigint }

type Built = Pick<Execution, 'payload' | 'venueRef' | 'evidence' | 'carry'>

const evidenceOf = ({ terms }: Priced): Evidence => {
  const { ingress, egress } = countedFees(terms)
  return { v: 1, ingress: ingress.toString(), egress: egress.toString() }
}

const buildCall = async (priced: Priced, { client, broker, signal }: BuildPorts): Promise<Built> => {
  const { order, pair } = priced.wish
  const answer = await client.encodeVaultSwap(toVaultSwapRequest(priced.wish, broker?.name ?? null), signal)
  demand('chainflip answered with', { 'another chain': answer.chain === pair.input.chain })
  const { chainId } = order.input
  const transaction = {
    chainId,
    to: addressIn(chainId, answer.to.toLowerCase(), 'the vault'),
    data: answer.calldata.toLowerCase(),
    value: toAmount(BigInt(answer.value)),
  }
  const carry: TrackingCarry = { v: 1, channelId: null }
  return { payload: { executionType: 'TRANSACTION', transaction }, venueRef: null, evidence: evidenceOf(priced), carry }
}

/** Decimals of a price in the venue's books: the default of BigNumber of bignumber.js. */
const BOOKED_DIGITS = 20

/** A decimal price of whole units as one of smallest units, in units of 10^-20: the books round beyond that. */
const bookedPrice = (text: string, shift: number): bigint => {
  const [whole = '', fraction = ''] = text.split('.')
  const digits = fraction.padEnd(BOOKED_DIGITS + 40, '0')
  const scaled = BigInt(`${whole}${digits}`)
  const places = digits.length - BOOKED_DIGITS - shift
  return places >= 0 ? scaled / 10n ** BigInt(places) : scaled * 10n ** BigInt(-places)
}

/** Whether the venue's books have the requested price, within their precision, rounded either way. */
const isBookedPrice = (told: string, { minPriceX128, pair }: Wish): boolean => {
  const booked = bookedPrice(told, pair.output.decimals - pair.input.decimals)
  const asked = (minPriceX128 * 10n ** BigInt(BOOKED_DIGITS)) >> 128n
  const apart = booked > asked ? booked - asked : asked - booked
  return apart <= 1n
}

/** A channel with less life left is not handed out: a late deposit is lost. */
const LIFE_MS_MIN = 60 * 60_000

/** No derivation shows the instructions behind an address. This reads them from the venue's public books. */
const checkChannel = (opened: OpenedChannel, report: SwapReport | null, { wish }: Priced, now: number): void => {
  const { order, pair, binding } = wish
  const { depositChannel, destAddress, fillOrKillParams } = report ?? {}
  demand('chainflip opened a channel with', {
    'a commission of another broker': [opened.brokerCommissionBps === 0, opened.brokerCommissionBps],
    'a fee for a boost': [opened.maxBoostFeeBps === 0, opened.maxBoostFeeBps],
    'too little time': opened.estimatedExpiryTime >= now + LIFE_MS_MIN,
    'no entry in the books': report !== null,
  })
  demand('chainflip has in its books', {
    'another channel': depositChannel?.id === opened.id,
    'another address': depositChannel?.depositAddress.toLowerCase() === opened.depositAddress.toLowerCase(),
    'another state': report?.state === 'WAITING' && depositChannel?.isExpired === false,
    'another input token': report?.srcChain === pair.input.chain && report.srcAsset === pair.input.symbol,
    'another output token': report?.destChain === pair.output.chain && report.destAsset === pair.output.symbol,
    'another recipient': addressIn(order.output.chainId, destAddress ?? '', 'the recipient') === binding.recipient,
    'another refund address':
      addressIn(order.input.chainId, fillOrKillParams?.refundAddress ?? '', 'the refund address') === binding.refundTo,
    'another minimum price': isBookedPrice(fillOrKillParams?.minPrice ?? '0', wish),
  })
}

/** Opens exactly one channel. A channel that fails a check is handed to no caller, and is not replaced. */
const openChannel = async (priced: Priced, { client, now, signal }: BuildPorts): Promise<Built> => {
  const { order, pair, binding, minPriceX128 } = priced.wish
  const opened = await client.openChannel(toChannelRequest(priced.wish), signal)
  checkChannel(opened, await client.swap(opened.id, signal), priced, now)
  const { chainId } = order.input
  const address = addressIn(chainId, opened.depositAddress, 'the deposit address')
  const evidence: Evidence = {
    ...evidenceOf(priced),
    channel: {
      id: opened.id,
      src: pair.input.symbol,
      dest: { chain: pair.output.chain, asset: pair.output.symbol },
      destAddress: binding.recipient,
      refundAddress: binding.refundTo,
      minPriceX128: minPriceX128.toString(),
      expiresAt: opened.estimatedExpiryTime,
    },
  }
  const carry: TrackingCarry = { v: 1, channelId: opened.id }
  const payload = { executionType: 'DEPOSIT', deposit: { chainId, address, amount: order.inputAmount } } as const
  return { payload, venueRef: address, evidence, carry }
}

/** Builds a call, or opens a channel, and checks its effect against the request. Throws VenueError. */
export const build = async (priced: Priced, ports: BuildPorts): Promise<Execution> => {
  const { wish, terms, guaranteedMin } = priced
  const built = wish.isVaultSwap ? await buildCall(priced, ports) : await openChannel(priced, ports)
  const slippage = { isFirm: true, guaranteedMin: toAmount(guaranteedMin) }
  const execution = { ...built, outputAmount: terms.outputAmount, slippage }
  const claims = await decode(execution, ports)
  const { payload } = built
  const paid = payload.executionType === 'DEPOSIT' ? payload.deposit.address : claims.pays
  const problems = claimProblems(claims, { ...wish, minimum: guaranteedMin, expected: terms.outputAmount })
  const all = paid === claims.pays ? problems : [...problems, 'another deposit address']
  if (all.length > 0) throw rejected(checkId(all[0] ?? ''), `chainflip answered with ${all.join(', ')}`)
  return execution
}
