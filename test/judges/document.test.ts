import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { projectRoot } from '../../scripts/contract/document.ts'
import { diffContracts } from '../../scripts/contractDiff.ts'
import { findDrift, generateAll } from '../../scripts/generate.ts'
import { documentOf, knownContracts } from '../clients/generatedClients.ts'

const text = await readFile(join(projectRoot, 'generated/openapi.json'), 'utf8')

test('openapi.yaml parses with default options of the yaml package: fewer than 100 aliases, no merge keys', async () => {
  const source = await readFile(join(projectRoot, 'openapi.yaml'), 'utf8')
  expect(parse(source)).toEqual(JSON.parse(text))
  expect(source.match(/[ [-]\*\w+/g)?.length).toBeLessThan(100)
  expect(source).not.toContain('<<:')
})

test('generated files match openapi.yaml, and a difference is reported by file name', async () => {
  const files = await generateAll()
  expect(await findDrift(files)).toEqual([])
  expect(await findDrift(new Map(files).set('generated/api.d.ts', 'something else'))).toEqual(['generated/api.d.ts'])
})

describe('contract checks', () => {
  const edited = (
    edit: (schemas: Record<string, { required: string[]; properties: Record<string, object> }>) => void,
  ): string => {
    const copy = JSON.parse(text)
    edit(copy.components.schemas)
    return JSON.stringify(copy)
  }

  test('the diff rejects a new required field and accepts a new optional one', async () => {
    const required = edited(({ QuoteRequest }) => QuoteRequest?.required.push('refundAddress'))
    const optional = edited(({ QuoteRequest }) =>
      Object.assign(QuoteRequest?.properties ?? {}, { memo: { type: 'string', maxLength: 80 } }),
    )
    expect(await diffContracts(text, required)).toMatchObject({ breaking: true })
    expect(await diffContracts(text, optional)).toMatchObject({ breaking: false })
  })

  test('the diff accepts a change with a stated reason, and no other change of the same field', async () => {
    const wasInt64 = edited(({ Quote }) => Object.assign(Quote?.properties['expiresAt'] ?? {}, { format: 'int64' }))
    const accepted = await diffContracts(wasInt64, text)
    expect(accepted).toEqual({ breaking: false, report: expect.stringMatching(/^accepted: .*'int64' to 'double'.* Reason: /) })
    expect(await diffContracts(text, wasInt64)).toMatchObject({ breaking: true })
  })

  test('the diff accepts additional fields in a response, not in a request', async () => {
    const closed = edited(({ Meta }) => Object.assign(Meta ?? {}, { additionalProperties: false }))
    const opened = edited(({ QuoteRequest }) => delete (QuoteRequest as { additionalProperties?: boolean }).additionalProperties)
    const accepted = expect.stringContaining('accepted: ')
    expect(await diffContracts(closed, text)).toEqual({ breaking: false, report: accepted })
    expect(await diffContracts(text, opened)).not.toEqual({ breaking: false, report: accepted })
  })

  test('the diff finds no breaking change since any released contract, except accepted ones [contract-no-breaking]', async () => {
    const landed = (await knownContracts()).filter(({ isLanded }) => isLanded)
    expect(landed.length).toBeGreaterThan(0)
    for (const known of landed) {
      const { breaking, report } = await diffContracts(await documentOf(known), text)
      expect(breaking, `${known.label}:\n${report}`).toBe(false)
    }
  })

  test('the diff fails for a document that it cannot parse', async () => {
    await expect(diffContracts('not a document', text)).rejects.toThrow('cannot be compared')
  })

  test('the diff command exits 1 on a breaking change', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'contract-base-'))
    try {
      const base = join(directory, 'base.json')
      await writeFile(
        base,
        edited(({ Quote }) => Object.assign(Quote?.properties ?? {}, { bonus: { type: 'string', maxLength: 80 } })),
      )
      const run = promisify(execFile)(process.execPath, ['scripts/contractDiff.ts', '--base', base], { cwd: projectRoot })
      await expect(run).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('Property `bonus`') })
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  })
})
