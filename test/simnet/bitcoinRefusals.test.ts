import { secp256k1 } from '@noble/curves/secp256k1.js'
import { crypto, payments, script, Transaction } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type BitcoinWallet,
  bitcoinWallet,
  type Coin,
  type Payee,
  payment,
  scriptOf,
} from '../../scripts/client/bitcoinWallet.ts'
import { type BitcoinBench, createBitcoinBench, START_AT } from '../support/bitcoinBench.ts'

const PAYEE = bitcoinWallet('p2wpkh', 'payee')
const NULL_FAIL = 'Signature must be zero for failed CHECK(MULTI)SIG operation'
const UNLOCKABLE = 0xffff_ffff

let bench: BitcoinBench

beforeAll(async () => {
  bench = await createBitcoinBench(PAYEE.address)
})
afterAll(() => bench.close())

/** What every refusal must leave as it was. */
const before = async () => ({
  mempool: await bench.read('/mempool'),
  tip: await bench.read('/blocks/tip/hash'),
  deposits: bench.deposits.length,
})

const expectRefusal = async (hex: string, code: number, message: string | RegExp): Promise<void> => {
  const was = await before()
  const { status, text } = await bench.send(hex)
  const [, refusal = 'null'] = /^sendrawtransaction RPC error: (\{.*\})$/.exec(text) ?? []
  expect({ status, ...(JSON.parse(refusal) as object) }).toEqual({ status: 400, code, message: expect.stringMatching(message) })
  expect(await before()).toEqual(was)
}

const exactly = (text: string): RegExp => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)
const scriptFault = (fault: string): RegExp =>
  new RegExp(
    `^mempool-script-verify-flag-failed \\(${fault.replace(/[()/]/g, '\\$&')}\\), input 0 of [0-9a-f]{64} \\(wtxid [0-9a-f]{64}\\), spending [0-9a-f]{64}:[0-9]+$`,
  )

let serial = 0
const newWallet = (kind: BitcoinWallet['kind'] = 'p2wpkh'): BitcoinWallet => bitcoinWallet(kind, `refused ${serial++}`)
const newCoin = (kind?: BitcoinWallet['kind'], value = 100_000n): Promise<Coin> => bench.fund(newWallet(kind), value)
const payAll = (coin: Coin, fee = 1_000n): Transaction => payment([coin], [{ address: PAYEE.address, value: coin.value - fee }])
const paying = (payees: readonly Payee[]) => (coin: Coin) => payment([coin], payees)

/** Witness or script of the first input, one byte changed at `at` of item `index`. */
const flipped = (transaction: Transaction, index: number, at: number): Transaction => {
  const copy = transaction.clone()
  const [input] = copy.ins
  if (!input) throw new Error('no input')
  const items = input.witness.length > 0 ? input.witness.map((item) => Uint8Array.from(item)) : script.toStack(input.script)
  const item = items[index]
  if (item) item[at] = (item[at] ?? 0) ^ 1
  if (input.witness.length > 0) input.witness = items
  else input.script = script.compile(items)
  return copy
}

const withWitness = (transaction: Transaction, items: readonly Uint8Array[]): Transaction => {
  const copy = transaction.clone()
  const [input] = copy.ins
  if (input) input.witness = [...items]
  return copy
}

