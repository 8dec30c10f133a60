import { createHash } from 'node:crypto'
import { Transaction } from 'bitcoinjs-lib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BitcoinWallet, bitcoinWallet, type Coin, payment, type WalletKind } from '../../scripts/client/bitcoinWallet.ts'
import {
  type BitcoinBench,
  type BlockHeader,
  createBitcoinBench,
  START_AT,
  type Stats,
  type Tx,
  type Utxo,
} from '../support/bitcoinBench.ts'

const KINDS = ['p2pkh', 'p2wpkh', 'p2sh-p2wpkh', 'p2wsh', 'p2tr'] as const satisfies readonly WalletKind[]
const TYPES = { p2pkh: 'p2pkh', p2wpkh: 'v0_p2wpkh', 'p2sh-p2wpkh': 'p2sh', p2wsh: 'v0_p2wsh', p2tr: 'v1_p2tr' } as const
const VENUE = bitcoinWallet('p2wpkh', 'venue')
const FEE = 1_000n

let bench: BitcoinBench

beforeAll(async () => {
  bench = await createBitcoinBench(VENUE.address)
})
afterAll(() => bench.close())
beforeEach(() => {
  bench.deposits.length = 0
  bench.transactions.length = 0
})

const sent = async (transaction: Transaction): Promise<string> => {
  const { status, text } = await bench.send(transaction.toHex())
  expect({ status, text }).toEqual({ status: 200, text: transaction.getId() })
  return text
}
const tipHeight = async (): Promise<number> => Number(await bench.read('/blocks/tip/height'))
const utxos = (wallet: BitcoinWallet) => bench.read<Utxo[]>(`/address/${wallet.address}/utxo`)
const stats = (wallet: BitcoinWallet) => bench.read<{ chain_stats: Stats; mempool_stats: Stats }>(`/address/${wallet.address}`)
const payVenue = (coin: Coin, value = coin.value - FEE) => payment([coin], [{ address: VENUE.address, value }])
const doubleSha = (bytes: Uint8Array): Buffer => createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest()
const shown = (hash: Uint8Array): string => Buffer.from(hash).reverse().toString('hex')

