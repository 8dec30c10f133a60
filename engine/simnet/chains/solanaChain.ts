import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import { SOLANA } from '../../core/chain.ts'
import type { SimToken, SimTokens } from '../tokens.ts'
import type { SimClock } from '../world.ts'
import {
  associatedTokenAddress,
  genesisAccounts,
  type SolanaAccount,
  SYSTEM_PROGRAM,
  tokenAccount,
  tokenAccountAmount,
} from './solanaAccounts.ts'

/** The accounts of the offline Solana, read over JSON-RPC. It takes no transactions. */
export interface SolanaChain {
  /** One JSON-RPC call; throws SolanaRpcError. */
  call(method: string, params: readonly unknown[]): unknown
  /** Gives a wallet more of a token, or of SOL, out of nothing. RangeError beyond what a balance can hold. */
  faucet(token: SimToken, wallet: string, amount: bigint): void
}

export class SolanaRpcError extends Error {
  override readonly name = 'SolanaRpcError'
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const SLOT_MS = 400
const BLOCKHASH_SLOTS = 150
const TOKEN_AMOUNT_MAX = (1n << 64n) - 1n
/** Lamports are told as JSON numbers; more than these hold exactly is never given. */
const LAMPORTS_MAX = BigInt(Number.MAX_SAFE_INTEGER)

const badParams = (message: string): SolanaRpcError => new SolanaRpcError(-32_602, `Invalid params: ${message}`)

const present = (account: SolanaAccount | undefined) =>
  account
    ? {
        data: [account.data.toString('base64'), 'base64'],
        executable: false,
        lamports: Number(account.lamports),
        owner: account.owner,
        rentEpoch: 0,
        space: account.data.length,
      }
    : null

const demandBase64 = (config: unknown): void => {
  const encoding = (config as { encoding?: unknown } | null | undefined)?.encoding
  if (encoding !== 'base64') throw badParams('this node answers accounts in encoding base64 only')
}

const demandKey = (key: unknown): string => {
  if (typeof key === 'string' && key.length >= 32 && key.length <= 44 && /^[1-9A-HJ-NP-Za-km-z]+$/.test(key)) return key
  throw badParams('unable to parse a public key')
}

export const createSolanaChain = ({ clock, tokens }: { readonly clock: SimClock; readonly tokens: SimTokens }): SolanaChain => {
  const accounts = genesisAccounts(tokens.all.filter(({ chainId }) => chainId === SOLANA))
  const slot = () => Math.floor(clock.now() / SLOT_MS)
  const inContext = (value: unknown) => ({ context: { apiVersion: '2.3.0', slot: slot() }, value })
  const blockhash = () => {
    const window = Math.floor(slot() / BLOCKHASH_SLOTS)
    return base58.encode(createHash('sha256').update(`blockhash:${window}`).digest())
  }

  const methods: { readonly [method: string]: (params: readonly unknown[]) => unknown } = {
    getHealth: () => 'ok',
    getSlot: slot,
    getVersion: () => ({ 'solana-core': '2.3.0', 'feature-set': 0 }),
    getLatestBlockhash: () => inContext({ blockhash: blockhash(), lastValidBlockHeight: slot() + BLOCKHASH_SLOTS }),
    getRecentPrioritizationFees: () => [{ slot: slot(), prioritizationFee: 0 }],
    getBalance: ([key]) => inContext(Number(accounts.get(demandKey(key))?.lamports ?? 0n)),
    getAccountInfo: ([key, config]) => {
      demandBase64(config)
      return inContext(present(accounts.get(demandKey(key))))
    },
    getMultipleAccounts: ([keys, config]) => {
      demandBase64(config)
      if (!Array.isArray(keys) || keys.length > 100) throw badParams('up to 100 public keys are expected')
      return inContext(keys.map((key) => present(accounts.get(demandKey(key)))))
    },
    getTokenAccountBalance: ([key]) => {
      const account = accounts.get(demandKey(key))
      if (account?.data.length !== 165) throw badParams('could not find account')
      return inContext({ amount: tokenAccountAmount(account).toString() })
    },
  }

  const call = (method: string, params: readonly unknown[]): unknown => {
    const found = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (!found) throw new SolanaRpcError(-32_601, 'Method not found')
    return found(params)
  }

  const faucet = (token: SimToken, wallet: string, amount: bigint): void => {
    const address = token.isNative ? wallet : associatedTokenAddress(token, wallet)
    const before = accounts.get(address)
    const held = before ? (token.isNative ? before.lamports : tokenAccountAmount(before)) : 0n
    if (held + amount > (token.isNative ? LAMPORTS_MAX : TOKEN_AMOUNT_MAX))
      throw new RangeError('is more than the balance can hold')
    const after = token.isNative
      ? { owner: before?.owner ?? SYSTEM_PROGRAM, lamports: held + amount, data: before?.data ?? Buffer.alloc(0) }
      : tokenAccount(token, wallet, held + amount)
    accounts.set(address, after)
  }

  return { call, faucet }
}
