import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { balanceOf } from '../../scripts/client/evm.ts'
import { USDC } from '../../scripts/client/tokens.ts'
import { projectRoot } from '../../scripts/contract/document.ts'
import { bareEnvironment, fencesOf, programsOf, redirectTo } from '../support/pages.ts'
import { CALL_PRICE } from '../support/payingClient.ts'
import { only, startService, type TestService } from '../support/service.ts'

const PAGE = 'engine/x402/README.md'
const FUNDED = 10_000n
const run = promisify(execFile)

describe('the page about paying by the call', { timeout: 60_000 }, () => {
  let service: TestService
  let folder: string
  beforeAll(async () => {
    service = await startService(only('near-intents'))
    folder = await mkdtemp(join(tmpdir(), 'swap-paying-'))
    await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  })
  afterEach(() => service.control.clearFaults())
  afterAll(async () => {
    await service.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** What its one program prints. */
  const runProgram = async (): Promise<string> => {
    const redirect = redirectTo(service.publicUrl, service.control.url)
    const programs = programsOf(await fencesOf(PAGE))
    expect(programs.map(({ name }) => name)).toEqual(['pay-per-call.mjs'])
    for (const { name, text } of programs) await writeFile(join(folder, name), redirect(text))
    const [command = ''] = (await fencesOf(PAGE)).flatMap(({ language, text }) => (language === 'sh' ? [text.trim()] : []))
    const [program = '', ...args] = command.split(' ')
    const { stdout } = await run(program, args, { cwd: folder, env: bareEnvironment, timeout: 50_000 })
    return stdout
  }

  /** Hashes, addresses and the price are others every time. */
  const shapeOf = (printed: string): string =>
    printed
      .replaceAll(/0x[0-9a-f]{64}\b/g, '<transaction>')
      .replaceAll(/0x[0-9a-fA-F]{40}\b/g, '<address>')
      .replaceAll(/[0-9]{9,}/g, '<amount>')

  const expectCharged = async (printed: string, calls: bigint): Promise<void> => {
    const payer = /^payer (\S+)$/m.exec(printed)?.[1] ?? ''
    expect(await balanceOf(service.control.rpcUrl(8453), USDC.base, payer)).toBe(FUNDED - calls * CALL_PRICE)
  }

  it('has the output of its program, and the chain shows three payments [x402-official-client]', async () => {
    const printed = await runProgram()
    const shown = (await fencesOf(PAGE)).find(({ language }) => language === 'text')?.text ?? ''
    expect(shapeOf(printed)).toBe(shapeOf(shown))
    await expectCharged(printed, 3n)
  })

  it('its program repeats calls while the facilitator fails, and pays once for each', async () => {
    await service.control.fault('facilitator', 'http-500', { count: 2 })
    await expectCharged(await runProgram(), 3n)
  })
})
