import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '../scripts/contract/document.ts'

/** What operators are handed beside the service. */

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')

it('the systemd unit starts what npm start does', () => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: { readonly start: string } }
  const [, command] = /^ExecStart=\S+\/node_modules\/node\/bin\/(.+)$/m.exec(read('operations/swap.service')) ?? []
  expect(command).toBe(scripts.start)
})
