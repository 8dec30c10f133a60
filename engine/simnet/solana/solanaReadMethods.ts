import { mintDecimals, type SolanaAccount, TOKEN_PROGRAMS, tokenHolding } from './solanaAccounts.ts'
import { type AccountStyle, accountView, readStyle } from './solanaAccountView.ts'
import type { Commitment, SolanaBlocks } from './solanaBlocks.ts'
import { solanaFee } from './solanaFee.ts'
import type { SolanaLedger } from './solanaLedger.ts'
import { type CallOptions, commitmentOf, readKey, readList, readOptions, readWhole } from './solanaParams.ts'
import { tokenAmountView } from './solanaParsedAccount.ts'
import { invalidParams } from './solanaRpcError.ts'
import { SLOTS_PER_EPOCH, type SolanaVm } from './solanaVm.ts'
import { decodeSolanaMessage, isSaneMessage, SolanaWireError } from './solanaWire.ts'

export type SolanaMethod = (params: readonly unknown[]) => unknown
export type SolanaMethods = { readonly [method: string]: SolanaMethod }

/** Mainnet's, as every chain of the offline network has the id of the real one. */
const GENESIS_HASH = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
const VERSION = '2.3.0'
const KEYS_MAX = 100
const ACCOUNT_BYTES_MAX = 10 * 1024 * 1024

const readMessage = (value: unknown) => {
  if (typeof value !== 'string') throw invalidParams('Invalid params: expected a message in base64.')
  try {
    const message = decodeSolanaMessage(Buffer.from(value, 'base64'))
    if (!isSaneMessage(message)) throw new SolanaWireError('index out of bounds')
    return message
  } catch (error) {
    if (!(error instanceof SolanaWireError)) throw error
    throw invalidParams(`failed to deserialize solana_message::versions::VersionedMessage: ${error.message}`)
  }
}

/** Wraps an answer with the slot it is of. */
export const inSlot = (blocks: SolanaBlocks, value: unknown, commitment: Commitment = 'confirmed') => ({
  context: { apiVersion: VERSION, slot: blocks.slotAt(commitment) },
  value,
})

type Parts = { readonly vm: SolanaVm; readonly blocks: SolanaBlocks; readonly ledger: SolanaLedger }

const accountMethods = ({ vm, blocks }: Parts): SolanaMethods => {
  const options = (value: unknown): CallOptions => readOptions(value, blocks.tip())
  const view = (account: SolanaAccount | null, style: AccountStyle) => accountView(account, style, vm.account)
  /** The clock is an account too, and goes on while nothing lands. */
  const accountNow = (key: string): SolanaAccount | null => {
    vm.moveTo({ slot: blocks.tip(), unixSeconds: blocks.timeOf(blocks.tip()) })
    return vm.account(key)
  }
  return {
    getBalance: ([key, config]) => {
      options(config)
      return inSlot(blocks, vm.account(readKey(key))?.lamports ?? 0n)
    },
    getAccountInfo: ([key, config]) => {
      const style = readStyle(options(config), 'binary')
      return inSlot(blocks, view(accountNow(readKey(key)), style))
    },
    getMultipleAccounts: ([keys, config]) => {
      const style = readStyle(options(config), 'base64')
      return inSlot(
        blocks,
        readList(keys, KEYS_MAX).map((key) => view(accountNow(readKey(key)), style)),
      )
    },
    getMinimumBalanceForRentExemption: ([bytes]) => vm.rentExempt(readWhole(bytes, 'data length', ACCOUNT_BYTES_MAX)),
  }
}

/** The token accounts a filter means: those of a mint, or of a token program. */
const readTokenFilter = (value: unknown, vm: SolanaVm): { readonly program: string; readonly mint: string | null } => {
  const { mint, programId } = (value ?? {}) as CallOptions
  if (mint !== undefined) {
    const account = vm.account(readKey(mint))
    if (!account || mintDecimals(account) === null) throw invalidParams('Invalid param: could not find mint')
    return { program: account.owner, mint: readKey(mint) }
  }
  const program = readKey(programId)
  if (!Object.values<string>(TOKEN_PROGRAMS).includes(program))
    throw invalidParams('Invalid param: unrecognized Token program id')
  return { program, mint: null }
}

