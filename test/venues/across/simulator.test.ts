import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Execution } from '../../../engine/core/execution.ts'
import type { SimEvm } from '../../../engine/simnet/world.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import {
  type AcrossBench,
  ARB,
  NATIVE,
  openBench,
  PERIPHERY,
  SPOKE_POOL_BASE,
  swapOf,
  transactionOf,
  USDC,
  usdcOrder,
} from './support.ts'

let bench: AcrossBench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const QUESTION = {
  amount: '250000000',
  tradeType: 'exactInput',
  inputToken: USDC.base,
  outputToken: USDC.arbitrum,
  originChainId: '8453',
  destinationChainId: '42161',
  depositor: WALLETS.evm,
  recipient: WALLETS.evmOther,
}

/** What the tests below look into; the rest is compared whole. */
type Answered = {
  readonly checks: { readonly allowance: { readonly actual: string } }
  readonly approvalTxns: readonly { readonly data: string }[]
  readonly swapTx: { readonly to: string; readonly data: string }
  readonly limits: unknown
  readonly param?: string
}

const get = async (path: string, query: Readonly<Record<string, string | undefined>> = {}, init: RequestInit = {}) => {
  const defined = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const response = await fetch(`${bench.baseUrl}${path}?${new URLSearchParams(defined)}`, init)
  return { status: response.status, body: (await response.json()) as Answered }
}

const ask = (change: Readonly<Record<string, string | undefined>>) => get('/swap/approval', { ...QUESTION, ...change })

describe('the simulator takes nothing the vendor would not', () => {
  test.each([
    [{ amount: undefined }, 'INVALID_PARAM', 'amount'],
    [{ amount: '0' }, 'INVALID_PARAM', 'amount'],
    [{ amount: '1.5' }, 'INVALID_PARAM', 'amount'],
    [{ amount: '-1' }, 'INVALID_PARAM', 'amount'],
    [{ tradeType: 'exact' }, 'INVALID_PARAM', 'tradeType'],
    [{ tradeType: 'exactOutput' }, 'SWAP_TYPE_NOT_GUARANTEED', undefined],
    [{ depositor: undefined }, 'INVALID_PARAM', 'depositor'],
    [{ depositor: WALLETS.solana }, 'INVALID_PARAM', 'depositor'],
    [{ depositor: '0x12' }, 'INVALID_PARAM', 'depositor'],
    [{ recipient: WALLETS.solana }, 'INVALID_PARAM', 'recipient'],
    [{ refundAddress: WALLETS.solana }, 'INVALID_PARAM', 'refundAddress'],
    [{ refundOnOrigin: 'yes' }, 'INVALID_PARAM', 'refundOnOrigin'],
    [{ slippage: '0.51' }, 'INVALID_PARAM', 'slippage'],
    [{ slippage: '1' }, 'INVALID_PARAM', 'slippage'],
    [{ slippage: '5e-3' }, 'INVALID_PARAM', 'slippage'],
    [{ appFee: '0.01' }, 'INVALID_PARAM', 'appFee, appFeeRecipient'],
    [{ appFeeRecipient: WALLETS.evm }, 'INVALID_PARAM', 'appFee, appFeeRecipient'],
    [{ appFee: '1.1', appFeeRecipient: WALLETS.evm }, 'INVALID_PARAM', 'appFee'],
    [{ appFee: '0.01', appFeeRecipient: WALLETS.solana }, 'INVALID_PARAM', 'appFeeRecipient'],
    [{ integratorId: '0xbeefbe' }, 'INVALID_PARAM', 'integratorId'],
    [{ skipChecks: '1' }, 'INVALID_PARAM', 'skipChecks'],
    [{ routingPreference: 'fastest' }, 'INVALID_PARAM', 'routingPreference'],
    [{ includeSources: 'a', excludeSources: 'b' }, 'INVALID_PARAM', 'excludeSources, includeSources'],
    [{ originChainId: '43114' }, 'INVALID_PARAM', 'originChainId'],
    [{ destinationChainId: '4663' }, 'INVALID_PARAM', 'destinationChainId'],
    [{ destinationChainId: '8453' }, 'INVALID_PARAM', undefined],
    [{ surprise: 'x' }, 'INVALID_PARAM', 'surprise'],
    [{ destinationChainId: '34268394551451', outputToken: USDC.solana, recipient: undefined }, 'INVALID_PARAM', 'recipient'],
    [
      ...[
        {
          destinationChainId: '34268394551451',
          outputToken: USDC.solana,
          recipient: WALLETS.solana,
          appFee: '0.01',
          appFeeRecipient: WALLETS.solana,
        },
        'INVALID_PARAM',
        'appFee, appFeeRecipient',
      ],
    ],
    [{ amount: '50000' }, 'AMOUNT_TOO_LOW', undefined],
    [{ amount: '5000000000000' }, 'AMOUNT_TOO_HIGH', undefined],
  ] as readonly (readonly [Record<string, string | undefined>, string, string | undefined])[])(
    '%o is %s %s',
    async (change, code, param) => {
      const { status, body } = await ask(change)
      expect(status).toBe(400)
      expect(body).toMatchObject({ type: 'AcrossApiError', code, status: 400, id: expect.stringMatching(/^sim1::/) })
      expect(body.param).toBe(param)
    },
  )

  test('a token it does not know is 404 without a code, native marker of others included', async () => {
    for (const outputToken of [NATIVE, '0x000000000000000000000000000000000000dEaD']) {
      const { status, body } = await ask({ outputToken })
      expect(status).toBe(404)
      expect(body).toMatchObject({ type: 'AcrossApiError', message: expect.stringContaining('Unable to find tokenDetails') })
      expect(body).not.toHaveProperty('code')
    }
  })

  test('a parameter given twice, another method, a malformed key', async () => {
    const twice = await fetch(`${bench.baseUrl}/swap/approval?${new URLSearchParams(QUESTION)}&amount=1`)
    expect(twice.status).toBe(400)
    expect((await get('/swap/approval', QUESTION, { method: 'POST' })).body).toMatchObject({ code: 'INVALID_METHOD' })
    expect((await get('/swap/chains', {}, { headers: { authorization: 'Basic abc' } })).status).toBe(401)
    expect((await fetch(`${bench.baseUrl}/nowhere`)).status).toBe(404)
  })
})

