import { callData, ERC20 } from '../../kit/callData.ts'
import { takeSettlementFault } from '../../kit/fate.ts'
import { land } from '../../kit/payOut.ts'
import type { Book, SimOrder } from './book.ts'
import { FILLER, NATIVE_MARKER, PERMIT2, ZERO_ADDRESS } from './networks.ts'
import { type Decay, encodeOrder, typesOf, WITNESS } from './orderData.ts'
import { worthOf } from './quotes.ts'

const EXECUTE = ['struct SignedOrder { bytes order; bytes sig; }', 'function execute(SignedOrder order) payable'] as const
const PERMIT = [
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct SignatureTransferDetails { address to; uint256 requestedAmount; }',
  'function permitWitnessTransferFrom(PermitTransferFrom permit, SignatureTransferDetails details, address owner, bytes32 witness, string witnessTypeString, bytes signature)',
] as const

/** How long an order is open before anybody has filled it, and between two looks at it. */
const FILLED_AFTER_MS = 6_000
const LOOK_MS = 12_000

type Payment = { readonly token: string; readonly recipient: string; readonly amount: bigint }

/** Brings what is to be paid, and lets the reactor have it. Gives the coins that are to be sent along. */
const bringStock = async ({ world: { evm } }: Book, { terms }: SimOrder, payments: readonly Payment[]): Promise<bigint> => {
  const { chainId, reactor } = terms
  const total = payments.reduce((sum, { amount }) => sum + amount, 0n)
  const [first] = payments
  const token = first?.token ?? ZERO_ADDRESS
  const isCoins = token === ZERO_ADDRESS
  await evm.fund({ chainId, token: isCoins ? NATIVE_MARKER : token, holder: FILLER, amount: total })
  if (isCoins) return total
  await land(evm, { chainId, from: FILLER, to: token, data: await callData(ERC20.approve, [reactor, total]) })
  return 0n
}

/** Has the reactor fill an order, which holds the filler to what was signed. Throws EvmRevert where a contract refuses. */
const fill = async (book: Book, order: SimOrder, isDecayed: boolean): Promise<void> => {
  const { evm } = book.world
  const { terms, signature } = order
  const { chainId, kind, reactor, outputs } = terms
  const block = BigInt((await evm.rpc(chainId, 'eth_blockNumber', [])) as string)
  // V2 refuses a decay that ends after the deadline.
  const far = kind === 'DUTCH_V3' ? block + 1_000n : BigInt(terms.deadline - 1)
  const decay: Decay = isDecayed ? { start: 0n, end: 1n } : { start: far, end: far + 1n }
  const payments = outputs.map(({ token, recipient, start, end }) => ({ token, recipient, amount: isDecayed ? end : start }))
  const value = await bringStock(book, order, payments)
  const data = await callData(EXECUTE, [{ order: await encodeOrder(terms, decay), sig: signature }])
  const { txHash } = await land(evm, { chainId, from: FILLER, to: reactor, data, value })
  order.status = 'filled'
  order.settled = { txHash, amounts: payments.map(({ amount }) => amount) }
}

/** What Permit2 is told of the witness: its fields, and those of all structs in their order. */
const witnessTypeString = ({ terms: { kind } }: SimOrder): string => {
  const { PermitWitnessTransferFrom: _, ...structs } = typesOf(kind)
  const told = Object.keys(structs)
    .sort()
    .map((name) => `${name}(${(structs[name] ?? []).map((field) => `${field.type} ${field.name}`).join(',')})`)
  return `${WITNESS[kind]} witness)${told.join('')}`
}

/** Takes all that was sold and pays half of the least: what a broken reactor would make of an order. */
const fillShort = async (book: Book, order: SimOrder): Promise<void> => {
  const { evm } = book.world
  const { terms, orderId, signature } = order
  const { chainId, reactor: from, token, amount, nonce, deadline, swapper } = terms
  const [own] = terms.outputs
  if (!own) return
  const permit = { permitted: { token, amount }, nonce, deadline: BigInt(deadline) }
  const details = { to: FILLER, requestedAmount: amount }
  const data = await callData(PERMIT, [permit, details, swapper, orderId, witnessTypeString(order), signature])
  await land(evm, { chainId, from, to: PERMIT2, data })
  const half = own.end / 2n
  await bringStock(book, order, [{ ...own, amount: half }])
  const give =
    own.token === ZERO_ADDRESS
      ? { to: own.recipient, data: '0x', value: half }
      : { to: own.token, data: await callData(ERC20.transfer, [own.recipient, half]) }
  const { txHash } = await land(evm, { chainId, from: FILLER, ...give })
  order.status = 'filled'
  order.settled = { txHash, amounts: [half] }
}

/** Fills where the market gives the filler enough for it: at once at the start of the decay, or at its end. */
const fillAtMarket = async (book: Book, order: SimOrder): Promise<void> => {
  const { tokens } = book.world
  const { chainId, token, amount, outputs } = order.terms
  const tokenAt = (address: string) => tokens.find(chainId, address === ZERO_ADDRESS ? NATIVE_MARKER : address)
  const [from, to] = [tokenAt(token), tokenAt(outputs[0]?.token ?? '')]
  if (!from || !to) return
  const worth = worthOf(book, from, amount, to)
  const due = (of: 'start' | 'end') => outputs.reduce((sum, output) => sum + output[of], 0n)
  if (worth < due('end')) return
  try {
    await fill(book, order, worth < due('start'))
  } catch (error) {
    // The words of Permit2 where the token does not move: no funds, or no allowance.
    if (!(error instanceof Error) || !error.message.includes('TRANSFER_FROM_FAILED')) throw error
    order.status = 'insufficient-funds'
  }
}

const settle = async (book: Book, order: SimOrder): Promise<void> => {
  order.fate ??= takeSettlementFault(book.world.faults, 'uniswapx')
  switch (order.fate) {
    case 'fails':
      order.status = 'error'
      return
    case 'never-fills':
      return
    case 'lying-success':
      order.status = 'filled'
      order.settled = { txHash: `0x${book.world.random.hex(64)}`, amounts: order.terms.outputs.map(({ start }) => start) }
      return
    case 'short-fill':
      return fillShort(book, order)
    case null:
      return fillAtMarket(book, order)
  }
}

const isOpen = ({ status }: SimOrder): boolean => status === 'open' || status === 'insufficient-funds'

const look = async (book: Book, order: SimOrder): Promise<void> => {
  const { clock, schedule } = book.world
  if (!isOpen(order) || clock.now() > order.terms.deadline * 1_000) return
  try {
    await settle(book, order)
  } finally {
    if (isOpen(order)) schedule.at(clock.now() + LOOK_MS, () => look(book, order))
  }
}

/** Takes an order into the books; what becomes of it follows by the network's time. */
export const openOrder = (book: Book, order: SimOrder): void => {
  const { faults, schedule } = book.world
  order.fate = takeSettlementFault(faults, 'uniswapx')
  book.orders.set(order.orderId, order)
  schedule.at(order.createdAt + FILLED_AFTER_MS, () => look(book, order))
}

export const statusOf = ({ world: { clock } }: Book, { status, terms }: SimOrder): string =>
  (status === 'open' || status === 'insufficient-funds') && clock.now() > terms.deadline * 1_000 ? 'expired' : status
