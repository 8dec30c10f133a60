/** The position of bytes in others from `from` on, or -1. Both are hex without 0x, in lower case; only whole bytes count. */
export const standsIn = (whole: string, part: string, from = 0): number => {
  let at = whole.indexOf(part, from)
  while (at >= 0 && at % 2 !== 0) at = whole.indexOf(part, at + 1)
  return at
}

/** How many times bytes occur in others without overlap. */
export const timesIn = (whole: string, part: string): number => {
  let times = 0
  for (let at = standsIn(whole, part); at >= 0; at = standsIn(whole, part, at + part.length)) times += 1
  return times
}
