import { ComputeBudgetProgram, Connection, Keypair, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { keccak256, toBytes, toHex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { executeAs, fund, statusOf } from '../../../../scripts/client/swap.ts'
import { NATIVE_SOL, SOLANA } from '../../../../scripts/client/tokens.ts'
import { only, startService, type TestService } from '../../../support/service.ts'
import { COINS_OF, dollars, USDC_ON, units } from '../../sides.ts'
import { newAddress } from './payers.ts'
import { expectSuccess, quoteFor, type Route, watchDelivery } from './routes.ts'

let service: TestService
beforeAll(async () => {
  service = await startService(only('relay', 'across'))
})
afterAll(() => service.close())

let names = 0
const newWallet = async (): Promise<Keypair> => {
  names += 1
  const keypair = Keypair.fromSeed(toBytes(keccak256(toHex(`solana payer ${names}`))))
  await fund(service, SOLANA, keypair.publicKey.toBase58(), { [NATIVE_SOL]: '1000000000' })
  return keypair
}

const openSwap = async (route: Route, wallet: Keypair, recipient = newAddress()) => {
  await service.control.advance(1_000)
  const sender = wallet.publicKey.toBase58()
  await fund(service, SOLANA, sender, { [route.from.token]: route.from.amount })
  const { quoteToken } = await quoteFor(service, route, { sender, recipient })
  const { transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
  const { message } = VersionedTransaction.deserialize(Buffer.from(transaction.serialized ?? '', 'base64'))
  return { quoteToken, recipient, instructions: TransactionMessage.decompile(message).instructions }
}

it.each<[string, Route]>([
  ['USDC by Relay', { venue: 'relay', stepMs: 2_000, from: dollars(USDC_ON.solana), to: USDC_ON.base }],
  ['USDC by Across', { venue: 'across', stepMs: 3_000, from: dollars(USDC_ON.solana), to: USDC_ON.base }],
  ['SOL by Relay', { venue: 'relay', stepMs: 2_000, from: units(COINS_OF.solana, '2000000000'), to: USDC_ON.base }],
])(
  "%s, paid in one transaction with a stranger's swap: each succeeds by its own payment, and a third is not found",
  async (_title, route) => {
    const [wallet, stranger] = [await newWallet(), await newWallet()]
    const own = await openSwap(route, wallet)
    const other = await openSwap(route, stranger)
    const unpaid = await openSwap(route, wallet, own.recipient)
    const changes = await watchDelivery(service, route, own.recipient)
    const stateOf = async (ref: string) => (await statusOf(service, { quoteToken: unpaid.quoteToken, ref })).status

    const connection = new Connection(service.control.rpcUrl(SOLANA), 'confirmed')
    const { blockhash } = await connection.getLatestBlockhash()
    const paying = [other, own].flatMap(({ instructions }) => instructions)
    const payments = paying.filter(({ programId }) => !programId.equals(ComputeBudgetProgram.programId))
    const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 })
    // Two deposits of Across, which set no limit, leave no room for one in a packet.
    const instructions = payments.length < paying.length ? [limit, ...payments] : payments
    const message = new TransactionMessage({ payerKey: stranger.publicKey, recentBlockhash: blockhash, instructions })
    const transaction = new VersionedTransaction(message.compileToV0Message())
    transaction.sign([stranger, wallet])
    const ref = await connection.sendRawTransaction(transaction.serialize())

    expect(await stateOf(ref)).toBe('not_found')
    const delivered = await expectSuccess(service, route, { ...own, ref })
    await expectSuccess(service, route, { ...other, ref })
    expect(await stateOf(ref)).toBe('not_found')
    expect(await changes()).toEqual({ delivered })
  },
)
