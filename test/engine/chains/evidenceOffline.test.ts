import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChainEvidence } from '../../../engine/chains/chainEvidence.ts'
import { createEndpointHealth } from '../../../engine/chains/endpoints/endpointHealth.ts'
import { paymentsTo } from '../../../engine/chains/seen.ts'
import { associatedTokenAddress, TOKEN_PROGRAM } from '../../../engine/chains/solana/solanaCodec.ts'
import { type Address, addressOf } from '../../../engine/core/address.ts'
import { type Asset, nativeAsset } from '../../../engine/core/asset.ts'
import type { ChainId } from '../../../engine/core/chain.ts'
import type { HttpClient } from '../../../engine/net/httpClient.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { createSimClock } from '../../../engine/simnet/kit/simRandom.ts'
import type { SimVenue } from '../../../engine/simnet/kit/simVenue.ts'
import type { World } from '../../../engine/simnet/kit/world.ts'
import { type Simnet, startSimnet } from '../../../engine/simnet/simnet.ts'
import { bitcoinWallet, payment } from '../../../scripts/client/bitcoinWallet.ts'
import { assetOf } from '../../support/anOrder.ts'
import { idOf, patient } from './evidenceBench.ts'

const START_OF_TIME = Date.UTC(2026, 10, 20)
const STRANGER = '0x1111111111111111111111111111111111111111'
const SPLITTER = '0x3333333333333333333333333333333333333333'
/** Calls the address its calldata begins with twice, each time with the rest of the calldata and half of its coins. */
const SPLITTER_CODE = `0x6014360380601460003760006000826000346001${'1c60003560601c5af150'}60006000826000346001${'1c60003560601c5af150'}00`
const USDC = assetOf(1, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48')
const USDC_SOLANA = assetOf(-2, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')

const http = createHttpClient()
/** How many blocks of state the EVM nodes keep; all of it where there is no end. */
let keptBlocks = Number.POSITIVE_INFINITY
let clock = createSimClock(() => START_OF_TIME)
let simnet: Simnet
let world: World

/** The same nodes, without the balances of old blocks. */
const forgetful: HttpClient = {
  ...http,
  send: async (request) => {
    const { method, params } = (request.json ?? {}) as { method?: string; params?: readonly unknown[] }
    const where = method === 'eth_getBalance' ? String(params?.[1]) : 'latest'
    const head = where === 'latest' ? 0 : Number(await world.evm.rpc(1, 'eth_blockNumber', []))
    if (where === 'latest' || Number(where) > head - keptBlocks) return http.send(request)
    const error = { code: -32_000, message: 'missing trie node 5d1c2a (path ) state 0x5d1c2a is not available' }
    return { status: 200, headers: {}, text: JSON.stringify({ jsonrpc: '2.0', id: 1, error }) }
  },
}

const evidence = () => {
  const rpcUrls = Object.fromEntries(Object.entries(simnet.rpcUrls).map(([chainId, url]) => [chainId, [url]]))
  return createChainEvidence({ rpcUrls, http: forgetful, health: createEndpointHealth({ clock }), clock })
}
const see = (chainId: ChainId, hash: string) => evidence().transaction({ chainId, hash: idOf(chainId, hash) }, patient())
const mustSee = async (chainId: ChainId, hash: string) => {
  const seen = await see(chainId, hash)
  if (seen === null) throw new Error(`no ${hash}`)
  return seen
}
const paid = async (chainId: ChainId, hash: string, what: { asset: Asset; recipient: Address }) =>
  paymentsTo(await mustSee(chainId, hash), what).map(({ place, amount }) => [place, amount])
const search = (asset: Asset, recipient: Address) =>
  evidence().search({ asset, recipient, since: START_OF_TIME - 1_000 }, patient())
const isUntouched = async (asset: Asset, recipient: Address) =>
  (await evidence().untouchedUntil({ asset, recipient, since: START_OF_TIME - 1_000 }, patient())) !== null

const post = async (path: string, body: unknown): Promise<void> => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(`${simnet.controlUrl}${path}`, init)
  if (!response.ok) throw new Error(await response.text())
}

beforeAll(async () => {
  clock = createSimClock(() => START_OF_TIME)
  const create = (given: World): SimVenue => {
    world = given
    return {
      id: 'watcher',
      settings: {},
      pricePaths: [],
      handle: () => ({ status: 200, body: {} }),
      onDeposit: () => false,
      onTransaction: () => false,
    }
  }
  simnet = await startSimnet({ controlPort: 0, seed: 'test', clock, venues: [{ id: 'watcher', create }] })
  await world.evm.rpc(1, 'anvil_setCode', [SPLITTER, SPLITTER_CODE])
})
afterAll(async () => {
  await simnet.close()
  await http.close()
})

describe('an EVM chain', () => {
  const payee = (digits: string) => addressOf('evm', `0x${digits.repeat(20)}`)
  const split = async (target: string, data: string, value = 0n) => {
    const sent = await world.evm.send({
      chainId: 1,
      from: STRANGER,
      to: SPLITTER,
      data: `${target}${data.slice(2)}` as Hex,
      value,
    })
    return sent.txHash
  }
  const mine = (blocks: number) => world.evm.rpc(1, 'anvil_mine', [`0x${blocks.toString(16)}`])

  it('shows a batch of two payouts to one owner as two, and counts the blocks over it', async () => {
    const recipient = payee('a1')
    await world.evm.fund({ chainId: 1, token: USDC.address, holder: SPLITTER, amount: 100n })
    expect(await isUntouched(USDC, recipient)).toBe(true)
    const hash = await split(
      USDC.address,
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient as Hex, 40n] }),
    )
    expect(await paid(1, hash, { asset: USDC, recipient })).toEqual([
      ['log:0', 40n],
      ['log:1', 40n],
    ])
    expect((await see(1, hash))?.standing).toBe('fresh')
    await mine(2)
    expect((await see(1, hash))?.standing).toBe('confirmed')
    expect(await search(USDC, recipient)).toEqual({ hashes: [hash], isWhole: true })
    expect(await isUntouched(USDC, recipient)).toBe(false)
  })

  it('shows coins by the value of a transaction, for ever, and by balances as long as its node keeps them', async () => {
    const [direct, byCalls] = [payee('a2'), payee('a3')]
    await world.evm.fund({ chainId: 1, token: nativeAsset(1).address, holder: STRANGER, amount: 1_000n })
    const sent = (await world.evm.send({ chainId: 1, from: STRANGER, to: direct, data: '0x', value: 7n })).txHash
    const called = await split(byCalls, '0x', 20n)
    const coins = async (hash: string, recipient: Address) =>
      evidence().coinsByBalance(await mustSee(1, hash), recipient, patient())
    const value = { asset: nativeAsset(1), recipient: direct }
    expect([await paid(1, sent, value), await coins(sent, direct)]).toEqual([[['value', 7n]], 0n])
    expect([await paid(1, called, { ...value, recipient: byCalls }), await coins(called, byCalls)]).toEqual([[], 20n])
    await mine(130)
    keptBlocks = 128
    try {
      expect([await paid(1, sent, value), await coins(sent, direct)]).toEqual([[['value', 7n]], null])
      expect(await coins(called, byCalls)).toBeNull()
    } finally {
      keptBlocks = Number.POSITIVE_INFINITY
    }
    expect(await isUntouched(nativeAsset(1), byCalls)).toBe(false)
    expect(await isUntouched(nativeAsset(1), payee('a4'))).toBe(true)
  })

  it('shows no more of a transaction that a reorganisation took away', async () => {
    const before = await world.evm.rpc(1, 'evm_snapshot', [])
    const { txHash: hash } = await world.evm.send({ chainId: 1, from: STRANGER, to: payee('a5'), data: '0x' })
    expect((await see(1, hash))?.isSuccess).toBe(true)
    await world.evm.rpc(1, 'evm_revert', [before])
    // A node in the middle of it tells two things at once, and is unreadable then.
    await expect.poll(() => see(1, hash).catch(() => 'unreadable')).toBeNull()
  })

  it.each([
    [1, 60_000, 'confirmed'],
    [8453, 5_000, 'confirmed'],
    [137, 20_000, 'final'],
    [143, 10_000, 'final'],
    [43114, 20_000, 'final'],
  ] as const)('of id %i counts a payment in time by its own rule, and not at once', async (chainId, advanceMs, standing) => {
    const { txHash: hash } = await world.evm.send({ chainId, from: STRANGER, to: payee('a7'), data: '0x' })
    expect((await see(chainId, hash))?.standing).toBe('fresh')
    await post('/clock', { advanceMs })
    expect((await see(chainId, hash))?.standing).toBe(standing)
  })

  it('tells its time and where code is', async () => {
    const time = await evidence().confirmedTime(1, patient())
    expect([time <= clock.now(), time > clock.now() - 60_000]).toEqual([true, true])
    const hasCode = (address: Address) => evidence().hasCode({ chainId: 1, address }, patient())
    expect([await hasCode(USDC.address), await hasCode(payee('a6'))]).toEqual([true, false])
  })
})

