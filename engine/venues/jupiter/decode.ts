import { isHarmless } from '../../chains/solana/harmlessInstructions.ts'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  COMPUTE_BUDGET_PROGRAM,
  decodeSolanaTransaction,
  MEMO_PROGRAM,
  type SolanaInstruction,
  type SolanaTransaction,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../chains/solana/solanaCodec.ts'
import type { Address } from '../../core/address.ts'
import { NATIVE_SOL } from '../../core/asset.ts'
import { SOLANA } from '../../core/chain.ts'
import type { Execution, PayloadClaims } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import type { ExecutedSwap, SwapKey } from '../../core/swap.ts'
import { assetIn } from '../kit/addresses.ts'
import { rejected } from '../venueError.ts'
import { TOKEN_PROGRAMS } from './protocol.ts'
import { type Route, readRoute } from './route.ts'
import { readOnChain, type TablePorts } from './tables.ts'

export type DecodePorts = TablePorts & {
  /** Our accounts, by mint; empty without a fee. */
  readonly feeAccounts: ReadonlyMap<Address, Address>
  readonly programs: readonly Address[]
}

/** Our own id of a swap, in a memo. The program has no id, so two equal swaps would otherwise be indistinguishable. */
const NAME = /^swap:[0-9a-f]{24}$/
export const nameOf = (digest: Uint8Array): Uint8Array => Buffer.from(`swap:${Buffer.from(digest.slice(0, 12)).toString('hex')}`)

const nameIn = ({ programId, accounts, data }: SolanaInstruction): string | null => {
  const text = Buffer.from(data).toString('latin1')
  return programId === MEMO_PROGRAM && accounts.length === 0 && NAME.test(text) ? text : null
}

const isSame = (accounts: SolanaInstruction['accounts'], expected: readonly Address[]): boolean =>
  accounts.length === expected.length && expected.every((account, at) => account === accounts[at])

const u64At = (data: Uint8Array, at: number): bigint =>
  new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(at, true)

type Opened = { readonly owner: Address; readonly mint: Address; readonly account: Address; readonly program: Address }

/** The owner of an associated account, created if missing; null for other instructions. It fails for another owner. */
const openedFor = ({ programId, accounts, data }: SolanaInstruction, taker: Address): Opened | null => {
  const [payer, account, owner, mint, system, program] = accounts
  if (programId !== ASSOCIATED_TOKEN_PROGRAM || accounts.length !== 6 || data.length !== 1 || data[0] !== 1) return null
  if (!account || !owner || !mint || !program || payer !== taker || system !== SYSTEM_PROGRAM) return null
  if (!TOKEN_PROGRAMS.includes(program)) return null
  return account === associatedTokenAddress(owner, mint, program) ? { owner, mint, account, program } : null
}

/** Whether an instruction closes that account, and pays its coins to its owner. */
const isClosing = ({ programId, accounts, data }: SolanaInstruction, { account, owner, program }: Opened): boolean =>
  programId === program && data.length === 1 && data[0] === 9 && isSame(accounts, [account, owner, owner])

/** The taker's own accounts that the transaction opens for intermediate tokens: the positions of opening and closing. */
const betweenIn = (instructions: readonly SolanaInstruction[], { taker, input, output }: Route) =>
  instructions.flatMap((each, openedAt) => {
    const opened = openedFor(each, taker)
    if (opened?.owner !== taker || [input.mint, output.mint].includes(opened.mint)) return []
    return [
      { openedAt, closedAt: [...instructions.keys()].filter((at) => isClosing(instructions[at] as SolanaInstruction, opened)) },
    ]
  })

type Kind = 'swap' | 'name' | 'budget' | 'opens' | 'closes' | 'wraps' | 'synced' | 'unwraps' | 'strange'

/** The purpose of an instruction in the swap. */
const kindOf = (each: SolanaInstruction, { jupiter, taker, input, output }: Route): Kind => {
  const { programId, accounts, data } = each
  const wrapped = associatedTokenAddress(taker, NATIVE_SOL)
  switch (programId) {
    case jupiter:
      return 'swap'
    case MEMO_PROGRAM:
      return nameIn(each) === null ? 'strange' : 'name'
    case COMPUTE_BUDGET_PROGRAM:
      return isHarmless(each, taker) ? 'budget' : 'strange'
    case ASSOCIATED_TOKEN_PROGRAM: {
      const opened = openedFor(each, taker)
      return opened?.owner === taker || opened?.account === output.account ? 'opens' : 'strange'
    }
    case SYSTEM_PROGRAM: {
      const isTransfer = data.length === 12 && data[0] === 2 && data[1] === 0 && data[2] === 0 && data[3] === 0
      const isOwn = isSame(accounts, [taker, wrapped]) && input.mint === NATIVE_SOL
      return isTransfer && isOwn && u64At(data, 4) === input.amount ? 'wraps' : 'strange'
    }
    case TOKEN_PROGRAM:
      if (data.length === 1 && data[0] === 17 && isSame(accounts, [wrapped])) return 'synced'
      return data.length === 1 && data[0] === 9 && isSame(accounts, [wrapped, taker, taker]) ? 'unwraps' : 'strange'
    default:
      return 'strange'
  }
}

/** The owner of the output account: by an instruction that fixes the owner, or by the taker's own address. */
const recipientOf = ({ taker, output }: Route, instructions: readonly SolanaInstruction[]): Address | null => {
  if (output.account === associatedTokenAddress(taker, output.mint, output.program)) return taker
  const opened = instructions.map((each) => openedFor(each, taker)).find((each) => each?.account === output.account)
  return opened?.mint === output.mint ? opened.owner : null
}