describe('a signature', () => {
  it.each(['p2pkh', 'p2wpkh', 'p2sh-p2wpkh', 'p2wsh'] as const)(
    'of %s that was altered, or is for another transaction, is refused',
    async (kind) => {
      const coin = await newCoin(kind)
      const good = payAll(coin)
      // A byte of S: still DER, still low.
      await expectRefusal(flipped(good, 0, 60).toHex(), -26, scriptFault(NULL_FAIL))
      const changed = good.clone()
      changed.outs = [{ script: scriptOf(newWallet().address), value: 99_000n }]
      await expectRefusal(changed.toHex(), -26, scriptFault(NULL_FAIL))
      const another = kind === 'p2wsh' ? 'Witness program hash mismatch' : 'Script failed an OP_EQUALVERIFY operation'
      await expectRefusal(flipped(good, 1, 5).toHex(), -26, scriptFault(another))
      expect((await bench.send(good.toHex())).status).toBe(200)
    },
  )

  it('of p2tr that was altered, or is for another transaction, is refused', async () => {
    const good = payAll(await newCoin('p2tr'))
    await expectRefusal(flipped(good, 0, 60).toHex(), -26, scriptFault('Invalid Schnorr signature'))
    const changed = good.clone()
    changed.locktime = 5
    await expectRefusal(changed.toHex(), -26, scriptFault('Invalid Schnorr signature'))
    const signature = good.ins[0]?.witness[0] ?? new Uint8Array()
    const withType = (type: number) => withWitness(good, [Uint8Array.from([...signature, type])])
    await expectRefusal(withType(0x00).toHex(), -26, scriptFault('Invalid Schnorr signature hash type'))
    await expectRefusal(withType(0x01).toHex(), -26, scriptFault('Invalid Schnorr signature'))
    await expectRefusal(withWitness(good, [signature.slice(1)]).toHex(), -26, scriptFault('Invalid Schnorr signature size'))
    expect((await bench.send(good.toHex())).status).toBe(200)
  })

  it.each(['p2wpkh', 'p2wsh', 'p2tr'] as const)('of %s made for another amount than the coin has is refused', async (kind) => {
    const coin = await newCoin(kind)
    const wrong = payment([{ ...coin, value: 100_001n }], [{ address: PAYEE.address, value: 99_000n }])
    await expectRefusal(wrong.toHex(), -26, scriptFault(kind === 'p2tr' ? 'Invalid Schnorr signature' : NULL_FAIL))
  })

  it('must be low in S, strict DER and of a known hash type', async () => {
    const good = payAll(await newCoin())
    const [signature = new Uint8Array(), key = new Uint8Array()] = good.ins[0]?.witness ?? []
    const parsed = secp256k1.Signature.fromBytes(signature.slice(0, -1), 'der')
    const high = new secp256k1.Signature(parsed.r, secp256k1.Point.Fn.ORDER - parsed.s)
    const asWitness = (...bytes: number[]) => withWitness(good, [Uint8Array.from(bytes), key]).toHex()
    await expectRefusal(
      asWitness(...high.toBytes('der'), 1),
      -26,
      scriptFault('Non-canonical signature: S value is unnecessarily high'),
    )
    await expectRefusal(
      asWitness(...signature.slice(0, -1), 4),
      -26,
      scriptFault('Signature hash type missing or not understood'),
    )
    const padded = Uint8Array.from([0x30, (signature[1] ?? 0) + 1, 0x02, (signature[3] ?? 0) + 1, 0, ...signature.slice(4)])
    await expectRefusal(asWitness(...padded), -26, scriptFault('Non-canonical DER signature'))
    await expectRefusal(asWitness(1), -26, scriptFault('Non-canonical DER signature'))
    await expectRefusal(withWitness(good, [signature]).toHex(), -26, scriptFault('Witness program hash mismatch'))
    await expectRefusal(withWitness(good, []).toHex(), -26, scriptFault('Witness program was passed an empty witness'))
    const carrying = good.clone()
    carrying.setInputScript(0, script.compile([key]))
    await expectRefusal(carrying.toHex(), -26, scriptFault('Witness requires empty scriptSig'))
  })

  it('by an uncompressed key is good for P2PKH, and not for segwit', async () => {
    const secretKey = newWallet().secretKey
    const pubkey = secp256k1.getPublicKey(secretKey, false)
    const hash = crypto.hash160(pubkey)
    const sign = (digest: Uint8Array) =>
      Uint8Array.from([...secp256k1.sign(digest, secretKey, { prehash: false, format: 'der' }), Transaction.SIGHASH_ALL])
    const spending = async (output: Uint8Array, address: string) => {
      const coin = await bench.fund({ ...newWallet(), address, output }, 100_000n)
      const transaction = new Transaction()
      transaction.addInput(Buffer.from(coin.txid, 'hex').reverse(), coin.vout)
      transaction.addOutput(PAYEE.output, 99_000n)
      return transaction
    }
    const [legacy, segwit] = [payments.p2pkh({ hash }), payments.p2wpkh({ hash })]
    const code = legacy.output as Uint8Array
    const first = await spending(code, legacy.address as string)
    first.setInputScript(0, script.compile([sign(first.hashForSignature(0, code, Transaction.SIGHASH_ALL)), pubkey]))
    expect((await bench.send(first.toHex())).status).toBe(200)
    const second = await spending(segwit.output as Uint8Array, segwit.address as string)
    second.setWitness(0, [sign(second.hashForWitnessV0(0, code, 100_000n, Transaction.SIGHASH_ALL)), pubkey])
    await expectRefusal(second.toHex(), -26, scriptFault('Using non-compressed keys in segwit'))
  })

  it('for P2SH comes with the redeem script of the output, and nothing else', async () => {
    const [coin, thief] = [await newCoin('p2sh-p2wpkh'), newWallet('p2sh-p2wpkh')]
    const stolen = payment([{ ...coin, wallet: thief }], [{ address: PAYEE.address, value: 99_000n }])
    const falseTop = 'Script evaluated without error but finished with a false/empty top stack element'
    await expectRefusal(stolen.toHex(), -26, scriptFault(falseTop))
    const good = payAll(coin)
    const [redeemScript = new Uint8Array()] = script.toStack(good.ins[0]?.script ?? [])
    const stuffed = good.clone()
    stuffed.setInputScript(0, script.compile([thief.publicKey, redeemScript]))
    await expectRefusal(stuffed.toHex(), -26, scriptFault('Witness requires only-redeemscript scriptSig'))
    expect((await bench.send(good.toHex())).status).toBe(200)
  })

  it('of p2tr for the output of its own index needs that output', async () => {
    const coins = [await newCoin('p2wpkh'), await newCoin('p2tr')]
    const payees = [1, 2].map(() => ({ address: PAYEE.address, value: 90_000n }))
    const single = payment(coins, payees, { hashType: Transaction.SIGHASH_SINGLE })
    const cut = Object.assign(single.clone(), { outs: single.outs.slice(0, 1) })
    await expectRefusal(cut.toHex(), -26, /\(Invalid Schnorr signature hash type\), input 1 of /)
  })

  it('of P2PKH comes with its key, pushed the shortest way, and nothing else', async () => {
    const good = payAll(await newCoin('p2pkh'))
    const [signature = new Uint8Array(), key = new Uint8Array()] = script.toStack(good.ins[0]?.script ?? [])
    const unlocking = (scriptSig: Uint8Array) => {
      const copy = good.clone()
      copy.setInputScript(0, scriptSig)
      return copy.toHex()
    }
    const long = Uint8Array.from([0x4c, signature.length, ...signature, key.length, ...key])
    await expectRefusal(unlocking(long), -26, scriptFault('Data push larger than necessary'))
    await expectRefusal(unlocking(script.compile([key])), -26, scriptFault('Operation not valid with the current stack size'))
    const extra = script.compile([signature, signature, key])
    await expectRefusal(unlocking(extra), -26, scriptFault('Stack size must be exactly one after execution'))
    const witnessed = good.clone()
    witnessed.setWitness(0, [key])
    await expectRefusal(witnessed.toHex(), -26, scriptFault('Witness provided for non-witness script'))
  })
})

