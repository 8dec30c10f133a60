import { decodeFunctionData, encodeFunctionData, type Hex, hashTypedData, parseAbi } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Execution, TypedData } from '../../../engine/core/execution.ts'
import type { Json } from '../../../engine/core/json.ts'
import { metaTxnSettler, takerSettler } from '../../../engine/simnet/venues/zerox/networks.ts'
import { NATIVE } from '../../../scripts/client/tokens.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { altered, prove, type Swap, swapOf, transactionOf, typedDataOf } from '../../support/venueKit/calls.ts'
import { countMutations } from '../../support/venueKit/mutations.ts'
import { otherCalls } from '../../support/venueKit/payloads.ts'
import { ALLOWANCE_HOLDER, DAI, openBench, orders, PERMIT2, STRANGER, type ZeroxBench } from './support.ts'

let bench: ZeroxBench
let signed: Swap
let sent: Swap
let coins: Swap
beforeEach(async () => {
  bench = await openBench()
  signed = await swapOf(bench.venue, orders.usdc())
  sent = await swapOf(bench.venue, orders.dai())
  coins = await swapOf(bench.venue, orders.ether())
})
afterEach(() => bench.close())

const refuses = countMutations('zerox')

const expectRefused = async (swap: Swap, execution: Execution, reason: RegExp, name = String(reason)): Promise<void> => {
  expect(refuses(name, await prove(bench.venue, swap, execution)).join('; '), name).toMatch(reason)
}

const MESSAGE = 'payload.typedData.message'
const APPROVAL = 'payload.approvalData'
const TRANSACTION = 'payload.transaction'
const ZERO = `0x${'0'.repeat(40)}`
const NOW_S = BigInt(START_OF_TIME / 1_000)

/** As by a venue that lies consistently: the hashes are those of what was altered. */
const rehashed = (execution: Execution): Execution => {
  const { payload } = execution
  if (payload.executionType !== 'SIGNATURE') throw new TypeError('nothing to sign')
  const hashOf = (typedData: TypedData) => hashTypedData(typedData as never)
  const tradeHash = hashOf(payload.typedData)
  return {
    ...execution,
    venueRef: tradeHash,
    evidence: { v: 1, tradeHash, approvalHash: payload.approvalData && hashOf(payload.approvalData) },
  }
}

const actionsOf = (execution: Execution): readonly Hex[] => {
  const { slippageAndActions } = typedDataOf(execution).message as unknown as { slippageAndActions: { actions: readonly Hex[] } }
  return slippageAndActions.actions
}

/** One word after the selector of an action. */
const withWord = (action: string, at: number, value: string | bigint): string => {
  const word = (typeof value === 'bigint' ? value.toString(16) : value.slice(2).toLowerCase()).padStart(64, '0')
  return `${action.slice(0, 10 + 64 * at)}${word}${action.slice(10 + 64 * (at + 1))}`
}

const EXACT = `0x131ad428${'1'.padStart(64, '0')}`
const SLIPPAGE = `${MESSAGE}.slippageAndActions`

