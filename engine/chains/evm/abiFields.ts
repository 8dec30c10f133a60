import type { Abi, AbiEvent, AbiFunction, AbiParameter, AbiParameterToPrimitiveType } from 'abitype'
import type { Address } from '../../core/address.ts'

type Struct<P extends readonly AbiParameter[]> = { readonly [field in P[number] as field['name'] & string]: Field<field> }

type Field<P extends AbiParameter> = P extends { readonly type: 'address' }
  ? Address
  : P extends { readonly type: 'address[]' }
    ? readonly Address[]
    : P extends { readonly type: 'tuple'; readonly components: infer C extends readonly AbiParameter[] }
      ? Struct<C>
      : AbiParameterToPrimitiveType<P>

/** The fields of the one event of an ABI, by their names there: addresses as `Address` spells them, bytes in lower case. */
export type EventOf<A extends Abi> = Struct<Extract<A[number], AbiEvent>['inputs']>

/** The arguments of the one function of an ABI, likewise. */
export type CallOf<A extends Abi> = Struct<Extract<A[number], AbiFunction>['inputs']>

/** Arguments in their order, by the names that the one function of `abi` has for them. */
export const namedArguments = <const A extends Abi>(abi: A, args: readonly unknown[]): CallOf<A> => {
  const inputs = abi.flatMap((item) => (item.type === 'function' ? item.inputs : []))
  return Object.fromEntries(inputs.map(({ name = '' }, i) => [name, args[i]])) as CallOf<A>
}
