import { describe, expect, test } from 'vitest'
import type { SolanaInstruction, SolanaTransaction } from '../../../engine/chains/solana/solanaCodec.ts'
import type { Address } from '../../../engine/core/address.ts'
import { compareTransactions, WALLET_PROGRAMS } from '../../../engine/execution/broadcast/compareTransactions.ts'
import { addressFor } from '../../support/fakeVenue.ts'

const key = (name: string) => addressFor('solana', name)
const [PAYER, ONE, OTHER] = [key('payer'), key('one'), key('other')]

const deposit: SolanaInstruction = {
  programId: key('venue'),
  accounts: [PAYER, key('vault'), key('mint')],
  data: Uint8Array.from({ length: 48 }, (_none, at) => at),
}
const memo: SolanaInstruction = { programId: key('memo'), accounts: [], data: Buffer.from('order 7') }
const returned: SolanaTransaction = {
  feePayer: PAYER,
  signers: [PAYER, ONE, OTHER],
  recentBlockhash: key('block'),
  instructions: [deposit, memo],
  usesLookupTables: false,
}
const compared = (change: Partial<SolanaTransaction>, to: Partial<SolanaTransaction> = {}) =>
  compareTransactions({ ...returned, ...change }, { ...returned, ...to })

const PAYMENT = [expect.stringContaining('no longer makes the payment')]
const SIGNERS = [expect.stringContaining('other signers')]

describe('submit-transaction accepts [broadcast-same-payment]', () => {
  test.each(WALLET_PROGRAMS as readonly Address[])('added and omitted instructions of %s', (programId) => {
    const added: SolanaInstruction = { programId, accounts: [], data: Uint8Array.of(3, 1) }
    const instructions = [added, deposit, added, memo, added]
    expect([compared({ instructions }), compared({}, { instructions })]).toEqual([[], []])
  })

  test('signers in another order, and accounts of a lookup table that was read', () => {
    expect(compared({ signers: [PAYER, OTHER, ONE], usesLookupTables: true })).toEqual([])
  })
})

describe('submit-transaction refuses [broadcast-same-payment]', () => {
  test.each<[string, Partial<SolanaTransaction>, unknown[]]>([
    ['another fee payer', { feePayer: ONE }, [expect.stringContaining('another fee payer')]],
    ['another blockhash', { recentBlockhash: key('other') }, [expect.stringContaining('another blockhash')]],
    ['a missing signer', { signers: [PAYER, ONE] }, SIGNERS],
    ['another signer', { signers: [PAYER, ONE, key('third')] }, SIGNERS],
    ['a signer twice in place of another', { signers: [PAYER, ONE, ONE] }, SIGNERS],
  ])('%s by name', (_what, change, found) => {
    expect(compared(change)).toEqual(found)
  })

  const { accounts, data } = deposit
  const changed = (...changes: readonly Partial<SolanaInstruction>[]) =>
    changes.map((change) => [{ ...deposit, ...change }, memo])
  test.each<[string, readonly (readonly SolanaInstruction[])[]]>([
    ['any other byte', [...data.keys()].flatMap((at) => changed({ data: data.with(at, (data[at] ?? 0) ^ 0x80) }))],
    ['another byte count', changed({ data: Uint8Array.of(...data, 0) }, { data: data.slice(0, -1) })],
    ['another account', changed({ accounts: accounts.with(1, OTHER) }, { accounts: accounts.with(2, OTHER) })],
    ['another account count', changed({ accounts: accounts.slice(0, -1) }, { accounts: [...accounts, OTHER] })],
    ['another program', changed({ programId: OTHER })],
    ['another order of instructions', [[memo, deposit]]],
    ['a missing instruction', [[deposit], [memo], []]],
    ['an added instruction', [[deposit, memo, memo]]],
  ])('%s', (_what, cases) => {
    for (const instructions of cases) expect(compared({ instructions })).toEqual(PAYMENT)
  })

  test.each([
    ['no instructions that matter', []],
    ['an account of a lookup table that was not read', [{ ...deposit, accounts: [PAYER, null, key('mint')] }]],
  ])('%s, although it equals the returned transaction', (_what, instructions) => {
    expect(compared({ instructions }, { instructions })).toEqual(PAYMENT)
  })
})
