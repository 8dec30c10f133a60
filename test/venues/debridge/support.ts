import { PublicKey } from '@solana/web3.js'
import { addressOf } from '../../../engine/core/address.ts'
import { createDebridge } from '../../../engine/simnet/venues/debridge/debridge.ts'
import { debridge } from '../../../engine/venues/debridge/venue.ts'
import { NATIVE, NATIVE_SOL, USDC } from '../../../scripts/client/tokens.ts'
import { usually, WALLETS } from '../../support/anOrder.ts'
import { createFakeChains } from '../../support/fakeChains.ts'
import { eventLog } from '../../support/seenEvm.ts'
import { createVenueBench, type VenueBench } from '../../support/venueBench.ts'
import { toldAs } from '../../support/venueKit/canned.ts'
import { createFakeNetwork, type FakeNetwork, receiptOf } from '../../support/venueKit/network.ts'
import { createdBy, EVENTS, SOURCE } from './abi.ts'

const FEE_RECIPIENT = addressOf('evm', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
const FEE_RECIPIENT_SOLANA = addressOf('solana', '4CPQqg2GeUiyykB5Vz5VHMSDbGa6ztjk5RcpdMdm3Hu1')
export const WITH_FEE = { FEE_RECIPIENT, FEE_RECIPIENT_SOLANA }
export const STRANGER = addressOf('evm', '0x90F79bf6EB2c4f870365E785982E1f101E93b906')
export const RECIPIENT_SOLANA = addressOf('solana', '7Yq3dWz1mXk2VnR9pTg5sLhC8uJfEa4bQo6iNxKzPw3A')
const ARB = '0x912CE59144191C1204E64559FE8253a0e49E6548'
export const CREATE_TX = '/dln/order/create-tx'
export const PROGRAM = 'src5qyZHqTqecJV4aY6Cb6zDZLMDzrDKKezs22MPHr4'

const TO_OTHER = { recipient: WALLETS.evmOther }

export const orders = {
  /** 250 USDC from Base to Arbitrum, for someone else than the sender. */
  usdc: usually({ ...TO_OTHER, from: [8453, USDC.base], to: [42161, USDC.arbitrum], amount: 250_000_000n }),
  ether: usually({ ...TO_OTHER, from: [8453, NATIVE], to: [42161, NATIVE], amount: 10n ** 18n }),
  /** Swapped before the order. */
  arb: usually({ ...TO_OTHER, from: [42161, ARB], to: [8453, USDC.base], amount: 10n ** 21n }),
  toSolana: usually({ from: [8453, USDC.base], to: [-2, NATIVE_SOL], amount: 250_000_000n, recipient: RECIPIENT_SOLANA }),
  fromSolana: usually({ ...TO_OTHER, from: [-2, USDC.solana], to: [8453, USDC.base], amount: 250_000_000n }),
}

/** EVM chains on which DlnSource accepts every order. Journeys use the contracts themselves. */
export const createDebridgeNetwork = (): FakeNetwork =>
  createFakeNetwork({
    evm: { fund: async () => undefined, call: async () => '0x', send: async () => receiptOf(`0x${'de'.repeat(32)}`) },
    landOnEvm: (call) => ({ ...call, logs: [eventLog(EVENTS, 'CreatedOrder', SOURCE, createdBy(call))], status: 'success' }),
  })

export const openBench = (
  options: { settings?: { readonly [name: string]: string }; apiKey?: string } = {},
): Promise<VenueBench> => {
  const { evm, solana } = createDebridgeNetwork()
  return createVenueBench(debridge, createDebridge, { chains: createFakeChains(), ...options, evm, solana })
}

/** The adapter, told by the simulator, but for what is changed on its way or said instead. */
export const told = toldAs(debridge)

type Call = {
  readonly maker: string
  readonly mint: string
  readonly orderId: string
  readonly takeChainId: bigint
  readonly program?: string
}

/** The accounts of an order's call: `DlnSrc` of @debridge-finance/solana-utils 4.5.2, by the library of Solana itself. */
export const accountsOf = ({ maker, mint, orderId, takeChainId, program = PROGRAM }: Call) => {
  const seeded = (seed: string, ...more: readonly Uint8Array[]): string =>
    PublicKey.findProgramAddressSync([Buffer.from(seed), ...more], new PublicKey(program))[0].toBase58()
  const [makerKey, mintKey] = [new PublicKey(maker), new PublicKey(mint)]
  const [tokens, associated] = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL']
  const id = Buffer.from(orderId.slice(2), 'hex')
  const holding = PublicKey.findProgramAddressSync(
    [makerKey.toBytes(), new PublicKey(tokens).toBytes(), mintKey.toBytes()],
    new PublicKey(associated),
  )
  const chain = Buffer.from(takeChainId.toString(16).padStart(64, '0'), 'hex')
  const addresses = [
    ...[maker, seeded('STATE'), mint, seeded('GIVE_ORDER_STATE', id), seeded('AUTHORIZED_NATIVE_SENDER', chain)],
    ...[holding[0].toBase58(), seeded('GIVE_ORDER_WALLET', id), seeded('NONCE', makerKey.toBytes())],
    ...[seeded('FEE_LEDGER_WALLET', mintKey.toBytes()), PublicKey.default.toBase58(), tokens, associated],
  ]
  return addresses.map((address) => ({ address, isSigner: address === maker, isWritable: false }))
}