describe('a coin', () => {
  it('is spent once: the second spender in the mempool is refused, whatever it pays, and after a block too', async () => {
    const coin = await newCoin()
    expect((await bench.send(payAll(coin).toHex())).status).toBe(200)
    await expectRefusal(payAll(coin, 50_000n).toHex(), -26, exactly('txn-mempool-conflict'))
    await bench.mine()
    await expectRefusal(payAll(coin, 50_000n).toHex(), -25, exactly('bad-txns-inputs-missingorspent'))
  })

  it('must exist: an altered txid or index is a missing input', async () => {
    const coin = await newCoin()
    const altered = coin.txid.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))
    await expectRefusal(payAll({ ...coin, txid: altered }).toHex(), -25, exactly('bad-txns-inputs-missingorspent'))
    await expectRefusal(payAll({ ...coin, vout: 9 }).toHex(), -25, exactly('bad-txns-inputs-missingorspent'))
  })

  it('of a coinbase must ripen for a hundred blocks', async () => {
    const hash = await bench.read<string>('/blocks/tip/hash')
    const [txid = ''] = await bench.read<string[]>(`/block/${hash}/txids`)
    const unsigned = new Transaction()
    unsigned.addInput(Buffer.from(txid, 'hex').reverse(), 0)
    unsigned.addOutput(PAYEE.output, 312_400_000n)
    const depth = (blocks: number) => exactly(`bad-txns-premature-spend-of-coinbase, tried to spend coinbase at depth ${blocks}`)
    await expectRefusal(unsigned.toHex(), -26, depth(1))
    await bench.mine(98)
    await expectRefusal(unsigned.toHex(), -26, depth(99))
    await bench.mine()
    // Ripe: now it is the signature that is missing.
    await expectRefusal(unsigned.toHex(), -26, scriptFault('Witness program was passed an empty witness'))
  })

  it('of a script that is not verified here can be received and not spent, with the reason', async () => {
    const redeem = { output: script.compile([0x51]) }
    const [p2wsh, p2sh] = [payments.p2wsh({ redeem }), payments.p2sh({ redeem })]
    const spend = async (address: string, unlock: (transaction: Transaction) => void) => {
      const coin = await bench.fund({ ...newWallet(), address }, 100_000n)
      const transaction = new Transaction()
      transaction.addInput(Buffer.from(coin.txid, 'hex').reverse(), coin.vout)
      transaction.addOutput(PAYEE.output, 99_000n)
      unlock(transaction)
      return transaction.toHex()
    }
    const byWitness = await spend(p2wsh.address as string, (transaction) => transaction.setWitness(0, [redeem.output]))
    await expectRefusal(
      byWitness,
      -26,
      scriptFault('a P2WSH output with another script than one key’s cannot be spent on the offline network'),
    )
    const byScript = await spend(p2sh.address as string, (transaction) =>
      transaction.setInputScript(0, script.compile([redeem.output])),
    )
    await expectRefusal(
      byScript,
      -26,
      scriptFault('a P2SH output with another redeem script than P2WPKH cannot be spent on the offline network'),
    )
    const taproot = payAll(await newCoin('p2tr'))
    const byPath = withWitness(taproot, [redeem.output, Uint8Array.from([0xc0, ...PAYEE.publicKey.slice(1)])])
    await expectRefusal(
      byPath.toHex(),
      -26,
      scriptFault('a P2TR output by its script path cannot be spent on the offline network'),
    )
  })
})

