import type { SeenTransaction } from '../../engine/chains/seen.ts'
import { decodeSolanaTransaction } from '../../engine/chains/solana/solanaCodec.ts'
import { readSolanaSignatures } from '../../engine/chains/solana/solanaSignatures.ts'
import { addressOf } from '../../engine/core/address.ts'
import type { BuiltSwap } from '../../engine/core/answers.ts'
import { parseTransactionId, type TransactionId } from '../../engine/core/transactionId.ts'
import { anOrder, WALLETS } from './anOrder.ts'
import { pair, TOKENS } from './fakeChains.ts'
import { movement, seenTransaction } from './fakeEvidence.ts'
import { finalAt } from './fakeSolana.ts'
import { createFakeVenue, type FakeVenue } from './fakeVenue.ts'
import { type SolanaSigner, solanaSigner } from './solanaSigner.ts'
import { createTestEngine, START_AT, type TestEngine, type TestEngineOptions } from './testEngine.ts'

/** A toy venue's Solana payments, signed and posted for the service to send. */

export const signer = solanaSigner(7)

export const order = anOrder({
  from: pair(TOKENS.usdcSolana),
  to: pair(TOKENS.usdcEthereum),
  amount: 1_000_000n,
  sender: addressOf('solana', signer.address),
  recipient: WALLETS.evm,
  broadcastViaService: true,
})

/** The last height the blockhash of every posted transaction serves at, as nodes tell it. */
export const LAST_HEIGHT = 1_000

export type SubmitStage = TestEngine & { readonly venue: FakeVenue }

export type StageChange = Pick<TestEngineOptions, 'store' | 'solana' | 'clock' | 'evidence' | 'caller'>

/** Another process over the same store, when one is given: that one is then its owner's to close. */
export const startSubmitStage = async (change: StageChange = {}): Promise<SubmitStage> => {
  const venue = createFakeVenue('toy', { now: () => START_AT })
  const started = await createTestEngine({ venues: [venue], ...change })
  started.chains.script.latestBlockhash = async () => ({
    blockhash: 'EETubP5AKHgjPAhzPAFcb8BAY1hMH639CWCFTqi3hq1k',
    lastValidBlockHeight: LAST_HEIGHT,
  })
  return { ...started, venue }
}

export const execute = ({ engine, context }: SubmitStage, quoteToken: string): Promise<BuiltSwap> =>
  engine.execute({ quoteToken, destinationAddress: null, refundAddress: null }, context)

export type Signed = {
  readonly quoted: string
  readonly statusRef: string
  readonly txHash: string
  readonly body: { readonly quoteToken: string; readonly signedTransaction: string }
}

/** Executes a quote, a new one when none is given, and signs what comes back; `by` as that wallet signs. */
export const sign = async (stage: SubmitStage, given?: string, by: SolanaSigner['sign'] = signer.sign): Promise<Signed> => {
  const quoted = given ?? (await stage.engine.quote(order, stage.context)).quoteToken
  const { payload, submission, statusRef } = await execute(stage, quoted)
  if (payload.executionType !== 'TRANSACTION' || !submission || !statusRef) throw new Error('nothing to submit')
  const signedTransaction = by(payload.transaction.serialized ?? '')
  const { txHash = '' } = (await readSolanaSignatures(signedTransaction)) ?? {}
  return { quoted, statusRef, txHash, body: { quoteToken: submission.quoteToken, signedTransaction } }
}

export const submit = ({ engine, context }: SubmitStage, { body }: Pick<Signed, 'body'>) =>
  engine.submitTransaction(body, context)

export const statusBy = ({ engine, context }: SubmitStage, quoteToken: string, ref: string) =>
  engine.status({ quoteToken, ref }, context)

export const status = (stage: SubmitStage, { quoted, statusRef }: Signed) => statusBy(stage, quoted, statusRef)

/** The last block that could hold what was posted is final, however far behind the node was that told its height. */
export const isOver = ({ solana }: SubmitStage): void => {
  solana.script.finality = finalAt(LAST_HEIGHT + 151)
}

/** What was signed as its chain shows it. */
export const seenOf = async ({ txHash, body }: Signed, wish: Partial<SeenTransaction> = {}): Promise<SeenTransaction> => {
  const signed = (await decodeSolanaTransaction(body.signedTransaction))?.instructions ?? []
  const instructions = signed.map(({ programId, accounts, data }, index) => ({
    index,
    program: programId,
    accounts: accounts.filter((account) => account !== null),
    data,
  }))
  return seenTransaction({
    chainId: -2,
    hash: parseTransactionId(-2, txHash) as TransactionId,
    instructions,
    movements: [movement(order.input, WALLETS.solana, order.inputAmount, { from: order.sender })],
    ...wish,
  })
}
