import { ComputeBudgetProgram, Keypair, Transaction, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { USDC } from '../../scripts/client/tokens.ts'
import { expectFailure, failingPaths } from '../support/expectFailure.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { COMPUTE_BUDGET, instruction, LIGHTHOUSE, type SolanaSigner, solanaSigner } from '../support/solanaSigner.ts'
import { ACCOUNT, allBut, TRANSACTION_SWAP } from '../support/swaps.ts'

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
afterEach(() => service.control.clearFaults())

const fund = ({ address }: SolanaSigner, lamports: bigint) =>
  service.control.faucet({ chainId: -2, token: SOL, address, amount: lamports.toString() })

const swapOf = ({ address }: SolanaSigner, change: object = {}) => ({
  inputChainId: -2 as const,
  outputChainId: 8453 as const,
  inputToken: SOL,
  outputToken: USDC.base,
  inputAmount: ONE_SOL.toString(),
  userAddress: address,
  destinationAddress: ACCOUNT.address,
  broadcastViaService: true,
  excludeVenues: allBut('relay'),
  ...change,
})

type Handed = {
  /** The token of the quote, and the one that came with the transaction. */
  readonly quoted: string
  readonly quoteToken: string
  readonly serialized: string
  readonly statusRef: string
  readonly expected: bigint
}

const execute = async (signer = wallet, change: object = {}): Promise<Handed> => {
  const quote = await service.call('quote', { body: swapOf(signer, change) })
  const { quoteToken: quoted, output } = quote
  const execution = await service.call('execute', { body: { quoteToken: quoted } })
  if (execution.executionType !== 'TRANSACTION') throw new Error(execution.executionType)
  const { transaction, submit, statusRef, quoteToken } = execution
  expect(submit).toEqual({ url: PATH })
  if (!transaction.serialized || !statusRef || !quoteToken) throw new Error('nothing to submit')
  return { quoted, quoteToken, serialized: transaction.serialized, statusRef, expected: BigInt(output.amount) }
}

const post = (body: unknown) => service.send('POST', PATH, { body })
const submit = (quoteToken: string, signedTransaction: string) =>
  service.call('submitTransaction', { body: { quoteToken, signedTransaction } })

const solana = async (method: string, params: readonly unknown[]): Promise<unknown> => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return ((await (await fetch(service.control.rpcUrl(-2), { ...init, body })).json()) as { result?: unknown }).result
}
/** The transactions of a wallet that are in a block, newest first. */
const landed = async ({ address }: SolanaSigner): Promise<readonly string[]> =>
  ((await solana('getSignaturesForAddress', [address, { commitment: 'confirmed' }])) as { signature: string }[]).map(
    ({ signature }) => signature,
  )
const lamports = async ({ address }: SolanaSigner): Promise<bigint> =>
  BigInt(((await solana('getBalance', [address])) as { value: number }).value)

const refuses = async (signedTransaction: string, { quoteToken }: Pick<Handed, 'quoteToken'>): Promise<string[]> => {
  const before = await landed(wallet)
  const details = expectFailure(await post({ quoteToken, signedTransaction }), 400, 'INVALID_REQUEST')
  expect(await landed(wallet)).toEqual(before)
  expect(failingPaths(details)).toContain('signedTransaction')
  return (details['fields'] as { reason: string }[]).map(({ reason }) => reason)
}

