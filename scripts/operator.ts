import { enableCompileCache } from 'node:module'

/** The operator's tool: `npm run operator -- --help`. What Node makes of the sources is kept between starts. */
enableCompileCache()
const { runOperator } = await import('./operator/program.ts')
process.exitCode = await runOperator(process.argv.slice(2), process.env)
