import {
  AddressLookupTableAccount,
  ComputeBudgetInstruction,
  ComputeBudgetProgram,
  Connection,
  PublicKey,
  SystemInstruction,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, expect, test } from 'vitest'
import { createChains } from '../../engine/chains/createChains.ts'
import type { VenueOrder } from '../../engine/core/order.ts'
import { createHttpClient } from '../../engine/net/undiciClient.ts'
import { startSimnet } from '../../engine/simnet/simnet.ts'
import { jupiter } from '../../engine/venues/jupiter/venue.ts'
import { controlNetwork } from '../../scripts/client/network.ts'
import { altered, swapOf, transactionOf } from '../support/venueKit/calls.ts'
import { orders, PROGRAM } from '../venues/jupiter/support.ts'
import { judgeByTypes } from './typeJudge.ts'

/** The official client calls an older API version, so it checks only fields that both versions return. */

const simnet = await startSimnet({ controlPort: 0, seed: 'judge', venues: ['jupiter'] })
const http = createHttpClient()
const control = controlNetwork(simnet.controlUrl)
const chains = createChains({ rpcUrls: { [-2]: [control.rpcUrl(-2)] }, clock: simnet.clock })
afterAll(async () => {
  await chains.close()
  await http.close()
  await simnet.close()
})
const config = { baseUrl: simnet.venues['jupiter']?.baseUrl ?? '', apiKey: null, settings: {} }
const venue = jupiter.create(config, { http, chains, clock: simnet.clock, wellVenues: () => [], notice: () => undefined })
const connection = new Connection(control.rpcUrl(-2), 'confirmed')

test.each<[string, VenueOrder]>([
  ['tokens', orders.usdc()],
  ['SOL', orders.sol()],
  ['into SOL', orders.toSol()],
  ['by two pools', orders.pyusd()],
])('jupiter: @solana/web3.js compiles the payload of %s to the same v0 message, within a packet', async (_what, order) => {
  const { execution } = await swapOf(venue, order)
  const wire = Buffer.from(transactionOf(execution).data, 'base64')
  expect(wire.length).toBeLessThanOrEqual(1_232)
  const { message, version, signatures } = VersionedTransaction.deserialize(wire)
  expect([version, signatures.length]).toEqual([0, 1])
  const found = await Promise.all(
    message.addressTableLookups.map(({ accountKey }) => connection.getAddressLookupTable(accountKey)),
  )
  const tables = found.flatMap(({ value }) => value ?? [])
  expect(tables).toHaveLength(1)
  expect(tables.every((table) => table instanceof AddressLookupTableAccount && table.isActive())).toBe(true)
  const read = TransactionMessage.decompile(message, { addressLookupTableAccounts: tables })
  expect(read.payerKey.toBase58()).toBe(order.sender)
  expect(Buffer.from(read.compileToV0Message(tables).serialize())).toEqual(Buffer.from(message.serialize()))

  const [limit, price] = read.instructions.filter(({ programId }) => programId.equals(ComputeBudgetProgram.programId))
  if (!limit || !price) throw new TypeError('no budget')
  expect(ComputeBudgetInstruction.decodeSetComputeUnitLimit(limit)).toEqual({ units: 1_400_000 })
  expect(ComputeBudgetInstruction.decodeSetComputeUnitPrice(price)).toEqual({ microLamports: 20_000n })
  const wraps = read.instructions.filter(({ programId }) => programId.equals(SystemProgram.programId))
  const isCoin = order.input.address.startsWith('So1')
  expect(wraps.map((each) => SystemInstruction.decodeTransfer(each).lamports)).toEqual(isCoin ? [order.inputAmount] : [])
  const calls = read.instructions.filter(({ programId }) => programId.equals(new PublicKey(PROGRAM)))
  expect(calls.map(({ keys }) => keys.filter(({ isSigner }) => isSigner).map(({ pubkey }) => pubkey.toBase58()))).toEqual([
    [order.sender],
  ])
  expect(calls[0]?.keys[calls[0].keys[0]?.isSigner ? 0 : 1]?.isWritable).toBe(true)
})

const CLIENT = [
  "import type { QuoteResponse, SwapInfo, SwapInstructionsResponse } from '@jup-ag/api'",
  'type Read<T> = T extends object ? { readonly [K in keyof T]: Read<T[K]> } : T',
  "type Quoted = Read<Omit<QuoteResponse, 'routePlan'>>",
  "type Instructions = Read<Omit<SwapInstructionsResponse, 'addressLookupTableAddresses'>>",
  "type Pool = Read<Omit<SwapInfo, 'feeAmount' | 'feeMint'>>",
]

// Its `cleanupInstruction` is there or left out; the newer version says null.
test.each([orders.sol(), orders.toSol()])('jupiter: simulated answers match the types of the official client', async (order) => {
  const { input, output, inputAmount, sender } = order
  const query = { inputMint: input.address, outputMint: output.address, amount: String(inputAmount), taker: sender }
  const told = await fetch(`${config.baseUrl}/swap/v2/build?${new URLSearchParams(query)}`)
  const answer = (await told.json()) as { readonly routePlan: readonly { readonly swapInfo: object }[] }
  const spoilt = altered(answer, 'swapInstruction.data', 7)
  const pool = answer.routePlan[0]?.swapInfo
  const verdicts = judgeByTypes(CLIENT, [
    ['Quoted', answer],
    ['Instructions', answer],
    ['Pool', pool],
    ['Instructions', spoilt],
  ])
  expect(verdicts.map(({ length }) => length)).toEqual([0, 0, 0, 1])
})
