import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { bundleDocument, projectRoot, redocly } from '../../scripts/contract/document.ts'
import { JUDGES, judgesCommand } from '../../scripts/judges.ts'
import { LATER_PROGRAMS, LEAST_REQUEST, LEAST_REQUEST_OF_2026_11, PARTNER_PROGRAMS, TYPESCRIPT_PROGRAMS } from './programs.ts'

const run = promisify(execFile)

const LANDED = 'test/clients/landed'

/** A contract as clients got it: the one of now, or one that was landed before and that clients were generated from. */
export type KnownContract = { readonly label: string; readonly path: string; readonly isLanded: boolean }

/** The contract of now first. */
export const knownContracts = async (): Promise<readonly KnownContract[]> => {
  const landed = (await readdir(join(projectRoot, LANDED))).toSorted()
  return [
    { label: 'the contract of now', path: 'openapi.yaml', isLanded: false },
    ...landed.map((name) => ({
      label: `the contract landed in ${name.replace('.yaml', '')}`,
      path: `${LANDED}/${name}`,
      isLanded: true,
    })),
  ]
}

/** The document of a contract as it was served. */
export const documentOf = ({ path }: KnownContract): Promise<string> => bundleDocument(path)

/** A folder outside the tree with the document in it, in which generated code finds the packages it needs. */
export const openWorkshop = async (contract: KnownContract): Promise<string> => {
  const outer = await mkdtemp(join(tmpdir(), 'swap-clients-'))
  const folder = join(outer, 'client')
  await mkdir(folder)
  await symlink(join(projectRoot, 'node_modules'), join(outer, 'node_modules'))
  await symlink(JUDGES, join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }')
  await writeFile(join(folder, 'openapi.json'), await documentOf(contract))
  return folder
}

export const closeWorkshop = (folder: string): Promise<void> => rm(dirname(folder), { recursive: true, force: true })

/** Runs a program to its end and gives its standard output. Throws with all it said when it fails. */
export const runProgram = async (folder: string, program: string, ...args: readonly string[]): Promise<string> => {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', DO_NOT_TRACK: '1', NO_COLOR: '1', GOPROXY: 'off' }
  try {
    return (await run(program, args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 })).stdout
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string }
    throw new Error(`${program} ${args[0]} failed:\n${stdout}${stderr}`, { cause })
  }
}

const tool = (folder: string, path: string, ...args: readonly string[]): Promise<string> =>
  runProgram(folder, process.execPath, path, ...args)

const ownCommand = (name: string): string => join(projectRoot, 'node_modules/.bin', name)

const writeConfig = async (folder: string, name: string, config: object): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, `export default ${JSON.stringify(config)}`)
  return path
}

const heyApi = async (folder: string): Promise<void> => {
  const plugins = ['@hey-api/client-fetch', '@hey-api/typescript', { name: '@hey-api/sdk', validator: true }, 'zod']
  const config = await writeConfig(folder, 'hey.config.mjs', { input: 'openapi.json', output: { path: 'hey' }, plugins })
  await tool(folder, judgesCommand('openapi-ts'), '--file', config)
}

const orval = async (folder: string): Promise<void> => {
  const swap = { input: { target: './openapi.json' }, output: { target: './orval.ts', client: 'fetch', mode: 'single' } }
  await tool(folder, judgesCommand('orval'), '--config', await writeConfig(folder, 'orval.config.mjs', { swap }))
}

const COMPILER_OPTIONS = {
  target: 'ES2024',
  lib: ['ES2024', 'DOM', 'DOM.Iterable'],
  module: 'NodeNext',
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  noEmitOnError: true,
  outDir: 'out',
  rootDir: '.',
}

/**
 * Generates a client with openapi-typescript at its defaults (for openapi-fetch), hey-api with zod, and orval, and compiles
 * the programs of each, strictly. Throws with what the compiler says.
 */
export const buildTypeScriptClients = async (folder: string, contract: KnownContract): Promise<void> => {
  const leastRequest = contract.isLanded ? LEAST_REQUEST_OF_2026_11 : LEAST_REQUEST
  const programs = contract.isLanded ? TYPESCRIPT_PROGRAMS : { ...TYPESCRIPT_PROGRAMS, ...LATER_PROGRAMS, ...PARTNER_PROGRAMS }
  await Promise.all([
    tool(folder, ownCommand('openapi-typescript'), 'openapi.json', '--output', 'openapiTypescript.d.ts'),
    heyApi(folder),
    orval(folder),
    ...Object.entries(programs).map(([name, text]) =>
      writeFile(join(folder, `${name}.ts`), text.replace('LEAST_REQUEST', leastRequest)),
    ),
  ])
  const files = Object.keys(programs).map((name) => `${name}.ts`)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files }))
  await tool(folder, ownCommand('tsc'), '--project', 'tsconfig.json')
}

/** Generates a client in one of Redocly's languages, as `client/client.<extension>` of the folder. */
export const generateWithRedocly = async (folder: string, language: 'go' | 'python'): Promise<string> => {
  await mkdir(join(folder, 'client'), { recursive: true })
  const target = join(folder, 'client', 'client.ts')
  const args = ['generate-client', join(folder, 'openapi.json'), '--generator', language, '--output', target]
  const { exitCode, output } = await redocly(args)
  if (exitCode !== 0) throw new Error(`redocly generate-client failed:\n${output}`)
  return readFile(join(folder, 'client', `client.${language === 'go' ? 'go' : 'py'}`), 'utf8')
}
