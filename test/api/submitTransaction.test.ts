import { ComputeBudgetProgram, Keypair, Transaction, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { USDC } from '../../scripts/client/tokens.ts'
import type { QuoteRequest } from '../../scripts/client/wire.ts'
import { expectFailure, failingPaths } from '../support/expectFailure.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { instruction, LIGHTHOUSE, type SolanaSigner, solanaSigner } from '../support/solanaSigner.ts'
import { ACCOUNT, allBut, DEPOSIT_SWAP, SIGNATURE_SWAP, TRANSACTION_SWAP } from '../support/swaps.ts'

const PATH = '/api/v1/submit-transaction'
const SOL = 'So11111111111111111111111111111111111111112'
const ONE_SOL = 1_000_000_000n

let service: TestService
const wallet = solanaSigner(41)

beforeAll(async () => {
  service = await startService(only('across', 'cow', 'near-intents', 'relay'))
  await fund(wallet, 50n * ONE_SOL)
})
afterAll(() => service.close())
// Two equal swaps of one second are refused.
afterEach(() => service.control.advance(1_000))

const fund = ({ address }: SolanaSigner, lamports: bigint) =>
  service.control.faucet({ chainId: -2, token: SOL, address, amount: lamports.toString() })

const swapOf = ({ address }: SolanaSigner) => ({
  inputChainId: -2 as const,
  outputChainId: 8453 as const,
  inputToken: SOL,
  outputToken: USDC.base,
  inputAmount: ONE_SOL.toString(),
  userAddress: address,
  destinationAddress: ACCOUNT.address,
  excludeVenues: allBut('relay'),
})

const build = async (swap: QuoteRequest) => {
  const { quoteToken } = await service.call('quote', { body: swap })
  return { quoted: quoteToken, execution: await service.call('execute', { body: { quoteToken } }) }
}

/** A transaction for the service to send, with the token of its quote and the one that came with it. */
const execute = async (signer = wallet, change: object = {}) => {
  const { quoted, execution } = await build({ ...swapOf(signer), broadcastViaService: true, ...change })
  if (execution.executionType !== 'TRANSACTION') throw new Error(execution.executionType)
  const { transaction, statusRef, quoteToken } = execution
  if (!transaction.serialized || !statusRef || !quoteToken) throw new Error('nothing to submit')
  return { quoted, quoteToken, serialized: transaction.serialized, statusRef }
}

const post = (quoteToken: string, signedTransaction: string) =>
  service.send('POST', PATH, { body: { quoteToken, signedTransaction } })
const submit = (quoteToken: string, signedTransaction: string) =>
  service.call('submitTransaction', { body: { quoteToken, signedTransaction } })

/** The transactions of a wallet that are in a block, newest first. */
const landed = async ({ address }: SolanaSigner): Promise<readonly string[]> => {
  const call = { jsonrpc: '2.0', id: 1, method: 'getSignaturesForAddress', params: [address, { commitment: 'confirmed' }] }
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(call) }
  const { result } = (await (await fetch(service.control.rpcUrl(-2), init)).json()) as { result: { signature: string }[] }
  return result.map(({ signature }) => signature)
}

const refuses = async (quoteToken: string, signedTransaction: string): Promise<string[]> => {
  const before = await landed(wallet)
  const details = expectFailure(await post(quoteToken, signedTransaction), 400, 'INVALID_REQUEST')
  expect(await landed(wallet)).toEqual(before)
  expect(failingPaths(details)).toContain('signedTransaction')
  return (details['fields'] as { reason: string }[]).map(({ reason }) => reason)
}

it.each([
  ['an EVM TRANSACTION', TRANSACTION_SWAP],
  ['a SIGNATURE', SIGNATURE_SWAP],
  ['a DEPOSIT', DEPOSIT_SWAP],
])('broadcastViaService: changes no field of %s [broadcast-flag]', async (_what, swap) => {
  const asked = (await build({ ...swap, broadcastViaService: true })).execution
  await service.control.advance(1_000)
  const plain = (await build(swap)).execution
  expect(Object.keys(asked).toSorted()).toEqual(Object.keys(plain).toSorted())
  expect(asked).not.toHaveProperty('quoteToken')
})

