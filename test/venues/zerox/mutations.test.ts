import { isDeepStrictEqual } from 'node:util'
import { decodeFunctionData, encodeFunctionData, type Hex, parseAbi, size, slice, toHex } from 'viem'
import { expect, test } from 'vitest'
import { ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import { metaTxnSettler, takerSettler } from '../../../engine/simnet/venues/zerox/payloads.ts'
import { ALLOWANCE_HOLDER } from '../../../engine/venues/zerox/protocol.ts'
import { NATIVE } from '../../../scripts/client/tokens.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { any, atLeast, attackPayload, attackTypedData, type Rules, type ToSign } from '../../support/venueKit/attackPayload.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, alteredBy, prove, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { DAI, FEE_RECIPIENT, openBench, orders, STRANGER } from './support.ts'

/** An action of a Settler in words of 32 bytes. */
type Action = { readonly selector: Hex; readonly words: readonly bigint[] }
/** The payment of the user, the exchange, the share of the integrator and that of 0x. */
type Actions = { readonly first: Action; readonly route: readonly Hex[]; readonly fee: Action; readonly last: Hex }

const toAction = (action: Hex): Action => {
  const count = (size(action) - 4) / 32
  const words = Array.from({ length: count }, (_, at) => BigInt(slice(action, 4 + 32 * at, 36 + 32 * at)))
  return { selector: slice(action, 0, 4), words }
}
const ofAction = ({ selector, words }: Action): Hex =>
  `${selector}${words.map((word) => toHex(word, { size: 32 }).slice(2)).join('')}`

const readActions = (actions: readonly Hex[]): Actions => {
  const [first = '0x', fee = '0x', last = '0x'] = [0, -2, -1].map((at) => actions.at(at))
  return { first: toAction(first), route: actions.slice(1, -2), fee: toAction(fee), last }
}
const writeActions = ({ first, route, fee, last }: Actions): readonly Hex[] => [ofAction(first), ...route, ofAction(fee), last]

const EXACT_OUTPUT: Hex = `0x131ad428${'1'.padStart(64, '0')}`

/** Other payments, shares and ends, each with a meaning of its own. */
const otherActions = (own: Actions): readonly (readonly Hex[])[] => {
  const [first, ...rest] = writeActions(own) as readonly [Hex, ...Hex[]]
  const fee = ofAction(own.fee)
  const [token = 0n, bps = 0n, , offset = 0n] = own.fee.words
  const withFee = (...changes: readonly (readonly [at: number, word: bigint])[]): Hex =>
    ofAction({ ...own.fee, words: changes.reduce((words, [at, word]) => words.with(at, word), own.fee.words) })
  const fees = [
    ...[bps + 1n, bps - 1n, 10_001n].map((other) => withFee([1, other])),
    // The amount is written elsewhere, or is one already: it is no share.
    withFee([3, offset === 4n ? 0n : 4n]),
    ...[BigInt(DAI), BigInt(NATIVE)].filter((other) => other !== token).map((other) => withFee([0, other], [2, other])),
    fee.replace(FEE_RECIPIENT.slice(2).toLowerCase(), STRANGER.slice(2).toLowerCase()) as Hex,
  ]
  const selectors = ['0xc1fb425e', '0x0dfeb419', '0x12345678'].filter((selector) => selector !== own.first.selector)
  return [
    ...selectors.flatMap((selector) => [rest, [first, ...rest]].map((others) => [`${selector}${first.slice(10)}`, ...others])),
    [first.slice(0, -2), ...rest].filter(() => own.first.words.length < 7),
    rest,
    [...rest.slice(0, 1), first, ...rest.slice(1)],
    [first, ...rest, EXACT_OUTPUT],
    ...fees.map((other) => [first, ...own.route, other, own.last]),
    [first, ...own.route, own.last],
    [first, ...rest, fee],
    // A share of what the swap has not brought yet is nothing.
    [first, fee, ...own.route, own.last],
  ].filter((actions): actions is Hex[] => actions.length > 0)
}

/** The minimum bounds the exchange and the share of 0x. What follows the five words of a payment is ignored. */
const BOUNDED: Rules<unknown> = {
  'actions.route': any,
  'actions.route.*': any,
  'actions.last': any,
  'actions.first.words.0': ({ own }) => isOfTokens(own),
  'actions.first.words': ({ other, was, own }) =>
    isOfTokens(own) && isDeepStrictEqual((other as unknown[]).slice(0, 5), (was as unknown[]).slice(0, 5)),
}
const firstOf = (words: unknown): Action => (words as { readonly actions: Actions }).actions.first
const isOfTokens = (words: unknown): boolean => firstOf(words).words.length > 2

const ABI = parseAbi([
  'struct S { address recipient; address buyToken; uint256 minAmountOut; }',
  'function exec(address operator, address token, uint256 amount, address target, bytes data)',
  'function execute(S slippage, bytes[] actions, bytes32 zidAndAffiliate)',
  'function executeWithPermit(S slippage, bytes[] actions, bytes32 zidAndAffiliate, bytes permitData)',
])
type Header = { readonly recipient: Hex; readonly buyToken: Hex; readonly minAmountOut: bigint }
type Outer = { readonly operator: Hex; readonly token: Hex; readonly amount: bigint; readonly target: Hex }
type Call = Outer & { readonly header: Header; readonly actions: Actions; readonly zid: Hex }

const readCall = (call: string): Call => {
  const outer = decodeFunctionData({ abi: ABI, data: call as Hex })
  if (outer.functionName !== 'exec') throw new TypeError(outer.functionName)
  const [operator, token, amount, target, data] = outer.args
  const inner = decodeFunctionData({ abi: ABI, data })
  if (inner.functionName !== 'execute') throw new TypeError(inner.functionName)
  const [header, actions, zid] = inner.args
  return { operator, token, amount, target, header, actions: readActions(actions), zid }
}
const writeCall = (
  { operator, token, amount, target, header, actions, zid }: Call,
  all = writeActions(actions),
  permit?: Hex,
): Hex => {
  const data =
    permit === undefined
      ? encodeFunctionData({ abi: ABI, functionName: 'execute', args: [header, all, zid] })
      : encodeFunctionData({ abi: ABI, functionName: 'executeWithPermit', args: [header, all, zid, permit] })
  return encodeFunctionData({ abi: ABI, functionName: 'exec', args: [operator, token, amount, target, data] })
}

function* otherCalls(call: Call): Generator<Call | string> {
  for (const settler of [STRANGER, ALLOWANCE_HOLDER, metaTxnSettler(1), takerSettler(10)].map((one) => one as Hex))
    yield { ...call, operator: settler, target: settler }
  yield { ...call, header: { recipient: ZERO_EVM_ADDRESS as Hex, buyToken: ZERO_EVM_ADDRESS as Hex, minAmountOut: 0n } }
  yield { ...call, header: { ...call.header, buyToken: DAI as Hex } }
  yield writeCall(call, [])
  yield writeCall(call, undefined, '0x')
  for (const actions of otherActions(call.actions)) yield writeCall(call, actions)
}

/** A second or some minutes more or less to send it in. */
const isNear: Rules<unknown>[string] = ({ other, was }) => {
  const more = (other as bigint) - (was as bigint)
  return more <= 256n && more >= -256n
}

attackPayload<Call>({
  venue: 'zerox',
  open: openBench,
  swaps: [
    { title: 'a call of tokens', order: orders.dai() },
    { title: 'a call of coins', order: orders.ether() },
    { title: 'a call of tokens for coins', order: orders.usdcToEther({ slippageBps: 20 }) },
  ],
  codec: { read: readCall, write: (call) => writeCall(call) },
  // AllowanceHolder stands in for who takes the tokens in, by which nonce and signature: without them nothing is paid.
  harmless: {
    ...BOUNDED,
    'actions.first.words.0': (place) => isOfTokens(place.own) || isNear(place),
    'actions.first.words.3': any,
    'actions.first.words.4': isNear,
    'actions.first.words.5': any,
    'actions.first.words.6': any,
    'header.minAmountOut': atLeast,
    zid: any,
  },
  also: otherCalls,
})

const PATH = 'typedData.message.slippageAndActions.actions'
const MESSAGE = 'typedData.message'
/** What is to be signed, with its actions taken apart. */
type Signed = ToSign & { readonly actions: Actions }
const actionsIn = ({ typedData }: ToSign) =>
  (typedData.message as unknown as { readonly slippageAndActions: { readonly actions: readonly Hex[] } }).slippageAndActions
    .actions

const readSigned = (toSign: ToSign): Signed => ({ ...altered(toSign, PATH, []), actions: readActions(actionsIn(toSign)) })
const writeSigned = ({ actions, ...toSign }: Signed): ToSign =>
  altered(toSign, PATH, (others: unknown) => (isDeepStrictEqual(others, []) ? writeActions(actions) : others))

const inSeconds = (seconds: number): string => String(START_OF_TIME / 1_000 + seconds)

function* otherSigned(own: Signed): Generator<Signed> {
  const { first } = own.actions
  const by = (...changes: readonly (readonly [path: string, value: unknown])[]) => alteredBy(own, changes)
  const withWord = (at: number, word: string) => ['actions.first.words', first.words.with(at, BigInt(word))] as const
  for (const settler of [takerSettler(1), metaTxnSettler(10)]) yield by([`${MESSAGE}.spender`, settler])
  for (const amount of ['1000000001', '999999999', '100000000', '10000000000'])
    yield by([`${MESSAGE}.permitted.amount`, amount], withWord(2, amount))
  yield by([`${MESSAGE}.permitted.token`, DAI], withWord(1, DAI))
  yield by([`${MESSAGE}.permitted.amount`, '0x10'])
  for (const deadline of [1, inSeconds(60), inSeconds(100_000)]) yield by([`${MESSAGE}.deadline`, String(deadline)])
  yield by([`${MESSAGE}.deadline`, inSeconds(100_000)], withWord(4, inSeconds(100_000)))
  for (const token of [DAI, ZERO_EVM_ADDRESS]) yield by([`${MESSAGE}.slippageAndActions.buyToken`, token])
  for (const at of ['typedData', 'approvalData']) {
    for (const id of [10, 8453]) yield by([`${at}.domain.chainId`, id])
    yield by([`${at}.domain.salt`, `0x${'1'.repeat(64)}`])
    yield by([`${at}.types.More`, []])
  }
  for (const name of ['chainId', 'typedData.domain.chainId']) yield by([name, 10])
  yield by(['typedData.domain.version', '1'])
  yield by(['typedData.primaryType', 'SlippageAndActions'])
  yield by(['typedData.types.TokenPermissions.1.type', 'uint160'])
  yield by(['approvalData.types.Permit.2.type', 'uint160'])
  yield by(['typedData', own.approvalData], ['approvalData', own.typedData])
  yield by(['approvalData.message.spender', ALLOWANCE_HOLDER])
  yield by(['approvalData.message.deadline', inSeconds(100_000)])
  yield by(['approvalData.message.nonce', 0])
  yield by(['approvalData.domain.verifyingContract', DAI])
  yield by(['evidence.v', 2])
  for (const actions of otherActions(own.actions)) yield by([PATH, actions])
}

attackTypedData<Signed>({
  venue: 'zerox',
  open: openBench,
  swaps: [
    { title: 'a trade and a permit', order: orders.usdc() },
    { title: 'a trade for coins and a permit', order: orders.usdcToEther() },
  ],
  codec: { read: readSigned, write: writeSigned },
  // A permit of another nonce, name or version, or one that ended, gives no allowance; nor does none.
  harmless: {
    ...BOUNDED,
    [`${MESSAGE}.slippageAndActions.minAmountOut`]: atLeast,
    approvalData: ({ other }) => other === null,
    'approvalData.message.deadline': ({ other }) => Number(other) <= Number(inSeconds(65 * 60)),
    'approvalData.message.nonce': any,
    'approvalData.domain.name': any,
    'approvalData.domain.version': any,
  },
  also: otherSigned,
})

const opened = closedAfterEach(openBench)

test('proof: a call on Linea is checked against the derived Settlers of Linea', async () => {
  const { venue } = await opened()
  const wish = { from: [59144, NATIVE], to: [59144, '0x176211869cA2b568f2A7D4EE941E073a821EE1ff'] } as const
  const swap = await swapOf(venue, orders.ether(wish))
  const call = readCall(transactionOf(swap.execution).data)
  const by = (settler: Hex) => writeCall({ ...call, operator: settler, target: settler })
  const proofOf = (settler: Hex) => prove(venue, swap, altered(swap.execution, 'payload.transaction.data', by(settler)))
  // The twelfth for takers, by the label of its contract; and what the hash of other chains makes of the twelfth.
  expect(await proofOf('0xc026251dc69f6e3556331b2e14e72eb4a34dd55a')).toEqual([])
  expect(await proofOf('0x00bd0a5d4b73805a939f24dfb29bfae36253a96d')).toEqual(['unread: settler'])
})

test('proof: rejects a call after its deadline, or with a deadline too far away', async () => {
  const { venue } = await opened()
  for (const swap of [await swapOf(venue, orders.dai()), await swapOf(venue, orders.ether())])
    for (const now of [START_OF_TIME + 301_000, START_OF_TIME - 4_000_000])
      expect(await prove(venue, swap, swap.execution, now)).toEqual(['deadline'])
})
