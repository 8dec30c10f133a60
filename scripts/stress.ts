import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { projectRoot } from './contract/document.ts'

/** `npm run stress`: kills, sweep and soak one after the other, each with its defaults. Exits 1 when one of them failed. */
const failed = ['kills', 'sweep', 'soak'].filter((name) => {
  const { status } = spawnSync(process.execPath, [join(projectRoot, 'scripts', `${name}.ts`)], { stdio: 'inherit' })
  return status !== 0
})
process.stdout.write(failed.length === 0 ? 'Stress passed.\n' : `Stress failed: ${failed.join(', ')}.\n`)
process.exitCode = failed.length === 0 ? 0 : 1
