import CHANGES from './acceptedChanges.json' with { type: 'json' }

/** A change as the diff finds it: which keyword of which schema, and its values before and after (undefined where there is none). */
export type ContractChange = {
  /** Where in the description, by the way of the operation. */
  readonly path: string
  /** Where the keyword stood before, as a JSON pointer. */
  readonly at: string
  readonly property: string | undefined
  readonly from: unknown
  readonly to: unknown
}

type AcceptedChange = {
  readonly at: string
  readonly property: string
  readonly from?: unknown
  readonly to?: unknown
  readonly reason: string
}

/** That a client of an earlier contract goes on working is not said here but tested: test/clients/typescript.test.ts. */
const ACCEPTED: readonly AcceptedChange[] = CHANGES

/** An answer that says no longer which fields it cannot have. Nothing that was sent before is sent differently. */
const isOpenedAnswer = ({ path, property, from, to }: ContractChange): boolean =>
  path.includes('/responses/') && property === 'additionalProperties' && from === false && to === undefined

const CODES_OF_PAID_503 = ['PAYMENT_PENDING', 'NOT_CONFIGURED', 'OVERLOADED'].join()

/** That one code more. The document told from the start that later versions add some, and what to do then. */
const isOverloadOfPaid = ({ path, at, to }: ContractChange): boolean =>
  path.includes('/responses/503/') &&
  at === '#/components/schemas/PaymentErrorCode/enum' &&
  Array.isArray(to) &&
  to.join() === CODES_OF_PAID_503

/**
 * Why a change that the diff rates as breaking breaks nobody; null when no reason is known. A reason holds for one change
 * of one keyword from one value to another, and for no other change of the same schema.
 */
export const acceptanceOf = (change: ContractChange): string | null => {
  if (isOpenedAnswer(change)) return 'answers are open: a client takes fields it does not know'
  if (isOverloadOfPaid(change)) return 'a code that is not known is treated by its HTTP status, which is that of repeating later'
  const accepted = ACCEPTED.find(
    ({ at, property, from, to }) => at === change.at && property === change.property && from === change.from && to === change.to,
  )
  return accepted?.reason ?? null
}
