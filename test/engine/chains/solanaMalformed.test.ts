import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { isUnreadable, refuses, resets } from './evidenceBench.ts'
import { call, move, OURS, OWNER, PROGRAM, seenIn, THEIRS, told, VENUE } from './solanaBench.ts'

describe('an answer that does not fit together', () => {
  const honest = told({ steps: [call([move(THEIRS, OURS, 42)])], before: [[THEIRS, VENUE, 42]], after: [[OURS, OWNER, 42]] })
  const { meta, transaction } = honest
  const { message } = transaction
  const withMeta = (rest: object) => ({ ...honest, meta: { ...meta, ...rest } })
  const withMessage = (rest: object) => ({ ...honest, transaction: { ...transaction, message: { ...message, ...rest } } })
  const step = message.instructions[0]

  it.each([
    [
      'another transaction',
      { ...honest, transaction: { ...transaction, signatures: [base58.encode(new Uint8Array(64).fill(8))] } },
    ],
    ['no signatures', { ...honest, transaction: { ...transaction, signatures: null } }],
    ['no slot', { ...honest, slot: undefined }],
    ['a time that is a text', { ...honest, blockTime: '100' }],
    ['no meta', { ...honest, meta: null }],
    ['no word on whether it failed', withMeta({ err: undefined })],
    ['no fee', withMeta({ fee: null })],
    ['balances of fewer accounts', withMeta({ preBalances: [1] })],
    ['balances of more accounts', withMeta({ postBalances: [...meta.postBalances, 1] })],
    ['a balance below nothing', withMeta({ preBalances: meta.preBalances.map(() => -1) })],
    ['a balance that is a text', withMeta({ preBalances: meta.preBalances.map(String) })],
    ['no token balances', withMeta({ preTokenBalances: null })],
    ['a token balance without an owner', withMeta({ postTokenBalances: [{ ...meta.postTokenBalances[0], owner: undefined }] })],
    ['a token balance of no account', withMeta({ postTokenBalances: [{ ...meta.postTokenBalances[0], accountIndex: 99 }] })],
    [
      'a token balance with a fraction',
      withMeta({ postTokenBalances: [{ ...meta.postTokenBalances[0], uiTokenAmount: { amount: '4.2' } }] }),
    ],
    ['no inner instructions', withMeta({ innerInstructions: null })],
    ['inner instructions of none', withMeta({ innerInstructions: [{ index: 7, instructions: [] }] })],
    ['inner instructions told twice', withMeta({ innerInstructions: [...meta.innerInstructions, ...meta.innerInstructions] })],
    ['keys that are parsed', withMessage({ accountKeys: message.accountKeys.map((pubkey) => ({ pubkey })) })],
    ['a key that is none', withMessage({ accountKeys: ['me', ...message.accountKeys.slice(1)] })],
    ['no keys of lookup tables', withMeta({ loadedAddresses: null })],
    ['an instruction of no program', withMessage({ instructions: [{ ...step, programIdIndex: 99 }] })],
    ['an instruction with an account that is none', withMessage({ instructions: [{ ...step, accounts: [99] }] })],
    ['an instruction with data in base64', withMessage({ instructions: [{ ...step, data: 'AAA=' }] })],
    ['an instruction that is parsed', withMessage({ instructions: [{ programId: PROGRAM, parsed: {} }] })],
    ['a text', 'ok'],
    ['a refusal', refuses('slot was skipped')],
    ['a revert', refuses('execution reverted', 3)],
    ['nothing, and breaks off', resets],
  ])('is unreadable: %s', async (_what, answer) => {
    expect(await isUnreadable(seenIn(honest))).toBe(false)
    expect(await isUnreadable(seenIn(answer))).toBe(true)
  })

  it('is unreadable where nobody tells what is final', async () => {
    expect(await isUnreadable(seenIn(honest, { getSlot: 'soon' }))).toBe(true)
  })
})
