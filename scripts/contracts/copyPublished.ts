/**
 * Copies the venues' own contracts out of their npm packages into engine/simnet/contracts, which is committed: nothing is
 * fetched or deployed at run time. Each is deployed on a scratch chain with its real constructor arguments; what is kept is
 * the runtime code, its storage, and where in the code the values lie that differ from chain to chain.
 * Run after a change of versions: node scripts/contracts/copyPublished.ts
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Abi, encodeDeployData, encodeFunctionData, type Hex, pad, slice } from 'viem'
import { type AnvilNode, startAnvil } from '../../engine/simnet/chains/anvilNode.ts'
import { COW_SOLVER } from '../../engine/simnet/contracts/cowContracts.ts'

/** Not dependencies: their own trees are large, and only their artifacts are wanted, here and once. */
const ACROSS = {
  spec: '@across-protocol/contracts@5.0.27',
  integrity: 'sha512-zp6BEBTDzRGEp7sNvvdRH4jBF2EuTI4RqFWVvhfkO28630Ow2hbCYeYiyTOjEOzAdqt+dn/sba9D9WirfwabWQ==',
}
const COW = {
  spec: '@cowprotocol/contracts@1.8.0',
  integrity: 'sha512-rMEHo1UBB6k4kRoWejHZNGggg6IBVt7vAd8x0FhEvjxhbq3zlAex61f9HpAcDExJNuvfwwDjsOc/7UGztCzhSw==',
}

const TARGET = new URL('../../engine/simnet/contracts/', import.meta.url)
const DEPLOYER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** https://docs.cow.fi/cow-protocol/reference/contracts/core and networks.json of the package: the same on every chain. */
const SETTLEMENT = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41'
const VAULT_RELAYER = '0xC92E8bdf79f0507f65a392b0ab4667716BFE0110'
const AUTHENTICATOR = '0x2c4c28DDBdAc9C5E7055b4C863b72eA0149D8aFE'
const BALANCER_VAULT = '0xBA12222222228d8Ba445958a75a0704d566BF2C8'
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Stands for the wrapped coin in the code, until a chain's own is put there. */
const ANY_WRAPPED_NATIVE = '0x77726170706564206e6174697665206d61726b72'
/** SpokePool's own limits on mainnet, in seconds. */
const QUOTE_TIME_BUFFER = 3_600
const FILL_DEADLINE_BUFFER = 21_600
const FIRST_DEPOSIT_ID = 5_120_000

type Artifact = { readonly abi: Abi; readonly bytecode: Hex }
type Deployed = { readonly address: Hex; readonly code: string }

const unpack = ({ spec, integrity }: typeof ACROSS, directory: string): string => {
  const name = execFileSync('npm', ['pack', '--silent', '--pack-destination', directory, spec], { encoding: 'utf8' }).trim()
  const file = join(directory, name)
  const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  if (found !== integrity) throw new Error(`${spec} has the integrity ${found}`)
  const target = mkdtempSync(join(directory, 'package-'))
  execFileSync('tar', ['xzf', file, '-C', target])
  return join(target, 'package')
}

const artifactAt = (...path: string[]): Artifact => JSON.parse(readFileSync(join(...path), 'utf8')) as Artifact

const onChain = (node: AnvilNode) => {
  const land = async (transaction: { readonly to?: string; readonly data: Hex }): Promise<Hex | null> => {
    const sent = await node.rpc('eth_sendTransactionSync', [{ from: DEPLOYER, gas: '0x1000000', ...transaction }])
    const { status, contractAddress } = sent as { status: string; contractAddress: Hex | null }
    if (status !== '0x1') throw new Error('a deployment failed')
    return contractAddress
  }
  const at = async (address: Hex): Promise<Deployed> => ({
    address,
    code: (await node.rpc('eth_getCode', [address, 'latest'])) as string,
  })
  return {
    at,
    deploy: async ({ abi, bytecode }: Artifact, args: readonly unknown[] = []): Promise<Deployed> => {
      const address = await land({ data: encodeDeployData({ abi, bytecode, args }) })
      if (!address) throw new Error('nothing was deployed')
      return at(address)
    },
    send: ({ address }: Deployed, { abi }: Artifact, functionName: string, args: readonly unknown[]) =>
      land({ to: address, data: encodeFunctionData({ abi, functionName, args }) }),
    read: async ({ address }: Deployed, { abi }: Artifact, functionName: string): Promise<Hex> =>
      (await node.rpc('eth_call', [{ to: address, data: encodeFunctionData({ abi, functionName }) }, 'latest'])) as Hex,
    storage: async ({ address }: Deployed): Promise<{ readonly [slot: string]: string }> => {
      const dump = gunzipSync(Buffer.from(((await node.rpc('anvil_dumpState', [])) as string).slice(2), 'hex')).toString('utf8')
      const { accounts } = JSON.parse(dump) as { accounts: { [address: string]: { storage: { [slot: string]: string } } } }
      return accounts[address.toLowerCase()]?.storage ?? {}
    },
  }
}

type Scratch = ReturnType<typeof onChain>

/** Byte offsets of a value that a constructor put into the code as a word. */
const offsetsOf = (code: string, value: string): readonly number[] => {
  const wanted = value.toLowerCase().slice(2)
  const offsets: number[] = []
  for (let at = code.indexOf(wanted); at !== -1; at = code.indexOf(wanted, at + 1)) if (at % 2 === 0) offsets.push(at / 2 - 1)
  if (offsets.length === 0) throw new Error(`the code does not hold ${value}`)
  return offsets
}

const replaced = (code: string, value: string, by: string): string => {
  offsetsOf(code, pad(value as Hex))
  return code.replaceAll(
    pad(value as Hex)
      .slice(2)
      .toLowerCase(),
    pad(by as Hex)
      .slice(2)
      .toLowerCase(),
  )
}

