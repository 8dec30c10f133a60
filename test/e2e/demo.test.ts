import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parseUnits } from 'viem'
import { describe, expect, it } from 'vitest'
import { runDemo } from '../../scripts/demo/runDemo.ts'
import { closing } from '../support/closing.ts'
import { listening } from '../support/listening.ts'
import { only, startService } from '../support/service.ts'

const DEMO = fileURLToPath(new URL('../../scripts/demo.ts', import.meta.url))

const run = promisify(execFile)
const own = closing()

/** The demo as `npm run demo` starts it. */
const demo = (env: { readonly VENUES_ENABLED?: string } = {}) => {
  const { PATH, HOME } = process.env
  return run(process.execPath, [DEMO], { env: { PATH, HOME, ...env }, timeout: 60_000 })
}

type Row = { readonly account: string; readonly before: bigint; readonly after: bigint; readonly change: bigint }
type Swap = {
  readonly title: string
  readonly rows: readonly Row[]
  /** What was printed under a name, in order. */
  facts(name: string): readonly string[]
}

/** Enough for every token there is. */
const DECIMALS = 18

const units = (printed: string): bigint => parseUnits(printed.replace('+', ''), DECIMALS)
/** The amount of a fact such as `249.95 USDC on Base`. */
const amountOf = (fact: string | undefined): bigint => units(/^[\d.]+(?= )/.exec(fact ?? '')?.[0] ?? 'none')

const toRow = (line: string): Row => {
  const [who, chain, token, before = '', after = '', change = ''] = line.trim().split(/ {2,}/)
  return { account: `${who} ${chain} ${token}`, before: units(before), after: units(after), change: units(change) }
}

/** What was printed of the six swaps, and of the partner's. */
const sectionsOf = (stdout: string): readonly Swap[] =>
  stdout
    .split(/^(?=\d\. |A partner)/m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n')
      return {
        title,
        rows: lines.filter((line) => /^ +(sender|recipient) /.test(line)).map(toRow),
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
const checkSwap = ({ title, facts, rows }: Swap): void => {
  for (const { account, before, after, change } of rows) expect(after - before, `${title}: ${account}`).toBe(change)
  const [input, received] = [rows[0]?.change ?? 0n, rows.at(-1)?.change ?? 0n]
  expect(received, title).toBeGreaterThanOrEqual(amountOf(facts('at least')[0]))
  expect(received, title).toBeGreaterThan(0n)
  const paid = amountOf(facts('pay')[0])
  if (rows.length === 3) {
    expect(input, title).toBe(-paid)
    expect(rows[1]?.change, `${title}: fees`).toBeLessThan(0n)
  } else expect(input, `${title}: with its fees`).toBeLessThan(-paid)
  expect(facts('status').at(-1), title).toMatch(/^success\b/)
  expect(
    facts('status').filter((status) => status.startsWith('success')),
    title,
  ).toHaveLength(1)
  expect(facts('delivered')[0], title).toMatch(/^in (0x)?\w{64,}$/)
}

const typesOf = (swaps: readonly Swap[]): readonly (string | undefined)[] =>
  swaps.map(({ facts }) => /^(TRANSACTION|SIGNATURE|DEPOSIT) /.exec(facts('wallet').at(-1) ?? '')?.[1])

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

const checkDemo = (stdout: string): readonly Swap[] => {
  const sections = sectionsOf(stdout)
  const swaps = sections.slice(0, 6)
  const [partner, ...others] = sections.slice(6)
  expect(others).toEqual([])
  if (partner) checkPartner(partner)
  expect(partner?.title).toBe('A partner, by an API key of its own')
  expect(swaps.map(({ title, rows }) => [title, rows.map(({ account }) => account)])).toEqual(SWAPS)
  for (const swap of swaps) checkSwap(swap)
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('6 of 6 swaps delivered what was promised, or more.')
  return swaps
}

describe('npm run demo', () => {
  it('makes six swaps of all three types, and shows every balance that changes [offline-demo]', { timeout: 70_000 }, async () => {
    const swaps = checkDemo((await demo()).stdout)
    expect(new Set(typesOf(swaps))).toEqual(new Set(['TRANSACTION', 'SIGNATURE', 'DEPOSIT']))
    expect(swaps[5]?.facts('wallet')[0]).toMatch(/^1000 USDC approved for 0x/)
  })

  it('also works with venues of deposits alone', { timeout: 70_000 }, async () => {
    const swaps = checkDemo((await demo({ VENUES_ENABLED: 'near-intents,cow' })).stdout)
    expect(typesOf(swaps)).toEqual([...Array(5).fill('DEPOSIT'), 'SIGNATURE'])
  })

  it('exits with 1 and the reason when a swap cannot be made', { timeout: 70_000 }, async () => {
    const failed = demo({ VENUES_ENABLED: 'across' })
    await expect(failed).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^FAILED: .*NO_LIQUIDITY/) })
    await expect(failed).rejects.not.toMatchObject({ stdout: expect.stringContaining('6 of 6') })
  })
})

describe('runDemo', () => {
  it('fails when the service reports a success and the chain shows less than the guaranteed minimum', async () => {
    const service = own(await startService(only('across', 'cow', 'near-intents', 'relay')))
    const front = own(
      await listening(
        createServer(async (request, response) => {
          const { method = 'GET', url = '' } = request
          const body = await text(request)
          const init = { method, headers: { 'content-type': 'application/json' }, ...(body !== '' && { body }) }
          const answer = await fetch(`${service.url}${url}`, init)
          const truth = await answer.text()
          const lie = JSON.stringify({ data: { status: 'success', venue: 'liar' } })
          response.writeHead(answer.status, { 'content-type': 'application/json' })
          response.end(url.startsWith('/api/v1/status') ? lie : truth)
        }),
      ),
    )
    const said: string[] = []
    const demonstrated = runDemo({ serviceUrl: front.url, controlUrl: service.control.url }, (line = '') => said.push(line))
    await expect(demonstrated).rejects.toThrow(/^the recipient got 0 USDC of at least 244\.\d+ USDC$/)
    expect(said).toContainEqual(expect.stringMatching(/recipient +Arbitrum One +USDC +0 +0 +\+0$/))
  })
})
