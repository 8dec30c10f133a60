import { defineConfig } from 'vitest/config'

/**
 * Suites keep nothing in modules, so that their files share a worker: it loads the product once, and runs it warm. These
 * stand between the product and the disk, or the product and its validator, and must be the first to load it.
 */
const ALONE = ['test/engine/store/tokenKeyRace.test.ts', 'test/venues/brokenAnswers.test.ts']

/**
 * Told the same whatever keeps the records, and by SQL of their own: these run once more, over PostgreSQL. Any other does
 * with SWAP_TEST_DATABASE=postgresql.
 */
const OVER_BOTH = [
  'test/api/{execute,status,submitSignature,submitTransaction}.test.ts',
  'test/api/{keys,keyEvents}.test.ts',
  'test/contract/dredd.test.ts',
  'test/engine/keys/keyStore.test.ts',
  'test/engine/ledger/{fees,payouts}.test.ts',
  'test/engine/settlement/settlement.test.ts',
  'test/engine/webhooks/webhookSender.test.ts',
  'test/e2e/restart.test.ts',
  'test/operator/{doctor,explain,money}.test.ts',
]

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    environment: 'node',
    // Two cores: more workers than that only make the chain processes wait for each other.
    maxWorkers: 2,
    globalSetup: ['test/support/postgres/globalSetup.ts'],
    // What a machine three times slower needs, too: none of them is what a test is about.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    projects: [
      { extends: true, test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: ALONE, isolate: false } },
      { extends: true, test: { name: 'alone', include: ALONE } },
      {
        extends: true,
        test: { name: 'postgresql', include: OVER_BOTH, isolate: false, env: { SWAP_TEST_DATABASE: 'postgresql' } },
      },
    ],
    coverage: {
      // V8's own counters slow down all code, that of packages too, by half and more; these stand in what is counted alone.
      // A provider of our own writes less of what these count.
      provider: 'custom',
      customProviderModule: 'test/support/coverage.ts',
      include: ['engine/**/*.ts'],
      exclude: ['engine/simnet/**'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { lines: 95 },
    },
  },
})
