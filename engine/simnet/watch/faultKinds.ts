import { STATES_OF_A_FULL_NODE } from '../evm/evmFront.ts'
import { FAULTS, type FaultName } from '../kit/faults.ts'
import type { FaultKind, FaultParam } from './told.ts'

type Kind = Omit<FaultKind, 'name'>

const PATH: FaultParam = {
  name: 'path',
  type: 'text',
  means: 'only requests whose path starts with this, such as /v1/quote',
  default: null,
}

const line = (does: string, ...params: readonly FaultParam[]): Kind => ({
  group: 'transport',
  on: ['venue', 'chain', 'facilitator'],
  does,
  params: [...params, PATH],
})

const drift = (does: string): Kind => ({ group: 'drift', on: ['venue'], does, params: [PATH] })

const ofVenue = (group: 'prices' | 'payloads', does: string): Kind => ({ group, on: ['venue'], does, params: [PATH] })

/** Decided when an order is paid, whatever was called. */
const atEnd = (does: string): Kind => ({ group: 'settlement', on: ['venue'], does, params: [] })

const KINDS: { readonly [fault in FaultName]: Kind } = {
  latency: line('answers late', { name: 'ms', type: 'number', means: 'milliseconds', default: 1_000 }),
  hang: line('never answers'),
  reset: line('closes the connection without an answer', {
    name: 'when',
    type: 'text',
    means: 'after: the venue handles the request first, and only the answer is lost',
    default: null,
  }),
  'http-500': line('answers 500 with a page of HTML'),
  'http-429': line('answers 429: too many requests'),
  'malformed-body': line('answers a body that is not JSON'),
  'truncated-body': line('sends fewer bytes than Content-Length'),
  'huge-body': line('never stops sending', {
    name: 'bytes',
    type: 'number',
    means: 'number of bytes',
    default: 64 * 1024 * 1024,
  }),
  'wrong-shape': line('answers JSON of another shape'),
  'prunes-state': {
    group: 'node',
    on: ['node'],
    does: 'has the state of its latest blocks only',
    params: [{ name: 'blocks', type: 'number', means: 'number of blocks with state', default: STATES_OF_A_FULL_NODE }],
  },
  'rotated-contract': drift('names another contract than the published one'),
  'renamed-asset': drift('names a token or chain by another id'),
  'unknown-member': drift('returns an undocumented enum member'),
  'extra-row': drift('lists a row of an unknown chain'),
  'large-number': drift('adds an unused number beyond 2^53'),
  'null-value': drift('returns null instead of a value'),
  'wrong-decimals': ofVenue('prices', 'scales amounts by wrong decimals'),
  'price-x100': ofVenue('prices', 'offers a hundred times too much'),
  halt: ofVenue('prices', 'quotes no pair'),
  'wrong-recipient': ofVenue('payloads', 'builds a payload that pays another address'),
  'wrong-amount': ofVenue('payloads', 'builds a payload that takes twice the input'),
  'wrong-minimum': ofVenue('payloads', 'builds a payload that guarantees half of what was quoted'),
  'wrong-contract': ofVenue('payloads', 'builds a payload for another contract'),
  'bad-signature': ofVenue('payloads', 'signs its quotes with a wrong key'),
  'lying-success': atEnd('reports success without a delivery'),
  'never-fills': atEnd('lets the order expire, and refunds it later'),
  fails: atEnd('reports that the order failed'),
  'short-fill': atEnd('delivers less than it guaranteed'),
  'unknown-status': atEnd('returns an undocumented status'),
}

/** Every fault with what it takes, for whoever offers it as a switch. */
export const FAULT_KINDS: readonly FaultKind[] = FAULTS.map((name) => ({ name, ...KINDS[name] }))
