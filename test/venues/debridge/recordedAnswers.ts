import { encodeSolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { debridge } from '../../../engine/venues/debridge/venue.ts'
import { type RecordedAnswer, type RecordedRow, recordedAnswer, recordedOrder } from '../../support/recordedAnswers.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { pricesAt, takenThrough } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import recordings from './recordings.json' with { type: 'json' }
import { accountsOf, PROGRAM } from './support.ts'

type Place = readonly [ChainId, string]
type Row = RecordedRow & { readonly wallet: string; readonly from: Place; readonly to: Place; readonly amount: string }

/** About what a POL was worth on the day of the one recording that swaps first, into USDC. */
const PRICES = pricesAt({ usd: '1', decimals: 6 }, { usd: '0.2375', decimals: 18 })

const takeEvm = async ({ answer, ...row }: Row & { readonly answer: object }): Promise<void> => {
  const { venue } = canned(debridge, () => ({ body: answer }))
  const { order, execution } = await takenThrough(venue, recordedOrder(row, row.amount, 30), START_OF_TIME, PRICES)
  if (execution.outputAmount < order.inputAmount / 10n ** 6n) throw new Error('the price is not the recorded one')
}

/** The transaction around a recorded call, as its accounts are derived. */
export const recordedOnSolana = async (program: string = PROGRAM) => {
  const { wallet, mint, orderId, data } = recordings.solana
  const accounts = accountsOf({ maker: wallet, mint, orderId, takeChainId: 42161n, program })
  const instruction = { programId: program, accounts, data: Buffer.from(data.slice(2), 'hex') }
  return encodeSolanaTransaction({ feePayer: wallet, recentBlockhash: PROGRAM, instructions: [instruction] })
}

const takeSolana = async (): Promise<void> => {
  const { wallet, recipient, mint, give, take, tokenOut, fee, orderId } = recordings.solana
  const token = (chainId: number, address: string, amount: string) => ({ chainId, address, amount, decimals: 6 })
  const estimation = { srcChainTokenIn: token(7565164, mint, give), dstChainTokenOut: token(42161, tokenOut, take) }
  const tx = { data: `0x${Buffer.from(await recordedOnSolana(), 'base64').toString('hex')}` }
  const settings = { FEE_RECIPIENT_SOLANA: fee.beneficiary }
  const { venue } = canned(debridge, () => ({ body: { estimation, tx, orderId, fixFee: '15000000' } }), { settings })
  await takenThrough(venue, {
    ...recordedOrder({ wallet, recipient, from: [-2, mint], to: [42161, tokenOut] }, give, 30),
    feeBps: 40,
  })
}

/** An answer of dln.debridge.finance that was published, and orders that are on their chains. */
export const recordedAnswers: readonly RecordedAnswer[] = [
  ...(recordings.answers as unknown as readonly (Row & { answer: object })[]).map((row) =>
    recordedAnswer(row, () => takeEvm(row)),
  ),
  recordedAnswer(recordings.solana, takeSolana),
]