export type Read = {
  readonly claims: PayloadClaims
  /** Instructions that are not sold. Known: one that leaves an account of an intermediate token open, which costs rent. */
  readonly beside: readonly { readonly programId: string; readonly isKnown: boolean }[]
}

export const transactionOf = async (payload: Execution['payload'], ports: DecodePorts): Promise<SolanaTransaction> => {
  if (payload.executionType !== 'TRANSACTION') throw rejected('payload', 'jupiter: no transaction', payload.executionType)
  const transaction = await readOnChain(payload.transaction.data, ports)
  if (!transaction) throw rejected('transaction', 'jupiter: the transaction cannot be read', payload.transaction.data)
  return transaction
}

/** The problems of the instructions as this one swap. */
const amissIn = ({ feePayer, signers }: SolanaTransaction, { taker, input, output }: Route, kinds: readonly Kind[]) => {
  const count = (kind: Kind): number => kinds.filter((each) => each === kind).length
  const [ins, outs] = [input.mint === NATIVE_SOL, output.mint === NATIVE_SOL]
  const at = kinds.indexOf('swap')
  const [before, after] = [kinds.slice(0, at), kinds.slice(at)]
  return failing({
    'another signer': signers.length === 1 && feePayer === taker,
    'more than one swap': count('swap') === 1,
    'a name of its own': count('name') === 1,
    'SOL that is not wrapped once': count('wraps') === (ins ? 1 : 0) && (!ins || count('synced') >= 1),
    'SOL that stays wrapped': count('unwraps') <= 1 && (outs ? count('unwraps') === 1 : ins || count('unwraps') === 0),
    // Coins stay wrapped when they are unwrapped before the swap pays, or wrapped after it.
    'an order of its own': !before.includes('unwraps') && !after.includes('wraps') && !after.includes('synced'),
    'a limit and a price of its work': count('budget') === 2,
  })
}

/** The effect of a transaction. Throws VenueError for an unreadable one. */
export const readClaims = (
  transaction: SolanaTransaction,
  { feeAccounts, programs }: Pick<DecodePorts, 'feeAccounts' | 'programs'>,
): Read => {
  const { instructions } = transaction
  const swap = instructions.find(({ programId }) => programs.includes(programId))
  const route = swap ? readRoute(swap, programs) : null
  const head = Buffer.from(swap?.data ?? []).toString('hex')
  if (route === null) throw rejected('call', 'jupiter: a transaction without a swap that can be read', head)
  const { input, output, feeBps, feeAccount } = route
  const between = betweenIn(instructions, route)
  const isClose = (at: number): boolean => between.some(({ closedAt }) => closedAt.includes(at))
  const kinds = instructions.map((each, at) => (isClose(at) ? 'closes' : kindOf(each, route)))
  const swapAt = kinds.indexOf('swap')
  const recipient = recipientOf(route, instructions)
  const claims: PayloadClaims = {
    chainId: SOLANA,
    pays: route.jupiter,
    spender: null,
    nativeFee: 0n,
    input: { asset: assetIn(SOLANA, input.mint, 'the input mint'), amount: input.amount },
    output: { asset: assetIn(SOLANA, output.mint, 'the output mint'), minimum: output.minimum },
    recipient: recipient ?? output.account,
    // It takes the input and pays the output at once, or has no effect.
    refundTo: null,
    fee: feeBps === 0 ? null : { recipient: feeAccount, bps: feeBps },
    deadlineAt: null,
    unread: [
      ...route.unread,
      ...amissIn(transaction, route, kinds),
      ...failing({
        'whose the output is': recipient !== null && (output.mint !== NATIVE_SOL || recipient === route.taker),
        // Our account of the input mint, so the program takes the fee from the input.
        'the account of the fee': feeBps === 0 || (feeAccount !== null && feeAccount === feeAccounts.get(input.mint)),
        'an account in between': between.every(
          ({ openedAt, closedAt }) => openedAt < swapAt && closedAt.length <= 1 && closedAt.every((at) => at > swapAt),
        ),
      }),
    ],
  }
  const beside = instructions.flatMap(({ programId }, at) => {
    const isKnown = between.some(({ openedAt, closedAt }) => openedAt === at && closedAt.length === 0)
    return isKnown || kinds[at] === 'strange' ? [{ programId, isKnown }] : []
  })
  return { claims, beside }
}

export const decode = async ({ payload }: Pick<Execution, 'payload'>, ports: DecodePorts): Promise<PayloadClaims> => {
  const { claims, beside } = readClaims(await transactionOf(payload, ports), ports)
  return { ...claims, unread: [...claims.unread, ...beside.map(({ programId }) => `an instruction of ${programId}`)] }
}

/** By our own id in the memo, without which no payment counts for the swap. */
export const toldApartBy = async ({ execution: { payload } }: ExecutedSwap): Promise<readonly SwapKey[]> => {
  const data = payload.executionType === 'TRANSACTION' ? payload.transaction.data : ''
  const transaction = await decodeSolanaTransaction(data)
  const names = (transaction?.instructions ?? []).flatMap((each) => nameIn(each) ?? [])
  return names.map((value) => ({ kind: 'payload', value: `${transaction?.feePayer}:${value}` }))
}
