import {
  type AddressLookupTableAccount,
  ComputeBudgetProgram,
  Connection,
  Keypair,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { keccak256, toBytes, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { solanaWallet } from '../../../../scripts/client/solana.ts'
import { executeAs, follow, fund, lastOf, type Open, statusOf } from '../../../../scripts/client/swap.ts'
import { NATIVE_SOL, SOLANA, USDC } from '../../../../scripts/client/tokens.ts'
import { only, startService, type TestService } from '../../../support/service.ts'
import { newAddress } from './payers.ts'
import { quoteFor, type Route, watchDelivery } from './routes.ts'

/** The service recognises a payment on Solana by its instruction, beside other instructions, for one swap. */

let service: TestService
beforeAll(async () => {
  service = await startService(only('relay', 'across', 'jupiter'))
})
afterAll(() => service.close())

const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'
const usdcOnBase = { chainId: 8453, token: USDC.base } as const
const from = { chainId: SOLANA, token: USDC.solana, amount: '250000000' } as const
const sol = { chainId: SOLANA, token: NATIVE_SOL, amount: '2000000000' } as const
const ROUTES: readonly Route[] = [
  { title: 'USDC by Relay', venue: 'relay', stepMs: 2_000, from, to: usdcOnBase },
  { title: 'SOL by Relay', venue: 'relay', stepMs: 2_000, from: sol, to: usdcOnBase },
  { title: 'USDC by Across', venue: 'across', stepMs: 3_000, from, to: usdcOnBase },
  { title: 'USDC to USDT by Jupiter', venue: 'jupiter', stepMs: 1_000, from, to: { chainId: SOLANA, token: USDT } },
]

let names = 0
const newWallet = async (): Promise<Keypair> => {
  names += 1
  const keypair = Keypair.fromSeed(toBytes(keccak256(toHex(`solana payer ${names}`))))
  await fund(service, SOLANA, keypair.publicKey.toBase58(), { [NATIVE_SOL]: '1000000000' })
  return keypair
}

type Swap = { readonly quoteToken: string; readonly serialized: string; readonly recipient: string }

const connection = () => new Connection(service.control.rpcUrl(SOLANA), 'confirmed')

const newRecipient = ({ to: { chainId } }: Route): string => {
  names += 1
  return chainId === SOLANA ? Keypair.fromSeed(toBytes(keccak256(toHex(`payee ${names}`)))).publicKey.toBase58() : newAddress()
}

const openSwap = async (route: Route, wallet: Keypair, recipient = newRecipient(route)): Promise<Swap> => {
  await service.control.advance(1_000)
  const sender = wallet.publicKey.toBase58()
  await fund(service, SOLANA, sender, { [route.from.token]: route.from.amount })
  const { quoteToken } = await quoteFor(service, route, { sender, recipient })
  const { transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
  return { quoteToken, serialized: transaction.serialized ?? '', recipient }
}

const messageOf = ({ serialized }: Swap) => VersionedTransaction.deserialize(Buffer.from(serialized, 'base64')).message

/** The lookup tables of a payload on the chain. */
const tablesOf = async (swap: Swap): Promise<readonly AddressLookupTableAccount[]> => {
  const found = messageOf(swap).addressTableLookups.map(({ accountKey }) => connection().getAddressLookupTable(accountKey))
  return (await Promise.all(found)).flatMap(({ value }) => value ?? [])
}

/** Lands the distinct instructions of several payloads in one transaction. Returns its signature. */
const SET_LIMIT = 2

const payTogether = async (swaps: readonly Swap[], signers: readonly [Keypair, ...Keypair[]]): Promise<string> => {
  const tables = (await Promise.all(swaps.map(tablesOf)))
    .flat()
    .filter(({ key }, at, all) => all.findIndex((one) => one.key.equals(key)) === at)
  const options = { addressLookupTableAccounts: tables }
  const all = swaps.flatMap((swap) => TransactionMessage.decompile(messageOf(swap), options).instructions)
  const isBudget = ({ programId }: (typeof all)[number]) => programId.toBase58().startsWith('ComputeBudget')
  const budget = all
    .filter(isBudget)
    .filter(({ data }, at, budgets) => budgets.findIndex((one) => one.data[0] === data[0]) === at)
    // One limit for both swaps.
    .map((one) => (one.data[0] === SET_LIMIT ? ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 }) : one))
  const { blockhash } = await connection().getLatestBlockhash()
  const instructions = [...budget, ...all.filter((one) => !isBudget(one))]
  const message = new TransactionMessage({ payerKey: signers[0].publicKey, recentBlockhash: blockhash, instructions })
  const transaction = new VersionedTransaction(message.compileToV0Message(tables))
  transaction.sign([...signers])
  return connection().sendRawTransaction(transaction.serialize())
}

const payAlone = async (swap: Swap, wallet: Keypair, options: { skipPreflight?: boolean } = {}): Promise<string> => {
  const transaction = new VersionedTransaction(messageOf(swap))
  transaction.sign([wallet])
  return connection().sendRawTransaction(transaction.serialize(), options)
}

/** Removes the input from a wallet. The returned function gives it back. */
const payAway = async ({ from: { token, amount } }: Route, { publicKey, secretKey }: Keypair): Promise<() => Promise<void>> => {
  const owner = publicKey.toBase58()
  const wallet = solanaWallet(service.control, secretKey.slice(0, 32))
  const to = (await newWallet()).publicKey.toBase58()
  if (token === NATIVE_SOL) await wallet.payCoins({ to, lamports: BigInt(amount) })
  else await wallet.payToken({ mint: token, to, amount: BigInt(amount), decimals: 6 })
  return () => fund(service, SOLANA, owner, { [token]: amount })
}

const stateOf = async ({ quoteToken }: Pick<Swap, 'quoteToken'>, ref: string) =>
  (await statusOf(service, { quoteToken, ref })).status

const expectSuccess = async (route: Route, { quoteToken, ref }: Open): Promise<bigint> => {
  const end = lastOf(await follow(service, { quoteToken, ref }, { stepMs: route.stepMs }))
  expect(end).toMatchObject({
    status: 'success',
    payments: [
      { kind: 'input', ...route.from, txHash: ref },
      { kind: 'output', ...route.to, txHash: end.txHash },
    ],
  })
  return BigInt(end.payments?.[1]?.amount ?? -1)
}

describe.each(ROUTES)('$title', (route) => {
  it("paid in one transaction with a stranger's swap: each succeeds by its own payment, and a third is not found", async () => {
    const [wallet, stranger] = [await newWallet(), await newWallet()]
    const own = await openSwap(route, wallet)
    const other = await openSwap(route, stranger)
    const unpaid = await openSwap(route, wallet, own.recipient)
    const changes = await watchDelivery(service, route, own.recipient)
    const ref = await payTogether([other, own], [stranger, wallet])
    expect(await stateOf(unpaid, ref)).toBe('not_found')
    const delivered = await expectSuccess(route, { ...own, ref })
    await expectSuccess(route, { ...other, ref })
    expect(await stateOf(unpaid, ref)).toBe('not_found')
    expect(await changes()).toEqual({ delivered })
  })

  it('whose transaction failed is failed, and the same payload paid later is a success', async () => {
    const wallet = await newWallet()
    const swap = await openSwap(route, wallet)
    const back = await payAway(route, wallet)
    const ref = await payAlone(swap, wallet, { skipPreflight: true })
    expect(await stateOf(swap, ref)).toBe('failed')
    await back()
    const good = await payTogether([swap], [wallet])
    await expectSuccess(route, { ...swap, ref: good })
    expect(await stateOf(swap, ref)).toBe('failed')
  })
})
