import type { Hex, PayloadClaims } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { covers, type Sum } from '../../core/peg.ts'
import { addressOfWord, type CodeOf, type DepositTimes, timeProblems } from '../kit/spokePools.ts'
import { rejected } from '../venueError.ts'
import { type Delivery, readDelivery } from './delivery.ts'
import { fromWireChain, type Pinned } from './published.ts'

/** The values of every deposit for the destination chain. */
export type StatedOutput = DepositTimes & {
  readonly outputToken: Hex
  readonly outputAmount: bigint
  readonly recipient: Hex
  readonly destinationChainId: bigint
  readonly message: Hex
}

/** Inputs of decoding besides the bytes. `now`, epoch ms, bounds the age of the quote inside. */
export type DecodePorts = { readonly now: number; readonly codeOf: CodeOf; readonly pinned: Pinned }

export type OutputClaims = {
  readonly delivery: Delivery
  readonly claims: Pick<PayloadClaims, 'nativeFee' | 'output' | 'recipient' | 'fee' | 'deadlineAt' | 'unread'>
}

/** The result of a fill. `deposited`: the least deposit, which the relayer gets. Throws VenueError for an unserved chain. */
export const readOutput = async (stated: StatedOutput, deposited: Sum, ports: DecodePorts): Promise<OutputClaims> => {
  const destination = fromWireChain(stated.destinationChainId)
  if (destination === null)
    throw rejected('destinationChain', 'a destination chain Across does not serve', stated.destinationChainId)
  const delivery = await readDelivery({ ...stated, chainId: destination }, ports)
  const { output, recipient, fee } = delivery
  const outputToken = addressOfWord(destination, stated.outputToken)
  const claims = {
    nativeFee: 0n,
    output: { asset: { chainId: destination, address: output.address }, minimum: output.amount },
    recipient,
    fee,
    deadlineAt: stated.fillDeadline * 1_000,
    unread: [
      ...timeProblems(stated, ports.now),
      ...failing({
        // A relayer is paid the deposit, in any form of the token. It fills no deposit that pays less than its output.
        'an output nobody fills':
          outputToken !== null &&
          stated.outputAmount > 0n &&
          covers(deposited, { asset: { chainId: destination, address: outputToken }, amount: stated.outputAmount }),
      }),
      ...delivery.unread,
    ],
  }
  return { delivery, claims }
}
