import { describe, expect, test } from 'vitest'
import { ChainError, type TransactionReceipt } from '../../../../engine/chains/chains.ts'
import { toAmount } from '../../../../engine/core/amount.ts'
import type { ExecutedSwap } from '../../../../engine/core/swap.ts'
import { meaningOf, minimumAbove, refused } from '../../../../engine/venues/kit/refusals.ts'
import { grossUp, tighterSlippageBps } from '../../../../engine/venues/kit/reprice.ts'
import { hasReverted, isOneOf, NOT_FOUND, swapStatus } from '../../../../engine/venues/kit/track.ts'
import { anOrder, WALLETS } from '../../../support/anOrder.ts'

describe('the tolerance that still guarantees what was quoted', () => {
  test.each([
    ['none: the bound still holds', 1_000n, 990n, 990n, null],
    ['none: the price is below the quoted minimum', 989n, 980n, 990n, null],
    ['none: it would be less than the venue takes', 1_000n, 980n, 1_000n, null],
    ['the tighter one', 1_000n, 980n, 990n, 100],
    ['rounded down, so that no less is guaranteed', 1_003n, 980n, 990n, 129],
  ] as const)('%s', (_name, expected, minimum, quoted, bps) => {
    expect(tighterSlippageBps({ expected, minimum }, quoted, { leastBps: 1 })).toBe(bps)
  })

  test('a venue that takes zero is asked for it', () => {
    expect(tighterSlippageBps({ expected: 1_000n, minimum: 980n }, 1_000n, { leastBps: 0 })).toBe(0)
  })
})

test.each([
  [9_980n, 20, 20, 20n],
  [9_960n, 20, 40, 20n],
  [999n, 30, 30, 3n],
  [999n, 0, 0, 0n],
] as const)('%s units after fees: %i of %i bps were worth %s', (net, bps, totalBps, worth) => {
  expect(grossUp(net, bps, totalBps)).toBe(worth)
})

describe('a code of a venue', () => {
  const MEANINGS = { LOW: 'amountTooSmall', WHO: ['badRequest', 'recipient'] } as const

  test('means what its table says, with the party or the bound that was told', () => {
    expect(refused(MEANINGS.WHO, 'WHO: nobody')).toMatchObject({ kind: 'badRequest', party: 'recipient', message: 'WHO: nobody' })
    expect(refused(MEANINGS.LOW, 'LOW', { minimum: 7n })).toMatchObject({ kind: 'amountTooSmall', minimum: 7n, party: null })
  })

  test.each(['toString', 'constructor', '__proto__', 'NEW'])('%s means nothing', (code) => {
    expect(meaningOf(MEANINGS, code)).toBeUndefined()
  })

  test('a least amount that is no more than was asked for is not told', () => {
    expect(minimumAbove(5n, 6n)).toEqual({ minimum: 6n })
    expect(minimumAbove(5n, 5n)).toEqual({})
    expect(minimumAbove(null, 6n)).toEqual({})
    expect(minimumAbove(5n, null)).toEqual({})
  })
})

test('a status that is not documented is none of the documented ones', () => {
  const isKnown = isOneOf(['filled', 'open'])
  expect([isKnown('filled'), isKnown('Filled'), isKnown('constructor')]).toEqual([true, false, false])
  expect(swapStatus('success', 'filled', { txHash: '0x1' })).toEqual({
    ...NOT_FOUND,
    state: 'success',
    venueStatus: 'filled',
    txHash: '0x1',
  })
})

describe('a transaction that failed on its chain', () => {
  const HASH = `0x${'Ab'.repeat(32)}`
  const POOL = WALLETS.evmOther
  const order = anOrder({
    from: [1, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
    to: [8453, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
    amount: 5n,
  })
  type Payload = ExecutedSwap['execution']['payload']
  const sent: Payload = {
    executionType: 'TRANSACTION',
    transaction: { chainId: 1, to: POOL, data: '0x', value: toAmount(0n) },
  }
  const swapOf = (payload: Payload) => ({ order, execution: { payload } }) as unknown as ExecutedSwap

  const signal = new AbortController().signal
  const failed = {
    isSuccess: false,
    from: order.sender.toLowerCase(),
    to: POOL.toLowerCase(),
    logs: [],
  } as unknown as TransactionReceipt
  const reverted = (
    receipt: TransactionReceipt | null,
    { ref = HASH, payload = sent }: { ref?: string; payload?: Payload } = {},
  ) => {
    const transactionReceipt = async ({ hash }: { hash: string }) => (hash === HASH.toLowerCase() ? receipt : null)
    return hasReverted(ref, swapOf(payload), { chains: { transactionReceipt }, signal })
  }

  test('is told by its receipt', async () => {
    expect(await reverted(failed)).toBe(true)
  })

  const deposit = { executionType: 'DEPOSIT', deposit: { chainId: 1, address: POOL, amount: toAmount(5n) } } as const
  test.each([
    ['it is not mined', reverted(null)],
    ['it succeeded', reverted({ ...failed, isSuccess: true })],
    ['somebody else sent it', reverted({ ...failed, from: '0x01' })],
    ['it called another contract', reverted({ ...failed, to: '0x01' })],
    ['the ref is no hash', reverted(failed, { ref: 'order-1' })],
    ['nothing was to be sent', reverted(failed, { payload: deposit })],
  ])('is not, where %s', async (_name, verdict) => {
    expect(await verdict).toBe(false)
  })

  test('is not believed of a chain that cannot be asked, and our own mistakes are not hidden', async () => {
    const failing = (error: Error) =>
      hasReverted(HASH, swapOf(sent), { chains: { transactionReceipt: () => Promise.reject(error) }, signal })
    expect(await failing(new ChainError('unreachable', 1, 'gone'))).toBe(false)
    await expect(failing(new TypeError('ours'))).rejects.toThrow('ours')
  })
})
