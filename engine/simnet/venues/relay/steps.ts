import { base58 } from '@scure/base'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAddress,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '../../../chains/solana/solanaCodec.ts'
import { wordOf } from '../../kit/abiWords.ts'
import { isSolverCurrency, SVM_DEPOSITORY } from './networks.ts'
import type { QuoteRequest } from './quoteRequest.ts'

const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111'

/** What the steps are to make the wallet do. Faults change it here. */
export type DepositPlan = {
  readonly requestId: string
  readonly orderId: string
  readonly contract: string
  readonly amount: bigint
  /** Null: the wallet calls the depository itself. */
  readonly depositAddress: string | null
}

const step = (plan: DepositPlan, id: string, data: unknown) => ({
  id,
  action: 'Confirm transaction in your wallet',
  description: id === 'approve' ? 'Sign an approval' : 'Depositing funds to the relayer to execute the swap',
  kind: 'transaction',
  requestId: plan.requestId,
  ...(id === 'approve' ? {} : { depositAddress: plan.depositAddress ?? '' }),
  items: [
    {
      status: 'incomplete',
      data,
      ...(id === 'approve' ? {} : { check: { endpoint: `/intents/status/v3?requestId=${plan.requestId}`, method: 'GET' } }),
    },
  ],
})

/** More than the nodes of the offline network ask for a unit of gas: 1 gwei at first, and less with every empty block. */
const FEES = { maxFeePerGas: '3000000000', maxPriorityFeePerGas: '1000000' }

const approveStep = ({ user, input, origin }: QuoteRequest, plan: DepositPlan, spender: string) =>
  step(plan, 'approve', {
    from: user.toLowerCase(),
    to: input.address.toLowerCase(),
    value: '0',
    chainId: origin.id,
    data: `0x095ea7b3${wordOf(spender)}${wordOf(plan.amount)}`,
    ...FEES,
  })

/** ApprovalProxy of relay-periphery v3: pulls the tokens, and has the router call whatever it is told to. */
const transferAndMulticall = ({ user, input }: QuoteRequest, { amount, orderId }: DepositPlan): string => {
  const heads = [0xe0n, 0x120n, 0x160n].map(wordOf)
  const tail = [wordOf(1n), wordOf(input.address), wordOf(1n), wordOf(amount), wordOf(0n), wordOf(32n), wordOf(orderId)]
  return `0xf9e4bab4${[...heads, wordOf(user), wordOf(user), wordOf(0x180n), wordOf(0n), ...tail].join('')}`
}

const swapSteps = (request: QuoteRequest, plan: DepositPlan) => {
  const { user, origin } = request
  const to = origin.approvalProxy
  const call = { from: user.toLowerCase(), to, data: transferAndMulticall(request, plan), value: '0', chainId: origin.id }
  return [approveStep(request, plan, to), step(plan, 'deposit', { ...call, gas: '412000', ...FEES })]
}

const transferTo = (address: string, { user, input, origin }: QuoteRequest, { amount }: DepositPlan) => {
  const call = { from: user.toLowerCase(), chainId: origin.id, ...FEES }
  if (input.isNative) return { ...call, to: address, data: '0x', value: amount.toString(), gas: '27300' }
  return { ...call, to: input.address.toLowerCase(), data: `0xa9059cbb${wordOf(address)}${wordOf(amount)}`, value: '0' }
}

const evmSteps = (request: QuoteRequest, plan: DepositPlan) => {
  const { user, input, origin } = request
  if (plan.depositAddress !== null) return [step(plan, 'deposit', transferTo(plan.depositAddress, request, plan))]
  if (!isSolverCurrency(input)) return swapSteps(request, plan)
  const call = { from: user.toLowerCase(), to: plan.contract, chainId: origin.id }
  if (input.isNative) {
    const data = `0x49290c1c${wordOf(user)}${wordOf(plan.orderId)}`
    return [step(plan, 'deposit', { ...call, data, value: plan.amount.toString(), gas: '42000', ...FEES })]
  }
  const data = `0xe8017952${wordOf(user)}${wordOf(input.address)}${wordOf(plan.amount)}${wordOf(plan.orderId)}`
  return [approveStep(request, plan, plan.contract), step(plan, 'deposit', { ...call, data, value: '0', gas: '78000', ...FEES })]
}

const key = (pubkey: string, { isSigner = false, isWritable = false } = {}) => ({ pubkey, isSigner, isWritable })

const littleEndian = (value: bigint): string => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes.toString('hex')
}

/** Instructions of packages/solana-vm, relay-depository. */
const svmSteps = ({ user, input }: QuoteRequest, plan: DepositPlan) => {
  const { state, vault } = SVM_DEPOSITORY
  const sender = key(user, { isSigner: true, isWritable: true })
  const head = [key(state), sender, key(user), key(vault, { isWritable: input.isNative })]
  const mint = input.address
  const program = input.program === 'token-2022' ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM
  const holding = (owner: string) => key(associatedTokenAddress(owner, mint, program), { isWritable: true })
  const tokenKeys = [key(mint), holding(user), holding(vault), key(program), key(ASSOCIATED_TOKEN_PROGRAM)]
  const discriminator = input.isNative ? '0d9e0ddf5fd51c06' : '0b9c60da27a3b413'
  const deposit = {
    keys: [...head, ...(input.isNative ? [] : tokenKeys), key(SYSTEM_PROGRAM)],
    programId: plan.contract,
    data: `${discriminator}${littleEndian(plan.amount)}${wordOf(plan.orderId)}`,
  }
  const limit = Buffer.alloc(5)
  limit.writeUInt8(2)
  limit.writeUInt32LE(120_000, 1)
  const budget = { keys: [], programId: COMPUTE_BUDGET_PROGRAM, data: limit.toString('hex') }
  return [step(plan, 'deposit', { instructions: [budget, deposit], addressLookupTableAddresses: [] })]
}

/** For an address of its own there is nothing to be signed. */
const bvmData = ({ depositAddress, orderId, amount }: DepositPlan) =>
  depositAddress === null ? { psbt: `70736274ff01${wordOf(orderId)}` } : { amount: amount.toString(), tokenSymbol: 'BTC' }

/** The steps of an answer of /quote/v2. https://docs.relay.link/references/api/step-execution */
export const stepsOf = (request: QuoteRequest, plan: DepositPlan): readonly unknown[] => {
  switch (request.origin.vm) {
    case 'evm':
      return evmSteps(request, plan)
    case 'svm':
      return svmSteps(request, plan)
    case 'bvm':
      return [step(plan, 'deposit', bvmData(plan))]
  }
}

/** Somebody else's address of a chain, for faults. */
export const strangerOn = (vm: QuoteRequest['origin']['vm']): string =>
  ({
    evm: '0x000000000000000000000000000000000000beef',
    svm: base58.encode(new Uint8Array(32).fill(9)),
    bvm: 'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
  })[vm]
