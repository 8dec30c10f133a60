import { expect, test } from 'vitest'
import { chainflip } from '../../../engine/venues/chainflip/venue.ts'
import { NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { never, swapOf, track } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import { BROKER, openBench, orders, WITH_BROKER } from './support.ts'

const open = closedAfterEach(openBench)

test('execute: two equal vault calls have uniqueness keys of their own and the same guarantee', async () => {
  const { venue } = await open()
  const [first, again] = [await swapOf(venue, orders.usdc()), await swapOf(venue, orders.usdc())]
  expect(await venue.profile.toldApartBy(again)).not.toEqual(await venue.profile.toldApartBy(first))
  expect(again.execution.slippage).toEqual(first.execution.slippage)
})

test('the fee of a vault call is for the configured broker, that of a deposit for nobody', async () => {
  const { profile } = (await open({ settings: WITH_BROKER })).venue
  expect([profile.feeRecipient(orders.usdc()), profile.feeRecipient(orders.bitcoin())]).toEqual([BROKER, null])
})

test('quote: native bitcoin is sold to every enabled asset while bitcoin is enabled', async () => {
  const { sim } = await open()
  const reached = async (chainId: 1 | 42161 | -1 | -2 | 8453, changes: { readonly [asset: string]: object } = {}) => {
    const { venue } = canned(chainflip, async (asked) => {
      const { body, status } = await sim.handle(asked)
      const { assets } = body as { readonly assets: readonly { readonly asset: string }[] }
      return { status, body: { assets: assets.map((row) => ({ ...row, ...changes[row.asset] })) } }
    })
    return venue.bitcoinReach?.tokens(chainId, never())
  }
  const onSolana = [NATIVE_SOL, USDC.solana, 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB']
  expect([await reached(42161), await reached(-1), await reached(8453)]).toEqual([expect.objectContaining({ length: 3 }), [], []])
  expect(await reached(-2)).toEqual(onSolana)
  expect(await reached(-2, { Sol: { egressEnabled: false } })).toEqual(onSolana.slice(1))
  expect(await reached(1, { Btc: { depositChannelCreationEnabled: false } })).toEqual([])
})

test('status: throttles requests for unknown transactions, because ten in a minute block all answers of the venue', async () => {
  const bench = await open()
  const swap = await swapOf(bench.venue, orders.usdc())
  const before = bench.sent.length
  for (let i = 10; i < 40; i += 1) await track(bench.venue, `0x${String(i).repeat(32)}`, swap)
  expect(bench.sent.length - before).toBe(6)
  bench.clock.advance(60_000)
  await track(bench.venue, `0x${'40'.repeat(32)}`, swap)
  expect(bench.sent.length - before).toBe(7)
  expect(bench.venue.profile.limits).toEqual({ statusIntervalMs: 6_000, statusMissesPerMinute: 10 })
})
