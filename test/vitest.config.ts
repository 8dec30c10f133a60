import { defineConfig } from 'vitest/config'

/** Suites that keep nothing in modules: their files share a worker, which loads the product once. */
const SHARED = ['test/engine/**/*.test.ts', 'test/simnet/**/*.test.ts', 'test/venues/**/*.test.ts']
/** Between the product and the disk, or the product and its validator: they must be the first to load it. */
const ALONE = ['test/engine/store/tokenKeyRace.test.ts', 'test/venues/brokenAnswers.test.ts']

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    environment: 'node',
    // Two cores: more workers than that only make the chain processes wait for each other.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    projects: [
      { extends: true, test: { name: 'shared', include: SHARED, exclude: ALONE, isolate: false } },
      { extends: true, test: { name: 'own', include: ['test/**/*.test.ts'], exclude: SHARED } },
      { extends: true, test: { name: 'alone', include: ALONE } },
    ],
    coverage: {
      provider: 'v8',
      include: ['engine/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: { lines: 95 },
    },
  },
})