describe('what a transaction pays', () => {
  const data = (length: number) => ({ script: script.compile([0x6a, new Uint8Array(length).fill(7)]), value: 0n })
  const rest = { address: PAYEE.address, value: 90_000n }
  const dustTo = (kind: BitcoinWallet['kind'], value: bigint) =>
    paying([rest, { address: bitcoinWallet(kind, 'dust').address, value }])

  it.each<[string, (coin: Coin) => Transaction, number, RegExp]>([
    [
      'more than it spends',
      (coin) => Object.assign(payAll(coin), { outs: [{ script: PAYEE.output, value: coin.value + 1n }] }),
      -26,
      exactly('bad-txns-in-belowout, value in (0.001) < value out (0.00100001)'),
    ],
    ['less than 1 sat/vB to the miner', (coin) => payAll(coin, 109n), -26, exactly('min relay fee not met, 109 < 110')],
    ['nothing to the miner', (coin) => payAll(coin, 0n), -26, exactly('min relay fee not met, 0 < 110')],
    ['dust to P2WPKH', dustTo('p2wpkh', 293n), -26, exactly('dust')],
    ['dust to P2TR', dustTo('p2tr', 329n), -26, exactly('dust')],
    ['dust to P2PKH', dustTo('p2pkh', 545n), -26, exactly('dust')],
    ['dust to P2SH', dustTo('p2sh-p2wpkh', 539n), -26, exactly('dust')],
    ['no output of a known kind', paying([{ script: Uint8Array.of(0x51), value: 99_000n }]), -26, exactly('scriptpubkey')],
    ['a memo beyond 80 bytes', paying([rest, data(81)]), -26, exactly('scriptpubkey')],
    ['two memos', paying([rest, data(5), data(6)]), -26, exactly('multi-op-return')],
    ['money to a memo', paying([rest, { ...data(5), value: 1_000n }]), -25, /maxburnamount/],
  ])('must not be %s', async (_, build, code, message) => {
    const coin = await newCoin()
    await expectRefusal(build(coin).toHex(), code, message)
    expect((await bench.send(payAll(coin, 110n).toHex())).status).toBe(200)
  })

  it('may be exactly the limits', async () => {
    const least = (kind: BitcoinWallet['kind'], value: bigint) => ({ address: bitcoinWallet(kind, 'least').address, value })
    const withMemo = [rest, least('p2wpkh', 294n), data(80)]
    expect((await bench.send(payment([await newCoin()], withMemo).toHex())).status).toBe(200)
    const others = [rest, least('p2tr', 330n), least('p2pkh', 546n), least('p2sh-p2wpkh', 540n)]
    expect((await bench.send(payment([await newCoin()], others).toHex())).status).toBe(200)
  })

  it('must not be a fee beyond 10,000 sat/vB', async () => {
    const coin = await newCoin('p2wpkh', 10_000_000n)
    await expectRefusal(payAll(coin, 1_100_001n).toHex(), -25, /^Fee exceeds maximum configured by user/)
    expect((await bench.send(payAll(coin, 1_100_000n).toHex())).status).toBe(200)
  })
})