describe('the wallet as the vendor sees it', () => {
  const walletWith = (allowance: bigint, balance: bigint): Partial<SimEvm> => ({
    rpc: async (_chainId, method, params) => {
      if (method !== 'eth_call') return '0x'
      const [{ data }] = params as [{ data: string }]
      return `0x${(data.startsWith('0xdd62ed3e') ? allowance : balance).toString(16).padStart(64, '0')}`
    },
  })
  const openWith = async (evm: Partial<SimEvm>) => {
    await bench.close()
    bench = await openBench({ evm })
  }

  test('without allowance: an unlimited approval, no gas', async () => {
    const { body } = await ask({})
    expect(body.checks.allowance).toEqual({ token: USDC.base, spender: SPOKE_POOL_BASE, actual: '0', expected: '250000000' })
    expect(body.approvalTxns).toEqual([
      {
        chainId: 8453,
        to: USDC.base,
        data: `0x095ea7b3${SPOKE_POOL_BASE.slice(2).toLowerCase().padStart(64, '0')}${'f'.repeat(64)}`,
      },
    ])
    expect(body.swapTx).toMatchObject({ simulationSuccess: false })
    expect(body.swapTx).not.toHaveProperty('gas')
  })
  test('with allowance and balance: no approval, and gas', async () => {
    await openWith(walletWith(10n ** 12n, 10n ** 12n))
    const { body } = await ask({})
    expect(body).not.toHaveProperty('approvalTxns')
    expect(body.swapTx).toMatchObject({ simulationSuccess: true, gas: '142000' })
    expect((await ask({ skipChecks: 'true' })).body.checks.allowance.actual).toBe('0')
  })
  test('a leftover allowance of USDT is reset first', async () => {
    await openWith(walletWith(1n, 10n ** 12n))
    const USDT = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
    const { body } = await ask({
      originChainId: '1',
      inputToken: USDT,
      outputToken: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9',
    })
    expect(body.approvalTxns).toHaveLength(2)
    expect(body.approvalTxns[0]?.data.endsWith('0'.repeat(64))).toBe(true)
  })
})

