import type { Abi } from 'abitype'
import { type CallOf, namedArguments } from '../../chains/evm/abiFields.ts'
import { readExactCall } from '../../chains/evm/exactCall.ts'
import { type Address, ZERO_EVM_ADDRESS } from '../../core/address.ts'
import { bpsOf } from '../../core/amount.ts'
import type { ClaimedFee } from '../../core/execution.ts'
import { failing } from '../../core/failing.ts'
import { COLLECT_COINS, COLLECT_TOKENS, FORWARD_COINS, FORWARD_TOKENS } from './abi.ts'
import type { Step } from './calls.ts'
import { SERVICE_FEE } from './published.ts'

type Share = { readonly recipient: Address; readonly amount: bigint }

/** The fee contracts of a chain, and the recipients of LI.FI's own fee. */
export type FeeContracts = {
  readonly forwarders: readonly Address[]
  readonly collectors: readonly Address[]
  readonly treasuries: readonly Address[]
}

/** The fees of a step; null where it takes none, `unread` where it cannot be read. */
const readShares = async (step: Step, { forwarders, collectors }: FeeContracts): Promise<readonly Share[] | 'unread' | null> => {
  const { callTo, callData, sendingAssetId } = step
  const isOfCoins = sendingAssetId === ZERO_EVM_ADDRESS
  const read = async <const A extends Abi>(abi: A): Promise<CallOf<A> | null> => {
    const args = await readExactCall(abi as never, callData)
    return args && namedArguments(abi, args)
  }
  if (forwarders.includes(callTo)) {
    const forwarded = isOfCoins ? await read(FORWARD_COINS) : await read(FORWARD_TOKENS)
    if (forwarded === null || ('token' in forwarded && forwarded.token !== sendingAssetId)) return 'unread'
    return forwarded.shares as readonly Share[]
  }
  if (collectors.includes(callTo)) {
    const collected = isOfCoins ? await read(COLLECT_COINS) : await read(COLLECT_TOKENS)
    if (collected === null || ('token' in collected && collected.token !== sendingAssetId)) return 'unread'
    const { integrator, integratorFee, serviceFee } = collected
    const own = integratorFee > 0n ? [{ recipient: integrator, amount: integratorFee }] : []
    return [...own, { recipient: SERVICE_FEE.recipient, amount: serviceFee }]
  }
  return null
}

/** The input and the output of a call's steps. */
type Span = { readonly input: { readonly token: Address; readonly amount: bigint }; readonly output: Address }

/** Null for no steps, and for steps without an input. */
export const spanOf = (steps: readonly Step[]): Span | null => {
  const [first, last] = [steps[0], steps.at(-1)]
  if (first === undefined || last === undefined || first.fromAmount === 0n) return null
  return { input: { token: first.sendingAssetId, amount: first.fromAmount }, output: last.receivingAssetId }
}

/** The input of a call's steps, and the amount left after fees. */
export type ReadSteps = Span & {
  /** All fees, in the input token. */
  readonly fees: bigint
  readonly fee: ClaimedFee | null | 'unproved'
  /** Null where an exchange changes the token, or more than one call uses it. */
  readonly left: bigint | null
  readonly unread: readonly string[]
}

/** The share of the input in basis points; null where it is no whole number of them, to the unit. */
const bpsIn = (amount: bigint, whole: bigint): number | null => {
  const bps = (amount * 10_000n + whole / 2n) / whole
  const apart = amount * 10_000n - bps * whole
  return apart < 10_000n && apart > -10_000n ? Number(bps) : null
}

const sumOf = (shares: readonly Share[]): bigint => shares.reduce((sum, { amount }) => sum + amount, 0n)

/** Beside LI.FI's own fee there may be one more, of one account. */
const feeOf = (shares: readonly Share[], input: bigint, treasuries: readonly Address[]): ReadSteps['fee'] => {
  const [own, ...others] = shares.filter(({ recipient }) => !treasuries.includes(recipient))
  if (own === undefined) return null
  const bps = others.length === 0 && own.amount > 0n ? bpsIn(own.amount, input) : null
  return bps === null || bps === 0 ? 'unproved' : { recipient: own.recipient, bps }
}

const isCoins = (token: Address): boolean => token === ZERO_EVM_ADDRESS

/**
 * Reads the steps before a delivery. An exchange cannot be read, and need not be: its caller enforces the least output. Only the
 * first step takes an input from the wallet.
 */
export const readSteps = async (steps: readonly Step[], contracts: FeeContracts): Promise<ReadSteps | null> => {
  const [[first, ...others], span] = [steps, spanOf(steps)]
  if (first === undefined || span === null) return null
  const { token, amount } = span.input
  const taken = await readShares(first, contracts)
  const shares = taken === null || taken === 'unread' ? [] : taken
  const fees = sumOf(shares)
  const service = sumOf(shares.filter(({ recipient }) => contracts.treasuries.includes(recipient)))
  const later = await Promise.all(others.map((step) => readShares(step, contracts)))
  const fee = feeOf(shares, amount, contracts.treasuries)
  const left = amount - fees
  return {
    ...span,
    fees,
    fee,
    left: taken === null || others.length > 0 ? null : left,
    unread: failing({
      'what fees are taken': taken !== 'unread' && fee !== 'unproved' && fees < amount,
      'a fee taken later': later.every((found) => found === null),
      'a service fee above what is published': service <= bpsOf(amount, SERVICE_FEE.bpsMax) + 1n,
      // Fee contracts are known. A step of an unknown contract must change the token, as an exchange does.
      'another fee contract': [taken, ...later].every(
        (found, at) => found !== null || steps[at]?.sendingAssetId !== steps[at]?.receivingAssetId,
      ),
      'fees in another token': taken === null || first.receivingAssetId === token,
      'an allowance for others than who takes the fee': taken === null || first.approveTo === first.callTo,
      'less than is left': taken === null || others[0] === undefined || others[0].fromAmount === left,
      'what is taken from the wallet':
        (isCoins(token) || first.requiresDeposit) &&
        others.every((step) => !step.requiresDeposit || isCoins(step.sendingAssetId)),
      'steps that do not follow each other': steps.every(
        (step, at) => at === 0 || steps[at - 1]?.receivingAssetId === step.sendingAssetId,
      ),
    }),
  }
}
