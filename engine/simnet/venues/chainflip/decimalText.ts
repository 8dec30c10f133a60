/** A number with so many of its digits after the point, none of them an empty one at the end. Fewer than none: it is that much larger. */
export const decimalText = (digits: bigint, places: number): string => {
  if (places <= 0) return `${digits}${'0'.repeat(-places)}`
  const padded = digits.toString().padStart(places + 1, '0')
  return `${padded.slice(0, -places)}.${padded.slice(-places)}`.replace(/(?<!0)0+$/, '').replace(/\.$/, '')
}
