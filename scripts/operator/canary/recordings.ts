import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Exchange } from '../../../engine/net/exchanges.ts'
import { writeBigint } from '../printing.ts'
import type { Row } from './runCanary.ts'

/** JSON as it came, with every digit of its numbers; other text as a JSON string. */
const verbatim = (text: string | null): string => {
  if (text === null) return 'null'
  try {
    JSON.parse(text)
    return text
  } catch {
    return JSON.stringify(text)
  }
}

const textOf = (head: object, { method, url, request, status, answer }: Exchange): string => {
  const fields = Object.entries(head).map(([name, value]) => `"${name}": ${JSON.stringify(value, writeBigint)}`)
  const sent = `"request": { "method": "${method}", "url": ${JSON.stringify(url)}, "body": ${verbatim(request)} }`
  return `{\n${[...fields, sent, `"status": ${status}`, `"answer": ${verbatim(answer)}`].join(',\n')}\n}\n`
}

/**
 * Writes one file for each answer, `<venue>-<route>-<call>-<n>.json`, that only its owner may read. API keys are removed, wallet
 * addresses stay. `network`: `live` or `simnet`. Returns how many files.
 */
export const writeRecordings = async (folder: string, rows: readonly Row[], network: string, now: number): Promise<number> => {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const date = new Date(now).toISOString().slice(0, 10)
  const files = rows.flatMap(({ venue, route, order, exchanges }) =>
    (['quote', 'execute'] as const).flatMap((call) =>
      exchanges[call].map((exchange, index) => {
        const source = `${network} ${new URL(exchange.url).host}`
        const text = textOf({ source, date, venue, call, route, swap: order }, exchange)
        return { file: join(folder, `${venue}-${route}-${call}-${index + 1}.json`), text }
      }),
    ),
  )
  for (const { file, text } of files) {
    // A file that is there may be open to others, or a link.
    await rm(file, { force: true })
    await writeFile(file, text, { mode: 0o600, flag: 'wx' })
  }
  return files.length
}
