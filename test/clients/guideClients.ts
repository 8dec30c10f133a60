import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { projectRoot } from '../../scripts/contract/document.ts'
import { JUDGES, judgesCommand } from '../../scripts/judges.ts'
import { type Fence, fencesIn } from '../support/pages.ts'

/** Runs the commands and programs of handlers/docs/guides/clients.md, each client in a folder of its own. */

export const CLIENTS_PAGE = 'handlers/docs/guides/clients.md'

export type GuideClient = {
  readonly name: string
  readonly folder: string
  /** What it takes to generate and compile it. */
  readonly build: readonly string[]
  /** The line that runs it against `npm start`. */
  readonly run: string
}

const run = promisify(execFile)

/** By which name a generator is called, where it is not the package's. */
const BINARIES: { readonly [name: string]: string } = { '@redocly/cli': 'redocly', '@hey-api/openapi-ts': 'openapi-ts' }

/** What `npx` would fetch is there already, in the version that the page names. */
const withoutNpx = (command: string): string =>
  command.replace(/^npx ((?:@[\w-]+\/)?[\w-]+)(?:@\S+)?/, (_all, name: string) => {
    const binary = BINARIES[name] ?? name.replace(/^.*\//, '')
    const path = judgesCommand(binary)
    return `node ${existsSync(path) ? path : join(projectRoot, 'node_modules/.bin', binary)}`
  })

/** The name of a program, in its first comment. */
const nameOf = ({ text }: Fence): string | undefined => /^(?:<\?php\n)?(?:\/\/|#) ([\w.-]+): /.exec(text)?.[1]

/** The sections of the page that generate a client, each set up in a folder of its own with the document in it. */
export const setUpClients = async (page: string, document: string): Promise<readonly GuideClient[]> => {
  const sections = page.split(/^## /m).filter((section) => section.includes('```sh\nnpx '))
  return Promise.all(
    sections.map(async (section) => {
      const fences = fencesIn(section)
      const commands = fences.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.trim().split('\n'))
      const outer = await mkdtemp(join(tmpdir(), 'swap-guide-'))
      const folder = join(outer, 'guide')
      await mkdir(join(folder, 'client'), { recursive: true })
      await symlink(join(projectRoot, 'node_modules'), join(outer, 'node_modules'))
      await symlink(JUDGES, join(folder, 'node_modules'))
      await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }')
      await writeFile(join(folder, 'openapi.json'), document)
      for (const fence of fences) {
        const name = nameOf(fence)
        if (name !== undefined) await writeFile(join(folder, name), fence.text)
      }
      return { name: section.split('\n', 1)[0] ?? '', folder, build: commands.slice(0, -1), run: commands.at(-1) ?? '' }
    }),
  )
}

export const removeClients = (clients: readonly GuideClient[]): Promise<unknown> =>
  Promise.all(clients.map(({ folder }) => rm(dirname(folder), { recursive: true, force: true })))

/** Debian's own Python comes first: it has what Debian's packages bring. */
const environment = (env: { readonly [name: string]: string }) => ({
  PATH: [dirname(process.execPath), '/usr/bin', process.env['PATH']].join(delimiter),
  HOME: process.env['HOME'],
  GOPROXY: 'off',
  GOFLAGS: '-mod=mod',
  REDOCLY_TELEMETRY: 'off',
  DO_NOT_TRACK: '1',
  NO_COLOR: '1',
  ...env,
})

const shell = async (folder: string, command: string, env: { readonly [name: string]: string } = {}): Promise<string> => {
  try {
    const options = { cwd: folder, env: environment(env), maxBuffer: 64 * 1024 * 1024, timeout: 120_000 }
    return (await run('bash', ['--norc', '-eo', 'pipefail', '-c', withoutNpx(command)], options)).stdout
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string }
    throw new Error(`${command} failed:\n${stdout}${stderr}`, { cause })
  }
}

/** Generates and compiles it. Throws with what the tool says. */
export const buildClient = async ({ folder, build }: GuideClient): Promise<void> => {
  for (const command of build) await shell(folder, command)
}

/** Runs it against a service, for one request where that is given, and tells what it printed, line by line. */
export const runClient = async (
  { folder, run: command }: GuideClient,
  places: { readonly service: string; readonly network: string },
  request: object | null = null,
  env: { readonly [name: string]: string } = {},
): Promise<readonly string[]> => {
  const at = command.replaceAll('http://127.0.0.1:3000', places.service).replaceAll('http://127.0.0.1:4010', places.network)
  const asked = request === null ? '' : ` '${JSON.stringify(request)}'`
  return (await shell(folder, `${at}${asked}`, env)).trim().split('\n')
}
