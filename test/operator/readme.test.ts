import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { projectRoot } from '../../scripts/contract/document.ts'
import { createProgram } from '../../scripts/operator/createProgram.ts'

const usagesOf = (command: Command, above: string): readonly string[] => {
  const name = `${above}${command.name()}`
  const parts = command.registeredArguments.map((argument) => ` <${argument.name()}>`)
  return command.commands.length === 0
    ? [`${name}${parts.join('')}`]
    : command.commands.flatMap((below) => usagesOf(below, `${name} `))
}

it('the page of the tool lists every command with its arguments, and no other; each takes --json', () => {
  const nothing = async () => undefined
  const program = createProgram({ run: nothing, runApart: nothing }, () => undefined)
  const usages = program.commands.flatMap((command) => usagesOf(command, ''))
  const page = readFileSync(join(projectRoot, 'scripts/operator/README.md'), 'utf8')
  const [, table = ''] = page.split('| command | what it does |').flatMap((part) => part.split('\n\n', 1))
  const listed = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, usage]) => usage)
  expect(listed).toEqual(usages)
  const leaves = (command: Command): readonly Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
  expect(leaves(program).filter((command) => !command.options.some(({ long }) => long === '--json'))).toEqual([])
})
