import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installJudges, judgesCommand } from '../judges.ts'

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

export type Schema = { readonly [keyword: string]: unknown }

export type MediaType = {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

export type Content = { readonly content?: Readonly<Record<string, MediaType>> }

export type Parameter = {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly example?: unknown
  readonly schema: Schema
}

export type ResponseObject = Content & {
  readonly description: string
  readonly headers?: Readonly<Record<string, unknown>>
}

export type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, ResponseObject>>
}

export type OpenApiDocument = {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> } & Readonly<Record<string, unknown>>
}

export type LocatedOperation = { readonly path: string; readonly method: string; readonly operation: Operation }

/** Every operation in document order. */
export const operationsOf = (document: OpenApiDocument): readonly LocatedOperation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

type Json = { readonly [key: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Follows a local `$ref`; anything else is returned as it is. */
export const dereference = <T>(document: OpenApiDocument, value: T): T => {
  if (!isObject(value) || typeof value['$ref'] !== 'string') return value
  const reference = value['$ref']
  let target: unknown = document
  for (const key of reference.replace('#/', '').split('/')) target = isObject(target) ? target[key] : undefined
  if (target === undefined) throw new Error(`unresolved reference ${reference}`)
  return dereference(document, target as T)
}

export type RedoclyResult = { readonly exitCode: number; readonly output: string }

const run = promisify(execFile)

/** Runs the Redocly CLI with this very Node. A non-zero exit is a result, not a throw: lint and diff answer with it. */
export const redocly = async (args: readonly string[]): Promise<RedoclyResult> => {
  installJudges()
  const cli = judgesCommand('redocly')
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }
  try {
    const { stdout, stderr } = await run(process.execPath, [cli, ...args], { cwd: projectRoot, env })
    return { exitCode: 0, output: stdout + stderr }
  } catch (cause) {
    const failed = cause as { code?: unknown; stdout?: string; stderr?: string }
    if (typeof failed.code !== 'number') throw cause
    return { exitCode: failed.code, output: (failed.stdout ?? '') + (failed.stderr ?? '') }
  }
}

/** The text of `openapi.yaml`, or of an earlier version of it, bundled to JSON, anchors and merge keys expanded. */
export const bundleDocument = async (path = 'openapi.yaml'): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'openapi-'))
  try {
    const target = join(directory, 'openapi.json')
    const { exitCode, output } = await redocly(['bundle', path, '--config', 'scripts/redocly.yaml', '-o', target])
    if (exitCode !== 0) throw new Error(`${path} cannot be bundled:\n${output}`)
    return `${JSON.stringify(JSON.parse(await readFile(target, 'utf8')), null, 2)}\n`
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
