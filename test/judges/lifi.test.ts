import { convertQuoteToRoute, createClient, getChains, getQuote, getStatus, SDKError } from '@lifi/sdk'
import { describe, expect, test } from 'vitest'
import { pinnedBy } from '../../engine/venues/lifi/published.ts'
import { USDC } from '../../scripts/client/tokens.ts'
import { WALLETS } from '../support/anOrder.ts'
import { closedAfterEach } from '../support/venueKit/benches.ts'
import { swapOf, transactionOf } from '../support/venueKit/calls.ts'
import { pay } from '../venues/everyVenue.ts'
import { BY_CCTP, DIAMOND, openBench, orders, QUOTE, STATUS, WITH_FEE } from '../venues/lifi/support.ts'
import { judgeByTypes } from './typeJudge.ts'

const open = closedAfterEach(openBench)

/** LI.FI's own types, with its enums as the texts that they are on the wire. */
const PREAMBLE = [
  "import type { FullStatusData, LiFiStep } from '@lifi/types'",
  [
    'type Wire<T> = T extends string ? `$',
    '{T}` : T extends number | bigint ? number | `$',
    '{T}` : T extends object ? ',
    '{ readonly [K in keyof T]: Wire<T[K]> } : T',
  ].join(''),
  'type Fits<T, K extends keyof T> = Wire<Pick<T, K>>',
]

test('lifi: simulated answers match the published types (@lifi/types 18.4.0)', async () => {
  const bench = await open({ settings: BY_CCTP })
  const swap = await swapOf(bench.venue, orders.bridged())
  const txHash = await pay({ ...bench, chains: undefined as never }, swap)
  const ask = async (path: string, query: { readonly [name: string]: string }) => {
    const call = { method: 'GET', path, query: new URLSearchParams(query), headers: {}, body: undefined, rawBody: '' }
    return JSON.parse(JSON.stringify((await bench.sim.handle(call)).body)) as unknown
  }
  const question = Object.fromEntries(bench.sent[0]?.query ?? [])
  const quoted = await ask(QUOTE, { ...question, fromAddress: WALLETS.evm })
  await bench.schedule.advance(10_000)
  const under = await ask(STATUS, { txHash })
  await bench.schedule.advance(1_200_000)
  const done = await ask(STATUS, { txHash })
  const step = "Fits<LiFiStep, 'id' | 'tool' | 'toolDetails' | 'action' | 'estimate' | 'includedSteps' | 'transactionRequest'>"
  const faults = judgeByTypes(PREAMBLE, [
    [step, quoted],
    ['Wire<FullStatusData>', under],
    ['Wire<FullStatusData>', done],
    [step, { ...(quoted as object), estimate: { toAmount: 1 } }],
  ])
  expect(faults.slice(0, 3)).toEqual([[], [], []])
  expect(faults[3]).not.toEqual([])
})

const clientAt = (baseUrl: string) =>
  createClient({ integrator: WITH_FEE.INTEGRATOR, apiUrl: `${baseUrl}/v1`, apiKey: 'a-key-0123456789', preloadChains: false })

/** 250 USDC from Base to Arbitrum by Circle's bridge, for someone else than the sender. */
const bridged = () => ({
  ...{ fromChain: 8453, fromToken: USDC.base, toChain: 42161, toToken: USDC.arbitrum, fromAmount: '250000000' },
  ...{ fromAddress: WALLETS.evm, toAddress: WALLETS.evmOther, slippage: 0.005, fee: 0.0015, order: 'CHEAPEST' as const },
  ...{ allowBridges: ['polymer', 'polymerStandard'], allowDestinationCall: false, maxPriceImpact: 0.05 },
})

/** Which words of LI.FI's an error brought along. */
const refusalOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof SDKError)) throw error
  const { responseBody, status } = error.cause as { readonly responseBody?: object; readonly status?: number }
  return { status, name: error.cause.name, ...responseBody }
}