describe('Solana', () => {
  const payer = Keypair.fromSeed(new Uint8Array(32).fill(41))
  const owner = Keypair.fromSeed(new Uint8Array(32).fill(42)).publicKey
  const recipient = addressOf('solana', owner.toBase58())
  const account = (wallet: PublicKey) => new PublicKey(associatedTokenAddress(wallet.toBase58(), USDC_SOLANA.address))
  const pay = (amount: number): TransactionInstruction => {
    const data = Buffer.alloc(10)
    data.writeUInt8(12, 0)
    data.writeBigUInt64LE(BigInt(amount), 1)
    data.writeUInt8(6, 9)
    const keys = [account(payer.publicKey), new PublicKey(USDC_SOLANA.address), account(owner), payer.publicKey]
    const signs = (pubkey: PublicKey) => pubkey.equals(payer.publicKey)
    return {
      programId: new PublicKey(TOKEN_PROGRAM),
      keys: keys.map((pubkey, at) => ({ pubkey, isSigner: signs(pubkey), isWritable: at !== 1 })),
      data,
    }
  }

  it('shows a batch of two payouts to one owner as two, in tokens and in lamports', async () => {
    expect([await isUntouched(USDC_SOLANA, recipient), await isUntouched(nativeAsset(-2), recipient)]).toEqual([true, true])
    const connection = new Connection(simnet.rpcUrls['-2'] ?? '', 'confirmed')
    await post('/faucet', {
      chainId: -2,
      token: nativeAsset(-2).address,
      address: payer.publicKey.toBase58(),
      amount: '1000000000',
    })
    for (const wallet of [payer.publicKey, owner])
      await post('/faucet', { chainId: -2, token: USDC_SOLANA.address, address: wallet.toBase58(), amount: '100' })
    const lamports = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: owner, lamports: 1_000_000 })
    const { blockhash } = await connection.getLatestBlockhash()
    const instructions = [pay(40), lamports, pay(40), lamports]
    const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash: blockhash, instructions })
    const transaction = new VersionedTransaction(message.compileToV0Message())
    transaction.sign([payer])
    const hash = await connection.sendTransaction(transaction)
    expect(await paid(-2, hash, { asset: USDC_SOLANA, recipient })).toEqual([
      ['instruction:0', 40n],
      ['instruction:2', 40n],
    ])
    expect(await paid(-2, hash, { asset: nativeAsset(-2), recipient })).toEqual([
      ['instruction:1', 1_000_000n],
      ['instruction:3', 1_000_000n],
    ])
    expect((await see(-2, hash))?.standing).toBe('confirmed')
    await post('/clock', { advanceMs: 15_000 })
    expect((await see(-2, hash))?.standing).toBe('final')
    const found = await search(USDC_SOLANA, recipient)
    expect([found.hashes.at(-1), found.isWhole]).toEqual([hash, true])
    expect(await isUntouched(USDC_SOLANA, recipient)).toBe(false)
  })

  it('tells its time, which goes on while nothing lands', async () => {
    await post('/clock', { advanceMs: 3_600_000 })
    const time = await evidence().confirmedTime(-2, patient())
    expect([time <= clock.now(), time > clock.now() - 2_000]).toEqual([true, true])
  })
})

