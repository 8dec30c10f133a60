import { observeToLog } from '../../../engine/observe/jsonLog.ts'
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
  const sink = createBenchSink()
  const observe = observeToLog(sink)
  const engine = await createBenchEngine(chosenVenues(venues), sink)
  const app = createApp(isEngineStubbed ? await stubQuotes(engine) : engine, {
    trustedProxies: [],
    keysPerAddressPerMinute: 1_000_000_000,
    validateResponses: false,
    observe,
  })
  serveParent(createServer(app, { observe }))
}

await main()
