import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createChainEvidence } from '../../../engine/chains/chainEvidence.ts'
import { ChainError } from '../../../engine/chains/chains.ts'
import { createEndpointHealth } from '../../../engine/chains/endpoints/endpointHealth.ts'
import type { Asset } from '../../../engine/core/asset.ts'
import { NATIVE, NATIVE_SOL, nativeAsset } from '../../../engine/core/asset.ts'
import { systemClock } from '../../../engine/core/clock.ts'
import { parseTransactionId } from '../../../engine/core/transactionId.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { assetOf, WALLETS } from '../../support/anOrder.ts'

const USDC = assetOf(1, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48')
const DAI = assetOf(1, '0x6B175474E89094C44Da98b954EedeAC495271d0F')
const USDC_SOLANA = assetOf(-2, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const TX = `0x${'ab'.repeat(32)}`
const TXID = 'cd'.repeat(32)
const SIGNATURE = '5'.repeat(87)
const BLOCK = { timestamp: '0x64' }
const PAID_AT = 100_000

const word = (value: bigint | string): string =>
  `0x${(typeof value === 'bigint' ? value.toString(16) : value.slice(2)).toLowerCase().padStart(64, '0')}`
const transfer = ({ address }: Asset, to: string, amount: bigint, from = '0x01') => ({
  address: address.toLowerCase(),
  topics: [TRANSFER, word(from), word(to)],
  data: word(amount),
})

const receipt = (change: object = {}) => ({
  status: '0x1',
  blockNumber: '0x10',
  from: WALLETS.evmOther,
  gasUsed: '0x5208',
  effectiveGasPrice: '0x1',
  logs: [],
  ...change,
})

let server: Server | null = null
let asked: string[] = []
const http = createHttpClient()
afterEach(() => {
  asked = []
  server?.closeAllConnections()
  server?.close()
})

/** A node that answers each method from a table; Esplora where a path is asked. */
const evidenceOver = async (answers: { readonly [key: string]: unknown }) => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.method === 'GET') {
        asked.push(request.url ?? '')
        const found = answers[request.url ?? '']
        response.writeHead(found === undefined ? 404 : 200).end(JSON.stringify(found ?? 'Transaction not found'))
        return
      }
      const { method, params } = JSON.parse(Buffer.concat(chunks).toString()) as { method: string; params: readonly unknown[] }
      const key = method === 'eth_getBalance' ? `${method} ${String(params[1])}` : method
      asked.push(key)
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: key in answers ? answers[key] : null }))
    })
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const health = createEndpointHealth({ clock: systemClock })
  const evidence = createChainEvidence({ rpcUrls: { 1: [url], [-1]: [url], [-2]: [url] }, http, health })
  const ids = { [-1]: TXID, [-2]: SIGNATURE } as { readonly [chainId: number]: string }
  return (asset: Asset, recipient: keyof typeof WALLETS) => {
    const txHash = parseTransactionId(asset.chainId, ids[asset.chainId] ?? TX)
    if (!txHash) throw new Error('no transaction of that chain has such an id')
    return evidence.payments({ asset, recipient: WALLETS[recipient], txHash }, AbortSignal.timeout(5_000))
  }
}

