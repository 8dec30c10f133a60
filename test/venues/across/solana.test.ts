import { Connection, Keypair, PublicKey, TransactionInstruction, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { createPublicClient, createWalletClient, encodeFunctionData, erc20Abi, type Hex, http } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ChainEvidence, createChainEvidence } from '../../../engine/chains/chainEvidence.ts'
import { createChains } from '../../../engine/chains/createChains.ts'
import { createEndpointHealth } from '../../../engine/chains/endpoints/endpointHealth.ts'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import { addressOf } from '../../../engine/core/address.ts'
import { NATIVE_SOL } from '../../../engine/core/asset.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import { parseTransactionId } from '../../../engine/core/transactionId.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { acrossContracts } from '../../../engine/simnet/contracts/acrossContracts.ts'
import { type Simnet, startSimnet } from '../../../engine/simnet/simnet.ts'
import { createAcross } from '../../../engine/simnet/venues/across/across.ts'
import { across } from '../../../engine/venues/across/venue.ts'
import type { Venue } from '../../../engine/venues/venue.ts'
import { controlNetwork, type NetworkControl } from '../../../scripts/client/network.ts'
import { unnoticed } from '../../support/unnoticed.ts'
import { account, never, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { NATIVE, SVM_SPOKE, USDC, usdcOrder } from './support.ts'

/** A deposit from Solana on the offline chain: what the program takes, and what it fails with. */

const HOUR = 3_600_000
const AMOUNT = 250_000_000n
/** The instructions the vendor's SDK orders: vault, approval, deposit, memo. */
const [APPROVE_AT, DEPOSIT_AT] = [1, 2]

let simnet: Simnet
let control: NetworkControl
let connection: Connection
let venue: Venue
let evidence: ChainEvidence
let keypair: Keypair
let people = 0
const client = createHttpClient()

beforeAll(async () => {
  simnet = await startSimnet({
    controlPort: 0,
    seed: 'across',
    venues: [{ id: 'across', create: createAcross, contracts: acrossContracts }],
  })
  control = controlNetwork(simnet.controlUrl)
  connection = new Connection(control.rpcUrl(-2), 'confirmed')
  const rpcUrls = Object.fromEntries(Object.entries(simnet.rpcUrls).map(([chainId, url]) => [chainId, [url]]))
  const { baseUrl, settings } = simnet.venues['across'] ?? { baseUrl: '', settings: {} }
  const chains = createChains({ rpcUrls, http: client })
  const { clock } = simnet
  evidence = createChainEvidence({ rpcUrls, http: client, clock, health: createEndpointHealth({ clock }) })
  venue = across.create(
    { baseUrl, apiKey: null, settings },
    { http: client, chains, clock: simnet.clock, wellVenues: () => [], notice: unnoticed },
  )
}, 30_000)
afterAll(async () => {
  await client.close()
  await simnet.close()
})
beforeEach(async () => {
  people += 1
  keypair = Keypair.fromSeed(new Uint8Array(32).fill(people))
  await fund(NATIVE_SOL, 10_000_000n)
})

const fund = (token: string, amount: bigint) =>
  control.faucet({ chainId: -2, token, address: keypair.publicKey.toBase58(), amount: amount.toString() })

const seenOn = async (chainId: ChainId, text: string | null | undefined): Promise<SeenTransaction> => {
  const hash = parseTransactionId(chainId, text ?? '')
  const seen = hash && (await evidence.transaction({ chainId, hash }, never()))
  if (!seen) throw new Error('no such transaction')
  return seen
}

const opened = async () => {
  const sender = addressOf('solana', keypair.publicKey.toBase58())
  const swap = await swapOf(venue, usdcOrder({ from: [-2, USDC.solana], to: [8453, USDC.base], amount: AMOUNT, sender }))
  return { swap, built: VersionedTransaction.deserialize(Buffer.from(transactionOf(swap.execution).data, 'base64')) }
}

/** With its instructions changed, on a fresh block. */
const changed = async (
  built: VersionedTransaction,
  change: (instructions: TransactionInstruction[]) => readonly TransactionInstruction[],
): Promise<VersionedTransaction> => {
  const message = TransactionMessage.decompile(built.message)
  message.instructions = [...change(message.instructions)]
  message.recentBlockhash = (await connection.getLatestBlockhash()).blockhash
  return new VersionedTransaction(message.compileToV0Message())
}

const refusalOf = async (transaction: VersionedTransaction) => {
  const { value } = await connection.simulateTransaction(transaction)
  transaction.sign([keypair])
  await expect(connection.sendRawTransaction(transaction.serialize())).rejects.toThrow('Transaction simulation failed')
  return { err: value.err, logs: value.logs?.join('\n') ?? '' }
}

const withDeposit =
  (change: (deposit: TransactionInstruction) => Partial<TransactionInstruction>) => (all: TransactionInstruction[]) =>
    all.map((instruction, index) => {
      if (index !== DEPOSIT_AT) return instruction
      const { programId, keys, data } = { ...instruction, ...change(instruction) }
      return new TransactionInstruction({ programId, keys, data })
    })

test('takes the input in the transaction, uses up the approval, and is filled', async () => {
  await fund(USDC.solana, AMOUNT + 5n)
  const { swap, built } = await opened()
  built.sign([keypair])
  const signature = await connection.sendRawTransaction(built.serialize())
  const meta = (await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 }))?.meta
  const ofPayer = (balances: NonNullable<typeof meta>['preTokenBalances']) =>
    balances?.filter(({ owner }) => owner === keypair.publicKey.toBase58()).map(({ uiTokenAmount }) => uiTokenAmount.amount)
  expect([meta?.err, ofPayer(meta?.preTokenBalances), ofPayer(meta?.postTokenBalances)]).toEqual([
    null,
    [(AMOUNT + 5n).toString()],
    ['5'],
  ])
  expect(meta?.logMessages).toContain(`Program ${SVM_SPOKE} success`)
  const { value } = await connection.getParsedTokenAccountsByOwner(keypair.publicKey, { mint: new PublicKey(USDC.solana) })
  expect(value[0]?.account.data.parsed.info).not.toHaveProperty('delegate')
  const told = await venue.events?.inputs(await seenOn(-2, signature), swap)
  const took = { token: USDC.solana, amount: AMOUNT }
  expect(told).toEqual([{ place: expect.stringMatching(/^instruction:/), orderId: expect.stringMatching(/:\d+$/), took }])
  await control.advance(60_000)
  const word = await venue.tracker?.track(signature, swap, never())
  expect(word).toMatchObject({ state: 'success', venueStatus: 'filled', paidBy: [signature] })
  // It is filled by the id that the program told.
  const filled = await seenOn(8453, word?.txHash)
  expect(await venue.events?.outputs(filled, swap, [told?.[0]?.orderId ?? ''])).toHaveLength(1)
}, 60_000)

