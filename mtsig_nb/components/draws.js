// Resamples of one pair of systems: the package's own draws, and the differences that they make.
//
// Resamples are made in blocks of 500, each from a PCG64 stream whose state and increment Python has
// written down (mtsig_nb/engine/resampling.py); statistics are whole multiples of a quantum, so that
// their sums are exact in any order.  So p is the package's, to the last digit.  Of a resample only
// its difference is kept: from its number it can be made again.

export const BLOCK = 500;
const TWO_32 = 2 ** 32;

/** The upper 32 bits of the product of two 32-bit numbers. */
function upperProduct(a, b) {
  const lowA = a & 0xffff;
  const highA = a >>> 16;
  const lowB = b & 0xffff;
  const highB = b >>> 16;
  const first = Math.imul(highA, lowB) + (Math.imul(lowA, lowB) >>> 16);
  const second = Math.imul(lowA, highB) + (first & 0xffff);
  return (Math.imul(highA, highB) + (first >>> 16) + (second >>> 16)) >>> 0;
}

const lowerProduct = (a, b) => Math.imul(a, b) >>> 0;

/** The four 32-bit parts of a number of 128 bits, the lowest first. */
function partsOf(number) {
  return [0n, 32n, 64n, 96n].map((shift) => Number((number >> shift) & 0xffffffffn));
}

const MULTIPLIER = partsOf(47026247687942121848144207491837523525n);

/** 64-bit words of NumPy's PCG64 (XSL-RR 128/64), as 32-bit halves, the lower first. */
class Words {
  constructor({ state, inc }) {
    this.state = partsOf(BigInt(state));
    this.inc = partsOf(BigInt(inc));
  }

  /** Put the next words into `halves`, from its beginning: as many as it has room for. */
  fill(halves) {
    const [m0, m1, m2, m3] = MULTIPLIER;
    const [inc0, inc1, inc2, inc3] = this.inc;
    let [s0, s1, s2, s3] = this.state;
    for (let place = 0; place + 1 < halves.length; place += 2) {
      // state = state * multiplier + inc, as by hand; sums of a few 32-bit numbers are exact.
      const sum0 = lowerProduct(s0, m0) + inc0;
      const sum1 =
        upperProduct(s0, m0) + lowerProduct(s0, m1) + lowerProduct(s1, m0) + inc1 + (sum0 >= TWO_32 ? 1 : 0);
      const sum2 =
        upperProduct(s0, m1) +
        upperProduct(s1, m0) +
        lowerProduct(s0, m2) +
        lowerProduct(s1, m1) +
        lowerProduct(s2, m0) +
        inc2 +
        Math.floor(sum1 / TWO_32);
      const sum3 =
        upperProduct(s0, m2) +
        upperProduct(s1, m1) +
        upperProduct(s2, m0) +
        Math.imul(s0, m3) +
        Math.imul(s1, m2) +
        Math.imul(s2, m1) +
        Math.imul(s3, m0) +
        inc3 +
        Math.floor(sum2 / TWO_32);
      s0 = sum0 >>> 0;
      s1 = sum1 >>> 0;
      s2 = sum2 >>> 0;
      s3 = sum3 >>> 0;
      // The two halves of the state are mixed, and turned by the uppermost six bits.
      const turn = s3 >>> 26;
      const isSwapped = turn >= 32;
      const lower = isSwapped ? s3 ^ s1 : s2 ^ s0;
      const upper = isSwapped ? s2 ^ s0 : s3 ^ s1;
      const bits = turn & 31;
      halves[place] = (lower >>> bits) | ((upper << 1) << (31 - bits));
      halves[place + 1] = (upper >>> bits) | ((lower << 1) << (31 - bits));
    }
    this.state = [s0, s1, s2, s3];
  }
}

/** Rows of coins, a bit for each unit: 1 keeps the unit's outputs in place, 0 exchanges them. */
export class Coins {
  constructor(stream, nUnits) {
    this.words = new Words(stream);
    this.row = Coins.all(nUnits);
  }

  /** A row that keeps everything in place. */
  static all(nUnits) {
    return new Uint32Array(2 * Math.ceil(nUnits / 64)).fill(0xffffffff);
  }

