import { parseRef } from '../../../engine/core/ref.ts'
import { failed } from '../operatorError.ts'
import { fieldsOf, type Told } from '../printing.ts'
import type { Session } from '../session.ts'
import { paymentLines, swapById } from '../shownSwap.ts'

/** Events that may explain an incomplete status. */
const TROUBLE: readonly string[] = ['chain.unread', 'chain.health', 'venue.health', 'store.failed']

/** Reads the current status of a swap, and records it with all its effects. */
export const trackSwap = async (
  { store, network }: Session,
  id: number,
  { ref: given }: { readonly ref?: string },
): Promise<Told> => {
  const record = await swapById(store, id)
  if (record.isSandbox) throw failed(`Swap ${id} is of the sandbox: nothing of it is on any chain.`)
  const ref = given === undefined ? record.ref : parseRef(record.swap.order.input.chainId, given)
  if (ref === null)
    throw failed(`Swap ${id} goes by nothing yet: only its wallet knows the transaction. Name it with --ref, if you know it.`)
  const { status, noticed } = await (await network()).track(record, ref)
  const payments = await store.payments.ofSwap(id)
  const troubles = noticed.filter(({ event }) => TROUBLE.includes(event))
  const isUnkept = noticed.some(({ event }) => event === 'store.failed')
  return {
    ...(isUnkept && { isFailed: true }),
    data: { swapId: id, ref, before: record.status, status, payments, noticed },
    lines: [
      ...fieldsOf([
        ['swap', id],
        ['ref', ref],
        ['before', record.status.state],
        ['now', status.venueStatus === null ? status.state : `${status.state} (${status.venueStatus})`],
        ['delivered', status.deliveredAmount],
        ['transaction', status.txHash],
      ]),
      '',
      ...paymentLines(payments),
      ...troubles.map((what) => `Noticed: ${JSON.stringify(what)}`),
    ],
  }
}
