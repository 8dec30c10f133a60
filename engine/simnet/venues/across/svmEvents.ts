import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { associatedTokenAddress } from '../../../chains/solana/solanaCodec.ts'
import { solanaProgramAddress } from '../../../chains/solana/solanaProgramAddress.ts'
import { addressOf as parsedAddress } from '../../../core/address.ts'
import type { SimSolanaInstruction } from '../../kit/simVenue.ts'
import type { SimCharge, SimTelling } from '../../kit/world.ts'
import type { Deposit } from './book.ts'
import { type Network, SVM_WIRE_ID } from './networks.ts'
import type { SeenDeposit } from './readDeposit.ts'

/**
 * What Across's program on Solana tells, and the fill that it takes: dist/src/svm/assets/idl/svm_spoke.json of
 * @across-protocol/contracts. Fields are in Borsh, events as Anchor has programs call themselves with them.
 */
const EVENT = 'e445a52e51cb9a1d'
const FUNDS_DEPOSITED = '9dd1645f3b640344'
const FILLED_RELAY = '193ab6003263a075'
export const FILL_RELAY = '6454de5a6ad13ade'

const little = (value: bigint | number, bytes: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, i) => Number((BigInt(value) >> BigInt(8 * i)) & 255n))
export const u64 = (value: bigint | number) => little(value, 8)
export const u32 = (value: number) => little(value, 4)
const word = (hex: string) => hexToBytes(hex.slice(2).padStart(64, '0'))
const big = (value: bigint) => little(value, 32).toReversed()
const NOTHING = new Uint8Array(32)

export const eventAuthority = (program: string): string =>
  solanaProgramAddress(parsedAddress('solana', program), [utf8ToBytes('__event_authority')])

export const telling = (program: string, event: string, fields: readonly Uint8Array[]): SimTelling => ({
  authority: eventAuthority(program),
  data: concatBytes(hexToBytes(EVENT + event), ...fields),
})

/** The number of a deposit: the program counts them, which nothing here can do before one lands. */
export const depositIdOf = (call: string): bigint =>
  BigInt(`0x${Buffer.from(keccak_256(utf8ToBytes(call))).toString('hex', 0, 4)}`)

/** Up to a year the parameter counts from the deposit on. */
const EXCLUSIVITY_SECONDS_MAX = 31_536_000

export const deadlineOf = (parameter: number, now: number): number =>
  parameter > 0 && parameter <= EXCLUSIVITY_SECONDS_MAX ? now + parameter : parameter

export const tellDeposit = (program: string, deposit: SeenDeposit): SimTelling => {
  const message = hexToBytes(deposit.message.slice(2))
  return telling(program, FUNDS_DEPOSITED, [
    ...[deposit.inputToken, deposit.outputToken].map(word),
    u64(deposit.inputAmount),
    big(deposit.outputAmount),
    u64(deposit.destinationWireId),
    big(deposit.depositId),
    ...[deposit.quoteTimestamp, deposit.fillDeadline, deposit.exclusivityDeadline].map(u32),
    ...[deposit.depositor, deposit.recipient, deposit.exclusiveRelayer].map(word),
    u32(message.length),
    message,
  ])
}

/** Of an empty message the program tells no hash. */
const FILL_BYTES = 8 + 32

type Fill = Deposit & { readonly amount: bigint }

/** The relay data of a call, in its order, without the message, which nobody sends to Solana. */
const relayData = ({ origin, amount, ...deposit }: Fill): Uint8Array =>
  concatBytes(
    ...[deposit.depositor, deposit.recipient, deposit.exclusiveRelayer, deposit.inputToken, deposit.outputToken].map(word),
    big(deposit.inputAmount),
    u64(amount),
    u64(origin.wireId),
    big(deposit.depositId),
    ...[deposit.fillDeadline, deposit.exclusivityDeadline, 0].map(u32),
  )

/** The call by which a relayer fills a deposit, which pays the recipient out of what the relayer holds. */
export const fillCall = (fill: Fill, relayer: string, { token, to }: { readonly token: string; readonly to: string }) => {
  const { spokePool } = fill.destination
  const derived = (seed: string, ...more: readonly Uint8Array[]) =>
    solanaProgramAddress(parsedAddress('solana', spokePool), [utf8ToBytes(seed), ...more])
  const relay = relayData(fill)
  const hash = keccak_256(concatBytes(relay, u64(SVM_WIRE_ID)))
  const writable = (address: string) => ({ address, isWritable: true })
  const readonly = (address: string) => ({ address })
  return {
    programId: spokePool,
    accounts: [
      { address: relayer, isSigner: true, isWritable: true },
      readonly(spokePool),
      ...[derived('state', new Uint8Array(8)), derived('delegate', hash), token].map(readonly),
      ...[associatedTokenAddress(relayer, token), associatedTokenAddress(to, token), derived('fills', hash)].map(writable),
      ...['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'].map(readonly),
      ...['11111111111111111111111111111111', eventAuthority(spokePool), spokePool].map(readonly),
    ],
    // Its three arguments may be left out, and are not: each says so with a byte.
    data: concatBytes(
      hexToBytes(FILL_RELAY),
      hash,
      Uint8Array.of(1),
      relay,
      Uint8Array.of(1),
      u64(SVM_WIRE_ID),
      Uint8Array.of(1),
      base58.decode(relayer),
    ),
  }
}

const RELAY_BYTES = 5 * 32 + 32 + 8 + 8 + 32 + 12

/** What the program does with a fill: the relayer, who signs, pays the recipient, and the program tells of it. */
export const takeFill = ({ data, accounts }: SimSolanaInstruction, { spokePool }: Network): SimCharge => {
  const [relayer = '', , , , token = ''] = accounts
  const at = FILL_BYTES + 1
  if (data.length !== at + RELAY_BYTES + 1 + 8 + 1 + 32) return null
  const relay = data.slice(at, at + RELAY_BYTES)
  const part = (from: number, to: number) => relay.slice(from, to)
  const [depositor, recipient, exclusive, input, output] = [0, 32, 64, 96, 128].map((from) => part(from, from + 32))
  if (!depositor || !recipient || !exclusive || !input || !output || base58.encode(output) !== token) return null
  const amount = new DataView(relay.buffer, relay.byteOffset).getBigUint64(192, true)
  const fields = [
    ...[input, output, part(160, 192), part(192, 200), data.slice(at + RELAY_BYTES + 1, at + RELAY_BYTES + 9)],
    ...[part(200, 208), part(208, 240), part(240, 248), exclusive, data.slice(-32), depositor, recipient, NOTHING],
    ...[recipient, NOTHING, part(192, 200), Uint8Array.of(0)],
  ]
  return { token, from: relayer, to: base58.encode(recipient), amount, tells: telling(spokePool, FILLED_RELAY, fields) }
}