describe('a payment over the Esplora API', () => {
  it.each(KINDS)('signed by bitcoinjs-lib from %s is taken, seen, told and confirmed', async (kind) => {
    const wallet = bitcoinWallet(kind, `payer of ${kind}`)
    const coin = await bench.fund(wallet, 100_000n)
    const transaction = payVenue(coin)
    const txid = await sent(transaction)

    const seen = await bench.read<Tx>(`/tx/${txid}`)
    expect(seen).toMatchObject({
      txid,
      version: 2,
      locktime: 0,
      vin: [
        {
          txid: coin.txid,
          vout: coin.vout,
          is_coinbase: false,
          sequence: 0xffff_fffe,
          prevout: { scriptpubkey_type: TYPES[kind], scriptpubkey_address: wallet.address, value: 100_000 },
        },
      ],
      vout: [{ scriptpubkey_type: 'v0_p2wpkh', scriptpubkey_address: VENUE.address, value: 99_000 }],
      size: transaction.byteLength(),
      weight: transaction.weight(),
      fee: 1_000,
      status: { confirmed: false },
    })
    expect(await bench.read(`/tx/${txid}/hex`)).toBe(transaction.toHex())
    expect(await bench.read(`/tx/${coin.txid}/outspends`)).toContainEqual({
      spent: true,
      txid,
      vin: 0,
      status: { confirmed: false },
    })
    expect(bench.deposits).toEqual([
      { chainId: -1, token: expect.any(String), address: VENUE.address, amount: 99_000n, txHash: txid },
    ])
    expect(bench.bitcoin.confirmations(txid)).toBe(0)

    await bench.mine()
    const height = await tipHeight()
    const block_hash = await bench.read<string>(`/block-height/${height}`)
    const status = { confirmed: true, block_height: height, block_hash, block_time: expect.any(Number) }
    expect(await bench.read(`/tx/${txid}/status`)).toEqual(status)
    expect(await bench.read(`/tx/${txid}/outspends`)).toEqual([{ spent: false }])
    expect(await bench.read<string[]>(`/block/${block_hash}/txids`)).toContain(txid)
    expect(bench.bitcoin.confirmations(txid)).toBe(1)
    expect(bench.deposits).toHaveLength(1)
  })

  it.each([0x01, 0x02, 0x03, 0x81, 0x82, 0x83])('may mix all kinds of inputs, signed with hash type %i', async (hashType) => {
    const wallets = KINDS.map((kind) => bitcoinWallet(kind, `mixed ${kind}`))
    const coins: Coin[] = []
    for (const wallet of wallets) coins.push(await bench.fund(wallet, 50_000n))
    const payees = coins.map((_, index) => ({ address: VENUE.address, value: 40_000n + BigInt(index) }))
    await sent(payment(coins, payees, { hashType }))
  })

  it('may spend what is not confirmed yet', async () => {
    const [first, second] = [bitcoinWallet('p2wpkh', 'parent'), bitcoinWallet('p2tr', 'child')]
    const parent = payment([await bench.fund(first, 100_000n)], [{ address: second.address, value: 99_000n }])
    const txid = await sent(parent)
    const child = payVenue({ txid, vout: 0, value: 99_000n, hex: parent.toHex(), wallet: second })
    const childId = await sent(child)
    expect(await utxos(second)).toEqual([])
    await bench.mine()
    const { status } = await bench.read<Tx>(`/tx/${childId}`)
    expect(status).toEqual((await bench.read<Tx>(`/tx/${txid}`)).status)
    expect(status.confirmed).toBe(true)
  })

  it('is told once, as one sum to each payee, however often it is sent and however many outputs pay it', async () => {
    const wallet = bitcoinWallet('p2wpkh', 'twice')
    const coin = await bench.fund(wallet, 100_000n)
    const memo = Buffer.from('=:ETH.USDC:0x1234')
    const transaction = payment(
      [coin],
      [
        { address: VENUE.address, value: 30_000n },
        { address: VENUE.address, value: 20_000n },
        { script: Buffer.concat([Buffer.from([0x6a, memo.length]), memo]), value: 0n },
        { address: wallet.address, value: 49_000n },
      ],
    )
    const txHash = await sent(transaction)
    expect(await sent(transaction)).toBe(txHash)
    expect(bench.deposits).toEqual([{ chainId: -1, token: expect.any(String), address: VENUE.address, amount: 50_000n, txHash }])
    expect(bench.transactions).toHaveLength(1)
    const [seen] = bench.transactions
    expect(seen?.inputs).toEqual([{ address: wallet.address, amount: 100_000n }])
    expect(seen?.outputs.map(({ amount }) => amount)).toEqual([30_000n, 20_000n, 0n, 49_000n])
    expect(seen?.outputs.flatMap(({ data }) => (data ? [Buffer.from(data).toString()] : []))).toEqual(['=:ETH.USDC:0x1234'])
    expect(bench.bitcoin.transaction(txHash)).toEqual(seen)
    const named = await bench.control('/transactions', { chainId: -1, txHash })
    expect(named).toEqual({ status: 200, body: { txHash, venue: 'watcher' } })
    expect(await bench.control('/transactions', { chainId: -1, txHash: 'ab'.repeat(32) })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^txHash: /) },
    })
    expect(bench.deposits).toHaveLength(1)
  })
})

