import { describe, expect, it } from 'vitest'
import type { ChainEvidence } from '../../../engine/chains/chainEvidence.ts'
import { ChainError } from '../../../engine/chains/chains.ts'
import type { PaymentQuery, Payments } from '../../../engine/chains/payments.ts'
import { toAmount } from '../../../engine/core/amount.ts'
import type { Offer } from '../../../engine/core/offer.ts'
import type { SwapState, SwapStatus } from '../../../engine/core/swapStatus.ts'
import { requireEvidence } from '../../../engine/execution/requireEvidence.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'

const order = anOrder({
  from: [8453, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
  to: [42161, '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'],
  amount: 100n,
})
const offer: Offer = {
  venue: 'toy',
  executionType: 'DEPOSIT',
  outputAmount: toAmount(99n),
  fee: { bps: 0, amount: toAmount(0n) },
  slippage: { bps: 100, isFirm: true, guaranteedMin: toAmount(98n) },
  gasUnits: null,
  spender: null,
  estimatedTimeSeconds: null,
  expiresAt: null,
  decimals: { input: null, output: null },
  carry: null,
}
const binding = { recipient: WALLETS.evmOther, refundTo: WALLETS.evm }
const claim = (state: SwapState, txHash: string | null = '0xdone'): SwapStatus => ({
  state,
  venueStatus: 'CLAIM',
  deliveredAmount: toAmount(99n),
  txHash,
})

const hold = async (status: SwapStatus, answer: Payments | null | ChainError, sealed = { order, offer, binding }) => {
  const asked: PaymentQuery[] = []
  const unread: ChainError[] = []
  const evidence: ChainEvidence = {
    payments: async (query) => {
      asked.push(query)
      if (answer instanceof ChainError) throw answer
      return answer
    },
  }
  const told = await requireEvidence(status, sealed, { evidence, reportUnread: (error) => unread.push(error) })
  return { told, asked, unread }
}

const UNREADABLE = new ChainError('unreachable', 42161, 'no node')

describe('a claim of success', () => {
  it('stands when the transaction paid the recipient at least the guaranteed minimum, and tells what was seen', async () => {
    const { told, asked } = await hold(claim('success'), { amount: 98n, isAnything: true })
    expect(told).toEqual({ state: 'success', venueStatus: 'CLAIM', deliveredAmount: 98n, txHash: '0xdone' })
    expect(asked).toEqual([{ asset: order.output, recipient: WALLETS.evmOther, txHash: '0xdone' }])
  })

  it.each([
    ['paid a unit less', { amount: 97n, isAnything: true }],
    ['paid nothing', { amount: 0n, isAnything: false }],
    ['is not on the chain', null],
  ] as const)('stays open when the transaction %s', async (_what, seen) => {
    const { told } = await hold(claim('success'), seen)
    expect(told).toEqual({ state: 'processing', venueStatus: 'CLAIM', deliveredAmount: null, txHash: null })
  })

  it('stays open when it names no transaction at all', async () => {
    const { told, asked } = await hold(claim('success', null), null)
    expect(told.state).toBe('processing')
    expect(asked).toEqual([])
  })

  it('is the word of the venue where the chain cannot be read, and that is reported', async () => {
    const { told, unread } = await hold(claim('success'), UNREADABLE)
    expect(told).toEqual(claim('success'))
    expect(unread).toEqual([UNREADABLE])
  })

  it('needs any payment at all where the quote guaranteed no minimum', async () => {
    const sealed = { order, offer: { ...offer, slippage: null }, binding }
    expect((await hold(claim('success'), { amount: 1n, isAnything: true }, sealed)).told.state).toBe('success')
    expect((await hold(claim('success'), { amount: 0n, isAnything: true }, sealed)).told.state).toBe('processing')
  })
})

describe('a claim of a refund', () => {
  it('stands when the refund address was paid something, in whatever token', async () => {
    const { told, asked } = await hold(claim('refunded'), { amount: 0n, isAnything: true })
    expect(told.state).toBe('refunded')
    expect(asked).toEqual([{ asset: order.input, recipient: WALLETS.evm, txHash: '0xdone' }])
  })

  it.each([
    ['paid nothing', { amount: 0n, isAnything: false }],
    ['is not on the chain', null],
  ] as const)('is still owed when the transaction %s', async (_what, seen) => {
    expect((await hold(claim('refunded'), seen)).told).toMatchObject({ state: 'expired', txHash: null, venueStatus: 'CLAIM' })
  })

  it('is the word of the venue where it names no transaction, or the chain cannot be read', async () => {
    expect((await hold(claim('refunded', null), null)).told.state).toBe('refunded')
    expect((await hold(claim('refunded'), UNREADABLE)).told.state).toBe('refunded')
  })
})

it.each(['pending', 'processing', 'expired', 'failed', 'not_found', 'unknown'] as const)(
  'asks no chain about %s',
  async (state) => {
    const { told, asked } = await hold(claim(state), null)
    expect(told).toEqual(claim(state))
    expect(asked).toEqual([])
  },
)
