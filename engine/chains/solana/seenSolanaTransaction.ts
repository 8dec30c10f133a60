import { base58 } from '@scure/base'
import type { Address } from '../../core/address.ts'
import { parseAmount } from '../../core/amount.ts'
import { NATIVE_SOL } from '../../core/asset.ts'
import { SOLANA } from '../../core/chain.ts'
import type { TransactionId } from '../../core/transactionId.ts'
import { foundByTwo } from '../endpoints/endpoints.ts'
import type { JsonRpc } from '../endpoints/jsonRpc.ts'
import type { SeenInstruction, SeenTransaction } from '../seen.ts'
import { askSolanaNode, type Fields, solanaAnswer } from './solanaAnswers.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './solanaCodec.ts'
import { solanaMovements, type TokenAccount } from './solanaMovements.ts'

const METHOD = 'getTransaction'
const answer = solanaAnswer(METHOD)
const { malformed } = answer

/** As instructions number them: those in the message, then those from lookup tables, written ones first. */
const keysOf = (message: Fields, meta: Fields): readonly Address[] => {
  const { loadedAddresses = { writable: [], readonly: [] } } = meta
  const { writable, readonly } = answer.fields(loadedAddresses)
  return [message['accountKeys'], writable, readonly].flatMap((keys) => answer.list(keys).map(answer.address))
}

type RawInstruction = Omit<SeenInstruction, 'index'>

const readInstruction = (value: unknown, keys: readonly Address[]): RawInstruction => {
  const keyAt = (index: unknown): Address => {
    const key = keys[answer.whole(index)]
    if (key === undefined) throw malformed()
    return key
  }
  const { programIdIndex, accounts, data } = answer.fields(value)
  return { program: keyAt(programIdIndex), accounts: answer.list(accounts).map(keyAt), data: answer.bytes(data) }
}

/** Each instruction of the message, with those that ran inside it right behind it. */
const instructionsOf = (message: Fields, meta: Fields, keys: readonly Address[]): readonly SeenInstruction[] => {
  const outer = answer.list(message['instructions']).map((each) => readInstruction(each, keys))
  const inner = new Map<number, readonly RawInstruction[]>()
  for (const entry of answer.list(meta['innerInstructions'])) {
    const { index, instructions } = answer.fields(entry)
    const at = answer.whole(index)
    if (at >= outer.length || inner.has(at)) throw malformed()
    inner.set(
      at,
      answer.list(instructions).map((each) => readInstruction(each, keys)),
    )
  }
  return outer.flatMap((each, at) => [each, ...(inner.get(at) ?? [])]).map((each, index) => ({ index, ...each }))
}

type Holding = TokenAccount & { readonly account: Address; readonly amount: bigint }

const holdingsIn = (balances: unknown, keys: readonly Address[]): readonly Holding[] =>
  answer.list(balances).map((entry) => {
    const { accountIndex, owner, mint, uiTokenAmount } = answer.fields(entry)
    const account = keys[answer.whole(accountIndex)]
    const amount = parseAmount(answer.fields(uiTokenAmount)['amount'])
    if (account === undefined || amount === null) throw malformed()
    return { account, owner: answer.address(owner), mint: answer.address(mint), amount }
  })

/**
 * https://github.com/solana-program/token-2022/blob/main/interface/src/instruction.rs: InitializeAccount 1 names the owner as its
 * third account, InitializeAccount2 16 and InitializeAccount3 18 in their data. Only they show an account that is gone by the
 * end.
 */
const openedBy = ({ program, accounts, data }: SeenInstruction): readonly (readonly [Address, TokenAccount])[] => {
  if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM) return []
  const [account, mint, third] = accounts
  const inData =
    (data[0] === 16 || data[0] === 18) && data.length === 33 ? (base58.encode(data.subarray(1)) as Address) : undefined
  const owner = data[0] === 1 ? third : inData
  return account !== undefined && mint !== undefined && owner !== undefined ? [[account, { owner, mint }]] : []
}

const createGains = () => {
  const gains = new Map<Address, Map<Address, bigint>>()
  const add = (owner: Address, mint: Address, amount: bigint): void => {
    const own = gains.get(owner) ?? new Map<Address, bigint>()
    gains.set(owner, own.set(mint, (own.get(mint) ?? 0n) + amount))
  }
  return { gains, add }
}

/** By account. Null beyond the integers that JSON carries exactly, some nine million SOL: its gain is then unknown. */
const lamportsIn = (balances: unknown, keys: readonly Address[]): readonly (bigint | null)[] => {
  const all = answer.list(balances)
  if (all.length !== keys.length) throw malformed()
  return all.map((value) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw malformed()
    return Number.isSafeInteger(value) ? BigInt(value) : null
  })
}

const effectsOf = (meta: Fields, keys: readonly Address[], instructions: readonly SeenInstruction[]) => {
  const before = holdingsIn(meta['preTokenBalances'], keys)
  const after = holdingsIn(meta['postTokenBalances'], keys)
  const held = [...before, ...after].map(({ account, owner, mint }) => [account, { owner, mint }] as const)
  const tokenAccounts = new Map([...instructions.flatMap(openedBy), ...held])
  const { gains, add } = createGains()
  for (const { owner, mint, amount } of before) add(owner, mint, -amount)
  for (const { owner, mint, amount } of after) add(owner, mint, amount)
  const [had, has] = [lamportsIn(meta['preBalances'], keys), lamportsIn(meta['postBalances'], keys)]
  const fee = BigInt(answer.whole(meta['fee']))
  for (const [at, account] of keys.entries()) {
    const [earlier, later] = [had[at] ?? null, has[at] ?? null]
    // Lamports of a token account are its rent, or counted as its wrapped SOL. The first account pays the fee.
    if (tokenAccounts.has(account) || earlier === null || later === null) continue
    add(account, NATIVE_SOL, later - earlier + (at === 0 ? fee : 0n))
  }
  return { instructions, tokenAccounts, gains }
}

/** A Solana transaction that most of the network has confirmed, in one read: https://solana.com/docs/rpc/http/gettransaction */
export const readSeenSolanaTransaction = async (
  { rpc, finalizedSlot }: { readonly rpc: JsonRpc; finalizedSlot(signal: AbortSignal): Promise<number> },
  hash: TransactionId,
  signal: AbortSignal,
): Promise<SeenTransaction | null> => {
  const options = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }
  const found = await foundByTwo(async (except) => {
    const { result, url } = await askSolanaNode(rpc, METHOD, [hash, options], signal, except ? { except } : {})
    return result === null ? url : answer.fields(result)
  })
  if (found === null) return null
  const { slot, blockTime, meta: rawMeta, transaction } = found
  const { signatures, message: rawMessage } = answer.fields(transaction)
  const [meta, message] = [answer.fields(rawMeta), answer.fields(rawMessage)]
  if (answer.list(signatures)[0] !== hash || meta['err'] === undefined) throw malformed()
  const height = answer.whole(slot)
  const isSuccess = meta['err'] === null
  const keys = keysOf(message, meta)
  const instructions = instructionsOf(message, meta, keys)
  return {
    chainId: SOLANA,
    hash,
    isSuccess,
    // A transaction found at this commitment below a rooted slot is rooted.
    standing: height <= (await finalizedSlot(signal)) ? 'final' : 'confirmed',
    at: blockTime === null || blockTime === undefined ? null : answer.whole(blockTime) * 1_000,
    height,
    movements: isSuccess ? solanaMovements(effectsOf(meta, keys, instructions)) : [],
    call: null,
    logs: [],
    notes: [],
    instructions,
  }
}
