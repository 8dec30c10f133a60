import { enableCompileCache } from 'node:module'

/**
 * The process entry of `npm start`. Node caches the compiled sources between starts, which makes later starts a third faster. The
 * cache must be enabled before the first import.
 */
enableCompileCache()
const { run } = await import('./serviceProcess.ts')
await run()
