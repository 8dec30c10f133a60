import { decodeFunctionData } from 'viem'
import type { ChainId } from '../../../engine/core/chain.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import { SINGLE_ABI } from '../../../engine/venues/bebop/abi.ts'
import { recordedAnswer, recordedOrder } from '../../support/recordedAnswers.ts'
import { takenThrough } from '../../support/venueKit/calls.ts'
import { cannedBebop, LIVE_SIGNER, ROUTER } from './support.ts'
import vectors from './vectors.json' with { type: 'json' }

const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
const WBTC = '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599'

/** What was bought of whom, as the recorded calldata says. */
type Recorded = {
  readonly chainId: ChainId
  readonly to: string
  readonly data: string
  readonly wallet: string
  readonly sell: string
  readonly buy: string
  readonly sold: bigint
  readonly bought: bigint
  readonly expiry: number
}

/** Of a recorded answer its calldata is kept: the rest is as documented, and says what the calldata does. */
const accept = (recorded: Recorded) => async (): Promise<void> => {
  const { chainId, to, data, wallet, sell, buy, sold, bought, expiry } = recorded
  const now = expiry * 1_000 - 9_000
  const body = {
    ...{ status: 'SIG_SUCCESS', quoteId: '121-74750553856800868450742703064218335142', chainId, taker: wallet, receiver: wallet },
    ...{ expiry, settlementAddress: to, approvalTarget: to },
    buyTokens: { [buy.toLowerCase()]: { amount: String(bought) } },
    sellTokens: { [sell]: { amount: String(sold) } },
    tx: { to, value: '0x0', data, from: wallet, gas: 102_000 },
  }
  const settings = { TOKENS_BY: 'rfq', ROUTER_SIGNER: LIVE_SIGNER }
  const { venue } = cannedBebop(() => ({ body }), { settings, now: () => now })
  await takenThrough(venue, recordedOrder({ wallet, from: [chainId, sell], to: [chainId, buy] }, String(sold), 50), now)
}

const singleOf = (data: string) => decodeFunctionData({ abi: SINGLE_ABI, data: data as Hex }).args[0]

const { router, settlement } = vectors
const single = singleOf(settlement.data)

export const recordedAnswers = [
  recordedAnswer(
    { name: 'USDC to WETH on Base by the settlement', source: settlement.source, recordedAt: null },
    accept({
      ...{ chainId: 8453, to: settlement.to, data: settlement.data, wallet: single.taker_address },
      ...{ sell: single.taker_token, buy: single.maker_token, sold: single.taker_amount, bought: single.maker_amount },
      expiry: Number(single.expiry),
    }),
  ),
  recordedAnswer(
    {
      name: 'WETH to WBTC on Ethereum by the router',
      source: router.source,
      recordedAt: null,
      refusedBecause: 'asked for without slippage, so that its limitAmount is 0: nothing in the calldata bounds the output',
      refusedWith: '^quote: limitAmount$',
    },
    accept({
      ...{ chainId: 1, to: ROUTER, data: router.data, wallet: '0xfD0b31d2E955fA55e3fa641Fe90e08b677188d35' },
      ...{ sell: WETH, buy: WBTC, sold: 10n ** 18n, bought: 2_926_296n, expiry: 0x6a71cbd6 },
    }),
  ),
]
