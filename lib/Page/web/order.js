// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which workgroup computes a tile, on which die, and when. The page evaluates no
// formula: the tool has, and hands over the workgroup of every tile as the
// differences from one tile to the next (32-bit, little endian), compressed.

/** The order of one kernel. `before` is the kernel as it came. */
class Order {
  constructor(data) {
    this.grid = data.grid;
    this.count = data.grid[0] * data.grid[1] * data.grid[2];
    this.dies = data.dies;
    this.chunk = data.chunk;
    this.workgroups = null; // of each tile, after; null: as before
    this.round = this.dies * this.chunk;
    this.lastTurn = this.turnOf(this.count - 1, true);
  }

  /** Reads `data.workgroups`, where there is one. */
  static async read(data) {
    const order = new Order(data);
    if (!data.workgroups) return order;
    const packed = Uint8Array.from(atob(data.workgroups), c => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    const workgroups = new Uint32Array(order.count);
    const reader = stream.getReader();
    let rest = new Uint8Array(0), at = 0, last = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      let bytes = value;
      if (rest.length) {
        bytes = new Uint8Array(rest.length + value.length);
        bytes.set(rest);
        bytes.set(value, rest.length);
      }
      const whole = bytes.length >> 2;
      const view = new DataView(bytes.buffer, bytes.byteOffset, whole * 4);
      for (let i = 0; i < whole; ++i) workgroups[at++] = last += view.getInt32(4 * i, true);
      rest = bytes.slice(whole * 4);
    }
    if (at !== order.count) throw new Error(`the mapping holds ${at} tiles of ${order.count}`);
    order.workgroups = workgroups;
    return order;
  }

  /** The linear id of the workgroup that computes a tile. */
  workgroupOf(tile, after) {
    return after && this.workgroups ? this.workgroups[tile] : tile;
  }
  dieOf(workgroup) {
    return Math.floor(workgroup / this.chunk) % this.dies;
  }
  /** How many workgroups the die was dealt before this one; `upper`: at most. */
  turnOf(workgroup, upper) {
    const inChunk = upper ? this.chunk - 1 : workgroup % this.chunk;
    return Math.floor(workgroup / this.round) * this.chunk + inChunk;
  }
  coordinates(id) {
    const [gx, gy] = this.grid;
    return [id % gx, Math.floor(id / gx) % gy, Math.floor(id / gx / gy)];
  }
  /** "(3, 4)", or "(3, 4, 0)" in a grid of three axes. */
  name(id) {
    const all = this.coordinates(id);
    const used = this.grid[2] > 1 ? 3 : this.grid[1] > 1 ? 2 : 1;
    return used === 1 ? `${all[0]}` : `(${all.slice(0, used).join(", ")})`;
  }
}

/** Where tiles stand on a plane: a layer of the grid, or one row that is wrapped. */
class Plane {
  constructor(order) {
    const [gx, gy, gz] = order.grid;
    this.order = order;
    this.layers = gz;
    this.layer = 0;
    this.wrapped = gy === 1 && gz === 1 && gx > 16;
    this.width = gx;
    this.height = gy;
    if (this.wrapped) {
      this.width = 8;
      while (this.width * this.width < gx) this.width *= 2;
      this.height = Math.ceil(gx / this.width);
    }
  }
  /** The tile at a cell; -1 where the grid has none. */
  tileAt(column, row) {
    if (column < 0 || row < 0 || column >= this.width || row >= this.height) return -1;
    const tile = (this.layer * this.height + row) * this.width + column;
    return tile < this.order.count ? tile : -1;
  }
}

const dieColours = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#f0e442", "#56b4e9", "#8c8c8c"];

function dieColour(die, dies) {
  if (dies <= dieColours.length) return dieColours[die];
  return d3.hsl(360 * die / dies, 0.6, die % 2 ? 0.42 : 0.62).formatHex();
}

