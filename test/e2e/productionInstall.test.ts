import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../../scripts/contract/document.ts'

/** The service with the packages that `npm ci --omit=dev` installs, and no others. */

const COPIED = ['engine', 'generated', 'handlers', 'scripts', 'openapi.yaml', 'package.json']

type Lock = { readonly packages: { readonly [path: string]: { readonly dev?: boolean; readonly devOptional?: boolean } } }

let root: string

/** The packages that hang directly under node_modules; what lies below one comes with it. */
const installed = async (): Promise<readonly string[]> => {
  const { packages } = JSON.parse(await readFile(join(projectRoot, 'package-lock.json'), 'utf8')) as Lock
  return Object.entries(packages).flatMap(([path, { dev, devOptional }]) =>
    /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) && !dev && !devOptional ? [path] : [],
  )
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'production-'))
  for (const path of COPIED) await cp(join(projectRoot, path), join(root, path), { recursive: true })
  for (const path of await installed()) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await symlink(join(projectRoot, path), join(root, path))
  }
})
afterAll(() => rm(root, { recursive: true, force: true }))

/** Without the flags a link leads to where all packages are. */
const start = (network: string, entry = 'scripts/start.ts') => {
  const child = spawn(process.execPath, ['--preserve-symlinks', '--preserve-symlinks-main', join(root, entry)], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: root,
      NETWORK: network,
      PORT: '0',
      METRICS_PORT: 'off',
      SIMNET_CONTROL_PORT: '0',
      DATA_DIR: join(root, 'data'),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, ended, said: () => said }
}

describe('after npm ci --omit=dev', () => {
  it('the service runs on mainnet and answers [install-production]', async () => {
    const { child, ended, said } = start('mainnet')
    try {
      await expect.poll(() => /^Listening on \S+$/m.test(said()) || child.exitCode !== null, { timeout: 20_000 }).toBe(true)
      const url = /^Listening on (\S+)$/m.exec(said())?.[1]
      expect(url, said()).toBeDefined()
      const health = await fetch(`${url}/api/v1/health`)
      expect([health.status, await health.json()]).toMatchObject([200, { data: { status: 'ok' } }])
      const chains = await fetch(`${url}/api/v1/chains`)
      expect(chains.status).toBe(200)
    } finally {
      child.kill('SIGTERM')
    }
    expect(await ended).toBe(0)
  })

  it.each(['scripts/start.ts', 'scripts/simnet.ts'])(
    '%s fails with one line about the missing packages of the offline network',
    async (entry) => {
      const { ended, said } = start('simnet', entry)
      expect(await ended).toBe(1)
      expect(said().trimEnd().split('\n')).toEqual([
        expect.stringMatching(
          /^The offline network .*\(@across-protocol\/contracts, @cowprotocol\/contracts, @foundry-rs\/anvil, esbuild, litesvm\).*npm ci --include=dev/,
        ),
      ])
    },
  )
})

it('container image: holds the files of this install, and starts the service as user 10001 [ops-container]', async () => {
  const [image, ignored, manifest] = await Promise.all(
    ['scripts/container/Containerfile', '.dockerignore', 'package.json'].map((path) => readFile(join(projectRoot, path), 'utf8')),
  )
  const kept = [...(ignored ?? '').matchAll(/^!(.+)$/gm)].map(([, path]) => path)
  expect(kept).toEqual(expect.arrayContaining([...COPIED, 'package-lock.json', '.npmrc']))
  expect(image).toMatch(/^USER 10001$/m)
  expect(image).toMatch(/^ENV NETWORK=mainnet HOST=0\.0\.0\.0 DATA_DIR=\/var\/lib\/swap /m)
  const command = JSON.parse(/^ENTRYPOINT (.+)$/m.exec(image ?? '')?.[1] ?? '[]') as string[]
  const { scripts } = JSON.parse(manifest ?? '') as { readonly scripts: { readonly start: string } }
  expect(command.join(' ')).toBe(scripts.start)
})
