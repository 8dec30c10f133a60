import { afterEach, describe, expect, it } from 'vitest'
import {
  COMPUTE_BUDGET_PROGRAM,
  decodeSolanaTransaction,
  packSolanaTransaction,
} from '../../../engine/chains/solana/solanaCodec.ts'
import type { SendOutcome, SolanaRefusal } from '../../../engine/chains/solana/solanaTransactions.ts'
import { chainFails } from '../../support/fakeChains.ts'
import { type FakeSolana, finalAt, landed, solanaFails, unseen } from '../../support/fakeSolana.ts'
import { addressFor, statusOf } from '../../support/fakeVenue.ts'
import {
  execute,
  isOver,
  LAST_HEIGHT,
  order,
  type StageChange,
  type SubmitStage,
  sign,
  signer,
  startSubmitStage,
  status,
  submit,
} from '../../support/submitStage.ts'
import { refusalOf } from '../../support/testEngine.ts'

/** Two processes, a node that is behind or forgets, a wallet that does not wait: nobody may be led to pay twice. */

const BLOCKHASH_GONE: SolanaRefusal = { reason: 'blockhashExpired', error: 'BlockhashNotFound' }
const TOO_POOR: SolanaRefusal = { reason: 'insufficientFunds', error: 'InsufficientFundsForFee' }
const refused = (refusal: SolanaRefusal): SendOutcome => ({ isAccepted: false, refusal, mayBeSent: false })
const ACCEPTED: SendOutcome = { isAccepted: true }

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const start = async (change: StageChange = {}): Promise<SubmitStage> => {
  const stage = await startSubmitStage(change)
  if (!change.store) closers.push(() => stage.close())
  return stage
}

/** A send that waits to be told how it ends. */
const heldSend = () => {
  const { promise: outcome, resolve: end } = Promise.withResolvers<SendOutcome>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const send: FakeSolana['send'] = () => {
    begin()
    return outcome
  }
  return { send, begun, end }
}

describe('two processes that are posted the same transaction [broadcast-no-early-reject]', () => {
  it('never say that another may be signed of one that the other process got accepted', async () => {
    const one = await start()
    const other = await start({ store: one.store })
    const signed = await sign(one)
    const held = heldSend()
    one.solana.script.send = held.send
    const first = submit(one, signed)
    await held.begun
    expect(await submit(other, signed)).toEqual({ txHash: signed.txHash })
    held.end(refused(TOO_POOR))
    expect(await first).toEqual({ txHash: signed.txHash })
    expect(await submit(other, signed)).toEqual({ txHash: signed.txHash })
    expect(other.solana.sent()).toHaveLength(1)
  })

  it('never say so while the other process may yet get it accepted', async () => {
    const one = await start()
    const other = await start({ store: one.store })
    const signed = await sign(one)
    const [held, heldToo] = [heldSend(), heldSend()]
    one.solana.script.send = held.send
    other.solana.script.send = heldToo.send
    const first = submit(one, signed)
    await held.begun
    const second = submit(other, signed)
    await heldToo.begun
    held.end(refused(TOO_POOR))
    await refusalOf(first, 'BUILD_FAILED')
    heldToo.end(ACCEPTED)
    expect(await second).toEqual({ txHash: signed.txHash })
  })
})

describe('a transaction that landed', () => {
  it('is found though the wallet sent it by itself and its blockhash is over', async () => {
    const stage = await start()
    const signed = await sign(stage)
    stage.solana.script.send = async () => refused(BLOCKHASH_GONE)
    stage.solana.script.landing = (txHash, signal) => (txHash === signed.txHash ? landed('succeeded') : unseen())(txHash, signal)
    expect(await submit(stage, signed)).toEqual({ txHash: signed.txHash })
  })

  it('is not denied while nobody can say whether it did', async () => {
    const stage = await start()
    const signed = await sign(stage)
    stage.solana.script.send = async () => refused(BLOCKHASH_GONE)
    stage.solana.script.landing = solanaFails()
    await refusalOf(submit(stage, signed), 'BUILD_FAILED')
  })

  it('is not forgotten when the nodes have dropped their history', async () => {
    const stage = await start()
    const signed = await sign(stage)
    await submit(stage, signed)
    stage.solana.script.landing = landed('succeeded')
    await status(stage, signed)
    stage.solana.script.landing = unseen()
    isOver(stage)
    expect(await submit(stage, signed)).toEqual({ txHash: signed.txHash })
  })
})

