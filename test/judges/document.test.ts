import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { projectRoot } from '../../scripts/contract/document.ts'

test('openapi.yaml parses with default options of the yaml package: fewer than 100 aliases, no merge keys', async () => {
  const source = await readFile(join(projectRoot, 'openapi.yaml'), 'utf8')
  expect(parse(source)).toEqual(JSON.parse(await readFile(join(projectRoot, 'generated/openapi.json'), 'utf8')))
  expect(source.match(/[ [-]\*\w+/g)?.length).toBeLessThan(100)
  expect(source).not.toContain('<<:')
})
