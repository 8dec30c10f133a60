import { addPartner } from '../../../engine/keys/issueKey.ts'
import { openBenchStore, type VenueChoice } from '../product/benchEngine.ts'
import { createBenchServer } from '../product/benchServer.ts'
import { serveParent, settingsOf } from './parent.ts'

export type ProductSettings = { readonly venues: VenueChoice; readonly isEngineStubbed: boolean }

const main = async (): Promise<void> => {
  const store = openBenchStore()
  // Asked for a key, it gives one out that charges a fee, as most do, and has no limit worth speaking of.
  serveParent(await createBenchServer({ ...settingsOf<ProductSettings>(), store }), async () => {
    const terms = { kind: 'selfServe', feeBps: 25, requestsPerMinute: Number.MAX_SAFE_INTEGER } as const
    return (await (await store).transaction((parts) => addPartner(parts, terms, null))).apiKey
  })
}

await main()
