import { pad } from 'viem'
import { expect, test } from 'vitest'
import type { Address } from '../../../engine/core/address.ts'
import { checkPins } from '../../../engine/venues/checkPins.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { altered, never, outcomeOf, prove, refusalOf, swapOf } from '../../support/venueKit/calls.ts'
import { FILLS, FORWARDER } from './fakeNetwork.ts'
import { type MayanBench, openBench, orders, QUOTE, STRANGER, STRANGER_ON_SOLANA, told } from './support.ts'

const open = closedAfterEach(openBench)

/** `emitters(1)` of SwiftSource on Ethereum on 2026-09-29. */
const SOLANA_EMITTER = '0xffcec24e0f2cdeade143c339b81a2e8861c0bffcb7e46dfb705e28d6dff9d8cf'
type Contracts = { readonly isOpen?: boolean; readonly fills?: Address; readonly solana?: `0x${string}` }

const publish = (
  { chains }: MayanBench,
  { isOpen = true, fills = FILLS as Address, solana = SOLANA_EMITTER }: Contracts = {},
) => {
  chains.script.call = async ({ address }, data) => {
    if (address === FORWARDER) return pad(isOpen ? '0x01' : '0x00')
    return BigInt(`0x${data.slice(10)}`) === 1n ? solana : pad(fills.toLowerCase() as `0x${string}`)
  }
}

const differing = async ({ venue }: Pick<MayanBench, 'venue'>) => {
  const checks = await checkPins(venue, never())
  expect(checks.filter(({ failure }) => failure !== null)).toEqual([])
  return new Set(checks.flatMap(({ differences }) => differences.map(({ what }) => what)))
}

test.each<[string, Contracts, number]>([
  ['the published values', {}, 0],
  ['a Forwarder that no longer calls Swift', { isOpen: false }, 1],
  ['another fulfilling contract', { fills: STRANGER }, 11],
  ['another program on Solana', { solana: `0x${'11'.repeat(32)}` }, 1],
])('mayan pins: compares the contracts on all chains, and reports differences for %s', async (_what, contracts, count) => {
  const bench = await open()
  publish(bench, contracts)
  expect((await differing(bench)).size).toBe(count)
})

test('mayan pins: reports another chain name, and the SDK version that the latest quote requires', async () => {
  const bench = await open()
  publish(bench)
  const named = (body: { chains: readonly object[] }) => ({
    chains: body.chains.map((row, i) => (i === 1 ? { ...row, nameId: 'eth' } : row)),
  })
  const changes = { '/init': named as never, [QUOTE]: (body: object) => ({ ...body, minimumSdkVersion: [16, 0, 0] }) }
  const { venue } = told(bench, { changes })
  expect(await differing({ venue })).toEqual(new Set(['name of chain 1']))
  expect(await refusalOf(venue.quote(orders.usdc(), never()))).toMatchObject({ check: 'sdkVersion', found: '16.0.0' })
  expect(await differing({ venue })).toEqual(new Set(['name of chain 1', 'SDK version']))
  const newer = told(bench, { changes, settings: { SDK_VERSION: '16.0.0', SWAP_PROGRAMS: STRANGER_ON_SOLANA } })
  expect((await newer.venue.quote(orders.usdc(), never())).venue).toBe('mayan')
  expect(newer.asked.at(-1)?.body).toMatchObject({ sdkVersion: '16_0_0', solanaProgram: STRANGER_ON_SOLANA })
})

test.each([
  ['FORWARDERS', orders.ether(), STRANGER, false],
  ['SWIFTS', orders.usdc(), STRANGER, true],
  ['CPI_PROXIES', orders.sol(), STRANGER_ON_SOLANA, false],
  ['FEE_MANAGERS', orders.fromSolana(), STRANGER_ON_SOLANA, false],
  ['SWIFT_PROGRAMS', orders.fromSolana(), STRANGER_ON_SOLANA, true],
] as const)('VENUE_MAYAN_%s allows another value beside the pinned one', async (setting, order, other, isNamed) => {
  const bench = await open()
  bench.chains.script.code = async () => '0x60'
  const naming = (body: object) => altered(body, 'quotes.*.swiftMayanContract', other)
  const by = (settings: object) =>
    told(bench, { settings: { ...settings }, ...(isNamed && { changes: { [QUOTE]: naming as never } }) }).venue
  const venue = by({ [setting]: setting === 'FORWARDERS' ? `${order.input.chainId}=${other}` : other })
  const [swap, pinned] = [await swapOf(venue, order), await swapOf(bench.venue, order)]
  expect([await prove(venue, swap), await prove(venue, pinned)]).toEqual([[], []])
  expect(await prove(bench.venue, swap)).toContain('unread: another contract')
  expect(await outcomeOf(by({}), order)).toBe(isNamed ? 'rejected' : 'signed')
  if (setting !== 'FORWARDERS') return
  // Nothing, and a wallet that lends its name to code (EIP-7702).
  for (const code of ['0x', `0xef0100${'11'.repeat(20)}`] as const) {
    bench.chains.script.code = async () => code
    const failed = by({ FORWARDERS: `${order.input.chainId}=${other}` }).quote(order, never())
    expect(await refusalOf(failed)).toMatchObject({ check: 'forwarderCode', found: other })
  }
})
