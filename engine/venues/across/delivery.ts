import { decodeParameters, encodeParameters } from '../../chains/evm/evmCodec.ts'
import { readExactCall } from '../../chains/evm/exactCall.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { type Asset, NATIVE } from '../../core/asset.ts'
import { type ChainId, isEvmChainId, SOLANA } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { addressOfWord, type CodeOf, formOfWrapped, wrappedNative } from '../kit/spokePools.ts'
import { DRAIN_LEFTOVER_TOKENS, EMIT_DATA, INSTRUCTIONS, MAKE_CALL_WITH_BALANCE, TRANSFER, WITHDRAW } from './protocol.ts'
import type { Deployed, Pinned } from './published.ts'

/** The effect of a deposit's fill on the destination chain. */
export type Delivery = {
  readonly output: Asset & { readonly amount: bigint }
  readonly recipient: Address
  /** Paid from the deposit's output before the recipient. */
  readonly fee: { readonly recipient: Address; readonly amount: bigint } | null
  /** The recipient when the calls fail; null: then the deposit is not filled at all. */
  readonly fallback: Address | null
  readonly unread: readonly string[]
}

export type DepositOutput = {
  readonly chainId: ChainId
  /** 32 bytes each. */
  readonly recipient: Hex
  readonly outputToken: Hex
  readonly outputAmount: bigint
  readonly message: Hex
}

type Call = { readonly target: Address; readonly callData: Hex; readonly value: bigint }
type Coin = 'token' | 'native'
type Payment = { readonly to: Address; readonly coin: Coin; readonly amount: bigint; readonly isDrain: boolean }

/** The handler during a message: its holdings of this deposit, and its payments. */
type Handler = {
  readonly address: Address
  readonly emitters: readonly Address[]
  readonly token: Address
  readonly isWrappedNative: boolean
  readonly holds: Record<Coin, bigint>
  readonly payments: Payment[]
}

const pay = ({ holds, payments }: Handler, payment: Payment): boolean => {
  if (payment.amount > holds[payment.coin]) return false
  holds[payment.coin] -= payment.amount
  payments.push(payment)
  return true
}

const unwrap = ({ holds, isWrappedNative }: Handler, amount: bigint): boolean => {
  if (!isWrappedNative || amount > holds.token) return false
  holds.token -= amount
  holds.native += amount
  return true
}

const runDrain = (handler: Handler, [token, to]: readonly unknown[]): boolean => {
  const coin: Coin | null = token === ZERO_EVM_ADDRESS ? 'native' : token === handler.token ? 'token' : null
  return coin !== null && pay(handler, { to: to as Address, coin, amount: handler.holds[coin], isDrain: true })
}

/** The only use: `withdraw(whole balance)` of the wrapped native coin. */
const runWithBalance = async (handler: Handler, [target, callData, value, replacement]: readonly unknown[]): Promise<boolean> => {
  const [only, ...others] = replacement as readonly { token: string; offset: bigint }[]
  const isWholeBalance = only?.token === handler.token && only.offset === 4n && others.length === 0
  if (target !== handler.token || value !== 0n || !isWholeBalance) return false
  const withdraw = await readExactCall(WITHDRAW, callData as Hex)
  return withdraw?.[0] === 0n && unwrap(handler, handler.holds.token)
}

/** Simulates one call of the handler. Returns false for a call that Across is not known to send. */
const run = async (handler: Handler, { target, callData, value }: Call): Promise<boolean> => {
  if (callData === '0x') return value > 0n && pay(handler, { to: target, coin: 'native', amount: value, isDrain: false })
  if (value !== 0n) return false
  const read = (abi: Parameters<typeof readExactCall>[0]) => readExactCall(abi, callData)
  if (target === handler.address) {
    const drain = await read(DRAIN_LEFTOVER_TOKENS)
    if (drain) return runDrain(handler, drain)
    const withBalance = await read(MAKE_CALL_WITH_BALANCE)
    return withBalance !== null && runWithBalance(handler, withBalance)
  }
  if (target === handler.token) {
    const transfer = await read(TRANSFER)
    if (transfer)
      return pay(handler, { to: transfer[0] as Address, coin: 'token', amount: transfer[1] as bigint, isDrain: false })
    const withdraw = await read(WITHDRAW)
    return withdraw !== null && unwrap(handler, withdraw[0] as bigint)
  }
  return handler.emitters.includes(target) && (await read(EMIT_DATA)) !== null
}

