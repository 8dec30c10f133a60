import { isDeepStrictEqual } from 'node:util'
import { decodeFunctionData, encodeFunctionData, type Hex } from 'viem'
import type { Execution } from '../../../engine/core/execution.ts'
import { USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { attackDeposit } from '../../support/venueKit/attackDeposit.ts'
import { allows, any, atLeast, attackPayload, attackSwaps, otherWords, STRANGER } from '../../support/venueKit/attackPayload.ts'
import { attackSolana } from '../../support/venueKit/attackSolana.ts'
import { altered, type Swap, transactionOf } from '../../support/venueKit/calls.ts'
import { ABI } from './fakeNetwork.ts'
import { ARB, idOf, openBench, orders, WITH_FEE } from './support.ts'

type Call = { readonly functionName: string; readonly args: readonly unknown[] }
const read = (data: string): Call => decodeFunctionData({ abi: ABI, data: data as Hex })
const write = (call: Call): string => encodeFunctionData({ abi: ABI, ...call } as never)

/** Other calls of the depository with the same id. One without an amount takes all that is allowed. */
function* otherCalls({ args }: Call, { order: { sender, input, inputAmount } }: Swap): Generator<Call> {
  const id = args.at(-1)
  yield { functionName: 'depositErc20', args: [sender, input.address, id] }
  yield { functionName: 'depositErc20', args: [sender, USDC.base, 1n, id] }
  yield { functionName: 'depositErc20', args: [sender, ARB, inputAmount, id] }
  for (const depositor of [sender, WALLETS.evmOther]) yield { functionName: 'depositNative', args: [depositor, id] }
  if (args.length === 2) yield { functionName: 'depositErc20', args: [sender, input.address, inputAmount, id] }
  else yield { functionName: 'depositErc20', args: [WALLETS.evmOther, ...args.slice(1)] }
  yield { functionName: 'transfer', args: [STRANGER, inputAmount] }
}

const fee = { title: 'tokens, with a fee', order: orders.usdc({ feeBps: 15 }), settings: WITH_FEE }
const coins = { title: 'coins', order: orders.ether() }
const onSolana = [
  { title: 'SOL', order: orders.sol() },
  { title: 'SPL tokens', order: orders.solanaUsdc() },
]

attackPayload({ venue: 'relay', open: openBench, swaps: [fee, coins], codec: { read, write }, harmless: {}, also: otherCalls })
attackSolana({ venue: 'relay', open: openBench, swaps: onSolana, at: 1, isHarmless: () => false })

const isAParty = ({ other }: { readonly other: unknown }) => [WALLETS.evm, WALLETS.evmOther].some((party) => party === other)

/** What an order may change without harm to a party: its minimum stays, and a refund is possible as long as a delivery. */
const harmless = {
  'evidence.order.salt': any,
  'evidence.order.output.payments.0.minimumAmount': atLeast,
  'evidence.order.output.payments.0.expectedAmount': any,
  'evidence.order.output.deadline': ({ other, was }: { other: unknown; was: unknown }) => other === (was as number) - 1,
  'evidence.order.output.extraData': ({ other }: { other: unknown }) => other === '0x',
  'evidence.order.inputs.0.refunds': ({ other, was }: { other: unknown; was: unknown }) =>
    (other as unknown[]).length === (was as unknown[]).length,
  'evidence.order.inputs.0.refunds.*.minimumAmount': any,
  'evidence.order.inputs.0.refunds.*.deadline': atLeast,
  'evidence.order.inputs.0.refunds.*.extraData': ({ other }: { other: unknown }) => other === '0x',
  'evidence.order.inputs.0.refunds.1.currency': any,
  'evidence.order.inputs.0.refunds.1.recipient': isAParty,
}

/** Alterations that the type of a value does not suggest. */
const otherEvidence: readonly (readonly [path: string, value: unknown])[] = [
  ['evidence', null],
  ['evidence.more', true],
  ['evidence.order', null],
  ['evidence.order.more', true],
  ['evidence.order.output.payments', []],
  ['evidence.order.output.calls', ['0xdeadbeef']],
  ['evidence.order.output.payments.0.currency', ARB],
  ['evidence.order.output.payments.0.minimumAmount', '1'],
  ['evidence.order.output.chainId', 'ethereum'],
  ['evidence.order.inputs.0.payment.chainId', 'optimism'],
  ['evidence.order.inputs.0.refunds.0.chainId', 'arbitrum'],
  ['evidence.order.inputs.0.refunds.0.currency', ARB],
  ['evidence.order.solverChainId', 'ethereum'],
  ...[null, '0', '1', '-1', '3001'].map((appFee) => ['evidence.appFee', appFee] as const),
]

/** The execution with the id of its altered order in its payload as well; null where that order has none. */
const rehashed = async (own: Execution, lie: Execution): Promise<Execution | null> => {
  const orderOf = ({ evidence }: Execution) => (evidence as { readonly order?: unknown } | null)?.order
  const [id, other] = await Promise.all([own, lie].map((each) => idOf(orderOf(each)).catch(() => null)))
  if (!id || !other) return null
  const { data, ...transaction } = transactionOf(own)
  const replaced = (text: string) => text.replaceAll(id.slice(2), other.slice(2))
  const isOnSolana = !data.startsWith('0x')
  const packed = isOnSolana ? Buffer.from(replaced(Buffer.from(data, 'base64').toString('hex')), 'hex').toString('base64') : ''
  const to = isOnSolana ? { data: packed, serialized: packed } : { data: replaced(data) }
  return { ...lie, payload: { executionType: 'TRANSACTION', transaction: { ...transaction, ...to } } }
}

attackSwaps(
  { venue: 'relay', open: openBench, swaps: [fee, coins, ...onSolana] },
  'order, with and without a matching payload,',
  async (swap, tried) => {
    const { execution } = swap
    for (const [path, other] of [...otherWords(execution.evidence, 'evidence'), ...otherEvidence]) {
      const lie = altered(execution, path, other)
      if (isDeepStrictEqual(lie, execution)) continue
      await tried([`${path} = ${other}`, lie])
      const consistent = path.startsWith('evidence.order.') && !allows(harmless, execution, path, other)
      const fitted = consistent ? await rehashed(execution, lie) : null
      if (fitted) await tried([`${path} = ${other}, rehashed`, fitted])
    }
  },
)

/** No payload of bitcoin names the order: it is compared with the quote and the binding, and the address with known ones. */
attackDeposit({
  venue: 'relay',
  open: openBench,
  swaps: [{ title: 'bitcoin, with a fee', order: orders.bitcoin({ feeBps: 30, slippageBps: 100 }), settings: WITH_FEE }],
  harmless: { ...harmless, 'evidence.user': any },
  also: () => otherEvidence,
})
