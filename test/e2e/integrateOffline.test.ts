import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { balanceOf } from '../../scripts/client/evm.ts'
import { connectService } from '../../scripts/client/service.ts'
import { executeAs } from '../../scripts/client/swap.ts'
import { USDC } from '../../scripts/client/tokens.ts'
import { projectRoot } from '../../scripts/contract/document.ts'
import { lacks } from '../support/needs.ts'
import { bareEnvironment, type Fence, fencesOf, redirectTo } from '../support/pages.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'
import { expectPaidBy } from './journeys/delivery.ts'
import { pageStage } from './pageStage.ts'

/** engine/simnet/README.md, followed to the letter. */

const PAGE = 'engine/simnet/README.md'
const PROGRAMS = ['swap-evm.mjs', 'swap-solana.mjs', 'swap-bitcoin.mjs']
const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const page = pageStage(['across', 'cow', 'near-intents', 'relay'])

/** Commands, with their documented output. */
type Step = { readonly commands: string; readonly shown: Fence | null }

const stepsOf = (all: readonly Fence[]): readonly Step[] =>
  all.flatMap(({ language, text }, i) => {
    if (language !== 'sh') return []
    const next = all[i + 1]
    return [{ commands: text, shown: next?.language === 'json' || next?.language === 'text' ? next : null }]
  })

type Line = { readonly status: string; readonly venue: string; readonly deliveredAmount?: string; readonly txHash?: string }
type Printed = { readonly funded: string; readonly sent: string; readonly statuses: readonly Line[] }

/** The output of a program: its wallet, its transaction, and the responses to its status requests. */
const parseProgram = (printed: string): Printed => {
  const word = (name: string) => new RegExp(`^${name} (\\S+)$`, 'm').exec(printed)?.[1] ?? expect.fail(`no ${name}: ${printed}`)
  const statuses = printed.split('\n').filter((line) => line.startsWith('{"status":'))
  return { funded: word('funded'), sent: word('sent'), statuses: statuses.map((line) => JSON.parse(line) as Line) }
}

/** Which venue won, at what price, by which transactions: that is another one every time. */
const shapeOf = ({ sent, statuses }: Printed) => {
  const changes = statuses.filter(({ status }, i) => status !== statuses[i - 1]?.status)
  const states = changes.map(({ status, ...rest }) => ({ status, fields: Object.keys(rest) }))
  return { states, sent: sent.startsWith('0x') ? 'EVM' : /^[0-9a-f]+$/.test(sent) ? 'Bitcoin' : 'Solana' }
}

