import { FAULTS, type FaultParams, isFaultName } from '../kit/faults.ts'
import type { Control, Controls } from './controls.ts'
import { badField, type Fields, readFields, readInteger, readText } from './fields.ts'

const readTarget = (fields: Fields, { faultTargets }: Controls): string => {
  const target = readText(fields, 'venue')
  if (!faultTargets.includes(target)) throw badField('venue', `must be one of ${faultTargets.join(', ')}`)
  return target
}

const readParams = ({ venue: _venue, fault: _fault, count: _count, ...params }: Fields): FaultParams => {
  for (const [name, value] of Object.entries(params)) {
    const isPlain = typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
    if (!isPlain) throw badField(name, 'must be a text or a number')
  }
  return params as FaultParams
}

const activeOf = ({ faults }: Controls) => ({ active: faults.list() })

export const listFaults: Control = (controls) => ({ ...activeOf(controls), faults: FAULTS, venues: controls.faultTargets })

/** Turns a fault on for the next `count` calls, or until cleared; the fault `none` clears those of its venue. */
export const setFault: Control = (controls, body) => {
  const fields = readFields(body, ['venue', 'fault', 'count'], true)
  const target = readTarget(fields, controls)
  const fault = readText(fields, 'fault')
  if (fault === 'none') controls.faults.clear(target)
  else if (isFaultName(fault)) {
    const count = fields.count === undefined ? null : readInteger(fields, 'count', { min: 1, max: 1_000_000 })
    controls.faults.set(target, fault, readParams(fields), count)
  } else throw badField('fault', `must be none or one of ${FAULTS.join(', ')}`)
  return activeOf(controls)
}

/** Clears the faults of `?venue=`, or all. */
export const clearFaults: Control = (controls, _body, query) => {
  const venue = query.get('venue')
  controls.faults.clear(venue === null ? null : readTarget({ venue }, controls))
  return activeOf(controls)
}
