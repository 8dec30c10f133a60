import type { ChainId } from '../../core/chain.ts'
import type { Hex, PayloadClaims } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { VenueError } from '../venueError.ts'
import { type CodeOf, type Delivery, readDelivery } from './delivery.ts'
import { fromWireChain } from './published.ts'

/** What every deposit says of the other chain. Times are unix seconds. */
export type StatedOutput = {
  readonly outputToken: Hex
  readonly outputAmount: bigint
  readonly recipient: Hex
  readonly destinationChainId: bigint
  readonly quoteTimestamp: number
  readonly fillDeadline: number
  readonly message: Hex
}

/** What is needed besides the bytes. `now`, epoch ms, bounds the age of the quote inside. */
export type DecodePorts = { readonly now: number; readonly codeOf: CodeOf }

const QUOTE_AGE_SECONDS_MAX = 3_600
const QUOTE_AHEAD_SECONDS_MAX = 600

export type OutputClaims = {
  readonly destination: ChainId
  readonly delivery: Delivery
  readonly claims: Pick<PayloadClaims, 'nativeFee' | 'output' | 'recipient' | 'fee' | 'deadlineAt' | 'unread'>
}

/** What the fill of a deposit comes to. Throws VenueError when its chain is none that is served. */
export const readOutput = async (stated: StatedOutput, { now, codeOf }: DecodePorts): Promise<OutputClaims> => {
  const destination = fromWireChain(stated.destinationChainId)
  if (destination === null) throw new VenueError('badResponse', 'a destination chain Across does not serve')
  const delivery = await readDelivery({ ...stated, chainId: destination }, codeOf)
  const { output, recipient, fee } = delivery
  const ageSeconds = now / 1_000 - stated.quoteTimestamp
  // A SpokePool refuses quotes older than an hour; one from the future would sit until its time comes.
  const isTimely = ageSeconds <= QUOTE_AGE_SECONDS_MAX && ageSeconds >= -QUOTE_AHEAD_SECONDS_MAX
  const claims = {
    nativeFee: 0n,
    output: { asset: { chainId: destination, address: output.address }, minimum: output.amount },
    recipient,
    fee,
    deadlineAt: stated.fillDeadline * 1_000,
    unread: [...failing({ 'quote timestamp': isTimely }), ...delivery.unread],
  }
  return { destination, delivery, claims }
}
