import { describe, expect, it } from 'vitest'
import {
  COMPUTE_BUDGET_PROGRAM,
  decodeSolanaTransaction,
  packSolanaTransaction,
} from '../../../engine/chains/solana/solanaCodec.ts'
import type { SendOutcome } from '../../../engine/chains/solana/solanaTransactions.ts'
import { chainFails } from '../../support/fakeChains.ts'
import { type FakeSolana, finalAt, landed, solanaFails, unseen } from '../../support/fakeSolana.ts'
import { addressFor, statusOf } from '../../support/fakeVenue.ts'
import {
  execute,
  isOver,
  LAST_HEIGHT,
  order,
  type SubmitStage,
  sign,
  signer,
  startSubmitStage,
  status,
  submit,
} from '../../support/submitStage.ts'
import { refusalOf } from '../../support/testEngine.ts'
import { closedAfterEach } from '../../support/venueKit/benches.ts'

const refused = (reason: 'blockhashExpired' | 'insufficientFunds'): SendOutcome => ({
  isAccepted: false,
  refusal: { reason, error: reason === 'blockhashExpired' ? 'BlockhashNotFound' : 'InsufficientFundsForFee' },
  mayBeSent: false,
})
const open = closedAfterEach(startSubmitStage)

/** A stage with a signed transaction, and what a post of it returns. */
const start = async () => {
  const stage = await open()
  const signed = await sign(stage)
  return {
    stage,
    signed,
    script: stage.solana.script,
    isSent: async (on: SubmitStage = stage) => expect(await submit(on, signed)).toEqual({ txHash: signed.txHash }),
    isUncertain: () => refusalOf(submit(stage, signed), 'BUILD_FAILED'),
    isRejected: () => refusalOf(submit(stage, signed), 'ORDER_REJECTED'),
  }
}

/** A send that waits for its outcome. */
const heldSend = () => {
  const { promise: outcome, resolve: end } = Promise.withResolvers<SendOutcome>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const send: FakeSolana['send'] = () => {
    begin()
    return outcome
  }
  return { send, begun, end }
}

describe('two processes that receive the same transaction [broadcast-no-early-reject]', () => {
  it('broadcast: a refusal in one process does not hide that the other got it accepted', async () => {
    const { stage, signed, script, isSent } = await start()
    const other = await startSubmitStage({ store: stage.store })
    const held = heldSend()
    script.send = held.send
    const first = submit(stage, signed)
    await held.begun
    await isSent(other)
    held.end(refused('insufficientFunds'))
    expect(await first).toEqual({ txHash: signed.txHash })
    await isSent(other)
    expect(other.solana.sent()).toHaveLength(1)
  })

  it('broadcast: a refusal in one process is uncertain while the other may get it accepted', async () => {
    const { stage, signed, script } = await start()
    const other = await startSubmitStage({ store: stage.store })
    const [held, heldToo] = [heldSend(), heldSend()]
    script.send = held.send
    other.solana.script.send = heldToo.send
    const first = submit(stage, signed)
    await held.begun
    const second = submit(other, signed)
    await heldToo.begun
    held.end(refused('insufficientFunds'))
    await refusalOf(first, 'BUILD_FAILED')
    heldToo.end({ isAccepted: true })
    expect(await second).toEqual({ txHash: signed.txHash })
  })
})

describe('nodes that lag or forget', () => {
  it('broadcast: a transaction of the wallet that landed is found although its blockhash has expired', async () => {
    const { signed, script, isSent } = await start()
    script.send = async () => refused('blockhashExpired')
    script.landing = (txHash, signal) => (txHash === signed.txHash ? landed('succeeded') : unseen())(txHash, signal)
    await isSent()
  })

  it('broadcast: an expired blockhash is uncertain while no node shows whether the transaction landed', async () => {
    const { script, isUncertain } = await start()
    script.send = async () => refused('blockhashExpired')
    script.landing = solanaFails()
    await isUncertain()
  })

  it('broadcast: a transaction that landed stays landed when the nodes drop their history', async () => {
    const { stage, signed, script, isSent } = await start()
    await isSent()
    script.landing = landed('succeeded')
    await status(stage, signed)
    script.landing = unseen()
    isOver(stage)
    await isSent()
  })

  const DAY_BLOCKS = 216_000
  it('broadcast: an old transaction is rejected only when the nodes keep the blocks of its lifetime', async () => {
    const { script, isUncertain, isRejected } = await start()
    script.send = solanaFails()
    await isUncertain()
    script.finality = finalAt(LAST_HEIGHT + DAY_BLOCKS)
    const { slot } = await script.finality(AbortSignal.timeout(1_000))
    for (const firstSlot of [async () => slot - DAY_BLOCKS, solanaFails()]) {
      script.firstSlot = firstSlot
      await isUncertain()
    }
    script.firstSlot = async () => slot - 3 * DAY_BLOCKS
    await isRejected()
  })

  it('broadcast: an accepted transaction stays accepted and pending when the nodes keep no history', async () => {
    const { stage, signed, script, isSent } = await start()
    await isSent()
    script.finality = finalAt(LAST_HEIGHT + DAY_BLOCKS)
    script.firstSlot = async () => LAST_HEIGHT + DAY_BLOCKS
    await isSent()
    stage.venue.script.track = async () => statusOf('not_found')
    expect(await status(stage, signed)).toMatchObject({ state: 'pending' })
  })

  it('broadcast: is rejected only 150 blocks after the last height, by a node that has reached finality', async () => {
    const { stage, script, isUncertain, isRejected } = await start()
    script.send = solanaFails()
    await isUncertain()
    script.finality = finalAt(LAST_HEIGHT + 150)
    await isUncertain()
    isOver(stage)
    const { slot } = await script.finality(AbortSignal.timeout(1_000))
    script.landing = unseen(slot - 1)
    await isUncertain()
    script.landing = unseen(slot)
    await isRejected()
  })

  it('broadcast: a lagging node cannot have a quote paid twice by calling the first blockhash expired', async () => {
    const { stage, signed: first, isSent } = await start()
    stage.solana.script.isBlockhashValid = async () => false
    const fresh = await sign(stage, first.quoted)
    expect(fresh.txHash).not.toBe(first.txHash)
    await isSent()
    expect((await refusalOf(submit(stage, fresh), 'INVALID_REQUEST')).details).toMatchObject({ txHash: first.txHash })
    expect(stage.solana.sent()).toEqual([first.body.signedTransaction])
    isOver(stage)
    expect(await submit(stage, fresh)).toEqual({ txHash: fresh.txHash })
    expect((await refusalOf(submit(stage, first), 'ORDER_REJECTED')).details).toMatchObject({ reason: 'blockhashExpired' })
  })
})

