'use strict'
/**
 * Starts a script of package.json: `node scripts/run.cjs scripts/operator.ts doctor`. A Node that cannot read TypeScript gets
 * one line instead of a stack trace, so this file is JavaScript for every Node.
 */
const { runMain } = require('node:module')
const { resolve } = require('node:path')
const { engines, scripts } = require('../package.json')

const words = process.argv.slice(2)
const [path] = words
const tailOf = (key) => scripts[key].split('run.cjs ')[1]
const name = Object.keys(scripts).find((key) => `${words.join(' ')} `.startsWith(`${tailOf(key)} `))
const needed = Number(engines.node.replace('>=', ''))

const fail = (line) => {
  process.stderr.write(`${line}\n`)
  process.exitCode = 1
}

if (name === undefined) fail('Usage: node scripts/run.cjs <a path in "scripts" of package.json> [arguments]')
else if (Number.parseInt(process.versions.node, 10) < needed) {
  const args = words.slice(tailOf(name).split(' ').length)
  const command = ['npm', 'run', name, ...(args.length > 0 ? ['--', ...args] : [])].join(' ')
  fail(
    `Node ${needed} or later is needed, and this is ${process.version}: run npm ci and then ${command}, or install Node ${needed}`,
  )
} else {
  process.argv.splice(1, 2, resolve(path))
  runMain()
}
