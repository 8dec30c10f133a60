import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  compressTransactionMessageUsingAddressLookupTables,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createTransactionMessage,
  fetchAddressesForLookupTables,
  fetchJsonParsedAccount,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  isSolanaError,
  type KeyPairSigner,
  lamports,
  pipe,
  type Signature,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { AddressLookupTableProgram, PublicKey, SystemProgram, type TransactionInstruction } from '@solana/web3.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSimClock } from '../../engine/simnet/kit/simRandom.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const SOL = 1_000_000_000n

let simnet: Simnet
let rpc: ReturnType<typeof createSolanaRpc<string>>
let people = 0

beforeAll(async () => {
  simnet = await startSimnet({ controlPort: 0, seed: 'kit', clock: createSimClock(() => Date.UTC(2026, 10, 20)), venues: [] })
  rpc = createSolanaRpc(simnet.rpcUrls['-2'] ?? '')
})

afterAll(() => simnet.close())

const someone = (): Promise<KeyPairSigner> => {
  people += 1
  return createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(50 + people))
}

/** How clients wait here: there are no subscriptions. */
const confirmed = async (signature: Signature): Promise<Signature> => {
  await expect
    .poll(async () => (await rpc.getSignatureStatuses([signature]).send()).value[0]?.confirmationStatus)
    .toMatch(/^(confirmed|finalized)$/)
  return signature
}

const someoneWith = async (amount: bigint): Promise<KeyPairSigner> => {
  const person = await someone()
  await confirmed(await rpc.requestAirdrop(person.address, lamports(amount)).send())
  return person
}

const roleOf = ({ isSigner, isWritable }: TransactionInstruction['keys'][number]): AccountRole => {
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY
}

/** Instructions of the system's programs, as their own encoders of the other library make them. */
const toKit = ({ programId, keys, data }: TransactionInstruction): Instruction => ({
  programAddress: address(programId.toBase58()),
  accounts: keys.map((key) => ({ address: address(key.pubkey.toBase58()), role: roleOf(key) })),
  data: new Uint8Array(data),
})

const pay = (from: Address, to: Address, amount: bigint): Instruction =>
  toKit(SystemProgram.transfer({ fromPubkey: new PublicKey(from), toPubkey: new PublicKey(to), lamports: amount }))

const messageOf = async (payer: KeyPairSigner, instructions: readonly Instruction[]) => {
  const { value } = await rpc.getLatestBlockhash().send()
  return pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(value, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
  )
}

const signed = async (message: Awaited<ReturnType<typeof messageOf>>) => {
  const transaction = await signTransactionMessageWithSigners(message)
  return { signature: getSignatureFromTransaction(transaction), wire: getBase64EncodedWireTransaction(transaction) }
}

const send = async (payer: KeyPairSigner, instructions: readonly Instruction[]): Promise<Signature> => {
  const { wire } = await signed(await messageOf(payer, instructions))
  return confirmed(await rpc.sendTransaction(wire, { encoding: 'base64' }).send())
}

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  )

