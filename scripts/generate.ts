import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import openapiTS, { astToString } from 'openapi-typescript'
import { bundleDocument, type OpenApiDocument, projectRoot } from './contract/document.ts'
import { generateValidators } from './contract/validators.ts'
import { validatorTypes } from './contract/validatorTypes.ts'

const banner = '// Generated from openapi.yaml by `npm run generate`. Do not edit.\n'

/** Every generated file by its path in the project. JSON has no comments, so the bundle alone bears no banner. */
export const generateAll = async (): Promise<ReadonlyMap<string, string>> => {
  const documentText = await bundleDocument()
  const document = JSON.parse(documentText) as OpenApiDocument
  return new Map([
    ['generated/openapi.json', documentText],
    ['generated/api.d.ts', banner + astToString(await openapiTS(documentText, { alphabetize: true, immutable: true }))],
    ['generated/validators.cjs', banner + generateValidators(document)],
    ['generated/validators.d.cts', banner + validatorTypes],
  ])
}

const readOrEmpty = async (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')

/** The generated files whose text on disk is not what openapi.yaml gives now. */
export const findDrift = async (files: ReadonlyMap<string, string>): Promise<readonly string[]> => {
  const drifted: string[] = []
  for (const [path, text] of files) if ((await readOrEmpty(join(projectRoot, path))) !== text) drifted.push(path)
  return drifted
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
  const files = await generateAll()
  const drifted = await findDrift(files)
  if (values.check) {
    if (drifted.length > 0) {
      console.error(`Not what openapi.yaml gives: ${drifted.join(', ')}. Run: npm run generate`)
      process.exitCode = 1
    }
    return
  }
  await mkdir(join(projectRoot, 'generated'), { recursive: true })
  for (const path of drifted) await writeFile(join(projectRoot, path), files.get(path) ?? '')
  console.log(drifted.length > 0 ? `Wrote ${drifted.join(', ')}` : 'Nothing changed')
}

if (import.meta.main) await main()
