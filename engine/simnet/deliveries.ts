import { base58 } from '@scure/base'
import { parseEvmAddress } from '../core/address.ts'
import { NATIVE } from '../core/asset.ts'
import { BITCOIN, SOLANA } from '../core/chain.ts'
import type { SimDeposit, SimTransaction, SimVenue } from './simVenue.ts'
import type { SimTokens } from './tokens.ts'
import type { SimEvm, SimRandom } from './world.ts'

/** What became of something that happened on a chain. `venue` is null when it concerned none of them. */
export type Delivery = { readonly txHash: string; readonly venue: string | null }

/** Something a venue would have refused although its chain took it. */
export type Notice = { readonly chainId: number; readonly txHash: string; readonly reason: string }

/** Tells the simulated venues what happened on the chains. */
export interface Deliveries {
  deposit(deposit: Omit<SimDeposit, 'txHash'>): Delivery
  /** Throws Error(reason) when the contract called would revert. */
  transaction(transaction: Omit<SimTransaction, 'txHash'> & { readonly txHash: string | null }): Delivery
  /** A transaction that is on an EVM chain; null when there is none by that hash, or it failed there. Told once. */
  mined(chainId: number, txHash: string): Promise<Delivery | null>
  /** As `mined`, for what nobody waits for: a venue that refuses is noted. */
  observe(chainId: number, txHash: string): Promise<void>
  readonly notices: readonly Notice[]
}

type MinedTransaction = { readonly from: string; readonly to: string | null; readonly input: string; readonly value: string }
type Receipt = {
  readonly status: string
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[]
}

const REMEMBERED = 10_000
const NOTICES_KEPT = 50
const RECEIPT_TRIES = 100
const RECEIPT_WAIT_MS = 10

/** keccak256 of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const checksum = (address: string): string => parseEvmAddress(address.toLowerCase()) ?? address

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const hashFor = (random: SimRandom, chainId: number): string => {
  if (chainId === SOLANA) return base58.encode(random.bytes(64))
  return chainId === BITCOIN ? random.hex(64) : `0x${random.hex(64)}`
}

/** The payments of a mined transaction: its own value when it calls nothing, and every ERC-20 transfer in its logs. */
const depositsOf = (
  chainId: number,
  txHash: string,
  { to, input, value }: MinedTransaction,
  { logs }: Receipt,
  tokens: SimTokens,
): SimDeposit[] => {
  const isPlain = to !== null && input === '0x' && BigInt(value) > 0n
  const native = isPlain ? [{ chainId, token: NATIVE, address: checksum(to), amount: BigInt(value), txHash }] : []
  const transfers = logs.flatMap(({ address, topics: [topic, , recipient], data }) => {
    const token = tokens.find(chainId, address)
    if (topic !== TRANSFER || !recipient || !token) return []
    return [{ chainId, token: token.address, address: checksum(`0x${recipient.slice(26)}`), amount: BigInt(data), txHash }]
  })
  return [...native, ...transfers]
}

export const createDeliveries = ({
  venues,
  tokens,
  random,
  evm,
}: {
  readonly venues: readonly SimVenue[]
  readonly tokens: SimTokens
  readonly random: SimRandom
  readonly evm: SimEvm
}): Deliveries => {
  const told = new Map<string, Promise<Delivery | null>>()
  const notices: Notice[] = []

  const tellDeposit = (deposit: SimDeposit): string | null => venues.find((venue) => venue.onDeposit(deposit))?.id ?? null
  const tellTransaction = (transaction: SimTransaction): string | null =>
    venues.find((venue) => venue.onTransaction(transaction))?.id ?? null

  const receiptOf = async (chainId: number, txHash: string): Promise<Receipt | null> => {
    // The node mines a moment after it takes a transaction.
    for (let tries = 0; tries < RECEIPT_TRIES; tries++) {
      const receipt = (await evm.rpc(chainId, 'eth_getTransactionReceipt', [txHash])) as Receipt | null
      if (receipt) return receipt
      await wait(RECEIPT_WAIT_MS)
    }
    return null
  }

  const tellMined = async (chainId: number, txHash: string): Promise<Delivery | null> => {
    const transaction = (await evm.rpc(chainId, 'eth_getTransactionByHash', [txHash])) as MinedTransaction | null
    const receipt = transaction && (await receiptOf(chainId, txHash))
    if (!transaction || receipt?.status !== '0x1') return null
    const { from, to, input, value } = transaction
    const call = { chainId, from: checksum(from), to: checksum(to ?? ''), data: input, value: BigInt(value), txHash }
    const called = to !== null && input !== '0x' ? tellTransaction(call) : null
    const paid = depositsOf(chainId, txHash, transaction, receipt, tokens).map(tellDeposit)
    return { txHash, venue: called ?? paid.find((venue) => venue !== null) ?? null }
  }

  const mined = (chainId: number, txHash: string): Promise<Delivery | null> => {
    const key = `${chainId}:${txHash.toLowerCase()}`
    const before = told.get(key)
    if (before) return before
    const telling = tellMined(chainId, txHash)
    told.set(key, telling)
    if (told.size > REMEMBERED) told.delete(told.keys().next().value ?? key)
    // Not there yet, or not readable: worth asking again.
    telling.then(
      (delivery) => delivery ?? told.delete(key),
      () => told.delete(key),
    )
    return telling
  }

  const observe = async (chainId: number, txHash: string): Promise<void> => {
    try {
      await mined(chainId, txHash)
    } catch (error) {
      notices.push({ chainId, txHash, reason: error instanceof Error ? error.message : String(error) })
      if (notices.length > NOTICES_KEPT) notices.shift()
    }
  }

  return {
    deposit: (deposit) => {
      const txHash = hashFor(random, deposit.chainId)
      return { txHash, venue: tellDeposit({ ...deposit, txHash }) }
    },
    transaction: (transaction) => {
      const txHash = transaction.txHash ?? hashFor(random, transaction.chainId)
      return { txHash, venue: tellTransaction({ ...transaction, txHash }) }
    },
    mined,
    observe,
    notices,
  }
}