  static timesOf(row, unit) {
    return (row[unit >>> 5] >>> (unit & 31)) & 1;
  }

  static put(row, unit, isKept) {
    const bit = 1 << (unit & 31);
    if (isKept) row[unit >>> 5] |= bit;
    else row[unit >>> 5] &= ~bit;
  }

  next() {
    this.words.fill(this.row);
    return this.row;
  }
}

/** Rows of counts: how often each unit is drawn when as many are drawn, with replacement. */
class Counts {
  constructor(stream, nUnits) {
    this.words = new Words(stream);
    this.row = Counts.all(nUnits);
    // Rows follow each other closely: two of them are whole words.
    this.halves = new Uint32Array(2 * nUnits);
    this.isSecond = false;
  }

  /** A row that has each unit once. */
  static all(nUnits) {
    return new Uint16Array(nUnits).fill(1);
  }

  static timesOf(row, unit) {
    return row[unit];
  }

  next() {
    const { row, halves } = this;
    const n = row.length;
    if (!this.isSecond) this.words.fill(halves);
    const from = this.isSecond ? n : 0;
    const share = n / TWO_32;
    row.fill(0);
    for (let place = from; place < from + n; place++) row[(halves[place] * share) | 0] += 1;
    this.isSecond = !this.isSecond;
    return row;
  }
}

/**
 * Columns of whole numbers, several packed into one as if they were digits of a large base.
 *
 * Sums of the packed columns are sums of all of them, in fewer steps; as long as no sum reaches half
 * the base, and no packed sum 2 ** 53, they are exact.  Columns of fractions stay as they are.
 */
class PackedColumns {
  /** No sum of a column is larger than `largestSum`, in either direction. */
  constructor(columns, largestSum) {
    const areWhole = columns.every((values) => values.every(Number.isInteger));
    const bits = Math.ceil(Math.log2(largestSum + 1)) + 1;
    this.nTogether = areWhole ? Math.max(1, Math.floor(53 / bits)) : 1;
    this.base = 2 ** bits;
    this.columns = [];
    columns.forEach((values, column) => {
      const digit = column % this.nTogether;
      if (digit === 0) this.columns.push(new Float64Array(values.length));
      const packed = this.columns.at(-1);
      for (let unit = 0; unit < values.length; unit++) packed[unit] += values[unit] * this.base ** digit;
    });
    this.sums = new Float64Array(columns.length);
  }

  /** The sums of the columns, from those of the packed ones. */
  unpacked(packedSums) {
    const { sums, base, nTogether } = this;
    let rest = 0;
    for (let column = 0; column < sums.length; column++) {
      const digit = column % nTogether;
      if (digit === 0) rest = packedSums[column / nTogether];
      const upper = digit === nTogether - 1 ? 0 : Math.round(rest / base);
      sums[column] = rest - upper * base;
      rest = upper;
    }
    return sums;
  }
}

const sizeOf = (values) => values.reduce((sum, value) => sum + Math.abs(value), 0);
const largestOf = (values) => values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/** Sums of statistics over the units that coins keep in place. */
class KeptSums {
  /** `columns` has for each column the values of all units. */
  constructor(columns) {
    this.packing = new PackedColumns(columns, Math.max(0, ...columns.map(sizeOf)));
    const packed = this.packing.columns;
    this.packedSums = new Float64Array(packed.length);
    this.nGroups = Math.ceil((columns[0]?.length ?? 0) / 4);
    // Four units have sixteen ways to be kept, and each of them has its sums in a table.
    this.tables = new Float64Array(this.nGroups * 16 * packed.length);
    for (let group = 0, place = 0; group < this.nGroups; group++) {
      for (let coins = 0; coins < 16; coins++) {
        for (const values of packed) {
          for (let k = 0; k < 4; k++) {
            const isKept = (coins >> k) & 1;
            if (isKept) this.tables[place] += values[4 * group + k] ?? 0;
          }
          place += 1;
        }
      }
    }
  }

