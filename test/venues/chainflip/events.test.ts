import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import { addressOf } from '../../../engine/core/address.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import type { SwapEvents } from '../../../engine/venues/venue.ts'
import { USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { seenEvm } from '../../support/seenEvm.ts'
import type { VenueBench } from '../../support/venueBench.ts'
import { any } from '../../support/venueKit/attackPayload.ts'
import { type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { forgeEvents } from '../../support/venueKit/forgeEvents.ts'
import { logOfCall, VAULT_ABI } from './fakeNetwork.ts'
import { openBench, orders, VAULT } from './support.ts'

const forged = forgeEvents('chainflip', 69, VAULT_ABI)
const SOLANA_VAULT = addressOf('solana', '3tJ67qa2GDfvv2wcMYNUfN5QBZrFpTwcU8ASZKMvCTVU')

let bench: VenueBench
beforeAll(async () => {
  bench = await openBench({ settings: { SOLANA_VAULTS: WALLETS.solana } })
})
afterAll(() => bench.close())
const events = (): SwapEvents => bench.venue.events as SwapEvents

/** Whoever called: a wallet's own contract, or somebody for it. */
const logOf = ({ execution }: Swap) => logOfCall({ ...transactionOf(execution), from: WALLETS.evmOther })

describe.each([
  ['coins', 1, orders.ether, { token: NATIVE, amount: 10n ** 18n }],
  ['tokens', 42161, orders.usdc, { token: addressOf('evm', USDC.arbitrum), amount: 10n ** 9n }],
] as const)('events: a payment of a vault call with %s', (_kind, chainId, order, took) => {
  test('is each event that repeats every argument of the call', async () => {
    const swap = await swapOf(bench.venue, order())
    const seen = seenEvm(chainId, [logOf(swap), logOf(swap)], { first: 3 })
    const paid = ['log:3', 'log:4'].map((place) => ({ place, orderId: null, took }))
    expect(await events().inputs(seen, swap)).toEqual(paid)
    // Only transfers show deliveries and refunds.
    expect([await events().outputs(seen, swap, []), await events().refunds(seen, swap, [])]).toEqual([null, null])
  })

  test('does not count for another swap, contract, chain or argument', async () => {
    const [swap, other] = [await swapOf(bench.venue, order()), await swapOf(bench.venue, order())]
    const { address, data, topics } = logOf(swap)
    const elsewhere = { address: VAULT.ethereum === address ? VAULT.arbitrum : VAULT.ethereum, data, topics }
    const read = (seen: SeenTransaction) => events().inputs(seen, swap)
    const also = { 'of another swap': [logOf(other)], 'of another vault': [elsewhere] }
    await forged({ chainId, logs: { swap: logOf(swap) }, read, harmless: { 'swap.sender': any }, also })
    expect(await read(seenEvm(56, [logOf(swap)]))).toEqual([])
    const channel = await swapOf(bench.venue, orders.usdt())
    expect(await events().inputs(seenEvm(chainId, [logOf(swap)]), channel)).toEqual([])
  })
})

const moved = (...from: readonly string[]): SeenTransaction['movements'] =>
  from.map((one, at) => ({ place: `log:${at}`, token: NATIVE, from: one as never, to: WALLETS.evm, amount: 1n }))
const call = { from: WALLETS.evm, to: addressOf('evm', VAULT.ethereum), data: '0x', value: 0n } as const
const byVault = { movements: moved(VAULT.ethereum, WALLETS.evmOther) }

test.each<[string, ChainId, Partial<SeenTransaction>, readonly string[]]>([
  ['transfers from a vault', 1, byVault, ['log:0']],
  ['coins of a call of a vault', 1, { ...byVault, call }, ['log:0', 'balance']],
  ['nothing of a failed transaction', 1, { ...byVault, call, isSuccess: false }, []],
  ['nothing on a chain without a vault', 8453, byVault, []],
  [
    'payments of the pinned and the configured vault of SOL',
    -2,
    { movements: moved(SOLANA_VAULT, WALLETS.solana, WALLETS.evm) },
    ['log:0', 'log:1'],
  ],
])('events: the venue claims %s', async (_what, chainId, shows, places) => {
  expect(await events().named({ ...seenEvm(1, []), chainId, ...shows })).toEqual(places)
})
