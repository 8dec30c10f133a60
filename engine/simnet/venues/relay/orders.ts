import { COMPUTE_BUDGET_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../chains/solana/solanaCodec.ts'
import type { Address } from '../../../core/address.ts'
import { nativeAsset } from '../../../core/asset.ts'
import { BITCOIN, type ChainId, ecosystemOf, SOLANA } from '../../../core/chain.ts'
import * as protocol from '../../../venues/relay/protocol.ts'
import { wordOf } from '../../kit/abiWords.ts'
import { littleEndian } from '../../kit/anchor.ts'
import { callData, ERC20 } from '../../kit/callData.ts'
import { freshAddress } from '../../kit/freshAddress.ts'
import { alteredTerms, type PayloadTerms, takesFor } from '../../kit/lies.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { assetOf, currencyOf, type Deal, isSolverCurrency, priceBody, routerOf, spelledOn } from './quotes.ts'

/** The order of a deal, and the steps to its deposit. */

/** As in every order that was published. */
const WEEK_SECONDS = 7 * 86_400

/** The contract a delivery or a refund goes through: `encodeOrderExtraData` of relay-protocol-sdk. */
const extraDataOf = (chainId: ChainId): string => {
  const router = routerOf(chainId)
  return router === null ? '0x' : `0x${wordOf(router)}`
}

/** On either chain, as in the orders of the vendor's examples. */
const refundsOf = ({ origin, destination, input, output, user, refundTo, recipient }: Deal, deadline: number) => {
  const refund = (chainId: ChainId, token: SimToken, to: string) => ({
    ...{ chainId: protocol.PINNED[chainId].name, recipient: spelledOn({ chainId }, to) },
    // Another token is given back as what the solver holds.
    currency: isSolverCurrency(token) ? currencyOf(token) : spelledOn(token, protocol.toCurrency(nativeAsset(chainId))),
    ...{ minimumAmount: '0', deadline, extraData: extraDataOf(chainId) },
  })
  const onOther = ecosystemOf(origin) === ecosystemOf(destination) ? (refundTo ?? recipient) : recipient
  return [refund(origin, input, refundTo ?? user), refund(destination, output, onOther)]
}

/** `protocol.v2.orderData`. */
const orderOf = (deal: Deal, terms: PayloadTerms, { clock, random }: World) => {
  const { origin, destination, input, output, amount, expected } = deal
  const deadline = Math.floor(clock.now() / 1_000) + WEEK_SECONDS
  const [from, to] = [origin, destination].map((chainId) => protocol.PINNED[chainId].name)
  const payment = { chainId: from, currency: currencyOf(input), amount: amount.toString(), weight: '1' }
  const delivery = {
    ...{ recipient: spelledOn(output, terms.recipient), currency: currencyOf(output) },
    ...{ minimumAmount: terms.minimum.toString(), expectedAmount: expected.toString() },
  }
  return {
    ...{ version: 'v1', solverChainId: 'base', solver: protocol.SOLVER.toLowerCase(), salt: `0x${random.hex(64)}` },
    inputs: [{ payment, refunds: refundsOf(deal, deadline) }],
    output: { chainId: to, payments: [delivery], calls: [], deadline, extraData: extraDataOf(destination) },
    fees: [],
  }
}

/** A deal with what it takes to pay for it. */
export type Payable = Deal & {
  readonly requestId: string
  readonly orderId: string
  /** Bitcoin is paid to an address of the request's own; null elsewhere. */
  readonly depositAddress: string | null
}

/** What the wallet is to do, faults included. */
type Paid = Payable & Pick<PayloadTerms, 'contract'>

const stepOf = ({ requestId }: Payable, id: string, item: object, more = {}) => ({
  ...{ id, kind: 'transaction', action: 'Confirm transaction in your wallet', description: id, requestId, ...more },
  items: [{ status: 'incomplete', ...item }],
})

const depositOf = (paid: Payable, data: object) => {
  const check = { endpoint: `/intents/status/v3?requestId=${paid.requestId}`, method: 'GET' }
  return stepOf(paid, 'deposit', { data, check }, { depositAddress: paid.depositAddress ?? '' })
}

/** More than the nodes of the offline network ask for a unit of gas: 1 gwei at first, and less with every empty block. */
const FEES = { maxFeePerGas: '3000000000', maxPriorityFeePerGas: '1000000' }

const evmSteps = async (paid: Paid) => {
  const { orderId, user, input, contract: to, amount } = paid
  const from = { from: user.toLowerCase(), chainId: input.chainId, ...FEES }
  const data = await protocol.depositCall({ asset: assetOf(input), amount }, user, orderId)
  if (input.isNative) return [depositOf(paid, { ...from, to, data, value: amount.toString(), gas: '42000' })]
  const approval = { ...from, to: currencyOf(input), data: await callData(ERC20.approve, [to, amount]), value: '0' }
  return [stepOf(paid, 'approve', { data: approval }), depositOf(paid, { ...from, to, data, value: '0', gas: '78000' })]
}

/** SetComputeUnitLimit of 120,000. */
const BUDGET = { keys: [], programId: COMPUTE_BUDGET_PROGRAM, data: '02c0d40100' }

const svmSteps = (paid: Paid) => {
  const { orderId, user, input, contract, amount } = paid
  const owner = input.program === 'token-2022' ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM
  const accounts = protocol.solanaDepositAccounts(protocol.SOLANA_DEPOSITORY, assetOf(input), user as Address, owner)
  const written = input.isNative ? [1, 3] : [1, 5, 6]
  const keys = accounts.map((pubkey, at) => ({ pubkey, isSigner: at === 1, isWritable: written.includes(at) }))
  const data = `${protocol.SOLANA_DEPOSIT[input.isNative ? 'native' : 'token']}${littleEndian(8, amount).toString('hex')}${wordOf(orderId)}`
  const instructions = [BUDGET, { keys, programId: contract, data }]
  return [depositOf(paid, { instructions, addressLookupTableAddresses: [] })]
}

const stepsOf = (paid: Paid) => {
  if (paid.origin === SOLANA) return svmSteps(paid)
  return paid.origin === BITCOIN ? [depositOf(paid, { amount: paid.amount.toString() })] : evmSteps(paid)
}

/** POST /quote/v2: the answer, and the deal as the venue will know it. */
export const quoteBody = async (world: World, venue: string, deal: Deal) => {
  const { random, faults } = world
  const { origin, destination, refundTo, user } = deal
  const takes = takesFor(faults, venue, '/quote/v2')
  const { depository } = protocol.PINNED[origin]
  const contract = spelledOn({ chainId: origin }, depository)
  const places = { origin: { chainId: origin }, destination: { chainId: destination } }
  const terms = alteredTerms(takes, { ...deal, contract }, places)
  const address = terms.contract === contract ? freshAddress(origin, random) : (refundTo ?? user)
  const order = orderOf(deal, terms, world)
  const [honest = ''] = await protocol.orderIds(order, (name) => protocol.PINNED_NAMES.get(name) as ChainId)
  const orderId = takes('bad-signature') ? `0x${random.hex(64)}` : honest
  const depositAddress = origin === BITCOIN ? address : null
  const entry: Payable = { ...deal, requestId: `0x${random.hex(64)}`, orderId: honest, depositAddress }
  const steps = await stepsOf({ ...entry, ...terms, orderId })
  return { body: { steps, ...priceBody(deal), protocol: { v2: { orderId, orderData: order } } }, entry }
}
