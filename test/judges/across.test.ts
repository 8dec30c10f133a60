import { AcrossClient, getDeposit } from '@across-protocol/app-sdk'
import { routeSchema } from '@across-protocol/app-sdk/dist/api/available-routes.js'
import { suggestedFeesResponseJsonSchema } from '@across-protocol/app-sdk/dist/api/suggested-fees.js'
import { swapApprovalResponseSchema } from '@across-protocol/app-sdk/dist/api/swap-approval.js'
import { createPublicClient, createTestClient, createWalletClient, defineChain, type Hex, http, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balanceOf } from '../../scripts/client/evm.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { ACCOUNT, OTHER_EVM } from '../support/swaps.ts'
import { ARB, NATIVE, SPOKE_POOL_ARBITRUM, SPOKE_POOL_BASE, USDC } from '../venues/across/support.ts'

const ZERO = '0x0000000000000000000000000000000000000000'

let service: TestService
let baseUrl: string
let client: AcrossClient

const chainOf = (id: number) =>
  defineChain({
    id,
    name: `offline ${id}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [service.control.rpcUrl(id)] } },
  })

beforeAll(async () => {
  service = await startService(only('across'))
  baseUrl = service.simnet.venues['across']?.baseUrl ?? ''
  client = AcrossClient.create({
    chains: [8453, 42161].map(chainOf),
    integratorId: '0xbeef',
    pollingInterval: 50,
    walletClient: createWalletClient({ account: ACCOUNT, chain: chainOf(8453), transport: http(service.control.rpcUrl(8453)) }),
  })
  // It knows its public hosts only.
  Object.assign(client, { apiUrl: baseUrl, indexerUrl: baseUrl })
  // It looks for its fill from a hundred blocks back on.
  await createTestClient({ mode: 'anvil', transport: http(service.control.rpcUrl(42161)) }).mine({ blocks: 200 })
  const funds = { [NATIVE]: parseEther('10').toString(), [USDC.base]: '1000000000' }
  for (const [token, amount] of Object.entries(funds))
    await service.control.faucet({ chainId: 8453, token, address: ACCOUNT.address, amount })
})
afterAll(() => service.close())

const route = { originChainId: 8453, inputToken: USDC.base, destinationChainId: 42161, outputToken: USDC.arbitrum } as const

const get = async (path: string, query: { readonly [name: string]: string }): Promise<unknown> =>
  (await fetch(`${baseUrl}${path}?${new URLSearchParams(query)}`)).json()

describe('across: the published schemas accept the simulated answers of', () => {
  it.each([
    ['a plain bridge', [8453, USDC.base], [42161, USDC.arbitrum], '250000000', {}],
    ['with an app fee', [8453, USDC.base], [42161, USDC.arbitrum], '250000000', { appFee: '0.0015', appFeeRecipient: OTHER_EVM }],
    ['a native coin', [8453, ZERO], [42161, ZERO], parseEther('1').toString(), {}],
    ['an exchange before', [42161, ARB], [8453, USDC.base], parseEther('500').toString(), { slippage: '0.01' }],
    ['an exchange after', [8453, USDC.base], [42161, ARB], '250000000', {}],
    ['for a wallet with the funds', [8453, USDC.base], [42161, USDC.arbitrum], '250000000', { skipOriginTxEstimation: 'false' }],
  ] as const)(
    '/swap/approval, %s',
    async (_name, [originChainId, inputToken], [destinationChainId, outputToken], amount, rest) => {
      const chains = { originChainId: String(originChainId), destinationChainId: String(destinationChainId) }
      const body = await get('/swap/approval', {
        ...chains,
        inputToken,
        outputToken,
        amount,
        depositor: ACCOUNT.address,
        ...rest,
      })
      expect(swapApprovalResponseSchema.safeParse(body).error?.issues ?? []).toEqual([])
    },
  )

  it('/suggested-fees and /available-routes', async () => {
    const fees = await get('/suggested-fees', {
      ...route,
      originChainId: '8453',
      destinationChainId: '42161',
      amount: '250000000',
    })
    expect(suggestedFeesResponseJsonSchema.safeParse(fees).error?.issues ?? []).toEqual([])
    const evm = (await get('/available-routes', { originChainId: '8453', destinationChainId: '42161' })) as unknown[]
    expect(routeSchema.safeParse(evm).error?.issues ?? []).toEqual([])
    expect(evm.length).toBeGreaterThan(2)
  })
})

describe('across: the official client on the simulated venue', () => {
  it('reads chains, routes, limits, fees and quotes', async () => {
    expect(await client.getSpokePoolAddress(42161)).toBe(SPOKE_POOL_ARBITRUM)
    expect((await client.getSwapChains({})).map(({ chainId }) => chainId)).toContain(43114)
    expect((await client.getSwapTokens({ chainId: 8453 })).map(({ address }) => address)).toContain(USDC.base)
    const routes = await client.getAvailableRoutes(route)
    expect(routes).toContainEqual({ ...route, inputTokenSymbol: 'USDC', outputTokenSymbol: 'USDC', isNative: false })
    const limits = await client.getLimits(route)
    expect(limits.minDeposit).toBeGreaterThan(0n)
    const quote = await client.getQuote({ route, inputAmount: 250_000_000n })
    expect(quote.deposit).toMatchObject({ outputAmount: 249_942_500n, spokePoolAddress: SPOKE_POOL_BASE })
  })

  it('receives errors in the format of the live API', async () => {
    const question = { route, amount: '1000', depositor: ACCOUNT.address }
    await expect(client.getSwapQuote(question)).rejects.toThrow('Sent amount is too low relative to fees')
  })

  it('quotes, approves, deposits and finds the fill', async () => {
    const before = await balanceOf(service.control.rpcUrl(42161), USDC.arbitrum, OTHER_EVM)
    const question = { route, amount: '250000000', depositor: ACCOUNT.address, recipient: OTHER_EVM as Hex }
    const swapQuote = await client.getSwapQuote(question)
    expect(swapQuote).toMatchObject({ expectedOutputAmount: '249942500', approvalTxns: [{ chainId: 8453, to: USDC.base }] })
    const done = await client.executeSwapQuote({
      swapQuote,
      onProgress: ({ step, status }) => {
        if (step === 'swap' && status === 'txSuccess') void service.control.advance(20_000)
      },
    })
    expect(done.error).toBeUndefined()
    expect(done.fillTxReceipt?.status).toBe('success')
    expect(await balanceOf(service.control.rpcUrl(42161), USDC.arbitrum, OTHER_EVM)).toBe(before + 249_942_500n)
    const publicClient = (id: number) => createPublicClient({ chain: chainOf(id), transport: http(service.control.rpcUrl(id)) })
    const deposit = await getDeposit({
      findBy: {
        originChainId: 8453,
        destinationChainId: 42161,
        destinationSpokePoolAddress: SPOKE_POOL_ARBITRUM,
        depositTxHash: done.swapTxReceipt?.transactionHash as Hex,
      },
      originChainClient: publicClient(8453),
      destinationChainClient: publicClient(42161),
      indexerUrl: baseUrl,
    })
    expect(deposit).toMatchObject({ depositId: done.depositId, outputAmount: 249_942_500n, status: 'filled' })
  })
})
