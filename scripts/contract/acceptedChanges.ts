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

type AcceptedChange = Omit<ContractChange, 'path'> & { readonly reason: string }

/** That a client of an earlier contract goes on working is not said here but tested: test/clients/typescript.test.ts. */
const ACCEPTED: readonly AcceptedChange[] = [
  {
    at: '#/components/schemas/Quote/properties/expiresAt/type',
    property: 'type',
    from: 'integer',
    to: 'number',
    reason: 'the value on the wire is the same; as a double every generator reads it exactly',
  },
  {
    at: '#/components/schemas/Quote/properties/expiresAt/format',
    property: 'format',
    from: 'int64',
    to: 'double',
    reason: 'the value on the wire is the same; of int64 some generators make a BigInt',
  },
  {
    at: '#/components/schemas/TypedDataDomain/properties/chainId/format',
    property: 'format',
    from: 'int64',
    to: 'int32',
    reason: 'no chain of ours ever had more than 32 bits',
  },
  {
    at: '#/components/schemas/Transaction/properties/serialized/format',
    property: 'format',
    from: 'byte',
    to: undefined,
    reason: 'base64 before and after, said in words and as a pattern',
  },
  {
    at: '#/components/schemas/SubmitTransactionRequest/properties/signedTransaction',
    property: 'pattern',
    from: undefined,
    to: '^[0-9A-Za-z+/]+={0,2}$',
    reason: 'what the format byte asked for before',
  },
  {
    at: '#/components/schemas/PayoutAddressesRequest/properties/thorchain',
    property: 'pattern',
    from: undefined,
    to: '^thor1[a-z0-9]{38}$',
    reason: 'the service has always rejected any other text',
  },
  {
    at: '#/components/schemas/UpdateKeyRequest/properties/webhookUrl',
    property: 'pattern',
    from: undefined,
    to: '^https://',
    reason: 'the service has always rejected any other scheme',
  },
  {
    at: '#/components/schemas/UpdateKeyRequest/properties/webhookUrl',
    property: 'format',
    from: undefined,
    to: 'uri',
    reason: 'the service has always required a URL; other characters than those of RFC 3986 are percent-encoded',
  },
]

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
