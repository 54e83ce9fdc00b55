import { isCameraRaw } from '../../images/content-kind.ts'
import { kindOf } from '../../transfers/file-kinds.ts'
import type { Folder } from '../schema.ts'

/**
 * How clients see a file other than its sender would expect; null for as expected.
 * @param isUnshown whether it's a picture that can't be shown: too large, or damaged
 */
export function seenAs(
  name: string,
  { keepLocation }: Pick<Folder, 'keepLocation'>,
  isUnshown: boolean,
): 'held back' | 'name alone' | null {
  const { kind, type } = kindOf(name)
  if (isCameraRaw(type) && !keepLocation) return 'held back'
  const isPhoto = isCameraRaw(type) || type.startsWith('image/')
  return isUnshown || (isPhoto && kind !== 'image') ? 'name alone' : null
}
