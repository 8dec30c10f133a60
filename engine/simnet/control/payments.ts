import { parseAmount } from '../../core/amount.ts'
import { BITCOIN, type ChainId, isEvmChainId, SOLANA } from '../../core/chain.ts'
import { amount, integer, matching, text, type } from '../kit/fields.ts'
import { Refusal } from '../kit/refusal.ts'
import { addressOn, badField, type Control, type Controls, chainIdField, tokenOn, withFields } from './controls.ts'

/** The calls that change balances and chains. */

const anyText = text(1, 200)
const PAYMENT = { chainId: chainIdField, token: anyText, address: anyText, amount }

/** What a chain refuses: as the fault of a field where it is too much, else as a revert. */
const asRefusal = (error: unknown, field: string): unknown => {
  if (error instanceof Refusal) return error
  const reason = error instanceof Error ? error.message : String(error)
  return error instanceof RangeError ? badField(field, reason) : new Refusal(null, `reverted: ${reason}`, { status: 422 })
}

const refusing = async <T>(field: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw asRefusal(error, field)
  }
}

/** Adds to a balance. Venues do not see it: the faucet makes no payment. */
export const faucet = withFields(PAYMENT, {}, async (controls, { chainId, ...fields }) => {
  const { evm, solana, bitcoin } = controls
  const token = tokenOn(controls, chainId, fields.token)
  const holder = addressOn(chainId, fields.address)
  await refusing('amount', async () => {
    if (chainId === SOLANA) return solana.faucet(token, holder, fields.amount)
    if (chainId === BITCOIN) return bitcoin.faucet(holder, fields.amount)
    return evm.faucet({ chainId, token: token.address, holder, amount: fields.amount })
  })
  return { chainId, token: token.address, address: holder, amount: fields.amount.toString() }
})

/** Pays an address from the treasury, by a transaction on its chain. */
export const deposits = withFields(PAYMENT, {}, async (controls, { chainId, ...fields }) => {
  const { evm, solana, bitcoin, deliveries } = controls
  const { address: token } = tokenOn(controls, chainId, fields.token)
  const to = addressOn(chainId, fields.address)
  const payment = { token, to, amount: fields.amount }
  return refusing('amount', async () => {
    const pay = chainId === SOLANA ? solana.transfer(payment) : chainId === BITCOIN ? bitcoin.transfer(payment) : null
    const txHash = await (pay ?? evm.pay({ chainId, ...payment }))
    return (await deliveries.mined(chainId, txHash)) ?? { txHash, venue: null }
  })
})

const delivered = async ({ deliveries }: Controls, chainId: ChainId, txHash: string) => {
  const delivery = await deliveries.mined(chainId, txHash)
  if (!delivery) throw badField('txHash', `no successful transaction of chain ${chainId} has it`)
  return delivery
}

const anyHash = matching('a transaction hash', /^(?:(?:0x)?[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$/)
const weiField = type('a decimal text of smallest units', (value) => parseAmount(value) ?? undefined)

/** A transaction that is on its chain already. */
const namedTransaction = withFields({ chainId: chainIdField, txHash: anyHash }, {}, (controls, { chainId, txHash }) =>
  delivered(controls, chainId, txHash),
)

/** Broadcasts a signed transaction of Solana. */
const solanaTransaction = withFields(
  { chainId: chainIdField, data: matching('a transaction in base64', /^[A-Za-z0-9+/]+={0,2}$/) },
  {},
  async (controls, { data }) =>
    delivered(controls, SOLANA, String(await controls.solana.call('sendTransaction', [data, { encoding: 'base64' }]))),
)

/** Sends a transaction of an EVM chain as its sender, who pays the value; only the gas is free. */
const evmTransaction = withFields(
  {
    chainId: chainIdField,
    from: anyText,
    to: anyText,
    data: matching('calldata in hex', /^0x([0-9a-fA-F]{2})*$/),
    value: weiField,
  },
  {},
  async (controls, { chainId, data, value, ...sides }) => {
    const from = addressOn(chainId, sides.from, 'from')
    const call = { chainId, from, to: addressOn(chainId, sides.to, 'to'), data, value }
    // As a wallet would: a call that is going to revert is not sent.
    await controls.evm.call(call)
    return delivered(controls, chainId, (await controls.evm.land(call)).txHash)
  },
)

/** Broadcasts a transaction, or names one that is on its chain by its hash. */
export const transactions: Control = (controls, body, query) => {
  const { chainId, txHash } = (body ?? {}) as { readonly chainId?: unknown; readonly txHash?: unknown }
  if (chainId === BITCOIN && txHash === undefined)
    throw badField('chainId', 'a Bitcoin payment is a deposit, or sent to the chain itself')
  const run = txHash !== undefined ? namedTransaction : chainId === SOLANA ? solanaTransaction : evmTransaction
  return refusing('txHash', async () => run(controls, body, query))
}

/** Mines blocks of Bitcoin now. */
export const mine = withFields({ blocks: integer(1, 1_000) }, {}, ({ bitcoin }, { blocks }) => bitcoin.mine(blocks))

/**
 * Removes blocks of an EVM chain, the last `depth` or those from the transaction `drop` on, and puts empty ones in their
 * place; on Bitcoin a transaction, or all unconfirmed ones. Returns the removed transactions. Venues are not told.
 */
export const reorg = withFields(
  { chainId: chainIdField },
  { depth: integer(1, 10_000), drop: matching('the hash of a transaction', /^(?:unconfirmed|(?:0x)?[0-9a-fA-F]{64})$/) },
  async ({ evm, bitcoin }, { chainId, depth, drop }) => {
    if ((depth === undefined) === (drop === undefined)) throw badField('drop', 'or depth must be given, not both')
    if (chainId === BITCOIN) {
      if (drop === undefined) throw badField('drop', 'must be unconfirmed or the id of a transaction')
      const what = drop === 'unconfirmed' ? drop : { txid: drop.toLowerCase() }
      const dropped = await refusing('drop', () => bitcoin.reorg(what))
      if (!dropped) throw badField('drop', 'there is no such transaction')
      return { dropped }
    }
    if (!isEvmChainId(chainId)) throw badField('chainId', 'must be an EVM chain or Bitcoin')
    const wish = depth === undefined ? { txHash: drop ?? '' } : { depth }
    const undone = await refusing(depth === undefined ? 'drop' : 'depth', () => evm.reorg(chainId, wish))
    return { chainId, ...undone }
  },
)
