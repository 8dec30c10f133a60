import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { bitcoinWallet, type Coin, payment } from '../../scripts/client/bitcoinWallet.ts'
import { type BitcoinBench, type BlockHeader, createBitcoinBench, type Tx, type Utxo } from '../support/bitcoinBench.ts'

const VENUE = bitcoinWallet('p2wpkh', 'venue')
const open: BitcoinBench[] = []

const newBench = async (seed?: string): Promise<BitcoinBench> => {
  const bench = await createBitcoinBench(VENUE.address, seed)
  open.push(bench)
  return bench
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((bench) => bench.close()))
})

const reorg = async (bench: BitcoinBench, drop: string): Promise<readonly string[]> => {
  const { status, body } = await bench.control('/reorg', { chainId: -1, drop })
  expect(status).toBe(200)
  return (body as { dropped: string[] }).dropped
}
const payVenue = (coin: Coin, value: bigint) => payment([coin], [{ address: VENUE.address, value }])
const sent = async (bench: BitcoinBench, transaction: ReturnType<typeof payment>): Promise<string> => {
  const { status, text } = await bench.send(transaction.toHex())
  expect({ status, text }).toEqual({ status: 200, text: transaction.getId() })
  return text
}
const utxos = (bench: BitcoinBench, address: string) => bench.read<Utxo[]>(`/address/${address}/utxo`)

describe('a deposit that vanishes', () => {
  it('leaves no trace while unconfirmed: its coin is free for another payment, and the venue can tell', async () => {
    const bench = await newBench()
    const wallet = bitcoinWallet('p2wpkh', 'cheat')
    const coin = await bench.fund(wallet, 100_000n)
    const deposit = payVenue(coin, 90_000n)
    const txid = await sent(bench, deposit)
    const child = payVenue({ txid, vout: 0, value: 90_000n, hex: deposit.toHex(), wallet: VENUE }, 80_000n)
    const childId = await sent(bench, child)
    const other = await sent(bench, payVenue(await bench.fund(bitcoinWallet('p2tr', 'honest'), 50_000n), 40_000n))
    expect(bench.bitcoin.confirmations(txid)).toBe(0)

    expect(await reorg(bench, txid)).toEqual([txid, childId])
    expect((await bench.status(`/tx/${txid}`)).status).toBe(404)
    expect(bench.bitcoin.confirmations(txid)).toBeNull()
    expect(bench.bitcoin.transaction(childId)).toBeNull()
    expect(bench.bitcoin.confirmations(other)).toBe(0)
    expect(await utxos(bench, VENUE.address)).toMatchObject([{ txid: other, value: 40_000 }])
    expect(await utxos(bench, wallet.address)).toMatchObject([{ txid: coin.txid, value: 100_000 }])
    expect(await bench.read(`/tx/${coin.txid}/outspend/${coin.vout}`)).toEqual({ spent: false })

    const replacement = payment([coin], [{ address: wallet.address, value: 99_000n }])
    await sent(bench, replacement)
    expect((await bench.send(deposit.toHex())).text).toContain('txn-mempool-conflict')
    await bench.mine()
    expect((await bench.send(deposit.toHex())).text).toContain('bad-txns-inputs-missingorspent')
  })

  it('and comes back is told once only', async () => {
    const bench = await newBench()
    const deposit = payVenue(await bench.fund(bitcoinWallet('p2wpkh', 'back'), 100_000n), 90_000n)
    const txid = await sent(bench, deposit)
    expect(await reorg(bench, 'unconfirmed')).toEqual([txid])
    expect(await bench.read('/mempool')).toMatchObject({ count: 0, vsize: 0, total_fee: 0 })
    await sent(bench, deposit)
    expect(bench.bitcoin.confirmations(txid)).toBe(0)
    expect(bench.deposits).toHaveLength(1)
    expect(bench.transactions).toHaveLength(1)
  })

  it('out of a block takes the blocks along, and only what spends from it', async () => {
    const bench = await newBench()
    const coins = [
      await bench.fund(bitcoinWallet('p2pkh', 'one'), 100_000n),
      await bench.fund(bitcoinWallet('p2tr', 'two'), 100_000n),
    ]
    const [first, second] = coins.map((coin) => payVenue(coin, 90_000n)) as [
      ReturnType<typeof payment>,
      ReturnType<typeof payment>,
    ]
    const [lost, kept] = [await sent(bench, first), await sent(bench, second)]
    const below = await bench.read<string>('/blocks/tip/hash')
    await bench.mine()
    const height = Number(await bench.read('/blocks/tip/height'))
    const gone = await bench.read<string>('/blocks/tip/hash')
    const child = await sent(bench, payVenue({ txid: lost, vout: 0, value: 90_000n, hex: first.toHex(), wallet: VENUE }, 80_000n))
    await bench.mine(2)

    expect(await reorg(bench, lost)).toEqual([lost, child])
    expect(Number(await bench.read('/blocks/tip/height'))).toBe(height + 3)
    expect((await bench.status(`/block/${gone}`)).status).toBe(404)
    const replacing = await bench.read<BlockHeader>(`/block/${await bench.read(`/block-height/${height}`)}`)
    expect(replacing.previousblockhash).toBe(below)
    expect((await bench.read<Tx>(`/tx/${kept}`)).status).toMatchObject({ block_height: height, block_hash: replacing.id })
    expect(bench.bitcoin.confirmations(lost)).toBeNull()
    expect(bench.bitcoin.confirmations(kept)).toBe(4)
  })

  it('cannot be a coinbase, nor deeper than a hundred blocks', async () => {
    const bench = await newBench()
    const [coinbase] = await bench.read<string[]>(`/block/${await bench.read('/blocks/tip/hash')}/txids`)
    expect(await bench.control('/reorg', { chainId: -1, drop: coinbase })).toEqual({
      status: 400,
      body: { error: 'drop: is the coinbase of a block' },
    })
    const { txid } = await bench.fund(bitcoinWallet('p2pkh', 'deep'), 100_000n)
    await bench.mine(100)
    expect(await bench.control('/reorg', { chainId: -1, drop: txid })).toEqual({
      status: 400,
      body: { error: 'drop: is deeper than 100 blocks' },
    })
  })
})

