/** A table of cases from JSON, where a text such as `250n` is a bigint. */
export const withBigints = (table: unknown): unknown =>
  JSON.parse(JSON.stringify(table), (_name, value) => (/^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value))
