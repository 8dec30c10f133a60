import { CHAINS } from '../../engine/core/chain.ts'
import type { Data, Handler } from '../handler.ts'
import { logoPath } from '../http/logos.ts'

/** Lists the chains. Their logos need the address under which clients reach the service; null leaves them out. */
export const createChains = (publicUrl: string | null): Handler<'chains'> => {
  const list: Data<'chains'> = CHAINS.map(({ chainId, name, shortName, nativeCurrency, explorerUrl }) => {
    const logo = publicUrl && logoPath(shortName)
    return { chainId, name, shortName, nativeCurrency, explorerUrl, ...(logo && { logoUrl: publicUrl + logo }) }
  })
  return () => list
}
