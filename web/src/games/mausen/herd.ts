/** Where the animals stand. The ring is 400 units wide; its pens are its quarters, clockwise from the elephants. */
import { kindOf, NOBODY, valueOf } from "./scene.ts";

export interface Beast {
  id: string; // the first mouse 2 in the middle is always the same, so that it keeps its place and can be seen to move
  card: number;
  seat: number; // whose it is, or NOBODY
  ghost: boolean; // only thought of
  x: number;
  y: number;
  size: number; // 1: as large as its value makes it
  more: number; // how many of the same card stand at this place; 0: it stands behind another
}

export const HEIGHT = [54, 66, 78, 92]; // by value, in units
const CROWD = 8; // so many find room in a pen; in larger crowds equals stand together
const HUB = 64;

interface Spot {
  r: number;
  x: number;
  y: number;
}

/** All animals: those in the middle, those just played, and one that might be. `room` keeps a place free for it. */
export function herd(middle: readonly number[], played: readonly number[], ghost: { card: number; seat: number } | null, room: boolean): Beast[] {
  const all = middle.flatMap((count, card) => {
    const seats = [...Array<number>(count).fill(NOBODY), ...played.flatMap((theirs, seat) => (theirs === card ? [seat] : []))];
    if (ghost?.card === card) seats.push(ghost.seat);
    return seats.map((seat, i) => ({ id: `${card}.${i}`, card, seat, ghost: ghost?.card === card && i === seats.length - 1, x: 0, y: 0, size: 1, more: 1 }));
  });
  for (const kind of [0, 1, 2, 3]) settle(all.filter(({ card }) => kindOf(card) === kind), kind, room);
  return all;
}

/** Finds a place for each in its pen. */
function settle(beasts: Beast[], kind: number, room: boolean) {
  const standing = beasts.filter(({ ghost }) => !ghost);
  const groups: Beast[][] = [];
  for (const beast of standing) {
    const same = standing.length > CROWD && beast.seat === NOBODY ? groups.find(([first]) => first!.card === beast.card && first!.seat === NOBODY) : undefined;
    if (same) same.push(beast);
    else groups.push([beast]);
  }
  const heights = groups.map(([first]) => HEIGHT[valueOf(first!.card) - 1]!);
  const { spots, size } = pack(room ? [...heights, HEIGHT[2]!] : heights, kind);
  groups.forEach((group, at) => group.forEach((beast, i) => Object.assign(beast, { x: spots[at]!.x + 3 * i, y: spots[at]!.y - 2 * i, size, more: i ? 0 : group.length })));
  const free = spots[groups.length];
  for (const beast of beasts) if (beast.ghost && free) Object.assign(beast, { x: free.x, y: free.y, size });
}

const centre = { x: 94, y: 108 };
const obstacles = [
  { left: 160, top: 16, right: 194, bottom: 62 }, // the arrow that leaves, and the one that comes in
  { left: 6, top: 158, right: 72, bottom: 194 },
];

/** The quarter of the elephants, turned to that of another animal. */
function turned({ x, y }: { x: number; y: number }, times: number) {
  for (let i = 0; i < times; i++) [x, y] = [400 - y, x];
  return { x, y };
}

/** Puts circles side by side in a pen, clear of arrows, hub and name; all as large as possible. */
function pack(heights: number[], kind: number): { spots: Spot[]; size: number } {
  const middle = turned(centre, kind);
  const walls = obstacles.map((wall) => {
    const [one, other] = [turned({ x: wall.left, y: wall.top }, kind), turned({ x: wall.right, y: wall.bottom }, kind)];
    return { left: Math.min(one.x, other.x), right: Math.max(one.x, other.x), top: Math.min(one.y, other.y), bottom: Math.max(one.y, other.y) };
  });
  const left = kind === 0 || kind === 3 ? 8 : 208;
  const top = kind < 2 ? 40 : 210; // names stand above the upper animals and below the lower ones
  const bottom = kind < 2 ? 190 : 354;
  const limits = (spot: Spot) => [
    { x: 200, y: 200, least: HUB + spot.r * 0.8 },
    ...walls.map((wall) => ({ x: clamp(spot.x, wall.left, wall.right), y: clamp(spot.y, wall.top, wall.bottom), least: spot.r * 0.8 })),
  ];
  for (let size = 1; ; size *= 0.94) {
    const spots = heights.map((height, i) => {
      const angle = i * 2.4 + kind;
      return { r: height * 0.47 * size + 5, x: middle.x + 14 * Math.sqrt(i) * Math.cos(angle), y: middle.y + 14 * Math.sqrt(i) * Math.sin(angle) };
    });
    for (let time = 0; time < 160; time++) {
      for (const spot of spots) {
        spot.x += (middle.x - spot.x) * 0.01;
        spot.y += (middle.y - spot.y) * 0.01;
      }
      spots.forEach((one, i) => spots.slice(i + 1).forEach((other) => apart(one, other)));
      for (const spot of spots) {
        for (const { x, y, least } of limits(spot)) away(spot, x, y, least);
        spot.x = clamp(spot.x, left + spot.r * 0.92, left + 184 - spot.r * 0.92);
        spot.y = clamp(spot.y, top + spot.r * 0.95, bottom - spot.r * 0.95);
      }
    }
    const tight = spots.some(
      (one, i) => limits(one).some(({ x, y, least }) => far(one, { x, y }) < least * 0.93) || spots.slice(i + 1).some((other) => far(one, other) < (one.r + other.r) * 0.93),
    );
    if (!tight || size < 0.35) return { spots, size };
  }
}

const far = (one: { x: number; y: number }, other: { x: number; y: number }) => Math.hypot(one.x - other.x, one.y - other.y);
const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));

function apart(one: Spot, other: Spot) {
  const [dx, dy] = [other.x - one.x || 0.1, other.y - one.y];
  const [now, least] = [Math.hypot(dx, dy), one.r + other.r];
  if (now >= least) return;
  const by = (least - now) / now / 2;
  one.x -= dx * by;
  one.y -= dy * by;
  other.x += dx * by;
  other.y += dy * by;
}

function away(spot: Spot, x: number, y: number, least: number) {
  const [dx, dy] = [spot.x - x, spot.y - y];
  const now = Math.hypot(dx, dy) || 0.1;
  if (now >= least) return;
  spot.x += (dx / now) * (least - now);
  spot.y += (dy / now) * (least - now);
}
