import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { GUIDES } from '../../handlers/docs/guides.ts'
import { readContract } from '../../handlers/http/contract.ts'
import { balanceOf } from '../../scripts/client/evm.ts'
import { USDC } from '../../scripts/client/tokens.ts'
import { projectRoot } from '../../scripts/contract/document.ts'
import { lacks } from '../support/needs.ts'
import { type Fence, fencesIn, fencesOf } from '../support/pages.ts'
import { CALL_PRICE } from '../support/payingClient.ts'
import { pageStage } from './pageStage.ts'

const PAY_PER_CALL = 'pay-per-call'
const FOLLOWED = GUIDES.filter(
  ({ source, slug }) => slug === PAY_PER_CALL || (source.pathname.includes('/docs/guides/') && slug !== 'clients'),
)
const VENUES = ['across', 'cow', 'near-intents', 'relay']

/** The commands of a guide, with their documented output. */
const stepsOf = (all: readonly Fence[]): readonly { readonly program: string; readonly shown: string }[] =>
  all.flatMap(({ language, text }, i) => {
    if (language !== 'sh') return []
    const program = /^node ([\w-]+\.mjs)\n$/.exec(text)?.[1] ?? expect.fail(`no test follows ${text}`)
    const next = all[i + 1]
    return [{ program, shown: next?.language === 'text' ? next.text : expect.fail(`${program} is not said to print anything`) }]
  })

/** What differs from run to run: hashes, addresses, times, amounts of the moment, and which venue wins. */
const shapeOf = (printed: string): string =>
  printed
    .replaceAll(/\b(0x[0-9a-f]{20,}|bc1[0-9a-z]{20,})\b/gi, '<hash>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\b\d{5,}\b/g, (digits) => (/^[1-9]0*$|^[1-9]\d?0{6,}$/.test(digits) ? digits : '<amount>'))
    .replaceAll(new RegExp(`\\b(${VENUES.join('|')})\\b`, 'g'), '<venue>')

describe('the guides', () => {
  const page = pageStage(VENUES, { RATE_LIMIT_ANONYMOUS_PER_MINUTE: undefined })
  /** Runs the programs of a guide, which import those of other guides, and returns what each of them printed. */
  const follow = async (slug: string): Promise<readonly string[]> => {
    const guides = FOLLOWED.map(async (guide) => {
      const fences = await fencesOf(relative(projectRoot, fileURLToPath(guide.source)))
      return { slug: guide.slug, fences, names: page.save(fences) }
    })
    const { fences, names } = (await Promise.all(guides)).find((guide) => guide.slug === slug) ?? expect.fail(`no guide ${slug}`)
    const printed: string[] = []
    for (const { program, shown } of stepsOf(fences)) {
      const { stdout, stderr } = await page.run('node', program)
      expect([program, stderr, shapeOf(stdout)]).toEqual([program, '', shapeOf(shown)])
      printed.push(stdout)
    }
    expect(printed.length).toBeGreaterThan(0)
    const known = new Set(['service.mjs', 'wallet.mjs', ...stepsOf(fences).map(({ program }) => program)])
    expect(names.filter((name) => !known.has(name))).toEqual([])
    return printed
  }

  const others = FOLLOWED.map(({ slug }) => slug).filter((slug) => slug !== PAY_PER_CALL)
  it.each(others)('%s: its programs print the documented output [guide-programs-run]', async (slug) => {
    await follow(slug)
  })

  it('pay-per-call: its program prints the documented output, and the chain shows three payments [x402-official-client]', async () => {
    const [printed = ''] = await follow(PAY_PER_CALL)
    const payer = /^payer (\S+)$/m.exec(printed)?.[1] ?? ''
    const funded = 10_000n
    expect(await balanceOf(page.service().control.rpcUrl(8453), USDC.base, payer)).toBe(funded - 3n * CALL_PRICE)
  })

  it('explain every error code of the contract, and no other [guide-programs-run]', async () => {
    const text = await readFile(GUIDES.find(({ slug }) => slug === 'errors')?.source ?? expect.fail('no page'), 'utf8')
    const explained = [...text.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code)
    const { schemas = {} } = readContract().document.components as { schemas?: Record<string, { enum?: string[] }> }
    const codes = ['ErrorCode', 'OverloadedCode', 'PaymentErrorCode', 'PaymentUnavailableCode'].flatMap(
      (name) => schemas[name]?.enum ?? [],
    )
    expect(codes.length).toBeGreaterThan(15)
    expect(explained.toSorted()).toEqual([...new Set(codes)].toSorted())
  })
})

/** A refusal ends the script, and every answer is a line of its own. */
const CURL = 'curl() { command curl --fail-with-body "$@" && echo; }'

type Answer = { readonly data?: { readonly quoteToken?: string; readonly expiresAt?: number; readonly status?: string } }

/** Without what is printed shortened, or is another one every time. */
const comparable = (printed: string): object => {
  const { quoteToken: _token, expiresAt: _at, ...data } = (JSON.parse(printed) as Answer).data ?? {}
  return { data }
}

describe.skipIf(lacks('curl'))('the README', () => {
  const page = pageStage(VENUES)

  it('the walk-through prints the documented output of each command, from a price to success [guide-walkthrough]', async () => {
    const readme = await readFile(join(projectRoot, 'README.md'), 'utf8')
    const fences = fencesIn(readme.split('\n## A walk-through\n')[1]?.split('\n## ')[0] ?? '')
    const textsOf = (kind: string) => fences.flatMap(({ language, text }) => (language === kind ? [text] : []))
    const commands = textsOf('sh').map((text) => page.redirect(text.replaceAll('localhost:', '127.0.0.1:')))
    expect(commands).not.toHaveLength(0)

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
})
