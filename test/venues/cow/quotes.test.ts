import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseConfig } from '../../../engine/config/config.ts'
import { bpsBelow } from '../../../engine/core/amount.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { isExecutable } from '../../../engine/quoting/executable.ts'
import { orderFor } from '../../../engine/quoting/tolerance.ts'
import { cow } from '../../../engine/venues/cow/venue.ts'
import { assetOf, WALLETS } from '../../support/anOrder.ts'
import { createTestEngine } from '../../support/testEngine.ts'
import { START_OF_TIME, type VenueBench } from '../../support/venueBench.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, refusalOf } from '../../support/venueKit/calls.ts'
import {
  type Body,
  cannedCow,
  etherToUsdc,
  FEE_RECIPIENT,
  openBench,
  quoteAnswer,
  USDC,
  usdcToWeth,
  VAULT_RELAYER,
  WETH,
} from './support.ts'

const open = closedAfterEach(openBench)

let bench: VenueBench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const lastBody = (): Body => bench.sent.at(-1)?.body as Body
const metadataSent = (): Body => (JSON.parse(String(lastBody()['appData'])) as { metadata: Body }).metadata

/** Amounts, fees and minimums are held against CoW's own SDK in judge.test.ts. */
describe('the routes of CoW', () => {
  const serves = (from: readonly [ChainId, string], to: readonly [ChainId, string]) =>
    bench.venue.profile.serves({ input: assetOf(...from), output: assetOf(...to) })

  test('use one order book for each of its seven chains, and none elsewhere', () => {
    const served = ([1, 10, 56, 130, 137, 143, 324, 480, 999, 4663, 8453, 42161, 43114, 59144] as const).filter((chainId) =>
      serves([chainId, USDC], [chainId, NATIVE]),
    )
    expect(served).toEqual([1, 56, 137, 8453, 42161, 43114, 59144])
  })

  test('exclude cross-chain swaps, a token for itself, wrapping and unwrapping', () => {
    expect(serves([1, USDC], [8453, NATIVE])).toBe(false)
    const ofEthereum = [USDC, NATIVE, WETH].map((from) => [USDC, NATIVE, WETH].map((to) => serves([1, from], [1, to])))
    expect(ofEthereum).toEqual([
      [false, true, true],
      [true, false, false],
      [true, false, false],
    ])
    expect(serves([-2, WALLETS.solana], [-2, WALLETS.solana])).toBe(false)
  })

  test.each([
    [1, 'mainnet', 1_200],
    [56, 'bnb', 1_200],
    [137, 'polygon', 1_200],
    [8453, 'base', 1_000],
    [42161, 'arbitrum_one', 1_200],
    [43114, 'avalanche', 1_200],
    [59144, 'linea', 1_000],
  ] as const)(
    'on chain %i are quoted at /%s with an auction of at most %i ms, within the race deadline',
    async (chainId, path, timeout) => {
      const usdc = bench.world.tokens.all.find((token) => token.chainId === chainId && token.symbol === 'USDC')?.address ?? ''
      const amount = chainId === 56 ? 10n ** 21n : 1_000_000_000n
      const offer = await bench.venue.quote(usdcToWeth({ from: [chainId, usdc], to: [chainId, NATIVE], amount }), never())
      expect(bench.sent.map((request) => request.path)).toEqual([`/${path}/api/v1/quote`])
      expect(lastBody()).toMatchObject({ timeout, buyToken: NATIVE })
      // Another offer in hand, the race is over by then; what is left is for the way there and back.
      expect(timeout).toBeLessThanOrEqual(parseConfig({}).quote.softDeadlineMs - 300)
      expect(offer.outputAmount).toBeGreaterThan(0n)
      expect(bench.venue.profile.contracts[chainId]).toContain(VAULT_RELAYER)
    },
  )
})

