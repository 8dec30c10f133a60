import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fencesIn } from '../support/pages.ts'
import { pageStage } from './pageStage.ts'

const HEADING = '## A walk-through'
const page = pageStage(['across', 'cow', 'near-intents', 'relay'])

/** A refusal ends the script, and every answer is a line of its own. Node stands in where curl is missing. */
const CURL =
  'if command -v curl >/dev/null; then curl() { command curl --fail-with-body "$@" && echo; }; else curl() { node curl.mjs "$@"; }; fi'

/** The options of curl that the README uses: -s, -H, -d and the URL. */
const CURL_PROGRAM = `
  import { parseArgs } from 'node:util'
  const { values, positionals: [url] } = parseArgs({
    options: { silent: { type: 'boolean', short: 's' }, header: { type: 'string', short: 'H', multiple: true }, data: { type: 'string', short: 'd' } },
    allowPositionals: true,
  })
  const headers = (values.header ?? []).map((line) => line.split(': '))
  const response = await fetch(/^http:/.test(url) ? url : 'http://' + url, { method: values.data ? 'POST' : 'GET', headers, body: values.data })
  console.log(await response.text())
  process.exitCode = response.ok ? 0 : 22`

type Answer = { readonly data?: { readonly quoteToken?: string; readonly expiresAt?: number; readonly status?: string } }

/** Without what is printed shortened, or is another one every time. */
const comparable = (printed: string): object => {
  const { quoteToken: _token, expiresAt: _at, ...data } = (JSON.parse(printed) as Answer).data ?? {}
  return { data }
}

it('the walk-through of the README prints the documented output of each command, from a price to success [guide-walkthrough]', async () => {
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const fences = fencesIn(readme.split(`\n${HEADING}\n`)[1]?.split('\n## ')[0] ?? '')
  const textsOf = (kind: string) => fences.flatMap(({ language, text }) => (language === kind ? [text] : []))
  const commands = textsOf('sh').map((text) => page.redirect(text.replaceAll('localhost:', '127.0.0.1:')))
  expect(commands, `${HEADING} has no sh blocks`).not.toHaveLength(0)

  writeFileSync(join(page.folder, 'curl.mjs'), CURL_PROGRAM)
  // Whatever a command writes to a file is shown as well, in its place.
  const script = commands.flatMap((command) => [
    command,
    ...[...command.matchAll(/> (\w+\.json)$/gm)].map(([, file]) => `cat ${file}`),
  ])
  const { stdout, stderr } = await page.run('sh', '-eu', '-c', [CURL, ...script].join('\n'))
  expect(stderr).toBe('')
  const answers = stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Answer] : []))
  const ofService = answers.filter(({ data }) => data !== undefined)
  expect(ofService.at(-1)).toMatchObject({ data: { status: 'success' } })
  expect(ofService).toMatchObject(textsOf('json').map(comparable))
})