describe('addresses', () => {
  it('tell the same in every endpoint, before and after a block', async () => {
    const [wallet, other] = [bitcoinWallet('p2tr', 'holder'), bitcoinWallet('p2pkh', 'other')]
    const coins = [await bench.fund(wallet, 70_000n), await bench.fund(wallet, 80_000n)]
    const [first, second] = coins as [Coin, Coin]
    await sent(payment([first], [{ address: wallet.address, value: 60_000n }]))
    await bench.mine()
    await sent(
      payment(
        [second],
        [
          { address: other.address, value: 50_000n },
          { address: wallet.address, value: 29_000n },
        ],
      ),
    )
    for (const isMined of [false, true]) {
      if (isMined) await bench.mine()
      for (const { address } of [wallet, other]) {
        const { chain_stats, mempool_stats } = await bench.read<{ chain_stats: Stats; mempool_stats: Stats }>(
          `/address/${address}`,
        )
        const [chain, mempool, all, unspent] = await Promise.all([
          bench.read<Tx[]>(`/address/${address}/txs/chain`),
          bench.read<Tx[]>(`/address/${address}/txs/mempool`),
          bench.read<Tx[]>(`/address/${address}/txs`),
          bench.read<Utxo[]>(`/address/${address}/utxo`),
        ])
        expect(all).toEqual([...mempool, ...chain])
        expect([chain.length, mempool.length]).toEqual([chain_stats.tx_count, mempool_stats.tx_count])
        expect(mempool_stats.tx_count).toBe(isMined ? 0 : 1)
        const held = [chain_stats, mempool_stats].reduce((sum, each) => sum + each.funded_txo_sum - each.spent_txo_sum, 0)
        expect(unspent.reduce((sum, { value }) => sum + value, 0)).toBe(held)
        expect(await bench.bitcoin.balance(address)).toBe(BigInt(held))
        const received = all.flatMap(({ vout }) => vout).filter(({ scriptpubkey_address }) => scriptpubkey_address === address)
        const count = chain_stats.funded_txo_count + mempool_stats.funded_txo_count
        expect(received).toHaveLength(count)
        for (const tx of all) expect(await bench.read(`/tx/${tx.txid}`)).toEqual(tx)
      }
    }
    expect((await utxos(wallet)).map(({ value }) => value).sort()).toEqual([29_000, 60_000])
    expect((await utxos(other)).map(({ value }) => value)).toEqual([50_000])
  })

  it('list their confirmed transactions latest first, 25 to a page', async () => {
    const wallet = bitcoinWallet('p2wpkh', 'pages')
    for (let count = 0; count < 27; count++) await bench.fund(wallet, 1_000n + BigInt(count))
    const first = await bench.read<Tx[]>(`/address/${wallet.address}/txs/chain`)
    const rest = await bench.read<Tx[]>(`/address/${wallet.address}/txs/chain/${first.at(-1)?.txid}`)
    expect([first.length, rest.length]).toEqual([25, 2])
    const heights = [...first, ...rest].map(({ status }) => status.block_height ?? 0)
    expect(heights).toEqual(heights.toSorted((a, b) => b - a))
    expect(new Set([...first, ...rest].map(({ txid }) => txid)).size).toBe(27)
  })

  it.each([
    ['/address/bc1qnothing', 400, 'Invalid Bitcoin address'],
    ['/address/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48/utxo', 400, 'Invalid Bitcoin address'],
    ['/tx/xyz', 400, 'Invalid hex string'],
    [`/tx/${'ab'.repeat(32)}`, 404, 'Transaction not found'],
    [`/tx/${'ab'.repeat(32)}/hex`, 404, 'Transaction not found'],
    [`/block/${'ab'.repeat(32)}`, 404, 'Block not found'],
    ['/block-height/1', 404, 'Block not found'],
    ['/block-height/x', 400, 'Invalid number'],
    ['/nothing', 404, 'endpoint does not exist "/nothing"'],
  ])('and everything else that is not there: %s is a %i in the words of electrs', async (path, status, text) => {
    expect(await bench.status(path)).toEqual({ status, text })
  })
})

