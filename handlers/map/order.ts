import type { Address } from '../../engine/core/address.ts'
import { type Amount, parseAmount } from '../../engine/core/amount.ts'
import { type Asset, isSameAsset, parseAsset } from '../../engine/core/asset.ts'
import type { ChainId } from '../../engine/core/chain.ts'
import { type Order, resolveParties } from '../../engine/core/order.ts'
import { notAToken, readWalletAddress } from '../../engine/core/walletAddress.ts'
import type { FieldProblem } from '../../engine/errors.ts'
import { invalidRequest } from '../../engine/errors.ts'
import type { components } from '../../generated/api.d.ts'

type QuoteRequest = components['schemas']['QuoteRequest']

/** Reads the fields of one request and remembers each that cannot be taken, in the order they were read. */
class FieldReader {
  readonly problems: FieldProblem[] = []

  refuse(path: string, reason: string): null {
    this.problems.push({ path, reason })
    return null
  }

  asset(path: string, chainId: ChainId, raw: string): Asset | null {
    return parseAsset(chainId, raw) ?? this.refuse(path, notAToken(chainId, raw))
  }

  amount(path: string, raw: string): Amount | null {
    return parseAmount(raw) ?? this.refuse(path, 'must be at most 2^256 - 1')
  }

  wallet(path: string, chainId: ChainId, raw: string | undefined): Address | null {
    if (raw === undefined) return null
    const read = readWalletAddress(chainId, raw)
    return 'address' in read ? read.address : this.refuse(path, read.problem)
  }

  venues(path: string, ids: readonly string[], known: readonly string[]): readonly string[] {
    ids.forEach((id, i) => {
      if (!known.includes(id)) this.refuse(`${path}[${i}]`, `is not a venue; known ids: ${known.join(', ')}`)
    })
    return ids
  }
}

/**
 * The order of a quote request. Throws INVALID_REQUEST with every invalid field. The integrator fee stays zero: the engine sets
 * it from the caller.
 */
export const toOrder = (body: QuoteRequest, venueIds: readonly string[]): Order => {
  const fields = new FieldReader()
  const input = fields.asset('inputToken', body.inputChainId, body.inputToken)
  const output = fields.asset('outputToken', body.outputChainId, body.outputToken)
  if (input && output && isSameAsset(input, output)) fields.refuse('outputToken', 'must differ from inputToken')
  const inputAmount = fields.amount('inputAmount', body.inputAmount)
  const sender = fields.wallet('userAddress', body.inputChainId, body.userAddress)
  const recipient = fields.wallet('destinationAddress', body.outputChainId, body.destinationAddress)
  const refundTo = fields.wallet('refundAddress', body.inputChainId, body.refundAddress)
  const excludeVenues = fields.venues('excludeVenues', body.excludeVenues ?? [], venueIds)
  if (fields.problems.length > 0 || !input || !output || !inputAmount || !sender) throw invalidRequest(fields.problems)
  return {
    input,
    output,
    inputAmount,
    sender,
    ...resolveParties({ input, output }, sender, { recipient, refundTo }),
    slippageBps: body.slippageBps ?? null,
    feeBps: 0,
    rankingMode: body.rankingMode ?? 'best_output',
    sandbox: body.sandbox ?? false,
    excludeVenues,
    broadcastViaService: body.broadcastViaService ?? false,
  }
}
