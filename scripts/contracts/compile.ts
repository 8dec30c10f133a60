/**
 * Compiles the offline network's own contracts into engine/simnet/contracts, which is committed: nothing compiles at run
 * time. Run after every change: npm run contracts
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { installJudges, JUDGES } from '../judges.ts'

type Solc = { compile(input: string): string; version(): string }
type Compiled = {
  readonly errors?: readonly { readonly formattedMessage: string }[]
  readonly contracts: {
    readonly [file: string]: {
      readonly [name: string]: { readonly evm: { readonly deployedBytecode: { readonly object: string } } }
    }
  }
}

const TARGET = new URL('../../engine/simnet/contracts/', import.meta.url)

installJudges()
const solc = createRequire(JUDGES)('solc') as Solc
const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.sol'))
const input = {
  language: 'Solidity',
  sources: Object.fromEntries(files.map((file) => [file, { content: readFileSync(new URL(file, import.meta.url), 'utf8') }])),
  settings: {
    optimizer: { enabled: true, runs: 200 },
    evmVersion: 'paris',
    metadata: { bytecodeHash: 'none', appendCBOR: false },
    outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
  },
}
const { errors = [], contracts } = JSON.parse(solc.compile(JSON.stringify(input))) as Compiled
if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
for (const [file, compiled] of Object.entries(contracts)) {
  for (const [contract, { evm }] of Object.entries(compiled)) {
    // An abstract contract has no code, and Kit.sol holds what the others include.
    const code = evm.deployedBytecode.object
    if (code === '' || file === 'Kit.sol') continue
    const artifact = { contract, origin: `scripts/contracts/${file}, solc ${solc.version()}`, runtimeCode: `0x${code}` }
    writeFileSync(new URL(`${contract}.json`, TARGET), `${JSON.stringify(artifact, null, 2)}\n`)
  }
}
