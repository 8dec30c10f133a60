import { BITCOIN, SOLANA } from '../../core/chain.ts'
import type { Control } from './controls.ts'
import { badField, readAddress, readAmount, readChainId, readFields, readToken } from './fields.ts'

/** Gives an address more of a token out of nothing. Tells no venue: a faucet is not a payment. */
export const faucet: Control = async ({ tokens, evm, solana, bitcoin }, body) => {
  const fields = readFields(body, ['chainId', 'token', 'address', 'amount'])
  const chainId = readChainId(fields)
  const token = readToken(fields, chainId, tokens)
  const holder = readAddress(fields, 'address', chainId)
  const amount = readAmount(fields, 'amount')
  try {
    if (chainId === SOLANA) await solana.faucet(token, holder, amount)
    else if (chainId === BITCOIN) await bitcoin.faucet(holder, amount)
    else await evm.faucet({ chainId, token: token.address, holder, amount })
  } catch (error) {
    if (error instanceof RangeError) throw badField('amount', error.message)
    throw error
  }
  return { chainId, token: token.address, address: holder, amount: amount.toString() }
}
