import type { Asset } from '../../core/asset.ts'
import type { Hex, PayloadClaims } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { VenueError } from '../venueError.ts'
import { covers } from './bridgeTokens.ts'
import { addressOfWord, type CodeOf, type Delivery, readDelivery } from './delivery.ts'
import { fromWireChain } from './published.ts'

/** What every deposit says of the other chain. Times are unix seconds. */
export type StatedOutput = {
  readonly outputToken: Hex
  readonly outputAmount: bigint
  readonly recipient: Hex
  readonly destinationChainId: bigint
  readonly quoteTimestamp: number
  readonly fillDeadline: number
  /** Who alone may fill at first, 32 bytes or an address; zeros for anybody. */
  readonly exclusiveRelayer: Hex
  /** For how long: seconds from the deposit, or the time itself. */
  readonly exclusivityParameter: number
  readonly message: Hex
}

/** The least that is deposited: what a relayer gets for the output. */
export type Deposited = Asset & { readonly amount: bigint }

/** What is needed besides the bytes. `now`, epoch ms, bounds the age of the quote inside. */
export type DecodePorts = { readonly now: number; readonly codeOf: CodeOf }

const QUOTE_AGE_SECONDS_MAX = 3_600
const QUOTE_AHEAD_SECONDS_MAX = 600

/** A refund takes an hour or two: a deposit that nobody has the time to fill is no offer. */
const FILL_SECONDS_MIN = 600

/** So long a relayer may keep all others from filling. Across's own answers say five seconds. */
const EXCLUSIVE_SECONDS_MAX = 300
/** MAX_EXCLUSIVITY_PERIOD_SECONDS of SpokePool.sol: what is more is a time. */
export const PERIOD_SECONDS_MAX = 31_536_000

const isNobody = (relayer: Hex): boolean => /^0x0*$/.test(relayer)

/** Whether a deposit is for anybody to fill, but for a moment. A pool refuses one that is exclusive to nobody. */
const isOpen = (
  { exclusiveRelayer, exclusivityParameter: parameter, fillDeadline }: StatedOutput,
  nowSeconds: number,
): boolean => {
  if (parameter === 0) return true
  const seconds = parameter > PERIOD_SECONDS_MAX ? parameter - nowSeconds : parameter
  return !isNobody(exclusiveRelayer) && seconds <= EXCLUSIVE_SECONDS_MAX && nowSeconds + seconds < fillDeadline
}

export type OutputClaims = {
  readonly delivery: Delivery
  readonly claims: Pick<PayloadClaims, 'nativeFee' | 'output' | 'recipient' | 'fee' | 'deadlineAt' | 'unread'>
}

/** What the fill of a deposit comes to. Throws VenueError when its chain is none that is served. */
export const readOutput = async (
  stated: StatedOutput,
  deposited: Deposited,
  { now, codeOf }: DecodePorts,
): Promise<OutputClaims> => {
  const destination = fromWireChain(stated.destinationChainId)
  if (destination === null) throw new VenueError('badResponse', 'a destination chain Across does not serve')
  const delivery = await readDelivery({ ...stated, chainId: destination }, codeOf)
  const { output, recipient, fee } = delivery
  const ageSeconds = now / 1_000 - stated.quoteTimestamp
  // A SpokePool refuses quotes older than an hour; one from the future would sit until its time comes.
  const isTimely = ageSeconds <= QUOTE_AGE_SECONDS_MAX && ageSeconds >= -QUOTE_AHEAD_SECONDS_MAX
  const outputToken = addressOfWord(destination, stated.outputToken)
  const claims = {
    nativeFee: 0n,
    output: { asset: { chainId: destination, address: output.address }, minimum: output.amount },
    recipient,
    fee,
    deadlineAt: stated.fillDeadline * 1_000,
    unread: [
      ...failing({
        'quote timestamp': isTimely,
        'time to fill it': stated.fillDeadline >= now / 1_000 + FILL_SECONDS_MIN,
        exclusivity: isOpen(stated, now / 1_000),
        // A relayer is paid what was deposited, in any form of the token: for less than it hands out it does not fill.
        'an output nobody fills':
          outputToken !== null &&
          stated.outputAmount > 0n &&
          covers(deposited, { chainId: destination, address: outputToken, amount: stated.outputAmount }),
      }),
      ...delivery.unread,
    ],
  }
  return { delivery, claims }
}
