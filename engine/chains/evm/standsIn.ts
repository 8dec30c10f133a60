/** Whether bytes stand in others, both as hex without 0x and in lower case, at whole bytes. Where from the position `from` on; -1. */
export const standsIn = (whole: string, part: string, from = 0): number => {
  let at = whole.indexOf(part, from)
  while (at >= 0 && at % 2 !== 0) at = whole.indexOf(part, at + 1)
  return at
}

/** How often bytes stand in others, one behind the other. */
export const timesIn = (whole: string, part: string): number => {
  let times = 0
  for (let at = standsIn(whole, part); at >= 0; at = standsIn(whole, part, at + part.length)) times += 1
  return times
}
