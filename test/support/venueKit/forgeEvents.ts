import { isDeepStrictEqual } from 'node:util'
import { type Abi, decodeEventLog, type Hex } from 'viem'
import { afterAll, expect } from 'vitest'
import type { SeenTransaction } from '../../../engine/chains/seen.ts'
import { CHAIN_IDS, type ChainId, isEvmChainId } from '../../../engine/core/chain.ts'
import { type eventLog, retold, seenEvm } from '../seenEvm.ts'
import { fits, otherWords, STRANGER } from './attackPayload.ts'
import { faultsOf } from './mutations.ts'

type Log = ReturnType<typeof eventLog>

/** What a reader of events makes of a transaction: what it counts, or null where it cannot tell. */
export type ReadEvents = (transaction: SeenTransaction) => Promise<readonly unknown[] | null>

export type Genuine = {
  readonly chainId: ChainId
  /** The logs that count, by names of the test's own, in their order. */
  readonly logs: { readonly [name: string]: Log }
  readonly read: ReadEvents
  /** What the transaction shows beside its logs, such as its call. */
  readonly seenAs?: Partial<SeenTransaction>
  /**
   * Changes that leave a genuine event, by `log.field`, where `*` stands for any part of the path. `log` alone: the log may be
   * missing or come from any contract.
   */
  readonly harmless?: { readonly [pattern: string]: (difference: { readonly other: unknown; readonly was: unknown }) => boolean }
  /** Other logs in place of all, each of which must not count. */
  readonly also?: { readonly [name: string]: readonly Log[] }
}

/**
 * Counts the forged events of one suite, and fails it at its end when fewer than `least` were tried or any counted. The returned
 * function checks that the genuine logs count, and that no forgery does. A forgery has a log missing, of another contract, cut short
 * or with another field. The same logs in a failed transaction or on another chain are forgeries, too.
 */
export const forgeEvents = (suite: string, least: number, abi: Abi) => {
  let altered = 0
  let refused = 0
  afterAll(() => {
    process.stdout.write(`forged events ${suite}: ${altered} altered, ${refused} refused\n`)
    expect(faultsOf({ altered, refused }, least)).toEqual([])
  })

  return async ({ chainId, logs, read, seenAs = {}, harmless = {}, also = {} }: Genuine): Promise<void> => {
    const all = Object.entries(logs)
    expect(await read(seenEvm(chainId, Object.values(logs), seenAs))).not.toEqual([])
    const accepted: string[] = []
    const forged = async (name: string, seen: SeenTransaction) => {
      altered += 1
      const counted = await read(seen)
      if (counted?.length === 0) refused += 1
      else accepted.push(name)
    }
    const tried = (name: string, others: readonly Log[], change = {}) =>
      forged(name, seenEvm(chainId, others, { ...seenAs, ...change }))
    const isHarmless = (path: string, difference = { other: null as unknown, was: null as unknown }) =>
      Object.entries(harmless).some(([pattern, rule]) => fits(pattern, path) && rule(difference))

    for (const [name, log] of all) {
      const others = (change: Log | null) => all.flatMap(([each, own]) => (each === name ? (change ?? []) : own))
      const args = decodeEventLog({ abi, topics: log.topics as never, data: log.data as Hex }).args as unknown as object
      for (const [path, other] of otherWords(args)) {
        const was = path.split('.').reduce<unknown>((part, field) => (part as { [name: string]: unknown })[field], args)
        if (isDeepStrictEqual(other, was) || isHarmless(name) || isHarmless(`${name}.${path}`, { other, was })) continue
        let change: Log
        try {
          change = retold(log, abi, [path, other])
        } catch {
          // The value does not fit its type.
          continue
        }
        await tried(`${name}.${path} = ${other}`, others(change))
      }
      if (isHarmless(name)) continue
      await tried(`no ${name}`, others(null))
      await tried(`${name} of another contract`, others({ ...log, address: STRANGER }))
      if (log.data.length > 66) await tried(`${name} cut short`, others({ ...log, data: log.data.slice(0, -64) }))
    }
    for (const [name, others] of Object.entries(also)) await tried(name, others)
    await tried('a failed transaction', Object.values(logs), { isSuccess: false })
    const elsewhere = CHAIN_IDS.filter(isEvmChainId).find((id) => id !== chainId) as ChainId
    await forged('another chain', seenEvm(elsewhere, Object.values(logs), seenAs))
    expect(accepted).toEqual([])
  }
}