describe('submit-transaction', () => {
  it('sends the signed transaction, and the statusRef of execute leads to the end of the swap', async () => {
    const { quoteToken, serialized, statusRef, expected } = await execute()
    const before = await lamports(wallet)
    expect(await service.call('status', { query: { quoteToken, ref: statusRef } })).toMatchObject({ status: 'pending' })
    const { txHash } = await submit(quoteToken, wallet.sign(serialized))
    expect((await landed(wallet))[0]).toBe(txHash)
    expect(before - (await lamports(wallet))).toBe(ONE_SOL + 5_000n)
    expect(await service.call('status', { query: { quoteToken, ref: statusRef } })).toMatchObject({
      status: 'processing',
      venue: 'relay',
    })
    await service.control.advance(60_000)
    expect(await service.call('status', { query: { quoteToken, ref: statusRef } })).toMatchObject({
      status: 'success',
      deliveredAmount: expected.toString(),
      txHash: expect.stringMatching(/^0x/),
    })
  })

  it('accepts added compute-budget and guard instructions, and a legacy transaction with accounts in another order', async () => {
    const added = (serialized: string) =>
      wallet.signChanged(serialized, {
        instructions: (all) => [
          ComputeBudgetProgram.setComputeUnitLimit({ units: 400_000 }),
          ...all.filter(({ programId }) => programId.toBase58() !== COMPUTE_BUDGET),
          instruction(LIGHTHOUSE, Uint8Array.of(9, 0), [wallet.address]),
        ],
      })
    const reordered = (serialized: string) => {
      const { message } = VersionedTransaction.deserialize(Buffer.from(serialized, 'base64'))
      const { instructions, payerKey, recentBlockhash } = TransactionMessage.decompile(message)
      const legacy = new Transaction({ feePayer: payerKey, recentBlockhash }).add(...instructions)
      legacy.sign(Keypair.fromSeed(new Uint8Array(32).fill(41)))
      return legacy.serialize().toString('base64')
    }
    for (const signed of [added, reordered]) {
      const { quoteToken, serialized } = await execute()
      const { txHash } = await submit(quoteToken, signed(serialized))
      expect((await landed(wallet))[0]).toBe(txHash)
    }
  })

  it('in the sandbox checks the transaction, sends nothing and returns a synthetic hash [sandbox-no-broadcast]', async () => {
    const { quoteToken, serialized, statusRef } = await execute(wallet, { sandbox: true })
    const before = await landed(wallet)
    const signed = wallet.sign(serialized)
    const { txHash } = await submit(quoteToken, signed)
    expect(txHash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/)
    expect(await submit(quoteToken, signed)).toEqual({ txHash })
    expect(await landed(wallet)).toEqual(before)
    expect(await service.call('status', { query: { quoteToken, ref: statusRef } })).toMatchObject({ status: 'success' })
    expect(await refuses(serialized, { quoteToken })).toEqual([expect.stringContaining('is not signed')])
    const altered = wallet.signChanged(serialized, { instructions: (all) => all.slice(1) })
    expect(await refuses(altered, { quoteToken })).toEqual([expect.stringContaining('no longer makes the payment')])
  })

  it('refuses the token of the quote, and one of a swap that the wallet broadcasts [broadcast-own-token]', async () => {
    const { quoted, serialized } = await execute()
    const plain = (await service.call('quote', { body: TRANSACTION_SWAP })).quoteToken
    await service.call('execute', { body: { quoteToken: plain } })
    for (const quoteToken of [quoted, plain]) {
      const answer = await post({ quoteToken, signedTransaction: wallet.sign(serialized) })
      expect(failingPaths(expectFailure(answer, 400, 'INVALID_REQUEST'))).toEqual(['quoteToken'])
    }
  })

  it('refuses the transaction of another swap', async () => {
    const [one, other] = [await execute(), await execute()]
    const reason = expect.stringContaining('no longer makes the payment')
    expect(await refuses(wallet.sign(other.serialized), one)).toContainEqual(reason)
  })

  it('refuses a second signed transaction with the hash of the first [broadcast-own-token]', async () => {
    const handed = await execute()
    const { txHash } = await submit(handed.quoteToken, wallet.sign(handed.serialized))
    const other = wallet.signChanged(handed.serialized, {
      instructions: (all) => [ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1 }), ...all],
    })
    const before = await landed(wallet)
    const answer = await post({ quoteToken: handed.quoteToken, signedTransaction: other })
    expect(expectFailure(answer, 400, 'INVALID_REQUEST')).toMatchObject({ txHash })
    expect(await landed(wallet)).toEqual(before)
  })

  it('of a wallet that has too little by now receives 422, and 200 once it has enough', async () => {
    const poor = solanaSigner(43)
    await fund(poor, ONE_SOL + 10_000_000n)
    const [first, second] = [await execute(poor), await execute(poor)]
    await submit(first.quoteToken, poor.sign(first.serialized))
    const signed = poor.sign(second.serialized)
    const details = expectFailure(await post({ quoteToken: second.quoteToken, signedTransaction: signed }), 422, 'ORDER_REJECTED')
    expect(details).toMatchObject({ reason: 'insufficientFunds' })
    expect(await landed(poor)).toHaveLength(1)
    await fund(poor, 2n * ONE_SOL)
    const { txHash } = await submit(second.quoteToken, signed)
    expect((await landed(poor))[0]).toBe(txHash)
  })
})
