import type { Hex, TypedData, TypedDataField } from '../../core/execution.ts'
import { hashTypedData } from './evmCodec.ts'

/** The fields of a struct, in Solidity: `address token, uint256 amount`. */
export const typedFields = (solidity: string): readonly TypedDataField[] =>
  solidity.split(', ').map((field) => {
    const [type = '', name = ''] = field.split(' ')
    return { name, type }
  })

/** EIP-712 typed data of one kind: its types, the one that it begins with, and the fields of its domain. */
export type TypedKind = Pick<TypedData, 'types' | 'primaryType'> & { readonly domain: readonly string[] }

/** `structs`: by name, each by its fields in Solidity, the type of the domain among them where it is written out. */
export const typedKind = (primaryType: string, domain: string, structs: { readonly [name: string]: string }): TypedKind => ({
  primaryType,
  domain: typedFields(domain).map(({ name }) => name),
  types: Object.fromEntries(Object.entries(structs).map(([name, fields]) => [name, typedFields(fields)])),
})

const isSameType = (one: readonly TypedDataField[], other: readonly TypedDataField[] | undefined): boolean =>
  one.length === other?.length && one.every(({ name, type }, at) => name === other[at]?.name && type === other[at]?.type)

/** Whether typed data is of a kind, with nothing beside it. */
export const isTypedAs = ({ types, primaryType, domain }: TypedData, kind: TypedKind): boolean => {
  const given = Object.entries(domain).filter(([, value]) => value !== undefined)
  return (
    primaryType === kind.primaryType &&
    Object.keys(types).length === Object.keys(kind.types).length &&
    Object.entries(kind.types).every(([name, type]) => isSameType(type, types[name])) &&
    given.length === kind.domain.length &&
    given.every(([name]) => kind.domain.includes(name))
  )
}

/** What a wallet signs by typed data of a kind; null for other typed data, and for a value that does not fit its type. */
export const hashTypedAs = async (typedData: TypedData, kind: TypedKind): Promise<Hex | null> =>
  isTypedAs(typedData, kind) ? hashTypedData(typedData).catch(() => null) : null
