import {
  type AbiParameter,
  decodeFunctionData,
  encodeAbiParameters,
  type Hex,
  keccak256,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Execution } from '../../../engine/core/execution.ts'
import type { SimEvm } from '../../../engine/simnet/kit/world.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { ROOTS } from './abi.ts'
import refusals from './simulatorRefusals.json' with { type: 'json' }
import {
  type AcrossBench,
  ARB,
  broadcast,
  NATIVE,
  openBench,
  SPOKE_POOL_ARBITRUM,
  SPOKE_POOL_BASE,
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

const get = async (path: string, query: { readonly [name: string]: string | null } = {}, init: RequestInit = {}) => {
  const defined = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null)
  const response = await fetch(`${bench.baseUrl}${path}?${new URLSearchParams(defined)}`, init)
  return { status: response.status, body: (await response.json()) as Answered }
}

const word = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

const ask = (change: { readonly [name: string]: string | null }) => get('/swap/approval', { ...QUESTION, ...change })

/** A question's change, and how it is refused; null leaves a parameter out. */
type Refused = [change: { readonly [name: string]: string | null }, code: string, param?: string]

describe('the simulator takes nothing the vendor would not', () => {
  test.each<Refused>(refusals as unknown as Refused[])('%o is %s %s', async (change, code, param) => {
    const { status, body } = await ask(change)
    expect(status).toBe(400)
    expect(body).toMatchObject({ type: 'AcrossApiError', code, status: 400, id: expect.stringMatching(/^sim1::/) })
    expect(body.param).toBe(param)
  })

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
    call: async () => `0x${allowance.toString(16).padStart(64, '0')}`,
    balance: async () => balance,
  })
  const openWith = async (evm: Partial<SimEvm>) => {
    await bench.close()
    bench = await openBench({ evm })
  }

  test('without allowance: an unlimited approval, no gas', async () => {
    const { body } = await ask({})
    expect(body.checks.allowance).toEqual({ token: USDC.base, spender: SPOKE_POOL_BASE, actual: '0', expected: '250000000' })
    const data = `0x095ea7b3${word(SPOKE_POOL_BASE).slice(2)}${'f'.repeat(64)}`
    expect(body.approvalTxns).toEqual([{ chainId: 8453, to: USDC.base, data }])
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
    const inputToken = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
    const { body } = await ask({ originChainId: '1', inputToken, outputToken: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9' })
    expect(body.approvalTxns).toHaveLength(2)
    expect(body.approvalTxns[0]?.data.endsWith('0'.repeat(64))).toBe(true)
  })
})

const TX = `0x${'11'.repeat(32)}`
const MINUTE = 60_000
const FILL_DEADLINE_MS = 119 * MINUTE

const FILL_RELAY = parseAbi([
  'struct Relay { bytes32 depositor; bytes32 recipient; bytes32 exclusiveRelayer; bytes32 inputToken; bytes32 outputToken; uint256 inputAmount; uint256 outputAmount; uint256 originChainId; uint256 depositId; uint32 fillDeadline; uint32 exclusivityDeadline; bytes message; }',
  'function fillRelay(Relay relayData, uint256 repaymentChainId, bytes32 repaymentAddress)',
])

