import { setImmediate } from 'node:timers'
import { type EvmChainId, isEvmChainId } from '../../core/chain.ts'
import type { Clock } from '../../core/clock.ts'
import type { Hex } from '../../core/execution.ts'
import { deadline, untilAborted } from '../../net/deadline.ts'
import { pause } from '../../net/pause.ts'
import { ChainError } from '../chains.ts'
import { EndpointError } from '../endpoints/endpoints.ts'
import { AnswerTooLarge, CallReverted } from '../endpoints/jsonRpc.ts'
import type { EvmCall, EvmRpc } from './evmReads.ts'
import { decodeAggregate3, encodeAggregate3, MULTICALL3_ADDRESSES } from './multicall3.ts'

/** Nodes bound the gas of a call, which the calls of a batch share. */
const CALLS_MAX = 100
/** Ms without batches on a chain after a useless one. Not for good: a hostile contract may have been the cause. */
const WITHOUT_MS = 60_000

/** The part of the time a batch may take alone. More than half: by then the second of two endpoints has been asked. */
const PATIENCE = 2 / 3

type Answers = readonly (Hex | null)[]

type Waiting = {
  readonly contract: Parameters<EvmCall>[0]
  readonly data: Hex
  readonly signal: AbortSignal
  resolve(data: Hex | null): void
  reject(error: unknown): void
}

const left = (chainId: EvmChainId): ChainError => new ChainError('timeout', chainId, `chain ${chainId}: cut by the caller`)

const isRefusal = (error: unknown): boolean =>
  error instanceof ChainError && error.cause instanceof EndpointError && error.cause.failure === 'refused'

type Parts = { readonly alone: EvmCall; readonly rpc: EvmRpc; readonly clock: Clock; readonly deadlineMs: number }

/** Makes the calls of one chain as one. Empty without a useful result, which is remembered for a while. */
const createAskTogether = ({ rpc, clock }: Parts) => {
  const withoutUntil = new Map<EvmChainId, number>()

  const ask = async (chainId: EvmChainId, items: readonly Waiting[], signal: AbortSignal): Promise<Answers> => {
    const data = encodeAggregate3(items.map((item) => ({ target: item.contract.address, data: item.data })))
    const call = [{ to: MULTICALL3_ADDRESSES[chainId], data }, 'latest']
    try {
      const answers = decodeAggregate3(await rpc(chainId).call('eth_call', call, signal), items.length)
      if (answers) return answers
    } catch (error) {
      // One contract answered without end; the chain's Multicall3 is as good as ever.
      if (error instanceof AnswerTooLarge) return []
      if (!(error instanceof CallReverted) && !isRefusal(error)) throw error
    }
    withoutUntil.set(chainId, clock.now() + WITHOUT_MS)
    return []
  }

  return { ask, isUsable: (chainId: EvmChainId): boolean => clock.now() >= (withoutUntil.get(chainId) ?? 0) }
}

/**
 * Calls to contracts of one chain that are made in the same turn go to the node as one, through Multicall3. A call that fails or
 * returns nothing in the batch is repeated by itself. So are all calls once most of the time has passed without the batch. A
 * neighbour that uses all the gas, or never ends, costs the others only time. Each caller leaves at its own signal. A lone call
 * stays as it is, and so does one with a sender: in a batch the sender is Multicall3.
 */
export const createBatchedEvmCall = (parts: Parts): EvmCall => {
  const { alone, deadlineMs } = parts
  const together = createAskTogether(parts)
  const waiting = new Map<EvmChainId, Waiting[]>()

  const answerBatch = async (chainId: EvmChainId, items: readonly Waiting[]): Promise<void> => {
    const over = new AbortController()
    const limit = deadline(deadlineMs, over.signal)
    // Under its own deadline and not under the limit, which would look like a caller who left.
    const asked = together.ask(chainId, items, over.signal)
    const impatience = pause(deadlineMs * PATIENCE, over.signal).then(() => null)

    const answerOf = async ({ contract, data, signal }: Waiting, index: number): Promise<Hex | null> => {
      const own = asked.then((answers) => answers[index] ?? null)
      const early = await Promise.race([own, impatience])
      if (early !== null) return early
      const single = alone(contract, data, AbortSignal.any([signal, limit.signal]))
      const inEnd = own.then((answer) => answer ?? single)
      // The result of the batch is more informative than a lack of time for the single call.
      return Promise.any([single, inEnd]).catch(() => inEnd)
    }

    await Promise.all(
      items.map((item, index) => {
        const toTell = (error: unknown) => item.reject(item.signal.aborted ? left(chainId) : error)
        return untilAborted(answerOf(item, index), item.signal).then(item.resolve, toTell)
      }),
    )
    over.abort()
    limit.clear()
  }

  const flush = (chainId: EvmChainId): void => {
    const items = waiting.get(chainId) ?? []
    waiting.delete(chainId)
    for (const { reject } of items.filter(({ signal }) => signal.aborted)) reject(left(chainId))
    const present = items.filter(({ signal }) => !signal.aborted)
    for (let at = 0; at < present.length; at += CALLS_MAX) {
      const batch = present.slice(at, at + CALLS_MAX)
      const [first] = batch
      if (first && batch.length === 1) alone(first.contract, first.data, first.signal).then(first.resolve, first.reject)
      else void answerBatch(chainId, batch)
    }
  }

  return (contract, data, signal, from) => {
    const { chainId } = contract
    if (from || !isEvmChainId(chainId) || !together.isUsable(chainId)) return alone(contract, data, signal, from)
    return new Promise((resolve, reject) => {
      const queue = waiting.get(chainId) ?? []
      // Everything a request starts is started in one turn of the event loop, though not in one go.
      if (queue.length === 0) setImmediate(() => flush(chainId))
      queue.push({ contract, data, signal, resolve, reject })
      waiting.set(chainId, queue)
    })
  }
}
