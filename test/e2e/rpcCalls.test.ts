import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type ChainId, chainOf } from '../../engine/core/chain.ts'
import { broadcast } from '../../scripts/client/evm.ts'
import { executeAs, fund, statusOf } from '../../scripts/client/swap.ts'
import { NATIVE, USDC } from '../../scripts/client/tokens.ts'
import { projectRoot } from '../../scripts/contract/document.ts'
import { only, startService, type TestService } from '../support/service.ts'
import { ACCOUNT, DEPOSIT_SWAP, SOLANA_WALLET, TRANSACTION_SWAP } from '../support/swaps.ts'

type Calls = { [chainId: string]: { [name: string]: number } }

/** What the service sends to the endpoints of the chains meanwhile, by JSON-RPC method or by path of Esplora. Each chain has one endpoint here. */
const counting = async (work: () => Promise<unknown>): Promise<Calls> => {
  const calls: Calls = {}
  const count = (message: unknown) => {
    const { path, body } = (message as { readonly request: { readonly path: string; readonly body: unknown } }).request
    const [, chainId, rest = ''] = /^\/rpc\/(-?\d+)(\/.*)?$/.exec(path) ?? []
    if (chainId === undefined) return
    const [, name = rest.replace(/\/(bc1\w+|[0-9a-f]{64}|\d+)(?=\/|$)/g, '/…')] = /"method":"(\w+)"/.exec(String(body)) ?? []
    calls[chainId] = { ...calls[chainId], [name]: (calls[chainId]?.[name] ?? 0) + 1 }
  }
  subscribe('undici:request:create', count)
  await work().finally(() => unsubscribe('undici:request:create', count))
  return calls
}

const textOf = (calls: Calls): string =>
  Object.entries(calls)
    .map(([chainId, names]) => {
      const each = Object.entries(names).map(([name, times]) => `${times > 1 ? `${times} ` : ''}\`${name}\``)
      const sum = Object.values(names).reduce((all, times) => all + times, 0)
      return `${chainOf(Number(chainId) as ChainId).name} ${sum}: ${each.toSorted().join(', ')}`
    })
    .toSorted()
    .join('; ') || 'none'

const SOLANA = { inputChainId: -2, inputToken: USDC.solana, inputAmount: '250000000', userAddress: SOLANA_WALLET } as const
const ROUTES = [
  ['Base to Arbitrum', TRANSACTION_SWAP],
  ['Bitcoin to Base', DEPOSIT_SWAP],
  ['Solana to Base', { ...DEPOSIT_SWAP, ...SOLANA }],
] as const

/** Executes and pays; its ref. */
const pay = async (service: TestService, body: (typeof ROUTES)[number][1], quoteToken: string): Promise<string> => {
  if (body.inputChainId === 8453) {
    const { approval, transaction } = await executeAs(service, 'TRANSACTION', { quoteToken })
    if (approval) await broadcast(service.control.rpcUrl(8453), approval.transaction)
    return broadcast(service.control.rpcUrl(8453), transaction)
  }
  const { deposit } = await executeAs(service, 'DEPOSIT', { quoteToken })
  await service.control.deposit({ ...deposit, chainId: body.inputChainId, token: body.inputToken })
  return deposit.address
}

it('RPC.md: its table has the endpoint calls of each quote, execution and status [rpc-call-table]', {
  timeout: 90_000,
}, async () => {
  const service = await startService({ ...only('across', 'near-intents'), SETTLEMENT_INTERVAL_SECONDS: '3600' })
  await fund(service, 8453, ACCOUNT.address, { [NATIVE]: '10000000000000000000', [USDC.base]: '1000000000' })
  const rows: string[] = []
  for (const [route, body] of ROUTES) {
    const measure = async (what: string, work: () => Promise<unknown>) =>
      void rows.push(`| ${route} | ${what} | ${textOf(await counting(work))} |`)
    await measure('first quote of the pair', () => service.call('quote', { body }))
    await measure('quote', () => service.call('quote', { body }))
    const { quoteToken } = await service.call('quote', { body })
    await measure('execute', () => service.call('execute', { body: { quoteToken } }))
    const ref = await pay(service, body, quoteToken)
    await service.control.advance(3_000)
    await measure('status of a paid swap', () => statusOf(service, { quoteToken, ref }))
    await service.control.advance(3_600_000)
    await measure('status that ends it', () => statusOf(service, { quoteToken, ref }))
  }
  await service.close()
  const page = await readFile(join(projectRoot, 'engine/chains/RPC.md'), 'utf8')
  expect(page.split('\n').filter((line) => line.startsWith(`| `) && / to /.test(line.slice(0, 20)))).toEqual(rows)
})
