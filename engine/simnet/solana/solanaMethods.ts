import { base58 } from '@scure/base'
import { mintDecimals, type SolanaAccount, TOKEN_PROGRAMS, tokenHolding } from './solanaAccounts.ts'
import type { Commitment, SolanaBlocks } from './solanaBlocks.ts'
import type { LandedTransaction, Simulated, SolanaLedger } from './solanaLedger.ts'
import { isFullySigned, memosOf, prepareSolana, type SolanaPrepared } from './solanaPrepare.ts'
import { invalidParams, RPC_CODE, SolanaRpcError } from './solanaRpcError.ts'
import { type AccountEncoding, accountView, tokenAmountView, transactionView } from './solanaViews.ts'
import { failureText, SLOTS_PER_EPOCH, type SolanaVm } from './solanaVm.ts'

type SolanaMethod = (params: readonly unknown[]) => unknown
export type SolanaMethods = { readonly [method: string]: SolanaMethod }

type Parts = {
  readonly vm: SolanaVm
  readonly blocks: SolanaBlocks
  readonly ledger: SolanaLedger
  /** Runs before the sender receives its answer. */
  readonly onLanded: (landed: LandedTransaction) => Promise<void>
}

const VERSION = '2.3.0'
const KEYS_MAX = 100
const SIGNATURES_MAX = 256
const HISTORY_MAX = 1_000
/** Of a block that is not final yet. */
const CONFIRMATIONS_MAX = 31

const COMMITMENTS: readonly unknown[] = ['processed', 'confirmed', 'finalized'] satisfies readonly Commitment[]

type Options = { readonly [name: string]: unknown }

const base58Of =
  (bytes: number) =>
  (value: unknown): string => {
    try {
      if (typeof value === 'string' && base58.decode(value).length === bytes) return value
    } catch {
      // Not base58.
    }
    throw invalidParams(`Invalid param: expected base58 of ${bytes} bytes`)
  }
const readKey = base58Of(32)
const readSignature = base58Of(64)

const readOne = <T extends string>(value: unknown, name: string, variants: readonly T[], usual: T): T => {
  const found = variants.find((variant) => variant === (value ?? usual))
  if (found === undefined) throw invalidParams(`Invalid params: ${name}: expected one of ${variants.join(', ')}`)
  return found
}

const readList = (value: unknown, max: number): readonly unknown[] => {
  if (!Array.isArray(value) || value.length > max) throw invalidParams(`Invalid params: expected a list of up to ${max}`)
  return value
}

/** The options of a call, and the commitment among them. */
const createOptions =
  (blocks: SolanaBlocks) =>
  (value: unknown): Options & { readonly commitment: Commitment } => {
    const options = (value ?? {}) as Options
    const { commitment = 'finalized', minContextSlot = 0 } = options
    if (!COMMITMENTS.includes(commitment)) throw invalidParams(`Invalid params: commitment: ${String(commitment)}`)
    if (typeof minContextSlot !== 'number') throw invalidParams('Invalid params: minContextSlot: expected u64.')
    const tip = blocks.tip()
    if (minContextSlot > tip)
      throw new SolanaRpcError(RPC_CODE.contextSlotNotReached, 'Minimum context slot has not been reached', { contextSlot: tip })
    return { ...options, commitment: commitment as Commitment }
  }

/** Wraps an answer with its slot. */
const inSlot = (blocks: SolanaBlocks, value: unknown, commitment: Commitment = 'confirmed') => ({
  context: { apiVersion: VERSION, slot: blocks.slotAt(commitment) },
  value,
})

