import type { Readable } from 'node:stream'

/** More than that is no line of ours. */
const LINE_MAX = 1_000_000

/** Hands on whole lines, each with the number of the worker that wrote it. */
export const relayLines = (from: Readable, worker: number, write: (line: string) => void): void => {
  let rest = ''
  from.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > LINE_MAX) rest = ''
    for (const line of lines) write(`${line.startsWith('{') ? `{"worker":${worker},${line.slice(1)}` : line}\n`)
  })
}
