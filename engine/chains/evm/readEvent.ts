import type { Abi } from 'viem'
import type { Hex } from '../../core/execution.ts'

type EventLog = { readonly topics: readonly Hex[]; readonly data: Hex }

/** The fields of an event by their names; null when the log is of another event than the one of `abi`, or does not decode. */
export const readEvent = async (abi: Abi, { topics, data }: EventLog): Promise<{ readonly [name: string]: unknown } | null> => {
  // viem is slow to import: see evmCodec.
  const { decodeEventLog } = await import('viem')
  const [topic, ...indexed] = topics
  if (topic === undefined) return null
  try {
    const { args } = decodeEventLog({ abi, topics: [topic, ...indexed], data })
    return (args ?? {}) as unknown as { readonly [name: string]: unknown }
  } catch {
    return null
  }
}
