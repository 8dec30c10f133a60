import { CHAINS } from '../../engine/core/chain.ts'
import type { Data, Handler } from '../handler.ts'

const LIST: Data<'chains'> = CHAINS.map(({ chainId, name, shortName, nativeCurrency, explorerUrl }) => ({
  chainId,
  name,
  shortName,
  nativeCurrency,
  explorerUrl,
}))

export const chains: Handler<'chains'> = () => LIST
