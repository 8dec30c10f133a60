import { keccakText } from '../../chains/evm/evmCodec.ts'
import { isNonceUnspent } from '../../chains/evm/permit2.ts'
import type { ExecutedSwap, SwapKey } from '../../core/swap.ts'
import { paidOnDelivery } from '../kit/feeCustody.ts'
import { PERMIT2_CHECK, PLAIN_PROFILE, PLAIN_VENUE } from '../kit/plain.ts'
import { addressIn, FEE_RECIPIENT } from '../kit/settings.ts'
import type { Venue, VenueConfig, VenueDefinition, VenuePorts, VenueProfile } from '../venue.ts'
import { createBuild } from './build.ts'
import { createZeroxClient } from './client.ts'
import { createDecode } from './decode.ts'
import { createEvents } from './events.ts'
import { SLIPPAGE_RULE } from './map.ts'
import { createPermits } from './permits.ts'
import { createPins } from './pins.ts'
import { chainIn, contractsOf, PUBLIC_BASE_URL, SETTINGS, serves } from './published.ts'
import { createQuote } from './quote.ts'
import { createSettlers } from './settlers.ts'
import { createSubmitter } from './submit.ts'
import { createTracker } from './track.ts'
import { tradeMessageShape } from './wire.ts'

/** By the hash of a trade, or by all bytes of a call: 0x puts a nonce or an id of its own into each. */
const keysOf = async ({ execution: { payload, venueRef } }: ExecutedSwap): Promise<readonly SwapKey[]> => {
  const value = payload.executionType === 'TRANSACTION' ? keccakText(payload.transaction.data) : venueRef
  return value === null ? [] : [{ kind: 'orderId', value }]
}

const PROFILE = {
  ...PLAIN_PROFILE,
  id: 'zerox',
  name: '0x',
  serves,
  // A trade. Of its permits, USDC's is checked by the signer's code, too: `EIP2612.sol` of circlefin/stablecoin-evm.
  signatureChecks: [PERMIT2_CHECK],
  slippage: () => SLIPPAGE_RULE,
  toldApartBy: keysOf,
  // For a free key, over all calls together: https://docs.0x.org/introduction/rate-limits
  limits: { requestsPerSecond: 5, coverStatus: true },
  // A recorded trade could be filled for an hour; a call can be sent for some minutes.
  deadlineMsMax: 65 * 60_000,
} satisfies Partial<VenueProfile>

const create = (config: VenueConfig, { http, chains, clock, notice }: VenuePorts): Venue => {
  const feeRecipient = addressIn(config, FEE_RECIPIENT)
  const client = createZeroxClient(config, http)
  const settlers = createSettlers(config)

  const permits = createPermits(clock)

  return {
    ...PLAIN_VENUE,
    profile: {
      ...PROFILE,
      contracts: contractsOf(settlers.allowanceHolders),
      feeRecipient: () => feeRecipient,
      // An action of the call, before the output check: `src/core/Basic.sol` of 0x-settler
      feeCustody: () => paidOnDelivery('output', feeRecipient),
    },
    quote: createQuote(client, { settlers, feeRecipient, permits, chains, clock, notice }),
    execute: createBuild(client, { settlers, feeRecipient }, permits),
    decode: createDecode({ settlers, feeRecipient }),
    submitter: createSubmitter(client),
    tracker: createTracker(client),
    events: createEvents(settlers),
    pins: createPins(chains, settlers),
    unfilled: {
      // A trade uses a nonce of its signer for its input.
      isUnfilled: async ({ order, execution: { payload } }, signal) => {
        const chainId = chainIn(order)
        if (chainId === null || payload.executionType !== 'SIGNATURE') return false
        const nonce = BigInt(tradeMessageShape.read(payload.typedData.message).nonce)
        return isNonceUnspent(chains, { chainId, owner: order.sender, nonce }, signal)
      },
    },
  }
}

/**
 * 0x: an aggregator of pools and market makers, same chain only. Tokens are sold by a signed trade where a signature is enough.
 * Other inputs, like coins, need a transaction to AllowanceHolder. https://docs.0x.org
 */
export const zerox: VenueDefinition = {
  id: 'zerox',
  publicBaseUrl: PUBLIC_BASE_URL,
  needsKey: true,
  settings: [FEE_RECIPIENT, ...Object.values(SETTINGS)],
  create,
}
