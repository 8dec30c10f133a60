/**
 * Runs the offline network alone, for a client or a service in another process: `npm run --silent simnet`. Reads
 * SIMNET_CONTROL_PORT (4010) and SIMNET_SEED (another at each start). Standard output gets the environment of a service that is to use it.
 */
import { parseConfig } from '../engine/config/config.ts'
import { PortInUseError } from '../engine/simnet/kit/loopbackServer.ts'
import { MissingPackagesError } from '../engine/simnet/requirePackages.ts'
import { startSimnet } from '../engine/simnet/simnet.ts'
import { liveEnvironment } from './liveEnvironment.ts'

const say = (line: string) => process.stderr.write(`${line}\n`)

const main = async (): Promise<void> => {
  const simnet = await startSimnet(parseConfig(process.env).simnet)
  say('Offline network: every venue, price and chain here is simulated, and nothing has value.')
  say(`Control: ${simnet.controlUrl}`)
  for (const [id, { baseUrl }] of Object.entries(simnet.venues)) say(`Venue ${id}: ${baseUrl}`)
  for (const [name, value] of Object.entries(liveEnvironment(simnet))) process.stdout.write(`${name}=${value}\n`)
  const stop = () => {
    simnet.close().then(
      () => process.exit(0),
      (error: unknown) => {
        say(`Stopped with an error: ${String(error)}`)
        process.exit(1)
      },
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

const explain = (error: unknown): string => {
  if (error instanceof PortInUseError) return `${error.message}; set SIMNET_CONTROL_PORT to another one`
  return error instanceof MissingPackagesError ? `${error.message}.` : String(error)
}

main().catch((error: unknown) => {
  say(explain(error))
  process.exit(1)
})