describe('proof: a signed 0x trade', () => {
  test('is accepted unaltered', async () => {
    expect(await prove(bench.venue, signed)).toEqual([])
  })

  test.each<[string, Json, RegExp]>([
    ['permitted.token', DAI, /input.token/],
    ['permitted.amount', '1000000001', /input.amount/],
    ['permitted.amount', '999999999', /input.amount/],
    ['permitted.amount', '0x10', /undecodable/],
    ['spender', STRANGER, /unread: settler/],
    ['spender', takerSettler(1), /unread: settler/],
    ['spender', metaTxnSettler(10), /unread: settler/],
    ['nonce', '1', /unread: firstAction/],
    ['deadline', '1', /firstAction/],
    ['deadline', (NOW_S + 100_000n).toString(), /deadline/],
    ['deadline', (NOW_S + 60n).toString(), /unread: firstAction/],
    ['slippageAndActions.recipient', STRANGER, /recipient/],
    ['slippageAndActions.recipient', ZERO, /recipient/],
    ['slippageAndActions.buyToken', DAI, /output.token/],
    ['slippageAndActions.buyToken', ZERO, /output.token/],
    ['slippageAndActions.minAmountOut', '0', /output.minimum/],
    ['slippageAndActions.minAmountOut', '1', /output.minimum/],
    ['slippageAndActions.actions', [], /undecodable/],
    ['extra', '1', /undecodable/],
  ])('is rejected with another %s (%s)', async (field, value, reason) => {
    const changed = altered(signed.execution, `${MESSAGE}.${field}`, value)
    await expectRefused(signed, changed, /trade.hash|undecodable/)
    const isReadable = !/undecodable/.test(String(reason))
    if (isReadable) await expectRefused(signed, rehashed(changed), reason)
  })

  test('is rejected with any amount scaled by a power of ten', async () => {
    for (const [field, factor] of [
      ['permitted.amount', 10n],
      ['slippageAndActions.minAmountOut', 10n],
    ] as const)
      for (const changed of [
        (old: string) => (BigInt(old) / factor).toString(),
        (old: string) => (BigInt(old) * factor).toString(),
      ]) {
        const execution = altered(signed.execution, `${MESSAGE}.${field}`, changed)
        const isMoreThanAsked = field.endsWith('Out') && changed('10') === '100'
        await expectRefused(signed, execution, /trade.hash/)
        // A minimum that is higher still is nobody's loss.
        if (!isMoreThanAsked) await expectRefused(signed, rehashed(execution), /input.amount|output.minimum/)
      }
  })

  test('is rejected with another first action and a matching hash', async () => {
    const actions = actionsOf(signed.execution)
    const [first = '0x', ...others] = actions
    const changes: readonly (readonly [readonly string[], RegExp])[] = [
      ...[1, 2, 3, 4].map((at) => [[withWord(first, at, 7n), ...others], /firstAction/] as const),
      [[`0xc1fb425e${first.slice(10)}`, ...others], /firstAction/],
      [[first.slice(0, -2), ...others], /firstAction/],
      [others, /firstAction/],
      [[others[0] ?? '0x', first, ...others.slice(1)], /firstAction/],
      [[...actions, EXACT], /exactOutput/],
    ]
    for (const [all, reason] of changes)
      await expectRefused(signed, rehashed(altered(signed.execution, `${SLIPPAGE}.actions`, all)), reason)
  })

  test('is rejected with another fee and a matching hash', async () => {
    const actions = actionsOf(signed.execution)
    const at = actions.length - 2
    const fee = actions[at] ?? '0x'
    const changes: readonly (readonly [readonly string[], RegExp])[] = [
      [actions.with(at, withWord(fee, 1, 31n) as Hex), /fee.amount/],
      [actions.with(at, withWord(fee, 1, 29n) as Hex), /fee.amount/],
      [actions.with(at, withWord(fee, 1, 10_001n) as Hex), /fee/],
      [actions.with(at, withWord(withWord(fee, 0, DAI), 2, DAI) as Hex), /unread: fee/],
      [
        actions.with(at, fee.replace(/70997970c51812dc3a010c7d01b50e0d17dc79c8/, STRANGER.slice(2).toLowerCase()) as Hex),
        /^fee$/,
      ],
      [actions.toSpliced(at, 1), /^fee$/],
      [[...actions, fee], /unread: fee/],
      // A share of what the swap has not brought yet is nothing.
      [[actions[0] ?? '0x', fee, ...actions.slice(1).filter((action) => action !== fee)], /unread: fee/],
      // The amount is written elsewhere, or is one already: it is no share.
      [actions.with(at, withWord(fee, 3, 4n) as Hex), /^fee$/],
    ]
    for (const [all, reason] of changes)
      await expectRefused(signed, rehashed(altered(signed.execution, `${SLIPPAGE}.actions`, all)), reason)
  })

  test.each<[string, unknown, RegExp]>([
    ['payload.typedData.domain.name', 'Permit3', /trade.hash/],
    ['payload.typedData.domain.version', '1', /trade.hash/],
    ['payload.typedData.domain.salt', `0x${'1'.repeat(64)}`, /trade.hash/],
    ['payload.typedData.domain.chainId', 10, /chain/],
    ['payload.typedData.domain.chainId', undefined, /undecodable/],
    ['payload.typedData.domain.verifyingContract', STRANGER, /verifyingContract/],
    ['payload.typedData.primaryType', 'SlippageAndActions', /trade.hash/],
    ['payload.typedData.types.SlippageAndActions', [{ name: 'recipient', type: 'address' }], /trade.hash/],
    ['payload.typedData.types.TokenPermissions.1.type', 'uint160', /trade.hash/],
    ['payload.typedData.types.PermitWitnessTransferFrom.0.name', 'allowed', /trade.hash/],
    ['payload.typedData.types.EIP712Domain', [], /trade.hash/],
    ['payload.typedData.types.More', [], /trade.hash/],
    ['payload.chainId', 10, /chain/],
    ['venueRef', `0x${'1'.repeat(64)}`, /trade.hash/],
    ['venueRef', null, /trade.hash/],
    ['evidence.tradeHash', `0x${'1'.repeat(64)}`, /trade.hash/],
    ['evidence.approvalHash', `0x${'1'.repeat(64)}`, /approval.hash/],
    ['evidence.approvalHash', null, /approval.hash/],
    ['evidence.v', 2, /undecodable/],
    ['evidence', null, /undecodable/],
  ])('is rejected with %s %s', async (path, value, reason) => {
    await expectRefused(signed, altered(signed.execution, path, value), reason)
  })

  test.each<[string, unknown, RegExp]>([
    ['domain.verifyingContract', DAI, /approval/],
    ['domain.chainId', 10, /approval|chain/],
    ['domain.chainId', undefined, /undecodable/],
    ['domain.salt', `0x${'1'.repeat(64)}`, /approval/],
    ['domain.name', undefined, /approval.hash/],
    ['message.owner', STRANGER, /approval/],
    ['message.spender', STRANGER, /approval/],
    ['message.spender', ALLOWANCE_HOLDER, /approval/],
    ['message.value', '1000000001', /approval/],
    ['message.value', (2n ** 256n - 1n).toString(), /approval/],
    ['message.deadline', (NOW_S + 100_000n).toString(), /deadline/],
    ['message.more', '1', /undecodable/],
    ['message.nonce', 0, /undecodable/],
    ['primaryType', 'Permits', /approval.hash/],
    ['types.Permit.2.type', 'uint160', /approval/],
    ['types.More', [], /approval/],
  ])('is rejected with a permit of another %s (%s)', async (path, value, reason) => {
    const changed = altered(signed.execution, `${APPROVAL}.${path}`, value)
    await expectRefused(signed, changed, /approval.hash|undecodable|approval/)
    if (/message|Contract|deadline/.test(path) && !/undecodable/.test(String(reason)))
      await expectRefused(signed, rehashed(changed), reason)
  })

  test('is rejected without the permit of its hash, and with a permit without a hash', async () => {
    await expectRefused(signed, altered(signed.execution, APPROVAL, null), /approval/)
    await expectRefused(signed, altered(signed.execution, 'evidence.approvalHash', null), /approval/)
  })
})

