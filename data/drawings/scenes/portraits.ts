/** The team, seen against the light: shape and colour instead of faces. */
import {
  type Frame,
  type Rgb,
  blend,
  fill,
  frame,
  hex,
  light,
  mask,
  over,
  times,
  vector,
} from '../frame.ts'
import { bloom, blur, blurMask, rim } from '../blur.ts'
import { bokeh, glow, plume, puff } from '../effects.ts'
import { smooth } from '../noise.ts'
import type { Scene } from './scene.ts'

interface Sitter {
  id: string
  seed: number
  left: Rgb
  right: Rgb
  back: Rgb
  /** SVG drawn over the common bust; the head's middle is (800, 720), its half size 190 by 250. */
  extra: string
  /** Parts with a light of their own: glasses, a badge, a headset lamp. */
  sparkle?: string
  shoulders: number
  jaw: number
}

const neck = (shoulders: number, jaw: number): string =>
  `<path d="M800 470C915 470 985 560 985 690C985 ${770 + jaw} ${935 + jaw * 0.3} ${885 + jaw} 870 ${945 + jaw}Q800 ${985 + jaw} 730 ${945 + jaw}C${665 - jaw * 0.3} ${885 + jaw} 615 ${770 + jaw} 615 690C615 560 685 470 800 470Z"/>` +
  `<path d="M602 690q-24-18-26 22q2 62 40 70zM998 690q24-18 26 22q-2 62-40 70z"/>` +
  `<path d="M700 860H900L904 1010C912 1066 990 1092 ${800 + shoulders * 0.62} 1120C${800 + shoulders * 0.92} 1160 ${800 + shoulders} 1260 ${800 + shoulders} 1480V2100H${800 - shoulders}V1480C${800 - shoulders} 1260 ${800 - shoulders * 0.92} 1160 ${800 - shoulders * 0.62} 1120C610 1092 688 1066 696 1010Z"/>`

const sitters: readonly Sitter[] = [
  {
    id: 'portrait-aino',
    seed: 1,
    left: hex('#ff5a2a', 2.4),
    right: hex('#8fc4ef', 2),
    back: hex('#3a1a14'),
    shoulders: 430,
    jaw: -14,
    extra:
      '<path d="M800 430C950 424 1030 540 1024 700C1020 740 1010 760 1000 780C990 640 930 590 800 590C670 590 610 640 600 780C590 760 580 740 576 700C570 540 650 424 800 430Z"/><path d="M905 462q120-60 190 20q80 110 40 290q-20 140-70 190q10-120-10-210q-10-160-110-240z"/><path d="M690 1050q110 90 220 0l40 70q-150 110-300 0z"/>',
    sparkle: '<circle cx="1024" cy="790" r="7"/>',
  },
  {
    id: 'portrait-elias',
    seed: 2,
    left: hex('#8fc4ef', 2.2),
    right: hex('#ff8a3c', 2.2),
    back: hex('#14202f'),
    shoulders: 520,
    jaw: 12,
    extra:
      '<path d="M600 640C590 470 690 396 800 396C910 396 1010 470 1000 640C900 606 700 606 600 640Z"/><path d="M590 622q210-58 420 0v70q-210-58-420 0z"/><path d="M618 790q10 170 90 200q92 40 184 0q80-30 90-200q-40 90-182 84q-142 6-182-84z"/><path d="M640 1070q160 120 320 0l50 60q-210 150-420 0z"/>',
  },
  {
    id: 'portrait-saara',
    seed: 3,
    left: hex('#ffb25a', 2.2),
    right: hex('#ff4d23', 2.2),
    back: hex('#2c1c10'),
    shoulders: 420,
    jaw: -18,
    extra:
      '<path d="M800 424C960 420 1050 530 1052 700C1056 830 1050 930 1030 1010Q960 1040 930 1000C970 900 990 780 968 660C900 640 760 610 700 560C660 620 634 700 634 790C634 880 650 950 672 1000Q640 1040 570 1010C550 930 544 830 548 700C550 530 640 420 800 424Z"/><path d="M680 1040q120 70 240 0l10 70q-130 70-260 0z"/>',
  },
  {
    id: 'portrait-mikael',
    seed: 4,
    left: hex('#7fb9d8', 2.2),
    right: hex('#cfe4ff', 1.8),
    back: hex('#101c2c'),
    shoulders: 505,
    jaw: 6,
    extra:
      '<path d="M612 660C590 500 670 420 800 424C940 420 1010 500 988 660C980 600 950 566 900 560C840 590 700 570 660 566C630 590 618 620 612 660Z"/><path d="M672 1050l128 160 128-160 66 50-134 200h-120l-134-200z"/>',
    sparkle:
      '<g fill="none" stroke="#000" stroke-width="9"><rect x="640" y="668" width="132" height="92" rx="34"/><rect x="828" y="668" width="132" height="92" rx="34"/><path d="M772 700q28-20 56 0"/></g>',
  },
  {
    id: 'portrait-noora',
    seed: 5,
    left: hex('#ff4d23', 2.4),
    right: hex('#ffb25a', 2),
    back: hex('#30140e'),
    shoulders: 425,
    jaw: -12,
    extra:
      '<circle cx="815" cy="392" r="98"/><path d="M800 440C940 436 1010 540 1000 690C980 610 920 560 800 560C680 560 620 610 600 690C590 540 660 436 800 440Z"/><path d="M590 690q-6-240 210-250q216 10 210 250" fill="none" stroke="#000" stroke-width="30"/><rect x="556" y="660" width="76" height="150" rx="34"/><rect x="968" y="660" width="76" height="150" rx="34"/><path d="M590 800q10 130 120 150" fill="none" stroke="#000" stroke-width="13" stroke-linecap="round"/><rect x="690" y="930" width="62" height="34" rx="17"/>',
    sparkle: '<circle cx="1006" cy="735" r="9"/>',
  },
  {
    id: 'portrait-oskari',
    seed: 6,
    left: hex('#9cc6ef', 2.2),
    right: hex('#ff5a2a', 2.4),
    back: hex('#152232'),
    shoulders: 500,
    jaw: 4,
    extra:
      '<path d="M606 640C590 480 690 408 800 408C910 408 1010 480 994 640Z"/><path d="M600 610q200-76 400 0l16 34q90 10 150 56q-20 26-90 16q-140-46-476-52z"/><path d="M520 1250q120-80 170-150l40 40q-70 110-160 190zM1080 1250q-120-80-170-150l-40 40q70 110 160 190z"/><path d="M610 1240l60 310h260l60-310" fill="none" stroke="#000" stroke-width="34"/><path d="M665 1480h270v130h-270z"/><circle cx="800" cy="1540" r="92"/>',
    sparkle: '<circle cx="800" cy="1540" r="60" fill="none" stroke="#000" stroke-width="5"/>',
  },
]