it('broadcastViaService: adds submit and statusRef to a Solana TRANSACTION, which has neither without it [broadcast-flag]', async () => {
  const plain = (await build(swapOf(wallet))).execution
  expect(Object.keys(plain)).toEqual(['executionType', 'transaction', 'proof'])
  const asked = (await build({ ...swapOf(wallet), broadcastViaService: true })).execution
  expect(asked).toMatchObject({ submit: { url: PATH }, statusRef: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
})

it('submit-transaction: accepts a legacy transaction with an added guard instruction', async () => {
  const { quoteToken, serialized } = await execute()
  const { message } = VersionedTransaction.deserialize(Buffer.from(serialized, 'base64'))
  const { instructions, payerKey, recentBlockhash } = TransactionMessage.decompile(message)
  const guard = instruction(LIGHTHOUSE, Uint8Array.of(9, 0), [wallet.address])
  const legacy = new Transaction({ feePayer: payerKey, recentBlockhash }).add(...instructions, guard)
  legacy.sign(Keypair.fromSeed(new Uint8Array(32).fill(41)))
  const { txHash } = await submit(quoteToken, legacy.serialize().toString('base64'))
  expect((await landed(wallet))[0]).toBe(txHash)
})

it('submit-transaction: in the sandbox checks the transaction, sends nothing and returns a synthetic hash [sandbox-no-broadcast]', async () => {
  const { quoteToken, serialized, statusRef } = await execute(wallet, { sandbox: true })
  const before = await landed(wallet)
  const signed = wallet.sign(serialized)
  const { txHash } = await submit(quoteToken, signed)
  expect(txHash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/)
  expect(await submit(quoteToken, signed)).toEqual({ txHash })
  expect(await landed(wallet)).toEqual(before)
  expect(await service.call('status', { query: { quoteToken, ref: statusRef } })).toMatchObject({ status: 'success' })
  expect(await refuses(quoteToken, serialized)).toEqual([expect.stringContaining('is not signed')])
  const altered = wallet.signChanged(serialized, { instructions: (all) => all.slice(1) })
  expect(await refuses(quoteToken, altered)).toEqual([expect.stringContaining('no longer makes the payment')])
})

it('submit-transaction: refuses the token of the quote, and one of a swap that the wallet broadcasts [broadcast-own-token]', async () => {
  const { quoted, serialized } = await execute()
  const plain = (await build(TRANSACTION_SWAP)).quoted
  for (const quoteToken of [quoted, plain]) {
    const answer = await post(quoteToken, wallet.sign(serialized))
    expect(failingPaths(expectFailure(answer, 400, 'INVALID_REQUEST'))).toEqual(['quoteToken'])
  }
})

it('submit-transaction: refuses the transaction of another swap, and a second one with the hash of the first [broadcast-own-token]', async () => {
  const [{ quoteToken, serialized }, other] = [await execute(), await execute()]
  const reason = expect.stringContaining('no longer makes the payment')
  expect(await refuses(quoteToken, wallet.sign(other.serialized))).toContainEqual(reason)
  const { txHash } = await submit(quoteToken, wallet.sign(serialized))
  const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1 })
  const before = await landed(wallet)
  const answer = await post(quoteToken, wallet.signChanged(serialized, { instructions: (all) => [price, ...all] }))
  expect(expectFailure(answer, 400, 'INVALID_REQUEST')).toMatchObject({ txHash })
  expect(await landed(wallet)).toEqual(before)
})

it('submit-transaction: receives 422 for a wallet that has too little by now, and 200 once it has enough', async () => {
  const poor = solanaSigner(43)
  await fund(poor, ONE_SOL + 10_000_000n)
  const [first, second] = [await execute(poor), await execute(poor)]
  await submit(first.quoteToken, poor.sign(first.serialized))
  const signed = poor.sign(second.serialized)
  const details = expectFailure(await post(second.quoteToken, signed), 422, 'ORDER_REJECTED')
  expect(details).toMatchObject({ reason: 'insufficientFunds' })
  expect(await landed(poor)).toHaveLength(1)
  await fund(poor, 2n * ONE_SOL)
  const { txHash } = await submit(second.quoteToken, signed)
  expect((await landed(poor))[0]).toBe(txHash)
})
