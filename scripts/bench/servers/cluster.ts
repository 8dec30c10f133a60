import cluster from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { createKnownToAll } from '../../cluster/knownToAll.ts'
import { createWorkers } from '../../cluster/workers.ts'
import { createRelay, say } from '../../log.ts'
import { answerParent, settingsOf, type Usage, usage } from './parent.ts'

/** The product as `npm run cluster` runs it: so many processes over loopback venues, which know together who has asked how often. */
export type ClusterSettings = { readonly origins: readonly string[]; readonly processes: number }

const main = async (): Promise<void> => {
  const { origins, processes } = settingsOf<ClusterSettings>()
  const known = createKnownToAll()
  cluster.setupPrimary({ exec: fileURLToPath(new URL('./clusterWorker.ts', import.meta.url)), args: [], silent: true })
  const workers = createWorkers({
    count: processes,
    task: () => ({ network: null }),
    environmentOf: () => ({ BENCH_ORIGINS: JSON.stringify(origins) }),
    answer: async ({ id, question }) => ({ kind: 'reply', id, reply: await known(question) }),
    watch: () => undefined,
    writeLine: createRelay().write,
    say,
  })
  const { url, monitorUrls } = await workers.start()
  /** Of all its processes. */
  const together = async (): Promise<Usage> => {
    const told = monitorUrls.map(async (at) => (await (await fetch(at)).json()) as Usage)
    const others = await Promise.all(told)
    const own = usage()
    const sum = (of: (one: Usage) => number): number => others.reduce((total, one) => total + of(one), of(own))
    return { ...own, cpuMs: sum(({ cpuMs }) => cpuMs), residentBytes: sum(({ residentBytes }) => residentBytes) }
  }
  answerParent(url, undefined, together)
}

await main()
