/**
 * Compiles the offline network's contracts into engine/simnet/contracts, which is committed: nothing compiles at run
 * time. Run after every change: node scripts/contracts/compile.ts
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

type Solc = { compile(input: string): string; version(): string }
type Compiled = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: {
    readonly [file: string]: {
      readonly [name: string]: { readonly evm: { readonly deployedBytecode: { readonly object: string } } }
    }
  }
}

const SOURCES: { readonly [source: string]: readonly string[] } = {
  'SimTokens.sol': ['SimToken', 'SimFeeToken', 'SimBytes32Token', 'SimTetherToken', 'SimWrappedNative', 'SimFiatToken'],
  'SimEthFlow.sol': ['SimEthFlow'],
  'SimSwapRouter.sol': ['SimSwapRouter'],
  'SimRelayDepository.sol': ['SimRelayDepository'],
}
const TARGET = new URL('../../engine/simnet/contracts/', import.meta.url)

const write = (name: string, origin: string, code: string): void =>
  writeFileSync(
    new URL(`${name}.json`, TARGET),
    `${JSON.stringify({ contract: name, origin, runtimeCode: `0x${code}` }, null, 2)}\n`,
  )

const compile = (source: string, names: readonly string[]): void => {
  const solc = createRequire(import.meta.url)('solc') as Solc
  const input = {
    language: 'Solidity',
    sources: { [source]: { content: readFileSync(new URL(source, import.meta.url), 'utf8') } },
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'paris',
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
    },
  }
  const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as Compiled
  const problems = errors.map(({ formattedMessage }) => formattedMessage)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  for (const name of names) {
    const code = contracts[source]?.[name]?.evm.deployedBytecode.object
    if (!code) throw new Error(`${name} was not compiled`)
    write(name, `scripts/contracts/${source}, solc ${solc.version()}`, code)
  }
}

/** viem carries Multicall3's creation code: a fixed prefix that returns everything after it. */
const copyMulticall3 = async (): Promise<void> => {
  const constants = new URL('./constants/contracts.js', import.meta.resolve('viem'))
  const { multicall3Bytecode } = (await import(constants.href)) as { multicall3Bytecode: string }
  const prefix = /^0x608060405234801561001057600080fd5b5061([0-9a-f]{4})806100206000396000f3fe/.exec(multicall3Bytecode)
  const runtimeCode = multicall3Bytecode.slice(prefix?.[0].length)
  if (!prefix || runtimeCode.length !== 2 * Number.parseInt(prefix[1] ?? '', 16))
    throw new Error('Multicall3 creation code has another form')
  write('Multicall3', 'viem, MIT: https://github.com/mds1/multicall3', runtimeCode)
}

mkdirSync(TARGET, { recursive: true })
for (const [source, names] of Object.entries(SOURCES)) compile(source, names)
await copyMulticall3()
