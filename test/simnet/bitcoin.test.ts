import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSimClock } from '../../engine/simnet/kit/simRandom.ts'
import type { SimDeposit } from '../../engine/simnet/kit/simVenue.ts'
import { type Simnet, startSimnet } from '../../engine/simnet/simnet.ts'
import { bitcoinWallet, payment, type WalletKind } from '../../scripts/client/bitcoinWallet.ts'

const KINDS = ['p2pkh', 'p2wpkh', 'p2sh-p2wpkh', 'p2wsh', 'p2tr'] as const satisfies readonly WalletKind[]
const VENUE = bitcoinWallet('p2wpkh', 'venue')

let simnet: Simnet
let deposits: SimDeposit[]

const watcher = () => ({
  id: 'watcher',
  settings: {},
  pricePaths: [],
  handle: () => ({ status: 200, body: {} }),
  onDeposit: (deposit: SimDeposit) => deposits.push(deposit) > 0 && deposit.address === VENUE.address,
  onTransaction: () => false,
})

beforeAll(async () => {
  const clock = createSimClock(() => Date.UTC(2026, 10, 20))
  simnet = await startSimnet({ controlPort: 0, seed: 'test', clock, venues: [{ id: 'watcher', create: watcher }] })
})
afterAll(() => simnet.close())

const control = async (path: string, body: object): Promise<void> => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  expect((await fetch(`${simnet.controlUrl}${path}`, init)).status).toBe(200)
}
const esplora = (path: string, init?: RequestInit) => fetch(`${simnet.rpcUrls['-1']}${path}`, init)

it.each(KINDS)('the offline Bitcoin confirms a payment signed by bitcoinjs-lib for %s', async (kind) => {
  deposits = []
  const wallet = bitcoinWallet(kind, `payer of ${kind}`)
  await control('/faucet', { chainId: -1, token: 'BTC', address: wallet.address, amount: '100000' })
  const [coin] = (await (await esplora(`/address/${wallet.address}/utxo`)).json()) as [{ txid: string; vout: number }]
  const hex = await (await esplora(`/tx/${coin.txid}/hex`)).text()
  const transaction = payment([{ ...coin, value: 100_000n, hex, wallet }], [{ address: VENUE.address, value: 99_000n }])
  const txHash = transaction.getId()

  const sent = await esplora('/tx', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: transaction.toHex() })
  expect([sent.status, await sent.text()]).toEqual([200, txHash])
  expect(deposits).toEqual([{ chainId: -1, token: expect.any(String), address: VENUE.address, amount: 99_000n, txHash }])
  const read = async () => (await esplora(`/tx/${txHash}`)).json()
  expect(await read()).toMatchObject({ fee: 1_000, weight: transaction.weight(), status: { confirmed: false } })

  await control('/mine', { blocks: 1 })
  expect(await read()).toMatchObject({ status: { confirmed: true } })
  expect(deposits).toHaveLength(1)
})

it('the offline Bitcoin rejects a coin spent twice, a wrong signature and value from nothing', async () => {
  const wallet = bitcoinWallet('p2wpkh', 'payer of nothing')
  await control('/faucet', { chainId: -1, token: 'BTC', address: wallet.address, amount: '1000' })
  const [coin] = (await (await esplora(`/address/${wallet.address}/utxo`)).json()) as [{ txid: string; vout: number }]
  const hex = await (await esplora(`/tx/${coin.txid}/hex`)).text()
  const paying = (value: bigint, held = 1_000n) =>
    payment([{ ...coin, value: held, hex, wallet }], [{ address: wallet.address, value }])
  const answerTo = async (transaction: string) => (await esplora('/tx', { method: 'POST', body: transaction })).text()

  const forged = paying(1n)
  forged.outs[0] = { ...(forged.outs[0] ?? expect.fail('no output')), value: 2n }
  expect(await answerTo(forged.toHex())).toContain('mempool-script-verify-flag-failed')
  expect(await answerTo(paying(1_001n, 2_000n).toHex())).toContain('bad-txns-in-belowout')
  expect(await answerTo(paying(1n).toHex())).toBe(paying(1n).getId())
  expect(await answerTo(paying(3n).toHex())).toContain('txn-mempool-conflict')
})
