import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createPublicClient, erc20Abi, type Hex, http, parseEventLogs } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '../../engine/config/config.ts'
import { balanceOf } from '../../scripts/client/evm.ts'
import { connectService } from '../../scripts/client/service.ts'
import { executeAs } from '../../scripts/client/swap.ts'
import { USDC } from '../../scripts/client/tokens.ts'
import { lacks } from '../support/needs.ts'
import { bareEnvironment as environment, type Fence, fencesOf, programsOf, redirectTo } from '../support/pages.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { DEPOSIT_SWAP } from '../support/swaps.ts'

/** engine/simnet/README.md, followed to the letter: only hosts, ports and the data folder are others. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PAGE = 'engine/simnet/README.md'
const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const run = promisify(execFile)

/** Commands, with their documented output. */
type Step = { readonly commands: string; readonly shown: Fence | null }

const fences = (): Promise<readonly Fence[]> => fencesOf(PAGE)

const stepsOf = (all: readonly Fence[]): readonly Step[] =>
  all.flatMap(({ language, text }, i) => {
    if (language !== 'sh') return []
    const next = all[i + 1]
    return [{ commands: text, shown: next?.language === 'json' || next?.language === 'text' ? next : null }]
  })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swap-offline-'))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const savePrograms = async (all: readonly Fence[], redirect: (text: string) => string): Promise<void> => {
  const programs = programsOf(all)
  expect(programs.map(({ name }) => name)).toEqual(['swap-evm.mjs', 'swap-solana.mjs', 'swap-bitcoin.mjs'])
  for (const { name, text } of programs) await writeFile(join(folder, name), redirect(text))
}

type Line = { readonly status: string; readonly venue: string; readonly deliveredAmount?: string; readonly txHash?: string }
type Printed = { readonly funded: string; readonly sent: string; readonly statuses: readonly Line[] }

/** The output of a program: its wallet, its transaction, and the responses to its status requests. */
const parseProgram = (printed: string): Printed => {
  const word = (name: string) => new RegExp(`^${name} (\\S+)$`, 'm').exec(printed)?.[1] ?? expect.fail(`no ${name}: ${printed}`)
  const looks = printed.split('\n').filter((line) => line.startsWith('{"status":'))
  return { funded: word('funded'), sent: word('sent'), statuses: looks.map((look) => JSON.parse(look) as Line) }
}

/** Which venue won, at what price, by which transactions: that is another one every time. */
const shapeOf = ({ statuses }: Printed) => {
  const told = statuses.filter(({ status }, i) => status !== statuses[i - 1]?.status)
  return told.map(({ status, ...rest }) => ({ status, fields: Object.keys(rest) }))
}

const sameKindOf = (hash: string, as: string): boolean =>
  hash.startsWith('0x') === as.startsWith('0x') && /^[0-9a-f]+$/.test(hash) === /^[0-9a-f]+$/.test(as)