const tokenMethods = ({ vm, blocks }: Parts): SolanaMethods => ({
  getTokenAccountBalance: ([key, config]) => {
    readOptions(config, blocks.tip())
    const account = vm.account(readKey(key))
    if (!account) throw invalidParams('Invalid param: could not find account')
    const holding = tokenHolding(account)
    const decimals = holding && mintDecimals(vm.account(holding.mint))
    if (!holding || decimals === null) throw invalidParams('Invalid param: not a Token account')
    return inSlot(blocks, tokenAmountView(holding.amount, decimals))
  },
  getTokenSupply: ([key, config]) => {
    readOptions(config, blocks.tip())
    const account = vm.account(readKey(key))
    const decimals = mintDecimals(account)
    if (!account || decimals === null) throw invalidParams('Invalid param: not a Token mint')
    return inSlot(blocks, tokenAmountView(account.data.readBigUInt64LE(36), decimals))
  },
  getTokenAccountsByOwner: ([owner, filter, config]) => {
    const wanted = readKey(owner)
    const { program, mint } = readTokenFilter(filter, vm)
    const style = readStyle(readOptions(config, blocks.tip()), 'binary')
    const held = vm.owned(program).filter(({ account }) => {
      const holding = tokenHolding(account)
      return holding?.owner === wanted && (mint === null || holding.mint === mint)
    })
    const sorted = held.toSorted((a, b) => (a.address < b.address ? -1 : 1))
    return inSlot(
      blocks,
      sorted.map(({ address, account }) => ({ pubkey: address, account: accountView(account, style, vm.account) })),
    )
  },
})

const blockMethods = ({ blocks, ledger }: Parts): SolanaMethods => ({
  getHealth: () => 'ok',
  getVersion: () => ({ 'solana-core': VERSION, 'feature-set': 0 }),
  getGenesisHash: () => GENESIS_HASH,
  getSlot: ([config]) => blocks.slotAt(commitmentOf(readOptions(config, blocks.tip()))),
  getBlockHeight: ([config]) => blocks.heightAt(commitmentOf(readOptions(config, blocks.tip()))),
  getFirstAvailableBlock: () => 0,
  getBlockTime: ([slot]) => blocks.timeOf(readWhole(slot, 'slot', blocks.tip())),
  getTransactionCount: () => ledger.count(),
  getEpochInfo: ([config]) => {
    const commitment = commitmentOf(readOptions(config, blocks.tip()))
    const slot = blocks.slotAt(commitment)
    return {
      absoluteSlot: slot,
      blockHeight: blocks.heightAt(commitment),
      epoch: Math.floor(slot / SLOTS_PER_EPOCH),
      slotIndex: slot % SLOTS_PER_EPOCH,
      slotsInEpoch: SLOTS_PER_EPOCH,
      transactionCount: ledger.count(),
    }
  },
  getLatestBlockhash: ([config]) => {
    const commitment = commitmentOf(readOptions(config, blocks.tip()))
    return inSlot(blocks, blocks.latest(commitment), commitment)
  },
  isBlockhashValid: ([blockhash, config]) => {
    readOptions(config, blocks.tip())
    return inSlot(blocks, blocks.isValid(readKey(blockhash)))
  },
  getFeeForMessage: ([message, config]) => {
    readOptions(config, blocks.tip())
    const read = readMessage(message)
    return inSlot(blocks, blocks.isValid(read.blockhash) ? solanaFee(read) : null)
  },
  getRecentPrioritizationFees: ([keys]) => {
    readList(keys ?? [], 128).forEach(readKey)
    return [{ slot: blocks.tip(), prioritizationFee: 0 }]
  },
})

/** What can be asked of accounts and blocks. */
export const solanaReadMethods = (parts: Parts): SolanaMethods => ({
  ...accountMethods(parts),
  ...tokenMethods(parts),
  ...blockMethods(parts),
})
