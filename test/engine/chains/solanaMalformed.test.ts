import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { type Change, changed } from '../../support/venueKit/calls.ts'
import { isUnreadable, refuses, resets } from './evidenceBench.ts'
import malformed from './malformed.json' with { type: 'json' }
import { call, move, OURS, OWNER, seenIn, THEIRS, told, VENUE } from './solanaBench.ts'

describe('an answer that does not fit together', () => {
  const honest = told({ steps: [call([move(THEIRS, OURS, 42)])], before: [[THEIRS, VENUE, 42]], after: [[OURS, OWNER, 42]] })
  const { innerInstructions, postBalances } = honest.meta
  const other = base58.encode(new Uint8Array(64).fill(8))

  it.each<readonly [string, unknown]>([
    ...malformed.solana.map(([what, change]) => [what as string, changed(honest, change as unknown as Change)] as const),
    ['another transaction', changed(honest, { 'transaction.signatures': [other] })],
    ['balances of more accounts', changed(honest, { 'meta.postBalances': [...postBalances, 1] })],
    [
      'inner instructions told twice',
      changed(honest, { 'meta.innerInstructions': [...innerInstructions, ...innerInstructions] }),
    ],
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