describe('the offline Bitcoin', () => {
  it('is the same for the same seed and calls, and another for another seed', async () => {
    const run = async (seed: string) => {
      const bench = await newBench(seed)
      const coin = await bench.fund(bitcoinWallet('p2wpkh', 'same'), 100_000n)
      const txid = await bench.bitcoin.transfer({ to: VENUE.address, amount: 5_000n })
      await sent(bench, payVenue(coin, 90_000n))
      await bench.mine(3)
      return [coin.txid, txid, await bench.read('/blocks/tip/hash')]
    }
    const first = await run('a')
    expect(await run('a')).toEqual(first)
    for (const [index, value] of (await run('b')).entries()) expect(value).not.toBe(first[index])
  })

  it('loads bitcoinjs-lib when first needed, and for neither start-up nor fee estimates', () => {
    const url = new URL('../../engine/simnet/simnet.ts', import.meta.url).href
    const script = `import { registerHooks } from 'node:module'
      let loads = 0
      registerHooks({ resolve: (name, context, next) => { if (name === 'bitcoinjs-lib') loads++; return next(name, context) } })
      const { startSimnet } = await import('${url}')
      const network = await startSimnet({ controlPort: 0, seed: '1', venues: [] })
      const seen = [loads]
      for (const path of ['/fee-estimates', '/blocks/tip/height']) {
        await (await fetch(network.rpcUrls[-1] + path)).text()
        seen.push(loads)
      }
      await network.close()
      console.log(JSON.stringify(seen))`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    expect(JSON.parse(stdout)).toEqual([0, 0, 1])
  })
})

/** Satoshi that blocks up to this one may have created, by the schedule everybody knows. */
const scheduled = (height: number): bigint => {
  let total = 0n
  for (let era = 0; era * 210_000 <= height; era++)
    total += (5_000_000_000n >> BigInt(era)) * BigInt(Math.min(height + 1 - era * 210_000, 210_000))
  return total
}

/** Reads every block there is and adds up anew: what is unspent, by output. */
const walk = async (bench: BitcoinBench): Promise<Map<string, number>> => {
  const unspent = new Map<string, number>()
  const tip = Number(await bench.read('/blocks/tip/height'))
  for (let height = 900_000; height <= tip; height++) {
    const hash = await bench.read(`/block-height/${height}`)
    for (const txid of await bench.read<string[]>(`/block/${hash}/txids`)) {
      const tx = await bench.read<Tx>(`/tx/${txid}`)
      for (const { txid: from, vout, is_coinbase, prevout } of tx.vin) {
        if (is_coinbase) continue
        expect(unspent.get(`${from}:${vout}`)).toBe(prevout?.value)
        unspent.delete(`${from}:${vout}`)
      }
      tx.vout.forEach(({ value }, vout) => {
        unspent.set(`${txid}:${vout}`, value)
      })
    }
  }
  return unspent
}

type Step =
  | { readonly do: 'pay'; readonly from: number; readonly to: number; readonly share: number }
  | { readonly do: 'transfer'; readonly to: number; readonly amount: number }
  | { readonly do: 'faucet'; readonly to: number; readonly amount: number }
  | { readonly do: 'mine' }
  | { readonly do: 'wait' }
  | { readonly do: 'drop' }
  | { readonly do: 'reorg'; readonly pick: number }