describe('quote: a CoW offer', () => {
  test('is requested with 50 bps by default, also for a native coin', async () => {
    for (const order of [usdcToWeth(), etherToUsdc()]) {
      const asked = orderFor(bench.venue.profile, { ...order, slippageBps: null }, 300)
      const { outputAmount, slippage } = await bench.venue.quote(asked, never())
      expect(bpsBelow(outputAmount, slippage?.guaranteedMin ?? 0n)).toBe(50)
      expect(metadataSent()['quote']).toEqual({ slippageBips: 50 })
    }
  })

  test('has at most 100 bps of fee, and none without a recipient', async () => {
    const clipped = await bench.venue.quote(usdcToWeth({ feeBps: 250 }), never())
    expect(clipped.fee.bps).toBe(100)
    expect(metadataSent()['partnerFee']).toEqual({ recipient: FEE_RECIPIENT, volumeBps: 100 })
    const unconfigured = await open({ settings: {} })
    const offer = await unconfigured.venue.quote(usdcToWeth({ feeBps: 30 }), never())
    expect(offer.fee).toEqual({ bps: 0, amount: 0n })
    expect(unconfigured.venue.profile.feeRecipient(usdcToWeth())).toBeNull()
    const { appData } = (unconfigured.sent.at(-1)?.body ?? {}) as Body
    // No fee key where there is no fee.
    expect(JSON.parse(String(appData))).toEqual({
      appCode: 'swap-service',
      metadata: { orderClass: { orderClass: 'market' }, quote: { slippageBips: 50 } },
      version: '1.15.0',
    })
  })

  test('for an ERC-20 input is a signature without gas that needs an allowance for the vault relayer', async () => {
    const offer = await bench.venue.quote(usdcToWeth(), never())
    expect(offer).toMatchObject({
      venue: 'cow',
      executionType: 'SIGNATURE',
      spender: VAULT_RELAYER,
      nativeFee: 0n,
      gasUnits: null,
      estimatedTimeSeconds: null,
      expiresAt: START_OF_TIME + 60_000,
      decimals: { input: null, output: null },
    })
    expect(lastBody()).not.toHaveProperty('onchainOrder')
  })

  test('for a native input is a transaction, quoted in the wrapped coin as the EthFlow contract places it', async () => {
    const offer = await bench.venue.quote(etherToUsdc(), never())
    expect(offer).toMatchObject({
      executionType: 'TRANSACTION',
      spender: null,
      nativeFee: 0n,
      gasUnits: 80_000n,
      expiresAt: START_OF_TIME + 600_000,
    })
    expect(lastBody()).toMatchObject({
      sellToken: WETH,
      buyToken: USDC,
      from: WALLETS.evm,
      signingScheme: 'eip1271',
      onchainOrder: true,
      verificationGasLimit: 0,
    })
  })

  test('without a named recipient is executable for the sender', async () => {
    const order = usdcToWeth()
    const { recipient, ...rest } = { ...order, recipient: order.sender, unnamed: [] }
    await bench.venue.quote({ ...rest, recipient }, never())
    expect(lastBody()['receiver']).toBe(WALLETS.evm)
    expect(isExecutable(bench.venue.profile, order)).toBe(true)
  })

  test.each([
    // It is asked for, and a price that was not is no offer.
    [false, { kind: 'noLiquidity', isDecline: true }],
    [undefined, { kind: 'rejected' }],
  ])('requires a simulated price, and is none when the book returns %j', async (verified, refusal) => {
    const { venue } = cannedCow(({ body }) => ({ body: quoteAnswer(body as Body, { top: { verified } }) }))
    expect(await refusalOf(venue.quote(usdcToWeth(), never()))).toMatchObject(refusal)
  })
})

test.each([
  ['the public host without a key', {}, 'https://api.cow.fi', undefined],
  ['the partner host with a key', { API_KEY: 'a-key' }, 'https://partners.cow.fi', 'a-key'],
  ['the host that the operator sets', { API_KEY: 'a-key', BASE_URL: 'https://api.cow.fi' }, 'https://api.cow.fi', 'a-key'],
])('quote: a request on mainnet goes to %s', async (_host, settings, host, key) => {
  const sent: unknown[] = []
  const http = ({ url, headers }: { url: string; headers?: { readonly [name: string]: string } }) => {
    sent.push([url, headers?.['X-API-Key']])
    return Promise.reject(new Error('no answer'))
  }
  const named = Object.entries(settings).map(([name, value]) => [`VENUE_COW_${name}`, value])
  const env = { NETWORK: 'mainnet', VENUES_ENABLED: 'cow', ...Object.fromEntries(named) }
  const { engine, context, close } = await createTestEngine({ env, http })
  await engine.quote({ ...usdcToWeth(), unnamed: [] }, context).catch(() => null)
  expect(sent).toContainEqual([`${host}/mainnet/api/v1/quote`, key])
  await close()
})

test('quote: accepts an answer without a protocol fee, and an unstored quote without an expiry', async () => {
  const top = { protocolFeeBps: null, expiration: '1970-01-01T00:00:00Z' }
  const { venue } = cannedCow(({ body }) => ({ body: quoteAnswer(body as Body, { top }) }))
  const { fee, expiresAt } = await venue.quote(usdcToWeth({ feeBps: 30 }), never())
  const buyAmount = 249_800_000_000_000_000n
  expect(fee.amount).toBe(((buyAmount + (buyAmount * 800_000n) / 999_200_000n) * 30n) / 10_000n)
  expect(expiresAt).toBeNull()
})

test('cow: the start rejects settings of the wrong format', () => {
  const pattern = (name: string) => cow.settings.find((setting) => setting.name === name)?.pattern ?? /^$/
  expect(pattern('APP_CODE').test('x'.repeat(51))).toBe(false)
})
