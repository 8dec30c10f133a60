import { decodeFunctionData, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { poolNamed } from '../../../engine/venues/thorchain/pools.ts'
import {
  assetNamed,
  depositCall,
  parseMemo,
  readDepositCall,
  spelledOut,
  writeMemo,
} from '../../../engine/venues/thorchain/protocol.ts'
import { ROUTER_ABI } from './fakeNetwork.ts'
import { USDC_BASE_POOL } from './support.ts'
import vectors from './vectors.json' with { type: 'json' }

test.each(vectors.deposits)('thorchain vector $name: decodes, and encodes to the same bytes', async ({ args, calldata }) => {
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
test.each(vectors.memos as unknown as readonly (readonly [string, object])[])('memo: decodes %s', (text, said) => {
  const memo = parseMemo(text)
  const read = memo && { ...memo, asset: spelledOut(memo.asset) }
  expect(JSON.parse(JSON.stringify(read, (_key, part) => (typeof part === 'bigint' ? `${part}` : part)))).toMatchObject(said)
})

test.each(vectors.noMemos)('memo: rejects %s, which the service never builds', (text) => {
  expect(parseMemo(text)).toBeNull()
})

test('memo: decodes what it encodes, without abbreviations', () => {
  const memo = { asset: USDC_BASE_POOL, recipient: E, refundTo: E, limit: 12n, affiliates: [{ name: 'tn', bps: 15 }] }
  expect(writeMemo(memo)).toBe(`=:${USDC_BASE_POOL}:${E}/${E}:12/0/1:tn:15`)
  expect(parseMemo(writeMemo(memo))).toEqual({ ...memo, interval: 0n, quantity: 1n })
  expect(assetNamed(USDC_BASE_POOL)).toEqual({ chainId: 8453, address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' })
  // Part of a name, another chain, and a contract in the place of a coin say nothing by themselves.
  const zero = `0X${'E'.repeat(40)}`
  for (const part of ['BASE.USDC', 'ETH.USDC-B48', 'SOL.SOL', 'THOR.RUNE', 'DOGE.DOGE', `ETH.ETH-${zero}`, 'ETH.BTC', '', '.'])
    expect(assetNamed(part), part).toBeNull()
})

test('memo: resolves an abbreviated asset to the deepest pool, as the network does', () => {
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
