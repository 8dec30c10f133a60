import { enableCompileCache } from 'node:module'

/**
 * The process entry of `npm start`. What Node makes of the sources is kept between starts, which takes a third off the
 * second one; that must be switched on before anything is imported.
 */
enableCompileCache()
const { run } = await import('./serve.ts')
await run()