describe('a deposit is read from its bytes, and reverts as the contract does', () => {
  const send = async (change: { to?: string; data?: string; value?: bigint }, order = usdcOrder()) => {
    const { execution } = await swapOf(bench.venue, order)
    const { chainId, to, data, value } = transactionOf(execution)
    return () =>
      bench.sim.onTransaction({ chainId, from: order.sender, to, data, value, txHash: `0x${'11'.repeat(32)}`, ...change })
  }
  test('not its own contract: not its business', async () => {
    expect((await send({ to: WALLETS.evmOther }))()).toBe(false)
    expect(bench.sim.onDeposit({ chainId: 8453, token: NATIVE, address: WALLETS.evm, amount: 1n, txHash: '0x' })).toBe(false)
  })
  test('value beside a token, no value for a native deposit, another selector, short calldata', async () => {
    expect(await send({ value: 1n })).toThrow('MsgValueDoesNotMatchInputAmount')
    const native = anOrder({ from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n })
    expect(await send({ value: 0n }, native)).toThrow('reverted')
    expect(await send({ value: 1n }, native)).toThrow('MsgValueDoesNotMatchInputAmount')
    expect(await send({ data: '0xdeadbeef' })).toThrow('reverted')
    expect(await send({ data: '0xad5425c6' })).toThrow('too short')
    expect(await send({ to: PERIPHERY })).toThrow('reverted')
  })
  test('an hour old', async () => {
    const old = await send({})
    bench.clock.advance(3_600_000)
    expect(old).toThrow('InvalidQuoteTimestamp')
  })
  test('a deposit no relayer would fill just expires', async () => {
    const { execution } = await swapOf(bench.venue, usdcOrder())
    const { data } = transactionOf(execution)
    const greedy = data.replace(249_942_500n.toString(16).padStart(64, '0'), 260_000_000n.toString(16).padStart(64, '0'))
    expect((await send({ data: greedy }))()).toBe(true)
    bench.clock.advance(3_600_000)
    const ref = { depositTxnRef: `0x${'11'.repeat(32)}` }
    expect((await get('/deposit/status', ref)).body).toMatchObject({ status: 'pending' })
    bench.clock.advance(3_600_000)
    expect((await get('/deposit/status', ref)).body).toMatchObject({ status: 'expired' })
  })
})

test('an exchange on the destination chain is priced by the vendor, and what it would do cannot be proved', async () => {
  const { status, body } = await ask({ outputToken: ARB, refundOnOrigin: 'true' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ crossSwapType: 'bridgeableToAny', quoteExpiryTimestamp: START_OF_TIME / 1_000 + 30 })
  const { to, data } = body.swapTx
  const execution = { payload: { executionType: 'TRANSACTION', transaction: { chainId: 8453, to, data, value: 0n } } }
  const claims = await bench.venue.decode(execution as unknown as Execution)
  expect(claims.unread).toEqual(['call 0 of the message'])
})

describe('the lists beside', () => {
  test('chains and tokens', async () => {
    const chains = (await get('/swap/chains')).body as unknown as { chainId: number }[]
    expect(chains.map(({ chainId }) => chainId)).toEqual([
      1, 10, 56, 130, 137, 143, 324, 480, 999, 8453, 42161, 59144, 34268394551451,
    ])
    const tokens = (await get('/swap/tokens', { chainId: '8453' })).body as unknown as unknown[]
    expect(tokens).toContainEqual(expect.objectContaining({ chainId: 8453, address: USDC.base, priceUsd: '1.000000' }))
    expect(tokens).toContainEqual(
      expect.objectContaining({ address: '0x0000000000000000000000000000000000000000', symbol: 'ETH' }),
    )
    expect((await get('/swap/tokens', { chainId: '43114' })).status).toBe(400)
    expect(((await get('/swap/tokens')).body as unknown as unknown[]).length).toBeGreaterThan(tokens.length)
  })
  test('suggested fees and limits agree with the price', async () => {
    const pair = { originChainId: '8453', destinationChainId: '42161', inputToken: USDC.base, outputToken: USDC.arbitrum }
    const { body } = await get('/suggested-fees', { ...pair, amount: '250000000' })
    expect(body).toMatchObject({ outputAmount: '249942500', spokePoolAddress: SPOKE_POOL_BASE, isAmountTooLow: false })
    expect((await get('/limits', pair)).body).toEqual(body.limits)
    expect((await get('/suggested-fees', { ...pair, amount: '0' })).status).toBe(400)
    expect((await get('/limits', { ...pair, outputToken: ARB })).body).toMatchObject({ code: 'ROUTE_NOT_ENABLED' })
    expect((await get('/limits', { ...pair, destinationChainId: '8453' })).status).toBe(400)
  })
  test('the indexer has errors of its own', async () => {
    expect(await get('/deposit/status', {})).toMatchObject({ status: 400, body: { error: 'IncorrectQueryParamsException' } })
    expect(await get('/deposit', { depositTxnRef: '0x1' })).toMatchObject({
      status: 404,
      body: { error: 'DepositNotFoundException' },
    })
    expect(await get('/deposit', { depositTxnRef: '0x1', odd: '1' })).toMatchObject({
      status: 400,
      body: { error: 'ValidationError' },
    })
    expect(await get('/deposit', { depositTxnRef: '0x1', index: '-1' })).toMatchObject({ status: 400 })
  })
})
