import { readFileSync } from 'node:fs'
import manifest from '../package.json' with { type: 'json' }

const judges = JSON.parse(readFileSync(new URL('../test/judges/package.json', import.meta.url), 'utf8')) as {
  dependencies: { [name: string]: string }
}

/** Finds unused code. An export that its own file uses is not reported: it names a part of the file's contract. */
const config = {
  entry: [
    // Started by scripts/run.cjs.
    ...Object.values(manifest.scripts).map((command) => command.split(' ').find((word) => word.endsWith('.ts')) ?? ''),
    'scripts/*.{ts,cjs}',
    'scripts/bench/servers/*.ts',
    'scripts/contracts/*.ts',
    'scripts/kills/preload.ts',
    'scripts/mutation/{session,worker}.ts',
    'test/contract/dreddHooks.cjs',
    // Loaded by pages.
    '{engine,handlers}/**/browser/*.js',
  ],
  project: [
    'engine/**/*.ts',
    'handlers/**/*.ts',
    '{engine,handlers}/**/browser/*.js',
    'scripts/**/*.{ts,cjs}',
    'test/**/*.{ts,cjs}',
  ],
  ignoreExportsUsedInFile: true,
  ignoreDependencies: [
    // Those of test/judges: imported there, started by their path, or read as data.
    ...Object.keys(judges.dependencies),
    // Started or read by their path in node_modules, without an import.
    '@cowprotocol/contracts',
    '@foundry-rs/anvil',
    '@solana/errors',
    // Served to browsers, found by their paths.
    'swagger-ui-dist',
    // Dredd puts it there for hook files.
    'hooks',
  ],
  // Programs of the machine, installed by .ci/run.
  ignoreBinaries: ['go', 'mkfifo', 'nginx', 'openssl', 'prlimit', 'promtool', 'redis-server', 'script'],
  vitest: { config: ['test/vitest.config.ts'] },
}

export default config
