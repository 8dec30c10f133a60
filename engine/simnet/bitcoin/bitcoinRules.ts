import { pushesOf, scriptTypeOf } from '../../chains/bitcoin/bitcoinScripts.ts'
import type { BitcoinCodec, BitcoinOutput, BitcoinTransaction } from './bitcoinCodec.ts'
import { BitcoinRefusal, RPC } from './bitcoinRefusal.ts'

/** An output a transaction wants to spend. */
export type Coin = BitcoinOutput & {
  readonly isCoinbase: boolean
  /** Of its block; null in the mempool. */
  readonly height: number | null
  /** Median time past, unix seconds, of the block before its own: where relative locks by time start. */
  readonly timeBefore: number
  /** The unconfirmed transaction that spends it already. */
  readonly takenBy: string | null
}

/** What the rules must know of the chain. */
export type RulesView = {
  /** Null for an output that never was, or was spent in a block. */
  coin(txid: string, vout: number): Coin | null
  readonly nextHeight: number
  /** Median time past of the tip, unix seconds. */
  readonly medianTime: number
}

/** What a transaction that may be taken spends and pays. */
export type Admission = { readonly spent: readonly BitcoinOutput[]; readonly fee: bigint }

export const COIN = 100_000_000n
const MONEY_MAX = 21_000_000n * COIN
const BLOCK_WEIGHT_MAX = 4_000_000
export const COINBASE_MATURITY = 100

/** Bitcoin Core's standardness. https://github.com/bitcoin/bitcoin/blob/master/src/policy/policy.h */
const STANDARD_WEIGHT_MAX = 400_000
const STRIPPED_SIZE_MIN = 65
const SCRIPT_SIG_MAX = 1_650
const DATA_SCRIPT_MAX = 83
const DUST_RATE = 3n
const FEE_RATE_MAX = 10_000n

const FINAL_SEQUENCE = 0xffff_ffff
const LOCK_TIME_THRESHOLD = 500_000_000

/** BIP68. https://github.com/bitcoin/bips/blob/master/bip-0068.mediawiki */
const SEQUENCE = { disabled: 0x8000_0000, isTime: 0x0040_0000, mask: 0xffff, granularity: 9 } as const

const STANDARD_OUTPUTS: readonly string[] = ['p2pkh', 'p2sh', 'v0_p2wpkh', 'v0_p2wsh', 'v1_p2tr', 'op_return']

const refuse = (message: string, code: number = RPC.rejected): never => {
  throw new BitcoinRefusal(code, message)
}

const sumOf = (outputs: readonly BitcoinOutput[]): bigint => outputs.reduce((total, { value }) => total + value, 0n)

const inBitcoin = (satoshi: bigint): string => {
  const fraction = (satoshi % COIN)
    .toString()
    .padStart(8, '0')
    .replace(/(?<!0)0+$/, '')
  return `${satoshi / COIN}.${fraction.padEnd(2, '0')}`
}

/** Bitcoin Core's GetDustThreshold: what it would cost at three times the least rate to spend the output. */
export const dustLimit = (script: Uint8Array): bigint => {
  const type = scriptTypeOf(script)
  if (type === 'op_return') return 0n
  const spending = type.startsWith('v') ? 67 : 148
  return BigInt(9 + script.length + spending) * DUST_RATE
}

/** The rules every block keeps, as far as the transaction alone shows. */
const checkForm = ({ inputs, outputs, strippedSize }: BitcoinTransaction): void => {
  if (inputs.length === 0) refuse('bad-txns-vin-empty')
  if (outputs.length === 0) refuse('bad-txns-vout-empty')
  if (strippedSize * 4 > BLOCK_WEIGHT_MAX) refuse('bad-txns-oversize')
  if (outputs.some(({ value }) => value < 0n)) refuse('bad-txns-vout-negative')
  if (outputs.some(({ value }) => value > MONEY_MAX)) refuse('bad-txns-vout-toolarge')
  if (sumOf(outputs) > MONEY_MAX) refuse('bad-txns-txouttotal-toolarge')
  const outpoints = inputs.map(({ txid, vout }) => `${txid}:${vout}`)
  if (new Set(outpoints).size < outpoints.length) refuse('bad-txns-inputs-duplicate')
  if (inputs.some(({ txid }) => /^0{64}$/.test(txid))) refuse(inputs.length === 1 ? 'coinbase' : 'bad-txns-prevout-null')
}

