import { lookup, Resolver } from 'node:dns/promises'

/** The addresses of a host name, empty without any. Rejects when the signal aborts. */
export type ResolveHost = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

/**
 * Queries the name servers, without the hosts file and without the machine's search domains: a name outside the public Internet
 * has no address. The system's own lookup would block a thread until a name server answers.
 */
export const resolvePublicHost: ResolveHost = async (hostname, signal) => {
  signal.throwIfAborted()
  const resolver = new Resolver()
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    signal.throwIfAborted()
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** As this machine resolves names, `localhost` included. For development. */
export const resolveLocalHost: ResolveHost = (hostname) =>
  lookup(hostname, { all: true }).then(
    (found) => found.map(({ address }) => address),
    () => [],
  )
