import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { paymentsTo } from '../../../engine/chains/seen.ts'
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../engine/chains/solana/solanaCodec.ts'
import { NATIVE_SOL, nativeAsset } from '../../../engine/core/asset.ts'
import { evidenceOver, idOf, isUnreadable, patient, resets } from './evidenceBench.ts'
import {
  call,
  checked,
  type Held,
  le,
  move,
  OTHERS,
  OURS,
  OWNER,
  PAYER,
  PROGRAM,
  paid,
  SIGNATURE,
  type Step,
  seenIn,
  send,
  THEIRS,
  token,
  told,
  USDC,
  VENUE,
} from './solanaBench.ts'

describe('a transaction of Solana', () => {
  it('is told with all its instructions, inner ones too, in the order they ran and with every account by its address', async () => {
    const steps = [send(PAYER, OWNER, 1), call([move(THEIRS, OURS, 2), send(PAYER, VENUE, 3)]), send(PAYER, VENUE, 4)]
    const seen = await seenIn(told({ steps, loaded: [OURS, VENUE] }))
    expect(seen).toMatchObject({
      chainId: -2,
      hash: SIGNATURE,
      isSuccess: true,
      standing: 'confirmed',
      at: 100_000,
      height: 500,
      call: null,
      logs: [],
    })
    expect(seen?.instructions.map(({ index, program, accounts }) => [index, program, accounts])).toEqual([
      [0, SYSTEM_PROGRAM, [PAYER, OWNER]],
      [1, PROGRAM, [PAYER]],
      [2, TOKEN_PROGRAM, [THEIRS, OURS, VENUE]],
      [3, SYSTEM_PROGRAM, [PAYER, VENUE]],
      [4, SYSTEM_PROGRAM, [PAYER, VENUE]],
    ])
    expect(Buffer.from(seen?.instructions[3]?.data ?? [])).toEqual(Buffer.concat([le(2, 4), le(3, 8)]))
  })

  it('is final once its slot is', async () => {
    expect((await seenIn(told({}), { getSlot: 499 }))?.standing).toBe('confirmed')
    expect((await seenIn(told({}), { getSlot: 500 }))?.standing).toBe('final')
  })

  it('is asked for in one read, at the commitment that counts', async () => {
    const { evidence, asked } = evidenceOver({ a: { getTransaction: told({}), getSlot: 400 } })
    await evidence.transaction({ chainId: -2, hash: idOf(-2, SIGNATURE) }, patient())
    expect(asked.map(({ asked: method, params }) => [method, params])).toEqual([
      ['getTransaction', [SIGNATURE, { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 }]],
      ['getSlot', [{ commitment: 'finalized' }]],
    ])
  })

  it('moved nothing when it failed, though it shows what it tried, and is not there while nothing is found', async () => {
    const failed = told({
      steps: [send(PAYER, OWNER, 7)],
      lamports: { [OWNER]: 7 },
      meta: { err: { InstructionError: [0, 'Custom'] } },
    })
    expect(await seenIn(failed)).toMatchObject({ isSuccess: false, movements: [], instructions: [{ index: 0 }] })
    expect(await seenIn(null)).toBeNull()
  })

  it('that one endpoint lacks is absent only when a second endpoint lacks it, too', async () => {
    const query = { chainId: -2, hash: idOf(-2, SIGNATURE) } as const
    const [a, getSlot] = [{ getTransaction: null, getSlot: 400 }, 400]
    const over = (getTransaction: unknown) =>
      evidenceOver({ a, b: { getTransaction, getSlot } }).evidence.transaction(query, patient())
    expect(await over(told({}))).toMatchObject({ height: 500 })
    expect(await over(null)).toBeNull()
    expect(await isUnreadable(over(resets))).toBe(true)
  })

  it('has no time where the node gives none', async () => {
    expect((await seenIn(told({ rest: { blockTime: null } })))?.at).toBeNull()
  })
})

