import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '../../scripts/contract/document.ts'
import { ownProcesses, ready, type ServiceProcess, spawnWith } from './serviceProcess.ts'
import { temporaryFolder } from './support.ts'

/** The service with the packages that `npm ci --omit=dev` installs, and no others. */

const COPIED = ['engine', 'generated', 'handlers', 'scripts', 'openapi.yaml', 'package.json']

type Lock = { readonly packages: { readonly [path: string]: { readonly dev?: boolean; readonly devOptional?: boolean } } }

const root = temporaryFolder()
const { dataDir, own } = ownProcesses()

/** The packages that hang directly under node_modules; what lies below one comes with it. */
const installed = async (): Promise<readonly string[]> => {
  const { packages } = JSON.parse(await readFile(join(projectRoot, 'package-lock.json'), 'utf8')) as Lock
  return Object.entries(packages).flatMap(([path, { dev, devOptional }]) =>
    /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) && !dev && !devOptional ? [path] : [],
  )
}

beforeAll(async () => {
  for (const path of COPIED) await cp(join(projectRoot, path), join(root, path), { recursive: true })
  for (const path of await installed()) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await symlink(join(projectRoot, path), join(root, path))
  }
})

/** Without the flags a link leads to where all packages are. */
const start = (network: string, entry = 'scripts/start.ts'): ServiceProcess => {
  const env = { HOME: root, NETWORK: network, PORT: '0', SIMNET_CONTROL_PORT: '0', DATA_DIR: dataDir() }
  const args = ['--preserve-symlinks', '--preserve-symlinks-main', join(root, entry)]
  return own(spawnWith(env, process.execPath, args, 'pipe', root))
}

describe('after npm ci --omit=dev', () => {
  it('the service runs on mainnet and answers [install-production]', async () => {
    const service = start('mainnet')
    const { url } = await ready(service)
    const health = await fetch(`${url}/api/v1/health`)
    expect([health.status, await health.json()]).toMatchObject([200, { data: { status: 'ok' } }])
    expect((await fetch(`${url}/api/v1/chains`)).status).toBe(200)
    service.child.kill('SIGTERM')
    expect(await service.ended).toEqual({ code: 0, signal: null })
  })

  it.each(['scripts/start.ts', 'scripts/simnet.ts'])(
    '%s fails with one line about the missing packages of the offline network',
    async (entry) => {
      const { ended, stderr } = start('simnet', entry)
      expect((await ended).code).toBe(1)
      expect(stderr().trimEnd().split('\n')).toEqual([
        expect.stringMatching(
          /^The offline network .*\(@across-protocol\/contracts, .*, @uniswap\/uniswapx-sdk, litesvm, rolldown\).*npm ci --include=dev/,
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