describe('Bitcoin', () => {
  it('shows a batch of two payouts to one address as two, once it is in a block', async () => {
    const [payer, payee] = [bitcoinWallet('p2wpkh', 'payer of two'), bitcoinWallet('p2tr', 'payee of two')]
    const recipient = addressOf('bitcoin', payee.address)
    const asset = nativeAsset(-1)
    expect(await isUntouched(asset, recipient)).toBe(true)
    const base = simnet.rpcUrls['-1'] ?? ''
    await post('/faucet', { chainId: -1, token: 'BTC', address: payer.address, amount: '100000' })
    const [coin] = (await (await fetch(`${base}/address/${payer.address}/utxo`)).json()) as { txid: string; vout: number }[]
    if (!coin) throw new Error('the faucet gave nothing')
    const hex = await (await fetch(`${base}/tx/${coin.txid}/hex`)).text()
    const outputs = [40_000n, 40_000n].map((value) => ({ address: payee.address, value }))
    const change = { address: payer.address, value: 19_000n }
    const signed = payment([{ ...coin, value: 100_000n, hex, wallet: payer }], [...outputs, change])
    const hash = await (await fetch(`${base}/tx`, { method: 'POST', body: signed.toHex() })).text()
    expect([await see(-1, hash), await isUntouched(asset, recipient)]).toEqual([null, false])
    await post('/mine', { blocks: 1 })
    expect(await paid(-1, hash, { asset, recipient })).toEqual([
      ['output:0', 40_000n],
      ['output:1', 40_000n],
    ])
    expect(await paid(-1, hash, { asset, recipient: addressOf('bitcoin', payer.address) })).toEqual([])
    expect((await see(-1, hash))?.standing).toBe('confirmed')
    await post('/mine', { blocks: 2 })
    expect((await see(-1, hash))?.standing).toBe('final')
    const { at } = await mustSee(-1, hash)
    const since = (at ?? 0) - 1
    expect(await evidence().search({ asset, recipient, since }, patient())).toEqual({ hashes: [hash], isWhole: true })
  })

  it('tells a time that its blocks have passed', async () => {
    expect(await evidence().confirmedTime(-1, patient())).toBeLessThanOrEqual(clock.now())
  })
})