describe('lifi: the official client (@lifi/sdk 4.3.0)', () => {
  test('sends the same request as the adapter, and receives the same quote', async () => {
    const bench = await open({ settings: { ...BY_CCTP, ...WITH_FEE } })
    const { offer, execution } = await swapOf(bench.venue, orders.bridged({ feeBps: 15 }))
    const own = bench.sent.filter(({ path }) => path === QUOTE).at(-1)
    const quote = await getQuote(clientAt(bench.baseUrl), bridged())
    const theirs = bench.sent.at(-1)
    expect(Object.fromEntries(theirs?.query ?? [])).toEqual(Object.fromEntries(own?.query ?? []))
    expect(theirs?.headers['x-lifi-api-key']).toBe('a-key-0123456789')
    const { toAmount, toAmountMin, approvalAddress } = quote.estimate
    expect([BigInt(toAmount), approvalAddress]).toEqual([offer.outputAmount, offer.spender])
    expect(BigInt(toAmountMin)).toBeGreaterThanOrEqual((offer.slippage?.guaranteedMin ?? 0n) as bigint)
    const { to, data, value } = transactionOf(execution)
    const { transactionRequest } = quote
    expect([transactionRequest?.to, BigInt(transactionRequest?.value ?? -1)]).toEqual([to, value])
    // The same call, but for the id of the transfer.
    const id = quote.transactionId?.slice(2) ?? ''
    const [words, ours] = [transactionRequest?.data?.slice(10) ?? '', data.slice(10)]
    expect(transactionRequest?.data?.slice(0, 10)).toBe(data.slice(0, 10))
    const at = words.indexOf(id)
    expect(at).toBeGreaterThan(0)
    expect(words.replaceAll(id, '')).toBe(ours.replaceAll(ours.slice(at, at + 64), ''))
    expect(convertQuoteToRoute(quote)).toMatchObject({ fromAmount: '250000000', toAmountMin, toAddress: WALLETS.evmOther })
  })

  test('follows a payload of the adapter to its delivery', async () => {
    const bench = await open({ settings: BY_CCTP })
    const swap = await swapOf(bench.venue, orders.bridged())
    const txHash = await pay({ ...bench, chains: undefined as never }, swap)
    const client = clientAt(bench.baseUrl)
    const asked = { txHash, fromChain: 8453, toChain: 42161 }
    expect(await getStatus(client, asked)).toMatchObject({ status: 'NOT_FOUND' })
    await bench.schedule.advance(10_000)
    expect(await getStatus(client, asked)).toMatchObject({ status: 'PENDING', substatus: 'WAIT_DESTINATION_TRANSACTION' })
    await bench.schedule.advance(1_200_000)
    expect(await getStatus(client, asked)).toMatchObject({
      ...{ status: 'DONE', substatus: 'COMPLETED', toAddress: WALLETS.evmOther, sending: { txHash } },
      receiving: { chainId: 42161, amount: String(swap.offer.outputAmount), token: { address: USDC.arbitrum } },
    })
  })

  test('has the same chains by name, and the diamonds that the adapter calls', async () => {
    const bench = await open()
    const chains = await getChains(clientAt(bench.baseUrl))
    for (const { id, diamondAddress } of chains.filter(({ chainType }) => chainType === 'EVM'))
      expect(diamondAddress, String(id)).toBe(pinnedBy({ settings: {} }).diamonds[id as never]?.[0])
    expect(chains.find(({ id }) => id === 8453)).toMatchObject({ key: 'bas', diamondAddress: DIAMOND })
    const preamble = [...PREAMBLE, "import type { ExtendedChain } from '@lifi/types'"]
    const faults = judgeByTypes(preamble, [...chains.map((chain) => ['Wire<ExtendedChain>', chain] as const)])
    expect(faults).toEqual(chains.map(() => []))
  })

  test('receives errors in the format of the API', async () => {
    const client = clientAt((await open()).baseUrl)
    const { status, ...refusal } = await refusalOf(getQuote(client, { ...bridged(), fromAmount: '10' }))
    expect([status, refusal]).toMatchObject([404, { name: 'HTTPError', code: 1002 }])
    expect(JSON.stringify(refusal)).toMatch(/AMOUNT_TOO_LOW|FEES_HIGHER_THAN_AMOUNT/)
    const unknown = getQuote(client, { ...bridged(), toToken: `0x${'12'.repeat(20)}` })
    expect(await refusalOf(unknown)).toMatchObject({ status: 404, code: 1003 })
    const stranger = getQuote(client, { ...bridged(), integrator: 'somebody' })
    expect(await refusalOf(stranger)).toMatchObject({ status: 400, code: 1011 })
  })
})
