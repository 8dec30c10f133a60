/** One lane of so many asks the slow ones first, so that these come to their turn whatever the others have. */
const LANES_TO_A_SLOW_ONE = 4

/** Whose turn it is, of those that a pass is about. */
export const createTurns = (partnerIds: readonly string[], isSlow: (partnerId: string) => boolean) => {
  const [quick, slow]: [string[], string[]] = [[], []]
  const put = (partnerId: string): void => void (isSlow(partnerId) ? slow : quick).push(partnerId)
  for (const partnerId of partnerIds) put(partnerId)
  return {
    put,
    take: (lane: number): string | undefined =>
      lane % LANES_TO_A_SLOW_ONE === LANES_TO_A_SLOW_ONE - 1 ? (slow.shift() ?? quick.shift()) : (quick.shift() ?? slow.shift()),
    left: () => quick.length + slow.length,
  }
}
