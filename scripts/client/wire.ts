import type { components, operations } from '../../generated/api.d.ts'

type Schemas = components['schemas']

/** Names for the service's requests and answers, generated from the contract. */
export type Quote = Schemas['Quote']
export type QuoteRequest = operations['quote']['requestBody']['content']['application/json']
export type Execution = Schemas['Execution']
export type ExecutionOf<T extends Execution['executionType']> = Extract<Execution, { executionType: T }>
export type Transaction = Schemas['ApprovalTransaction'] & { readonly serialized?: string }
export type Approval = Schemas['Approval']
export type TypedData = Schemas['TypedData']
export type Deposit = Schemas['Deposit']
export type Token = Schemas['Token']
export type SwapStatus = Schemas['SwapStatus']
export type Chain = Schemas['Chain']
export type KeyAccount = Schemas['KeyAccount']
export type Failure = Schemas['Failure']
