import { createServer } from 'node:http'
import { askPrimary } from '../../cluster/askPrimary.ts'
import type { FromWorker, ToWorker } from '../../cluster/messages.ts'
import { listen } from '../../listen.ts'
import { createBenchServer } from '../product/benchServer.ts'
import { usage } from './parent.ts'

/** One process of the cluster that is measured; tells what it has used up on a port of its own. */
const PORT = { host: '127.0.0.1', port: 0 }

const send = (message: FromWorker): void => void process.send?.(message)

const main = async (): Promise<void> => {
  const { counts } = askPrimary(send, (take: (message: ToWorker) => void) => void process.on('message', take))
  const origins = JSON.parse(process.env['BENCH_ORIGINS'] ?? '[]') as readonly string[]
  const server = await createBenchServer({ venues: { loopback: origins }, sharedCounts: counts })
  const monitor = createServer((_request, response) => response.end(JSON.stringify(usage())))
  const monitorUrl = await listen(monitor, PORT, 'the port of the monitor', true)
  send({ kind: 'listening', url: await listen(server, PORT, 'the port'), monitorUrl })
}

await main()
