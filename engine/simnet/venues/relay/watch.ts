import { keccakText } from '../../../chains/evm/evmCodec.ts'
import { SOLANA } from '../../../core/chain.ts'
import { addressAt, uintAt, wordAt } from '../../kit/abiWords.ts'
import type { SimLog, SimVenue } from '../../kit/simVenue.ts'
import { watchProgram } from '../../kit/watchProgram.ts'
import type { World } from '../../kit/world.ts'
import { currencyOf, networkOf } from './networks.ts'
import type { Requests } from './requests.ts'
import { type SeenDeposit, SVM_PROGRAM } from './svmDepository.ts'

/** Of RelayDepository.sol. */
const NATIVE_DEPOSIT = keccakText('RelayNativeDeposit(address,uint256,bytes32)')
const ERC20_DEPOSIT = keccakText('RelayErc20Deposit(address,address,uint256,bytes32)')

/** What an event of the depository tells of. */
const readEvent = ({ topics: [topic], data }: SimLog): readonly SeenDeposit[] => {
  if (topic !== NATIVE_DEPOSIT && topic !== ERC20_DEPOSIT) return []
  const [token, amountAt] = topic === NATIVE_DEPOSIT ? [null, 1] : [addressAt(data, 1), 2]
  return [{ token, amount: uintAt(data, amountAt), orderId: `0x${wordAt(data, amountAt + 1)}` }]
}

/** Watches the chains for payments of requests. */
export const watchPayments = (world: World, requests: Requests): Pick<SimVenue, 'onDeposit' | 'onTransaction'> => {
  const settle = ({ orderId, token, amount }: SeenDeposit, chainId: number, txHash: string): void => {
    const entry = requests.byOrderId(orderId)
    if (!entry || entry.origin.chainId !== chainId) return
    const { origin, input } = entry
    if (token === (input.isNative ? null : currencyOf(origin, input))) requests.pay(entry, { txHash, amount })
  }
  const isDepositOnSolana = watchProgram(world, SVM_PROGRAM, (seen, txHash) => settle(seen, SOLANA, txHash))

  /** By what happened, whatever wallet or router was called. */
  const onTransaction: SimVenue['onTransaction'] = (transaction) => {
    const { chainId, txHash, logs = [] } = transaction
    if (chainId === SOLANA) return isDepositOnSolana(transaction)
    const contract = networkOf(chainId)?.depository
    const deposits = logs.filter(({ address }) => address.toLowerCase() === contract).flatMap(readEvent)
    for (const deposit of deposits) settle(deposit, chainId, txHash)
    return deposits.length > 0
  }

  const onDeposit: SimVenue['onDeposit'] = ({ chainId, token, address, amount, txHash }) => {
    const [entry] = requests.atDepositAddress(address)
    if (!entry || entry.origin.chainId !== chainId) return false
    if (entry.input === world.tokens.find(chainId, token)) requests.pay(entry, { txHash, amount })
    return true
  }

  return { onDeposit, onTransaction }
}