describe('a text', () => {
  it.each<[string, (good: Transaction) => string]>([
    ['no hex', () => 'hello'],
    ['nothing', () => ''],
    ['half a transaction', (good) => good.toHex().slice(0, 100)],
    ['a transaction and more', (good) => `${good.toHex()}00`],
    ['a transaction without inputs', (good) => Object.assign(good.clone(), { ins: [] }).toHex()],
    ['an odd number of digits', (good) => good.toHex().slice(1)],
    ['a transaction with a count spelled too long', (good) => good.toHex().replace(/^(020000000001)01/, '$1fd0100')],
  ])('that is %s is not decoded', async (_, textOf) => {
    const good = payAll(await newCoin())
    await expectRefusal(textOf(good), -22, exactly('TX decode failed. Make sure the tx has at least one input.'))
    expect((await bench.send(good.toHex())).status).toBe(200)
  })

  const withInput = (change: Partial<Transaction['ins'][number]>) => (good: Transaction) =>
    Object.assign(good.clone(), { ins: good.ins.map((input) => ({ ...input, ...change })) })

  it.each<[string, (good: Transaction) => Transaction, RegExp]>([
    ['has no output', (good) => Object.assign(good.clone(), { outs: [] }), exactly('bad-txns-vout-empty')],
    [
      'spends a coin twice',
      (good) => Object.assign(good.clone(), { ins: [...good.ins, ...good.ins] }),
      exactly('bad-txns-inputs-duplicate'),
    ],
    [
      'creates more than 21 million',
      (good) => Object.assign(good.clone(), { outs: [...good.outs, { script: PAYEE.output, value: 21n * 10n ** 14n }] }),
      exactly('bad-txns-txouttotal-toolarge'),
    ],
    ['is a coinbase', withInput({ hash: new Uint8Array(32) }), exactly('coinbase')],
    ['is of version 3', (good) => Object.assign(good.clone(), { version: 3 }), exactly('version')],
    ['is too large', withInput({ witness: [new Uint8Array(400_000)] }), exactly('tx-size')],
    ['runs code in its input', withInput({ script: Uint8Array.of(0x76) }), exactly('scriptsig-not-pushonly')],
  ])('of a transaction that %s is refused', async (_, change, message) => {
    const good = payAll(await newCoin())
    await expectRefusal(change(Transaction.fromHex(good.toHex())).toHex(), -26, message)
  })

  it('that was taken before is answered by its txid while it waits, and refused once it is confirmed', async () => {
    const good = payAll(await newCoin('p2tr'))
    const answer = { status: 200, text: good.getId() }
    expect(await bench.send(good.toHex())).toEqual(answer)
    expect(await bench.send(good.toHex().toUpperCase())).toEqual(answer)
    await bench.mine()
    await expectRefusal(good.toHex(), -27, exactly('Transaction outputs already in utxo set'))
  })

  it('of the same transaction with another witness is refused', async () => {
    const coin = await newCoin('p2tr')
    // Schnorr signatures may differ for one message: every call draws fresh randomness.
    const [first, second] = [payAll(coin), payAll(coin)]
    expect(first.getId()).toBe(second.getId())
    expect(first.toHex()).not.toBe(second.toHex())
    expect((await bench.send(first.toHex())).status).toBe(200)
    await expectRefusal(second.toHex(), -26, exactly('txn-same-nonwitness-data-in-mempool'))
  })
})

