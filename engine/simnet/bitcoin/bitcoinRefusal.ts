/** Codes of bitcoind's sendrawtransaction. https://github.com/bitcoin/bitcoin/blob/master/src/rpc/protocol.h */
export const RPC = { invalid: -25, rejected: -26, alreadyInChain: -27, undecodable: -22 } as const

/** A transaction the network does not take, in bitcoind's words. */
export class BitcoinRefusal extends Error {
  override readonly name = 'BitcoinRefusal'
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
