import { base58 } from '@scure/base'
import { decodeAbiParameters, decodeFunctionData, encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem'
import { afterEach, expect, test } from 'vitest'
import {
  decodeSolanaTransaction,
  encodeSolanaTransaction,
  type SolanaAccountMeta,
  type SolanaInstructionPlan,
} from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import type { Execution, Hex, WalletTransaction } from '../../../engine/core/execution.ts'
import type { VenueOrder } from '../../../engine/core/order.ts'
import { anOrder, WALLETS } from '../../support/anOrder.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { prove, type Swap, swapOf, transactionOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import { type AcrossBench, ARB, FEE_RECIPIENT, NATIVE, openBench, USDC, usdcOrder, WETH, WITH_FEE } from './support.ts'

const TIMES = 'bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message'
const BASE = `address inputToken, bytes32 outputToken, uint256 outputAmount, address depositor, bytes32 recipient, uint256 destinationChainId, ${TIMES}`
const ABI = parseAbi([
  `function deposit(bytes32 depositor, bytes32 recipient, bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, ${TIMES})`,
  `function depositNative(address spokePool, address depositor, bytes32 recipient, address inputToken, uint256 inputAmount, bytes32 outputToken, uint256 outputAmount, uint256 destinationChainId, ${TIMES})`,
  'struct Fees { uint256 amount; address recipient; }',
  `struct Base { ${BASE.replaceAll(',', ';')}; }`,
  'struct Swap { Fees submissionFees; Base depositData; address swapToken; address exchange; uint8 transferType; uint256 swapTokenAmount; uint256 minExpectedInputTokenAmount; bytes routerCalldata; bool enableProportionalAdjustment; address spokePool; uint256 nonce; }',
  'function swapAndBridge(Swap swapAndDepositData)',
  'function drainLeftoverTokens(address token, address destination)',
  'function transfer(address to, uint256 value)',
  'function approve(address spender, uint256 value)',
  'function withdraw(uint256 wad)',
  'function emitData(bytes data)',
  'struct Replacement { address token; uint256 offset; }',
  'function makeCallWithBalance(address target, bytes callData, uint256 value, Replacement[] replacement)',
] as never) as never

const INSTRUCTIONS = [
  {
    type: 'tuple',
    components: [
      {
        type: 'tuple[]',
        name: 'calls',
        components: [
          { type: 'address', name: 'target' },
          { type: 'bytes', name: 'callData' },
          { type: 'uint256', name: 'value' },
        ],
      },
      { type: 'address', name: 'fallbackRecipient' },
    ],
  },
] as const

type Call = { target: Hex; callData: Hex; value: bigint }
type Instructions = { calls: readonly Call[]; fallbackRecipient: Hex }

const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906') as Address & Hex
const STRANGER_SOLANA = addressOf('solana', 'SysvarC1ock11111111111111111111111111111111')
const word = (address: string): Hex => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

let bench: AcrossBench
const count = countMutations('across')
afterEach(() => bench?.close())

const withTransaction = (execution: Execution, change: Partial<WalletTransaction>): Execution => ({
  ...execution,
  payload: { executionType: 'TRANSACTION', transaction: { ...transactionOf(execution), ...change } },
})

const refuses = async (swap: Swap, name: string, execution: Execution): Promise<void> => {
  count(name, await prove(bench.venue, swap, execution))
}

const refusesData = (swap: Swap, name: string, data: string): Promise<void> =>
  refuses(swap, name, withTransaction(swap.execution, { data }))

const open = async (order: VenueOrder): Promise<Swap> => {
  bench = await openBench({ settings: WITH_FEE })
  const swap = await swapOf(bench.venue, order)
  expect(await prove(bench.venue, swap, swap.execution)).toEqual([])
  return swap
}

const TAGS = '1dc0debeef73c0de'
const split = (data: string): { name: string; args: readonly unknown[] } => {
  const { functionName, args } = decodeFunctionData({ abi: ABI, data: data.slice(0, -TAGS.length) as Hex }) as {
    functionName: string
    args: readonly unknown[]
  }
  return { name: functionName, args }
}
const join = (functionName: string, args: readonly unknown[]): string =>
  `${encodeFunctionData({ abi: ABI, functionName, args } as never)}${TAGS}`

/** Changes to a deposit of any entry point, by the names its fields go by. */
const DEPOSIT_CHANGES: readonly (readonly [field: string, value: (before: never) => unknown])[] = [
  ['outputAmount', (amount: bigint) => amount - 1n],
  ['outputAmount', () => 0n],
  ['destinationChainId', () => 10n],
  ['destinationChainId', () => 7n],
  ['destinationChainId', () => (1n << 64n) + 42161n],
  ['quoteTimestamp', () => START_OF_TIME / 1_000 - 3_601],
  ['quoteTimestamp', () => START_OF_TIME / 1_000 + 601],
  ['fillDeadline', () => START_OF_TIME / 1_000 - 1],
  ['fillDeadline', () => START_OF_TIME / 1_000 + 5 * 3_600],
  ['message', () => '0x1234'],
  ['outputToken', () => word(ARB)],
  ['outputToken', () => word('0x')],
  ['outputToken', () => `0x01${word(USDC.arbitrum).slice(4)}`],
]

const NAMES: { readonly [name: string]: readonly string[] } = {
  deposit: ['depositor', 'recipient', 'inputToken', 'outputToken', 'inputAmount', 'outputAmount', 'destinationChainId'],
  depositNative: [
    ...['spokePool', 'depositor', 'recipient', 'inputToken', 'inputAmount', 'outputToken', 'outputAmount', 'destinationChainId'],
  ],
}
const TIME_NAMES = ['exclusiveRelayer', 'quoteTimestamp', 'fillDeadline', 'exclusivityParameter', 'message']

const changed = (data: string, field: string, value: (before: never) => unknown): string => {
  const { name, args } = split(data)
  const at = [...(NAMES[name] ?? []), ...TIME_NAMES].indexOf(field)
  if (at < 0) throw new Error(`${name} has no ${field}`)
  return join(
    name,
    args.map((arg, i) => (i === at ? value(arg as never) : arg)),
  )
}

const envelopeChanges = async (swap: Swap): Promise<void> => {
  const { data, value } = transactionOf(swap.execution)
  const change = (name: string, of: Partial<WalletTransaction>) => refuses(swap, name, withTransaction(swap.execution, of))
  await change('chain', { chainId: 10 })
  await change('contract', { to: STRANGER })
  await change('another of Across’s contracts', { to: addressOf('evm', '0x89415a82d909a7238d69094C3Dd1dCC1aCbDa85C') })
  await change('the SpokePool of another chain', { to: addressOf('evm', '0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5') })
  await change('value', { value: (value + 1n) as never })
  if (value > 0n) await change('no value', { value: 0n as never })
  await change('extra calldata', { data: `${data}00` })
  await change('extra calldata before the tags', { data: `${data.slice(0, -TAGS.length)}00${TAGS}` })
  await change('a third tag', { data: `${data}73c0de` })
  await change('a hidden call after the tag', { data: `${data}${'ab'.repeat(32)}` })
  await change('cut short', { data: data.slice(0, -TAGS.length - 64) })
  await change('another selector', { data: `0xdeadbeef${data.slice(10)}` })
  await change('odd digits', { data: data.slice(0, -1) })
  await change('nothing', { data: '0x' })
}

test('a deposit without a message: every field', async () => {
  const swap = await open(usdcOrder())
  const { data } = transactionOf(swap.execution)
  await envelopeChanges(swap)
  for (const [field, value] of DEPOSIT_CHANGES) await refusesData(swap, field, changed(data, field, value))
  for (const address of [STRANGER, swap.order.recipient])
    await refusesData(
      swap,
      'depositor',
      changed(data, 'depositor', () => word(address)),
    )
  for (const address of [STRANGER, swap.order.sender, '0x0F7Ae28dE1C8532170AD4ee566B5801485c13a0E'])
    await refusesData(
      swap,
      'recipient',
      changed(data, 'recipient', () => word(address)),
    )
  await refusesData(
    swap,
    'dirty recipient',
    changed(data, 'recipient', (before: string) => `0x01${before.slice(4)}`),
  )
  await refusesData(
    swap,
    'dirty depositor',
    changed(data, 'depositor', (before: string) => `0x01${before.slice(4)}`),
  )
  await refusesData(
    swap,
    'input token',
    changed(data, 'inputToken', () => word(WETH.base)),
  )
  await refusesData(
    swap,
    'input amount',
    changed(data, 'inputAmount', (before: bigint) => before + 1n),
  )
  await refusesData(
    swap,
    'less input',
    changed(data, 'inputAmount', () => 1n),
  )
  // A word a contract would not read, but which decoders skip: the message's offset moved over a gap.
  const hex = data.slice(0, -TAGS.length)
  const offsetAt = 10 + 11 * 64
  const gap = `${hex.slice(0, offsetAt)}${(13 * 32).toString(16).padStart(64, '0')}${'ee'.repeat(32)}${hex.slice(offsetAt + 64)}${TAGS}`
  await refusesData(swap, 'a gap', gap)
  const spenderChanged = { ...swap, offer: { ...swap.offer, spender: STRANGER } }
  await refuses(spenderChanged, 'spender', swap.execution)
})

test('a native deposit through the periphery: every field', async () => {
  const swap = await open(anOrder({ from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n, recipient: WALLETS.evmOther }))
  const { data } = transactionOf(swap.execution)
  await envelopeChanges(swap)
  for (const [field, value] of DEPOSIT_CHANGES) await refusesData(swap, field, changed(data, field, value))
  await refusesData(
    swap,
    'SpokePool',
    changed(data, 'spokePool', () => STRANGER),
  )
  await refusesData(
    swap,
    'depositor',
    changed(data, 'depositor', () => STRANGER),
  )
  await refusesData(
    swap,
    'recipient',
    changed(data, 'recipient', () => word(STRANGER)),
  )
  await refusesData(
    swap,
    'input token',
    changed(data, 'inputToken', () => USDC.base),
  )
  await refusesData(
    swap,
    'input amount',
    changed(data, 'inputAmount', (before: bigint) => before - 1n),
  )
})

const HANDLER: Hex = '0x0F7Ae28dE1C8532170AD4ee566B5801485c13a0E'
const call = (target: string, functionName: string, args: readonly unknown[], value = 0n): Call => ({
  target: target as Hex,
  callData: encodeFunctionData({ abi: ABI, functionName, args } as never),
  value,
})

const reworded = (data: string, change: (instructions: Instructions) => Instructions): string =>
  changed(data, 'message', (message: Hex) => {
    const [instructions] = decodeAbiParameters(INSTRUCTIONS, message)
    return encodeAbiParameters(INSTRUCTIONS, [change(instructions as Instructions)] as never)
  })

const recalled = (data: string, change: (calls: readonly Call[]) => readonly Call[]): string =>
  reworded(data, (instructions) => ({ ...instructions, calls: change(instructions.calls) }))

test('a message that pays a fee in tokens: every call of it', async () => {
  const swap = await open(usdcOrder({ feeBps: 15 }))
  const { data } = transactionOf(swap.execution)
  const fee = swap.offer.fee.amount
  const token = USDC.arbitrum
  const drainTo = (address: string) => call(HANDLER, 'drainLeftoverTokens', [token, address])
  const pay = (address: string, amount: bigint) => call(token, 'transfer', [address, amount])
  const CALLS: readonly (readonly [string, (calls: readonly Call[]) => readonly Call[]])[] = [
    ['fee recipient', ([, ...rest]) => [pay(STRANGER, fee), ...rest]],
    ['fee amount up', ([, ...rest]) => [pay(FEE_RECIPIENT, fee + 1n), ...rest]],
    ['fee amount a hundred times', ([, ...rest]) => [pay(FEE_RECIPIENT, fee * 100n), ...rest]],
    ['fee amount down', ([, ...rest]) => [pay(FEE_RECIPIENT, fee / 2n), ...rest]],
    ['more than there is', ([, ...rest]) => [pay(FEE_RECIPIENT, 10n ** 12n), ...rest]],
    ['no fee', ([, ...rest]) => rest],
    ['a second fee', (calls) => [pay(STRANGER, 1n), ...calls]],
    ['recipient', ([first]) => [first as Call, drainTo(STRANGER)]],
    ['leftovers', ([first, second]) => [first as Call, second as Call, drainTo(STRANGER)]],
    ['drained before the recipient', (calls) => [drainTo(STRANGER), ...calls]],
    ['the fee taken as a drain', ([, ...rest]) => [drainTo(FEE_RECIPIENT), ...rest]],
    ['a drain of another token', (calls) => [call(HANDLER, 'drainLeftoverTokens', [ARB, swap.order.recipient]), ...calls]],
    ['nothing delivered', ([first]) => [first as Call]],
    ['no calls', () => []],
    ['an approval', (calls) => [call(token, 'approve', [STRANGER, 1n]), ...calls]],
    ['a call of a stranger', (calls) => [...calls, { target: STRANGER, callData: '0x12345678', value: 0n }]],
    ['data logged by a stranger', (calls) => [...calls, call(STRANGER, 'emitData', ['0x00'])]],
    ['a native payment', (calls) => [...calls, { target: STRANGER, callData: '0x', value: 1n }]],
    ['an empty call', (calls) => [...calls, { target: STRANGER, callData: '0x', value: 0n }]],
    ['value on a drain', ([first, second, third]) => [first as Call, { ...(second as Call), value: 1n }, third as Call]],
    ['extra bytes in a call', ([first, ...rest]) => [{ ...(first as Call), callData: `${first?.callData}00` as Hex }, ...rest]],
    ['an unwrapping of what is not wrapped', (calls) => [call(token, 'withdraw', [1n]), ...calls]],
  ]
  for (const [name, change] of CALLS) await refusesData(swap, name, recalled(data, change))
  await refusesData(
    swap,
    'fallback',
    reworded(data, (all) => ({ ...all, fallbackRecipient: STRANGER })),
  )
  await refusesData(
    swap,
    'handler',
    changed(data, 'recipient', () => word(STRANGER)),
  )
  await refusesData(
    swap,
    'no handler',
    changed(data, 'recipient', () => word(swap.order.recipient)),
  )
  await refusesData(
    swap,
    'no message',
    changed(data, 'message', () => '0x'),
  )
  await refusesData(
    swap,
    'bytes after the message',
    changed(data, 'message', (message: Hex) => `${message}${'00'.repeat(32)}`),
  )
  await refusesData(
    swap,
    'output amount',
    changed(data, 'outputAmount', (before: bigint) => before - 1n),
  )
})

test('a message that unwraps and pays a native fee: every call of it', async () => {
  const swap = await open(
    anOrder({ from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n, feeBps: 30, recipient: WALLETS.evmOther }),
  )
  const { data } = transactionOf(swap.execution)
  const fee = swap.offer.fee.amount
  const zero = '0x0000000000000000000000000000000000000000'
  const withdraw = encodeFunctionData({ abi: ABI, functionName: 'withdraw', args: [0n] } as never)
  const unwrap = (target: string, callData: Hex, value: bigint, replacement: readonly { token: string; offset: bigint }[]) =>
    call(HANDLER, 'makeCallWithBalance', [target, callData, value, replacement])
  const whole = [{ token: WETH.arbitrum, offset: 4n }]
  const CALLS: readonly (readonly [string, (calls: readonly Call[]) => readonly Call[]])[] = [
    ['fee recipient', ([first, , ...rest]) => [first as Call, { target: STRANGER, callData: '0x', value: fee }, ...rest]],
    [
      'fee amount',
      ([first, , ...rest]) => [first as Call, { target: FEE_RECIPIENT as Hex, callData: '0x', value: fee * 2n }, ...rest],
    ],
    [
      'a fee that calls',
      ([first, , ...rest]) => [first as Call, { target: FEE_RECIPIENT as Hex, callData: '0x01020304', value: fee }, ...rest],
    ],
    ['a fee in the wrapped coin', (calls) => [call(WETH.arbitrum, 'transfer', [FEE_RECIPIENT, fee]), ...calls]],
    ['never unwrapped', ([, ...rest]) => rest],
    ['unwrapped elsewhere', ([, ...rest]) => [unwrap(STRANGER, withdraw, 0n, whole), ...rest]],
    [
      'another call with the balance',
      ([, ...rest]) => [unwrap(WETH.arbitrum, call(WETH.arbitrum, 'transfer', [STRANGER, 0n]).callData, 0n, whole), ...rest],
    ],
    ['a fixed unwrapping', ([, ...rest]) => [unwrap(WETH.arbitrum, withdraw, 0n, []), ...rest]],
    ['another offset', ([, ...rest]) => [unwrap(WETH.arbitrum, withdraw, 0n, [{ token: WETH.arbitrum, offset: 3n }]), ...rest]],
    ['another balance', ([, ...rest]) => [unwrap(WETH.arbitrum, withdraw, 0n, [{ token: ARB, offset: 4n }]), ...rest]],
    ['two balances', ([, ...rest]) => [unwrap(WETH.arbitrum, withdraw, 0n, [...whole, ...whole]), ...rest]],
    ['value with the balance', ([, ...rest]) => [unwrap(WETH.arbitrum, withdraw, 1n, whole), ...rest]],
    ['recipient', ([first, second]) => [first as Call, second as Call, call(HANDLER, 'drainLeftoverTokens', [zero, STRANGER])]],
    ['wrapped instead of native', ([, , , last]) => [call(WETH.arbitrum, 'transfer', [FEE_RECIPIENT, fee]), last as Call]],
    ['half unwrapped', ([, ...rest]) => [call(WETH.arbitrum, 'withdraw', [10n ** 17n]), ...rest]],
  ]
  for (const [name, change] of CALLS) await refusesData(swap, name, recalled(data, change))
})

const swapChanged = (data: string, path: string, value: unknown): string => {
  const { args } = split(data)
  const [tuple] = args as [Record<string, unknown>]
  const [head = '', leaf] = path.split('.')
  const part = leaf === undefined ? value : { ...(tuple[head] as object), [leaf]: value }
  return join('swapAndBridge', [{ ...tuple, [head]: part }])
}

test('a swap before the bridge: every field', async () => {
  const swap = await open(
    anOrder({ from: [42161, ARB], to: [8453, USDC.base], amount: 10n ** 21n, slippageBps: 50, recipient: WALLETS.evmOther }),
  )
  const { data } = transactionOf(swap.execution)
  const now = START_OF_TIME / 1_000
  await envelopeChanges(swap)
  for (const [path, value] of [
    ['submissionFees.amount', 1n],
    ['depositData.inputToken', ARB],
    ['depositData.inputToken', WETH.arbitrum],
    ['depositData.outputToken', word(WETH.base)],
    ['depositData.outputAmount', 1n],
    // Promises more than the exchange must deliver: nobody would fill it, and the difference would be gone.
    ['depositData.outputAmount', 10n ** 15n],
    ['depositData.depositor', STRANGER],
    ['depositData.recipient', word(STRANGER)],
    ['depositData.recipient', word(swap.order.recipient)],
    ['depositData.destinationChainId', 10n],
    ['depositData.quoteTimestamp', now - 3_601],
    ['depositData.quoteTimestamp', now + 601],
    ['depositData.fillDeadline', now],
    ['depositData.fillDeadline', now + 5 * 3_600],
    ['depositData.message', '0x'],
    ['depositData.message', '0x00'],
    ['swapToken', USDC.arbitrum],
    ['swapTokenAmount', 10n ** 21n + 1n],
    ['minExpectedInputTokenAmount', 1n],
    ['minExpectedInputTokenAmount', 0n],
    ['transferType', 3],
    ['spokePool', STRANGER],
    ['nonce', 1n],
  ] as const)
    await refusesData(swap, path, swapChanged(data, path, value))
})

test('the old entry points are read as well, and held to the same', async () => {
  const native = await open(
    anOrder({ from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n, recipient: WALLETS.evmOther }),
  )
  const abi = parseAbi([
    'function depositNative(address, bytes32, address, uint256, bytes32, uint256, uint256, bytes32, uint32, uint32, uint32, bytes)',
    'function depositV3(address, address, address, address, uint256, uint256, uint256, address, uint32, uint32, uint32, bytes)',
  ])
  const { args } = split(transactionOf(native.execution).data)
  const old = (list: readonly unknown[]) =>
    `${encodeFunctionData({ abi, functionName: 'depositNative', args: list } as never)}${TAGS}`
  const [spokePool, , ...rest] = args
  const february = addressOf('evm', '0x89415a82d909a7238d69094C3Dd1dCC1aCbDa85C')
  const ofCaller = withTransaction(native.execution, { to: february, data: old([spokePool, ...rest]) })
  expect(await prove(bench.venue, native, ofCaller)).toEqual([])
  const refusesOld = (name: string, list: readonly unknown[]) =>
    refuses(native, name, withTransaction(ofCaller, { data: old(list) }))
  await refusesOld('old SpokePool', [STRANGER, ...rest])
  await refusesOld('old recipient', [spokePool, word(STRANGER), ...rest.slice(1)])
  await refusesData(native, 'an old call of the new periphery', old([spokePool, ...rest]))
  await bench.close()

  const plain = await open(usdcOrder())
  const deposit = split(transactionOf(plain.execution).data).args
  const narrow = (value: unknown) => `0x${String(value).slice(26)}`
  const v3 = deposit.map((value, i) => (i < 4 || i === 7 ? narrow(value) : value))
  const oldest = (list: readonly unknown[]) => `${encodeFunctionData({ abi, functionName: 'depositV3', args: list } as never)}`
  expect(await prove(bench.venue, plain, withTransaction(plain.execution, { data: oldest(v3) }))).toEqual([])
  for (const [i, value] of [
    [0, STRANGER],
    [1, STRANGER],
    [2, ARB],
    [3, ARB],
    [4, 1n],
    [5, 1n],
    [6, 1n],
    [8, 1],
    [9, 1],
  ] as const)
    await refusesData(plain, `depositV3 ${i}`, oldest(v3.map((before, at) => (at === i ? value : before))))
})

type Plan = { feePayer: string; recentBlockhash: string; instructions: SolanaInstructionPlan[] }

/** The transaction taken apart, its account flags as wide as they may be. */
const planOf = async (data: string): Promise<Plan> => {
  const transaction = await decodeSolanaTransaction(data)
  if (!transaction) throw new Error('no transaction')
  const { feePayer, recentBlockhash, instructions } = transaction
  const meta = (address: string | null): SolanaAccountMeta => ({ address: address ?? '', isSigner: address === feePayer })
  return {
    feePayer,
    recentBlockhash,
    instructions: instructions.map(({ programId, accounts, data: bytes }) => ({
      programId,
      accounts: accounts.map(meta),
      data: bytes,
    })),
  }
}

const DEPOSIT_AT = 2
const APPROVE_AT = 1

test('a Solana transaction: every argument and every companion', async () => {
  const swap = await open(usdcOrder({ from: [-2, USDC.solana], to: [8453, USDC.base] }))
  const { data } = transactionOf(swap.execution)
  const refusesPlan = async (name: string, change: (plan: Plan) => Plan): Promise<void> => {
    const serialized = await encodeSolanaTransaction(change(await planOf(data)))
    await refuses(swap, name, withTransaction(swap.execution, { data: serialized, serialized }))
  }
  const withInstruction =
    (at: number, change: (instruction: SolanaInstructionPlan) => SolanaInstructionPlan) =>
    (plan: Plan): Plan => ({
      ...plan,
      instructions: plan.instructions.map((instruction, i) => (i === at ? change(instruction) : instruction)),
    })
  const withBytes = (at: number, offset: number, bytes: readonly number[]) =>
    withInstruction(at, (instruction) => {
      const copy = Uint8Array.from(instruction.data)
      copy.set(bytes, offset)
      return { ...instruction, data: copy }
    })
  const withAccount = (at: number, index: number, address: string) =>
    withInstruction(at, (instruction) => ({
      ...instruction,
      accounts: instruction.accounts.map((meta, i) => (i === index ? { address } : meta)),
    }))
  const added =
    (instruction: SolanaInstructionPlan) =>
    (plan: Plan): Plan => ({ ...plan, instructions: [...plan.instructions, instruction] })

  expect(
    await prove(
      bench.venue,
      swap,
      withTransaction(swap.execution, {
        data: await encodeSolanaTransaction(await planOf(data)),
        serialized: await encodeSolanaTransaction(await planOf(data)),
      }),
    ),
  ).toEqual([])

  const stranger = [...base58.decode(STRANGER_SOLANA)]
  for (const [name, offset, bytes] of [
    ['discriminator', 0, [0]],
    ['depositor', 8, stranger],
    ['recipient', 40 + 31, [1]],
    ['dirty recipient', 40, [1]],
    ['input token', 72, stranger],
    ['output token', 104 + 31, [1]],
    ['input amount', 136, [1]],
    ['output amount', 144 + 31, [0]],
    ['output amount of nothing', 144, Array.from({ length: 32 }, () => 0)],
    ['destination chain', 176, [10, 0]],
    ['quote timestamp', 216, [0, 0, 0, 0]],
    ['fill deadline past', 220, [0, 0, 0, 0]],
    ['fill deadline far', 220, [255, 255, 255, 255]],
    ['message length', 228, [1]],
  ] as const)
    await refusesPlan(name, withBytes(DEPOSIT_AT, offset, bytes))
  await refusesPlan(
    'a message',
    withInstruction(DEPOSIT_AT, (deposit) => ({ ...deposit, data: Uint8Array.from([...deposit.data, 0]) })),
  )
  await refusesPlan(
    'program',
    withInstruction(DEPOSIT_AT, (deposit) => ({ ...deposit, programId: STRANGER_SOLANA })),
  )
  await refusesPlan('mint account', withAccount(DEPOSIT_AT, 5, STRANGER_SOLANA))
  await refusesPlan('token program account', withAccount(DEPOSIT_AT, 6, STRANGER_SOLANA))
  await refusesPlan(
    'fewer accounts',
    withInstruction(DEPOSIT_AT, (deposit) => ({ ...deposit, accounts: deposit.accounts.slice(0, -1) })),
  )
  await refusesPlan('approved amount', withBytes(APPROVE_AT, 1, [255]))
  await refusesPlan('approved delegate', withAccount(APPROVE_AT, 2, STRANGER_SOLANA))
  await refusesPlan('approved source', withAccount(APPROVE_AT, 0, STRANGER_SOLANA))
  await refusesPlan('a transfer for the approval', withBytes(APPROVE_AT, 0, [12]))
  await refusesPlan('vault of a stranger', withAccount(0, 1, STRANGER_SOLANA))
  await refusesPlan('owner of the vault', withAccount(0, 2, STRANGER_SOLANA))
  await refusesPlan('fee payer', (plan) => ({ ...plan, feePayer: STRANGER_SOLANA }))
  await refusesPlan(
    'a second signer',
    added({
      programId: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
      accounts: [{ address: STRANGER_SOLANA, isSigner: true }],
      data: new Uint8Array(),
    }),
  )
  await refusesPlan('no deposit', (plan) => ({ ...plan, instructions: plan.instructions.filter((_, i) => i !== DEPOSIT_AT) }))
  await refusesPlan('two deposits', (plan) => ({
    ...plan,
    instructions: [...plan.instructions, ...plan.instructions.slice(DEPOSIT_AT, DEPOSIT_AT + 1)],
  }))
  await refusesPlan('two approvals', (plan) => ({
    ...plan,
    instructions: [...plan.instructions.slice(APPROVE_AT, APPROVE_AT + 1), ...plan.instructions],
  }))
  const lamports = Uint8Array.from([2, 0, 0, 0, 0, 202, 154, 59, 0, 0, 0, 0])
  await refusesPlan(
    'a transfer of SOL',
    added({
      programId: '11111111111111111111111111111111',
      accounts: [
        { address: swap.order.sender, isSigner: true, isWritable: true },
        { address: STRANGER_SOLANA, isWritable: true },
      ],
      data: lamports,
    }),
  )
  const budget = (bytes: readonly number[]) =>
    added({ programId: 'ComputeBudget111111111111111111111111111111', accounts: [], data: Uint8Array.from(bytes) })
  await refusesPlan('an absurd compute price', budget([3, 0, 0, 0, 0, 1, 0, 0, 0]))
  await refusesPlan('an unknown budget instruction', budget([4, 0, 0, 0, 0]))

  const change = (name: string, of: Partial<WalletTransaction>) => refuses(swap, name, withTransaction(swap.execution, of))
  const wire = Buffer.from(data, 'base64')
  const longer = Buffer.concat([wire, Buffer.from([0])]).toString('base64')
  await change('bytes left over', { data: longer, serialized: longer })
  await change('two different transactions', { serialized: longer })
  await change('nothing', { data: '', serialized: '' })
  await change('program paid', { to: STRANGER_SOLANA })
  await change('value', { value: 1n as never })
  await change('chain', { chainId: 8453 })
})

test('modest compute instructions beside a Solana deposit are let through', async () => {
  const swap = await open(usdcOrder({ from: [-2, USDC.solana], to: [8453, USDC.base] }))
  const plan = await planOf(transactionOf(swap.execution).data)
  const programId = 'ComputeBudget111111111111111111111111111111'
  const limit = { programId, accounts: [], data: Uint8Array.from([2, 64, 13, 3, 0]) }
  const price = { programId, accounts: [], data: Uint8Array.from([3, 16, 39, 0, 0, 0, 0, 0, 0]) }
  const serialized = await encodeSolanaTransaction({ ...plan, instructions: [limit, price, ...plan.instructions] })
  expect(await prove(bench.venue, swap, withTransaction(swap.execution, { data: serialized, serialized }))).toEqual([])
})
