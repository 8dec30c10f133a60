import { encodeSolanaTransaction, type SolanaTransactionPlan } from '../../../engine/chains/solana/solanaCodec.ts'
import type { Execution } from '../../../engine/core/execution.ts'
import { type Attacked, attackSwaps } from './attackPayload.ts'
import { changed, transactionOf } from './calls.ts'
import { otherTransactions, SOMEONE, solanaPlanOf } from './payloads.ts'

type SolanaAttack = Pick<Parameters<typeof attackSwaps>[0], 'venue' | 'open'> & {
  readonly swaps: readonly Attacked[]
  /** The place of the instruction that matters. */
  readonly at: number
  /** Places of its bytes that harm no party when they change. */
  readonly isHarmless: (place: number, size: number) => boolean
  /** Alterations that need more than one change; each must be refused. */
  readonly also?: (plan: SolanaTransactionPlan) => Iterable<SolanaTransactionPlan>
}

/**
 * Tests that the payload proof refuses every alteration of the venue's transactions on Solana. It alters each byte and account of the
 * main instruction, its program, the other instructions, the fee payer, the envelope and the quote. Only what `isHarmless` allows is
 * left out.
 */
export const attackSolana = ({ at, isHarmless, also = () => [], ...attacked }: SolanaAttack): void =>
  attackSwaps(attacked, 'account, instruction, byte', async ({ execution }, tried) => {
    const { data, value } = transactionOf(execution)
    const plan = await solanaPlanOf(data)
    const size = plan.instructions[at]?.data.length ?? 0
    const other = (change: { readonly [field: string]: unknown }): Execution =>
      changed(execution, Object.fromEntries(Object.entries(change).map(([field, to]) => [`payload.transaction.${field}`, to])))
    // The bytes of the instruction come first, in their order.
    for (const [place, bytes] of (await otherTransactions(data, at)).entries())
      if (place >= size || !isHarmless(place, size))
        await tried([`transaction ${place}`, other({ data: bytes, serialized: bytes })])
    for (const [place, altered] of [...also(plan)].entries()) {
      const bytes = await encodeSolanaTransaction(altered)
      await tried([`alteration ${place}`, other({ data: bytes, serialized: bytes })])
    }
    const around = [
      { to: SOMEONE },
      ...[value + 1n, value + 15_000_000n].map((more) => ({ value: more })),
      ...[1, 8453].map((chainId) => ({ chainId })),
      { serialized: `${data.slice(0, -4)}AAAA` },
      { data: `${data.slice(0, -4)}AAAA` },
    ]
    for (const change of around) await tried([Object.keys(change).join(), other(change)])
  })