/** What the comments behind `state` promise. */
const promisedStates = (commands: string): readonly string[] =>
  [...commands.matchAll(/^state +# (\w+)$/gm)].map(([, state = '']) => state)

/** Runs all commands in one shell, as one terminal, and returns what each step printed. */
const runSteps = async (steps: readonly Step[]): Promise<readonly string[]> => {
  const script = steps.map(({ commands }, i) => `echo '@@ ${i}'\n${page.redirect(commands)}`).join('\n')
  const { stdout, stderr } = await page.run('sh', '-eu', '-c', script)
  expect(stderr).toBe('')
  const parts = `\n${stdout}`.split(/\n?@@ \d+\n/).slice(1)
  expect(parts).toHaveLength(steps.length)
  return parts
}

const checkStep = ({ commands, shown }: Step, printed: string): void => {
  if (shown?.language === 'json') expect(JSON.parse(printed)).toMatchObject(JSON.parse(page.redirect(shown.text)) as object)
  else if (shown) expect(shapeOf(parseProgram(printed)), commands).toEqual(shapeOf(parseProgram(shown.text)))
  const states = printed.split('\n').filter((line) => /^[a-z_]+$/.test(line))
  expect(states, commands).toEqual(promisedStates(commands))
}

describe.skipIf(lacks('curl'))('the page about integrating offline', () => {
  it('has the output of its programs and commands, and the balances match [guide-offline-programs]', {
    timeout: 60_000,
  }, async () => {
    const all = await fencesOf(PAGE)
    expect(page.save(all)).toEqual(PROGRAMS)
    const steps = stepsOf(all)
    const printed = await runSteps(steps)
    for (const [i, step] of steps.entries()) checkStep(step, printed[i] ?? '')
    expect(steps.flatMap(({ commands }) => promisedStates(commands)).length).toBeGreaterThan(8)

    const ran = (name = '') =>
      steps.flatMap(({ commands }, i) => (commands.includes(`node ${name}`) ? [parseProgram(printed[i] ?? '')] : []))
    const [[evm, returned], [solana], [bitcoin]] = [ran(PROGRAMS[0]), ran(PROGRAMS[1]), ran(PROGRAMS[2])]
    for (const [swap, side, to] of [
      [evm, { chainId: 42161, token: USDC.arbitrum }, evm?.funded ?? ''],
      [solana, { chainId: 8453, token: USDC.base }, RECIPIENT],
      [bitcoin, { chainId: 8453, token: USDC.base }, RECIPIENT],
    ] as const) {
      const { status, deliveredAmount, txHash } = swap?.statuses.at(-1) ?? {}
      const amount = BigInt(deliveredAmount ?? 0)
      expect([status, amount > 249_000_000n]).toEqual(['success', true])
      await expectPaidBy(page.service(), txHash, { ...side, to, amount })
    }
    const held = (owner = '') => balanceOf(page.service().control.rpcUrl(8453), USDC.base, owner)
    expect(returned?.statuses.at(-1)).toMatchObject({ venue: 'across', status: 'refunded' })
    expect([await held(evm?.funded), await held(returned?.funded)]).toEqual([0n, 250_000_000n])
  })
})

describe('a service and a network in two processes, as the page starts them', () => {
  const started: ChildProcess[] = []
  afterEach(async () => {
    for (const child of started.splice(0).reverse()) {
      const ended = new Promise((resolve) => child.once('close', resolve))
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
      await ended
    }
  })

  /** Runs a command line of the page in the project and waits for a line on standard error. */
  const startLine = async (line: string, env: { readonly [name: string]: string }, ready: RegExp): Promise<string> => {
    const options = { cwd: projectRoot, env: { ...bareEnvironment, ...env }, detached: true } as const
    const child = spawn('sh', ['-c', line], { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
    started.push(child)
    let stderr = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    await expect
      .poll(() => ready.test(stderr) || child.exitCode !== null, { timeout: 30_000, message: `${line}: ${ready}` })
      .toBe(true)
    return ready.exec(stderr)?.[1] ?? expect.fail(`${line}: ${stderr}`)
  }

  it('connect by what the network prints, and swap [guide-offline-programs]', { timeout: 60_000 }, async () => {
    const all = await fencesOf(PAGE)
    const byHand = all.flatMap(({ language, text }) => (language === '' ? [text.replaceAll('.data', page.folder)] : []))
    const lineWith = (part: string) =>
      byHand.find((text) => text.includes(part)) ?? expect.fail(`no line of the page has ${part}`)
    const network = await startLine(lineWith('run --silent simnet'), { SIMNET_CONTROL_PORT: '0' }, /^Control: (http:\/\/\S+)$/m)
    const env = { PORT: '0', METRICS_PORT: 'off', DATA_DIR: join(page.folder, 'data'), LOG_LEVEL: 'silent' }
    const settings = { ...env, RATE_LIMIT_ANONYMOUS_PER_MINUTE: '10000' }
    const url = await startLine(lineWith('env $(cat'), settings, /^Listening on (http:\/\/\S+)$/m)

    // NEAR Intents is believed by its own key alone.
    const client = connectService(url)
    const { quoteToken, venue } = await client.call('quote', { body: { ...DEPOSIT_SWAP, excludeVenues: ['relay'] } })
    expect(venue.id).toBe('near-intents')
    expect((await executeAs(client, 'DEPOSIT', { quoteToken })).deposit.amount).toBe(DEPOSIT_SWAP.inputAmount)

    page.save(all, redirectTo(url, network))
    const { stdout } = await page.run('node', 'swap-evm.mjs')
    expect(parseProgram(stdout).statuses.at(-1)?.status).toBe('success')
  })
})
