import type { Token } from '../../engine/core/asset.ts'
import type { components } from '../../generated/api.d.ts'

type ApiToken = components['schemas']['Token']

export const toToken = ({ chainId, address, symbol, name, decimals, isNative }: Token): ApiToken => ({
  chainId,
  address,
  symbol,
  name,
  decimals,
  isNative,
})
