import { lookup, Resolver } from 'node:dns/promises'

/** The addresses of a host name, none where it has none. What is cut by the signal rejects. */
export type ResolveHost = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>

/**
 * Asks the name servers, and neither the hosts file nor the domains that a machine searches in: a name that is not one of the
 * public Internet has no address. The system's own lookup would block a thread for as long as a name server takes.
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

/** As this machine sees names, `localhost` included. For development. */
export const resolveLocalHost: ResolveHost = (hostname) =>
  lookup(hostname, { all: true }).then(
    (found) => found.map(({ address }) => address),
    () => [],
  )
