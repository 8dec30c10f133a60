import { ZERO_EVM_ADDRESS } from '../../../engine/core/address.ts'
import type { Hex } from '../../../engine/core/execution.ts'
import { NATIVE, USDC } from '../../../scripts/client/tokens.ts'
import { any, atLeast, attackPayload } from '../../support/venueKit/attackPayload.ts'
import { type Call, hexOf, readCall, writeCall, writeGeneric } from './routerAbi.ts'
import { openBench, orders, ROUTER, STRANGER, WITH_FEE } from './support.ts'

/** Fees and flags, and pools and executors that a type does not suggest. */
function* otherCalls(call: Call): Generator<Call | string> {
  const { callTarget, desc } = call
  const { srcToken, dstToken, dstReceiver, srcReceivers, feeReceivers, feeAmounts, flags, amount } = desc
  const other = (words: Partial<Call['desc']>, more: Partial<Call> = {}): Call => ({
    ...call,
    ...more,
    desc: { ...desc, ...words },
  })
  // Every flag but those that were seen, and with a fee the loss of either that give it its meaning.
  for (let bit = 0n; bit < 256n; bit += 1n)
    if (((flags | (1n << bit)) & ~0x2c0n) !== 0n) yield other({ flags: flags | (1n << bit) })
  if (feeAmounts.length > 0) for (const fewer of [flags & ~0x40n, flags & ~0x80n, 0n]) yield other({ flags: fewer })
  for (const set of [0x2c0n, 0x280n]) yield other({ feeReceivers: [hexOf(STRANGER)], feeAmounts: [100n], flags: set })
  yield other({ feeReceivers: [...feeReceivers, hexOf(STRANGER)] })
  for (const token of [NATIVE, USDC.ethereum].map(hexOf)) {
    if (token !== srcToken) yield other({ srcToken: token })
    if (token !== dstToken) yield other({ dstToken: token })
  }
  yield writeGeneric(call)
  yield writeCall(call).replace('0xe21fd0e9', '0x8af033fb')
  if (srcReceivers.length === 0) {
    for (const pools of [[STRANGER], [callTarget], [STRANGER, STRANGER]]) yield other({ srcReceivers: pools.map(hexOf) })
    yield other({ srcAmounts: [amount] })
    return
  }
  // The whole input in equal parts, one of them for an address that is no pool; nor is it the executor.
  const noPool = [ZERO_EVM_ADDRESS, ROUTER, NATIVE, `0x${amount.toString(16).padStart(40, '0')}`].map(hexOf)
  for (const thief of [...noPool, srcToken, dstToken, dstReceiver, ...feeReceivers])
    for (const pools of [[thief], [callTarget, thief], [thief, callTarget]] as readonly Hex[][]) {
      const srcAmounts = pools.map(() => amount / BigInt(pools.length))
      for (const executor of [callTarget, thief]) yield other({ srcReceivers: pools, srcAmounts }, { callTarget: executor })
    }
}

/** The router reverts where the recipient gains less than the minimum: another executor or pool harms no party. */
attackPayload({
  venue: 'kyberswap',
  open: openBench,
  swaps: [
    { title: 'tokens, with a fee', order: orders.usdc({ feeBps: 15 }), settings: WITH_FEE },
    { title: 'coins', order: orders.ether() },
    { title: 'tokens for coins, paid to a pool', order: orders.toEther({ feeBps: 15 }), settings: WITH_FEE },
  ],
  codec: { read: readCall, write: writeCall },
  harmless: {
    callTarget: any,
    targetData: any,
    clientData: any,
    'desc.minReturnAmount': atLeast,
    'desc.srcReceivers.*': any,
    // Without a fee the seen flags have no meaning.
    'desc.flags': ({ other, words }) => words.desc.feeAmounts.length === 0 && ((other as bigint) & ~0x2c0n) === 0n,
  },
  also: otherCalls,
})
