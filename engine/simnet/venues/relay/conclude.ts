import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { endWith, type RelayRequest } from './book.ts'
import type { Network } from './networks.ts'

/** The solver takes its own cost of sending out of a refund. */
const REFUND_COST_SATOSHI = 1_900n
/** Below it no node relays a payment. */
const DUST_SATOSHI = 546n
export const REFUND_MS = 30 * 60_000

type Payment = { readonly network: Network; readonly token: SimToken; readonly to: string; readonly amount: bigint }

const payOut = ({ evm, solana, bitcoin }: World, { network, token, to, amount }: Payment): Promise<string> => {
  const { chainId, address } = token
  switch (network.vm) {
    case 'evm':
      return evm.transfer({ chainId, token: address, to, amount })
    case 'svm':
      return solana.transfer({ token: address, to, amount })
    case 'bvm':
      return bitcoin.transfer({ to, amount })
  }
}

/**
 * `conclude` ends a request as its fate wants it, and `giveBack` returns what it was paid too much, unless that is not worth
 * a transaction: both by transactions on the chains. They reject where a chain refuses.
 */
export const createConclude = (world: World) => {
  const { clock, schedule } = world

  const sendBack = ({ request: { origin, input, refundTo, user } }: RelayRequest, paid: bigint): Promise<string> => {
    const amount = origin.vm === 'bvm' ? paid - REFUND_COST_SATOSHI : paid
    return payOut(world, { network: origin, token: input, to: refundTo ?? user, amount })
  }

  const refund = async (entry: RelayRequest, failReason: string): Promise<void> => {
    try {
      const hash = await sendBack(entry, entry.paid?.amount ?? 0n)
      entry.end = endWith('refund', { txHashes: [hash], failReason })
    } catch (error) {
      entry.end = endWith('failure', { failReason, refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND' })
      throw error
    }
  }

  const refundLater = (entry: RelayRequest, failReason: string): void => {
    entry.fate = { ends: 'refund', failReason }
    schedule.at(clock.now() + REFUND_MS, () => refund(entry, failReason))
  }

  const giveBack = async (entry: RelayRequest, amount: bigint): Promise<void> => {
    const least = entry.request.origin.vm === 'bvm' ? REFUND_COST_SATOSHI + DUST_SATOSHI : 1n
    if (amount >= least) await sendBack(entry, amount)
  }

  const fill = async (entry: RelayRequest, amount: bigint): Promise<void> => {
    const { destination, output, recipient } = entry.request
    try {
      const hash = await payOut(world, { network: destination, token: output, to: recipient, amount })
      entry.end = endWith('success', { txHashes: [hash], delivered: amount })
    } catch (error) {
      refundLater(entry, 'TRANSFER_FAILED')
      throw error
    }
    await giveBack(entry, (entry.paid?.amount ?? 0n) - entry.request.amount)
  }

  const conclude = async (entry: RelayRequest): Promise<void> => {
    const { fate } = entry
    switch (fate?.ends) {
      case 'success':
        if (!fate.isLie) return fill(entry, fate.amount)
        entry.end = endWith('success')
        return
      case 'refund':
        return refundLater(entry, fate.failReason)
      case 'failure':
        entry.end = endWith('failure', { failReason: fate.failReason, refundFailReason: fate.refundFailReason })
        return
      case 'unheardOf':
        entry.end = endWith('reviewing')
        return
    }
  }
  return { conclude, giveBack }
}
