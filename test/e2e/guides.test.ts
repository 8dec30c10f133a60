import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { GUIDES } from '../../handlers/docs/guides.ts'
import { readContract } from '../../handlers/http/contract.ts'
import { projectRoot } from '../../scripts/contract/document.ts'
import { type Fence, fencesOf } from '../support/pages.ts'
import { pageStage } from './pageStage.ts'

const OWN = GUIDES.filter(({ source, slug }) => source.pathname.includes('/docs/guides/') && slug !== 'clients')
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
  /** Programs of one guide import those of another. */
  const saved = async () =>
    new Map(
      await Promise.all(
        OWN.map(async ({ slug, source }) => {
          const fences = await fencesOf(relative(projectRoot, fileURLToPath(source)))
          return [slug, { fences, names: page.save(fences) }] as const
        }),
      ),
    )

  it.each(OWN.map(({ slug }) => slug))(
    '%s: its programs print the documented output [guide-programs-run]',
    { timeout: 60_000 },
    async (slug) => {
      const { fences = [], names = [] } = (await saved()).get(slug) ?? {}
      const steps = stepsOf(fences)
      expect(steps.length).toBeGreaterThan(0)
      for (const { program, shown } of steps) {
        const { stdout, stderr } = await page.run('node', program)
        expect([program, stderr, shapeOf(stdout)]).toEqual([program, '', shapeOf(shown)])
      }
      const known = new Set(['service.mjs', 'wallet.mjs', ...steps.map(({ program }) => program)])
      expect(names.filter((name) => !known.has(name))).toEqual([])
    },
  )

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
