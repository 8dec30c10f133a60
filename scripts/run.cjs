'use strict'
/**
 * Starts a script of package.json: `node scripts/run.cjs scripts/operator.ts doctor`. A Node that cannot read TypeScript prints
 * one line instead of a stack trace, so this file is JavaScript for every Node.
 *
 * `npm run` finds the Node of the optional dependencies in node_modules/.bin, but npm before 11.8 leaves that link out when
 * packages of other platforms have the same one: then this file starts that Node.
 */
const { spawn } = require('node:child_process')
const { existsSync, readFileSync } = require('node:fs')
const { runMain } = require('node:module')
const { delimiter, dirname, resolve } = require('node:path')
const { engines, optionalDependencies, scripts } = require('../package.json')

const PARENT_CHECK_MS = 250
/** The service needs 48 open files to start; its modules alone need 24. Recommended: 1,024 or more. */
const OPEN_FILES_MIN = 48

const words = process.argv.slice(2)
const [path] = words
const tailOf = (key) => scripts[key].split('run.cjs ')[1]
const name = Object.keys(scripts).find((key) => `${words.join(' ')} `.startsWith(`${tailOf(key)} `))
const needed = Number(engines.node.replace('>=', ''))

const fail = (line) => {
  process.stderr.write(`${line}\n`)
  process.exitCode = 1
}

const installedNode = () => {
  const isWindows = process.platform === 'win32'
  const platform = `-${isWindows ? 'win' : process.platform}-${process.arch}`
  try {
    const runtime = Object.keys(optionalDependencies).find((key) => key.endsWith(platform))
    return require.resolve(`${runtime}/bin/node${isWindows ? '.exe' : ''}`)
  } catch {
    return null
  }
}

/** Signals reach the other process, and its end ends this one alike. It stops when npm is gone, which a kill does not report. */
const launch = (node) => {
  const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) }
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit', env })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  const parent = process.ppid
  const timer = setInterval(() => process.ppid === parent || child.kill(), PARENT_CHECK_MS)
  child.on('exit', (code, signal) => {
    clearInterval(timer)
    for (const handled of signals) process.removeAllListeners(handled)
    if (signal === null) process.exitCode = code
    else process.kill(process.pid, signal)
  })
}

const refuse = () => {
  const args = words.slice(tailOf(name).split(' ').length)
  const command = ['npm', 'run', name, ...(args.length > 0 ? ['--', ...args] : [])].join(' ')
  fail(
    `Node ${needed} or later is needed, and this is ${process.version}: run npm ci and then ${command}, or install Node ${needed}`,
  )
}

/** The soft limit of open files on Linux; infinite where it is not known. */
const openFiles = () => {
  const [, soft] =
    (existsSync('/proc/self/limits') && /^Max open files +([0-9]+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))) || []
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft)
}

const isOld = Number.parseInt(process.versions.node, 10) < needed
const node = isOld && process.env.npm_lifecycle_event !== undefined ? installedNode() : null

if (name === undefined) fail('Usage: node scripts/run.cjs <a path in "scripts" of package.json> [arguments]')
else if (node !== null) launch(node)
else if (isOld) refuse()
else if (openFiles() < OPEN_FILES_MIN)
  fail(`This process may open ${openFiles()} files, which is too few to start: raise the limit to 1024 or more (ulimit -n)`)
else {
  process.argv.splice(1, 2, resolve(path))
  runMain()
}
