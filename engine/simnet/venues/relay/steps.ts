import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../chains/solana/solanaCodec.ts'
import { wordOf } from '../../kit/abiWords.ts'
import { littleEndian } from '../../kit/anchor.ts'
import type { PayloadTerms } from '../../kit/lies.ts'
import { SVM_DEPOSITORY } from './networks.ts'
import type { Deal } from './pricing.ts'
import { INSTRUCTIONS } from './svmDepository.ts'

/** A deal as it can be paid for. */
export type Payable = Deal & {
  readonly requestId: string
  readonly orderId: string
  /** Bitcoin is paid to an address of the request's own; null elsewhere. */
  readonly depositAddress: string | null
}

/** The steps to what the wallet is to do, faults included. */
type Steps = (payable: Payable & Pick<PayloadTerms, 'contract'>) => readonly unknown[]

const STEP = { action: 'Confirm transaction in your wallet', kind: 'transaction' }

const depositStep = ({ requestId, depositAddress }: Payable, data: unknown) => ({
  ...STEP,
  id: 'deposit',
  description: 'Depositing funds to the relayer to execute the swap',
  requestId,
  depositAddress: depositAddress ?? '',
  items: [{ status: 'incomplete', data, check: { endpoint: `/intents/status/v3?requestId=${requestId}`, method: 'GET' } }],
})

/** More than the nodes of the offline network ask for a unit of gas: 1 gwei at first, and less with every empty block. */
const FEES = { maxFeePerGas: '3000000000', maxPriorityFeePerGas: '1000000' }
/** approve(address,uint256), and of RelayDepository.sol depositNative(address,bytes32), depositErc20(address,address,uint256,bytes32). */
const CALLS = { approve: '0x095ea7b3', native: '0x49290c1c', erc20: '0xe8017952' } as const

const evmSteps: Steps = (payable) => {
  const { requestId, orderId, user, input, origin, contract: to, amount } = payable
  const from = { from: user.toLowerCase(), chainId: origin.id, ...FEES }
  const call = (kind: keyof typeof CALLS, ...args: readonly (string | bigint)[]) => CALLS[kind] + args.map(wordOf).join('')
  if (input.isNative)
    return [depositStep(payable, { ...from, to, data: call('native', user, orderId), value: amount.toString(), gas: '42000' })]
  const token = input.address.toLowerCase()
  const data = { ...from, to: token, data: call('approve', to, amount), value: '0' }
  const approval = { ...STEP, id: 'approve', description: 'Sign an approval', requestId, items: [{ status: 'incomplete', data }] }
  const deposit = { ...from, to, data: call('erc20', user, token, amount, orderId), value: '0', gas: '78000' }
  return [approval, depositStep(payable, deposit)]
}

const key = (pubkey: string, { isSigner = false, isWritable = false } = {}) => ({ pubkey, isSigner, isWritable })

/** Instructions of packages/solana-vm, relay-depository. */
const svmSteps: Steps = (payable) => {
  const { orderId, user, input, contract, amount } = payable
  const { state, vault } = SVM_DEPOSITORY
  const mint = input.address
  const program = input.program === 'token-2022' ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM
  const holding = (owner: string) => key(associatedTokenAddress(owner, mint, program), { isWritable: true })
  const sender = key(user, { isSigner: true, isWritable: true })
  const head = [key(state), sender, key(user), key(vault, { isWritable: input.isNative })]
  const tokenKeys = [key(mint), holding(user), holding(vault), key(program), key(ASSOCIATED_TOKEN_PROGRAM)]
  const { discriminator } = input.isNative ? INSTRUCTIONS.native : INSTRUCTIONS.token
  const deposit = {
    keys: [...head, ...(input.isNative ? [] : tokenKeys), key(SYSTEM_PROGRAM)],
    programId: contract,
    data: `${discriminator}${littleEndian(8, amount).toString('hex')}${wordOf(orderId)}`,
  }
  // SetComputeUnitLimit of 120,000.
  const budget = { keys: [], programId: COMPUTE_BUDGET_PROGRAM, data: '02c0d40100' }
  return [depositStep(payable, { instructions: [budget, deposit], addressLookupTableAddresses: [] })]
}

/** There is nothing to be signed. */
const bvmSteps: Steps = (payable) => [depositStep(payable, { amount: payable.amount.toString(), tokenSymbol: 'BTC' })]

/** The steps of an answer of /quote/v2. https://docs.relay.link/references/api/step-execution */
export const stepsOf: Steps = (payable) => ({ evm: evmSteps, svm: svmSteps, bvm: bvmSteps })[payable.origin.vm](payable)
