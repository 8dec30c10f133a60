import type { LookupAddress } from 'node:dns'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { untilAborted, withDeadline } from './deadline.ts'
import { canOpen, isStarved } from './descriptors.ts'
import { isPublicAddress, literalAddress } from './publicAddress.ts'
import { type ResolveHost, resolveLocalHost, resolvePublicHost } from './targetAddresses.ts'

/**
 * Why a target sent no answer. `noPublicAddress`: its name has no address, or one that is not public. `certificateRefused`: its
 * certificate does not prove its name. `timeout`: it exceeded its time. `unreachable`: no connection, or one that closed without
 * an answer. `unreadable`: its bytes are not TLS, or not HTTP.
 */
export type TargetFailure = 'noPublicAddress' | 'certificateRefused' | 'timeout' | 'unreachable' | 'unreadable'

/** The HTTP status of the answer, or why there is no answer. */
export type TargetAnswer = { readonly answered: number } | { readonly failure: TargetFailure }

/**
 * Posts once to an https URL of another party: redirects are not followed, and nothing is repeated. Never rejects. `starved`:
 * this process had no descriptor, port or memory left for a connection, and no connection was made.
 */
export type TargetPost = (
  url: string,
  message: { readonly headers: { readonly [name: string]: string }; readonly body: Buffer },
) => Promise<TargetAnswer | 'starved'>

export type TargetPostOptions = {
  /** Allows targets in private networks, and names as this machine resolves them. */
  readonly allowPrivate: boolean
  /** For all of it: name, connection, sending and the answer. */
  readonly timeoutMs?: number
  /** Larger answers are read no further. */
  readonly bytesMax?: number
  /** Which addresses are connected to, and how names are resolved: replaced by tests. */
  readonly mayConnect?: (address: string) => boolean
  readonly resolve?: ResolveHost
  /** The certificate authorities to trust, in place of those of Node. */
  readonly ca?: string
}

const TIMEOUT_MS = 10_000
const BYTES_MAX = 64 * 1024
const STATUS_MIN = 100
/** How many addresses of a name are tried: the owner of a name must not make the service contact thousands of hosts. */
const ADDRESSES_MAX = 8

class NoPublicAddressError extends Error {
  override readonly name = 'NoPublicAddressError'
}

/** The target sent no HTTP answer to a POST. */
class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}

const isCertificateTrouble = (code: string): boolean =>
  /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY|DECRYPT|DECODE)|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE))/.test(
    code,
  )

const failureOf = (error: unknown, signal: AbortSignal): TargetFailure => {
  if (error instanceof NoPublicAddressError) return 'noPublicAddress'
  if (error instanceof NoAnswerError) return 'unreadable'
  if (signal.aborted) return 'timeout'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^(HPE_|ERR_SSL_|EPROTO$)/.test(code)) return 'unreadable'
  return isCertificateTrouble(code) ? 'certificateRefused' : 'unreachable'
}

const familyOf = (address: string): LookupAddress => ({ address, family: isIP(address) })

/**
 * Returns exactly the addresses that were checked: a later change of the name has no effect. The callback runs later: a
 * connection that fails within this call fails before the request listens for errors, which would end the process.
 */
const pinnedTo =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    const [first] = addresses
    if (all) process.nextTick(callback, null, addresses.map(familyOf))
    else process.nextTick(callback, null, first ?? '', isIP(first ?? ''))
  }

/** Reads an answer to its end or to the cap, so that the target can finish writing it. The content is not used. */
const drain = (response: IncomingMessage, bytesMax: number): Promise<void> =>
  new Promise((resolve) => {
    let size = 0
    response.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > bytesMax) response.destroy()
    })
    response.on('close', resolve)
    response.on('error', () => undefined)
  })

const answerTo = (sent: ClientRequest, bytesMax: number): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    sent.on('response', (response) => {
      // Node reads any three digits.
      if ((response.statusCode ?? 0) >= STATUS_MIN) return resolve(response)
      reject(new NoAnswerError('a status that HTTP has not'))
      response.destroy()
    })
    sent.on('error', reject)
    // The target changes the protocol, unasked: without this handler neither an answer nor an error would arrive.
    sent.on('upgrade', (_response, socket) => {
      reject(new NoAnswerError('another protocol, unasked'))
      socket.destroy()
    })
    // The target only ever announces an answer.
    sent.on('information', () => {
      if ((sent.socket?.bytesRead ?? 0) > bytesMax) sent.destroy()
    })
  })

export const createTargetPost = ({
  allowPrivate,
  timeoutMs = TIMEOUT_MS,
  bytesMax = BYTES_MAX,
  mayConnect = allowPrivate ? () => true : isPublicAddress,
  resolve = allowPrivate ? resolveLocalHost : resolvePublicHost,
  ca,
}: TargetPostOptions): TargetPost => {
  const addressesOf = async (hostname: string, signal: AbortSignal): Promise<readonly string[]> => {
    const literal = literalAddress(hostname)
    const addresses = literal === null ? await untilAborted(resolve(hostname, signal), signal) : [literal]
    if (addresses.length === 0 || !addresses.every(mayConnect)) throw new NoPublicAddressError('no public address')
    return addresses.slice(0, ADDRESSES_MAX)
  }

  return async (url, { headers, body }) => {
    const target = new URL(url)
    return withDeadline(timeoutMs, async (signal): Promise<TargetAnswer | 'starved'> => {
      let isConnected = false
      try {
        const lookup = pinnedTo(await addressesOf(target.hostname, signal))
        const sent = request(target, {
          method: 'POST',
          headers: { ...headers, 'content-length': body.length },
          agent: false,
          rejectUnauthorized: true,
          lookup,
          signal,
          ...(ca !== undefined && { ca }),
        })
        sent.on('socket', (socket) => {
          socket.on('connect', () => {
            isConnected = true
          })
        })
        const answer = answerTo(sent, bytesMax)
        sent.end(body)
        // The deadline does not depend on socket events: a request that waits for ever would delay all others.
        const response = await untilAborted(answer, signal)
        await untilAborted(drain(response, bytesMax), signal).catch(() => undefined)
        return { answered: response.statusCode ?? 0 }
      } catch (error) {
        return !isConnected && (isStarved(error) || !canOpen()) ? 'starved' : { failure: failureOf(error, signal) }
      }
    })
  }
}
