import type { BuiltSwap } from '../../engine/core/answers.ts'
import type { TypedData, WalletTransaction } from '../../engine/core/execution.ts'
import type { Proof } from '../../engine/core/proof.ts'
import type { Approval } from '../../engine/core/swap.ts'
import type { components } from '../../generated/api.d.ts'
import { toToken } from './token.ts'

type ApiExecution = components['schemas']['Execution']
type ApiApproval = components['schemas']['Approval']
type ApiProof = components['schemas']['Proof']
type ApiTransaction = components['schemas']['Transaction']
type ApiApprovalTransaction = components['schemas']['ApprovalTransaction']

const SUBMIT_SIGNATURE = '/api/v1/submit-signature'
const SUBMIT_TRANSACTION = '/api/v1/submit-transaction'

const toTransaction = ({ to, data, value, chainId, serialized }: WalletTransaction): ApiTransaction => ({
  to,
  data,
  value: value.toString(),
  chainId,
  ...(serialized !== undefined && { serialized }),
})

const toApprovalTransaction = ({ to, data, value, chainId }: WalletTransaction): ApiApprovalTransaction => ({
  to,
  data,
  value: value.toString(),
  chainId,
})

export const toApproval = ({ token, spender, amount, transaction, reset }: Approval): ApiApproval => ({
  token,
  spender,
  amount: amount.toString(),
  transaction: toApprovalTransaction(transaction),
  ...(reset && { reset: toApprovalTransaction(reset) }),
})

export const toProof = ({ recipient, minimum, refund }: Proof): ApiProof => ({ recipient, minimum, refund })

/** In the form of viem and ethers: ethers refuses types that name the domain, as those of some venues do. */
const toTypedData = ({ types: { EIP712Domain: _domain, ...types }, ...rest }: TypedData): TypedData => ({ ...rest, types })

/** The additional fields of a transaction that the service broadcasts. */
const toSubmission = ({ submission, statusRef }: BuiltSwap) =>
  submission &&
  statusRef !== null && { submit: { url: SUBMIT_TRANSACTION } as const, statusRef, quoteToken: submission.quoteToken }

export const toExecution = (swap: BuiltSwap): ApiExecution => {
  const { payload, approval, ignored } = swap
  const assurance = { proof: toProof(swap.proof), ...(ignored.length > 0 && { ignored: [...ignored] }) }
  const approvalStep = approval && { approval: toApproval(approval) }
  switch (payload.executionType) {
    case 'TRANSACTION':
      return {
        executionType: 'TRANSACTION',
        ...approvalStep,
        transaction: toTransaction(payload.transaction),
        ...assurance,
        ...toSubmission(swap),
      }
    case 'SIGNATURE':
      return {
        executionType: 'SIGNATURE',
        ...approvalStep,
        typedData: toTypedData(payload.typedData),
        ...(payload.approvalData && { approvalData: toTypedData(payload.approvalData) }),
        ...assurance,
        submit: { url: SUBMIT_SIGNATURE },
      }
    case 'DEPOSIT': {
      const { address, amount, chainId } = payload.deposit
      return {
        executionType: 'DEPOSIT',
        deposit: { address, amount: amount.toString(), chainId, token: toToken(payload.token) },
        ...assurance,
        statusRef: address,
      }
    }
  }
}
