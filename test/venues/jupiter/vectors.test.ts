import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  encodeSolanaTransaction,
  packSolanaTransaction,
  readLookupTables,
  type SolanaInstruction,
  solanaMessageOf,
} from '../../../engine/chains/solana/solanaCodec.ts'
import type { Address } from '../../../engine/core/address.ts'
import { readRoute } from '../../../engine/venues/jupiter/route.ts'
import { jupiter } from '../../../engine/venues/jupiter/venue.ts'
import { NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'
import { said, swapOf } from '../../support/venueKit/calls.ts'
import { canned } from '../../support/venueKit/canned.ts'
import { FEE_WALLET, openBench, orders, PROGRAM, planOf, WITH_FEE } from './support.ts'
import vectors from './vectors.json' with { type: 'json' }

const open = closedAfterEach(openBench)
const { made, words } = vectors

/** The accounts of a call by one pool, or by two, of the simulator's making. */
const callOf = async (isShared: boolean): Promise<SolanaInstruction> => {
  const bench = await open()
  const { execution } = await swapOf(bench.venue, isShared ? orders.pyusd() : orders.sol())
  const call = (await planOf(execution, bench.network)).instructions.find(({ programId }) => programId === PROGRAM)
  if (!call) throw new TypeError('no call')
  return { programId: PROGRAM, accounts: call.accounts.map(({ address }) => address as Address), data: call.data }
}
const bytes = (data: string): Uint8Array => new Uint8Array(Buffer.from(data, 'base64'))

test('jupiter calldata: rejects another length, another instruction and an account outside all lookup tables', async () => {
  const call = await callOf(false)
  const data = bytes(words[0]?.data ?? '')
  expect(readRoute({ ...call, data: data.slice(0, 33) }, [PROGRAM])).toBeNull()
  for (const head of ['e517cb977ae3ad2a', 'c1209b3341d69c81', '9d8ab85215f4f324', '3560e5cad8bbfa18'])
    expect(
      readRoute({ ...call, data: new Uint8Array([...Buffer.from(head, 'hex'), ...data.slice(8)]) }, [PROGRAM]),
      head,
    ).toBeNull()
  expect(readRoute({ ...call, data, accounts: call.accounts.with(11, null) }, [PROGRAM])).toBeNull()
  expect(readRoute({ ...call, data, programId: FEE_WALLET }, [PROGRAM])).toBeNull()
})

test('jupiter calldata: decodes a route with shared accounts', async () => {
  const { data, amount, minimum, feeBps } = made.shared
  const route = readRoute({ ...(await callOf(true)), data: bytes(data) }, [PROGRAM])
  expect(route).toMatchObject({ input: { amount: BigInt(amount) }, output: { minimum: BigInt(minimum) }, feeBps, unread: [] })
})

/** A whole transaction that others put together: 1 SOL to USDC for somebody else, with a fee and a table. */
const tables = made.table as unknown as { readonly [table: string]: readonly Address[] }
const read = async (table: Address) => tables[table] ?? null

test('jupiter: a recorded transaction claims its fields, except for another fee and a missing memo', async () => {
  const chains = createFakeChains()
  chains.script.lookupTable = read
  const { venue } = canned(jupiter, () => ({}), { chains, settings: WITH_FEE })
  const { serialized } = made
  const transaction = { chainId: -2, to: PROGRAM, data: serialized, value: 0n as never, serialized } as const
  const payload = { executionType: 'TRANSACTION', transaction } as const
  const claims = await venue.decode({
    payload,
    venueRef: null,
    evidence: null,
    outputAmount: 0n as never,
    slippage: null,
    carry: null,
  })
  expect(claims).toMatchObject({
    input: { asset: { address: NATIVE_SOL }, amount: 1_000_000_000n },
    output: { asset: { address: USDC.solana }, minimum: BigInt(made.minimum) },
    recipient: made.recipient,
    unread: ['a name of its own', 'the account of the fee'],
  })
  expect(said(claims.fee)).toMatchObject({ bps: 20 })
})

test('jupiter: a recorded transaction compiles to the same bytes from its instructions and lookup table', async () => {
  const { serialized } = made
  const message = await solanaMessageOf(serialized)
  expect(
    createHash('sha256')
      .update(message ?? '')
      .digest('hex'),
  ).toBe(made.messageSha256)
  const { VersionedTransaction, TransactionMessage, AddressLookupTableAccount, PublicKey } = await import('@solana/web3.js')
  const lookups = await readLookupTables(Object.keys(tables) as Address[], read)
  const state = { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0 }
  const accounts = [...lookups].map(
    ([key, addresses]) =>
      new AddressLookupTableAccount({
        key: new PublicKey(key),
        state: { ...state, addresses: addresses.map((each) => new PublicKey(each)) },
      }),
  )
  const { payerKey, recentBlockhash, instructions } = TransactionMessage.decompile(
    VersionedTransaction.deserialize(Buffer.from(serialized, 'base64')).message,
    { addressLookupTableAccounts: accounts },
  )
  const plan = {
    feePayer: payerKey.toBase58(),
    recentBlockhash,
    instructions: instructions.map(({ programId, keys, data }) => ({
      programId: programId.toBase58(),
      accounts: keys.map(({ pubkey, ...flags }) => ({ address: pubkey.toBase58(), ...flags })),
      data: new Uint8Array(data),
    })),
  }
  expect(await packSolanaTransaction(plan, lookups)).toBe(serialized)
  expect(Buffer.from(serialized, 'base64')).toHaveLength(made.bytes)
  expect((await encodeSolanaTransaction(plan)).length).toBeGreaterThan(serialized.length)
})