describe('@solana/kit on the offline Solana', () => {
  it('airdrops, sends and reads SOL in whole 64-bit numbers', async () => {
    const [alice, bob] = [await someoneWith(2n * SOL), await someone()]
    const { signature, wire } = await signed(await messageOf(alice, [pay(alice.address, bob.address, SOL)]))
    expect(await rpc.sendTransaction(wire, { encoding: 'base64' }).send()).toBe(signature)
    expect((await rpc.getBalance(bob.address).send()).value).toBe(SOL)
    const read = await rpc.getTransaction(signature, { encoding: 'json', maxSupportedTransactionVersion: 0 }).send()
    expect(read?.meta).toMatchObject({ err: null, fee: 5_000n, postBalances: [SOL - 5_000n, SOL, 1n] })
    const wallet = (await rpc.getAccountInfo(bob.address, { encoding: 'base64' }).send()).value
    expect(wallet).toMatchObject({ lamports: SOL, data: ['', 'base64'] })
    // Not what a JSON parser of plain numbers would make of it.
    const raw = await fetch(simnet.rpcUrls['-2'] ?? '', {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getAccountInfo', params: [bob.address] }),
    })
    expect(await raw.text()).toContain('"rentEpoch":18446744073709551615')
  })

  it('reads parsed mints and lookup tables, and sends with the latter', async () => {
    expect((await fetchJsonParsedAccount(rpc, USDC)) as unknown).toMatchObject({ exists: true, data: { decimals: 6 } })
    const [alice, bob] = [await someoneWith(2n * SOL), await someone()]
    const authority = new PublicKey(alice.address)
    const recentSlot = await rpc.getSlot().send()
    const [create, table] = AddressLookupTableProgram.createLookupTable({ authority, payer: authority, recentSlot })
    const addresses = [new PublicKey(bob.address)]
    const extend = AddressLookupTableProgram.extendLookupTable({ authority, payer: authority, lookupTable: table, addresses })
    await send(alice, [toKit(create), toKit(extend)])
    const tables = await fetchAddressesForLookupTables([address(table.toBase58())], rpc)
    expect(tables).toEqual({ [table.toBase58()]: [bob.address] })
    const message = await messageOf(alice, [pay(alice.address, bob.address, 1_000_000n)])
    const compressed = compressTransactionMessageUsingAddressLookupTables(message, tables)
    const { signature, wire } = await signed(compressed as typeof message)
    await confirmed(await rpc.sendTransaction(wire, { encoding: 'base64' }).send())
    expect((await rpc.getBalance(bob.address).send()).value).toBe(1_000_000n)
    const read = await rpc.getTransaction(signature, { encoding: 'json', maxSupportedTransactionVersion: 0 }).send()
    expect(read?.meta?.loadedAddresses).toEqual({ writable: [bob.address], readonly: [] })
    expect(read?.transaction.message.accountKeys).not.toContain(bob.address)
  })

  it('receives the error of a real node for an invalid transaction', async () => {
    const [alice, bob] = [await someoneWith(SOL), await someone()]
    const rich = await signed(await messageOf(alice, [pay(alice.address, bob.address, 5n * SOL)]))
    const short = await failureOf(rpc.sendTransaction(rich.wire, { encoding: 'base64' }).send())
    if (!isSolanaError(short, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)) throw short
    expect(isSolanaError(short.cause, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)).toBe(true)
    expect(short.context.logs?.join('\n')).toContain('insufficient lamports')

    const late = await signed(await messageOf(alice, [pay(alice.address, bob.address, 1_000_000n)]))
    simnet.clock.advance(61_000)
    const lapsed = await failureOf(rpc.sendTransaction(late.wire, { encoding: 'base64' }).send())
    if (!isSolanaError(lapsed, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE)) throw lapsed
    expect(isSolanaError(lapsed.cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)).toBe(true)

    const fresh = await signed(await messageOf(alice, [pay(alice.address, bob.address, 1_000_000n)]))
    const bytes = Buffer.from(fresh.wire, 'base64')
    bytes[9] = (bytes[9] ?? 0) ^ 1
    const forged = await failureOf(
      rpc.sendTransaction(bytes.toString('base64') as typeof fresh.wire, { encoding: 'base64' }).send(),
    )
    expect(isSolanaError(forged, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_SIGNATURE_VERIFICATION_FAILURE)).toBe(true)
    expect((await rpc.getBalance(bob.address).send()).value).toBe(0n)
  })

  it('simulates a message and reads its fee', async () => {
    const [alice, bob] = [await someoneWith(SOL), await someone()]
    const { wire } = await signed(await messageOf(alice, [pay(alice.address, bob.address, 1_000_000n)]))
    const { value } = await rpc.simulateTransaction(wire, { encoding: 'base64', replaceRecentBlockhash: true }).send()
    expect(value).toMatchObject({ err: null, unitsConsumed: 150n })
    expect(value.replacementBlockhash.blockhash).toBe((await rpc.getLatestBlockhash().send()).value.blockhash)
    const signatureBytes = 65
    const message = Buffer.from(wire, 'base64').subarray(signatureBytes).toString('base64')
    expect((await rpc.getFeeForMessage(message as Parameters<typeof rpc.getFeeForMessage>[0]).send()).value).toBe(5_000n)
  })

  it('reads the state of the network', async () => {
    expect(await rpc.getHealth().send()).toBe('ok')
    expect(await rpc.getGenesisHash().send()).toBe('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d')
    expect((await rpc.getVersion().send())['solana-core']).toMatch(/^[0-9]+\./)
    const { absoluteSlot, blockHeight, epoch, slotIndex, slotsInEpoch } = await rpc.getEpochInfo().send()
    expect(absoluteSlot).toBe(await rpc.getSlot().send())
    expect(blockHeight).toBe(await rpc.getBlockHeight().send())
    expect(epoch * slotsInEpoch + slotIndex).toBe(absoluteSlot)
    expect(await rpc.getMinimumBalanceForRentExemption(165n).send()).toBe(2_039_280n)
    expect(await rpc.getRecentPrioritizationFees([]).send()).toEqual([{ slot: absoluteSlot, prioritizationFee: 0n }])
    const { value } = await rpc.getLatestBlockhash().send()
    expect(value.lastValidBlockHeight).toBe(blockHeight + 150n)
    expect((await rpc.isBlockhashValid(value.blockhash).send()).value).toBe(true)
  })
})
