/**
 * Compiles the offline network's own contracts into engine/simnet/contracts, which is committed: nothing compiles at run
 * time. Run after every change: npm run contracts
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
  'SimHubPool.sol': ['SimHubPool'],
  'SimSwapRouter.sol': ['SimSwapRouter'],
  'SimChainflipVault.sol': ['SimChainflipVault'],
  'SimKyberSwap.sol': ['SimKyberRouter', 'SimKyberExecutor'],
  'SimRelayDepository.sol': ['SimRelayDepository'],
  'SimRelayRouter.sol': ['SimRelayRouter'],
  'SimSettler.sol': ['SimAllowanceHolder', 'SimSettler', 'SimSettlerMetaTxn', 'SimSettlerRegistry'],
  'SimLiFi.sol': ['SimLiFiDiamond', 'SimFeeForwarder', 'SimLiFiExchange', 'SimLiFiSettler'],
  'SimDln.sol': ['SimDlnSource', 'SimDlnDestination', 'SimDlnForwarder'],
  'SimMayan.sol': ['SimMayanRouter', 'SimMayanForwarder', 'SimMayanSwift', 'SimMayanFills'],
  'SimThorRouter.sol': ['SimThorRouter'],
  'SimBebop.sol': ['SimJamSettlement', 'SimJamBalanceManager', 'SimBebopSettlement', 'SimBebopRouter'],
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

mkdirSync(TARGET, { recursive: true })
for (const [source, names] of Object.entries(SOURCES)) compile(source, names)
