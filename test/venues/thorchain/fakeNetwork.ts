import { decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { SimTransaction } from '../../../engine/simnet/kit/simVenue.ts'
import { eventLog } from '../../support/seenEvm.ts'
import { createFakeNetwork, type FakeNetwork, receiptOf } from '../../support/venueKit/network.ts'

export const ROUTER_ABI = parseAbi([
  'function depositWithExpiry(address vault, address asset, uint256 amount, string memo, uint256 expiration) payable',
  'event Deposit(address indexed to, address indexed asset, uint256 amount, string memo)',
  'event TransferOut(address indexed vault, address indexed to, address asset, uint256 amount, string memo)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

/** A memo as the service writes it. */
export type Memo = {
  readonly called: string
  readonly asset: string
  readonly recipient: string
  /** None: the payer. */
  readonly refundTo?: string
  readonly limit: bigint
  /** Interval and quantity, with the slash before each. */
  readonly parts: string
  readonly fee: readonly string[]
}

export const readMemo = (text: string): Memo => {
  const [called = '', asset = '', to = '', limits = '', ...fee] = text.split(':')
  const [, limit = '', parts = ''] = /^(\d+)(.*)$/.exec(limits) ?? []
  const [recipient = '', refundTo] = to.split('/')
  return { called, asset, recipient, ...(refundTo === undefined ? {} : { refundTo }), limit: BigInt(limit), parts, fee }
}

export const writeMemo = ({ called, asset, recipient, refundTo, limit, parts, fee }: Memo): string =>
  [called, asset, refundTo === undefined ? recipient : `${recipient}/${refundTo}`, `${limit}${parts}`, ...fee].join(':')

export type Call = {
  readonly vault: string
  readonly asset: string
  readonly amount: bigint
  readonly memo: Memo
  readonly expiration: bigint
}

export const argsOf = (data: string) => decodeFunctionData({ abi: ROUTER_ABI, data: data as Hex }).args

export const readCall = (data: string): Call => {
  const [vault, asset, amount, memo, expiration] = argsOf(data)
  return { vault, asset, amount, memo: readMemo(memo), expiration }
}

export const writeCall = ({ vault, asset, amount, memo, expiration }: Call): string =>
  encodeFunctionData({
    abi: ROUTER_ABI,
    functionName: 'depositWithExpiry',
    args: [vault as Hex, asset as Hex, amount, writeMemo(memo), expiration],
  })

/** The event of a call. The contract itself is on the offline chains: e2e/journeys. */
export const depositLog = ({ to, data }: Pick<SimTransaction, 'to' | 'data'>) => {
  const [vault, asset, amount, memo] = argsOf(data)
  return eventLog(ROUTER_ABI, 'Deposit', to, { to: vault, asset, amount, memo })
}

export const createThorchainNetwork = (): FakeNetwork =>
  createFakeNetwork({
    landOnEvm: (call) => ({ ...call, logs: [depositLog(call)], status: 'success' }),
    evm: { fund: async () => undefined, call: async () => '0x', send: async () => receiptOf(`0x${'7c'.repeat(32)}`) },
  })
