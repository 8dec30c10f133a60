import { execFile } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import type { Environment } from '../../engine/config/config.ts'
import { projectRoot } from '../../scripts/contract/document.ts'
import { bareEnvironment, type Fence, programsOf, redirectTo } from '../support/pages.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from './support.ts'

const run = promisify(execFile)

/** A folder with the packages of the project and a service, for pages that are followed to the letter: only hosts and ports are others. */
export const pageStage = (venues: readonly string[], env: Environment = {}) => {
  const folder = temporaryFolder()
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  let service: TestService
  beforeAll(async () => {
    service = await startService({ ...only(...venues), ...env })
  })
  afterAll(() => service.close())
  const redirect = (text: string): string => redirectTo(service.publicUrl, service.control.url)(text)
  return {
    folder,
    service: () => service,
    redirect,
    /** Writes the programs of a page to files, and returns their names. */
    save: (fences: readonly Fence[], redirected = redirect): readonly string[] =>
      programsOf(fences).map(({ name, text }) => {
        writeFileSync(join(folder, name), redirected(text))
        return name
      }),
    run: (command: string, ...args: readonly string[]) =>
      run(command, args, { cwd: folder, env: bareEnvironment, timeout: 50_000 }),
  }
}
