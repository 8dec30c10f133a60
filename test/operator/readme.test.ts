import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command, CommanderError } from 'commander'
import { expect, it } from 'vitest'
import { projectRoot } from '../../scripts/contract/document.ts'
import { createProgram } from '../../scripts/operator/program.ts'

const usagesOf = (command: Command, above: string): readonly string[] => {
  const name = `${above}${command.name()}`
  const parts = command.registeredArguments.map((argument) => ` <${argument.name()}>`)
  return command.commands.length === 0
    ? [`${name}${parts.join('')}`]
    : command.commands.flatMap((below) => usagesOf(below, `${name} `))
}

const nothing = async () => undefined
const parser = (sayWrong: (text: string) => void = () => undefined) =>
  createProgram({ run: nothing, runApart: nothing }, sayWrong)

it('scripts/operator/README.md lists exactly the commands of the tool with their arguments; each accepts --json [operator-documented]', () => {
  const program = parser()
  const usages = program.commands.flatMap((command) => usagesOf(command, ''))
  const page = readFileSync(join(projectRoot, 'scripts/operator/README.md'), 'utf8')
  const [, table = ''] = page.split('| command | what it does |').flatMap((part) => part.split('\n\n', 1))
  const listed = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, usage]) => usage)
  expect(listed).toEqual(usages)
  const leaves = (command: Command): readonly Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
  expect(leaves(program).filter((command) => !command.options.some(({ long }) => long === '--json'))).toEqual([])
})

const FILLED: { readonly [placeholder: string]: string } = {
  '<id>': 'relay',
  '0x...': `0x${'ab'.repeat(20)}`,
  'bc1...': 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  '...': '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
}

/** Why the tool refuses a command line that it parses and does not run; placeholders are filled in. */
const refusalOf = (line: string): string => {
  const filled = line.replaceAll(/<[^>]+>|0x\.{3}|bc1\.{3}|(?<=solana )\.{3}/g, (one) => FILLED[one] ?? '60')
  try {
    parser().parse(/^[^#|]*/.exec(filled)?.[0].match(/\S+/g) ?? [], { from: 'user' })
  } catch (error) {
    const { code, message } = error as CommanderError
    // A command that a sentence names, and no command line.
    if (code !== 'commander.missingMandatoryOptionValue' || line.includes('--')) return `${line}: ${message}`
  }
  return ''
}

it('the operator tool parses every operator command in the documentation [operator-documented]', () => {
  const pages = globSync(['README.md', '{engine,handlers,operations,scripts}/**/*.md'], { cwd: projectRoot })
  const text = pages.map((page) => readFileSync(join(projectRoot, page), 'utf8')).join('\n')
  const names = parser().commands.map((command) => command.name())
  const lines = new RegExp(`\`((?:${names.join('|')}) [^\`\n]+)\`|npm run (?:--silent )?operator -- ([^\`\n]*)`, 'g')
  const found = [...text.matchAll(lines)].map(([, span, line = '']) => span ?? line)
  expect(found.length).toBeGreaterThan(50)
  expect([refusalOf('swaps --state processing'), refusalOf('payments')]).not.toContain('')
  expect(
    found
      .filter((line) => !/^(--help|<command>|\.{3})/.test(line))
      .map(refusalOf)
      .filter(Boolean),
  ).toEqual([])
})
