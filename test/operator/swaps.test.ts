import { describe, expect, it } from 'vitest'
import { executeAs, statusOf } from '../../scripts/client/swap.ts'
import { NATIVE } from '../../scripts/client/tokens.ts'
import { ACCOUNT, DEPOSIT_SWAP, TRANSACTION_SWAP } from '../support/swaps.ts'
import { operator, operatorJson, operatorStage } from './operatorProcess.ts'

type Found = {
  readonly swaps: readonly { readonly id: number; readonly quoteId: string; readonly state: string }[]
  readonly before: number | null
}
type Shown = {
  readonly swap: { readonly state: string; readonly tokenKey: string }
  readonly payments: readonly { readonly kind: string }[]
  readonly queue: { readonly isPaid: boolean; readonly abandonedAt: number | null } | null
}

const { env, service, store } = await operatorStage('across', 'near-intents')

const find = (...args: readonly string[]): Promise<Found> => operatorJson<Found>(env, 'swaps', 'find', ...args)
const idsOf = ({ swaps }: Found): readonly number[] => swaps.map(({ id }) => id)

const deposited = async () => {
  const { quoteToken, output } = await service.call('quote', { body: DEPOSIT_SWAP })
  const { deposit, statusRef } = await executeAs(service, 'DEPOSIT', { quoteToken })
  const { swaps } = await find('--ref', statusRef)
  return { quoteToken, output, deposit, ref: statusRef, id: swaps[0]?.id ?? 0, quoteId: swaps[0]?.quoteId ?? '' }
}

describe('operator swaps', { timeout: 60_000 }, () => {
  it('lists swaps by number, quote, ref, state, age, venue and partner, paged, newest first [operator-swaps]', async () => {
    const first = await deposited()
    const { quoteToken } = await service.call('quote', { body: TRANSACTION_SWAP })
    await executeAs(service, 'TRANSACTION', { quoteToken })
    const all = idsOf(await find())
    const [second = 0] = all
    expect(all).toEqual([second, first.id])
    expect(idsOf(await find('--id', String(first.id)))).toEqual([first.id])
    expect(idsOf(await find('--quote', first.quoteId, '--state', 'pending,processing', '--younger-than', '1h'))).toEqual([
      first.id,
    ])
    expect(idsOf(await find('--venue', 'across'))).toEqual([second])
    expect([await find('--older-than', '1h'), await find('--partner', 'ptn_none'), await find('--state', 'success')]).toEqual(
      Array.from({ length: 3 }, () => ({ swaps: [], before: null })),
    )
    const page = await find('--limit', '1')
    expect([idsOf(page), page.before]).toEqual([[second], second])
    expect(idsOf(await find('--limit', '1', '--before', String(second)))).toEqual([first.id])
    expect((await operator(env, 'swaps', 'find', '--state', 'paid')).code).toBe(2)
    expect((await operator(env, 'swaps', 'show', '99999')).code).toBe(3)
  })

  it('tracks one swap to its end with the result of /status, and shows its payments [operator-swaps]', async () => {
    const { id, ref, deposit, output, quoteToken } = await deposited()
    const { txHash } = await service.control.deposit({
      chainId: -1,
      token: NATIVE,
      address: deposit.address,
      amount: deposit.amount,
    })
    await service.control.advance(20 * 60_000)
    const { before, status } = await operatorJson<{ before: object; status: object }>(env, 'swaps', 'track', String(id))
    expect([before, status]).toMatchObject([{ state: 'pending' }, { state: 'success', deliveredAmount: output.amount }])
    const { swap, payments } = await operatorJson<Shown>(env, 'swaps', 'show', String(id))
    expect([swap.state, payments.map(({ kind }) => kind)]).toEqual(['success', ['input', 'output']])
    expect(await statusOf(service, { quoteToken, ref })).toMatchObject({ status: 'success', deliveredAmount: output.amount })
    expect(idsOf(await find('--ref', txHash))).toEqual([id])
    const { stdout } = await operator(env, 'swaps', 'show', String(id))
    expect(stdout).toContain(ACCOUNT.address)
    expect(stdout).toMatch(/^state +success/m)
    expect(stdout.includes(quoteToken)).toBe(false)
  })

  it('abandons and reopens a swap without a change of state, and refuses an ended one [operator-swaps]', async () => {
    const { id } = await deposited()
    expect((await operator(env, 'swaps', 'abandon', String(id), '--yes')).code).toBe(3)
    await store.settlement.add({ swapId: id, isPaid: false, dueAt: 0 })
    expect((await operator(env, 'swaps', 'abandon', String(id))).code).toBe(2)
    await operatorJson(env, 'swaps', 'abandon', String(id), '--yes')
    const { swap, queue } = await operatorJson<Shown>(env, 'swaps', 'show', String(id))
    expect([swap.state, typeof queue?.abandonedAt]).toEqual(['pending', 'number'])
    expect(idsOf(await find('--abandoned'))).toEqual([id])
    await operatorJson(env, 'swaps', 'reopen', String(id))
    expect((await operatorJson<Shown>(env, 'swaps', 'show', String(id))).queue?.abandonedAt).toBeNull()
    const [ended] = (await find('--state', 'success')).swaps
    const refused = await operator(env, 'swaps', 'reopen', String(ended?.id))
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('has ended (success)')])
  })
})
