import { enableCompileCache } from 'node:module'

/** The entry of a process that scripts/cluster.ts starts; see start.ts. */
enableCompileCache()
const { runWorker } = await import('./cluster/worker.ts')
await runWorker()
