import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../../scripts/contract/document.ts'
import { strictDocument } from '../../scripts/contract/strictDocument.ts'
import { judgesCommand } from '../../scripts/judges.ts'
import { contract, documentedOperations } from './documentedOperations.ts'

/** An answer as it was sent. */
export type RecordedAnswer = {
  readonly operationId: string
  readonly status: number
  /** Name, value, name, value: order, spelling and repetition kept. */
  readonly rawHeaders: readonly string[]
  readonly body: string
}

/** Prism's validating proxy, an opinion on our answers that shares no code with the service. */
export interface Prism {
  /** What is wrong with an answer by the published document; null when nothing is. */
  judge(answer: RecordedAnswer): Promise<string | null>
  close(): Promise<void>
}

const START_MS_MAX = 30_000
const ANSWER_MS_MAX = 20_000
const REPLAY_HEADER = 'x-replay'

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/** A port that was free a moment ago: Prism takes a number and cannot be asked what it chose. */
const freePort = async (): Promise<number> => {
  const server = createServer()
  const { port } = new URL(await listen(server))
  await closeServer(server)
  return Number(port)
}

const startProcess = async (
  documentPath: string,
  upstream: string,
): Promise<{ readonly origin: string; stop(): Promise<void> }> => {
  const port = await freePort()
  const cli = judgesCommand('prism')
  // Without --validate-request Prism would answer wrong requests itself, and our own refusals would never be seen.
  const options = ['--errors', '--validate-request', 'false', '--cors', 'false', '--host', '127.0.0.1', '--port', String(port)]
  const child = spawn(process.execPath, [cli, 'proxy', documentPath, upstream, ...options], { cwd: projectRoot })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let output = ''
  const ready = new Promise<void>((resolve) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString()
      if (output.includes('Prism is listening')) resolve()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
  })
  // Also when whoever started it ends without a word.
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const stop = (): Promise<void> => {
    process.off('exit', kill)
    kill()
    return ended
  }
  const timer = setTimeout(() => void stop(), START_MS_MAX)
  await Promise.race([
    ready,
    ended.then(() => {
      throw new Error(`Prism did not start:\n${output}`)
    }),
  ])
  clearTimeout(timer)
  return { origin: `http://127.0.0.1:${port}`, stop }
}

type Problem = {
  readonly type?: string
  readonly title?: string
  readonly detail?: string
  readonly validation?: readonly { readonly location?: readonly string[]; readonly message?: string }[]
}

const tell = ({ title, detail, validation = [] }: Problem): string => {
  const findings = validation.map(({ location = [], message = '' }) => `${location.join('.')}: ${message}`)
  return findings.length > 0 ? findings.join('; ') : `${title}: ${detail}`
}

/**
 * Starts Prism as a proxy of a strict copy of the document, so that a field nobody documented is no pass. Its upstream replays the answer under judgement, so that one
 * Prism serves any number of services, and requests that Prism itself cannot read (it never answers a body that is not
 * JSON) can have their answers judged all the same.
 */
export const startPrism = async (): Promise<Prism> => {
  const replays = new Map<string, RecordedAnswer>()
  let count = 0
  const replayer = createServer((incoming, response) => {
    const id = String(incoming.headers[REPLAY_HEADER])
    const answer = replays.get(id)
    replays.delete(id)
    if (!answer) return void response.destroy()
    for (let i = 0; i < answer.rawHeaders.length; i += 2) {
      const [name = '', value = ''] = answer.rawHeaders.slice(i, i + 2)
      if (!/^(connection|keep-alive|transfer-encoding|content-length)$/i.test(name)) response.appendHeader(name, value)
    }
    response.writeHead(answer.status)
    response.end(answer.body)
  })
  const directory = await mkdtemp(join(tmpdir(), 'prism-'))
  const documentPath = join(directory, 'strict.json')
  await writeFile(documentPath, JSON.stringify(strictDocument(contract)))
  const prism = await startProcess(documentPath, await listen(replayer))
  return {
    judge: async (answer) => {
      const { path, method, operation } = documentedOperations.byId(answer.operationId)
      // Prism lets a status pass that the document does not know.
      if (!operation.responses[String(answer.status)]) return `status ${answer.status} is not documented`
      count += 1
      const id = String(count)
      replays.set(id, answer)
      const hasBody = operation.requestBody !== undefined
      const response = await fetch(`${prism.origin}${path}`, {
        method,
        // Without a key Prism would refuse by itself what needs one.
        headers: { [REPLAY_HEADER]: id, 'x-api-key': 'any', ...(hasBody && { 'content-type': 'application/json' }) },
        ...(hasBody && { body: '{}' }),
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
      })
      const text = await response.text()
      const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') ?? false
      if (isProblem && text !== answer.body) return tell(JSON.parse(text) as Problem)
      // Prism answers by itself when it likes; only the replayed answer coming back is a pass.
      if (replays.has(id)) return 'Prism did not look at the answer'
      return response.status === answer.status ? null : `Prism answered ${response.status}`
    },
    close: async () => {
      await prism.stop()
      await closeServer(replayer)
      await rm(directory, { recursive: true, force: true })
    },
  }
}