describe('on an EVM chain', () => {
  it('adds up the transfers of the token to the recipient, and of no other', async () => {
    const logs = [
      transfer(USDC, WALLETS.evm, 40n),
      transfer(USDC, WALLETS.evm, 2n),
      transfer(USDC, WALLETS.evmOther, 7n),
      transfer(DAI, WALLETS.evm, 9n),
    ]
    const paid = await evidenceOver({ eth_getTransactionReceipt: receipt({ logs }), eth_getBlockByNumber: BLOCK })
    expect(await paid(USDC, 'evm')).toEqual({ amount: 42n, paidIn: [USDC.address, DAI.address], paidAt: PAID_AT })
  })

  it('counts no token that the recipient sent to itself, nor what the same transaction took away', async () => {
    const logs = [
      transfer(USDC, WALLETS.evm, 40n, WALLETS.evm),
      transfer(USDC, WALLETS.evm, 10n),
      transfer(USDC, WALLETS.evmOther, 4n, WALLETS.evm),
    ]
    const answers = { eth_getBlockByNumber: BLOCK, 'eth_getBalance 0xf': '0x1', 'eth_getBalance 0x10': '0x1' }
    const paid = await evidenceOver({ ...answers, eth_getTransactionReceipt: receipt({ logs }) })
    expect(await paid(USDC, 'evm')).toMatchObject({ amount: 6n, paidIn: [USDC.address] })
    const own = await evidenceOver({ ...answers, eth_getTransactionReceipt: receipt({ logs: logs.slice(0, 1) }) })
    expect(await own(USDC, 'evm')).toEqual({ amount: 0n, paidIn: [], paidAt: PAID_AT })
  })

  it('does not take the id of a collectible for an amount', async () => {
    const logs = [{ address: USDC.address, topics: [TRANSFER, word('0x01'), word(WALLETS.evm), word(5n)], data: '0x' }]
    const paid = await evidenceOver({
      eth_getTransactionReceipt: receipt({ logs }),
      eth_getBlockByNumber: BLOCK,
      'eth_getBalance 0xf': '0x0',
      'eth_getBalance 0x10': '0x0',
    })
    expect(await paid(USDC, 'evm')).toEqual({ amount: 0n, paidIn: [], paidAt: PAID_AT })
  })

  it('sees coins that contracts paid by the balance, the gas of the recipient left out', async () => {
    const answers = { 'eth_getBalance 0xf': '0x64', 'eth_getBalance 0x10': '0x6e', eth_getBlockByNumber: BLOCK }
    const paid = await evidenceOver({ eth_getTransactionReceipt: receipt({ to: USDC.address }), ...answers })
    expect(await paid(nativeAsset(1), 'evm')).toEqual({ amount: 10n, paidIn: [NATIVE], paidAt: PAID_AT })
    const own = await evidenceOver({ eth_getTransactionReceipt: receipt({ from: WALLETS.evm, to: WALLETS.evm }), ...answers })
    expect((await own(nativeAsset(1), 'evm'))?.amount).toBe(10n + 0x5208n)
  })

  it('sees coins sent to the recipient by their own value, whatever else its block paid or the node forgot', async () => {
    const sent = receipt({ to: WALLETS.evm.toLowerCase() })
    const paid = await evidenceOver({
      eth_getTransactionReceipt: sent,
      eth_getBlockByNumber: BLOCK,
      eth_getTransactionByHash: { value: '0x7' },
    })
    expect(await paid(nativeAsset(1), 'evm')).toEqual({ amount: 7n, paidIn: [NATIVE], paidAt: PAID_AT })
    expect(asked).not.toContain('eth_getBalance 0x10')
  })

  it('sees coins that a wallet which is a contract earned when it was called', async () => {
    const paid = await evidenceOver({
      eth_getTransactionReceipt: receipt({ to: WALLETS.evm }),
      eth_getBlockByNumber: BLOCK,
      eth_getTransactionByHash: { value: '0x0' },
      'eth_getBalance 0xf': '0x64',
      'eth_getBalance 0x10': '0x6e',
    })
    expect((await paid(nativeAsset(1), 'evm'))?.amount).toBe(10n)
  })

  it('sees that something was paid in another token', async () => {
    const logs = [transfer(DAI, WALLETS.evm, 9n)]
    const paid = await evidenceOver({ eth_getTransactionReceipt: receipt({ logs }), eth_getBlockByNumber: BLOCK })
    expect(await paid(USDC, 'evm')).toEqual({ amount: 0n, paidIn: [DAI.address], paidAt: PAID_AT })
  })

  it('counts nothing of a transaction that reverted', async () => {
    const paid = await evidenceOver({
      eth_getTransactionReceipt: receipt({ status: '0x0', logs: [transfer(USDC, WALLETS.evm, 40n)] }),
    })
    expect(await paid(USDC, 'evm')).toEqual({ amount: 0n, paidIn: [], paidAt: null })
  })

  it('knows nothing of a transaction that is not there, or in a block that one of its nodes does not have yet', async () => {
    expect(await (await evidenceOver({}))(USDC, 'evm')).toBeNull()
    const behind = await evidenceOver({ eth_getTransactionReceipt: receipt({ logs: [transfer(USDC, WALLETS.evm, 40n)] }) })
    expect(await behind(USDC, 'evm')).toBeNull()
  })

  it('does not make up a balance the node does not give', async () => {
    const paid = await evidenceOver({
      eth_getTransactionReceipt: receipt(),
      eth_getBlockByNumber: BLOCK,
      'eth_getBalance 0xf': 'archive only',
      'eth_getBalance 0x10': '0x1',
    })
    await expect(paid(nativeAsset(1), 'evm')).rejects.toThrow(ChainError)
  })
})

