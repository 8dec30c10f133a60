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

const key = (name: string) => addressFor('solana', name)
const [PAYER, TABLE] = [key('payer'), key('table')]

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
const TABLES: SolanaLookupTables = new Map([[TABLE, [key('vault'), key('mint')]]])

/** `tables` are used to write the transaction, and `known` to read it. */
const transactionOf = async (
  change: Partial<SolanaTransactionPlan> = {},
  tables: SolanaLookupTables = new Map(),
  known = tables,
): Promise<SolanaTransaction> => {
  const decoded = await decodeSolanaTransaction((await packSolanaTransaction({ ...plan, ...change }, tables)) ?? '', known)
  if (!decoded) throw new TypeError('not a transaction')
  return decoded
}
const withInstructions = (...instructions: readonly SolanaInstructionPlan[]) => transactionOf({ instructions })

const PAYMENT = [expect.stringContaining('no longer makes the payment')]
const SIGNERS = [expect.stringContaining('other signers')]

describe('submit-transaction accepts', () => {
  test.each(WALLET_PROGRAMS)('added and omitted instructions of %s [broadcast-same-payment]', async (programId) => {
    const added: SolanaInstructionPlan = { programId, accounts: [], data: Uint8Array.of(3, 1, 0, 0, 0, 0, 0, 0, 0) }
    const [signed, plain] = [await withInstructions(added, deposit, added, memo, added), await transactionOf()]
    expect(compareTransactions(signed, plain)).toEqual([])
    expect(compareTransactions(plain, signed)).toEqual([])
  })

  test('signers in another order behind the fee payer, and no other signers', async () => {
    const cosigners = ['one', 'other'].map((name) => ({ address: key(name), isSigner: true }))
    const returned = await withInstructions({ ...deposit, accounts: [...deposit.accounts, ...cosigners] })
    const sorted = [PAYER, ...returned.signers.slice(1).toReversed()]
    expect(sorted).not.toEqual(returned.signers)
    expect(compareTransactions({ ...returned, signers: sorted }, returned)).toEqual([])
    expect(compareTransactions({ ...returned, signers: [PAYER, key('one'), key('one')] }, returned)).toEqual(SIGNERS)
    expect(compareTransactions({ ...returned, signers: sorted.slice(0, 2) }, returned)).toEqual(SIGNERS)
  })

  test('accounts of a lookup table that was read, and refuses those of an unread or another table', async () => {
    const [plain, read, unread] = [
      await transactionOf(),
      await transactionOf({}, TABLES),
      await transactionOf({}, TABLES, new Map()),
    ]
    expect(read.usesLookupTables).toBe(true)
    expect(compareTransactions(read, plain)).toEqual([])
    expect(compareTransactions(unread, unread)).toEqual(PAYMENT)
    const other = await transactionOf({}, TABLES, new Map([[TABLE, [key('mint'), key('vault')]]]))
    expect(compareTransactions(other, plain)).toEqual(PAYMENT)
  })
})

describe('submit-transaction refuses', () => {
  test('another fee payer, signer and blockhash, each by name', async () => {
    const other = await transactionOf({ feePayer: key('stranger'), recentBlockhash: key('other block') })
    const [payer, blockhash] = ['another fee payer', 'another blockhash'].map((text) => expect.stringContaining(text))
    expect(compareTransactions(other, await transactionOf())).toEqual([payer, ...SIGNERS, blockhash])
  })

  const { accounts, data } = deposit
  const changed = (change: Partial<SolanaInstructionPlan>) => [{ ...deposit, ...change }, memo]
  test.each<[string, readonly (readonly SolanaInstructionPlan[])[]]>([
    ['any other byte', [...data.keys()].map((at) => changed({ data: data.map((byte, i) => (i === at ? byte ^ 0x80 : byte)) }))],
    ['another byte count', [changed({ data: Uint8Array.of(...data, 0) }), changed({ data: data.slice(0, -1) })]],
    ['another account', [1, 2].map((at) => changed({ accounts: accounts.with(at, { address: key('thief') }) }))],
    [
      'another account count',
      [changed({ accounts: accounts.slice(0, -1) }), changed({ accounts: [...accounts, { address: key('extra') }] })],
    ],
    ['another program', [changed({ programId: key('other venue') })]],
    ['another order of instructions', [[memo, deposit]]],
    ['a missing instruction', [[deposit], [memo], []]],
    [
      'an added instruction',
      [
        [deposit, deposit, memo],
        [deposit, memo, memo],
      ],
    ],
  ])('%s', async (_what, cases) => {
    const returned = await transactionOf()
    for (const instructions of cases)
      expect(compareTransactions(await withInstructions(...instructions), returned)).toEqual(PAYMENT)
  })

  test('a transaction without instructions that matter, although it equals the returned one', async () => {
    const empty = await withInstructions()
    expect(compareTransactions(empty, empty)).toEqual(PAYMENT)
  })
})
