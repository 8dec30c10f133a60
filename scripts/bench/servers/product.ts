import { addPartner } from '../../../engine/keys/issueKey.ts'
import { observeToLog } from '../../../engine/observe/jsonLog.ts'
import { createApp } from '../../../handlers/app.ts'
import { createServer } from '../../../handlers/http/server.ts'
import { chosenVenues, createBenchEngine, openBenchStore, type VenueChoice } from '../product/benchEngine.ts'
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
  const store = openBenchStore()
  const engine = await createBenchEngine(chosenVenues(venues), sink, {}, store)
  const app = createApp(isEngineStubbed ? await stubQuotes(engine) : engine, {
    trustedProxies: [],
    keysPerAddressPerMinute: 1_000_000_000,
    validateResponses: false,
    observe,
  })
  // Asked for a key, it gives one out that charges a fee, as most do, and has no limit worth speaking of.
  serveParent(createServer(app, { observe }), async () => {
    const terms = { kind: 'selfServe', feeBps: 25, requestsPerMinute: Number.MAX_SAFE_INTEGER } as const
    return (await (await store).transaction((parts) => addPartner(parts, terms, null))).apiKey
  })
}

await main()