async function portrait(s: Sitter): Promise<Frame> {
  const f = frame(1600, 2000)
  fill(f, (x, y) =>
    blend(hex('#06080c'), s.back, smooth(1300, 100, Math.hypot(x - 800, (y - 760) * 0.85))),
  )
  bokeh(f, s.seed * 7, 34, (roll) => ({
    x: roll() * 1600,
    y: roll() * 1500,
    r: 26 + roll() * 90,
    colour: times(blend(s.left, s.right, Math.round(roll())), 0.008 + roll() * 0.035),
  }))
  light(f, plume(f, puff(800, 900, 1100, 900), 460, s.seed * 3), blend(s.left, s.right, 0.5), 0.05)
  glow(f, 300, 700, 330, 700, times(s.left, 0.11))
  glow(f, 1300, 700, 330, 700, times(s.right, 0.11))
  blur(f, 5)
  // Moved closer, with air left above the hair.
  const move = (svg: string): string => `<g transform="translate(-200 -210) scale(1.25)">${svg}</g>`
  const shape = await vector(
    f,
    move(`<g stroke-linejoin="round">${neck(s.shoulders, s.jaw)}${s.extra}</g>`),
  )
  over(f, shape, hex('#07080b'))
  // Wide soft edges round the form, narrow hot ones draw the hair.
  for (const [dx, colour] of [
    [-1, s.left],
    [1, s.right],
  ] as const) {
    light(f, rim(f, shape, dx * 70, -14, 34), colour, 0.2)
    light(f, rim(f, shape, dx * 24, -10, 11), colour, 0.42)
    light(f, rim(f, shape, dx * 7, -4, 2.5), colour, 0.9)
  }
  // Inner outlines of hair, collar and straps catch a little of the same light.
  const inner = await vector(f, move(s.extra))
  light(f, rim(f, inner, -9, 6, 4), s.left, 0.16)
  light(f, rim(f, inner, 9, 6, 4), s.right, 0.16)
  if (s.sparkle) {
    const spark = await vector(f, move(s.sparkle))
    light(f, blurMask(f, spark, 1.4), blend(s.left, s.right, 0.6), 0.7)
  }
  const floor = mask(f, (_x, y) => smooth(1500, 2050, y))
  over(f, floor, hex('#050609'), 0.8)
  bloom(f, 0.34, 0.7, 110)
  return f
}

export const portraits: readonly Scene[] = sitters.map((s) => ({
  id: s.id,
  paint: () => portrait(s),
  grade: { exposure: 1.1, saturation: 1.08, vignette: 0.3 },
}))
