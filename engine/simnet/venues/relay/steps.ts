import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../chains/solana/solanaCodec.ts'
import { wordOf } from '../../kit/abiWords.ts'
import { isSolverCurrency, SVM_DEPOSITORY } from './networks.ts'
import type { QuoteRequest } from './quoteRequest.ts'
import { CALLS } from './readDeposit.ts'
import { INSTRUCTIONS } from './svmDepository.ts'

/** What the steps are to make the wallet do, faults included. */
export type DepositPlan = {
  readonly requestId: string
  readonly orderId: string
  readonly contract: string
  readonly amount: bigint
  /** Null: the wallet calls the depository itself. */
  readonly depositAddress: string | null
}

type Make<T> = (request: QuoteRequest, plan: DepositPlan) => T

const STEP = { action: 'Confirm transaction in your wallet', kind: 'transaction' }

const depositStep = ({ requestId, depositAddress }: DepositPlan, data: unknown) => ({
  ...STEP,
  id: 'deposit',
  description: 'Depositing funds to the relayer to execute the swap',
  requestId,
  depositAddress: depositAddress ?? '',
  items: [{ status: 'incomplete', data, check: { endpoint: `/intents/status/v3?requestId=${requestId}`, method: 'GET' } }],
})

/** More than the nodes of the offline network ask for a unit of gas: 1 gwei at first, and less with every empty block. */
const FEES = { maxFeePerGas: '3000000000', maxPriorityFeePerGas: '1000000' }

const approveStep = ({ user, input, origin }: QuoteRequest, { requestId, amount }: DepositPlan, spender: string) => {
  const call = { from: user.toLowerCase(), to: input.address.toLowerCase(), value: '0', chainId: origin.id, ...FEES }
  const data = { ...call, data: `0x095ea7b3${wordOf(spender)}${wordOf(amount)}` }
  return { ...STEP, id: 'approve', description: 'Sign an approval', requestId, items: [{ status: 'incomplete', data }] }
}

/** ApprovalProxy of relay-periphery v3: pulls the tokens, and has the router call whatever it is told to. */
const transferAndMulticall: Make<string> = ({ user, input }, { amount, orderId }) => {
  const heads = [0xe0n, 0x120n, 0x160n].map(wordOf)
  const tail = [wordOf(1n), wordOf(input.address), wordOf(1n), wordOf(amount), wordOf(0n), wordOf(32n), wordOf(orderId)]
  return `0xf9e4bab4${[...heads, wordOf(user), wordOf(user), wordOf(0x180n), wordOf(0n), ...tail].join('')}`
}

/** The call that pays, its value left out where it moves tokens. */
const depositCall: Make<{ to: string; data: string; value?: string; gas?: string }> = (request, plan) => {
  const { user, input, origin } = request
  const { depositAddress, contract, amount, orderId } = plan
  const value = amount.toString()
  if (depositAddress !== null && input.isNative) return { to: depositAddress, data: '0x', value, gas: '27300' }
  if (depositAddress !== null)
    return { to: input.address.toLowerCase(), data: `0xa9059cbb${wordOf(depositAddress)}${wordOf(amount)}` }
  if (!isSolverCurrency(input)) return { to: origin.approvalProxy, data: transferAndMulticall(request, plan), gas: '412000' }
  if (input.isNative) return { to: contract, data: `${CALLS.native}${wordOf(user)}${wordOf(orderId)}`, value, gas: '42000' }
  const words = [user, input.address, amount, orderId].map(wordOf)
  return { to: contract, data: `${CALLS.erc20}${words.join('')}`, gas: '78000' }
}

const evmSteps: Make<readonly unknown[]> = (request, plan) => {
  const { user, input, origin } = request
  const call = depositCall(request, plan)
  const deposit = depositStep(plan, { from: user.toLowerCase(), chainId: origin.id, value: '0', ...call, ...FEES })
  return input.isNative || plan.depositAddress !== null ? [deposit] : [approveStep(request, plan, call.to), deposit]
}

const key = (pubkey: string, { isSigner = false, isWritable = false } = {}) => ({ pubkey, isSigner, isWritable })

/** Instructions of packages/solana-vm, relay-depository. */
const svmSteps: Make<readonly unknown[]> = ({ user, input }, plan) => {
  const { state, vault } = SVM_DEPOSITORY
  const mint = input.address
  const program = input.program === 'token-2022' ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM
  const holding = (owner: string) => key(associatedTokenAddress(owner, mint, program), { isWritable: true })
  const sender = key(user, { isSigner: true, isWritable: true })
  const head = [key(state), sender, key(user), key(vault, { isWritable: input.isNative })]
  const tokenKeys = [key(mint), holding(user), holding(vault), key(program), key(ASSOCIATED_TOKEN_PROGRAM)]
  const amount = Buffer.alloc(8)
  amount.writeBigUInt64LE(plan.amount)
  const { discriminator } = input.isNative ? INSTRUCTIONS.native : INSTRUCTIONS.token
  const deposit = {
    keys: [...head, ...(input.isNative ? [] : tokenKeys), key(SYSTEM_PROGRAM)],
    programId: plan.contract,
    data: `${discriminator}${amount.toString('hex')}${wordOf(plan.orderId)}`,
  }
  // SetComputeUnitLimit of 120,000.
  const budget = { keys: [], programId: COMPUTE_BUDGET_PROGRAM, data: '02c0d40100' }
  return [depositStep(plan, { instructions: [budget, deposit], addressLookupTableAddresses: [] })]
}

/** For an address of its own there is nothing to be signed. */
const bvmData = ({ depositAddress, orderId, amount }: DepositPlan) =>
  depositAddress === null ? { psbt: `70736274ff01${wordOf(orderId)}` } : { amount: amount.toString(), tokenSymbol: 'BTC' }

/** The steps of an answer of /quote/v2. https://docs.relay.link/references/api/step-execution */
export const stepsOf: Make<readonly unknown[]> = (request, plan) => {
  switch (request.origin.vm) {
    case 'evm':
      return evmSteps(request, plan)
    case 'svm':
      return svmSteps(request, plan)
    case 'bvm':
      return [depositStep(plan, bvmData(plan))]
  }
}
