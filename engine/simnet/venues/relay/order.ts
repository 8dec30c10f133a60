import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { base58, bech32, bech32m } from '@scure/base'
import { NETWORKS } from './networks.ts'

type Payment = { readonly chainId: string; readonly currency: string; readonly amount: string; readonly weight: string }
type Refund = {
  readonly chainId: string
  readonly recipient: string
  readonly currency: string
  readonly minimumAmount: string
  readonly deadline: number
  readonly extraData: string
}
type Delivery = {
  readonly recipient: string
  readonly currency: string
  readonly minimumAmount: string
  readonly expectedAmount: string
}

/** `protocol.v2.orderData`: Order of relayprotocol/relay-protocol-sdk. */
export type ProtocolOrder = {
  readonly version: 'v1'
  readonly solverChainId: string
  readonly solver: string
  readonly salt: string
  readonly inputs: readonly { readonly payment: Payment; readonly refunds: readonly Refund[] }[]
  readonly output: {
    readonly chainId: string
    readonly payments: readonly Delivery[]
    readonly calls: readonly string[]
    readonly deadline: number
    readonly extraData: string
  }
  readonly fees: readonly []
}

const TYPES: { readonly [name: string]: string } = {
  Fee: 'Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount)',
  Input: 'Input(InputPayment payment,InputRefund[] refunds)',
  InputPayment: 'InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)',
  InputRefund: 'InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)',
  Output: 'Output(string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData)',
  OutputPayment: 'OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount)',
}
const ORDER =
  'Order(string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees)' +
  Object.values(TYPES).join('')

/** Each struct's type with those it refers to, in the order of their names. */
const TYPE_OF: { readonly [name: string]: string } = {
  Order: ORDER,
  Input: `${TYPES['Input']}${TYPES['InputPayment']}${TYPES['InputRefund']}`,
  InputPayment: TYPES['InputPayment'] ?? '',
  InputRefund: TYPES['InputRefund'] ?? '',
  Output: `${TYPES['Output']}${TYPES['OutputPayment']}`,
  OutputPayment: TYPES['OutputPayment'] ?? '',
}

const hash = (...parts: readonly Uint8Array[]): Uint8Array => keccak_256(concatBytes(...parts))
const struct = (name: string, ...words: readonly Uint8Array[]): Uint8Array =>
  hash(keccak_256(utf8ToBytes(TYPE_OF[name] ?? '')), ...words)
const text = (value: string): Uint8Array => keccak_256(utf8ToBytes(value))
const uint = (value: string | number): Uint8Array => hexToBytes(BigInt(value).toString(16).padStart(64, '0'))
const bytes = (value: string): Uint8Array => keccak_256(hexToBytes(value.slice(2)))

/** Before addresses of the old kinds, so that they are none of a segwit version: `encodeAddress` of the settlement SDK. */
const OLD_KINDS = 0xff

const bitcoin = (address: string): Uint8Array => {
  if (!address.startsWith('bc1')) return Uint8Array.of(OLD_KINDS, ...base58.decode(address).slice(0, -4))
  const coder = address.startsWith('bc1q') ? bech32 : bech32m
  const { words } = coder.decode(address as `bc1${string}`, 90)
  return Uint8Array.of(words[0] ?? 0, ...coder.fromWords(words.slice(1)))
}

const address = (chainName: string, value: string): Uint8Array => {
  const vm = NETWORKS.find(({ name }) => name === chainName)?.vm
  if (vm === 'evm') return keccak_256(hexToBytes(value.slice(2)))
  return keccak_256(vm === 'svm' ? base58.decode(value) : bitcoin(value))
}

const payment = ({ chainId, currency, amount, weight }: Payment): Uint8Array =>
  struct('InputPayment', text(chainId), address(chainId, currency), uint(amount), uint(weight))

const refund = ({ chainId, recipient, currency, minimumAmount, deadline, extraData }: Refund): Uint8Array =>
  struct(
    'InputRefund',
    ...[text(chainId), address(chainId, recipient), address(chainId, currency), uint(minimumAmount), uint(deadline)],
    bytes(extraData),
  )

const delivery =
  (chainId: string) =>
  ({ recipient, currency, minimumAmount, expectedAmount }: Delivery): Uint8Array =>
    struct('OutputPayment', address(chainId, recipient), address(chainId, currency), uint(minimumAmount), uint(expectedAmount))

/** The EIP-712 hash of the order as a struct, without a domain: what a deposit names the order by. */
export const orderId = ({ version, solverChainId, solver, salt, inputs, output }: ProtocolOrder): string => {
  const inputHashes = inputs.map((input) => struct('Input', payment(input.payment), hash(...input.refunds.map(refund))))
  const outputHash = struct(
    'Output',
    text(output.chainId),
    hash(...output.payments.map(delivery(output.chainId))),
    uint(output.deadline),
    hash(...output.calls.map(bytes)),
    bytes(output.extraData),
  )
  const words = [text(version), text(solverChainId), uint(solver), uint(salt), hash(...inputHashes), outputHash, hash()]
  return `0x${bytesToHex(struct('Order', ...words))}`
}
