import type { Engine } from '../../../engine/engine.ts'
import { ANYBODY, sampleOrder } from './sample.ts'

/** The same engine, but its quotes cost nothing. */
export const stubQuotes = async (engine: Engine): Promise<Engine> => {
  const quote = await engine.quote(sampleOrder(), {
    requestId: 'stub',
    caller: ANYBODY,
    client: 'bench',
    signal: new AbortController().signal,
  })
  return { ...engine, quote: async () => quote }
}