const WALLETS = (['p2pkh', 'p2wpkh', 'p2tr'] as const).map((kind) => bitcoinWallet(kind, `random ${kind}`))
const who = fc.integer({ min: 0, max: WALLETS.length - 1 })
const amount = fc.integer({ min: 100, max: 10_000_000 })
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('pay' as const), from: who, to: who, share: fc.integer({ min: 1, max: 99 }) }),
    fc.record({ do: fc.constant('pay' as const), from: who, to: who, share: fc.integer({ min: 1, max: 99 }) }),
    fc.record({ do: fc.constant('transfer' as const), to: who, amount }),
    fc.record({ do: fc.constant('faucet' as const), to: who, amount }),
    fc.record({ do: fc.constantFrom('mine' as const, 'wait' as const, 'drop' as const) }),
    fc.record({ do: fc.constant('reorg' as const), pick: fc.nat(1_000) }),
  ),
  { minLength: 5, maxLength: 25 },
)

const walletAt = (index: number) => {
  const wallet = WALLETS[index]
  if (!wallet) throw new RangeError('no such wallet')
  return wallet
}

const pay = async (bench: BitcoinBench, step: Extract<Step, { do: 'pay' }>): Promise<void> => {
  const wallet = walletAt(step.from)
  const held = await utxos(bench, wallet.address)
  const coins = await Promise.all(
    held.slice(0, 3).map(async ({ txid, vout, value }) => ({
      txid,
      vout,
      value: BigInt(value),
      hex: await bench.read<string>(`/tx/${txid}/hex`),
      wallet,
    })),
  )
  const available = coins.reduce((sum, { value }) => sum + value, 0n) - 2_000n
  if (available < 2_000n) return
  const share = (available * BigInt(step.share)) / 100n
  const payees = [
    { address: walletAt(step.to).address, value: share },
    { address: wallet.address, value: available - share },
  ]
  const { status, text } = await bench.send(payment(coins, payees).toHex())
  if (status !== 200) expect(text).toContain('"dust"')
}

const run = async (bench: BitcoinBench, step: Step): Promise<void> => {
  switch (step.do) {
    case 'pay':
      return pay(bench, step)
    case 'transfer':
      await bench.bitcoin.transfer({ to: walletAt(step.to).address, amount: BigInt(step.amount) }).catch((error: Error) => {
        expect(error.message).toBe('dust')
      })
      return
    case 'faucet':
      await bench.fund(walletAt(step.to), BigInt(step.amount))
      return
    case 'mine':
      return bench.mine()
    case 'wait':
      await bench.control('/clock', { advanceMs: 900_000 })
      return
    case 'drop':
      await reorg(bench, 'unconfirmed')
      return
    case 'reorg': {
      const all = await bench.read<Tx[]>(`/address/${walletAt(step.pick % 3).address}/txs`)
      const target = all[step.pick % (all.length || 1)]
      if (target) await reorg(bench, target.txid)
    }
  }
}

describe('the sum of all bitcoin', () => {
  it('is what the coinbases created, whatever is paid, mined, dropped and reorganised', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const bench = await createBitcoinBench(VENUE.address)
        try {
          for (const step of sequence) await run(bench, step)
          const pending = await Promise.all(
            (await bench.read<string[]>('/mempool/txids')).map((txid) => bench.read<Tx>(`/tx/${txid}`)),
          )
          const unspent = await walk(bench)
          const tip = Number(await bench.read('/blocks/tip/height'))
          expect([...unspent.values()].reduce((sum, value) => sum + BigInt(value), 0n)).toBe(scheduled(tip))
          for (const { txid, vin, vout, fee } of pending) {
            const given = vin.reduce((sum, input) => sum + (unspent.get(`${input.txid}:${input.vout}`) ?? Number.NaN), 0)
            expect(given - vout.reduce((sum, { value }) => sum + value, 0)).toBe(fee)
            for (const input of vin) unspent.delete(`${input.txid}:${input.vout}`)
            vout.forEach(({ value }, index) => {
              unspent.set(`${txid}:${index}`, value)
            })
          }
          for (const { address } of [...WALLETS, { address: bench.bitcoin.treasury() }])
            for (const { txid, vout, value } of await utxos(bench, address)) {
              expect(unspent.get(`${txid}:${vout}`)).toBe(value)
              unspent.delete(`${txid}:${vout}`)
            }
          // What is left belongs to the miner, or to nobody.
          for (const key of unspent.keys()) {
            const { vin } = await bench.read<Tx>(`/tx/${key.split(':')[0]}`)
            expect(vin[0]?.is_coinbase).toBe(true)
          }
        } finally {
          await bench.close()
        }
      }),
      { numRuns: 12 },
    )
  }, 120_000)
})