  over(row) {
    const { packedSums, tables, nGroups } = this;
    const width = packedSums.length;
    packedSums.fill(0);
    for (let group = 0; group < nGroups; group++) {
      const coins = (row[group >>> 3] >>> (4 * (group & 7))) & 15;
      let place = (16 * group + coins) * width;
      for (let column = 0; column < width; column++, place++) packedSums[column] += tables[place];
    }
    return this.packing.unpacked(packedSums);
  }
}

/** Sums of statistics over units, each as often as it is drawn. */
class WeightedSums {
  constructor(columns) {
    this.packing = new PackedColumns(columns, columns[0].length * Math.max(...columns.map(largestOf)));
    const packed = this.packing.columns;
    this.packedSums = new Float64Array(4 * Math.ceil(packed.length / 4));
    // Four columns at a time stand side by side, unit by unit.
    this.fours = [];
    packed.forEach((values, column) => {
      const k = column % 4;
      if (k === 0) this.fours.push(new Float64Array(4 * values.length));
      const four = this.fours.at(-1);
      values.forEach((value, unit) => {
        four[4 * unit + k] = value;
      });
    });
  }

  over(row) {
    this.fours.forEach((four, n) => this.overFour(row, four, 4 * n));
    return this.packing.unpacked(this.packedSums);
  }

  overFour(row, four, column) {
    let first = 0;
    let second = 0;
    let third = 0;
    let fourth = 0;
    for (let unit = 0, place = 0; unit < row.length; unit++, place += 4) {
      const times = row[unit];
      first += times * four[place];
      second += times * four[place + 1];
      third += times * four[place + 2];
      fourth += times * four[place + 3];
    }
    this.packedSums.set([first, second, third, fourth], column);
  }
}

/** The columns that differ from each other, and the place of every column among them. */
function distinct(columns) {
  const found = [];
  const places = columns.map((values) => {
    const place = found.findIndex((other) => other.every((value, unit) => value === values[unit]));
    return place < 0 ? found.push(values) - 1 : place;
  });
  return { found, places };
}

const SCORES = {
  mean: (sums) => (sums[1] > 0 ? sums[0] / sums[1] : 0),
  bleu(sums) {
    let product = 1;
    let halved = 1;
    let matches = 0;
    for (let n = 0; n < 4; n++) {
      const matched = sums[2 + n];
      const total = sums[6 + n];
      matches += matched;
      if (matched === 0) halved /= 2;
      product *= matched || halved;
      product = total > 0 ? product / total : 0;
    }
    if (matches === 0) return 0;
    return 100 * Math.sqrt(Math.sqrt(product)) * Math.exp(Math.min(0, 1 - sums[1] / sums[0]));
  },
};

function decoded({ type, text }) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const kinds = { uint8: Uint8Array, uint16: Uint16Array, float64: Float64Array };
  return new kinds[type](bytes.buffer);
}

/** The values of each column of an array that has them unit by unit. */
function columnsOf(values, width) {
  return Array.from({ length: width }, (_, column) =>
    Float64Array.from({ length: values.length / width }, (_, unit) => values[unit * width + column]),
  );
}

const totalOf = (columns) => Float64Array.from(columns, (values) => values.reduce((sum, value) => sum + value, 0));

/** One pair, on units of one kind, under one kind of resampling. */
export class Pair {
  constructor(view) {
    Object.assign(this, view);
    this.score = SCORES[view.formula];
    this.spread = view.spread ?? 1;
    this.rowKind = this.kind === "shuffle" ? Coins : Counts;
    this.differences = new Float64Array(this.blocks.length * BLOCK);
    this.luckiest = this.family ? new Float64Array(this.differences.length) : null;
    this.isReady = false;
    this.restart();
  }

  /** What makes resamples quick; only of pairs of which some are made. */
  prepare() {
    if (this.isReady) return;
    this.isReady = true;
    const a = decoded(this.a);
    this.width = a.length / this.n_units;
    const ofA = columnsOf(a, this.width);
    const ofB = columnsOf(decoded(this.b), this.width);
    this.totals = [totalOf(ofA), totalOf(ofB)];
    this.scratch = [new Float64Array(this.width), new Float64Array(this.width)];
    if (this.kind === "shuffle") {
      this.exchange = this.sumsOfDifferences([ofA], ofB);
    } else {
      const { found, places } = distinct([...ofA, ...ofB]);
      this.drawnSums = new WeightedSums(found);
      this.places = places;
    }
    if (this.family) {
      const systems = this.family.systems.map((values) => columnsOf(decoded(values), this.width));
      this.every = systems.map(totalOf);
      this.family.exchange = this.sumsOfDifferences(systems, systems[0]);
    }
  }

