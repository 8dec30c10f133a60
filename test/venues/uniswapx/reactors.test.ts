import { decodeErrorResult, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi } from 'viem'
import { afterAll, describe, expect, test } from 'vitest'
import { createArtifacts } from '../../../engine/simnet/contracts/createArtifacts.ts'
import { uniswapxContracts } from '../../../engine/simnet/contracts/uniswapxContracts.ts'
import { createEvmChains } from '../../../engine/simnet/evm/evmChains.ts'
import { EvmRevert } from '../../../engine/simnet/evm/evmRevert.ts'
import { createSimClock } from '../../../engine/simnet/kit/simRandom.ts'
import { createTokens } from '../../../engine/simnet/kit/tokens.ts'
import { type Decay, encodeOrder, type Terms, typesOf, valuesOf } from '../../../engine/simnet/venues/uniswapx/orderData.ts'
import { START_OF_TIME } from '../../support/venueBench.ts'
import { account } from '../../support/venueKit/calls.ts'
import { PERMIT2, STRANGER, USDC, WETH } from './support.ts'

/** The reactors' stand-ins: they pay what was signed, decayed as it was cosigned, and nothing else. */

const REACTOR = {
  DUTCH_V2: '0x00000011F84B9aa48e5f8aA8B9897600006289Be',
  DUTCH_V3: '0x0000000015757c461808EA25Eb309638B62681cf',
} as const
const EXECUTE = parseAbi([
  'struct SignedOrder { bytes order; bytes sig; }',
  'function execute(SignedOrder order) payable',
  'error InvalidReactor()',
  'error DeadlinePassed()',
  'error InvalidCosignature()',
  'error InvalidNonce()',
  'error InvalidSigner()',
])
const FILLER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const NOW_S = START_OF_TIME / 1_000

const chains = createEvmChains({
  ...{ clock: createSimClock(() => START_OF_TIME), tokens: createTokens(), artifacts: createArtifacts() },
  contracts: [uniswapxContracts],
})
afterAll(() => chains.close())

let nonce = 0n
const termsOf = (kind: keyof typeof REACTOR, change: Partial<Terms> = {}): Terms => {
  nonce += 1n
  const outputs = [
    { token: WETH, recipient: STRANGER, start: 1_000_000n, end: 990_000n },
    { token: WETH, recipient: PERMIT2, start: 3_000n, end: 2_000n },
  ]
  const amounts = { token: USDC, amount: 5_000_000n, outputs }
  return {
    kind,
    chainId: 1,
    reactor: REACTOR[kind],
    swapper: account.address,
    nonce,
    deadline: NOW_S + 300,
    ...amounts,
    ...change,
  }
}

const signatureOf = (terms: Terms): Promise<Hex> =>
  account.signTypedData({
    domain: { name: 'Permit2', chainId: 1, verifyingContract: PERMIT2 },
    types: typesOf(terms.kind),
    primaryType: 'PermitWitnessTransferFrom',
    message: valuesOf(terms),
  } as never)

const approve = async (token: string, from: string, spender: string) => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender as Hex, maxUint256] })
  await chains.land({ chainId: 1, from, to: token, data })
}

const stocked = async (terms: Terms) => {
  await chains.faucet({ chainId: 1, token: USDC, holder: account.address, amount: terms.amount })
  await chains.faucet({ chainId: 1, token: WETH, holder: FILLER, amount: 10_000_000n })
  await approve(USDC, account.address, PERMIT2)
  await approve(WETH, FILLER, terms.reactor)
}

const callOf = (order: Hex, sig: Hex, to: string) => ({
  ...{ chainId: 1, from: FILLER, to },
  data: encodeFunctionData({ abi: EXECUTE, functionName: 'execute', args: [{ order, sig }] }),
})

const held = (owner: string) => chains.balance(1, WETH, owner)

/** What the two recipients got. */
const filled = async (terms: Terms, decay: Decay): Promise<readonly bigint[]> => {
  await stocked(terms)
  const before = await Promise.all([STRANGER, PERMIT2].map(held))
  const { status } = await chains.land(callOf(await encodeOrder(terms, decay), await signatureOf(terms), terms.reactor))
  expect(status).toBe('success')
  const after = await Promise.all([STRANGER, PERMIT2].map(held))
  return after.map((amount, i) => amount - (before[i] ?? 0n))
}

const revertOf = async (order: Hex, sig: Hex, to: string): Promise<string> => {
  const { data, from } = callOf(order, sig, to)
  const error: unknown = await chains.call({ chainId: 1, from, to, data }).catch((refusal: unknown) => refusal)
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
    const head = async () => BigInt((await chains.rpc(1, 'eth_blockNumber', [])) as string)
    const terms = termsOf('DUTCH_V3')
    await stocked(terms)
    await chains.rpc(1, 'anvil_mine', ['0x20'])
    const from = (await head()) - 31n
    const order = await encodeOrder(terms, { start: from, end: 0n })
    const before = await held(STRANGER)
    await chains.land(callOf(order, await signatureOf(terms), terms.reactor))
    expect((await held(STRANGER)) - before).toBe(1_000_000n - (10_000n * ((await head()) - from)) / 64n)
    await chains.rpc(1, 'anvil_mine', ['0x60'])
    expect(await filled(termsOf('DUTCH_V3'), { start: 0n, end: 0n })).toEqual([990_000n, 2_000n])
  })
})

describe('nothing else is paid', () => {
  test.each(['DUTCH_V2', 'DUTCH_V3'] as const)('%s: what was not signed reverts', async (kind) => {
    const terms = termsOf(kind)
    await stocked(terms)
    const [signature, decay] = [await signatureOf(terms), { start: far, end: far + 1n }]
    const { reactor } = terms
    const [own] = terms.outputs
    if (!own) throw new Error('nothing is paid')
    for (const change of [
      { outputs: [{ ...own, recipient: FILLER }] },
      { outputs: [{ ...own, end: 1n }] },
      { outputs: [{ ...own, start: own.end }] },
      { outputs: terms.outputs.slice(0, 1) },
      { token: WETH },
      { amount: terms.amount + 1n },
      { nonce: terms.nonce + 1_000n },
      { deadline: terms.deadline + 1 },
    ])
      expect(await revertOf(await encodeOrder({ ...terms, ...change }, decay), signature, reactor)).toBe('InvalidSigner')
    const order = await encodeOrder(terms, decay)
    const elsewhere = termsOf(kind, { reactor: STRANGER })
    expect(await revertOf(await encodeOrder(elsewhere, decay), await signatureOf(elsewhere), reactor)).toBe('InvalidReactor')
    const late = termsOf(kind, { deadline: NOW_S - 1 })
    expect(await revertOf(await encodeOrder(late, decay), await signatureOf(late), reactor)).toBe('DeadlinePassed')
    const forged = order.replace(/[0-9a-f]{8}(?=1[bc]0{62}$)/, 'abababab') as Hex
    expect(await revertOf(forged, signature, reactor)).toBe('InvalidCosignature')
    await chains.land(callOf(order, signature, reactor))
    expect(await revertOf(order, signature, reactor)).toBe('InvalidNonce')
  })
})
