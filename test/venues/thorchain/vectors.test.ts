import { decodeFunctionData, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { parseMemo, writeMemo } from '../../../engine/venues/thorchain/memo.ts'
import { poolNamed } from '../../../engine/venues/thorchain/pools.ts'
import { assetNamed, spelledOut } from '../../../engine/venues/thorchain/published.ts'
import { depositCall, readDepositCall } from '../../../engine/venues/thorchain/router.ts'
import { ROUTER_ABI } from './fakeNetwork.ts'
import { USDC_BASE_POOL } from './support.ts'
import vectors from './vectors.json' with { type: 'json' }

test.each(vectors.deposits)('$name: read and written to the byte', async ({ args, calldata }) => {
  const read = await readDepositCall(calldata)
  const { vault, asset, amount, memo, expiration } = read ?? ({} as never)
  expect({
    vault: vault.toLowerCase(),
    asset: asset.toLowerCase(),
    amount: String(amount),
    memo,
    expiration: Number(expiration),
  }).toEqual(args)
  expect(await depositCall(read as never)).toBe(calldata)
  expect(decodeFunctionData({ abi: ROUTER_ABI, data: calldata as Hex }).functionName).toBe('depositWithExpiry')
})

const E = '0x90f2b1ae50e6018230e90a33f98c7844a0ab635a'

/** Inputs and outcomes of THORNode's own tests. */
test.each([
  ['=:BASE.USDC:0x05F8cC8753D90d67DBB8c02118440b8283F941c9', { asset: 'BASE.USDC', limit: 0n, affiliates: [], refundTo: null }],
  [`=:r:${E}:87e7`, { asset: 'THOR.RUNE', limit: 870_000_000n, recipient: E }],
  [
    `=:e:${E}::t/t1/t2:10/20/30`,
    {
      asset: 'ETH.ETH',
      limit: 0n,
      affiliates: [
        { name: 't', bps: 10 },
        { name: 't1', bps: 20 },
        { name: 't2', bps: 30 },
      ],
    },
  ],
  [`=:e:${E}::t/t1/t2:10`, { affiliates: ['t', 't1', 't2'].map((name) => ({ name, bps: 10 })) }],
  [`=:THOR.RUNE:${E}:1200/10/20`, { limit: 1_200n, interval: 10n, quantity: 20n }],
  [`=:THOR.RUNE:${E}://`, { limit: 0n, interval: 0n, quantity: 0n }],
  ['=:BTC.BTC:bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh:1190000/1/0:tn:15', { limit: 1_190_000n, interval: 1n, quantity: 0n }],
  [`SWAP:f:${E}/0x1111111111111111111111111111111111111111:1.5e3`, { asset: 'BASE.ETH', limit: 1_500n }],
  [`s:ETH.USDC-B48:${E}:1.23456e2`, { limit: 123n }],
] as const)('%s', (text, said) => {
  const memo = parseMemo(text)
  expect(memo && { ...memo, asset: spelledOut(memo.asset) }).toMatchObject(said)
})

test.each([
  `=:e:${E}::t/t1/t2:10/20`,
  `=:e:${E}::t/t1/t2:10000/10000/10000`,
  `=:THOR.RUNE:${E}:1200/10/20abc`,
  `=:THOR.RUNE:${E}:1200/10/-20`,
  // A limit order, other functions, and an output through a contract at its destination.
  `=<:e:${E}:1200`,
  `+:e:${E}`,
  'OUT:AB',
  `=:e:${E}:1200:t:10:dex`,
  `=:e:${E}:1200::::`,
  `=:e:${E}:-1`,
  `=:e:${E}:1e`,
  `=:e:${E}:1e999`,
  `=:e:${E}:1200:t:`,
  `=:e:${E}:1200::10`,
  `=:e:${E}/:1200`,
  `=:e:${E}/${E}/${E}:1200`,
  '=:e',
  '=::x',
  '',
  `=:e:${E}:1 `,
  `=:e:${E}:${'1'.repeat(250)}`,
  // What an output of bitcoin goes on with elsewhere is a name of nobody.
  `=:e:${E}::t/t1/t2/t3/t4/t5:1`,
])('%s is the memo of no swap that is made here', (text) => {
  expect(parseMemo(text)).toBeNull()
})

test('what is written is read again, in full words', () => {
  const memo = { asset: USDC_BASE_POOL, recipient: E, refundTo: E, limit: 12n, affiliates: [{ name: 'tn', bps: 15 }] }
  expect(writeMemo(memo)).toBe(`=:${USDC_BASE_POOL}:${E}/${E}:12/0/1:tn:15`)
  expect(parseMemo(writeMemo(memo))).toEqual({ ...memo, interval: 0n, quantity: 1n })
  expect(assetNamed(USDC_BASE_POOL)).toEqual({ chainId: 8453, address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' })
  // Part of a name, another chain, and a contract in the place of a coin say nothing by themselves.
  const zero = `0X${'E'.repeat(40)}`
  for (const part of ['BASE.USDC', 'ETH.USDC-B48', 'SOL.SOL', 'THOR.RUNE', 'DOGE.DOGE', `ETH.ETH-${zero}`, 'ETH.BTC', '', '.'])
    expect(assetNamed(part), part).toBeNull()
})

test('part of a name is that of the deepest pool, as the network reads it', () => {
  const pool = (asset: string, depth: string) => ({ asset, status: 'Available', balance_rune: depth, trading_halted: false })
  const pools = [
    pool('ETH.USDC-0XAAAB48', '5'),
    pool('ETH.USDC-0XCCCB48', '7'),
    pool('ETH.USDCX-0XDDDB48', '9'),
    pool('BTC.BTC', '1'),
  ]
  expect(poolNamed('ETH.USDC', pools)).toBe('ETH.USDC-0XCCCB48')
  expect(poolNamed('eth.usdc-ab48', pools)).toBe('ETH.USDC-0XAAAB48')
  expect(poolNamed('b', pools)).toBe('BTC.BTC')
  expect(poolNamed('ETH.DAI', pools)).toBeNull()
})