/** 8 x 8 textures, one bit a pixel: where a die's colour is darkened. */
const textures = [
  () => false, (i, j) => (i + j) % 8 < 2, (i, j) => i % 4 === 0, (i, j) => j % 4 === 0,
  (i, j) => i % 4 < 2 && j % 4 < 2, (i, j) => (i + 8 - j) % 8 < 2, (i, j) => i % 8 === 0 || j % 8 === 0,
  (i, j) => (i + j) % 2 === 0,
];

function packColour(text) {
  const { r, g, b } = d3.rgb(text);
  return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
}

const timeSteps = 256;

/** What is painted, as settings: what the colours mean, which die alone, patterns. */
class Painter {
  constructor(order) {
    this.order = order;
    this.by = order.dies > 1 ? "die" : "time";
    this.only = -1;
    this.patterned = window.matchMedia("(prefers-contrast: more)").matches;
    this.dieInk = Array.from({ length: order.dies }, (_, die) => dieColour(die, order.dies));
    this.dies = Uint32Array.from(this.dieInk, packColour);
    this.darkDies = Uint32Array.from(this.dieInk, c => packColour(d3.rgb(c).darker(1.6)));
    this.times = Uint32Array.from({ length: timeSteps },
      (_, step) => packColour(d3.interpolateViridis(step / (timeSteps - 1))));
  }
  timeStep(workgroup) {
    const last = this.order.lastTurn;
    return last ? Math.floor((timeSteps - 1) * Math.min(1, this.order.turnOf(workgroup) / last)) : 0;
  }
  /** The colour of a workgroup at a pixel, as a canvas stores it. */
  colour(workgroup, i, j, blank) {
    const die = this.order.dieOf(workgroup);
    if (this.only >= 0 && die !== this.only) return blank;
    if (this.by === "time") return this.times[this.timeStep(workgroup)];
    return this.patterned && textures[die % textures.length](i & 7, j & 7) ? this.darkDies[die] : this.dies[die];
  }
  label(workgroup) {
    return this.by === "die" ? this.order.dieOf(workgroup) : this.order.turnOf(workgroup);
  }
  labelInk(workgroup) {
    const ink = this.by === "die" ? this.dieInk[this.order.dieOf(workgroup)]
      : d3.interpolateViridis(this.timeStep(workgroup) / (timeSteps - 1));
    return d3.lab(ink).l > 55 ? "#000" : "#fff";
  }
}

/** One canvas: the plane before, or after, under a transform of pan and zoom. */
class MapCanvas {
  constructor(plane, painter, after) {
    this.plane = plane;
    this.painter = painter;
    this.after = after;
    this.transform = d3.zoomIdentity;
    this.canvas = make("canvas");
    this.cursor = make("div", { class: "cursor", hidden: true });
    this.frame = make("div", { class: "frame" }, this.canvas, this.cursor);
  }
  /** Fits the canvas to its frame; true if that changed its size. */
  resize() {
    const width = Math.max(200, Math.round(this.frame.clientWidth));
    const ratio = Math.min(1.15, Math.max(0.15, this.plane.height / this.plane.width));
    const height = Math.round(width * ratio);
    const dense = Math.min(2, window.devicePixelRatio || 1);
    if (this.width === width && this.dense === dense) return false;
    Object.assign(this, { width, height, dense });
    this.canvas.width = Math.round(width * dense);
    this.canvas.height = Math.round(height * dense);
    this.canvas.style.height = `${height}px`;
    this.image = null;
    return true;
  }
  cellWidth() { return this.width / this.plane.width * this.transform.k; }
  cellHeight() { return this.height / this.plane.height * this.transform.k; }

