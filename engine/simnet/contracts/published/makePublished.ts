import { gunzipSync } from 'node:zlib'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type AnvilNode, startAnvil } from '../../evm/anvilNode.ts'
import { wordOf } from '../../kit/abiWords.ts'
import type { Artifact } from '../artifacts.ts'
import type { CreationCode } from './packages.ts'

/** The venues' own contracts, and Multicall3: read from their npm packages, never kept in this tree. */
export const PUBLISHED = [
  'AcrossEventEmitter',
  'GPv2AllowListAuthentication',
  'GPv2Settlement',
  'GPv2VaultRelayer',
  'Multicall3',
  'MulticallHandler',
  'Permit2',
  'PriorityOrderReactor',
  'SpokePool',
  'SpokePoolPeriphery',
  'SwapProxy',
  'V2DutchOrderReactor',
  'V3DutchOrderReactor',
] as const

export type PublishedContracts = { readonly [contract in (typeof PUBLISHED)[number]]: Artifact }

/** No chain of the network: Permit2 stores the domain separator of the chain of its deployment. */
const SCRATCH_CHAIN_ID = 31_337

/** One of anvil's own rich accounts. */
const DEPLOYER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** networks.json of Balancer's deployments and https://github.com/Uniswap/permit2: the same on every chain here. */
const BALANCER_VAULT = '0xBA12222222228d8Ba445958a75a0704d566BF2C8'
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Stand in the code for what is a chain's own, until that is put there. */
const ANY_WRAPPED_NATIVE = '0x77726170706564206e6174697665206d61726b72'
const ANY_AUTHENTICATOR = '0x61757468656e74696361746f72206d61726b6572'

/** SpokePool's own limits on mainnet, in seconds. */
const QUOTE_TIME_BUFFER = 3_600
const FILL_DEADLINE_BUFFER = 21_600
const FIRST_DEPOSIT_ID = 5_120_000

type Deployed = { readonly address: string; readonly code: string }

/** https://docs.soliditylang.org/en/latest/abi-spec.html: arguments of fixed size, one word each. */
const words = (...values: readonly (string | number)[]): string =>
  values.map((value) => wordOf(typeof value === 'number' ? value.toString(16) : value)).join('')

/** The same, of one argument of bytes: hex without 0x. */
const bytesArgument = (hex: string): string => words(hex.length / 2) + hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')

const callData = (signature: string, ...args: readonly (string | number)[]): string =>
  bytesToHex(keccak_256(utf8ToBytes(signature)).subarray(0, 4)) + words(...args)

/** The last 20 bytes of a word. */
const addressIn = (word: string): string => `0x${word.slice(-40)}`

/** Byte offsets of a value that a constructor put into the code as a word. */
const offsetsOf = (code: string, value: string): readonly number[] => {
  const wanted = wordOf(value)
  const offsets: number[] = []
  for (let at = code.indexOf(wanted); at !== -1; at = code.indexOf(wanted, at + 1)) if (at % 2 === 0) offsets.push(at / 2 - 1)
  if (offsets.length === 0) throw new Error(`the code does not hold ${value}`)
  return offsets
}

/** What can be done on a scratch chain. */
const onChain = (node: AnvilNode) => {
  const land = async (transaction: { readonly to?: string; readonly data: string }): Promise<string | null> => {
    const sent = await node.rpc('eth_sendTransactionSync', [{ from: DEPLOYER, gas: '0x1000000', ...transaction }])
    const { status, contractAddress } = sent as { status: string; contractAddress: string | null }
    if (status !== '0x1') throw new Error('a deployment of a published contract failed')
    return contractAddress
  }
  const at = async (address: string): Promise<Deployed> => ({
    address,
    code: (await node.rpc('eth_getCode', [address, 'latest'])) as string,
  })
  const storages = async (): Promise<(of: Deployed) => { readonly [slot: string]: string }> => {
    const dump = gunzipSync(Buffer.from(((await node.rpc('anvil_dumpState', [])) as string).slice(2), 'hex')).toString('utf8')
    const { accounts } = JSON.parse(dump) as { accounts: { [address: string]: { storage: { [slot: string]: string } } } }
    return ({ address }) => accounts[address.toLowerCase()]?.storage ?? {}
  }
  return {
    at,
    storages,
    deploy: async (creationCode: string, args = ''): Promise<Deployed> => {
      const address = await land({ data: creationCode + args })
      if (!address) throw new Error('nothing was deployed')
      return at(address)
    },
    send: async ({ address }: Deployed, data: string): Promise<void> => {
      await land({ to: address, data: `0x${data}` })
    },
    read: async ({ address }: Deployed, signature: string): Promise<string> =>
      (await node.rpc('eth_call', [{ to: address, data: `0x${callData(signature)}` }, 'latest'])) as string,
  }
}

type Scratch = ReturnType<typeof onChain>

