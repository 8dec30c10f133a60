/** The instruction of a deposit to the network. Amounts in eight-decimal units. */
export type SwapMemo = {
  /** In its written form: complete, a letter, or a part of its name. */
  readonly asset: string
  /** An address, or a name that the network resolves to one. */
  readonly recipient: string
  /** Null: the payer. */
  readonly refundTo: string | null
  /** 0 without a limit. */
  readonly limit: bigint
  /** Blocks between the parts of a split swap, and how many parts; with 0 parts the network decides. */
  readonly interval: bigint
  readonly quantity: bigint
  readonly affiliates: readonly { readonly name: string; readonly bps: number }[]
}

/** The network ignores longer ones. */
const BYTES_MAX = 250
const FUNCTIONS = new Set(['=', 's', 'swap', 'SWAP'])
/** In a memo; a quote allows less. */
const BPS_MAX = 10_000
const AFFILIATES_MAX = 5

const NONE = 0n

/** Digits, or digits with an exponent, rounded down; null for other text. */
const readLimit = (text: string): bigint | null => {
  if (text === '') return NONE
  const [, whole, fraction = '', exponent = '0'] = /^(\d{1,40})(?:\.(\d{1,20}))?(?:[eE](\d{1,2}))?$/.exec(text) ?? []
  if (whole === undefined) return null
  const power = Number(exponent)
  return BigInt(`${whole}${fraction.slice(0, power).padEnd(power, '0')}`)
}

const readCount = (text: string): bigint | null => {
  if (text === '') return NONE
  return /^\d{1,18}$/.test(text) ? BigInt(text) : null
}

const partsOf = (text: string): readonly string[] => (text === '' ? [] : text.split('/'))

const readAffiliates = (names: readonly string[], shares: readonly string[]): SwapMemo['affiliates'] | null => {
  const isEven = shares.length === names.length || (shares.length === 1 && names.length > 0)
  const isRight = names.every((name) => name !== '') && shares.every((share) => /^\d{1,5}$/.test(share))
  if (!isEven || !isRight || names.length > AFFILIATES_MAX) return null
  const affiliates = names.map((name, i) => ({ name, bps: Number(shares[shares.length === 1 ? 0 : i]) }))
  return affiliates.reduce((sum, { bps }) => sum + bps, 0) <= BPS_MAX ? affiliates : null
}

/**
 * The content of a market swap's memo. Null for any other memo, and for one whose output goes through a contract at its
 * destination. `x/thorchain/memo` of THORNode.
 */
export const parseMemo = (text: string): SwapMemo | null => {
  if (!/^[\x21-\x7e]+$/.test(text) || text.length > BYTES_MAX) return null
  const [called = '', asset = '', to = '', limits = '', names = '', shares = '', ...rest] = text.split(':')
  const [recipient = '', refundTo = null, ...others] = to.split('/')
  const [limitText = '', intervalText = '', quantityText = '', ...more] = limits.split('/')
  const limit = readLimit(limitText)
  const [interval, quantity] = [readCount(intervalText), readCount(quantityText)]
  const affiliates = readAffiliates(partsOf(names), partsOf(shares))
  const isWhole = FUNCTIONS.has(called) && asset !== '' && recipient !== '' && refundTo !== ''
  if (!isWhole || rest.length > 0 || others.length > 0 || more.length > 0) return null
  if (limit === null || interval === null || quantity === null || affiliates === null) return null
  return { asset, recipient, refundTo, limit, interval, quantity, affiliates }
}

/**
 * Whether the memo asks for a swap in one part. Without a quantity the advanced swap queue makes as many parts as the pools
 * allow. Each has its share of the limit, and the outbound fee comes off their sum: `AddSwapQueueItem` of THORNode.
 */
export const isAtOnce = ({ interval, quantity }: SwapMemo): boolean => interval === NONE && quantity === 1n

/** The memo of a swap in one part, without abbreviations. */
export const writeMemo = ({ asset, recipient, refundTo, limit, affiliates }: Omit<SwapMemo, 'interval' | 'quantity'>): string => {
  const to = refundTo === null ? recipient : `${recipient}/${refundTo}`
  const [names, shares] = [affiliates.map(({ name }) => name).join('/'), affiliates.map(({ bps }) => bps).join('/')]
  return ['=', asset, to, `${limit}/0/1`, ...(affiliates.length > 0 ? [names, shares] : [])].join(':')
}