type Kept = {
  readonly origin: string
  readonly license: string
  readonly runtimeCode: string
  readonly immutables?: { readonly [name: string]: readonly number[] }
  readonly storage?: { readonly [slot: string]: string }
}

const keep = (contract: string, { origin, ...kept }: Kept): void =>
  writeFileSync(
    new URL(`${contract}.json`, TARGET),
    `${JSON.stringify({ contract, origin: `npm ${origin}`, ...kept }, null, 2)}\n`,
  )

/** One implementation for all chains: those of the others differ in how they talk to Ethereum, which happens nowhere here. */
const copySpokePool = async (scratch: Scratch, read: (name: string) => Artifact): Promise<void> => {
  const pool = read('Ethereum_SpokePool')
  const gateway = pad('0x0', { size: 20 })
  const { address, code } = await scratch.deploy(pool, [ANY_WRAPPED_NATIVE, QUOTE_TIME_BUFFER, FILL_DEADLINE_BUFFER, gateway])
  const initialize = encodeFunctionData({ abi: pool.abi, functionName: 'initialize', args: [FIRST_DEPOSIT_ID, DEPLOYER] })
  const proxy = await scratch.deploy(read('ERC1967Proxy'), [address, initialize])
  // What stands behind the proxy goes to the proxy's address itself: no pointer to it is needed.
  const storage = Object.entries(await scratch.storage(proxy)).filter(([, value]) => slice(value as Hex, 12) !== address)
  keep('SpokePool', {
    origin: `${ACROSS.spec}, Ethereum_SpokePool`,
    license: 'BUSL-1.1',
    runtimeCode: code,
    immutables: { wrappedNative: offsetsOf(code, pad(ANY_WRAPPED_NATIVE)) },
    storage: Object.fromEntries(storage),
  })
}

const copyAcross = async (scratch: Scratch, directory: string): Promise<void> => {
  const read = (name: string) => artifactAt(directory, 'dist/evm/artifacts', `${name}.sol`, `${name}.json`)
  await copySpokePool(scratch, read)
  const origin = (name: string) => ({ origin: `${ACROSS.spec}, ${name}`, license: 'GPL-3.0-or-later' })
  const handler = await scratch.deploy(read('MulticallHandler'))
  const storage = await scratch.storage(handler)
  keep('MulticallHandler', { ...origin('MulticallHandler'), license: 'GPL-3.0-only', runtimeCode: handler.code, storage })
  const artifact = read('SpokePoolPeriphery')
  const periphery = await scratch.deploy(artifact, [PERMIT2, MULTICALL3])
  const swapProxy = await scratch.at(slice(await scratch.read(periphery, artifact, 'swapProxy'), 12))
  keep('SpokePoolPeriphery', {
    ...origin('SpokePoolPeriphery'),
    runtimeCode: periphery.code,
    immutables: { swapProxy: offsetsOf(periphery.code, pad(swapProxy.address)) },
    storage: await scratch.storage(periphery),
  })
  keep('SwapProxy', { ...origin('SwapProxy'), runtimeCode: swapProxy.code, storage: await scratch.storage(swapProxy) })
}

/** Where the messages of deposits that were swapped first say so. */
const copyEventEmitter = async (scratch: Scratch, directory: string): Promise<void> => {
  const artifact = artifactAt(directory, 'dist/evm/artifacts/AcrossEventEmitter.sol/AcrossEventEmitter.json')
  const { code } = await scratch.deploy(artifact)
  keep('AcrossEventEmitter', { origin: `${ACROSS.spec}, AcrossEventEmitter`, license: 'BUSL-1.1', runtimeCode: code })
}

const copyCow = async (scratch: Scratch, directory: string): Promise<void> => {
  const read = (name: string) => artifactAt(directory, 'lib/contracts', `${name}.json`)
  const origin = (name: string) => ({ origin: `${COW.spec}, ${name}`, license: 'LGPL-3.0-or-later' })
  const artifact = read('GPv2Settlement')
  const settlement = await scratch.deploy(artifact, [AUTHENTICATOR, BALANCER_VAULT])
  const relayer = await scratch.at(slice(await scratch.read(settlement, artifact, 'vaultRelayer'), 12))
  keep('GPv2Settlement', {
    ...origin('GPv2Settlement'),
    runtimeCode: replaced(settlement.code, relayer.address, VAULT_RELAYER),
    immutables: { domainSeparator: offsetsOf(settlement.code, await scratch.read(settlement, artifact, 'domainSeparator')) },
    storage: await scratch.storage(settlement),
  })
  keep('GPv2VaultRelayer', {
    ...origin('GPv2VaultRelayer'),
    runtimeCode: replaced(relayer.code, settlement.address, SETTLEMENT),
  })
  const authentication = read('GPv2AllowListAuthentication')
  const list = await scratch.deploy(authentication)
  await scratch.send(list, authentication, 'initializeManager', [DEPLOYER])
  await scratch.send(list, authentication, 'addSolver', [COW_SOLVER])
  keep('GPv2AllowListAuthentication', {
    ...origin('GPv2AllowListAuthentication'),
    runtimeCode: list.code,
    storage: await scratch.storage(list),
  })
}

const main = async (): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'contracts-'))
  // The periphery only looks whether there is something.
  const accounts = [PERMIT2, MULTICALL3].map((address) => ({ address, code: '0x00' }))
  const node = await startAnvil({ chainId: 1, timestampMs: Date.now(), accounts })
  try {
    const scratch = onChain(node)
    const across = unpack(ACROSS, directory)
    await copyAcross(scratch, across)
    await copyCow(scratch, unpack(COW, directory))
    await copyEventEmitter(scratch, across)
  } finally {
    await node.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

await main()
