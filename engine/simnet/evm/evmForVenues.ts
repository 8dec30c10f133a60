import type { SimEvm } from '../kit/world.ts'
import type { EvmChains } from './evmChains.ts'

/** The chains as venues use them: what one does there, all of them hear of before it goes on. */
export const evmForVenues = (chains: EvmChains, observe: (chainId: number, txHash: string) => Promise<void>): SimEvm => ({
  rpc: chains.rpc,
  call: chains.call,
  balance: chains.balance,
  receipt: chains.receipt,
  fund: chains.faucet,
  transfer: async (payment) => {
    const txHash = await chains.pay(payment)
    await observe(payment.chainId, txHash)
    return txHash
  },
  send: async (call) => {
    const receipt = await chains.land(call)
    await observe(call.chainId, receipt.txHash)
    return receipt
  },
})
