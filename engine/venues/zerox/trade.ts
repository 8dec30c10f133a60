import { PERMIT2 } from '../../chains/evm/permit2.ts'
import { hashTypedAs } from '../../chains/evm/typedKind.ts'
import type { Hex, TypedData } from '../../core/execution.ts'
import { isSameAddress } from '../kit/addresses.ts'
import { TRADE } from './protocol.ts'
import type { WireGasless } from './wire.ts'

/** The hash that a wallet signs for a trade in the domain of Permit2; null for typed data of another type. */
export const hashOfTrade = async (typedData: TypedData): Promise<Hex | null> => {
  const { name, verifyingContract = '' } = typedData.domain
  return name === 'Permit2' && isSameAddress(verifyingContract, PERMIT2) ? hashTypedAs(typedData, TRADE) : null
}

/** In the form that wallets accept: the chain ignores the case of addresses. */
export const tradeToSign = ({ trade: { eip712 } }: WireGasless): TypedData => ({
  ...eip712,
  domain: { ...eip712.domain, verifyingContract: PERMIT2 },
})
