import { describe, expect, test } from 'vitest'
import {
  decodeSolanaTransaction,
  packSolanaTransaction,
  type SolanaInstructionPlan,
  type SolanaLookupTables,
  type SolanaTransaction,
  type SolanaTransactionPlan,
} from '../../../engine/chains/solana/solanaCodec.ts'
import { compareTransactions, WALLET_PROGRAMS } from '../../../engine/execution/broadcast/compareTransactions.ts'
import { addressFor } from '../../support/fakeVenue.ts'

/** What /submit-transaction holds a signed transaction against; the whole way is in test/api/submitTransaction. */

const key = (name: string) => addressFor('solana', name)
const PAYER = key('payer')
const TABLE = key('table')

const deposit: SolanaInstructionPlan = {
  programId: key('venue'),
  accounts: [
    { address: PAYER, isSigner: true, isWritable: true },
    { address: key('vault'), isWritable: true },
    { address: key('mint') },
  ],
  data: Uint8Array.from({ length: 48 }, (_none, at) => at),
}
const memo: SolanaInstructionPlan = {
  programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  accounts: [],
  data: Buffer.from('order 7'),
}
const plan: SolanaTransactionPlan = { feePayer: PAYER, recentBlockhash: key('block'), instructions: [deposit, memo] }

const transactionOf = async (
  change: Partial<SolanaTransactionPlan> = {},
  { tables = new Map(), known = tables }: { readonly tables?: SolanaLookupTables; readonly known?: SolanaLookupTables } = {},
): Promise<SolanaTransaction> => {
  const packed = await packSolanaTransaction({ ...plan, ...change }, tables)
  const decoded = packed === null ? null : await decodeSolanaTransaction(packed, known)
  if (!decoded) throw new TypeError('not a transaction')
  return decoded
}

const PAYMENT = [expect.stringContaining('no longer makes the payment')]

describe('what still pays [broadcast-same-payment]', () => {
  test('is the same transaction', async () => {
    expect(compareTransactions(await transactionOf(), await transactionOf())).toEqual([])
  })

  test.each(WALLET_PROGRAMS)('is one with instructions of %s before, between and after', async (programId) => {
    const added: SolanaInstructionPlan = { programId, accounts: [], data: Uint8Array.of(3, 1, 0, 0, 0, 0, 0, 0, 0) }
    const signed = await transactionOf({ instructions: [added, deposit, added, memo, added] })
    expect(compareTransactions(signed, await transactionOf())).toEqual([])
    expect(compareTransactions(await transactionOf(), signed)).toEqual([])
  })

  test('is one whose signers were sorted anew behind the fee payer', async () => {
    const cosigners = ['one', 'other'].map((name) => ({ address: key(name), isSigner: true }))
    const handedOut = await transactionOf({ instructions: [{ ...deposit, accounts: [...deposit.accounts, ...cosigners] }] })
    const { signers } = handedOut
    const sorted = { ...handedOut, signers: [PAYER, ...signers.slice(1).toReversed()] }
    expect(sorted.signers).not.toEqual(signers)
    expect(compareTransactions(sorted, handedOut)).toEqual([])
    const doubled = { ...handedOut, signers: [PAYER, key('one'), key('one')] }
    expect(compareTransactions(doubled, handedOut)).toEqual([expect.stringContaining('other signers')])
  })

  test('is one that names its accounts by a lookup table, once the table is read', async () => {
    const tables = new Map([[TABLE, [key('vault'), key('mint')]]])
    const looked = await transactionOf({}, { tables })
    expect(looked.usesLookupTables).toBe(true)
    expect(compareTransactions(looked, await transactionOf())).toEqual([])
  })
})

describe('what no longer pays [broadcast-same-payment]', () => {
  test('is one whose lookup table is unread, even beside itself', async () => {
    const tables = new Map([[TABLE, [key('vault'), key('mint')]]])
    const hidden = await transactionOf({}, { tables, known: new Map() })
    expect(compareTransactions(hidden, hidden)).toEqual(PAYMENT)
  })

  test('is one whose lookup table says something else', async () => {
    const tables = new Map([[TABLE, [key('vault'), key('mint')]]])
    const swapped = await transactionOf({}, { tables, known: new Map([[TABLE, [key('mint'), key('vault')]]]) })
    expect(compareTransactions(swapped, await transactionOf())).toEqual(PAYMENT)
  })

  test('is one by another payer, with another signer, on another blockhash', async () => {
    const handedOut = await transactionOf()
    const stranger = await transactionOf({ feePayer: key('stranger'), recentBlockhash: key('other block') })
    expect(compareTransactions(stranger, handedOut)).toEqual([
      expect.stringContaining('another fee payer'),
      expect.stringContaining('other signers'),
      expect.stringContaining('another blockhash'),
    ])
  })

  test('is one in which any single byte or account of an instruction differs', async () => {
    const handedOut = await transactionOf()
    const altered = [
      ...[...deposit.data.keys()].map((at) => ({
        ...deposit,
        data: deposit.data.map((byte, index) => (index === at ? byte ^ 0x80 : byte)),
      })),
      ...deposit.accounts.slice(1).map((account) => ({
        ...deposit,
        accounts: deposit.accounts.map((each) => (each === account ? { ...each, address: key('thief') } : each)),
      })),
      { ...deposit, accounts: deposit.accounts.slice(0, -1) },
      { ...deposit, accounts: [...deposit.accounts, { address: key('extra') }] },
      { ...deposit, data: Uint8Array.of(...deposit.data, 0) },
      { ...deposit, programId: key('other venue') },
    ]
    let refused = 0
    for (const each of altered) {
      expect(compareTransactions(await transactionOf({ instructions: [each, memo] }), handedOut)).toEqual(PAYMENT)
      refused += 1
    }
    expect(refused).toBe(48 + 2 + 4)
  })

  test('is one with instructions in another order, left out, doubled or added', async () => {
    const handedOut = await transactionOf()
    for (const instructions of [[memo, deposit], [deposit], [memo], [deposit, deposit, memo], [deposit, memo, memo], []])
      expect(compareTransactions(await transactionOf({ instructions }), handedOut)).toEqual(PAYMENT)
  })

  test('is one without any instruction that matters, even beside itself', async () => {
    const empty = await transactionOf({ instructions: [] })
    expect(compareTransactions(empty, empty)).toEqual(PAYMENT)
  })
})
