import { createApp } from '../../../handlers/app.ts'
import { createServer } from '../../../handlers/http/server.ts'
import { chosenVenues, createBenchEngine, type VenueChoice } from '../product/benchEngine.ts'
import { createBenchSink } from '../product/benchSink.ts'
import { stubQuotes } from '../product/stubQuotes.ts'
import { serveParent, settingsOf } from './parent.ts'

export type ProductSettings = {
  readonly venues: VenueChoice
  /** Every quote is the same one, made beforehand: leaves the edge alone. */
  readonly isEngineStubbed: boolean
}

const main = async (): Promise<void> => {
  const { venues, isEngineStubbed } = settingsOf<ProductSettings>()
  const log = createBenchSink()
  const engine = await createBenchEngine(chosenVenues(venues), log)
  const app = createApp(isEngineStubbed ? await stubQuotes(engine) : engine, {
    trustedProxies: [],
    validateResponses: false,
    log,
  })
  serveParent(createServer(app, { log }))
}

await main()