test('a fill on Solana is told by its program, and the recipient has what it tells', async () => {
  const recipient = addressOf('solana', keypair.publicKey.toBase58())
  const swap = await swapOf(venue, usdcOrder({ to: [-2, USDC.solana], recipient }))
  for (const [token, amount] of [
    [NATIVE, 10n ** 18n],
    [USDC.base, AMOUNT],
  ] as const)
    await control.faucet({ chainId: 8453, token, address: account.address, amount: amount.toString() })
  const transport = http(control.rpcUrl(8453))
  const [wallet, base] = [createWalletClient({ account, transport }), createPublicClient({ transport })]
  const { to, data } = transactionOf(swap.execution)
  const approval = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [to as Hex, AMOUNT] })
  const send = async (call: { to: Hex; data: Hex }) => {
    const hash = await wallet.sendTransaction({ ...call, chain: null })
    return base.waitForTransactionReceipt({ hash })
  }
  await send({ to: USDC.base, data: approval })
  const { transactionHash } = await send({ to: to as Hex, data: data as Hex })
  const [paid] = (await venue.events?.inputs(await seenOn(8453, transactionHash), swap)) ?? []
  await control.advance(60_000)
  const word = await venue.tracker?.track(transactionHash, swap, never())
  const filled = await seenOn(-2, word?.txHash)
  const amount = swap.execution.slippage?.guaranteedMin
  expect(await venue.events?.outputs(filled, swap, [paid?.orderId ?? ''])).toEqual([
    { place: expect.stringMatching(/^instruction:/), amount },
  ])
  expect(await venue.events?.outputs(filled, swap, ['8453:999999'])).toEqual([])
  const { value } = await connection.getParsedTokenAccountsByOwner(keypair.publicKey, { mint: new PublicKey(USDC.solana) })
  expect(value[0]?.account.data.parsed.info.tokenAmount.amount).toBe(String(amount))
}, 60_000)