describe('tokens that somebody was paid on Solana [rpc-solana-evidence]', () => {
  const theirs: Held = [THEIRS, VENUE, 100]

  it('stand at the instruction that paid them', async () => {
    const steps = [call([checked(THEIRS, OURS, 42)])]
    expect(
      await paid({
        steps,
        before: [theirs],
        after: [
          [THEIRS, VENUE, 58],
          [OURS, OWNER, 42],
        ],
      }),
    ).toEqual([['instruction:1', 42n, VENUE]])
  })

  it('are two payments where two instructions paid them', async () => {
    const steps = [checked(THEIRS, OURS, 40), call([move(THEIRS, OURS, 40)])]
    expect(
      await paid({
        steps,
        before: [theirs],
        after: [
          [THEIRS, VENUE, 20],
          [OURS, OWNER, 80],
        ],
      }),
    ).toEqual([
      ['instruction:0', 40n, VENUE],
      ['instruction:2', 40n, VENUE],
    ])
  })

  it('are as much as was made for them', async () => {
    const minted = { before: [[OURS, OWNER, 0]], after: [[OURS, OWNER, 42]] } as const
    expect(await paid({ ...minted, steps: [token(7, [USDC.address, OURS, VENUE], 42)] })).toEqual([['instruction:0', 42n, null]])
    expect(await paid({ ...minted, steps: [token(14, [USDC.address, OURS, VENUE], 42, [6])] })).toEqual([
      ['instruction:0', 42n, null],
    ])
  })

  it('are less than was sent by the fee that the token takes', async () => {
    const balances = {
      before: [theirs],
      after: [
        [THEIRS, VENUE, 58],
        [OURS, OWNER, 40],
      ],
    } as const
    const named: Step = {
      program: TOKEN_2022_PROGRAM,
      accounts: [THEIRS, USDC.address, OURS, VENUE],
      data: Buffer.concat([Buffer.of(26, 1), le(42, 8), Buffer.of(6), le(2, 8)]),
    }
    expect(await paid({ ...balances, steps: [named] })).toEqual([['instruction:0', 40n, VENUE]])
    expect(await paid({ after: [[OURS, OWNER, 80]], steps: [named, named], before: [[THEIRS, VENUE, 84]] })).toEqual([
      ['instruction:0', 40n, VENUE],
      ['instruction:1', 40n, VENUE],
    ])
    expect(await paid({ ...balances, steps: [checked(THEIRS, OURS, 42, TOKEN_2022_PROGRAM)] })).toEqual([
      ['instruction:0', 40n, VENUE],
    ])
  })

  it('are one sum where no instructions explain them', async () => {
    const balance = `balance:${USDC.address}:${OWNER}`
    const after: readonly Held[] = [[OURS, OWNER, 42]]
    expect(await paid({ after })).toEqual([[balance, 42n, null]])
    expect(await paid({ after, steps: [move(THEIRS, OURS, 10)], before: [theirs] })).toEqual([[balance, 42n, null]])
    expect(await paid({ after, steps: [move(THEIRS, OURS, 30), move(THEIRS, OURS, 30)], before: [theirs] })).toEqual([
      [balance, 42n, null],
    ])
  })

  it('are sums apart for two owners in one transaction', async () => {
    const seen = await seenIn(
      told({
        after: [
          [OURS, OWNER, 42],
          [OTHERS, VENUE, 42],
        ],
      }),
    )
    expect(new Set(seen?.movements.map(({ place }) => place)).size).toBe(2)
  })

  it('are only what stays: what passes through or comes back is none', async () => {
    const steps = [move(THEIRS, OURS, 42), move(OURS, THEIRS, 42)]
    expect(await paid({ steps, before: [theirs, [OURS, OWNER, 5]], after: [theirs, [OURS, OWNER, 5]] })).toEqual([])
    const kept = [move(THEIRS, OURS, 42), move(OURS, THEIRS, 40)]
    expect(
      await paid({
        steps: kept,
        before: [theirs],
        after: [
          [THEIRS, VENUE, 98],
          [OURS, OWNER, 2],
        ],
      }),
    ).toEqual([['instruction:0', 2n, VENUE]])
  })

  it('are none for a move between two accounts of the wallet', async () => {
    expect(await paid({ steps: [move(OTHERS, OURS, 42)], before: [[OTHERS, OWNER, 42]], after: [[OURS, OWNER, 42]] })).toEqual([])
    const besides = [move(OTHERS, OURS, 42), move(THEIRS, OURS, 10)]
    expect(await paid({ steps: besides, before: [[OTHERS, OWNER, 42], theirs], after: [[OURS, OWNER, 52]] })).toEqual([
      ['instruction:1', 10n, VENUE],
    ])
  })

  it('count an account that was opened, and one that was closed again, in the transaction', async () => {
    const opened: Step = {
      program: TOKEN_PROGRAM,
      accounts: [OTHERS, USDC.address],
      data: Buffer.concat([Buffer.of(18), base58.decode(VENUE)]),
    }
    const steps = [opened, move(THEIRS, OTHERS, 42), move(OTHERS, OURS, 42)]
    expect(await paid({ steps, before: [[THEIRS, PROGRAM, 42]], after: [[OURS, OWNER, 42]] })).toEqual([
      ['instruction:2', 42n, VENUE],
    ])
  })

  it('are not taken off the payee who passed others on', async () => {
    // The first was paid by a sum, and paid the second by an instruction: what it gave is off its sum already.
    const steps = [move(OTHERS, OURS, 10)]
    const seen = await seenIn(
      told({
        steps,
        before: [theirs],
        after: [
          [OTHERS, VENUE, 30],
          [OURS, OWNER, 10],
        ],
      }),
    )
    expect(seen && paymentsTo(seen, { asset: USDC, recipient: VENUE }).map(({ amount }) => amount)).toEqual([])
    const gained = await seenIn(
      told({
        steps,
        after: [
          [OTHERS, VENUE, 30],
          [OURS, OWNER, 10],
        ],
      }),
    )
    expect(gained && paymentsTo(gained, { asset: USDC, recipient: VENUE }).map(({ amount }) => amount)).toEqual([30n])
    expect(gained && paymentsTo(gained, { asset: USDC, recipient: OWNER }).map(({ place, amount }) => [place, amount])).toEqual([
      ['instruction:0', 10n],
    ])
  })
})

