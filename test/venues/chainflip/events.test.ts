import { concat, type Hex, pad } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SeenLog, SeenTransaction } from '../../../engine/chains/seen.ts'
import { addressOf } from '../../../engine/core/address.ts'
import { NATIVE } from '../../../engine/core/asset.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { createEvents } from '../../../engine/venues/chainflip/events.ts'
import { pinnedBy } from '../../../engine/venues/chainflip/published.ts'
import { chainflip } from '../../../engine/venues/chainflip/venue.ts'
import { USDC } from '../../../scripts/client/tokens.ts'
import { WALLETS } from '../../support/anOrder.ts'
import { type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { venueWith } from '../everyVenue.ts'
import { logOfCall } from './fakeNetwork.ts'
import { type ChainflipBench, openBench, orders, VAULT } from './support.ts'

const events = createEvents(pinnedBy({ settings: {} }))

let bench: ChainflipBench
let coins: Swap
let token: Swap
let channel: Swap
beforeAll(async () => {
  bench = await openBench()
  coins = await swapOf(bench.venue, orders.ether())
  token = await swapOf(bench.venue, orders.usdc())
  channel = await swapOf(bench.venue, orders.usdt())
  return () => bench.close()
})

const seenWith = (chainId: ChainId, logs: readonly SeenLog[], change: Partial<SeenTransaction> = {}): SeenTransaction => ({
  ...{ chainId, hash: `0x${'11'.repeat(32)}` as never, isSuccess: true, standing: 'confirmed', at: 0, height: 1 },
  ...{ movements: [], call: null, logs, instructions: [], notes: [] },
  ...change,
})

const logOf = ({ execution }: Swap, change: Partial<SeenLog> = {}): SeenLog => {
  const { to, data, value, chainId } = transactionOf(execution)
  // Whoever called: a wallet's own contract, or somebody for it.
  const { address, topics, data: words } = logOfCall({ chainId, to, data, value, from: WALLETS.evmOther })
  return { index: 3, address: address.toLowerCase() as Hex, topics: topics as readonly Hex[], data: words as Hex, ...change }
}

test('events: a payment is the vault event that repeats every argument of the call', async () => {
  expect(await events.inputs(seenWith(1, [logOf(coins)]), coins)).toEqual([
    { place: 'log:3', orderId: null, took: { token: NATIVE, amount: 10n ** 18n } },
  ])
  expect(await events.inputs(seenWith(42161, [logOf(token), logOf(token, { index: 9 })]), token)).toEqual(
    ['log:3', 'log:9'].map((place) => ({
      place,
      orderId: null,
      took: { token: addressOf('evm', USDC.arbitrum), amount: 10n ** 9n },
    })),
  )
})

describe('events: a payment does not match', () => {
  test('another contract, chain, event or amount, or a failed transaction', async () => {
    const bits = (data: Hex): readonly Hex[] =>
      Array.from({ length: (data.length - 2) / 64 }, (_, word) => {
        const at = 2 + word * 64
        return `${data.slice(0, at)}${(Number.parseInt(data[at] ?? '0', 16) ^ 1).toString(16)}${data.slice(at + 1)}` as Hex
      })
    // A contract cannot tell an address that has more than its bytes.
    const isAddress = (word: number, { topics }: SeenLog) => word === 3 && topics[0] === logOf(token).topics[0]
    for (const [swap, chainId] of [
      [coins, 1],
      [token, 42161],
    ] as const) {
      const log = logOf(swap)
      const strange: readonly SeenLog[] = [
        { ...log, address: WALLETS.evmOther.toLowerCase() as Hex },
        { ...log, topics: [pad('0x01'), ...log.topics.slice(1)] },
        { ...log, topics: log.topics.slice(0, 1) },
        { ...log, data: concat([log.data.slice(0, -64) as Hex, pad('0x05')]) },
        // Every word of it, at its beginning: the end of bytes may be filling that nobody reads.
        ...bits(log.data)
          .filter((_, word) => !isAddress(word, log))
          .map((data) => ({ ...log, data })),
      ]
      for (const each of strange) expect(await events.inputs(seenWith(chainId, [each]), swap), each.data).toEqual([])
      expect(await events.inputs(seenWith(chainId, [log], { isSuccess: false }), swap)).toEqual([])
      expect(await events.inputs(seenWith(56, [log]), swap)).toEqual([])
    }
  })

  test('the payload of another swap, or a deposit channel', async () => {
    expect(await events.inputs(seenWith(42161, [logOf(token)]), coins)).toEqual([])
    expect(await events.inputs(seenWith(1, [logOf(coins)]), token)).toEqual([])
    expect(await events.inputs(seenWith(42161, [logOf(token)]), channel)).toEqual([])
  })
})

test('events: deliveries and refunds are found by token transfers', async () => {
  const seen = seenWith(1, [])
  expect([await events.outputs(seen, coins, []), await events.refunds(seen, coins, [])]).toEqual([null, null])
})

test('events: a transfer from a vault belongs to no other venue', async () => {
  const movement = (from: string, place: string) => ({ place, token: NATIVE, from: from as never, to: WALLETS.evm, amount: 1n })
  const vault = addressOf('evm', VAULT.ethereum)
  const movements = [movement(vault, 'log:1'), movement(WALLETS.evmOther, 'log:2')]
  expect(await events.named(seenWith(1, [], { movements }))).toEqual(['log:1'])
  const call = { from: WALLETS.evm, to: vault, data: '0x' as Hex, value: 0n }
  expect(await events.named(seenWith(1, [], { movements, call }))).toEqual(['log:1', 'balance'])
  expect(await events.named(seenWith(1, [], { movements, call, isSuccess: false }))).toEqual([])
  expect(await events.named(seenWith(8453, [], { movements }))).toEqual([])
  const solana = [movement('3tJ67qa2GDfvv2wcMYNUfN5QBZrFpTwcU8ASZKMvCTVU', 'instruction:0')]
  expect(await events.named(seenWith(-2, [], { movements: solana }))).toEqual(['instruction:0'])
  const { events: widened } = venueWith(chainflip, { SOLANA_VAULTS: WALLETS.solana })
  const added = { movements: [...solana, movement(WALLETS.solana, 'instruction:1')] }
  expect(await widened?.named(seenWith(-2, [], added))).toEqual(['instruction:0', 'instruction:1'])
})