describe('a lock', () => {
  const locked = async (lockTime: number, sequence = 0xffff_fffe) => {
    const coin = await newCoin()
    return payment([coin], [{ address: PAYEE.address, value: 99_000n }], { lockTime, sequence })
  }
  const height = async () => Number(await bench.read('/blocks/tip/height'))

  it('by height holds until the block before it, unless every input is final', async () => {
    const transaction = await locked((await height()) + 3)
    await expectRefusal(transaction.toHex(), -26, exactly('non-final'))
    await bench.mine(1)
    await expectRefusal(transaction.toHex(), -26, exactly('non-final'))
    await bench.mine(1)
    expect((await bench.send(transaction.toHex())).status).toBe(200)
    expect((await bench.send((await locked((await height()) + 1_000, UNLOCKABLE)).toHex())).status).toBe(200)
  })

  it('by time holds until the median of the last blocks is past it', async () => {
    const seconds = Math.floor(bench.clock.now() / 1_000) + 1_800
    const transaction = await locked(seconds)
    await expectRefusal(transaction.toHex(), -26, exactly('non-final'))
    await bench.control('/clock', { advanceMs: 1_800_000 })
    await expectRefusal(transaction.toHex(), -26, exactly('non-final'))
    await bench.control('/clock', { advanceMs: 3_600_000 })
    expect((await bench.send(transaction.toHex())).status).toBe(200)
    expect(bench.clock.now()).toBeGreaterThan(START_AT)
  })

  it('relative to the coin holds as many blocks, or as much time, for transactions of version 2', async () => {
    const coin = await newCoin()
    const spending = (sequence: number, version = 2) =>
      payment([coin], [{ address: PAYEE.address, value: 99_000n }], { sequence, version }).toHex()
    await expectRefusal(spending(2), -26, exactly('non-BIP68-final'))
    await expectRefusal(spending(0x0040_0003), -26, exactly('non-BIP68-final'))
    await bench.mine()
    expect((await bench.send(spending(2))).status).toBe(200)
    await bench.control('/reorg', { chainId: -1, drop: 'unconfirmed' })
    await bench.control('/clock', { advanceMs: 20 * 600_000 })
    expect((await bench.send(spending(0x0040_0003))).status).toBe(200)
    const other = await newCoin()
    const early = payment([other], [{ address: PAYEE.address, value: 99_000n }], { sequence: 500, version: 1 })
    expect((await bench.send(early.toHex())).status).toBe(200)
  })
})