describe('what the venue sees and does on the chains', () => {
  const statusAt = async (ref = TX) => (await get('/deposit/status', { depositTxnRef: ref })).body
  const advance = async (ms: number) => {
    await bench.schedule.advance(ms)
    return statusAt()
  }
  /** 250 USDC to Arbitrum, deposited. */
  const deposited = async (order = usdcOrder(), txHash = TX): Promise<void> => {
    expect(await broadcast(bench, await swapOf(bench.venue, order), txHash)).toBe(true)
  }
  /** The same, on no chain yet. */
  const usdcCall = async () => {
    const { chainId, to, data, value } = transactionOf((await swapOf(bench.venue, usdcOrder())).execution)
    return { chainId, from: WALLETS.evm, to, data, value, txHash: TX }
  }
  const fills = () =>
    bench.network.sent.flatMap(({ data, ...call }) => {
      if (!data.startsWith(toFunctionSelector(FILL_RELAY[0]))) return []
      return [{ ...call, ...decodeFunctionData({ abi: FILL_RELAY, data: data as Hex }).args[0] }]
    })
  test('a transaction without an event of its contracts is not its business, nor one that is on no chain', async () => {
    const described = await usdcCall()
    expect(bench.sim.onTransaction(described)).toBe(false)
    const { logs = [] } = await bench.network.land(described)
    const elsewhere = logs.map((log) => ({ ...log, address: WALLETS.evmOther }))
    expect(bench.sim.onTransaction({ ...described, logs: elsewhere })).toBe(false)
    expect(bench.sim.onTransaction({ ...described, chainId: 43114, logs })).toBe(false)
    expect(bench.sim.onDeposit({ chainId: 8453, token: NATIVE, address: WALLETS.evm, amount: 1n, txHash: '0x' })).toBe(false)
    await advance(MINUTE)
    expect(bench.network.sent).toEqual([])
    expect((await get('/deposit/status', { depositTxnRef: TX })).status).toBe(404)
  })

  test('a deposit by way of another contract counts as well: the event is what is seen', async () => {
    const landed = await bench.network.land(await usdcCall())
    expect(bench.sim.onTransaction({ ...landed, to: WALLETS.evmOther, data: '0xdeadbeef' })).toBe(true)
    expect(await advance(MINUTE)).toMatchObject({ status: 'filled' })
  })

  test('a deposit is filled on the destination chain from its own terms, once, after twelve seconds', async () => {
    await deposited()
    await advance(11_999)
    expect(bench.network.sent).toEqual([])
    const status = await advance(1)
    const [approval, fill, ...others] = bench.network.sent
    expect(others).toEqual([])
    expect(approval).toMatchObject({ chainId: 42161, to: USDC.arbitrum })
    expect(fill).toMatchObject({ chainId: 42161, to: SPOKE_POOL_ARBITRUM, from: approval?.from })
    expect(fills()).toMatchObject([
      {
        depositor: word(WALLETS.evm),
        recipient: word(WALLETS.evmOther),
        inputToken: word(USDC.base),
        outputToken: word(USDC.arbitrum),
        inputAmount: 250_000_000n,
        outputAmount: 249_942_500n,
        originChainId: 8453n,
        depositId: 5_120_001n,
        fillDeadline: (START_OF_TIME + FILL_DEADLINE_MS) / 1_000,
        message: '0x',
      },
    ])
    expect(status).toMatchObject({ status: 'filled', fillTx: `0x${'2'.padStart(64, '0')}`, depositId: '5120001' })
    expect(await advance(MINUTE)).toEqual(status)
    expect(await statusAt()).toEqual(status)
    expect(bench.network.sent).toHaveLength(2)
  })

  /** What the pool is made to do: a root of one refund is relayed by its owner, and carried out by anyone. */
  const expectRefund = () => {
    const [relayed, executed] = bench.network.sent.map(({ chainId, to, data }) => {
      expect([chainId, to]).toEqual([8453, SPOKE_POOL_BASE])
      return decodeFunctionData({ abi: ROOTS, data: data as Hex })
    })
    const leaf = {
      ...{ amountToReturn: 0n, chainId: 8453n, leafId: 0, l2TokenAddress: USDC.base },
      ...{ refundAmounts: [250_000_000n], refundAddresses: [WALLETS.evm] },
    }
    expect(executed).toEqual({ functionName: 'executeRelayerRefundLeaf', args: [7, leaf, []] })
    const inputs = ROOTS.find((item) => item.type === 'function' && item.name === 'executeRelayerRefundLeaf')?.inputs
    const root = keccak256(encodeAbiParameters([inputs?.[1] as AbiParameter], [leaf as never]))
    expect(relayed).toEqual({ functionName: 'relayRootBundle', args: [root, root] })
  }

  test('nobody fills at a loss: the pool gives the input back to the depositor 90 minutes after the fill deadline', async () => {
    const swap = await swapOf(bench.venue, usdcOrder())
    const { data } = transactionOf(swap.execution)
    const greedy = data.replace(249_942_500n.toString(16).padStart(64, '0'), 260_000_000n.toString(16).padStart(64, '0'))
    expect(await broadcast(bench, swap, TX, { data: greedy })).toBe(true)
    expect(await advance(FILL_DEADLINE_MS - 1)).toMatchObject({ status: 'pending' })
    expect(await advance(1)).toMatchObject({ status: 'expired' })
    expect(await advance(90 * MINUTE - 1)).toMatchObject({ status: 'expired', depositRefundTxHash: null })
    expect(bench.network.sent).toEqual([])
    const refunded = await advance(1)
    expectRefund()
    expect(refunded).toMatchObject({ status: 'refunded', depositRefundTxHash: `0x${'2'.padStart(64, '0')}` })
  })

  test('a fill that the chain refuses is noted, and the deposit refunded in the end', async () => {
    await deposited()
    bench.network.refusal = 'RelayFilled()'
    expect(await advance(MINUTE)).toMatchObject({ status: 'pending', fillTx: null })
    expect(bench.problems.splice(0)).toEqual([new Error('RelayFilled()')])
    bench.network.refusal = null
    expect(await advance(240 * MINUTE)).toMatchObject({ status: 'refunded' })
    expectRefund()
  })

  test('two deposits of one transaction are two pages', async () => {
    const call = await usdcCall()
    const [first, second] = [await bench.network.land(call), await bench.network.land(call)]
    bench.sim.onTransaction({ ...first, logs: [...(first.logs ?? []), ...(second.logs ?? [])] })
    await advance(MINUTE)
    const page = (index: string) => get('/deposit/status', { depositTxnRef: TX, index })
    expect((await page('0')).body).toMatchObject({ depositId: '5120001', pagination: { currentIndex: 0, maxIndex: 1 } })
    expect((await page('1')).body).toMatchObject({ depositId: '5120002', pagination: { currentIndex: 1, maxIndex: 1 } })
    expect((await page('2')).body).toMatchObject({ error: 'IndexParamOutOfRangeException' })
    expect(fills()).toHaveLength(2)
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
      1, 10, 56, 130, 137, 143, 324, 480, 999, 4663, 8453, 42161, 43114, 59144, 34268394551451,
    ])
    const tokens = (await get('/swap/tokens', { chainId: '8453' })).body as unknown as unknown[]
    expect(tokens).toContainEqual(expect.objectContaining({ chainId: 8453, address: USDC.base, priceUsd: '1.000000' }))
    expect(tokens).toContainEqual(
      expect.objectContaining({ address: '0x0000000000000000000000000000000000000000', symbol: 'ETH' }),
    )
    expect((await get('/swap/tokens', { chainId: '25' })).status).toBe(400)
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
  test.each([
    ['/deposit/status', {}, 400, 'IncorrectQueryParamsException'],
    ['/deposit', { depositTxnRef: '0x1' }, 404, 'DepositNotFoundException'],
    ['/deposit', { depositTxnRef: '0x1', odd: '1' }, 400, 'ValidationError'],
    ['/deposit', { depositTxnRef: '0x1', index: '-1' }, 400, 'ValidationError'],
  ] as const)('the indexer has errors of its own: %s %o', async (path, query, status, error) => {
    expect(await get(path, query)).toMatchObject({ status, body: { error } })
  })
})
