import { PERMIT2 } from '../../../chains/evm/permit2.ts'
import { ZERO_EVM_ADDRESS } from '../../../core/address.ts'
import { NATIVE } from '../../../core/asset.ts'
import { KINDS } from '../../../venues/uniswapx/protocol.ts'
import { callData, ERC20 } from '../../kit/callData.ts'
import { type SettlementFault, takeSettlementFault } from '../../kit/fate.ts'
import { land } from '../../kit/payOut.ts'
import type { SimToken } from '../../kit/tokens.ts'
import type { World } from '../../kit/world.ts'
import { type Decay, encodeOrder, structsOf, type Terms } from './orderData.ts'

export type SimOrder = {
  readonly orderId: string
  readonly terms: Terms
  readonly signature: string
  /** Epoch ms. */
  readonly createdAt: number
  fate: SettlementFault | null
  status: 'open' | 'filled' | 'error' | 'insufficient-funds'
  settled: { readonly txHash: string; readonly amounts: readonly bigint[] } | null
}

const EXECUTE = ['struct SignedOrder { bytes order; bytes sig; }', 'function execute(SignedOrder order) payable'] as const
const PERMIT = [
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct SignatureTransferDetails { address to; uint256 requestedAmount; }',
  'function permitWitnessTransferFrom(PermitTransferFrom permit, SignatureTransferDetails details, address owner, bytes32 witness, string witnessTypeString, bytes signature)',
] as const

/** The account that fills all orders. */
const FILLER = '0x5a3c9a1b0cb4c37c5f1d2e6e7b8a9c0d1e2f3a4b'
const FILLED_AFTER_MS = 6_000
const RETRY_MS = 12_000
/** The share of the filler, in tenths of a basis point. */
const SPREAD = { alike: 60n, other: 250n } as const

export const tokenAt = ({ tokens }: World, chainId: number, address: string): SimToken | null =>
  tokens.find(chainId, address === ZERO_EVM_ADDRESS ? NATIVE : address)

/** The value of a whole input to the filler, in the output token. */
export const worthOf = ({ market }: World, from: SimToken, sold: bigint, to: SimToken): bigint => {
  const spread = from.currency === to.currency ? SPREAD.alike : SPREAD.other
  return (market.convert(from, sold, to) * (100_000n - spread)) / 100_000n
}

/** Funds the filler with the payments and approves the reactor. Returns the coins to send along. */
const bringStock = async ({ evm }: World, { chainId, reactor, outputs: [first] }: Terms, total: bigint): Promise<bigint> => {
  const token = first?.token ?? ZERO_EVM_ADDRESS
  const isCoins = token === ZERO_EVM_ADDRESS
  await evm.fund({ chainId, token: isCoins ? NATIVE : token, holder: FILLER, amount: total })
  if (isCoins) return total
  await land(evm, { chainId, from: FILLER, to: token, data: await callData(ERC20.approve, [reactor, total]) })
  return 0n
}

/** Fills an order by its reactor. Throws EvmRevert where a contract refuses. */
const fill = async (world: World, order: SimOrder, isDecayed: boolean): Promise<void> => {
  const { terms, signature } = order
  const { chainId, kind, reactor, outputs } = terms
  const block = BigInt((await world.evm.rpc(chainId, 'eth_blockNumber', [])) as string)
  // V2 rejects a decay that ends after the deadline.
  const far = kind === 'DUTCH_V3' ? block + 1_000n : BigInt(terms.deadline - 1)
  const decay: Decay = isDecayed ? { start: 0n, end: 1n } : { start: far, end: far + 1n }
  const amounts = outputs.map(({ start, end }) => (isDecayed ? end : start))
  const value = await bringStock(
    world,
    terms,
    amounts.reduce((sum, amount) => sum + amount, 0n),
  )
  const data = await callData(EXECUTE, [{ order: await encodeOrder(terms, decay), sig: signature }])
  const { txHash } = await land(world.evm, { chainId, from: FILLER, to: reactor, data, value })
  order.status = 'filled'
  order.settled = { txHash, amounts }
}