const A_DAY_OF_BLOCKS = 216_000

describe('nodes that keep no history', () => {
  it('are not believed that an old transaction is nowhere, unless they can look up its time', async () => {
    const stage = await start()
    const signed = await sign(stage)
    stage.solana.script.send = solanaFails()
    await refusalOf(submit(stage, signed), 'BUILD_FAILED')
    const height = LAST_HEIGHT + A_DAY_OF_BLOCKS
    stage.solana.script.finality = finalAt(height)
    const { slot } = await stage.solana.script.finality(AbortSignal.timeout(1_000))
    for (const firstSlot of [async () => slot - A_DAY_OF_BLOCKS, solanaFails()]) {
      stage.solana.script.firstSlot = firstSlot
      await refusalOf(submit(stage, signed), 'BUILD_FAILED')
    }
    stage.solana.script.firstSlot = async () => slot - 3 * A_DAY_OF_BLOCKS
    await refusalOf(submit(stage, signed), 'ORDER_REJECTED')
  })

  it('do not unsay what was accepted', async () => {
    const stage = await start()
    const signed = await sign(stage)
    await submit(stage, signed)
    stage.solana.script.finality = finalAt(LAST_HEIGHT + A_DAY_OF_BLOCKS)
    stage.solana.script.firstSlot = async () => LAST_HEIGHT + A_DAY_OF_BLOCKS
    expect(await submit(stage, signed)).toEqual({ txHash: signed.txHash })
    stage.venue.script.track = async () => statusOf('not_found')
    expect(await status(stage, signed)).toMatchObject({ state: 'pending' })
  })
})

describe('a node that is behind [broadcast-no-early-reject]', () => {
  it('cannot make a blockhash seem over: what it says of the last height is given as long again', async () => {
    const stage = await start()
    const signed = await sign(stage)
    stage.solana.script.send = solanaFails()
    await refusalOf(submit(stage, signed), 'BUILD_FAILED')
    stage.solana.script.finality = finalAt(LAST_HEIGHT + 150)
    await refusalOf(submit(stage, signed), 'BUILD_FAILED')
    isOver(stage)
    await refusalOf(submit(stage, signed), 'ORDER_REJECTED')
  })

  it('cannot make a transaction seem lost: it must have come as far as what is final', async () => {
    const stage = await start()
    const signed = await sign(stage)
    stage.solana.script.send = solanaFails()
    await refusalOf(submit(stage, signed), 'BUILD_FAILED')
    isOver(stage)
    const { slot } = await stage.solana.script.finality(AbortSignal.timeout(1_000))
    stage.solana.script.landing = unseen(slot - 1)
    await refusalOf(submit(stage, signed), 'BUILD_FAILED')
    stage.solana.script.landing = unseen(slot)
    await refusalOf(submit(stage, signed), 'ORDER_REJECTED')
  })

  it('cannot have a quote paid twice by calling the blockhash of the first transaction over', async () => {
    const stage = await start()
    const first = await sign(stage)
    stage.solana.script.isBlockhashValid = async () => false
    const fresh = await sign(stage, first.quoted)
    expect(fresh.txHash).not.toBe(first.txHash)
    await submit(stage, first)
    const { details } = await refusalOf(submit(stage, fresh), 'INVALID_REQUEST')
    expect(details).toMatchObject({ txHash: first.txHash })
    expect(stage.solana.sent()).toEqual([first.body.signedTransaction])
    isOver(stage)
    expect(await submit(stage, fresh)).toEqual({ txHash: fresh.txHash })
    const { details: late } = await refusalOf(submit(stage, first), 'ORDER_REJECTED')
    expect(late).toMatchObject({ reason: 'blockhashExpired' })
  })
})

