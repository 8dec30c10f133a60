import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Prism } from './prism.ts'
import type { Exchange } from './recorder.ts'

/** What Prism found. */
export type Judgement = {
  readonly judged: number
  /** Operation and status. */
  readonly kinds: ReadonlySet<string>
  readonly violations: readonly string[]
}

/** All that was recorded in a folder, one of each shape. */
export const readExchanges = async (folder: string): Promise<readonly Exchange[]> => {
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
  const lines = texts.flatMap((text) => text.split('\n').filter((line) => line !== ''))
  const exchanges = lines.map((line) => JSON.parse(line) as Exchange)
  return [...new Map(exchanges.map((exchange) => [exchange.shape, exchange])).values()]
}

const AT_ONCE = 4

export const judgeExchanges = async (prism: Pick<Prism, 'judge'>, exchanges: readonly Exchange[]): Promise<Judgement> => {
  const waiting = [...exchanges]
  const violations: string[] = []
  const work = async (): Promise<void> => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { answer } = next
      // Not being able to ask is no pass.
      const violation = await prism.judge(answer).catch((error: unknown) => String(error))
      if (violation !== null) violations.push(`${answer.operationId} ${answer.status}: ${violation}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const kinds = new Set(exchanges.map(({ answer: { operationId, status } }) => `${operationId} ${status}`))
  return { judged: exchanges.length, kinds, violations }
}

/** Suites that pass without their answers seen prove nothing: at least so many kinds must have been. */
export const isPass = ({ kinds, violations }: Judgement, kindsMin: number): boolean =>
  kinds.size >= Math.max(1, kindsMin) && violations.length === 0

export const tellJudgement = ({ judged, kinds, violations }: Judgement): string =>
  [
    `Prism judged ${judged} answers of ${kinds.size} documented kinds: ${violations.length} broke the contract`,
    ...[...new Set(violations)].map((violation) => `  ${violation}`),
  ].join('\n')
