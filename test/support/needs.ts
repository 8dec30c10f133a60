import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** A program, or a property of the machine, that some suites need and `npm ci` does not install. */
type Need = {
  /** Debian packages that provide the program; null where no package can. */
  readonly debian: string | null
  /** Test files that need the program, or folders of such files. */
  readonly suites: readonly string[]
  isThere(): boolean
}

const succeeds = (program: string, ...args: readonly string[]): boolean => {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export const CHROMIUM = '/usr/bin/chromium'

const OTHER_LANGUAGES = ['test/clients/guide.test.ts', 'test/clients/verifyWebhooks.test.ts']

/** Everything that suites need beside node, npm, sh and coreutils. A suite is skipped through this table and in no other way. */
export const NEEDS = {
  'redis-server': {
    debian: 'redis-server',
    suites: ['test/engine/shared/redis.test.ts', 'test/operator/doctor.test.ts', 'test/e2e/replicas.test.ts'],
    isThere: () => succeeds('redis-server', '--version') && succeeds('redis-cli', '--version'),
  },
  promtool: {
    debian: 'prometheus',
    suites: ['test/engine/observe/metrics/metrics.test.ts', 'test/e2e/metrics.test.ts', 'test/e2e/outages.test.ts'],
    isThere: () => succeeds('promtool', '--version'),
  },
  nginx: {
    debian: 'nginx-light openssl',
    suites: ['test/e2e/nginx.test.ts'],
    isThere: () => succeeds('nginx', '-v') && succeeds('openssl', 'version'),
  },
  chromium: {
    debian: 'chromium',
    suites: ['test/browser/', 'test/clients/browser.test.ts', 'test/clients/browserPays.test.ts'],
    isThere: () => existsSync(CHROMIUM),
  },
  go: {
    debian: 'golang-go',
    suites: ['test/clients/otherLanguages.test.ts', ...OTHER_LANGUAGES],
    isThere: () => succeeds('go', 'version'),
  },
  python3: {
    debian: 'python3-httpx mypy',
    suites: ['test/clients/otherLanguages.test.ts', ...OTHER_LANGUAGES],
    // Debian installs httpx for its own Python, which need not be the first on PATH.
    isThere: () => succeeds('/usr/bin/python3', '-c', 'import httpx') && succeeds('mypy', '--version'),
  },
  javac: {
    debian: 'default-jdk-headless',
    suites: OTHER_LANGUAGES,
    isThere: () => succeeds('javac', '-version'),
  },
  php: {
    debian: 'php-cli php-curl',
    suites: OTHER_LANGUAGES,
    isThere: () => succeeds('php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);'),
  },
  bash: { debian: 'bash', suites: ['test/clients/guide.test.ts'], isThere: () => succeeds('bash', '--version') },
  curl: {
    debian: 'curl',
    suites: ['test/e2e/guides.test.ts', 'test/e2e/integrateOffline.test.ts'],
    isThere: () => succeeds('curl', '--version'),
  },
  script: { debian: 'bsdutils', suites: ['test/operator/terminal.test.ts'], isThere: () => succeeds('script', '--version') },
  ps: {
    debian: 'procps',
    suites: ['test/simnet/simnet.test.ts', 'test/e2e/log.test.ts', 'test/e2e/process.test.ts', 'test/e2e/cluster.test.ts'],
    isThere: () => succeeds('ps', '-eo', 'pid='),
  },
  prlimit: {
    debian: 'util-linux',
    suites: ['test/engine/net/httpClient.test.ts', 'test/e2e/outages.test.ts', 'test/e2e/process.test.ts'],
    isThere: () => succeeds('prlimit', '--version'),
  },
  // Some containers allow no network of their own, so nobody insists on it.
  unshare: {
    debian: 'util-linux iproute2',
    suites: ['test/e2e/process.test.ts'],
    isThere: () => succeeds('unshare', '-rn', 'ip', 'link', 'set', 'lo', 'up'),
  },
  mkfifo: {
    debian: 'coreutils',
    suites: ['test/engine/config/config.test.ts', 'test/e2e/log.test.ts'],
    isThere: () => succeeds('mkfifo', '--version'),
  },
  linux: {
    debian: null,
    suites: ['test/e2e/log.test.ts', 'test/operator/tool.test.ts'],
    isThere: () => process.platform === 'linux',
  },
} as const satisfies { readonly [name: string]: Need }

export type NeedName = keyof typeof NEEDS

const names = Object.keys(NEEDS) as NeedName[]

const found = new Map<NeedName, boolean>()

const isThere = (name: NeedName): boolean => {
  const known = found.get(name) ?? NEEDS[name].isThere()
  found.set(name, known)
  return known
}

/** What this machine lacks. */
export const missingNeeds = (): readonly NeedName[] => names.filter((name) => !isThere(name))

/**
 * Whether a suite must be skipped, for `describe.skipIf`. Throws in CI, where `.ci/run` installs everything.
 */
export const lacks = (...needed: readonly NeedName[]): boolean => {
  const missing = needed.filter((name) => !isThere(name))
  if (missing.length > 0 && process.env['CI'])
    throw new Error(missing.map((name) => `${name} is missing: ${howToInstall(name)}`).join('; '))
  return missing.length > 0
}

/** How an operator installs what is missing. */
export const howToInstall = (name: NeedName): string => {
  const { debian } = NEEDS[name]
  return debian === null ? 'this machine cannot have it' : `apt-get install ${debian}`
}

/** Whether a test file needs something that is missing, by the table. */
export const isExplained = (path: string, missing: readonly NeedName[]): boolean =>
  missing.some((name) => NEEDS[name].suites.some((suite) => path.startsWith(suite)))