it('broadcast: a quote executed for two recipients is two swaps, and both may be paid', async () => {
  const { stage, signed, isSent } = await start()
  const destinationAddress = addressFor('evm', 'another recipient')
  const other = await stage.engine.execute({ quoteToken: signed.quoted, destinationAddress, refundAddress: null }, stage.context)
  if (other.payload.executionType !== 'TRANSACTION' || !other.submission) throw new Error('nothing to submit')
  const signedTransaction = signer.sign(other.payload.transaction.serialized ?? '')
  await isSent()
  const body = { quoteToken: other.submission.quoteToken, signedTransaction }
  expect((await submit(stage, { body })).txHash).not.toBe(signed.txHash)
  expect(stage.solana.sent()).toEqual([signed.body.signedTransaction, signedTransaction])
})

describe('a payment that names accounts by a lookup table', () => {
  const [TABLE, VAULT] = [addressFor('solana', 'table'), addressFor('solana', 'vault')]
  /** The venue builds such a payment from here on. Returns it as a wallet changes it, unsigned. */
  const withLookupTable = async (stage: SubmitStage): Promise<string> => {
    const { quoteToken } = await stage.engine.quote(order, stage.context)
    const { payload } = await execute(stage, quoteToken)
    if (payload.executionType !== 'TRANSACTION') throw new Error(payload.executionType)
    const plain = await decodeSolanaTransaction(payload.transaction.serialized ?? '')
    if (!plain) throw new Error('no transaction')
    const { feePayer, recentBlockhash } = plain
    const accounts = [{ address: feePayer, isSigner: true }, { address: VAULT }]
    const instructions = plain.instructions.map(({ programId, data }) => ({ programId, data, accounts }))
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

  it('broadcast: is sent unchanged without a read of the table', async () => {
    const stage = await open()
    await withLookupTable(stage)
    const signed = await sign(stage)
    stage.chains.script.lookupTable = () => chainFails('unreachable', -2)()
    expect(await submit(stage, signed)).toEqual({ txHash: signed.txHash })
  })

  it('broadcast: is found again after its table was closed, although the wallet changed it', async () => {
    const stage = await open()
    const changed = await withLookupTable(stage)
    stage.chains.script.lookupTable = async () => [VAULT]
    const signed = await sign(stage, undefined, () => signer.sign(changed))
    for (const table of [[VAULT], null]) {
      stage.chains.script.lookupTable = async () => table
      expect(await submit(stage, signed)).toEqual({ txHash: signed.txHash })
    }
  })
})

it('broadcast: a signed transaction with any byte changed, removed or added is rejected, and nothing is sent', async () => {
  const { stage, signed, isSent } = await start()
  const { body } = signed
  const wire = Buffer.from(body.signedTransaction, 'base64')
  const changed = [...wire.keys()].map((at) => wire.map((byte, index) => (index === at ? byte ^ 0x01 : byte)))
  const cut = [1, 2, 64, 65, 66, wire.length - 1].map((length) => wire.subarray(0, length))
  const texts = [...changed, ...cut, Buffer.concat([wire, wire]), Buffer.concat([wire, Buffer.alloc(2_000)])].map((bytes) =>
    Buffer.from(bytes).toString('base64'),
  )
  for (const signedTransaction of [...texts, '', '=', 'A'.repeat(8_192), '\0', `${body.signedTransaction}\n`])
    await refusalOf(submit(stage, { body: { ...body, signedTransaction } }), 'INVALID_REQUEST')
  expect(stage.solana.calls.filter(({ method }) => method !== 'simulate')).toEqual([])
  await isSent()
})
