import { PublicKey } from '@solana/web3.js'
import { type RecordedAnswer, type RecordedRow, recordedAnswer } from '../../support/recordedAnswers.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { altered, alteredBy, takenThrough } from '../../support/venueKit/calls.ts'
import recordings from './recordings.json' with { type: 'json' }
import { openBench, orders, PROGRAM, told, WITH_FEE } from './support.ts'

type Words = RecordedRow &
  Omit<(typeof recordings.words)[number], 'told' | 'routePlan'> & { readonly told?: string; readonly routePlan?: unknown }

/** What of an answer is not recorded is the simulator's: the accounts, which were those of another wallet, another fee and other pools. */
const take = async ({ data, amount, quoted, slippageBps, feeBps, minimum, isShared, ...row }: Words): Promise<void> => {
  const bench = await openBench()
  try {
    const wish = { amount: BigInt(amount), slippageBps, feeBps }
    const order = isShared ? orders.pyusd(wish) : orders.sol(wish)
    const bytes = Buffer.from(data, 'base64')
    const change = (body: never) => {
      const words = [
        ['outAmount', quoted],
        ['otherAmountThreshold', row.told ?? minimum],
        ['swapInstruction.data', data],
        ['routePlan', (simulated: unknown) => row.routePlan ?? simulated],
      ] as const
      const answer = alteredBy(body, words)
      // The authority that the recorded call is made by.
      return isShared ? altered(answer, 'swapInstruction.accounts.0.pubkey', authorityOf(bytes[8] ?? 0)) : answer
    }
    // Of a token that is worth less than SOL: the simulated pools have no such depth.
    if (order.inputAmount > 10n ** 13n) bench.market.setPrice('SOL', 1_000n)
    const { venue } = told(bench, { change, settings: WITH_FEE })
    const { offer } = await takenThrough(venue, order, START_OF_TIME)
    if (offer.outputAmount !== BigInt(quoted) || offer.slippage?.guaranteedMin !== BigInt(minimum))
      throw new Error('the price is not the recorded one')
  } finally {
    await bench.close()
  }
}

/** By the published seeds, as anybody finds them. */
const authorityOf = (id: number): string =>
  PublicKey.findProgramAddressSync([Buffer.from('authority'), Buffer.of(id)], new PublicKey(PROGRAM))[0].toBase58()

/** Words of calls that the live venue answered with, or that were made with what it answered. */
export const recordedAnswers: readonly RecordedAnswer[] = ([...recordings.words, ...recordings.cut] as readonly Words[]).map(
  (row) => recordedAnswer(row, () => take(row)),
)
