import { readFile } from 'node:fs/promises'
import { createRequire, findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'

/** Creation code as compilers put it into their artifacts, hex with 0x, by the contract's name there. */
export type CreationCode = { readonly [contract in keyof typeof FILES | 'Multicall3']: string }

const ACROSS = '@across-protocol/contracts'
const COW = '@cowprotocol/contracts'
const UNISWAPX = '@uniswap/uniswapx-sdk'

const acrossFile = (contract: string) => [ACROSS, `dist/evm/artifacts/${contract}.sol/${contract}.json`] as const
const cowFile = (contract: string) => [COW, `lib/contracts/${contract}.json`] as const
const uniswapxFile = (contract: string) => [UNISWAPX, `dist/cjs/src/contracts/factories/${contract}__factory.js`] as const

/**
 * One SpokePool for all chains: those of the others differ in how they talk to Ethereum, which happens nowhere here.
 * Licences: BUSL-1.1 and GPL-3.0 in Across's package, LGPL-3.0 in CoW's, MIT for the others.
 */
const FILES = {
  AcrossEventEmitter: acrossFile('AcrossEventEmitter'),
  ERC1967Proxy: acrossFile('ERC1967Proxy'),
  Ethereum_SpokePool: acrossFile('Ethereum_SpokePool'),
  MulticallHandler: acrossFile('MulticallHandler'),
  SpokePoolPeriphery: acrossFile('SpokePoolPeriphery'),
  GPv2AllowListAuthentication: cowFile('GPv2AllowListAuthentication'),
  GPv2Settlement: cowFile('GPv2Settlement'),
  Permit2: uniswapxFile('Permit2'),
  PriorityOrderReactor: uniswapxFile('PriorityOrderReactor'),
  V2DutchOrderReactor: uniswapxFile('V2DutchOrderReactor'),
  V3DutchOrderReactor: uniswapxFile('V3DutchOrderReactor'),
} as const

const resolveFrom = createRequire(import.meta.url)

const folderOf = (name: string): string => dirname(findPackageJSON(name, import.meta.url) ?? '')

const codeAt = async ([name, file]: readonly [string, string]): Promise<string> => {
  // A field of JSON, or a constant of a script. Loading the script would load ethers.
  const [, bytecode] =
    /bytecode"?(?::| =)\s*"(0x(?:[0-9a-f]{2})+)"/i.exec(await readFile(join(folderOf(name), file), 'utf8')) ?? []
  if (bytecode === undefined) throw new Error(`${name} has no code in ${file}`)
  return bytecode.toLowerCase()
}

/** viem carries it among its constants, which its front does not export. */
const multicall3Code = (): string => {
  const { multicall3Bytecode } = resolveFrom(join(folderOf('viem'), '_cjs/constants/contracts.js')) as {
    multicall3Bytecode?: unknown
  }
  if (typeof multicall3Bytecode !== 'string') throw new Error('viem has no code of Multicall3')
  return multicall3Bytecode
}

/** What the installed packages hold. */
export const readPackages = async (): Promise<CreationCode> => {
  const read = Object.entries(FILES).map(async ([contract, file]) => [contract, await codeAt(file)] as const)
  return { ...Object.fromEntries(await Promise.all(read)), Multicall3: multicall3Code() } as CreationCode
}