  /** What coins keep of how much more each of `systems` has than `other`, in columns that differ. */
  sumsOfDifferences(systems, other) {
    const more = systems.map((columns) =>
      columns.map((values, column) => values.map((value, unit) => value - other[column][unit])),
    );
    const columns = [...other.keys()].filter((column) =>
      more.some((ofSystem) => ofSystem[column].some((value) => value !== 0)),
    );
    const kept = new KeptSums(more.flatMap((ofSystem) => columns.map((column) => ofSystem[column])));
    return { columns, kept };
  }

  restart() {
    this.made = 0;
    this.rows = null;
    this.row = this.rowKind.all(this.n_units);
  }

  times(row, unit) {
    return this.rowKind.timesOf(row, unit);
  }

  /** The two sums of statistics that a row makes. */
  sumsOf(row) {
    this.prepare();
    const [first, second] = this.scratch;
    if (this.kind === "shuffle") {
      const { columns, kept } = this.exchange;
      this.swap(kept.over(row), 0, -1, columns, ...this.totals);
      return this.scratch;
    }
    const sums = this.drawnSums.over(row);
    for (let column = 0; column < this.width; column++) {
      first[column] = sums[this.places[column]];
      second[column] = sums[this.places[this.width + column]];
    }
    return this.scratch;
  }

  /**
   * Two systems of which the parts that coins keep stay, and the others change owners.
   *
   * `sums` has at `placeA` what is kept of the first less what is kept of some system, and at
   * `placeB` the same for the second; with a `placeB` of -1 the second is that system.
   */
  swap(sums, placeA, placeB, columns, allA, allB) {
    const [first, second] = this.scratch;
    first.set(allB);
    second.set(allA);
    for (let k = 0; k < columns.length; k++) {
      const keptMore = sums[placeA + k] - (placeB < 0 ? 0 : sums[placeB + k]);
      first[columns[k]] += keptMore;
      second[columns[k]] -= keptMore;
    }
  }

  difference([first, second]) {
    return this.direction * (this.score(first) - this.score(second));
  }

  /** The difference between the two systems that a row makes. */
  differenceOf(row) {
    return this.difference(this.sumsOf(row)) / this.spread;
  }

  /** The largest of all pairs' differences that a row makes, each in spreads of its own. */
  luckiestOf(row) {
    const { every, family } = this;
    const { columns, kept } = family.exchange;
    const sums = kept.over(row);
    let most = 0;
    let pair = 0;
    for (let a = 0; a < every.length; a++) {
      for (let b = a + 1; b < every.length; b++, pair++) {
        this.swap(sums, a * columns.length, b * columns.length, columns, every[a], every[b]);
        const size = Math.abs(this.difference(this.scratch));
        if (size > most * family.spreads[pair]) most = size / family.spreads[pair];
      }
    }
    return most;
  }

  rowsOfBlock(block) {
    return new this.rowKind(this.blocks[block], this.n_units);
  }

  toss() {
    if (this.made % BLOCK === 0) this.rows = this.rowsOfBlock(this.made / BLOCK);
    this.row = this.rows.next();
    this.differences[this.made] = this.differenceOf(this.row);
    if (this.family) this.luckiest[this.made] = this.luckiestOf(this.row);
    this.made += 1;
  }

  /** The row of a resample that was made before, by its number from 0. */
  rowOf(number) {
    const rows = this.rowsOfBlock(Math.floor(number / BLOCK));
    for (let n = 0; n < number % BLOCK; n++) rows.next();
    return rows.next();
  }

  /** The two scores that a row makes. */
  scoresOf(row) {
    return this.sumsOf(row).map(this.score);
  }

  get noun() {
    return this.kind === "shuffle" ? "shuffle" : "resample";
  }

  get left() {
    return this.differences.length - this.made;
  }
}
