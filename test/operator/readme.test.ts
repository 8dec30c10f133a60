import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, CommanderError } from 'commander'
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

const nothing = async () => undefined
const parser = (sayWrong: (text: string) => void = () => undefined) =>
  createProgram({ run: nothing, runApart: nothing }, sayWrong)

it('the page of the tool lists every command with its arguments, and no other; each takes --json', () => {
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

/** What the tool says of a command line, which it parses and does not run; placeholders are filled in. */
const refusalOf = (line: string): string => {
  const filled = line.replaceAll(/<[^>]+>|0x\.{3}|bc1\.{3}|(?<=solana )\.{3}/g, (one) => FILLED[one] ?? '60')
  const words = filled.split(/[#|]/, 1).join().trim().split(/\s+/)
  let said = ''
  const program = parser((text) => {
    said += text
  })
  try {
    program.configureOutput({ writeOut: () => undefined }).parse(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // A command that a sentence names, and no command line.
    const isName = error.code === 'commander.missingMandatoryOptionValue' && !line.includes('--')
    if (error.exitCode !== 0 && !isName) return `${line}: ${said.split('\n', 1)}`
  }
  return ''
}

it('the tool parses every command line of a page that starts with it or with one of its commands', () => {
  const pages = globSync(['README.md', '{engine,handlers,operations,scripts}/**/*.md'], {
    cwd: projectRoot,
  })
  const text = pages.map((page) => readFileSync(join(projectRoot, page), 'utf8')).join('\n')
  const names = parser().commands.map((command) => `${command.name()} `)
  const found = [/npm run (?:--silent )?operator -- ([^`\n]*)/g, /`([^`\n]+)`/g]
    .flatMap((pattern, at) =>
      [...text.matchAll(pattern)].flatMap(([, line = '']) =>
        at === 0 || names.some((name) => line.startsWith(name)) ? [line] : [],
      ),
    )
    .filter((line) => !/^(<command>|\.\.\.)/.test(line))
  expect(found.length).toBeGreaterThan(50)
  expect([refusalOf('swaps --state processing'), refusalOf('payments')]).not.toContain('')
  expect(found.map(refusalOf).filter(Boolean)).toEqual([])
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { scripts: object }
  const run = [...text.matchAll(/npm run (?:--silent )?([a-z][a-z:]*)/g)].map(([, name = '']) => name)
  expect(run.filter((name) => !(name in scripts))).toEqual([])
})
