import { AUTHORIZATION_CANCELED_TOPIC, AUTHORIZATION_USED_TOPIC } from '../chains/evm/evmAuthorizations.ts'
import { topicOf } from '../chains/evm/evmMovements.ts'
import type { SeenTransaction } from '../chains/seen.ts'
import type { EvmPayment } from './evmAuthorization.ts'

const CLOSING: readonly unknown[] = [AUTHORIZATION_USED_TOPIC, AUTHORIZATION_CANCELED_TOPIC]

/**
 * The effect of a transaction on an authorization, by the token's logs right after that of its use. `paid`: the demanded
 * transfer. `other`: it cancelled the authorization, or used it for another purpose. `nothing`: neither is visible.
 * https://github.com/circlefin/stablecoin-evm/blob/master/contracts/v2/EIP3009.sol
 */
export const paidBy = (seen: SeenTransaction, { authorization, payTo, amount }: EvmPayment): 'paid' | 'other' | 'nothing' => {
  const { chainId, token, authorizer, nonce } = authorization
  if (seen.chainId !== chainId || !seen.isSuccess) return 'nothing'
  const own = seen.logs.filter(({ address }) => address === token.toLowerCase())
  const at = own.findIndex(({ topics: [topic, by, of] }) => CLOSING.includes(topic) && by === topicOf(authorizer) && of === nonce)
  if (at < 0) return 'nothing'
  const moved = seen.movements.find(({ place }) => place === `log:${own[at + 1]?.index}`)
  const isUsed = own[at]?.topics[0] === AUTHORIZATION_USED_TOPIC
  const isOurs = moved?.token === token && moved.from === authorizer && moved.to === payTo && moved.amount === amount
  return isUsed && isOurs ? 'paid' : 'other'
}