  /** For each pixel of one side, the cell there: where a pixel holds many cells, one
   *  that shifts from pixel to pixel, so as not to beat against the number of dies. */
  static cells(pixels, dense, start, size, most) {
    const first = new Int32Array(pixels);
    for (let p = 0; p < pixels; ++p) first[p] = Math.floor(((p + 0.5) / dense - start) / size);
    const step = Math.max(1, Math.floor(1 / size / dense));
    return { first, step, most };
  }
  cellOf(side, p, shift) {
    const cell = side.first[p];
    return cell < 0 || cell >= side.most ? -1 : Math.min(side.most - 1, cell + shift % side.step);
  }
  sides() {
    const { x, y } = this.transform;
    return [MapCanvas.cells(this.canvas.width, this.dense, x, this.cellWidth(), this.plane.width),
            MapCanvas.cells(this.canvas.height, this.dense, y, this.cellHeight(), this.plane.height)];
  }
  /** The tile that is painted at a point of the frame, in CSS pixels; -1: none. */
  tileAt(x, y) {
    const [across, down] = this.sides();
    const i = Math.floor(x * this.dense), j = Math.floor(y * this.dense);
    if (i < 0 || j < 0 || i >= this.canvas.width || j >= this.canvas.height) return -1;
    const column = this.cellOf(across, i, i + j), row = this.cellOf(down, j, i + j);
    return column < 0 || row < 0 ? -1 : this.plane.tileAt(column, row);
  }

  paint() {
    const { plane, painter, after } = this, order = plane.order;
    const context = this.canvas.getContext("2d");
    const { width, height } = this.canvas;
    if (!this.image) this.image = context.createImageData(width, height);
    const pixels = new Uint32Array(this.image.data.buffer);
    const blank = packColour(getComputedStyle(document.documentElement).getPropertyValue("--panel"));
    const [across, down] = this.sides();
    for (let j = 0; j < height; ++j)
      for (let i = 0, at = j * width; i < width; ++i, ++at) {
        const column = this.cellOf(across, i, i + j), row = this.cellOf(down, j, i + j);
        const tile = column < 0 || row < 0 ? -1 : plane.tileAt(column, row);
        pixels[at] = tile < 0 ? blank : painter.colour(order.workgroupOf(tile, after), i, j, blank);
      }
    context.putImageData(this.image, 0, 0);
    this.paintLabels(context);
  }
  /** The number of the die, or the turn, where a cell has room for it. */
  paintLabels(context) {
    const w = this.cellWidth(), h = this.cellHeight();
    const longest = String(this.painter.by === "die" ? this.painter.order.dies - 1 : this.painter.order.lastTurn);
    if (w < 7 * longest.length + 6 || h < 15) return;
    const { x, y } = this.transform, { plane, painter } = this;
    context.save();
    context.scale(this.dense, this.dense);
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    const ground = getComputedStyle(document.documentElement).getPropertyValue("--ground");
    for (let row = Math.max(0, Math.floor(-y / h)); row * h + y < this.height && row < plane.height; ++row)
      for (let column = Math.max(0, Math.floor(-x / w)); column * w + x < this.width && column < plane.width; ++column) {
        const tile = plane.tileAt(column, row);
        if (tile < 0) continue;
        const workgroup = plane.order.workgroupOf(tile, this.after);
        context.strokeStyle = ground;
        context.lineWidth = 1;
        context.strokeRect(column * w + x, row * h + y, w, h);
        if (painter.only >= 0 && plane.order.dieOf(workgroup) !== painter.only) continue;
        context.fillStyle = painter.labelInk(workgroup);
        context.fillText(painter.label(workgroup), (column + 0.5) * w + x, (row + 0.5) * h + y);
      }
    context.restore();
  }
  /** Frames the tile under the pointer, or hides the frame. */
  point(column, row, shown) {
    const w = this.cellWidth(), h = this.cellHeight();
    const left = column * w + this.transform.x, top = row * h + this.transform.y;
    this.cursor.hidden = !shown || left + w < 0 || top + h < 0 || left > this.width || top > this.height;
    const size = [Math.max(9, w + 2), Math.max(9, h + 2)];
    Object.assign(this.cursor.style, {
      left: `${left + w / 2 - size[0] / 2}px`, top: `${top + h / 2 - size[1] / 2}px`,
      width: `${size[0]}px`, height: `${size[1]}px`,
    });
  }
}