const ABI = parseAbi([
  'struct S { address recipient; address buyToken; uint256 minAmountOut; }',
  'function exec(address operator, address token, uint256 amount, address target, bytes data)',
  'function execute(S slippage, bytes[] actions, bytes32 zidAndAffiliate)',
  'function executeWithPermit(S slippage, bytes[] actions, bytes32 zidAndAffiliate, bytes permitData)',
])

type Call = {
  operator: Hex
  token: Hex
  amount: bigint
  target: Hex
  header: { recipient: Hex; buyToken: Hex; minAmountOut: bigint }
  actions: readonly Hex[]
  zid: Hex
}

/** The call taken apart by the published ABI, and put together again. */
const callOf = ({ execution }: Swap): Call => {
  const outer = decodeFunctionData({ abi: ABI, data: transactionOf(execution).data as Hex })
  if (outer.functionName !== 'exec') throw new TypeError(outer.functionName)
  const [operator, token, amount, target, data] = outer.args
  const inner = decodeFunctionData({ abi: ABI, data })
  if (inner.functionName !== 'execute') throw new TypeError(inner.functionName)
  const [header, actions, zid] = inner.args
  return { operator, token, amount, target, header, actions, zid }
}
const dataOf = ({ operator, token, amount, target, header, actions, zid }: Call): Hex => {
  const data = encodeFunctionData({ abi: ABI, functionName: 'execute', args: [header, actions, zid] })
  return encodeFunctionData({ abi: ABI, functionName: 'exec', args: [operator, token, amount, target, data] })
}
const withCall = (swap: Swap, change: (call: Call) => Partial<Call>): Execution => {
  const call = callOf(swap)
  return altered(swap.execution, `${TRANSACTION}.data`, dataOf({ ...call, ...change(call) }))
}