describe('blocks', () => {
  it('come every ten minutes of the network, and take in what waits', async () => {
    const height = await tipHeight()
    const txid = await sent(payVenue(await bench.fund(bitcoinWallet('p2wpkh', 'waits'), 20_000n)))
    expect(await tipHeight()).toBe(height + 1)
    await bench.control('/clock', { advanceMs: 599_000 })
    expect(await tipHeight()).toBe(height + 1)
    expect(bench.bitcoin.confirmations(txid)).toBe(0)
    await bench.control('/clock', { advanceMs: 1_000 })
    expect(await tipHeight()).toBe(height + 2)
    expect(bench.bitcoin.confirmations(txid)).toBe(1)
    await bench.control('/clock', { advanceMs: 6 * 600_000 })
    expect(await tipHeight()).toBe(height + 8)
    expect(bench.bitcoin.confirmations(txid)).toBe(7)
    const block = await bench.read<BlockHeader>(`/block/${await bench.read('/blocks/tip/hash')}`)
    expect(block.timestamp * 1_000).toBe(START_AT + 7 * 600_000)
  })

  it('chain by real hashes, commit to their transactions and carry proof of work', async () => {
    await sent(payVenue(await bench.fund(bitcoinWallet('p2tr', 'committed'), 20_000n)))
    await bench.mine(2)
    let id = await bench.read<string>('/blocks/tip/hash')
    for (let back = 0; back < 12; back++) {
      const block = await bench.read<BlockHeader>(`/block/${id}`)
      const header = Buffer.alloc(80)
      header.writeUInt32LE(block.version, 0)
      header.set(Buffer.from(block.previousblockhash, 'hex').reverse(), 4)
      header.set(Buffer.from(block.merkle_root, 'hex').reverse(), 36)
      header.writeUInt32LE(block.timestamp, 68)
      header.writeUInt32LE(block.bits, 72)
      header.writeUInt32LE(block.nonce, 76)
      expect(shown(doubleSha(header))).toBe(id)
      expect(BigInt(`0x${id}`)).toBeLessThan(0x7fffffn << 232n)
      const txids = await bench.read<string[]>(`/block/${id}/txids`)
      expect(txids).toHaveLength(block.tx_count)
      let level = txids.map((txid) => Buffer.from(txid, 'hex').reverse() as Buffer)
      while (level.length > 1)
        level = level.flatMap((left, at) => (at % 2 ? [] : [doubleSha(Buffer.concat([left, level[at + 1] ?? left]))]))
      expect(shown(level[0] ?? Buffer.alloc(0))).toBe(block.merkle_root)
      for (const txid of txids) expect(Transaction.fromHex(await bench.read<string>(`/tx/${txid}/hex`)).getId()).toBe(txid)
      expect(block.timestamp).toBeGreaterThan((await bench.read<BlockHeader>(`/block/${block.previousblockhash}`)).mediantime)
      id = block.previousblockhash
    }
  })

  it('skip what a very long jump of the clock would take', async () => {
    const network = await createBitcoinBench(VENUE.address)
    const height = Number(await network.read('/blocks/tip/height'))
    await network.control('/clock', { advanceMs: 10 * 365 * 24 * 3_600_000 })
    expect(Number(await network.read('/blocks/tip/height'))).toBe(height + 2_016)
    await network.close()
  })
})

