import { decodeErrorResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, describe, expect, test } from 'vitest'
import { uniswapxContracts } from '../../../engine/simnet/contracts/uniswapxContracts.ts'
import { EvmRevert } from '../../../engine/simnet/evm/evmRevert.ts'
import { type Decay, encodeOrder, type Terms, typesOf, valuesOf } from '../../../engine/simnet/venues/uniswapx/orderData.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { account, sign } from '../../support/venueKit/calls.ts'
import { createEvmStage } from '../../support/venueKit/evmStage.ts'
import { PERMIT2, REACTORS, STRANGER, USDC, WETH } from './support.ts'

/** The reactors' stand-ins: they pay what was signed, decayed as it was cosigned, and nothing else. */

const REACTOR = { DUTCH_V2: REACTORS.v2, DUTCH_V3: '0x0000000015757c461808EA25Eb309638B62681cf' } as const
const ERRORS = ['InvalidReactor', 'DeadlinePassed', 'InvalidCosignature', 'InvalidNonce', 'InvalidSigner']
const EXECUTE = parseAbi([
  'struct SignedOrder { bytes order; bytes sig; }',
  'function execute(SignedOrder order) payable',
  ...ERRORS.map((name) => `error ${name}()` as const),
])
const FILLER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const NOW_S = START_OF_TIME / 1_000

const stage = createEvmStage(uniswapxContracts)
afterAll(() => stage.close())

let nonce = 0n
const termsOf = (kind: keyof typeof REACTOR, change: Partial<Terms> = {}): Terms => {
  nonce += 1n
  const outputs = [
    { token: WETH, recipient: STRANGER, start: 1_000_000n, end: 990_000n },
    { token: WETH, recipient: PERMIT2, start: 3_000n, end: 2_000n },
  ]
  const known = { kind, chainId: 1, reactor: REACTOR[kind], swapper: account.address }
  return { ...known, nonce, deadline: NOW_S + 300, token: USDC, amount: 5_000_000n, outputs, ...change }
}

const signatureOf = (terms: Terms): Promise<Hex> =>
  sign({
    domain: { name: 'Permit2', chainId: 1, verifyingContract: PERMIT2 },
    types: typesOf(terms.kind),
    primaryType: 'PermitWitnessTransferFrom',
    message: valuesOf(terms) as never,
  })

const stocked = async ({ amount, reactor }: Terms) => {
  await stage.stock({ chainId: 1, token: USDC, holder: account.address, amount }, PERMIT2)
  await stage.stock({ chainId: 1, token: WETH, holder: FILLER, amount: 10_000_000n }, reactor)
}

const callOf = (order: Hex, sig: Hex, to: string) => ({
  ...{ chainId: 1, from: FILLER, to },
  data: encodeFunctionData({ abi: EXECUTE, args: [{ order, sig }] }),
})

const held = (owner: string) => stage.balance(1, WETH, owner)
const head = async () => BigInt((await stage.rpc(1, 'eth_blockNumber', [])) as string)

/** What the two recipients got. */
const filled = async (terms: Terms, decay: Decay): Promise<readonly bigint[]> => {
  await stocked(terms)
  const before = await Promise.all([STRANGER, PERMIT2].map(held))
  await stage.land(callOf(await encodeOrder(terms, decay), await signatureOf(terms), terms.reactor))
  const after = await Promise.all([STRANGER, PERMIT2].map(held))
  return after.map((amount, i) => amount - (before[i] ?? 0n))
}

const revertOf = async (order: Hex, sig: Hex, to: string): Promise<string> => {
  const error: unknown = await stage.call(callOf(order, sig, to)).catch((refusal: unknown) => refusal)
  if (!(error instanceof EvmRevert) || error.data === null) throw new Error(`no revert: ${String(error)}`)
  return decodeErrorResult({ abi: EXECUTE, data: error.data as Hex }).errorName
}

const far = BigInt(NOW_S) + 1_000n

describe('an order is paid', () => {
  test.each<[string, Decay, readonly bigint[]]>([
    ['in full before its decay', { start: far, end: far + 1n }, [1_000_000n, 3_000n]],
    ['half of the decay off in the middle', { start: BigInt(NOW_S) - 50n, end: BigInt(NOW_S) + 50n }, [995_000n, 2_500n]],
    ['its least after it, and never less', { start: 0n, end: 1n }, [990_000n, 2_000n]],
  ])('V2, %s', async (_name, decay, paid) => {
    expect(await filled(termsOf('DUTCH_V2'), decay)).toEqual(paid)
  })

  test('V3, in full before the block of its decay, less after it, and at last its least', async () => {
    expect(await filled(termsOf('DUTCH_V3'), { start: 1_000_000n, end: 0n })).toEqual([1_000_000n, 3_000n])
    await stage.rpc(1, 'anvil_mine', ['0x20'])
    const from = (await head()) - 31n
    const [paid] = await filled(termsOf('DUTCH_V3'), { start: from, end: 0n })
    expect(paid).toBe(1_000_000n - (10_000n * ((await head()) - from)) / 64n)
    await stage.rpc(1, 'anvil_mine', ['0x60'])
    expect(await filled(termsOf('DUTCH_V3'), { start: 0n, end: 0n })).toEqual([990_000n, 2_000n])
  })
})

test.each(['DUTCH_V2', 'DUTCH_V3'] as const)('nothing else is paid: of %s what was not signed reverts', async (kind) => {
  const terms = termsOf(kind)
  await stocked(terms)
  const [signature, decay] = [await signatureOf(terms), { start: far, end: far + 1n }]
  const { reactor, outputs } = terms
  const [own] = outputs
  if (!own) throw new Error('nothing is paid')
  for (const change of [
    { outputs: [{ ...own, recipient: FILLER }] },
    { outputs: [{ ...own, end: 1n }] },
    { outputs: [{ ...own, start: own.end }] },
    { outputs: outputs.slice(0, 1) },
    { token: WETH },
    { amount: terms.amount + 1n },
    { nonce: terms.nonce + 1_000n },
    { deadline: terms.deadline + 1 },
  ])
    expect(await revertOf(await encodeOrder({ ...terms, ...change }, decay), signature, reactor)).toBe('InvalidSigner')
  const order = await encodeOrder(terms, decay)
  for (const [change, error] of [
    [{ reactor: STRANGER }, 'InvalidReactor'],
    [{ deadline: NOW_S - 1 }, 'DeadlinePassed'],
  ] as const) {
    const other = termsOf(kind, change)
    expect(await revertOf(await encodeOrder(other, decay), await signatureOf(other), reactor)).toBe(error)
  }
  const forged = order.replace(/[0-9a-f]{8}(?=1[bc]0{62}$)/, 'abababab') as Hex
  expect(await revertOf(forged, signature, reactor)).toBe('InvalidCosignature')
  await stage.land(callOf(order, signature, reactor))
  expect(await revertOf(order, signature, reactor)).toBe('InvalidNonce')
})
