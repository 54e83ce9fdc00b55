import type { ProductData } from './product-data.ts'

type Wall = NonNullable<ProductData['variants'][number]['wall']>

/** Centimetres of a frame's wood, of the mat in it, and of a white edge of paper. */
const wood = 2
const paper = 2
const matShare = 0.11

const woods = { oak: '#b98d55', walnut: '#5b3d28', black: '#17181a' } as const

/** Where the middle of a print hangs, in centimetres from the top of the drawing. */
const eye = 112

/**
 * A print on a wall over a sofa of 190 centimetres, all in proportion: a unit of the drawing is a
 * centimetre.
 * @param props `isSmall` draws it without the picture, as a sketch
 */
export function Room({
  wall: { width, height, frame, src },
  isSmall = false,
}: {
  wall: Wall
  isSmall?: boolean
}) {
  const colour = frame === 'none' || frame === 'paper' ? null : woods[frame]
  const edge = colour ? wood : 0
  const white = colour ? Math.min(width, height) * matShare : frame === 'paper' ? paper : 0
  const inset = edge + white
  const [x, y] = [120 - width / 2, eye - height / 2]
  const box = (by: number) => ({
    x: x + by,
    y: y + by,
    width: width - 2 * by,
    height: height - 2 * by,
  })
  return (
    <svg viewBox="0 0 240 300" width="100%" height="100%" aria-hidden="true">
      <path d="M0 0h240v252H0z" fill="currentColor" opacity=".08" />
      <path d="M0 252h240v48H0z" fill="currentColor" opacity=".14" />
      <rect {...box(-1)} y={y + 1.5} opacity=".25" />
      <rect {...box(0)} fill={colour ?? '#fdfcf9'} />
      {colour && <rect {...box(edge)} fill="#fdfcf9" />}
      {isSmall ? (
        <rect {...box(inset)} fill="#ff4f1f" />
      ) : (
        <image {...box(inset)} href={src} preserveAspectRatio="xMidYMid slice" />
      )}
      <g fill="currentColor">
        <path
          opacity=".3"
          d="M25 226v-26q0-7 7-7h4v-18q0-6 6-6h156q6 0 6 6v18h4q7 0 7 7v26zM34 226h5v12h-5zm167 0h5v12h-5z"
        />
        <path opacity=".22" d="M41 196h77v17H41zm81 0h77v17h-77z" />
      </g>
    </svg>
  )
}