const readInstructions = async (message: Hex): Promise<{ calls: readonly Call[]; fallbackRecipient: Address } | null> => {
  const values = await decodeParameters(INSTRUCTIONS, message)
  if (!values || (await encodeParameters(INSTRUCTIONS, values)) !== message) return null
  return values[0] as { calls: readonly Call[]; fallbackRecipient: Address }
}

const nothing = (chainId: ChainId, why: string): Delivery => ({
  output: { chainId, address: ZERO_EVM_ADDRESS, amount: 0n },
  recipient: ZERO_EVM_ADDRESS,
  fee: null,
  fallback: null,
  unread: [why],
})

/** The final recipients: all drains must go to one address, and at most one other payment is a fee. */
const settle = ({ holds, payments, token }: Handler, chainId: ChainId, fallback: Address | null): Delivery => {
  const main = payments.find(({ isDrain, amount }) => isDrain && amount > 0n)
  if (!main) return nothing(chainId, 'a message that delivers nothing')
  const others = payments.filter((payment) => payment !== main && payment.amount > 0n)
  const [fee, ...more] = others
  const unread = failing({
    'leftovers to another address': payments.every(({ isDrain, to }) => !isDrain || to === main.to),
    'a second payment': more.length === 0 && (!fee || (!fee.isDrain && fee.coin === main.coin)),
    'output left in the handler': holds.token === 0n && holds.native === 0n,
  })
  const address = main.coin === 'native' ? NATIVE : token
  return {
    output: { chainId, address, amount: main.amount },
    recipient: main.to,
    fee: fee ? { recipient: fee.to, amount: fee.amount } : null,
    fallback,
    unread,
  }
}

const deliverByMessage = async (
  { chainId, message, outputAmount }: DepositOutput,
  { token, recipient }: { readonly token: Address; readonly recipient: Address },
  { on }: Pinned,
): Promise<Delivery> => {
  const { handlers = [], emitters = [] }: Partial<Deployed> = on(chainId) ?? {}
  if (handlers.length === 0) return nothing(chainId, 'a message where no handler is published')
  if (!handlers.includes(recipient)) return nothing(chainId, 'a message to a stranger')
  const instructions = await readInstructions(message)
  if (!instructions) return nothing(chainId, 'message')
  const handler: Handler = {
    address: recipient,
    emitters,
    token,
    isWrappedNative: token === wrappedNative(chainId),
    holds: { token: outputAmount, native: 0n },
    payments: [],
  }
  for (const [index, call] of instructions.calls.entries()) {
    if (!(await run(handler, call))) return nothing(chainId, `call ${index} of the message`)
  }
  const { fallbackRecipient } = instructions
  return settle(handler, chainId, fallbackRecipient === ZERO_EVM_ADDRESS ? null : fallbackRecipient)
}

const deliverDirectly = async (
  { chainId, outputAmount }: DepositOutput,
  token: Address,
  recipient: Address,
  codeOf: CodeOf,
): Promise<Delivery> => {
  const isWrapped = isEvmChainId(chainId) && token === wrappedNative(chainId)
  const address = isWrapped ? await formOfWrapped(chainId, token, recipient, codeOf) : token
  return {
    output: { chainId, address: address ?? token, amount: outputAmount },
    recipient,
    fee: null,
    fallback: null,
    unread: failing({ 'whether the output arrives wrapped': address !== null }),
  }
}

export type DeliveryPorts = { readonly codeOf: CodeOf; readonly pinned: Pinned }

/** Reads the effect of a deposit's fill from its own fields and, where it decides, the recipient's code. */
export const readDelivery = async (output: DepositOutput, { codeOf, pinned }: DeliveryPorts): Promise<Delivery> => {
  const { chainId, message } = output
  const token = addressOfWord(chainId, output.outputToken)
  const recipient = addressOfWord(chainId, output.recipient)
  if (!token || !recipient) return nothing(chainId, 'an address of the other chain')
  if (message === '0x') return deliverDirectly(output, token, recipient, codeOf)
  return chainId === SOLANA ? nothing(chainId, 'a message to Solana') : deliverByMessage(output, { token, recipient }, pinned)
}
