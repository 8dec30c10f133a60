/** Removes keys that a caller put into another field by mistake, so that no record contains them. */
export const hideKeys = (text: string): string => text.replaceAll(/(swk_|swe_|whsec_)[\w-]+/g, '$1…')
