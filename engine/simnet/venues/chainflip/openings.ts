import { alteredTerms, type PayloadTerms, type Takes, takesFor } from '../../kit/lies.ts'
import { ok, Refusal, refuseIf } from '../../kit/refusal.ts'
import type { SimRequest, SimResponse } from '../../kit/simVenue.ts'
import type { World } from '../../kit/world.ts'
import { channelAddress } from './channels.ts'
import { takesVaultSwaps, vaultOn } from './networks.ts'
import { CHANNEL_MS, type Orders } from './orders.ts'
import { checkAmount } from './pricing.ts'
import { readChannelRequest, readVaultSwapRequest } from './requests.ts'
import { encodeVaultSwap } from './vaultSwap.ts'

const CHANNELS_MAX = 25
/** The State Chain's number of a block, and of the channels before ours. */
const FIRST_BLOCK = 9_100_200
const FIRST_CHANNEL = 4_312

export const refuseHalt = (takes: Takes, name: string): void =>
  refuseIf(takes('halt'), null, `Asset ${name} is disabled`, { status: 503 })

/** The two calls by which a swap begins. */
export const createOpenings = (world: World, venue: string, { orders, vaultKey }: { orders: Orders; vaultKey: Uint8Array }) => {
  const { clock, faults, market, tokens } = world
  let opened = 0

  /** What was asked for, altered where a fault says so. */
  const altered = (path: string, asked: ReturnType<typeof readChannelRequest>, contract: string): PayloadTerms => {
    const { pair, recipient, minPriceX128: minimum, amount } = asked
    const terms = { recipient, minimum, amount, contract }
    return alteredTerms(takesFor(faults, venue, path), terms, { origin: pair.src, destination: pair.dest })
  }

  const postChannel = async ({ body, path }: SimRequest): Promise<SimResponse> => {
    const asked = readChannelRequest(body, tokens)
    const { pair, amount, refundTo, retryBlocks } = asked
    refuseHalt(takesFor(faults, venue, path), pair.src.name)
    checkAmount(pair, amount, market)
    refuseIf(orders.openFor(pair, asked.recipient) >= CHANNELS_MAX, null, 'too many channels')
    opened += 1
    const number = FIRST_CHANNEL + opened
    const id = `${FIRST_BLOCK + opened}-${pair.src.chain}-${number}`
    const terms = altered(path, asked, await channelAddress(pair.src, number, vaultKey))
    const [openedAt, expiresAt] = [clock.now(), clock.now() + CHANNEL_MS]
    orders.open(
      { id, address: terms.contract, expected: terms.amount, openedAt, expiresAt },
      {
        ...pair,
        ...{ recipient: terms.recipient, refundTo, retryBlocks },
        minPriceX128: terms.minimum,
        brokerBps: 0,
        isVaultSwap: false,
      },
    )
    const answer = {
      id,
      depositAddress: terms.contract,
      brokerCommissionBps: 0,
      maxBoostFeeBps: 0,
      issuedBlock: FIRST_BLOCK + opened,
    }
    return ok({ ...answer, srcChainExpiryBlock: '964700', estimatedExpiryTime: expiresAt, channelOpeningFee: '0' }, 201)
  }

  const postVaultSwap = async ({ body, path }: SimRequest): Promise<SimResponse> => {
    const asked = readVaultSwapRequest(body, tokens)
    const { pair, amount, refundTo, retryBlocks, brokerBps, broker } = asked
    refuseHalt(takesFor(faults, venue, path), pair.src.name)
    checkAmount(pair, amount, market)
    const vault = vaultOn(pair.src.chainId)
    if (vault === null || !takesVaultSwaps(pair.src))
      throw new Refusal(null, `Asset ${pair.src.name} is disabled`, { status: 503 })
    const terms = altered(path, asked, vault)
    return ok(await encodeVaultSwap(pair, { ...terms, refundTo, retryBlocks, brokerBps, broker, minPriceX128: terms.minimum }))
  }

  return { postChannel, postVaultSwap }
}