describe('the control server', () => {
  it('pays a deposit by a real transaction of the treasury', async () => {
    const { status, body } = await bench.control('/deposits', {
      chainId: -1,
      token: 'BTC',
      address: VENUE.address,
      amount: '5000000',
    })
    expect(status).toBe(200)
    const { txHash, venue } = body as { txHash: string; venue: string }
    expect(venue).toBe('watcher')
    expect(bench.deposits).toEqual([
      { chainId: -1, token: expect.any(String), address: VENUE.address, amount: 5_000_000n, txHash },
    ])
    const tx = await bench.read<Tx>(`/tx/${txHash}`)
    expect(tx.vin[0]?.prevout?.scriptpubkey_address).toBe(bench.bitcoin.treasury())
    expect(tx.vout[0]).toMatchObject({ scriptpubkey_address: VENUE.address, value: 5_000_000 })
    expect(tx.fee).toBeGreaterThanOrEqual(tx.weight / 4)
    const dust = await bench.control('/deposits', { chainId: -1, token: 'BTC', address: VENUE.address, amount: '293' })
    expect(dust).toEqual({ status: 400, body: { error: 'amount: dust' } })
    expect(bench.deposits).toHaveLength(1)
  })

  it('gives confirmed coins from the faucet, tells nobody, and leaves alone what waits', async () => {
    const wallet = bitcoinWallet('p2pkh', 'thirsty')
    const waiting = await sent(payVenue(await bench.fund(bitcoinWallet('p2wpkh', 'patient'), 20_000n)))
    bench.deposits.length = 0
    await bench.fund(wallet, 9n)
    expect((await stats(wallet)).chain_stats).toMatchObject({ funded_txo_count: 1, funded_txo_sum: 9, tx_count: 1 })
    expect(bench.deposits).toEqual([])
    expect(bench.bitcoin.confirmations(waiting)).toBe(0)
  })

  it.each<[string, unknown, RegExp]>([
    ['/mine', { blocks: 0 }, /^blocks: /],
    ['/mine', { blocks: 1_001 }, /^blocks: /],
    ['/mine', {}, /^blocks: /],
    ['/mine', { blocks: 1, chain: -1 }, /^chain: /],
    ['/reorg', { chainId: -1 }, /^drop: /],
    ['/reorg', { chainId: -1, drop: 'all' }, /^drop: /],
    ['/reorg', { chainId: -1, drop: 'ab'.repeat(32) }, /^drop: /],
    ['/reorg', { chainId: -2, drop: 'unconfirmed' }, /^chainId: /],
    ['/reorg', { chainId: 1, drop: 'unconfirmed' }, /^drop: /],
    ['/reorg', { chainId: -1, drop: 'unconfirmed', depth: 1 }, /^depth: /],
    ['/faucet', { chainId: -1, token: 'BTC', address: VENUE.address, amount: (2n * 10n ** 15n).toString() }, /^amount: /],
    ['/deposits', { chainId: -1, token: 'BTC', address: VENUE.address, amount: (2n * 10n ** 15n).toString() }, /^amount: /],
  ])('refuses %s %j, naming the field, and does nothing', async (path, body, reason) => {
    const tip = await bench.read('/blocks/tip/hash')
    const answer = await bench.control(path, body)
    expect(answer.status).toBe(400)
    expect((answer.body as { error: string }).error).toMatch(reason)
    expect(await bench.read('/blocks/tip/hash')).toBe(tip)
  })
})

describe('a venue', () => {
  it('pays out of the treasury with a memo, and every venue is told', async () => {
    const payee = bitcoinWallet('p2tr', 'customer')
    const data = Buffer.from('OUT:ABCDEF')
    const txid = await bench.bitcoin.transfer({ to: payee.address, amount: 123_456n, data })
    expect(await bench.bitcoin.balance(payee.address)).toBe(123_456n)
    expect(await utxos(payee)).toEqual([{ txid, vout: 0, status: { confirmed: false }, value: 123_456 }])
    expect(bench.transactions[0]?.outputs[1]?.data).toEqual(new Uint8Array(data))
    expect(bench.deposits).toMatchObject([{ address: payee.address, amount: 123_456n, txHash: txid }])
    await expect(bench.bitcoin.transfer({ to: payee.address, amount: 329n })).rejects.toThrow('dust')
    await expect(bench.bitcoin.transfer({ to: 'bc1q', amount: 1_000n })).rejects.toThrow('not a Bitcoin address')
  })

  it('can pay more often between two blocks than the treasury has coins', async () => {
    const network = await createBitcoinBench(VENUE.address, 'busy')
    for (let count = 0; count < 520; count++) await network.bitcoin.transfer({ to: VENUE.address, amount: 1_000n })
    expect(await network.bitcoin.balance(VENUE.address)).toBe(520_000n)
    await network.close()
  }, 60_000)
})
