import type { SimTransaction } from '../../simVenue.ts'
import type { Network } from './networks.ts'

/** A deposit as the contract takes it from the chain. Words are 32 bytes of lower-case hex without 0x. */
export type SeenDeposit = {
  readonly depositor: string
  readonly recipient: string
  readonly inputToken: string
  readonly outputToken: string
  readonly inputAmount: bigint
  readonly outputAmount: bigint
  readonly destinationWireId: bigint
  readonly quoteTimestamp: number
  readonly fillDeadline: number
  /** Hex without 0x. */
  readonly message: string
  readonly swap: { readonly token: string; readonly amount: bigint } | null
}

/** Reads calldata word by word, the way a contract does: what follows the arguments is never looked at. */
class Words {
  readonly #hex: string
  readonly #start: number
  constructor(hex: string, start = 0) {
    this.#hex = hex
    this.#start = start
  }
  word(index: number): string {
    const at = this.#start + index * 64
    const word = this.#hex.slice(at, at + 64)
    if (word.length !== 64) throw new Error('execution reverted: calldata too short')
    return word
  }
  uint(index: number): bigint {
    return BigInt(`0x${this.word(index)}`)
  }
  small(index: number): number {
    const value = this.uint(index)
    if (value >= 1n << 32n) throw new Error('execution reverted: not a uint32')
    return Number(value)
  }
  address(index: number): string {
    const word = this.word(index)
    if (!word.startsWith('0'.repeat(24))) throw new Error('execution reverted: not an address')
    return word
  }
  /** Where the dynamic argument at `index` begins. */
  follow(index: number): Words {
    const offset = this.uint(index)
    if (offset > 1_000_000n) throw new Error('execution reverted: offset out of range')
    return new Words(this.#hex, this.#start + Number(offset) * 2)
  }
  bytes(index: number): string {
    const at = this.follow(index)
    const length = at.uint(0)
    const bytes = this.#hex.slice(at.#start + 64, at.#start + 64 + Number(length) * 2)
    if (BigInt(bytes.length) !== length * 2n) throw new Error('execution reverted: bytes too short')
    return bytes
  }
}

const spokePoolDeposit = (words: Words): SeenDeposit => ({
  depositor: words.address(0),
  recipient: words.word(1),
  inputToken: words.address(2),
  outputToken: words.word(3),
  inputAmount: words.uint(4),
  outputAmount: words.uint(5),
  destinationWireId: words.uint(6),
  quoteTimestamp: words.small(8),
  fillDeadline: words.small(9),
  message: words.bytes(11),
  swap: null,
})

const nativeDeposit = (words: Words, network: Network): SeenDeposit => {
  if (words.address(0) !== network.spokePool.slice(2).toLowerCase().padStart(64, '0'))
    throw new Error('execution reverted: no SpokePool')
  return {
    depositor: words.address(1),
    recipient: words.word(2),
    inputToken: words.address(3),
    inputAmount: words.uint(4),
    outputToken: words.word(5),
    outputAmount: words.uint(6),
    destinationWireId: words.uint(7),
    quoteTimestamp: words.small(9),
    fillDeadline: words.small(10),
    message: words.bytes(12),
    swap: null,
  }
}

/** The exchange is taken to return exactly the least that was asked of it. */
const swapAndDeposit = (words: Words): SeenDeposit => {
  const data = words.follow(0)
  // Two words of submission fees come before the offset of the deposit.
  const deposit = data.follow(2)
  if (data.uint(11) !== 0n) throw new Error('execution reverted: InvalidNonce()')
  return {
    inputToken: deposit.address(0),
    outputToken: deposit.word(1),
    outputAmount: deposit.uint(2),
    depositor: deposit.address(3),
    recipient: deposit.word(4),
    destinationWireId: deposit.uint(5),
    quoteTimestamp: deposit.small(7),
    fillDeadline: deposit.small(8),
    message: deposit.bytes(10),
    inputAmount: data.uint(7),
    swap: { token: data.address(3), amount: data.uint(6) },
  }
}

/** The deposit a transaction makes at a SpokePool or the periphery; null when it calls neither. Throws what the contract would revert with. */
export const readDeposit = ({ to, data, value }: SimTransaction, network: Network): SeenDeposit | null => {
  const isAt = (address: string) => address.toLowerCase() === to.toLowerCase()
  if (!isAt(network.spokePool) && !isAt(network.periphery)) return null
  const hex = data.toLowerCase().slice(10)
  const words = new Words(hex)
  const selector = data.toLowerCase().slice(0, 10)
  if (isAt(network.spokePool)) {
    if (selector !== '0xad5425c6' && selector !== '0x7b939232') throw new Error('execution reverted')
    return spokePoolDeposit(words)
  }
  if (selector === '0x609ea081') {
    if (value === 0n) throw new Error('execution reverted: nothing to deposit')
    return nativeDeposit(words, network)
  }
  if (selector === '0x110560ad') return swapAndDeposit(words)
  throw new Error('execution reverted')
}

/** SpokePool._depositV3 of contracts/spoke-pools/SpokePool.sol. Times are unix seconds. */
export const checkDeposit = (deposit: SeenDeposit, { value }: SimTransaction, network: Network, now: number): void => {
  const paid = deposit.swap ?? { token: deposit.inputToken, amount: deposit.inputAmount }
  const wrapped = (network.wrapped ?? '').slice(2).toLowerCase().padStart(64, '0')
  if (value > 0n && paid.token !== wrapped) throw new Error('execution reverted: MsgValueDoesNotMatchInputAmount()')
  if (value > 0n && value !== paid.amount) throw new Error('execution reverted: MsgValueDoesNotMatchInputAmount()')
  if (/^0*$/.test(deposit.outputToken)) throw new Error('execution reverted: InvalidOutputToken()')
  if (now < deposit.quoteTimestamp || now - deposit.quoteTimestamp > 3_600)
    throw new Error('execution reverted: InvalidQuoteTimestamp()')
  if (deposit.fillDeadline > now + 21_600) throw new Error('execution reverted: InvalidFillDeadline()')
}
