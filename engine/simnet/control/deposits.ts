import type { Control } from './controls.ts'
import { readAddress, readAmount, readChainId, readFields, readToken } from './fields.ts'

/** Someone paid an address. Nobody's balance is asked for. */
export const deposits: Control = ({ tokens, deliveries }, body) => {
  const fields = readFields(body, ['chainId', 'token', 'address', 'amount'])
  const chainId = readChainId(fields)
  return deliveries.deposit({
    chainId,
    token: readToken(fields, chainId, tokens).address,
    address: readAddress(fields, 'address', chainId),
    amount: readAmount(fields, 'amount'),
  })
}
