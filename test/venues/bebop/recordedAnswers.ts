import type { ChainId } from '../../../engine/core/chain.ts'
import { recordedAnswer, recordedOrder } from '../../support/recordedAnswers.ts'
import { takenThrough } from '../../support/venueKit/calls.ts'
import recordings from './recordings.json' with { type: 'json' }
import { cannedBebop, chainsNaming, LIVE_SIGNER } from './support.ts'

type Recorded = (typeof recordings)[number]

/** Only the calldata of each answer is recorded; the other fields follow the documentation and match the calldata. */
export const bodyOf = ({ to, data, value, wallet, recipient, sell, buy, sold, bought, expiry, chainId }: Recorded) => ({
  ...{ status: 'SIG_SUCCESS', quoteId: '121-74750553856800868450742703064218335142', chainId, taker: wallet },
  ...{ receiver: recipient, expiry, settlementAddress: to, approvalTarget: to },
  buyTokens: { [buy]: { amount: bought } },
  sellTokens: { [sell]: { amount: sold } },
  tx: { to, value, data, from: wallet, gas: 102_000 },
})

export const accept = (recorded: Recorded) => async (): Promise<void> => {
  const { wallet, recipient, sell, buy, sold, expiry } = recorded
  const chainId = recorded.chainId as ChainId
  const now = expiry * 1_000 - 9_000
  // Coins are sold in the same way by the default settings.
  const settings = 'setting' in recorded ? { TOKENS_BY: 'rfq' } : undefined
  const options = { ...(settings && { settings }), chains: chainsNaming(LIVE_SIGNER), now: () => now }
  const { venue } = cannedBebop(() => ({ body: bodyOf(recorded) }), options)
  await takenThrough(venue, recordedOrder({ wallet, recipient, from: [chainId, sell], to: [chainId, buy] }, sold, 50), now)
}

export const recordedAnswers = recordings.map((row) => recordedAnswer(row, accept(row)))