describe.each([
  ['of tokens', () => sent],
  ['of coins', () => coins],
] as const)('proof: a 0x transaction %s', (_kind, swapped) => {
  test('is accepted unaltered, and encodes to the same bytes', async () => {
    expect(await prove(bench.venue, swapped())).toEqual([])
    expect(dataOf(callOf(swapped()))).toBe(transactionOf(swapped().execution).data)
  })

  test('is rejected with any word altered, except for the route, which the minimum bounds', async () => {
    const { data } = transactionOf(swapped().execution)
    const { actions, zid } = callOf(swapped())
    const fee = actions.length - 2
    const free = [...actions.slice(1, fee), ...actions.slice(fee + 1)].map((part) => {
      const at = data.indexOf(part.slice(2))
      // Its length goes before it.
      return [at - 64, at + part.length - 2] as const
    })
    const named = data.indexOf(zid.slice(2))
    free.push([named, named + 64])
    // Who takes in the tokens, by which nonce, and the signature that AllowanceHolder stands in for: without them nothing is paid.
    const first = data.indexOf((actions[0] ?? '0x').slice(2))
    const isOfTokens = callOf(swapped()).token !== ZERO
    // A second or some minutes more or less to send it in.
    const deadline = first + 8 + (isOfTokens ? 5 : 1) * 64
    free.push([deadline - 4, deadline])
    if (isOfTokens)
      free.push([first + 8, first + 8 + 64], [first + 8 + 3 * 64, first + 8 + 4 * 64], [deadline, deadline + 2 * 64])
    // A minimum that is higher still is nobody's loss.
    const minimum = 196 + 4 + 2 * 32
    const isHigher = (index: number, other: string) =>
      index >= minimum && index < minimum + 32 && Number.parseInt(other.slice(2 + index * 2, 4 + index * 2), 16) % 2 === 1
    const isFree = (at: number) => free.some(([from, to]) => at >= from && at < to)
    let routes = 0
    for (const [index, other] of otherCalls(data).entries()) {
      if (isFree(2 + index * 2)) routes += 1
      else if (!isHigher(index, other))
        await expectRefused(swapped(), altered(swapped().execution, `${TRANSACTION}.data`, other), /./, `byte ${index}`)
    }
    expect(routes).toBeLessThan(data.length / 2)
  })

  test.each<[string, (call: Call) => Partial<Call>, RegExp]>([
    ['another operator', () => ({ operator: STRANGER as Hex }), /operator/],
    ['another target', () => ({ target: STRANGER as Hex }), /operator/],
    ['an unknown Settler', () => ({ operator: STRANGER as Hex, target: STRANGER as Hex }), /settler/],
    ['AllowanceHolder as Settler', () => ({ operator: ALLOWANCE_HOLDER as Hex, target: ALLOWANCE_HOLDER as Hex }), /settler/],
    ['the Settler of signed trades', () => ({ operator: metaTxnSettler(1) as Hex, target: metaTxnSettler(1) as Hex }), /settler/],
    ['the Settler of another chain', () => ({ operator: takerSettler(10) as Hex, target: takerSettler(10) as Hex }), /settler/],
    ['ten times the amount', ({ amount }) => ({ amount: amount * 10n }), /input.amount/],
    ['a tenth of the amount', ({ amount }) => ({ amount: amount / 10n }), /input.amount/],
    ['another recipient', ({ header }) => ({ header: { ...header, recipient: STRANGER as Hex } }), /^recipient$/],
    ['another token', ({ header }) => ({ header: { ...header, buyToken: DAI as Hex } }), /output.token/],
    [
      'a tenth of the minimum',
      ({ header }) => ({ header: { ...header, minAmountOut: header.minAmountOut / 10n } }),
      /output.minimum/,
    ],
    ['no minimum', ({ header }) => ({ header: { ...header, minAmountOut: 0n } }), /unread: header/],
    [
      'a header of zeros',
      () => ({ header: { recipient: ZERO as Hex, buyToken: ZERO as Hex, minAmountOut: 0n } }),
      /unread: header/,
    ],
    ['no action', () => ({ actions: [] }), /firstAction/],
    ['no first action', ({ actions }) => ({ actions: actions.slice(1) }), /firstAction/],
    [
      'an unknown first action',
      ({ actions }) => ({ actions: [`0x12345678${(actions[0] ?? '').slice(10)}` as Hex, ...actions] }),
      /firstAction/,
    ],
    ['an exact output action', ({ actions }) => ({ actions: [...actions, EXACT as Hex] }), /exactOutput/],
    ['the fee action twice', ({ actions }) => ({ actions: [...actions, actions.at(-2) as Hex] }), /unread: fee/],
    ['no fee', ({ actions }) => ({ actions: actions.toSpliced(-2, 1) }), /^fee$/],
  ])('is rejected with %s', async (_name, change, reason) => {
    await expectRefused(swapped(), withCall(swapped(), change), reason)
  })

  test('is rejected as a call with a permit, and with another contract, value, chain or form', async () => {
    const { operator, token, amount, target, header, actions, zid } = callOf(swapped())
    const inner = encodeFunctionData({ abi: ABI, functionName: 'executeWithPermit', args: [header, actions, zid, '0x'] })
    const data = encodeFunctionData({ abi: ABI, functionName: 'exec', args: [operator, token, amount, target, inner] })
    await expectRefused(swapped(), altered(swapped().execution, `${TRANSACTION}.data`, data), /undecodable/)
    for (const [field, value, reason] of [
      ['to', STRANGER, /contract|to/],
      ['to', PERMIT2, /to/],
      ['value', 1n, /value/],
      ['chainId', 10, /chain/],
      ['serialized', 'AAAA', /serialized/],
      ['data', '0x', /undecodable/],
    ] as const)
      await expectRefused(swapped(), altered(swapped().execution, `${TRANSACTION}.${field}`, value), reason)
  })

  test('is rejected after its deadline, or with a deadline too far away', async () => {
    for (const now of [START_OF_TIME + 301_000, START_OF_TIME - 4_000_000]) {
      const objections = await prove(bench.venue, swapped(), swapped().execution, now)
      expect(refuses('deadline', objections)).toContain('deadline')
    }
  })
})

test('proof: a call on Linea is checked against the derived Settlers of Linea', async () => {
  const wish = { from: [59144, NATIVE], to: [59144, '0x176211869cA2b568f2A7D4EE941E073a821EE1ff'] } as const
  const swap = await swapOf(bench.venue, orders.ether(wish))
  const by = (settler: Hex) => withCall(swap, () => ({ operator: settler, target: settler }))
  // The twelfth for takers, by the label of its contract; and what the hash of other chains makes of the twelfth.
  expect(await prove(bench.venue, swap, by('0xc026251dc69f6e3556331b2e14e72eb4a34dd55a'))).toEqual([])
  await expectRefused(swap, by('0x00bd0a5d4b73805a939f24dfb29bfae36253a96d'), /unread: settler/)
})