const accountMethods = ({ vm, blocks }: Parts): SolanaMethods => {
  const options = createOptions(blocks)
  const encodingOf = ({ encoding }: Options): AccountEncoding => readOne(encoding, 'encoding', ['base64', 'jsonParsed'], 'base64')
  const view = (account: SolanaAccount | null, config: Options) => accountView(account, encodingOf(config), vm.account)
  /** The clock is an account too, and its time passes while no transaction lands. */
  const accountNow = (key: unknown): SolanaAccount | null => {
    vm.moveTo({ slot: blocks.tip(), unixSeconds: blocks.timeOf(blocks.tip()) })
    return vm.account(readKey(key))
  }
  return {
    getBalance: ([key, config]) => {
      options(config)
      return inSlot(blocks, vm.account(readKey(key))?.lamports ?? 0n)
    },
    getAccountInfo: ([key, config]) => inSlot(blocks, view(accountNow(key), options(config))),
    getMultipleAccounts: ([keys, config]) => {
      const found = readList(keys, KEYS_MAX).map(accountNow)
      return inSlot(
        blocks,
        found.map((account) => view(account, options(config))),
      )
    },
    getTokenAccountBalance: ([key]) => {
      const holding = tokenHolding(vm.account(readKey(key)))
      const decimals = holding && mintDecimals(vm.account(holding.mint))
      if (!holding || decimals === null) throw invalidParams('Invalid param: not a Token account')
      return inSlot(blocks, tokenAmountView(holding.amount, decimals))
    },
    getTokenAccountsByOwner: ([owner, filter, config]) => {
      const wanted = readKey(owner)
      const { mint, programId } = (filter ?? {}) as Options
      const program = mint === undefined ? readKey(programId) : vm.account(readKey(mint))?.owner
      if (!Object.values<unknown>(TOKEN_PROGRAMS).includes(program)) throw invalidParams('Invalid param: could not find mint')
      const held = vm.owned(String(program)).filter(({ account }) => {
        const holding = tokenHolding(account)
        return holding?.owner === wanted && (mint === undefined || holding.mint === mint)
      })
      const read = options(config)
      return inSlot(
        blocks,
        held.map(({ address, account }) => ({ pubkey: address, account: view(account, read) })),
      )
    },
  }
}

const blockMethods = ({ blocks }: Parts): SolanaMethods => {
  const options = createOptions(blocks)
  return {
    getSlot: ([config]) => blocks.slotAt(options(config).commitment),
    getBlockHeight: ([config]) => blocks.heightAt(options(config).commitment),
    getFirstAvailableBlock: () => 0,
    getBlockTime: ([slot]) => {
      if (typeof slot !== 'number' || !(slot >= 0 && slot <= blocks.tip())) throw invalidParams('Invalid params: slot')
      return blocks.timeOf(slot)
    },
    getEpochInfo: ([config]) => {
      const { commitment } = options(config)
      const slot = blocks.slotAt(commitment)
      return {
        absoluteSlot: slot,
        blockHeight: blocks.heightAt(commitment),
        epoch: Math.floor(slot / SLOTS_PER_EPOCH),
        slotIndex: slot % SLOTS_PER_EPOCH,
        slotsInEpoch: SLOTS_PER_EPOCH,
      }
    },
    getLatestBlockhash: ([config]) => {
      const { commitment } = options(config)
      return inSlot(blocks, blocks.latest(commitment), commitment)
    },
    isBlockhashValid: ([blockhash, config]) => {
      options(config)
      return inSlot(blocks, blocks.isValid(readKey(blockhash)))
    },
  }
}

/** How final a landed transaction is: a count of confirmations while it is not final. */
const finalityOf = (blocks: SolanaBlocks, { slot }: LandedTransaction) =>
  slot <= blocks.slotAt('finalized')
    ? { confirmations: null, confirmationStatus: 'finalized' }
    : { confirmations: Math.min(blocks.tip() - slot, CONFIRMATIONS_MAX), confirmationStatus: 'confirmed' }

const historyMethods = ({ blocks, ledger }: Parts): SolanaMethods => {
  const options = createOptions(blocks)
  const statusView = (landed: LandedTransaction) => {
    const { slot, outcome } = landed
    const status = outcome.failure === null ? { Ok: null } : { Err: outcome.failure }
    return { slot, err: outcome.failure, status, ...finalityOf(blocks, landed) }
  }
  const historyView = (landed: LandedTransaction) => {
    const { signature, slot, outcome, blockTime } = landed
    const memos = memosOf(landed).map((memo) => `[${Buffer.byteLength(memo)}] ${memo}`)
    const { confirmationStatus } = finalityOf(blocks, landed)
    return { signature, slot, err: outcome.failure, memo: memos.join('; ') || null, blockTime, confirmationStatus }
  }
  return {
    getSignatureStatuses: ([signatures, config]) => {
      options(config)
      const found = readList(signatures, SIGNATURES_MAX).map((signature) => ledger.find(readSignature(signature)))
      return inSlot(
        blocks,
        found.map((landed) => landed && statusView(landed)),
      )
    },
    getTransaction: ([signature, config]) => {
      const { encoding, commitment } = options(config)
      const form = readOne(encoding, 'encoding', ['json', 'base64'], 'json')
      const landed = ledger.find(readSignature(signature))
      return landed && landed.slot <= blocks.slotAt(commitment) ? transactionView(landed, form) : null
    },
    getSignaturesForAddress: ([address, config]) => {
      const { limit = HISTORY_MAX, before = null, until = null, commitment } = options(config)
      const shown = blocks.slotAt(commitment)
      const all = ledger.naming(readKey(address)).filter(({ slot }) => slot <= shown)
      const placeOf = (signature: unknown) => all.findIndex((landed) => landed.signature === signature)
      const last = until === null ? -1 : placeOf(until)
      return all
        .slice(before === null ? 0 : placeOf(before) + 1, last === -1 ? undefined : last)
        .slice(0, Number(limit))
        .map(historyView)
    },
  }
}