const deployAcross = async (scratch: Scratch, code: CreationCode) => {
  const gateway = '0x0'
  const poolArguments = words(ANY_WRAPPED_NATIVE, QUOTE_TIME_BUFFER, FILL_DEADLINE_BUFFER, gateway)
  const pool = await scratch.deploy(code.Ethereum_SpokePool, poolArguments)
  const initialize = callData('initialize(uint32,address)', FIRST_DEPOSIT_ID, DEPLOYER)
  const proxy = await scratch.deploy(code.ERC1967Proxy, words(pool.address, 0x40) + bytesArgument(initialize))
  const periphery = await scratch.deploy(code.SpokePoolPeriphery, words(PERMIT2, MULTICALL3))
  return {
    pool,
    proxy,
    periphery,
    swapProxy: await scratch.at(addressIn(await scratch.read(periphery, 'swapProxy()'))),
    handler: await scratch.deploy(code.MulticallHandler),
    // Where the messages of deposits that were swapped first say so.
    emitter: await scratch.deploy(code.AcrossEventEmitter),
  }
}

const deployCow = async (scratch: Scratch, code: CreationCode, solver: string) => {
  const settlement = await scratch.deploy(code.GPv2Settlement, words(ANY_AUTHENTICATOR, BALANCER_VAULT))
  const list = await scratch.deploy(code.GPv2AllowListAuthentication)
  await scratch.send(list, callData('initializeManager(address)', DEPLOYER))
  await scratch.send(list, callData('addSolver(address)', solver))
  return {
    settlement,
    list,
    relayer: await scratch.at(addressIn(await scratch.read(settlement, 'vaultRelayer()'))),
    domainSeparator: await scratch.read(settlement, 'domainSeparator()'),
  }
}

/** On Arbitrum the constructors use a counter of blocks that anvil lacks. Elsewhere they use the block number. */
const deployUniswap = async (scratch: Scratch, code: CreationCode) => {
  const args = words(PERMIT2, '0x0')
  return {
    permit2: await scratch.deploy(code.Permit2),
    priority: await scratch.deploy(code.PriorityOrderReactor, args),
    dutchV2: await scratch.deploy(code.V2DutchOrderReactor, args),
    dutchV3: await scratch.deploy(code.V3DutchOrderReactor, args),
  }
}

type Made = { readonly [contract in keyof PublishedContracts]: Omit<Artifact, 'contract'> }

const makeOn = async (scratch: Scratch, code: CreationCode, solver: string): Promise<Made> => {
  const { pool, proxy, periphery, swapProxy, handler, emitter } = await deployAcross(scratch, code)
  const { settlement, list, relayer, domainSeparator } = await deployCow(scratch, code, solver)
  const { permit2, priority, dutchV2, dutchV3 } = await deployUniswap(scratch, code)
  const multicall3 = await scratch.deploy(code.Multicall3)
  const storageOf = await scratch.storages()
  const whole = (of: Deployed) => ({ runtimeCode: of.code, storage: storageOf(of) })
  // What stands behind the proxy goes to the proxy's address itself: no pointer to it is needed.
  const poolStorage = Object.entries(storageOf(proxy)).filter(([, value]) => addressIn(value) !== pool.address)
  return {
    AcrossEventEmitter: whole(emitter),
    MulticallHandler: whole(handler),
    SpokePool: {
      runtimeCode: pool.code,
      immutables: { wrappedNative: offsetsOf(pool.code, ANY_WRAPPED_NATIVE) },
      storage: Object.fromEntries(poolStorage),
    },
    SpokePoolPeriphery: {
      ...whole(periphery),
      immutables: { swapProxy: offsetsOf(periphery.code, swapProxy.address) },
    },
    SwapProxy: whole(swapProxy),
    GPv2Settlement: {
      ...whole(settlement),
      immutables: {
        authenticator: offsetsOf(settlement.code, ANY_AUTHENTICATOR),
        domainSeparator: offsetsOf(settlement.code, domainSeparator),
        vaultRelayer: offsetsOf(settlement.code, relayer.address),
      },
    },
    GPv2VaultRelayer: { runtimeCode: relayer.code, immutables: { settlement: offsetsOf(relayer.code, settlement.address) } },
    GPv2AllowListAuthentication: whole(list),
    Multicall3: whole(multicall3),
    Permit2: whole(permit2),
    PriorityOrderReactor: whole(priority),
    V2DutchOrderReactor: whole(dutchV2),
    V3DutchOrderReactor: whole(dutchV3),
  }
}

/**
 * Deploys the published contracts on a scratch chain, with their real constructor arguments, and gives what is left of
 * them: the runtime code, its storage, and where in the code the values lie that differ from chain to chain. `solver` is
 * the account CoW's contracts take settlements from.
 */
export const makePublished = async (code: CreationCode, solver: string): Promise<PublishedContracts> => {
  // The periphery only looks whether there is something.
  const accounts = [PERMIT2, MULTICALL3].map((address) => ({ address, code: '0x00' }))
  const node = await startAnvil({ chainId: SCRATCH_CHAIN_ID, timestampMs: Date.now(), accounts, epochBlocks: 0 })
  try {
    const made = await makeOn(onChain(node), code, solver)
    return Object.fromEntries(
      Object.entries(made).map(([contract, artifact]) => [contract, { contract, ...artifact }]),
    ) as PublishedContracts
  } finally {
    await node.stop()
  }
}
