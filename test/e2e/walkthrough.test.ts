import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { only, startService, type TestService } from '../support/service.ts'

const README = new URL('../../README.md', import.meta.url)
const HEADING = '## A walk-through'

const run = promisify(execFile)

/** The part of the README under the heading. */
const walkthrough = async (): Promise<string> => {
  const [, section = ''] = (await readFile(README, 'utf8')).split(`\n${HEADING}\n`)
  return section.split('\n## ')[0] ?? ''
}

const blocksOf = (text: string, language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block)

/** The same commands, for the service and the network of this test. */
const redirected = (block: string, { publicUrl, control }: TestService): string =>
  block
    .replaceAll(/(127\.0\.0\.1|localhost):3000\b/g, new URL(publicUrl).host)
    .replaceAll(/(127\.0\.0\.1|localhost):4010\b/g, new URL(control.url).host)

/** A refusal ends the script, and every answer is a line of its own. Node stands in where curl is missing. */
const curlOf = (folder: string): string =>
  `if command -v curl >/dev/null; then curl() { command curl --fail-with-body "$@" && echo; }; else curl() { node ${folder}/curl.mjs "$@"; }; fi`

/** The options of curl that the README uses: -s, -H, -d and the URL. */
const CURL_PROGRAM = `
  const { values, positionals: [url] } = parseArgs({
    options: { silent: { type: 'boolean', short: 's' }, header: { type: 'string', short: 'H', multiple: true }, data: { type: 'string', short: 'd' } },
    allowPositionals: true,
  })
  const headers = (values.header ?? []).map((line) => line.split(': '))
  const response = await fetch(/^http:/.test(url) ? url : 'http://' + url, { method: values.data ? 'POST' : 'GET', headers, body: values.data })
  console.log(await response.text())
  process.exitCode = response.ok ? 0 : 22`

type Answer = { readonly data?: { readonly quoteToken?: string; readonly expiresAt?: number; readonly status?: string } }

/** What is printed shortened, or is another one every time. */
const comparable = (printed: string): object => {
  const { quoteToken: _token, expiresAt: _at, ...data } = (JSON.parse(printed) as Answer).data ?? {}
  return { data }
}

let service: TestService
let folder: string
beforeAll(async () => {
  service = await startService(only('across', 'cow', 'near-intents', 'relay'))
  folder = await mkdtemp(join(tmpdir(), 'swap-walkthrough-'))
  await writeFile(join(folder, 'curl.mjs'), `import { parseArgs } from 'node:util'\n${CURL_PROGRAM}`)
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

describe('the walk-through of the README', () => {
  it('prints the documented output of each command, from a price to success [guide-walkthrough]', async () => {
    const text = await walkthrough()
    const commands = blocksOf(text, 'sh').map((block) => redirected(block, service))
    expect(commands, `${HEADING} has no sh blocks`).not.toHaveLength(0)
    for (const command of commands) expect(command).not.toMatch(/:(3000|4010)\b/)

    // Whatever a command writes to a file is shown as well, in its place.
    const script = [
      curlOf(folder),
      ...commands.flatMap((command) => [command, ...[...command.matchAll(/> (\w+\.json)$/gm)].map(([, file]) => `cat ${file}`)]),
    ]
    const { stdout, stderr } = await run('sh', ['-eu', '-c', script.join('\n')], {
      cwd: folder,
      timeout: 15_000,
    })
    expect(stderr).toBe('')
    const answers = stdout.split('\n').filter((line) => line.startsWith('{'))
    const ofService = answers.map((line) => JSON.parse(line) as Answer).filter(({ data }) => data !== undefined)
    expect(ofService.at(-1)).toMatchObject({ data: { status: 'success' } })

    const shown = blocksOf(text, 'json')
    expect(ofService).toHaveLength(shown.length)
    for (const [i, block] of shown.entries()) expect(ofService[i]).toMatchObject(comparable(block))
  })
})
