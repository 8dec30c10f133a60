import { COMPUTE_BUDGET_PROGRAM } from '../../chains/solana/solanaCodec.ts'
import { parseEvmAddress } from '../../core/address.ts'
import { BITCOIN, SOLANA } from '../../core/chain.ts'
import type { BitcoinChain } from '../bitcoin/bitcoinChain.ts'
import type { EvmChains } from '../evm/evmChains.ts'
import { BoundedMap } from '../kit/boundedMap.ts'
import type { SolanaChain } from '../solana/solanaChain.ts'
import type { TransactionFacts, WatchedPayment } from './watched.ts'

type Where = Pick<WatchedPayment, 'chainId' | 'txHash' | 'isFinal'>

/** What the chains show of transactions. */
export interface TransactionFactsReader {
  /** As last read. */
  of(where: Where): TransactionFacts
  /** Reads those that are not final. Never rejects: what cannot be read stays as it was. */
  refresh(all: readonly Where[]): Promise<void>
}

export type FactsChains = {
  readonly evm: Pick<EvmChains, 'rpc' | 'receipt'>
  readonly solana: Pick<SolanaChain, 'call'>
  readonly bitcoin: Pick<BitcoinChain, 'answer'>
}

const NOTHING: TransactionFacts = { block: null, blockAt: null, from: null, to: null }
const KEPT = 500

const checksum = (address: string | null): string | null => address && parseEvmAddress(address.toLowerCase())

const readEvm = async ({ evm }: FactsChains, { chainId, txHash }: Where): Promise<TransactionFacts> => {
  type Raw = { readonly from: string; readonly to: string | null }
  const found = (await evm.rpc(chainId, 'eth_getTransactionByHash', [txHash])) as Raw | null
  const receipt = found && (await evm.receipt(chainId, txHash))
  const blockAt = receipt && receipt.timestamp * 1_000
  return { block: receipt?.blockNumber ?? null, blockAt, from: checksum(found?.from ?? null), to: checksum(found?.to ?? null) }
}

/** The fields read here of https://solana.com/docs/rpc/http/gettransaction */
type RawMessage = {
  readonly accountKeys: readonly string[]
  readonly instructions: readonly { readonly programIdIndex: number }[]
}
type RawSolana = { readonly slot: number; readonly blockTime: number; readonly transaction: { readonly message: RawMessage } }

const readSolana = async ({ solana }: FactsChains, { txHash }: Where): Promise<TransactionFacts> => {
  const found = (await solana.call('getTransaction', [txHash, { commitment: 'confirmed' }])) as RawSolana | null
  if (!found) return NOTHING
  const { accountKeys, instructions } = found.transaction.message
  const programs = instructions.map(({ programIdIndex }) => accountKeys[programIdIndex] ?? null)
  const to = programs.find((program) => program !== COMPUTE_BUDGET_PROGRAM) ?? null
  return { block: found.slot, blockAt: found.blockTime * 1_000, from: accountKeys[0] ?? null, to }
}

/** The fields read here of https://github.com/Blockstream/esplora/blob/master/API.md#transactions */
type RawOutput = { readonly scriptpubkey_address?: string }
type RawBitcoin = {
  readonly vin: readonly { readonly prevout: RawOutput | null }[]
  readonly vout: readonly RawOutput[]
  readonly status: { readonly block_height?: number; readonly block_time?: number }
}

const readBitcoin = async ({ bitcoin }: FactsChains, { txHash }: Where): Promise<TransactionFacts> => {
  const { status, body } = await bitcoin.answer({ method: 'GET', path: `/tx/${txHash}`, body: '' })
  if (status !== 200) return NOTHING
  const { vin, vout, status: place } = body as RawBitcoin
  return {
    block: place.block_height ?? null,
    blockAt: place.block_time === undefined ? null : place.block_time * 1_000,
    from: vin[0]?.prevout?.scriptpubkey_address ?? null,
    to: vout[0]?.scriptpubkey_address ?? null,
  }
}

const read = (chains: FactsChains, where: Where): Promise<TransactionFacts> => {
  if (where.chainId === SOLANA) return readSolana(chains, where)
  return where.chainId === BITCOIN ? readBitcoin(chains, where) : readEvm(chains, where)
}

/** Transactions are read until they are final: until then a reorganization may move them. */
export const createTransactionFacts = (chains: FactsChains): TransactionFactsReader => {
  const known = new BoundedMap<string, { readonly facts: TransactionFacts; readonly isFinal: boolean }>(KEPT)
  const keyOf = ({ chainId, txHash }: Where): string => `${chainId}:${txHash}`

  const refreshOne = async (where: Where): Promise<void> => {
    if (known.get(keyOf(where))?.isFinal) return
    const facts = await read(chains, where).catch(() => null)
    if (facts) known.set(keyOf(where), { facts, isFinal: where.isFinal && facts.block !== null })
  }

  return {
    of: (where) => known.get(keyOf(where))?.facts ?? NOTHING,
    refresh: async (all) => {
      await Promise.all(all.map(refreshOne))
    },
  }
}
