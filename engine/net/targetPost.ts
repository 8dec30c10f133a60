import type { LookupAddress } from 'node:dns'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { untilAborted, withDeadline } from './deadline.ts'
import { canOpen, isStarved } from './descriptors.ts'
import { isPublicAddress, literalAddress } from './publicAddress.ts'
import { type ResolveHost, resolveLocalHost, resolvePublicHost } from './targetAddresses.ts'

/**
 * Why a target gave no answer. `noPublicAddress`: its name has none, or one that is not public; `certificateRefused`: it could
 * not prove its name; `timeout`: it took longer than the time it is given; `unreachable`: no connection, or it was closed
 * without an answer; `unreadable`: what it says is no TLS, or no HTTP.
 */
export type TargetFailure = 'noPublicAddress' | 'certificateRefused' | 'timeout' | 'unreachable' | 'unreadable'

/** The HTTP status that was answered, whichever it is, or why there is none. */
export type TargetAnswer = { readonly answered: number } | { readonly failure: TargetFailure }

/**
 * Posts to a stranger's https URL, once: no redirect is followed and nothing is repeated. Never rejects. `starved`: this process
 * had no descriptor, port or memory left for a connection, and no connection was made.
 */
export type TargetPost = (
  url: string,
  message: { readonly headers: { readonly [name: string]: string }; readonly body: Buffer },
) => Promise<TargetAnswer | 'starved'>

export type TargetPostOptions = {
  /** Targets in private networks too, and names as this machine knows them. */
  readonly allowPrivate: boolean
  /** For all of it: name, connection, sending and the answer. */
  readonly timeoutMs?: number
  /** Larger answers are read no further. */
  readonly bytesMax?: number
  /** Which addresses are connected to, and how names are resolved: replaced by tests. */
  readonly mayConnect?: (address: string) => boolean
  readonly resolve?: ResolveHost
  /** Who is trusted in the place of those whom Node trusts. */
  readonly ca?: string
}

const TIMEOUT_MS = 10_000
const BYTES_MAX = 64 * 1024
const STATUS_MIN = 100
/** Of a name's addresses so many are tried: whoever owns the name must not have us knock at thousands of doors. */
const ADDRESSES_MAX = 8

class NoPublicAddressError extends Error {
  override readonly name = 'NoPublicAddressError'
}

/** What was said is no answer of HTTP to a POST. */
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
 * Gives the very addresses that were judged: a name that has others a moment later leads nowhere else. The callback runs later:
 * a connection that fails within this call fails before the request listens for errors, which would end the process.
 */
const pinnedTo =
  (addresses: readonly string[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    const [first] = addresses
    if (all) process.nextTick(callback, null, addresses.map(familyOf))
    else process.nextTick(callback, null, first ?? '', isIP(first ?? ''))
  }

/** Reads an answer away, to its end or to the cap, so that the target may finish writing it. What it says is nobody's. */
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
    // Whoever goes on in another protocol, unasked: without this neither an answer nor an error would ever be told.
    sent.on('upgrade', (_response, socket) => {
      reject(new NoAnswerError('another protocol, unasked'))
      socket.destroy()
    })
    // One who only ever announces an answer.
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
        // The deadline holds whatever the sockets tell: one who waited for ever would keep everybody else's waiting.
        const response = await untilAborted(answer, signal)
        await untilAborted(drain(response, bytesMax), signal).catch(() => undefined)
        return { answered: response.statusCode ?? 0 }
      } catch (error) {
        return !isConnected && (isStarved(error) || !canOpen()) ? 'starved' : { failure: failureOf(error, signal) }
      }
    })
  }
}