test('fails for a wallet without the amount, which the approval alone does not ask for', async () => {
  await fund(USDC.solana, AMOUNT - 1n)
  const { built } = await opened()
  expect(await refusalOf(built)).toMatchObject({
    err: { InstructionError: [DEPOSIT_AT, { Custom: 1 }] },
    logs: expect.stringContaining(`Program log: takes ${AMOUNT} of USDC from ${keypair.publicKey.toBase58()}`),
  })
})

test('fails once the quote is too old, with the error of the program', async () => {
  await fund(USDC.solana, AMOUNT)
  const { built } = await opened()
  await control.advance(HOUR)
  expect(await refusalOf(await changed(built, (all) => all))).toMatchObject({
    err: { InstructionError: [DEPOSIT_AT, { Custom: 6_000 }] },
    logs: expect.stringContaining('Program log: AnchorError occurred. Error Code: InvalidQuoteTimestamp.'),
  })
})

const NOBODY = Keypair.fromSeed(new Uint8Array(32).fill(99)).publicKey
const withKey = (at: number, pubkey: PublicKey) => (deposit: TransactionInstruction) => ({
  keys: deposit.keys.map((meta, index) => (index === at ? { ...meta, pubkey } : meta)),
})

const edited = (change: (data: Buffer) => void) =>
  withDeposit(({ data }) => {
    const copy = Buffer.from(data)
    change(copy)
    return { data: copy }
  })
/** Of the arguments, after the discriminator. */
const at = (offset: number): number => 8 + offset

test.each<[string, (all: TransactionInstruction[]) => readonly TransactionInstruction[], unknown]>([
  ['without its approval', (all) => all.filter((_, index) => index !== APPROVE_AT), [1, { Custom: 4 }]],
  [
    'with an approval of less',
    (all) => {
      all[APPROVE_AT]?.data.writeBigUInt64LE(AMOUNT - 1n, 1)
      return all
    },
    [2, { Custom: 1 }],
  ],
  ['made twice by one approval', (all) => [...all.slice(0, 3), ...all.slice(2)], [3, { Custom: 4 }]],
  ['with arguments nobody approved', edited((data) => data.writeUInt8(1, at(136))), [2, { Custom: 7_016 }]],
  ['of another token than its mint', edited((data) => data.writeUInt8(1, at(64))), [2, { Custom: 7_006 }]],
  ['for no token', edited((data) => data.fill(0, at(96), at(128))), [2, { Custom: 6_015 }]],
  ['to be filled within years', edited((data) => data.writeUInt32LE(0xffffffff, at(212))), [2, { Custom: 6_001 }]],
  ['exclusive to nobody', edited((data) => data.writeUInt32LE(60, at(216))), [2, { Custom: 6_014 }]],
  ['cut short', withDeposit(({ data }) => ({ data: data.subarray(0, 200) })), [2, { Custom: 102 }]],
  ['by another authority of its events', withDeposit(withKey(9, NOBODY)), [2, { Custom: 2_006 }]],
  ['with accounts missing', withDeposit(({ keys }) => ({ keys: keys.slice(0, 9) })), [2, { Custom: 3_005 }]],
  ['that is another instruction', edited((data) => data.writeUInt8(0, 0)), [2, { Custom: 101 }]],
])('fails %s', async (_, change, error) => {
  await fund(USDC.solana, 3n * AMOUNT)
  const { built } = await opened()
  expect((await refusalOf(await changed(built, change))).err).toEqual({ InstructionError: error })
  expect((await connection.getSignaturesForAddress(keypair.publicKey)).filter(({ memo }) => memo !== null)).toEqual([])
})

test('two deposits of one transaction are two', async () => {
  await fund(USDC.solana, 2n * AMOUNT)
  const { built } = await opened()
  const both = await changed(built, (all) => [...all.slice(0, 3), ...all.slice(1, 3)])
  both.sign([keypair])
  const signature = await connection.sendRawTransaction(both.serialize())
  await control.advance(60_000)
  const { baseUrl } = simnet.venues['across'] ?? { baseUrl: '' }
  const answer = await fetch(`${baseUrl}/deposit/status?depositTxnRef=${signature}&index=1`)
  expect(await answer.json()).toMatchObject({ status: 'filled', pagination: { currentIndex: 1, maxIndex: 1 } })
}, 60_000)