describe('on Solana', () => {
  const balance = (owner: string, amount: string, mint: string = USDC_SOLANA.address) => ({
    ...{ owner, mint },
    uiTokenAmount: { amount },
  })
  const transaction = (meta: object) => ({
    blockTime: 100,
    transaction: { message: { accountKeys: [{ pubkey: 'payer' }, { pubkey: WALLETS.solana }] } },
    meta: {
      err: null,
      fee: 5000,
      preBalances: [10_000, 100],
      postBalances: [4_000, 150],
      preTokenBalances: [],
      postTokenBalances: [],
      ...meta,
    },
  })

  it('tells tokens by what the wallet owned before and after', async () => {
    const meta = {
      preTokenBalances: [balance(WALLETS.solana, '5')],
      postTokenBalances: [balance(WALLETS.solana, '47'), balance('other', '9')],
    }
    const paid = await evidenceOver({ getTransaction: transaction(meta) })
    expect(await paid(USDC_SOLANA, 'solana')).toMatchObject({ amount: 42n, paidAt: PAID_AT })
  })

  it('takes a move between two accounts of the wallet for none', async () => {
    const meta = {
      preBalances: [10_000, 100],
      postBalances: [4_000, 100],
      preTokenBalances: [balance(WALLETS.solana, '40')],
      postTokenBalances: [balance(WALLETS.solana, '0'), balance(WALLETS.solana, '40')],
    }
    const paid = await evidenceOver({ getTransaction: transaction(meta) })
    expect(await paid(USDC_SOLANA, 'solana')).toEqual({ amount: 0n, paidIn: [], paidAt: PAID_AT })
  })

  it('tells lamports by the balance of the wallet', async () => {
    const paid = await evidenceOver({ getTransaction: transaction({}) })
    expect(await paid(nativeAsset(-2), 'solana')).toEqual({ amount: 50n, paidIn: [NATIVE_SOL], paidAt: PAID_AT })
  })

  it('takes wrapped SOL for SOL, and wrapping or unwrapping what one has for no payment', async () => {
    const wrapped = (amount: string) => [balance(WALLETS.solana, amount, nativeAsset(-2).address)]
    const still = { preBalances: [10_000, 100], postBalances: [4_000, 100] }
    const got = await evidenceOver({ getTransaction: transaction({ ...still, postTokenBalances: wrapped('70') }) })
    expect(await got(nativeAsset(-2), 'solana')).toEqual({ amount: 70n, paidIn: [NATIVE_SOL], paidAt: PAID_AT })
    const meta = { preBalances: [10_000, 100], postBalances: [4_000, 30], postTokenBalances: wrapped('70') }
    const wrap = await evidenceOver({ getTransaction: transaction(meta) })
    expect(await wrap(nativeAsset(-2), 'solana')).toEqual({ amount: 0n, paidIn: [], paidAt: PAID_AT })
    const undone = { preBalances: [10_000, 30], postBalances: [4_000, 100], preTokenBalances: wrapped('70') }
    const unwrap = await evidenceOver({ getTransaction: transaction(undone) })
    expect(await unwrap(nativeAsset(-2), 'solana')).toEqual({ amount: 0n, paidIn: [], paidAt: PAID_AT })
  })

  it('counts nothing of a transaction that failed, and knows nothing of one that is not there', async () => {
    const failed = await evidenceOver({ getTransaction: transaction({ err: { InstructionError: [0, 'Custom'] } }) })
    expect(await failed(nativeAsset(-2), 'solana')).toEqual({ amount: 0n, paidIn: [], paidAt: null })
    expect(await (await evidenceOver({}))(USDC_SOLANA, 'solana')).toBeNull()
  })

  it('has no time where the node gives none', async () => {
    const paid = await evidenceOver({ getTransaction: { ...transaction({}), blockTime: null } })
    expect((await paid(nativeAsset(-2), 'solana'))?.paidAt).toBeNull()
  })
})

describe('on Bitcoin', () => {
  const vout = [
    { scriptpubkey_address: WALLETS.bitcoin, value: 40 },
    { scriptpubkey_address: 'bc1qother', value: 7 },
    { scriptpubkey_address: WALLETS.bitcoin, value: 2 },
  ]
  const vin = [{ prevout: { scriptpubkey_address: 'bc1qother', value: 60 } }]
  const status = { confirmed: true, block_time: 100 }
  const PATH = `/tx/${TXID}`

  it('adds up the outputs to the address, once confirmed', async () => {
    const paid = await evidenceOver({ [PATH]: { vin, vout, status } })
    expect(await paid(nativeAsset(-1), 'bitcoin')).toEqual({ amount: 42n, paidIn: [NATIVE], paidAt: PAID_AT })
  })

  it('takes what comes back to the one who spent it for change', async () => {
    const own = [...vin, { prevout: { scriptpubkey_address: WALLETS.bitcoin, value: 50 } }, { prevout: null }]
    const paid = await evidenceOver({ [PATH]: { vin: own, vout, status } })
    expect(await paid(nativeAsset(-1), 'bitcoin')).toEqual({ amount: 0n, paidIn: [], paidAt: PAID_AT })
  })

  it('waits for the first confirmation', async () => {
    const paid = await evidenceOver({ [PATH]: { vin, vout, status: { confirmed: false } } })
    expect(await paid(nativeAsset(-1), 'bitcoin')).toBeNull()
    expect(await (await evidenceOver({}))(nativeAsset(-1), 'bitcoin')).toBeNull()
  })

  it.each([
    { vin, vout: 'all of it', status },
    { vin, vout },
    { vout, status },
  ])('does not believe an answer of another shape: %j', async (answer) => {
    const paid = await evidenceOver({ [PATH]: answer })
    await expect(paid(nativeAsset(-1), 'bitcoin')).rejects.toThrow(ChainError)
  })
})
