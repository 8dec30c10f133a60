import { defineConfig } from 'vitest/config'
import { createTierReport } from './support/tierReport.ts'

/**
 * Suites keep nothing in modules, so that their files share a worker: it loads the product once, and runs it warm. This
 * one stands between the product and its validator, and must be the first to load it.
 */
const ALONE = ['test/venues/brokenAnswers.test.ts']

/** The part of `npm run test:system`: suites that start a Debian program, PostgreSQL or several processes, or take over 10 s. */
const SYSTEM = [
  'test/{browser,clients}/**/*.test.ts',
  'test/judges/*.test.ts',
  'test/architecture.test.ts',
  'test/contract/prism.test.ts',
  'test/operator/{explain,keys,money,payments,swaps,terminal,tokenKeys,tool}.test.ts',
  'test/e2e/{cluster,databaseOutage,demo,integrateOffline,kills,log,nginx,outages}.test.ts',
  'test/e2e/{process,productionInstall,replicas}.test.ts',
  'test/e2e/own/*.test.ts',
  'test/api/databaseTrouble.test.ts',
  'test/engine/settlement/lanes.test.ts',
  'test/engine/shared/*.test.ts',
  'test/engine/store/{backup,postgres}.test.ts',
  'test/engine/x402/kills.test.ts',
  'test/venues/lineTrouble.test.ts',
  'test/regularExpressions.test.ts',
]

/** Suites of what has SQL of its own run over SQLite, and once more over PostgreSQL. Any other does with SWAP_TEST_DATABASE=postgresql. */
const OVER_BOTH = [
  'test/api/{status,submitTransaction,operatorPage}.test.ts',
  'test/api/{keys,keyEvents}.test.ts',
  'test/contract/dredd.test.ts',
  'test/engine/execution/{lifecycle,repeatedExecute}.test.ts',
  'test/engine/keys/keyStore.test.ts',
  'test/engine/ledger/{balances,fees,payouts}.test.ts',
  'test/engine/retention/retention.test.ts',
  'test/engine/settlement/settlement.test.ts',
  'test/engine/store/{port,records}.test.ts',
  'test/engine/webhooks/webhooks.test.ts',
  'test/engine/x402/exactlyOnce.test.ts',
  'test/e2e/restart.test.ts',
  'test/operator/{doctor,explain,money}.test.ts',
]

/** Each venue's first journey is part of `npm test`, its other journeys are part of `npm run test:system`. */
const JOURNEYS = 'test/e2e/journeys/*.test.ts'

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    environment: 'node',
    // Two cores: more workers than that only make the chain processes wait for each other.
    maxWorkers: 2,
    reporters: ['default', createTierReport((line) => process.stdout.write(`${line}\n`))],
    globalSetup: ['test/support/postgres/globalSetup.ts'],
    // What a machine three times slower needs, too: none of them is what a test is about.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['test/**/*.test.ts'],
          exclude: [...ALONE, ...SYSTEM, '**/node_modules/**'],
          isolate: false,
          env: { SWAP_TEST_TIER: 'quick' },
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE } },
      { extends: true, test: { name: 'system', include: [...SYSTEM, JOURNEYS], isolate: false } },
      {
        extends: true,
        test: { name: 'postgresql', include: OVER_BOTH, isolate: false, env: { SWAP_TEST_DATABASE: 'postgresql' } },
      },
    ],
    coverage: {
      // V8's own counters slow down all code, that of packages too, by half and more; these stand in what is counted alone.
      // A provider of our own writes less of what these count.
      provider: 'custom',
      customProviderModule: 'test/judges/coverage.ts',
      include: ['engine/**/*.ts'],
      exclude: ['engine/simnet/**'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { lines: 95 },
    },
  },
})