describe('lamports that somebody was paid [rpc-solana-evidence]', () => {
  const SOL = nativeAsset(-2)
  const balance = `balance:${NATIVE_SOL}:${OWNER}`

  it('stand at the instructions that sent them, batch or not', async () => {
    expect(await paid({ steps: [send(VENUE, OWNER, 50)], lamports: { [OWNER]: 50, [VENUE]: -50 } }, SOL)).toEqual([
      ['instruction:0', 50n, VENUE],
    ])
    const steps = [send(VENUE, OWNER, 50), call([send(VENUE, OWNER, 50)])]
    expect(await paid({ steps, lamports: { [OWNER]: 100, [VENUE]: -100 } }, SOL)).toEqual([
      ['instruction:0', 50n, VENUE],
      ['instruction:2', 50n, VENUE],
    ])
  })

  it('are one sum where a program moved them', async () => {
    expect(await paid({ lamports: { [OWNER]: 50 } }, SOL)).toEqual([[balance, 50n, null]])
  })

  it('do not count the fee of the wallet that paid it', async () => {
    const seen = await seenIn(told({ steps: [send(VENUE, PAYER, 50)], lamports: { [PAYER]: 50, [VENUE]: -50 } }))
    expect(seen && paymentsTo(seen, { asset: SOL, recipient: PAYER }).map(({ amount }) => amount)).toEqual([50n])
  })

  it('are only what stays', async () => {
    const steps = [send(VENUE, OWNER, 50), send(OWNER, VENUE, 45)]
    expect(await paid({ steps, lamports: { [OWNER]: 5 } }, SOL)).toEqual([['instruction:0', 5n, VENUE]])
    expect(await paid({ steps, lamports: { [OWNER]: 0 } }, SOL)).toEqual([])
    const twice = [send(VENUE, OWNER, 50), ...steps]
    expect(await paid({ steps: twice, lamports: { [OWNER]: 55 } }, SOL)).toEqual([[balance, 55n, null]])
  })

  it('may come wrapped; wrapping and unwrapping what one has is no payment', async () => {
    const wrapped = (amount: number): Held => [OURS, OWNER, amount, NATIVE_SOL]
    const source: Held = [THEIRS, VENUE, 70, NATIVE_SOL]
    expect(await paid({ steps: [move(THEIRS, OURS, 70)], before: [source], after: [wrapped(70)] }, SOL)).toEqual([
      ['instruction:0', 70n, VENUE],
    ])
    expect(await paid({ after: [wrapped(70)] }, SOL)).toEqual([[balance, 70n, null]])
    const wrap = {
      steps: [send(OWNER, OURS, 70)],
      before: [wrapped(0)],
      after: [wrapped(70)],
      lamports: { [OWNER]: -70, [OURS]: 70 },
    }
    expect(await paid(wrap, SOL)).toEqual([])
    expect(await paid({ before: [wrapped(70)], lamports: { [OWNER]: 70 } }, SOL)).toEqual([])
    const sent = {
      steps: [send(VENUE, OURS, 70)],
      before: [wrapped(0)],
      after: [wrapped(70)],
      lamports: { [VENUE]: -70, [OURS]: 70 },
    }
    expect(await paid(sent, SOL)).toEqual([['instruction:0', 70n, VENUE]])
  })

  it('do not count the rent of a token account', async () => {
    const picture = {
      steps: [send(PAYER, OURS, 2_039)],
      after: [[OURS, OWNER, 0]] as const,
      lamports: { [OURS]: 2_039, [PAYER]: -2_039 },
    }
    expect((await seenIn(told(picture)))?.movements).toEqual([])
    const steps = [...picture.steps, send(VENUE, OWNER, 50)]
    const lamports = { ...picture.lamports, [VENUE]: -50, [OWNER]: 50 }
    expect(await paid({ ...picture, steps, lamports }, SOL)).toEqual([['instruction:1', 50n, VENUE]])
  })

  it('are not told of an account that holds more than JSON carries exactly, and all others are', async () => {
    const picture = told({ steps: [send(VENUE, OWNER, 50)], lamports: { [OWNER]: 50, [VENUE]: -50 } })
    const huge = (value: number) => 2 ** 60 + value
    const at = picture.transaction.message.accountKeys.indexOf(VENUE)
    picture.meta.preBalances[at] = huge(0)
    picture.meta.postBalances[at] = huge(4_096)
    const seen = await seenIn(picture)
    expect(seen?.movements.map(({ to, amount }) => [to, amount])).toEqual([[OWNER, 50n]])
  })
})