const checkStandard = ({ version, inputs, outputs, weight, strippedSize }: BitcoinTransaction): void => {
  // Version 3 is standard too, but comes with rules for its relatives that are not kept here.
  if (version !== 1 && version !== 2) refuse('version')
  if (weight > STANDARD_WEIGHT_MAX) refuse('tx-size')
  if (inputs.some(({ scriptSig }) => scriptSig.length > SCRIPT_SIG_MAX)) refuse('scriptsig-size')
  if (inputs.some(({ scriptSig }) => pushesOf(scriptSig) === null)) refuse('scriptsig-not-pushonly')
  const isCarrier = ({ script }: BitcoinOutput) => scriptTypeOf(script) === 'op_return'
  const isStandard = ({ script }: BitcoinOutput) =>
    STANDARD_OUTPUTS.includes(scriptTypeOf(script)) &&
    (scriptTypeOf(script) !== 'op_return' || (script.length <= DATA_SCRIPT_MAX && pushesOf(script.slice(1)) !== null))
  if (!outputs.every(isStandard)) refuse('scriptpubkey')
  if (outputs.some(({ script, value }) => value < dustLimit(script))) refuse('dust')
  if (outputs.filter(isCarrier).length > 1) refuse('multi-op-return')
  if (strippedSize < STRIPPED_SIZE_MIN) refuse('tx-size-small')
  if (outputs.some((output) => isCarrier(output) && output.value > 0n))
    refuse('Unspendable output exceeds maximum configured by user (maxburnamount)', RPC.invalid)
}

const isFinal = ({ lockTime, inputs }: BitcoinTransaction, { nextHeight, medianTime }: RulesView): boolean =>
  lockTime < (lockTime < LOCK_TIME_THRESHOLD ? nextHeight : medianTime) ||
  inputs.every(({ sequence }) => sequence === FINAL_SEQUENCE)

const isRipe = (sequence: number, coin: Coin, { nextHeight, medianTime }: RulesView): boolean => {
  if (sequence >= SEQUENCE.disabled) return true
  const lock = sequence & SEQUENCE.mask
  return (sequence & SEQUENCE.isTime) === 0
    ? nextHeight >= (coin.height ?? nextHeight) + lock
    : medianTime >= coin.timeBefore + lock * 2 ** SEQUENCE.granularity
}

const checkMaturity = (coins: readonly Coin[], { nextHeight }: RulesView): void => {
  for (const { isCoinbase, height } of coins) {
    const depth = nextHeight - (height ?? nextHeight)
    if (isCoinbase && depth < COINBASE_MATURITY)
      refuse(`bad-txns-premature-spend-of-coinbase, tried to spend coinbase at depth ${depth}`)
  }
}

const coinsOf = ({ inputs }: BitcoinTransaction, view: RulesView): readonly Coin[] =>
  inputs.map(({ txid, vout }) => {
    const coin = view.coin(txid, vout) ?? refuse('bad-txns-inputs-missingorspent', RPC.invalid)
    return coin.takenBy === null ? coin : refuse('txn-mempool-conflict')
  })

const feeOf = ({ outputs }: BitcoinTransaction, coins: readonly Coin[]): bigint => {
  const [given, taken] = [sumOf(coins), sumOf(outputs)]
  if (given < taken) refuse(`bad-txns-in-belowout, value in (${inBitcoin(given)}) < value out (${inBitcoin(taken)})`)
  return given - taken
}

const checkFee = (fee: bigint, { vsize }: BitcoinTransaction): void => {
  if (fee < BigInt(vsize)) refuse(`min relay fee not met, ${fee} < ${vsize}`)
  if (fee > BigInt(vsize) * FEE_RATE_MAX)
    refuse('Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)', RPC.invalid)
}

const checkScripts = (transaction: BitcoinTransaction, coins: readonly Coin[], codec: BitcoinCodec): void => {
  transaction.inputs.forEach(({ txid, vout }, index) => {
    const fault = codec.spendFault(transaction, index, coins)
    if (fault === null) return
    const where = `input ${index} of ${transaction.txid} (wtxid ${transaction.wtxid}), spending ${txid}:${vout}`
    refuse(`mempool-script-verify-flag-failed (${fault}), ${where}`)
  })
}

/**
 * Holds a transaction against the rules of Bitcoin, and unless a miner puts it into a block himself against what nodes
 * relay; in the order of Bitcoin Core. Replacing an unconfirmed transaction by another (BIP125) is not possible here:
 * whichever came first stays. Throws BitcoinRefusal.
 */
export const admit = (
  transaction: BitcoinTransaction,
  view: RulesView,
  { codec, isRelayed }: { readonly codec: BitcoinCodec; readonly isRelayed: boolean },
): Admission => {
  checkForm(transaction)
  if (isRelayed) checkStandard(transaction)
  if (!isFinal(transaction, view)) refuse('non-final')
  const coins = coinsOf(transaction, view)
  const hasRelativeLocks = transaction.version >= 2
  const areRipe = transaction.inputs.every(({ sequence }, index) => {
    const coin = coins[index]
    return !hasRelativeLocks || !coin || isRipe(sequence, coin, view)
  })
  if (!areRipe) refuse('non-BIP68-final')
  checkMaturity(coins, view)
  const fee = feeOf(transaction, coins)
  if (isRelayed) checkFee(fee, transaction)
  checkScripts(transaction, coins, codec)
  return { spent: coins.map(({ value, script }) => ({ value, script })), fee }
}
