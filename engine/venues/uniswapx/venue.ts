import { isNonceUnspent, PERMIT2 } from '../../chains/evm/permit2.ts'
import { ZERO_EVM_ADDRESS } from '../../core/address.ts'
import type { Binding, Execution } from '../../core/execution.ts'
import type { VenueOrder } from '../../core/order.ts'
import { contractPins } from '../kit/chainReads.ts'
import { paidOnDelivery } from '../kit/feeCustody.ts'
import { firm, PERMIT2_CHECK, PLAIN_EXECUTION, PLAIN_PROFILE, PLAIN_VENUE } from '../kit/plain.ts'
import { openWithin } from '../kit/reprice.ts'
import { addressesByChainSetting, addressesIn, addressesOn, addressesSetting, addressIn, FEE_RECIPIENT } from '../kit/settings.ts'
import type { Venue, VenueConfig, VenueDefinition, VenuePorts, VenueProfile } from '../venue.ts'
import { VenueError } from '../venueError.ts'
import { createUniswapXClient } from './client.ts'
import { createDecode } from './decode.ts'
import { createEvents, orderOf } from './events.ts'
import { networkFor, type Priced, readPriced, SLIPPAGE_RULE, toOffer, toQuoteRequest } from './map.ts'
import { networkOf, type Routing } from './protocol.ts'
import { contractsOf, ORDER_CHAIN_IDS, PUBLIC_BASE_URL, reactorsWith, serves } from './published.ts'
import { createSubmitter } from './submit.ts'
import { createTracker } from './track.ts'
import { offerCarryShape } from './wire.ts'

/**
 * The API makes orders of minutes, and accepts some of a day. The exclusive right that a cosigner may give a filler, and the
 * signature itself, end then at the latest.
 */
const DEADLINE_MS_MAX = 60 * 60_000

const COSIGNER = addressesSetting('COSIGNER', 'those that cosign orders')
const REACTORS = addressesByChainSetting('REACTORS', 'newer reactors on chains of UniswapX', (id) => networkOf(id) !== null)

const PROFILE = {
  ...PLAIN_PROFILE,
  id: 'uniswapx',
  name: 'UniswapX',
  serves,
  // The order service accepts no other length: `SIGNATURE_JOI`, lib/util/field-validator.ts of Uniswap/uniswapx-service.
  signatureChecks: [{ ...PERMIT2_CHECK, bytes: 65 }],
  slippage: () => SLIPPAGE_RULE,
  // https://developers.uniswap.org, FAQ; older pages state 3. Per key.
  limits: { requestsPerSecond: 6, coverStatus: true },
  deadlineMsMax: DEADLINE_MS_MAX,
  // The hash of the order, with the venue's nonce.
  toldApartBy: async ({ execution: { venueRef } }) => (venueRef === null ? [] : [{ kind: 'orderId', value: venueRef }]),
} satisfies Partial<VenueProfile>

const executionOf = ({ payload, orderId, routing, quote, ...price }: Priced): Execution => ({
  ...PLAIN_EXECUTION,
  payload,
  venueRef: orderId,
  ...firm(price),
  carry: { v: 1, routing, quote },
})

const create = (config: VenueConfig, { http, chains, clock }: VenuePorts): Venue => {
  const feeRecipient = addressIn(config, FEE_RECIPIENT)
  const reactorsOn = reactorsWith(addressesOn(config, REACTORS))
  const ours = { feeRecipient, cosigners: addressesIn(config, COSIGNER), reactorsOn }
  const client = createUniswapXClient(config, http)

  /** `quoted`: the offered kind, which is requested first. */
  const ask = async (order: VenueOrder, binding: Binding, slippageBps: number, signal: AbortSignal, quoted?: Routing) => {
    const network = networkFor(order)
    if (!serves(order)) throw new VenueError('unsupportedPair', 'not a token for another thing of its chain')
    if (binding.recipient === ZERO_EVM_ADDRESS)
      throw new VenueError('badRequest', 'the zero address is nobody', { party: 'recipient' })
    const { protocols } = network
    let declined: VenueError | null = null
    for (const protocol of quoted === 'DUTCH_V3' ? protocols.toReversed() : protocols) {
      const asked = { order, binding, slippageBps, network, protocol, ours }
      try {
        return await readPriced(await client.quote(toQuoteRequest(asked), order, signal), asked)
      } catch (error) {
        if (!(error instanceof VenueError && error.isDecline)) throw error
        declined ??= error
        if (declined.kind !== 'noLiquidity') break
      }
    }
    throw declined ?? new VenueError('noLiquidity', 'no kind of order is known here')
  }

  return {
    ...PLAIN_VENUE,
    profile: {
      ...PROFILE,
      contracts: contractsOf(reactorsOn),
      feeRecipient: () => feeRecipient,
      // An output of the signed order beside the recipient's, paid by its fill: https://developers.uniswap.org
      feeCustody: () => paidOnDelivery('output', feeRecipient),
    },
    quote: async (order, signal) => toOffer(await ask(order, order, order.slippageBps, signal), clock.now()),
    execute: async (sealed, binding, signal) => {
      const { routing } = offerCarryShape.read(sealed.offer.carry)
      const open = (slippageBps: number) => ask(sealed.order, binding, slippageBps, signal, routing)
      return executionOf(await openWithin(sealed, SLIPPAGE_RULE, { open, priceOf: (priced) => priced }))
    },
    decode: createDecode(ours),
    submitter: createSubmitter(client, clock),
    tracker: createTracker(client, clock),
    events: createEvents(reactorsOn),
    // Only the SDK publishes reactors: each is compared by its `permit2()`, src/reactors/BaseReactor.sol of Uniswap/UniswapX.
    pins: contractPins(chains, 'permit2() of a reactor', {
      data: '0x12261ee7',
      contracts: ORDER_CHAIN_IDS.flatMap((chainId) =>
        reactorsOn(chainId).map((address) => ({ chainId, address, pinned: PERMIT2 })),
      ),
    }),
    unfilled: {
      // The signer may invalidate the nonce before or after a fill. Only the Fill event shows the use of a spent nonce.
      isUnfilled: async (swap, signal) => {
        const network = networkOf(swap.order.input.chainId)
        const order = await orderOf(swap)
        if (network === null || order === null) return false
        const { chainId } = network
        return isNonceUnspent(chains, { chainId, owner: swap.order.sender, nonce: BigInt(order.nonce) }, signal)
      },
    },
  }
}

/**
 * UniswapX by the Uniswap Trading API: orders signed by Permit2 and filled by third parties within one chain.
 * https://developers.uniswap.org
 */
export const uniswapx: VenueDefinition = {
  id: 'uniswapx',
  publicBaseUrl: PUBLIC_BASE_URL,
  needsKey: true,
  settings: [FEE_RECIPIENT, COSIGNER, REACTORS],
  create,
}
