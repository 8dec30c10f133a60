import { readFileSync } from 'node:fs'

/** What `npm start` tells Node of memory, for whatever is measured of the service. Throws where it starts something else. */
export const serviceFlags = (): readonly string[] => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly scripts: { readonly start: string }
  }
  const [node, ...rest] = scripts.start.split(' ')
  if (node !== 'node' || rest.slice(-2).join(' ') !== 'scripts/run.cjs scripts/start.ts')
    throw new Error(`npm start is not what is measured: ${scripts.start}`)
  return rest.slice(0, -2)
}
