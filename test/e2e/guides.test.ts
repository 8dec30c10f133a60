import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GUIDES } from '../../handlers/docs/guides.ts'
import { readContract } from '../../handlers/http/contract.ts'
import { projectRoot } from '../../scripts/contract/document.ts'
import { bareEnvironment, type Fence, fencesOf, programsOf, redirectTo } from '../support/pages.ts'
import { only, startService, type TestService } from '../support/service.ts'

/** The programs of the guides, run as they stand: only hosts and ports are others, and what they print is what the guides say. */

const run = promisify(execFile)

const OWN = GUIDES.filter(({ source, slug }) => source.pathname.includes('/docs/guides/') && slug !== 'clients')

type Step = { readonly program: string; readonly shown: string }

/** The commands of a guide, with their documented output. */
const stepsOf = (all: readonly Fence[]): readonly Step[] =>
  all.flatMap(({ language, text }, i) => {
    if (language !== 'sh') return []
    const program = /^node ([\w-]+\.mjs)\n$/.exec(text)?.[1] ?? expect.fail(`no test follows ${text}`)
    const next = all[i + 1]
    return [{ program, shown: next?.language === 'text' ? next.text : expect.fail(`${program} is not said to print anything`) }]
  })

/** What differs from run to run: hashes, addresses, times, amounts of the moment, and which venue wins. */
const shapeOf = (printed: string, venues: readonly string[]): string =>
  printed
    .replaceAll(/\b(0x[0-9a-f]{20,}|bc1[0-9a-z]{20,})\b/gi, '<hash>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/\b\d{5,}\b/g, (digits) => (/^[1-9]0*$|^[1-9]\d?0{6,}$/.test(digits) ? digits : '<amount>'))
    .replaceAll(new RegExp(`\\b(${venues.join('|')})\\b`, 'g'), '<venue>')

describe('the guides', () => {
  let service: TestService
  let folder: string
  const venues = ['across', 'cow', 'near-intents', 'relay']
  const all = new Map<string, readonly Fence[]>()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'swap-guides-'))
    await symlink(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
    service = await startService({ ...only(...venues), RATE_LIMIT_ANONYMOUS_PER_MINUTE: undefined })
    const redirect = redirectTo(service.publicUrl, service.control.url)
    for (const { slug, source } of OWN) {
      const fences = await fencesOf(relative(projectRoot, fileURLToPath(source)))
      all.set(slug, fences)
      for (const { name, text } of programsOf(fences)) await writeFile(join(folder, name), redirect(text))
    }
  })
  afterAll(async () => {
    await service?.close()
    await rm(folder, { recursive: true, force: true })
  })

  it.each(OWN.map(({ slug }) => slug))(
    '%s: its programs print the documented output [guide-programs-run]',
    { timeout: 60_000 },
    async (slug) => {
      const fences = all.get(slug) ?? []
      const steps = stepsOf(fences)
      expect(steps.length).toBeGreaterThan(0)
      for (const { program, shown } of steps) {
        const { stdout, stderr } = await run('node', [program], { cwd: folder, env: bareEnvironment, timeout: 50_000 })
        expect([program, stderr, shapeOf(stdout, venues)]).toEqual([program, '', shapeOf(shown, venues)])
      }
      const imported = new Set(['service.mjs', 'wallet.mjs'])
      const unrun = programsOf(fences).filter(({ name }) => !imported.has(name) && !steps.some(({ program }) => program === name))
      expect(unrun).toEqual([])
    },
  )

  it('explain every error code of the contract, and no other [guide-programs-run]', async () => {
    const page = await readFile(GUIDES.find(({ slug }) => slug === 'errors')?.source ?? expect.fail('no page'), 'utf8')
    const told = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code)
    const { schemas = {} } = readContract().document.components as { schemas?: Record<string, { enum?: string[] }> }
    const codes = ['ErrorCode', 'OverloadedCode', 'PaymentErrorCode', 'PaymentUnavailableCode'].flatMap(
      (name) => schemas[name]?.enum ?? [],
    )
    expect(codes.length).toBeGreaterThan(15)
    expect(new Set(told)).toEqual(new Set(codes))
    expect(told).toHaveLength(new Set(told).size)
  })
})