describe('a quote executed for two recipients', () => {
  it('is two swaps: both may be paid', async () => {
    const stage = await start()
    const first = await sign(stage)
    const { engine, context } = stage
    const destinationAddress = addressFor('evm', 'another recipient')
    const other = await engine.execute({ quoteToken: first.quoted, destinationAddress, refundAddress: null }, context)
    if (other.payload.executionType !== 'TRANSACTION' || !other.submission) throw new Error('nothing to submit')
    const signedTransaction = signer.sign(other.payload.transaction.serialized ?? '')
    const body = { quoteToken: other.submission.quoteToken, signedTransaction }
    expect(await submit(stage, first)).toEqual({ txHash: first.txHash })
    expect((await submit(stage, { body })).txHash).not.toBe(first.txHash)
    expect(stage.solana.sent()).toEqual([first.body.signedTransaction, signedTransaction])
  })
})

const TABLE = addressFor('solana', 'table')
const VAULT = addressFor('solana', 'vault')

/** Has the venue hand out a payment that names an account by a lookup table. Gives it as a wallet changes it, unsigned. */
const withLookupTable = async (stage: SubmitStage): Promise<string> => {
  const { quoteToken } = await stage.engine.quote(order, stage.context)
  const { payload } = await execute(stage, quoteToken)
  if (payload.executionType !== 'TRANSACTION') throw new Error(payload.executionType)
  const plain = await decodeSolanaTransaction(payload.transaction.serialized ?? '')
  if (!plain) throw new Error('no transaction')
  const { feePayer, recentBlockhash } = plain
  const instructions = plain.instructions.map(({ programId, data }) => ({
    programId,
    data,
    accounts: [{ address: feePayer, isSigner: true }, { address: VAULT }],
  }))
  const raise = { programId: COMPUTE_BUDGET_PROGRAM, accounts: [], data: Uint8Array.of(2, 64, 13, 3, 0) }
  const pack = (list: typeof instructions) =>
    packSolanaTransaction({ feePayer, recentBlockhash, instructions: list }, new Map([[TABLE, [VAULT]]]))
  const [data, changed] = await Promise.all([pack(instructions), pack([raise, ...instructions])])
  if (data === null || changed === null) throw new Error('too long')
  stage.venue.script.alter = (execution) => {
    const { payload: built } = execution
    if (built.executionType !== 'TRANSACTION') throw new Error(built.executionType)
    return { ...execution, payload: { ...built, transaction: { ...built.transaction, data, serialized: data } } }
  }
  return changed
}

describe('a payment that names accounts by a lookup table', () => {
  it('is sent as it was handed out without the table being read', async () => {
    const stage = await start()
    await withLookupTable(stage)
    const signed = await sign(stage)
    stage.chains.script.lookupTable = () => chainFails('unreachable', -2)()
    expect(await submit(stage, signed)).toEqual({ txHash: signed.txHash })
  })

  it('is found again after its table was closed, also when the wallet had changed it', async () => {
    const stage = await start()
    const changed = await withLookupTable(stage)
    stage.chains.script.lookupTable = async () => [VAULT]
    const signed = await sign(stage, undefined, () => signer.sign(changed))
    expect(await submit(stage, signed)).toEqual({ txHash: signed.txHash })
    stage.chains.script.lookupTable = async () => null
    expect(await submit(stage, signed)).toEqual({ txHash: signed.txHash })
  })
})

describe('what is no transaction of the swap', () => {
  it('is refused whichever byte of the signed one was changed, left out or added, and nothing is sent', async () => {
    const stage = await start()
    const { body } = await sign(stage)
    const wire = Buffer.from(body.signedTransaction, 'base64')
    const changed = [...wire.keys()].map((at) => wire.map((byte, index) => (index === at ? byte ^ 0x01 : byte)))
    const cut = [1, 2, 64, 65, 66, wire.length - 1].map((length) => wire.subarray(0, length))
    const texts = [...changed, ...cut, Buffer.concat([wire, wire]), Buffer.concat([wire, Buffer.alloc(2_000)])].map((bytes) =>
      Buffer.from(bytes).toString('base64'),
    )
    for (const signedTransaction of [...texts, '', '=', 'A'.repeat(8_192), '\0', `${body.signedTransaction}\n`])
      await refusalOf(submit(stage, { body: { ...body, signedTransaction } }), 'INVALID_REQUEST')
    expect(stage.solana.calls.filter(({ method }) => method !== 'simulate')).toEqual([])
    expect(await submit(stage, { body })).toHaveProperty('txHash')
  })
})
