import type { Handler } from '../handler.ts'

export const btcCoverage: Handler<'btcCoverage'> = async ({ query: { chainId }, context }, engine) => {
  const { isFiltered, venuesByToken } = await engine.bitcoinCoverage({ chainId }, context)
  return { chainId, filtered: isFiltered, coverage: Object.fromEntries(venuesByToken) }
}
