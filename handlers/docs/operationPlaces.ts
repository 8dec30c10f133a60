import type { Contract } from '../http/contract.ts'

/** Where the reference shows an operation that a guide names. */

const PREFIX = '/api/v1'
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
const NAMED = /^(?:([A-Z]+) )?(\/[\w/-]+)$/

/** Of text such as `POST /api/v1/quote` or `/quote`; null where it names no operation, or more than one. */
export type FindPlace = (named: string) => string | null

export const createOperationPlaces = ({ paths = {} }: Contract['document']): FindPlace => {
  const places = new Map<string, string[]>()
  const add = (name: string, place: string): void => {
    places.set(name, [...(places.get(name) ?? []), place])
  }
  for (const [path, item] of Object.entries(paths)) {
    for (const method of METHODS) {
      const { operationId, tags: [tag] = [] } = item?.[method] ?? {}
      if (operationId === undefined || tag === undefined) continue
      const verb = method.toUpperCase()
      // The address that Swagger UI gives to an operation.
      const place = `/docs#/${encodeURIComponent(tag)}/${operationId}`
      add(path, place)
      add(`${verb} ${path}`, place)
    }
  }
  return (named) => {
    const [, verb, path = ''] = NAMED.exec(named) ?? []
    const whole = path.startsWith(`${PREFIX}/`) ? path : `${PREFIX}${path}`
    const [place, other] = places.get(verb === undefined ? whole : `${verb} ${whole}`) ?? []
    return place !== undefined && other === undefined ? place : null
  }
}
