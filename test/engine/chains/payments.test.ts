import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createChainEvidence } from '../../../engine/chains/chainEvidence.ts'
import { ChainError } from '../../../engine/chains/chains.ts'
import { createEndpointHealth } from '../../../engine/chains/endpointHealth.ts'
import type { Asset } from '../../../engine/core/asset.ts'
import { nativeAsset } from '../../../engine/core/asset.ts'
import { systemClock } from '../../../engine/core/clock.ts'
import { createHttpClient } from '../../../engine/net/undiciClient.ts'
import { assetOf, WALLETS } from '../../support/anOrder.ts'

const USDC = assetOf(1, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48')
const DAI = assetOf(1, '0x6B175474E89094C44Da98b954EedeAC495271d0F')
const USDC_SOLANA = assetOf(-2, 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const TX = `0x${'ab'.repeat(32)}`

const word = (value: bigint | string): string =>
  `0x${(typeof value === 'bigint' ? value.toString(16) : value.slice(2)).toLowerCase().padStart(64, '0')}`
const transfer = ({ address }: Asset, to: string, amount: bigint) => ({
  address: address.toLowerCase(),
  topics: [TRANSFER, word('0x01'), word(to)],
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
const http = createHttpClient()
afterEach(() => {
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
        const found = answers[request.url ?? '']
        response.writeHead(found === undefined ? 404 : 200).end(JSON.stringify(found ?? 'Transaction not found'))
        return
      }
      const { method, params } = JSON.parse(Buffer.concat(chunks).toString()) as { method: string; params: readonly unknown[] }
      const key = method === 'eth_getBalance' ? `${method} ${String(params[1])}` : method
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: key in answers ? answers[key] : null }))
    })
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const health = createEndpointHealth({ clock: systemClock })
  const evidence = createChainEvidence({ rpcUrls: { 1: [url], [-1]: [url], [-2]: [url] }, http, health })
  return (asset: Asset, recipient: keyof typeof WALLETS, txHash = TX) =>
    evidence.payments({ asset, recipient: WALLETS[recipient], txHash }, AbortSignal.timeout(5_000))
}

describe('on an EVM chain', () => {
  it('adds up the transfers of the token to the recipient, and of no other', async () => {
    const logs = [
      transfer(USDC, WALLETS.evm, 40n),
      transfer(USDC, WALLETS.evm, 2n),
      transfer(USDC, WALLETS.evmOther, 7n),
      transfer(DAI, WALLETS.evm, 9n),
    ]
    const paid = await evidenceOver({ eth_getTransactionReceipt: receipt({ logs }) })
    expect(await paid(USDC, 'evm')).toEqual({ amount: 42n, isAnything: true })
  })

  it('does not take the id of a collectible for an amount', async () => {
    const logs = [{ address: USDC.address, topics: [TRANSFER, word('0x01'), word(WALLETS.evm), word(5n)], data: '0x' }]
    const paid = await evidenceOver({
      eth_getTransactionReceipt: receipt({ logs }),
      'eth_getBalance 0xf': '0x0',
      'eth_getBalance 0x10': '0x0',
    })
    expect(await paid(USDC, 'evm')).toEqual({ amount: 0n, isAnything: false })
  })

  it('sees coins by the balance, the gas of the recipient left out', async () => {
    const answers = { 'eth_getBalance 0xf': '0x64', 'eth_getBalance 0x10': '0x6e' }
    const paid = await evidenceOver({ eth_getTransactionReceipt: receipt(), ...answers })
    expect(await paid(nativeAsset(1), 'evm')).toEqual({ amount: 10n, isAnything: true })
    const own = await evidenceOver({ eth_getTransactionReceipt: receipt({ from: WALLETS.evm }), ...answers })
    expect((await own(nativeAsset(1), 'evm'))?.amount).toBe(10n + 0x5208n)
  })

  it('sees that something was paid in another token', async () => {
    const paid = await evidenceOver({ eth_getTransactionReceipt: receipt({ logs: [transfer(DAI, WALLETS.evm, 9n)] }) })
    expect(await paid(USDC, 'evm')).toEqual({ amount: 0n, isAnything: true })
  })

  it('counts nothing of a transaction that reverted', async () => {
    const paid = await evidenceOver({
      eth_getTransactionReceipt: receipt({ status: '0x0', logs: [transfer(USDC, WALLETS.evm, 40n)] }),
    })
    expect(await paid(USDC, 'evm')).toEqual({ amount: 0n, isAnything: false })
  })

  it('knows nothing of a transaction that is not there', async () => {
    expect(await (await evidenceOver({}))(USDC, 'evm')).toBeNull()
  })

  it('does not make up a balance the node does not give', async () => {
    const paid = await evidenceOver({
      eth_getTransactionReceipt: receipt(),
      'eth_getBalance 0xf': 'archive only',
      'eth_getBalance 0x10': '0x1',
    })
    await expect(paid(nativeAsset(1), 'evm')).rejects.toThrow(ChainError)
  })
})

describe('on Solana', () => {
  const balance = (owner: string, amount: string) => ({ owner, mint: USDC_SOLANA.address, uiTokenAmount: { amount } })
  const transaction = (meta: object) => ({
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
    expect(await paid(USDC_SOLANA, 'solana')).toEqual({ amount: 42n, isAnything: true })
  })

  it('tells lamports by the balance of the wallet', async () => {
    const paid = await evidenceOver({ getTransaction: transaction({}) })
    expect(await paid(nativeAsset(-2), 'solana')).toEqual({ amount: 50n, isAnything: true })
  })

  it('counts nothing of a transaction that failed, and knows nothing of one that is not there', async () => {
    const failed = await evidenceOver({ getTransaction: transaction({ err: { InstructionError: [0, 'Custom'] } }) })
    expect(await failed(nativeAsset(-2), 'solana')).toEqual({ amount: 0n, isAnything: false })
    expect(await (await evidenceOver({}))(USDC_SOLANA, 'solana')).toBeNull()
  })
})

describe('on Bitcoin', () => {
  const outputs = [
    { scriptpubkey_address: WALLETS.bitcoin, value: 40 },
    { scriptpubkey_address: 'bc1qother', value: 7 },
    { scriptpubkey_address: WALLETS.bitcoin, value: 2 },
  ]

  it('adds up the outputs to the address, once confirmed', async () => {
    const paid = await evidenceOver({ '/tx/cd': { vout: outputs, status: { confirmed: true } } })
    expect(await paid(nativeAsset(-1), 'bitcoin', 'cd')).toEqual({ amount: 42n, isAnything: true })
  })

  it('waits for the first confirmation', async () => {
    const paid = await evidenceOver({ '/tx/cd': { vout: outputs, status: { confirmed: false } } })
    expect(await paid(nativeAsset(-1), 'bitcoin', 'cd')).toBeNull()
    expect(await paid(nativeAsset(-1), 'bitcoin', 'ef')).toBeNull()
  })

  it('does not believe an answer of another shape', async () => {
    const paid = await evidenceOver({ '/tx/cd': { vout: 'all of it' } })
    await expect(paid(nativeAsset(-1), 'bitcoin', 'cd')).rejects.toThrow(ChainError)
  })
})
