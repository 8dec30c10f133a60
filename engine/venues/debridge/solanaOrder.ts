import { readAnchorCall } from '../../chains/solana/anchor.ts'
import type { Fields } from '../../chains/solana/borsh.ts'
import { isHarmless } from '../../chains/solana/harmlessInstructions.ts'
import { decodeSolanaTransaction, type SolanaInstruction } from '../../chains/solana/solanaCodec.ts'
import type { Address } from '../../core/address.ts'
import { SOLANA } from '../../core/chain.ts'
import type { Hex } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { atItsFee, type DlnOrder, orderIdOf, unreadable } from './dlnOrder.ts'
import { bytesOf, MAKER, MINT, PROTOCOL_FEE_BPS, SOLANA_CREATE, SOLANA_ORDER, solanaAccounts } from './protocol.ts'
import type { Pinned } from './published.ts'

const toOrder = (call: Fields<typeof SOLANA_ORDER>, mint: Address): DlnOrder => ({
  giveChain: SOLANA,
  salt: call.nonce,
  giveToken: bytesOf(SOLANA, mint),
  giveAmount: call.giveAmount,
  takeChainId: call.takeChainId,
  takeToken: call.takeToken,
  takeAmount: call.takeAmount,
  receiver: call.receiver,
  givePatchAuthority: call.givePatchAuthority,
  orderAuthority: call.orderAuthority,
  allowedTaker: call.allowedTaker ?? '0x',
  cancelBeneficiary: call.cancelBeneficiary ?? '0x',
  externalCall: call.externalCall ?? '0x',
  affiliate: call.affiliate,
  referralCode: call.referralCode ?? 0,
  metadata: call.metadata,
  feeBps: PROTOCOL_FEE_BPS,
})

/** The order of a program call, and its maker. */
export type SolanaOrder = { readonly order: DlnOrder; readonly maker: Address; readonly mint: Address; readonly orderId: Hex }

/** Null for any other call, and with missing or extra bytes or accounts. */
const readCall = ({ accounts, data }: SolanaInstruction, pinned: Pinned, known: string | null): SolanaOrder | null => {
  const call = readAnchorCall(data, SOLANA_CREATE, SOLANA_ORDER)
  const [maker, mint] = [accounts[MAKER], accounts[MINT]]
  if (call === null || !maker || !mint) return null
  const order = atItsFee(toOrder(call, mint), pinned, known)
  return { order, maker, mint, orderId: orderIdOf(order, bytesOf(SOLANA, maker)) }
}

/** The order of a transaction, and its problems. */
export type SolanaOrderRead = SolanaOrder & { readonly instruction: SolanaInstruction; readonly unread: readonly string[] }

/** `known`: the venue's id. Throws VenueError when it contains no readable order. */
export const readSolanaOrder = async (data: string, pinned: Pinned, known: string | null): Promise<SolanaOrderRead> => {
  const transaction = await decodeSolanaTransaction(data)
  if (transaction === null) throw unreadable('the transaction')
  const { feePayer, signers, instructions, usesLookupTables } = transaction
  const calls = instructions.filter(({ programId }) => pinned.solanaSources.includes(programId))
  const [instruction] = calls
  const made = instruction ? readCall(instruction, pinned, known) : null
  if (!instruction || made === null) throw unreadable('a transaction that makes no order')
  const expected = solanaAccounts(instruction.programId, { ...made, takeChainId: made.order.takeChainId })
  const strangers = instructions.filter((each) => !calls.includes(each) && !isHarmless(each, feePayer))
  const unread = failing({
    'more than one order': calls.length === 1,
    'another instruction': strangers.length === 0,
    'addresses from a lookup table': !usesLookupTables,
    'another signer': signers.length === 1 && made.maker === feePayer,
    'accounts of the order':
      instruction.accounts.length === expected.length && expected.every((account, at) => account === instruction.accounts[at]),
  })
  return { ...made, instruction, unread }
}
