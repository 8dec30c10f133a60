import { type Address, parseEvmAddress } from '../../core/address.ts'
import { NATIVE } from '../../core/asset.ts'
import type { Hex } from '../../core/execution.ts'
import type { Movement, SeenCall, SeenLog } from '../seen.ts'

/** keccak256 of `Transfer(address,address,uint256)`: https://eips.ethereum.org/EIPS/eip-20 */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const WORD_DIGITS = 2 + 64
/** The bytes of a topic before an address in it. */
const ADDRESS_PADDING = `0x${'0'.repeat(24)}`

export const topicOf = (address: Address): Hex => `${ADDRESS_PADDING}${address.slice(2).toLowerCase()}` as Hex

/** Spells each address once: the checksum is a hash, and a receipt may name the same few thousands of times. */
const createSpelling = (): ((lower: string) => Address | null) => {
  const spelled = new Map<string, Address | null>()
  return (lower) => {
    const known = spelled.get(lower)
    if (known !== undefined) return known
    const address = parseEvmAddress(lower)
    spelled.set(lower, address)
    return address
  }
}

/** ERC-721 has its id in a fourth topic, and no data. A topic that is not an address is no transfer of money either. */
const transferIn = (log: SeenLog, spell: (lower: string) => Address | null): Movement | null => {
  const [topic, from, to, ...rest] = log.topics
  const isTransfer = topic === TRANSFER_TOPIC && rest.length === 0 && log.data.length === WORD_DIGITS
  if (!isTransfer || !from?.startsWith(ADDRESS_PADDING) || !to?.startsWith(ADDRESS_PADDING)) return null
  const [token, payer, payee] = [
    log.address,
    `0x${from.slice(ADDRESS_PADDING.length)}`,
    `0x${to.slice(ADDRESS_PADDING.length)}`,
  ].map(spell)
  // No contract can use the address of coins.
  if (!token || !payer || !payee || token === NATIVE) return null
  return { place: `log:${log.index}`, token, from: payer, to: payee, amount: BigInt(log.data) }
}

/** Coins by the value of the transaction itself, and tokens by the logs of their contracts. */
export const evmMovements = ({ from, to, value }: SeenCall, logs: readonly SeenLog[]): readonly Movement[] => {
  const spell = createSpelling()
  const tokens = logs.flatMap((log) => transferIn(log, spell) ?? [])
  return to === null || value === 0n ? tokens : [{ place: 'value', token: NATIVE, from, to, amount: value }, ...tokens]
}
