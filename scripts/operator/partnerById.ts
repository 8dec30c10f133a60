import type { Partner } from '../../engine/store/partners.ts'
import type { Store } from '../../engine/store/store.ts'
import { notFound } from './operatorError.ts'

export const partnerById = async ({ partners }: Pick<Store, 'partners'>, id: string): Promise<Partner> => {
  const partner = await partners.byId(id)
  if (partner === null) throw notFound(`There is no partner ${id}.`)
  return partner
}
