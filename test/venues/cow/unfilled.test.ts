import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainFails } from '../../support/fakeChains.ts'
import { never, type Swap, swapOf } from '../../support/venueKit/calls.ts'
import { openEventsNetwork, signedTrade } from './eventsNetwork.ts'
import { type CowBench, openBench, SETTLEMENT, uidOf, usdcToWeth } from './support.ts'

/** Whether anything of a signed order was filled, by what the settlement contract itself counts. */

const FILL = 2n * 10n ** 18n

let bench: CowBench
const network = openEventsNetwork(() => bench)
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => Promise.all([bench.close(), network.close()]))

const { land, settle, funded } = network
const uid = ({ execution }: Swap): string => uidOf(execution.venueRef)

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
const read = (swap: Swap) => bench.venue.unfilled?.isUnfilled(swap, never())
const answered = (answer: Hex | null) => {
  bench.chains.script.call = async () => answer
}

test('is read from the settlement by the order’s own name: nothing, all, part, no answer', async () => {
  const swap = await funded({ amount: 1_300_000_000n })
  bench.chains.script.call = async ({ chainId, address }, data) => (await network.call({ chainId, to: address, data })) as Hex
  expect(await read(swap)).toBe(true)
  await settle([await signedTrade(swap)], FILL)
  expect(await read(swap)).toBe(false)
  const { query } = bench.chains.calls.at(-1) ?? {}
  expect(query).toMatchObject({ chainId: 1, address: SETTLEMENT })
  expect((query as { data: string }).data).toContain(uid(swap).slice(2))
  for (const answer of [word(1n), word(1n << 255n), '0x', '0x00', null] as const) {
    answered(answer)
    expect(await read(swap), String(answer)).toBe(false)
  }
})

test('cannot be told once the owner struck it out: what was filled before reads the same', async () => {
  const swap = await funded({ amount: 1_400_000_000n })
  const filled = await funded({ amount: 1_500_000_000n })
  await settle([await signedTrade(filled)], FILL)
  bench.chains.script.call = async ({ chainId, address }, data) => (await network.call({ chainId, to: address, data })) as Hex
  for (const struck of [swap, filled]) {
    const abi = parseAbi(['function invalidateOrder(bytes orderUid)'])
    const data = encodeFunctionData({ abi, functionName: 'invalidateOrder', args: [uid(struck) as Hex] })
    await land({ from: struck.order.sender, to: SETTLEMENT, data })
    expect(await read(struck)).toBe(false)
  }
})

test('is not told where the chain cannot be read', async () => {
  const swap = await swapOf(bench.venue, usdcToWeth())
  bench.chains.script.call = chainFails('unreachable', 1)
  await expect(read(swap)).rejects.toThrow('scripted unreachable')
})
