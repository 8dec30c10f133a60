import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEther } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { systemClock } from '../../engine/core/clock.ts'
import { openStore } from '../../engine/store/openStore.ts'
import type { Store } from '../../engine/store/store.ts'
import { executeAs, fund } from '../../scripts/client/swap.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../scripts/client/tokens.ts'
import { SIGNUP } from '../support/keysStage.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { allBut } from '../support/swaps.ts'
import { openAttempt } from './journeys/attempt.ts'
import type { Journey } from './journeys/journey.ts'
import { deployContractWallet } from './own/contractWallet.ts'

/** Payments whose transaction no caller reports, at every venue with transactions. */

const VENUES = ['across', 'bebop', 'chainflip', 'cow', 'debridge', 'jupiter', 'kyberswap', 'lifi', 'mayan', 'relay']
VENUES.push('thorchain', 'zerox')

let service: TestService
let client: TestService
let records: Store
let dataDir: string
let partnerId: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'swap-untold-'))
  service = await startService({
    ...only(...VENUES),
    DATA_DIR: dataDir,
    // Circle's bridge is slower.
    VENUE_LIFI_DENY_BRIDGES: 'polymer,polymerStandard',
    SETTLEMENT_INTERVAL_SECONDS: '1',
    RATE_LIMIT_KEYS_PER_ADDRESS: '0',
  })
  records = await openStore({ dataDir, database: { url: null, poolMax: 1 }, network: 'simnet' }, systemClock)
  const { apiKey, partnerId: own } = await service.call('createKey', { body: SIGNUP })
  partnerId = own
  const headers = { 'x-api-key': apiKey }
  client = {
    ...service,
    send: (method, path, ask = {}) => service.send(method, path, { ...ask, headers }),
    call: (id, ask = {}) => service.call(id, { ...ask, headers }),
  }
}, 120_000)
afterAll(async () => {
  await records.close()
  await service.close()
  await rm(dataDir, { recursive: true, force: true })
})

const usdc = { chainId: 8453, token: USDC.base, amount: '250000000' }
const onArbitrum = { chainId: 42161, token: USDC.arbitrum }
const onEthereum = { from: { chainId: 1, token: USDC.ethereum, amount: '1000000000' }, to: { chainId: 1, token: NATIVE } }
const ether = { chainId: 1, token: NATIVE, amount: parseEther('1').toString() }
const etherOfBase = { ...ether, chainId: 8453 }
const toUsdc = { chainId: 1, token: USDC.ethereum }
const usdcOfSolana = { chainId: -2, token: USDC.solana, amount: '250000000' }

/** The newest swap of a venue ends by the transaction `ref`, and its partner receives one event. */
const endsUntold = async (venue: string, ref: string): Promise<void> => {
  const swap = async () => (await records.operator.swaps({ venue }, { beforeId: null, limit: 1 }))[0]
  const comesToItsEnd = async () => {
    await service.control.advance(10_000)
    expect((await swap())?.status.state).toBe('success')
  }
  await vi.waitFor(comesToItsEnd, { timeout: 45_000, interval: 500 })
  const { ref: known, id } = (await swap()) ?? {}
  expect(known).toBe(ref)
  const events = await records.partnerEvents.ofPartner(partnerId, { afterPlace: 0, limit: 100 })
  expect(events.filter(({ swapId }) => swapId === id).map(({ event }) => event)).toEqual(['swap.settled'])
}

it.each([
  ['across', 'a token', { from: usdc, to: onArbitrum }],
  ['across', 'coins', { from: etherOfBase, to: { chainId: 42161, token: NATIVE } }],
  ['bebop', 'coins', { from: ether, to: toUsdc }],
  ['chainflip', 'coins', { from: ether, to: onArbitrum }],
  ['cow', 'coins', { from: ether, to: toUsdc, isRefundedToSender: true }],
  ['debridge', 'a token', { from: usdc, to: onArbitrum }],
  ['debridge', 'tokens of Solana', { from: usdcOfSolana, to: { chainId: 8453, token: USDC.base } }],
  ['jupiter', 'coins of Solana', { from: { ...usdcOfSolana, token: NATIVE_SOL }, to: { chainId: -2, token: USDC.solana } }],
  ['kyberswap', 'a token', onEthereum],
  ['kyberswap', 'coins', { from: ether, to: toUsdc }],
  ['lifi', 'a token', { from: usdc, to: onArbitrum, isRefundedToSender: true }],
  ['mayan', 'a token', { from: usdc, to: onArbitrum }],
  ['mayan', 'tokens of Solana', { from: usdcOfSolana, to: { chainId: 8453, token: USDC.base } }],
  ['relay', 'a token', { from: usdc, to: onArbitrum }],
  ['relay', 'coins', { from: etherOfBase, to: onArbitrum }],
  ['relay', 'tokens of Solana', { from: usdcOfSolana, to: { chainId: 8453, token: USDC.base } }],
  ['thorchain', 'a token', { from: usdc, to: { chainId: 1, token: NATIVE } }],
  ['zerox', 'coins', { from: ether, to: toUsdc }],
])(
  '%s, paid in %s without a report: the swap ends, and its partner receives one event',
  async (venue, _what, route) => {
    const attempt = await openAttempt(client, venue, { title: venue, ...route } as unknown as Journey)
    expect(attempt.execution.executionType).toBe('TRANSACTION')
    const { ref } = await attempt.pay()
    await endsUntold(venue, ref)
  },
  60_000,
)

it('paid by a contract wallet without a report: the swap ends, and its partner receives one event', async () => {
  const wallet = await deployContractWallet(service.control.rpcUrl(8453), 8453)
  await fund(service, 8453, wallet.address, { [USDC.base]: usdc.amount })
  const { quoteToken } = await client.call('quote', {
    body: {
      inputChainId: 8453,
      inputToken: usdc.token,
      inputAmount: usdc.amount,
      outputChainId: 42161,
      outputToken: USDC.arbitrum,
      userAddress: wallet.address,
      excludeVenues: allBut('relay'),
    },
  })
  const { approval, transaction } = await executeAs(client, 'TRANSACTION', { quoteToken })
  if (approval) await wallet.execute(approval.transaction)
  await endsUntold('relay', await wallet.execute(transaction))
}, 60_000)
