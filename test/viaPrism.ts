import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { projectRoot } from '../scripts/contract/document.ts'
import { startPrism } from './support/prism.ts'
import type { RecordedAnswer } from './support/prismFront.ts'

/**
 * Runs the API and end-to-end suites a second time, with every documented answer judged by Prism on its way to the
 * test. Arguments are passed on to vitest; without any the suites are those of `test/api` and `test/e2e` that start the
 * service where Prism can stand in front of it.
 */

const FOLDERS = ['test/api', 'test/e2e']

const judgedSuites = async (): Promise<readonly string[]> => {
  const files = await Promise.all(
    FOLDERS.map(async (folder) => (await readdir(join(projectRoot, folder))).map((name) => `${folder}/${name}`)),
  )
  const suites = files.flat().filter((file) => file.endsWith('.test.ts'))
  const texts = await Promise.all(suites.map((file) => readFile(join(projectRoot, file), 'utf8')))
  return suites.filter((_file, index) => texts[index]?.includes('startService('))
}

const readText = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const runVitest = (gateway: string, suites: readonly string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const cli = join(projectRoot, 'node_modules/.bin/vitest')
    const args = [cli, 'run', '--config', 'test/vitest.config.ts', ...suites]
    const env = { ...process.env, SWAP_TEST_VIA_PRISM: gateway }
    const child = spawn(process.execPath, args, { cwd: projectRoot, env, stdio: 'inherit' })
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })

const main = async (): Promise<void> => {
  const prism = await startPrism()
  const statuses = new Map<string, number>()
  const violations: string[] = []
  const gateway = createServer((incoming, outgoing) => {
    const judge = async (): Promise<void> => {
      const answer = JSON.parse(await readText(incoming)) as RecordedAnswer
      const key = `${answer.operationId} ${answer.status}`
      const violation = await prism.judge(answer)
      statuses.set(key, (statuses.get(key) ?? 0) + 1)
      if (violation !== null) violations.push(`${key}: ${violation}`)
      outgoing.end(JSON.stringify({ violation }))
    }
    judge().catch((error: unknown) => {
      outgoing.writeHead(500)
      outgoing.end(String(error))
    })
  })
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  const { port } = gateway.address() as AddressInfo
  const suites = process.argv.slice(2)
  const exitCode = await runVitest(`http://127.0.0.1:${port}`, suites.length > 0 ? suites : await judgedSuites())
  await prism.close()
  gateway.close()
  gateway.closeAllConnections()
  const judged = [...statuses.values()].reduce((sum, count) => sum + count, 0)
  process.stdout.write(
    `Prism judged ${judged} answers of ${statuses.size} documented kinds: ${violations.length} broke the contract\n`,
  )
  for (const violation of new Set(violations)) process.stdout.write(`  ${violation}\n`)
  // Suites that pass without one answer seen prove nothing.
  process.exitCode = exitCode !== 0 || judged === 0 || violations.length > 0 ? 1 : 0
}

await main()
