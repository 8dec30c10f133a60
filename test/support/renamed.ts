/** A value with another address in the place of one, as text and as bytes. */
export const renamed = <T>(value: T, names: readonly (readonly [from: string, to: string])[]): T => {
  const text = JSON.stringify(value, (_name, one) => (typeof one === 'bigint' ? `bigint:${one}` : one))
  const lower = (address: string) => address.slice(2).toLowerCase()
  const changed = names.reduce((was, [from, to]) => was.replaceAll(from, to).replaceAll(lower(from), lower(to)), text)
  return JSON.parse(changed, (_name, one) => (/^bigint:/.test(one) ? BigInt(one.slice(7)) : one))
}
