import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseUnits } from 'viem'
import { expect, it } from 'vitest'
import { projectRoot } from '../../scripts/contract/document.ts'
import { bareEnvironment } from '../support/pages.ts'

const run = promisify(execFile)

/** The demo as `npm run demo` starts it. */
const demo = (env: { readonly VENUES_ENABLED?: string } = {}) =>
  run(process.execPath, [join(projectRoot, 'scripts/demo.ts')], { env: { ...bareEnvironment, ...env }, timeout: 60_000 })

/** What was printed of a swap: the accounts whose balance it changes, these changes, and what stands behind a name, in order. */
type Swap = {
  readonly title: string
  readonly accounts: readonly string[]
  readonly changes: readonly bigint[]
  facts(name: string): readonly string[]
}

/** Decimals that are enough for every token there is. */
const units = (printed: string): bigint => parseUnits(printed, 18)
/** The amount of a fact such as `249.95 USDC on Base`. */
const amountOf = (fact = ''): bigint => units(/^[\d.]+(?= )/.exec(fact)?.[0] ?? 'none')

/** The six swaps, and the partner's. */
const sectionsOf = (stdout: string): readonly Swap[] =>
  stdout
    .split(/^(?=\d\. |A partner)/m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n')
      const rows = lines.filter((line) => /^ +(sender|recipient) /.test(line)).map((line) => line.trim().split(/ {2,}/))
      return {
        title,
        accounts: rows.map((row) => row.slice(0, 3).join(' ')),
        changes: rows.map(([, , , before = '', after = '']) => units(after) - units(before)),
        facts: (name) => lines.filter((line) => line.slice(3, 14) === `${name.padEnd(10)} `).map((line) => line.slice(14)),
      }
    })

/** Every swap of the demo, and every balance it has to show. */
const SWAPS: readonly (readonly [title: string, accounts: readonly string[]])[] = [
  ['1. EVM to EVM: 250 USDC on Base to USDC on Arbitrum', ['sender Base USDC', 'sender Base ETH', 'recipient Arbitrum One USDC']],
  [
    '2. EVM to Solana: 250 USDC on Arbitrum to SOL',
    ['sender Arbitrum One USDC', 'sender Arbitrum One ETH', 'recipient Solana SOL'],
  ],
  ['3. Solana to EVM: 250 USDC on Solana to USDC on Base', ['sender Solana USDC', 'sender Solana SOL', 'recipient Base USDC']],
  ['4. Bitcoin to EVM: 0.05 BTC to USDC on Base', ['sender Bitcoin BTC', 'recipient Base USDC']],
  ['5. EVM to Bitcoin: 1 ETH on Base to BTC', ['sender Base ETH', 'recipient Bitcoin BTC']],
  ['6. On one chain: 1000 USDC on Ethereum to WETH', ['sender Ethereum USDC', 'sender Ethereum ETH', 'recipient Ethereum WETH']],
]

/** The balances match the swap: the input and the fees left, and at least the minimum arrived. */
const checkSwap = ({ title, facts, changes }: Swap): void => {
  const paid = amountOf(facts('pay')[0])
  const [input = 0n, fees = 0n, received = fees] = changes
  // A coin is paid together with its fees.
  if (changes.length === 3) expect([input, fees < 0n], title).toEqual([-paid, true])
  else expect(input, title).toBeLessThan(-paid)
  expect(received, title).toBeGreaterThanOrEqual(amountOf(facts('at least')[0]))
  expect(received, title).toBeGreaterThan(0n)
  const statuses = facts('status')
  expect(
    statuses.findIndex((status) => status.startsWith('success')),
    title,
  ).toBe(statuses.length - 1)
  expect(facts('delivered')[0], title).toMatch(/^in (0x)?\w{64,}$/)
}

/** The partner signed up, received a signed webhook, earned its fee, and was paid. */
const checkPartner = ({ facts }: Swap): void => {
  const [id = ''] = facts('signed up')
  expect(id).toMatch(/^ptn_/)
  expect(facts('fee')[0]).toMatch(/^30 basis points, 0\.7/)
  const [told = ''] = facts('webhook')
  expect(JSON.parse(told)).toMatchObject({ event: 'swap.settled', partnerId: id, slippageBps: 0 })
  expect(facts('feed')).toEqual(['fee.changed, payout-address.changed, webhook.changed, swap.settled'])
  const earned = /^(\d+) of 0x/.exec(facts('earned')[0] ?? '')?.[1] ?? 'none'
  expect(BigInt(earned)).toBeGreaterThan(700_000n)
  expect(facts('paid')[0]).toMatch(new RegExp(`^${earned} of ${earned}, in 0x`))
}

it('npm run demo makes six swaps of all three types, shows every balance that changes, and pays a partner [offline-demo]', {
  timeout: 70_000,
}, async () => {
  const { stdout } = await demo()
  const sections = sectionsOf(stdout)
  const swaps = sections.slice(0, 6)
  expect(swaps.map(({ title, accounts }) => [title, accounts])).toEqual(SWAPS)
  for (const swap of swaps) checkSwap(swap)
  const types = swaps.map(({ facts }) => /^(TRANSACTION|SIGNATURE|DEPOSIT) /.exec(facts('wallet').at(-1) ?? '')?.[1])
  expect(new Set(types)).toEqual(new Set(['TRANSACTION', 'SIGNATURE', 'DEPOSIT']))
  expect(swaps[5]?.facts('wallet')[0]).toMatch(/^1000 USDC approved for 0x/)
  const [partner, ...others] = sections.slice(6)
  expect([partner?.title, others]).toEqual(['A partner, by an API key of its own', []])
  if (partner) checkPartner(partner)
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('6 of 6 swaps delivered what was promised, or more.')
})

it('npm run demo exits with 1 and the reason when a swap cannot be made', { timeout: 70_000 }, async () => {
  const failed = demo({ VENUES_ENABLED: 'across' })
  await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^FAILED: .*NO_LIQUIDITY/) })
  await expect(failed).rejects.not.toMatchObject({ stdout: expect.stringContaining('6 of 6') })
})