const simulationView = ({ failure, logs, unitsConsumed }: Pick<Simulated, 'failure' | 'logs' | 'unitsConsumed'>) => ({
  err: failure,
  logs,
  accounts: null,
  unitsConsumed,
  returnData: null,
  innerInstructions: null,
  replacementBlockhash: null,
})

const transactionMethods = ({ vm, blocks, ledger, onLanded }: Parts): SolanaMethods => {
  const options = createOptions(blocks)
  const prepared = (value: unknown, { encoding }: Options): Promise<SolanaPrepared> => {
    if (typeof value !== 'string') throw invalidParams('Invalid params: expected a transaction.')
    const form = readOne(encoding, 'encoding', ['base58', 'base64'], 'base58')
    return prepareSolana(form === 'base64' ? value : Buffer.from(base58.decode(value)).toString('base64'), vm.account)
  }
  const requireSigned = (transaction: SolanaPrepared): void => {
    if (!isFullySigned(transaction))
      throw new SolanaRpcError(RPC_CODE.signatureVerification, 'Transaction signature verification failure')
  }
  const simulate = (transaction: SolanaPrepared): Simulated => {
    const failure = ledger.refusal(transaction)
    if (failure === null) return ledger.simulate(transaction)
    return { failure, logs: [], unitsConsumed: 0n, inner: [], accounts: new Map() }
  }
  return {
    /** https://solana.com/docs/rpc/http/simulatetransaction */
    simulateTransaction: async ([value, config]) => {
      const read = options(config)
      const transaction = await prepared(value, read)
      const replacement = read['replaceRecentBlockhash'] === true ? blocks.latest() : null
      if (replacement) transaction.wire.message.recentBlockhash = replacement.blockhash
      if (read['sigVerify'] === true) requireSigned(transaction)
      const outcome = simulate(transaction)
      const { addresses } = (read['accounts'] ?? {}) as { readonly addresses?: unknown }
      const accounts =
        addresses === undefined
          ? null
          : readList(addresses, KEYS_MAX).map((address) =>
              accountView(outcome.accounts.get(readKey(address)) ?? null, 'base64', vm.account),
            )
      return inSlot(blocks, { ...simulationView(outcome), accounts, replacementBlockhash: replacement })
    },
    /** https://solana.com/docs/rpc/http/sendtransaction: without preflight the signature is returned in every case. */
    sendTransaction: async ([value, config]) => {
      const read = options(config)
      const transaction = await prepared(value, read)
      if (read['skipPreflight'] !== true) {
        requireSigned(transaction)
        const outcome = simulate(transaction)
        const { failure } = outcome
        if (failure !== null) {
          const message = `Transaction simulation failed: ${failureText(failure)}`
          throw new SolanaRpcError(RPC_CODE.preflightFailure, message, simulationView(outcome))
        }
      }
      const canLand = isFullySigned(transaction) && ledger.refusal(transaction) === null
      const landed = canLand ? ledger.land(transaction) : null
      if (landed) await onLanded(landed)
      return transaction.signature
    },
  }
}

/** The JSON-RPC methods that wallets and the service call. */
export const solanaMethods = (parts: Parts): SolanaMethods => ({
  ...accountMethods(parts),
  ...blockMethods(parts),
  ...historyMethods(parts),
  ...transactionMethods(parts),
})