/** What the comments behind `state` promise. */
const promisedStates = (commands: string): readonly string[] =>
  [...commands.matchAll(/^state +# (\w+)$/gm)].map(([, state = '']) => state)

/** Runs all commands in one shell, as one terminal, and gives what each step printed. */
const runSteps = async (steps: readonly Step[], redirect: (text: string) => string): Promise<readonly string[]> => {
  const script = steps.map(({ commands }, i) => `echo '@@ ${i}'\n${redirect(commands)}`).join('\n')
  const shell = await run('sh', ['-eu', '-c', script], {
    cwd: folder,
    env: environment,
    timeout: 50_000,
  })
  expect(shell.stderr).toBe('')
  const parts = `\n${shell.stdout}`.split(/\n?@@ \d+\n/).slice(1)
  expect(parts).toHaveLength(steps.length)
  return parts
}

const checkStep = ({ commands, shown }: Step, printed: string, redirect: (text: string) => string): void => {
  if (shown?.language === 'json') expect(JSON.parse(printed)).toMatchObject(JSON.parse(redirect(shown.text)) as object)
  else if (shown?.language === 'text') {
    const [real, told] = [parseProgram(printed), parseProgram(shown.text)]
    expect(shapeOf(real), commands).toEqual(shapeOf(told))
    expect(sameKindOf(real.sent, told.sent), `${real.sent} is like ${told.sent}`).toBe(true)
  }
  const states = printed.split('\n').filter((line) => /^[a-z_]+$/.test(line))
  expect(states, commands).toEqual(promisedStates(commands))
}

describe.skipIf(lacks('curl'))('the page about integrating offline', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(only('across', 'cow', 'near-intents', 'relay'))
  })
  afterAll(() => service.close())

  /** What a transaction paid to an address, in a token. */
  const paidIn = async (chainId: number, hash: string | undefined, to: string): Promise<bigint> => {
    const client = createPublicClient({ transport: http(service.control.rpcUrl(chainId)) })
    const { logs } = await client.getTransactionReceipt({ hash: hash as Hex })
    return parseEventLogs({ abi: erc20Abi, eventName: 'Transfer', logs })
      .filter(({ args }) => args.to === to)
      .reduce((sum, { args }) => sum + args.value, 0n)
  }

  it('has the output of its programs and commands, and the balances match [guide-offline-programs]', {
    timeout: 60_000,
  }, async () => {
    const all = await fences()
    const redirect = redirectTo(service.publicUrl, service.control.url)
    await savePrograms(all, redirect)
    const steps = stepsOf(all)
    const printed = await runSteps(steps, redirect)
    for (const [i, step] of steps.entries()) checkStep(step, printed[i] ?? '', redirect)
    expect(steps.flatMap(({ commands }) => promisedStates(commands)).length).toBeGreaterThan(8)

    const ran = (name: string) =>
      steps.flatMap(({ commands }, i) => (commands.includes(`node ${name}`) ? [parseProgram(printed[i] ?? '')] : []))
    const [[evm, returned], [solana], [bitcoin]] = [ran('swap-evm.mjs'), ran('swap-solana.mjs'), ran('swap-bitcoin.mjs')]
    for (const [swap, chainId, recipient] of [
      [evm, 42161, evm?.funded ?? ''],
      [solana, 8453, RECIPIENT],
      [bitcoin, 8453, RECIPIENT],
    ] as const) {
      const { status, deliveredAmount, txHash } = swap?.statuses.at(-1) ?? {}
      expect(status).toBe('success')
      expect(await paidIn(chainId, txHash, recipient)).toBe(BigInt(deliveredAmount ?? 0))
      expect(BigInt(deliveredAmount ?? 0)).toBeGreaterThan(249_000_000n)
    }
    expect(await balanceOf(service.control.rpcUrl(8453), USDC.base, evm?.funded ?? '')).toBe(0n)
    expect(returned?.statuses.at(-1)).toMatchObject({ venue: 'across', status: 'refunded' })
    expect(await balanceOf(service.control.rpcUrl(8453), USDC.base, returned?.funded ?? '')).toBe(250_000_000n)
  })
})

describe('a service and a network in two processes, as the page starts them', () => {
  const READY_MS = 30_000
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
    const child = spawn('sh', ['-c', line], {
      cwd: ROOT,
      env: { ...environment, ...env },
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    started.push(child)
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    await expect
      .poll(() => ready.test(said) || child.exitCode !== null, { timeout: READY_MS, interval: 20, message: `${line}: ${ready}` })
      .toBe(true)
    return ready.exec(said)?.[1] ?? expect.fail(`${line}: ${said}`)
  }

  it('connect by what the network prints, and swap [guide-offline-programs]', { timeout: 60_000 }, async () => {
    const all = await fences()
    const byHand = all.filter(({ language }) => language === '').map(({ text }) => text.replaceAll('.data', folder))
    const [startNetwork = '', startIt = ''] = ['run --silent simnet', 'env $(cat'].map(
      (part) => byHand.find((text) => text.includes(part)) ?? expect.fail(`no line of the page has ${part}`),
    )
    const network = await startLine(startNetwork, { SIMNET_CONTROL_PORT: '0' }, /^Control: (http:\/\/\S+)$/m)
    const env = {
      PORT: '0',
      METRICS_PORT: 'off',
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'silent',
      RATE_LIMIT_ANONYMOUS_PER_MINUTE: '10000',
    }
    const url = await startLine(startIt, env, /^Listening on (http:\/\/\S+)$/m)

    // NEAR Intents is believed by its own key alone.
    const client = connectService(url)
    const excludeVenues = ['relay']
    const { quoteToken, venue } = await client.call('quote', { body: { ...DEPOSIT_SWAP, excludeVenues } })
    expect(venue.id).toBe('near-intents')
    expect((await executeAs(client, 'DEPOSIT', { quoteToken })).deposit.amount).toBe(DEPOSIT_SWAP.inputAmount)

    await savePrograms(all, redirectTo(url, network))
    const { stdout } = await run('node', ['swap-evm.mjs'], { cwd: folder, env: environment, timeout: 20_000 })
    expect(parseProgram(stdout).statuses.at(-1)?.status).toBe('success')
  })

  it('use the endpoints of the operator in the order of the page', async () => {
    const line = (await fences()).find(({ language, text }) => language === '' && text.includes('RPC_URLS_'))?.text ?? ''
    const settings = Object.fromEntries(
      [...line.matchAll(/([A-Z_0-9]+)=(\S+) /g)].map(([, name = '', value = '']) => [name, value]),
    )
    expect(Object.keys(settings)).toEqual(['NETWORK', 'RPC_URLS_8453'])
    const { network, rpcUrls } = parseConfig(settings)
    expect([network, rpcUrls[8453]]).toEqual(['mainnet', settings['RPC_URLS_8453']?.split(',')])
  })
})