/** The type string of the witness for Permit2: its field, and all structs in the order of their names. */
const witnessTypeOf = ({ kind }: Terms): string => {
  const structs = Object.entries(structsOf(kind)).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const texts = structs.map(([name, fields]) => `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`)
  return `${KINDS[kind].witness} witness)${texts.join('')}`
}

/** Takes the whole input and pays half of the minimum, as a broken reactor would. */
const fillShort = async (world: World, order: SimOrder): Promise<void> => {
  const { evm } = world
  const { terms, orderId, signature } = order
  const { chainId, reactor: from, token, amount, nonce, deadline, swapper, outputs } = terms
  const [own] = outputs
  if (!own) return
  const permit = { permitted: { token, amount }, nonce, deadline: BigInt(deadline) }
  const details = { to: FILLER, requestedAmount: amount }
  const data = await callData(PERMIT, [permit, details, swapper, orderId, witnessTypeOf(terms), signature])
  await land(evm, { chainId, from, to: PERMIT2, data })
  const half = own.end / 2n
  const value = await bringStock(world, terms, half)
  const isCoins = own.token === ZERO_EVM_ADDRESS
  const payment = isCoins ? '0x' : await callData(ERC20.transfer, [own.recipient, half])
  const { txHash } = await land(evm, { chainId, from: FILLER, to: isCoins ? own.recipient : own.token, data: payment, value })
  order.status = 'filled'
  order.settled = { txHash, amounts: [half] }
}

/** Fills at the start of the decay, or at its end, where the market price is enough for it. */
const fillAtMarket = async (world: World, order: SimOrder): Promise<void> => {
  const { chainId, token, amount, outputs } = order.terms
  const [from, to] = [tokenAt(world, chainId, token), tokenAt(world, chainId, outputs[0]?.token ?? '')]
  if (!from || !to) return
  const worth = worthOf(world, from, amount, to)
  const due = (of: 'start' | 'end') => outputs.reduce((sum, output) => sum + output[of], 0n)
  if (worth < due('end')) return
  try {
    await fill(world, order, worth < due('start'))
  } catch (error) {
    // Permit2's error for a wallet without funds or allowance.
    if (!(error instanceof Error) || !error.message.includes('TRANSFER_FROM_FAILED')) throw error
    order.status = 'insufficient-funds'
  }
}

const settle = async (world: World, order: SimOrder): Promise<void> => {
  order.fate ??= takeSettlementFault(world.faults, 'uniswapx')
  switch (order.fate) {
    case 'fails':
      order.status = 'error'
      return
    case 'never-fills':
      return
    case 'lying-success':
      order.status = 'filled'
      order.settled = { txHash: `0x${world.random.hex(64)}`, amounts: order.terms.outputs.map(({ start }) => start) }
      return
    case 'short-fill':
      return fillShort(world, order)
    case null:
      return fillAtMarket(world, order)
  }
}

const isOpen = ({ status }: SimOrder): boolean => status === 'open' || status === 'insufficient-funds'
const isOver = ({ clock }: World, { terms }: SimOrder): boolean => clock.now() > terms.deadline * 1_000

const visit = async (world: World, order: SimOrder): Promise<void> => {
  if (!isOpen(order) || isOver(world, order)) return
  try {
    await settle(world, order)
  } finally {
    if (isOpen(order)) world.schedule.at(world.clock.now() + RETRY_MS, () => visit(world, order))
  }
}

/** Opens an order, which is filled on the schedule of the network. */
export const openOrder = (world: World, placed: Pick<SimOrder, 'orderId' | 'terms' | 'signature'>): SimOrder => {
  const { clock, faults, schedule } = world
  const fate = takeSettlementFault(faults, 'uniswapx')
  const order: SimOrder = { ...placed, createdAt: clock.now(), fate, status: 'open', settled: null }
  schedule.at(order.createdAt + FILLED_AFTER_MS, () => visit(world, order))
  return order
}

export const statusOf = (world: World, order: SimOrder): string =>
  isOpen(order) && isOver(world, order) ? 'expired' : order.status
