// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The section of the mapping: two canvases that move together, what they show, and
// the line that says what is under the pointer or the keyboard's cursor.

/** `d3.event` of D3 5, the first argument of later ones. */
function eventOf(given) {
  return d3.event || given;
}

class MappingView {
  constructor(order) {
    this.order = order;
    this.plane = new Plane(order);
    this.painter = new Painter(order);
    this.maps = [new MapCanvas(this.plane, this.painter, false)];
    if (order.workgroups) this.maps.push(new MapCanvas(this.plane, this.painter, true));
    this.cell = null; // [column, row] of the cursor
    this.readout = make("p", { class: "readout", "aria-live": "polite", id: "readout" },
      "Point at a tile, or focus a picture and use the arrow keys: what computes it stands here.");
    this.legend = make("div", { class: "legend" });
    this.element = make("div", {}, this.makeControls(),
      make("div", { class: "maps" }, ...this.maps.map(map => this.makeFigure(map))),
      this.readout, this.legend);
    new ResizeObserver(() => this.repaint(true)).observe(this.element);
  }

  makeFigure(map) {
    const name = map.after ? "After" : this.order.workgroups ? "Before" : "As it is";
    map.canvas.id = map.after ? "map-after" : "map-before";
    map.canvas.tabIndex = 0;
    map.canvas.setAttribute("role", "application");
    map.canvas.setAttribute("aria-label", `${name}: the grid of tiles. Arrow keys move from tile to tile, ` +
      "with shift a tenth of the grid; plus and minus zoom, 0 shows all.");
    map.canvas.setAttribute("aria-describedby", "readout");
    const target = d3.select(map.canvas);
    const most = Math.max(1, this.plane.width / 6, this.plane.height / 6);
    map.zoom = d3.zoom().scaleExtent([1, most])
      .on("zoom", given => this.follow(map, eventOf(given).transform));
    target.call(map.zoom);
    map.canvas.addEventListener("pointermove", event => this.hover(map, event));
    map.canvas.addEventListener("pointerleave", () => document.activeElement !== map.canvas && this.leave());
    map.canvas.addEventListener("keydown", event => this.press(map, event));
    return make("figure", { class: "map" }, make("figcaption", {}, name), map.frame);
  }

  makeControls() {
    const controls = make("div", { class: "controls" });
    if (this.order.dies > 1) {
      this.kinds = ["die", "time"].map(by => make("button", { type: "button", id: `by-${by}`,
        click: () => { this.painter.by = by; this.show(); } }, by === "die" ? "Die" : "Time"));
      controls.append(make("label", {}, "Colour by"), make("span", { class: "choice" }, ...this.kinds));
      const only = make("select", { id: "only-die", change: () => {
        this.painter.only = Number(only.value);
        this.show();
      } }, make("option", { value: -1 }, "all dies"));
      for (let die = 0; die < this.order.dies; ++die) only.append(make("option", { value: die }, `die ${die}`));
      const patterns = make("input", { type: "checkbox", id: "patterns", change: () => {
        this.painter.patterned = patterns.checked;
        this.show();
      } });
      patterns.checked = this.painter.patterned;
      controls.append(make("label", {}, "Show", only), make("label", {}, patterns, "Patterns"));
    }
    const zoom = (id, text, name, change) => make("button", { type: "button", id, "aria-label": name,
      click: () => this.zoomBy(change) }, text);
    controls.append(make("span", { class: "choice" }, zoom("zoom-in", "+", "Zoom in", 2),
      zoom("zoom-out", "−", "Zoom out", 0.5), zoom("zoom-all", "All", "Show all", 0)));
    if (this.plane.layers > 1) {
      const slider = make("input", { type: "range", id: "layer", min: 0, max: this.plane.layers - 1, value: 0,
        input: () => { this.plane.layer = Number(slider.value); this.show(); } });
      this.layerText = make("span");
      controls.append(make("label", {}, "Layer", slider, this.layerText));
    }
    return controls;
  }

  /** All of it again, after a change of what is shown. */
  show() {
    for (const button of this.kinds || [])
      button.setAttribute("aria-pressed", button.id === `by-${this.painter.by}`);
    if (this.layerText) this.layerText.textContent = `z = ${this.plane.layer} of ${this.plane.layers}`;
    this.legend.replaceChildren(...this.legendItems());
    this.repaint(false);
    this.tell();
  }
  legendItems() {
    const { painter, order } = this;
    if (painter.by === "time") {
      const stops = d3.range(0, 1.01, 0.1).map(d3.interpolateViridis).join(",");
      return [make("span", {}, "first"),
        make("span", { class: "ramp", style: `background:linear-gradient(90deg,${stops})` }),
        make("span", {}, order.dies > 1 ? "last of the workgroups dealt to the die" : "last workgroup")];
    }
    const shown = Math.min(order.dies, 16);
    const items = d3.range(shown).map(die => make("span", {},
      make("span", { class: "swatch", style: `background:${painter.dieInk[die]}` }), `die ${die}`));
    if (shown < order.dies) items.push(make("span", {}, `… ${order.dies} dies`));
    return items;
  }

  repaint(resized) {
    if (!this.element.isConnected) return;
    const changed = this.maps.map(map => map.resize());
    if (resized && !changed.includes(true)) return;
    for (const map of this.maps) {
      map.zoom.translateExtent([[0, 0], [map.width, map.height]]).extent([[0, 0], [map.width, map.height]]);
      map.paint();
    }
    this.point();
  }
  /** Takes the transform of one canvas for both. */
  follow(source, transform) {
    for (const map of this.maps) {
      map.transform = transform;
      map.canvas.__zoom = transform;
    }
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      for (const map of this.maps) map.paint();
      this.point();
    });
  }
  zoomBy(change) {
    const map = this.maps[0];
    if (change) {
      const at = this.cell ? [(this.cell[0] + 0.5) * map.cellWidth() + map.transform.x,
        (this.cell[1] + 0.5) * map.cellHeight() + map.transform.y] : undefined;
      d3.select(map.canvas).call(map.zoom.scaleBy, change, at);
    } else {
      d3.select(map.canvas).call(map.zoom.transform, d3.zoomIdentity);
    }
  }

  hover(map, event) {
    const box = map.canvas.getBoundingClientRect();
    const tile = map.tileAt(event.clientX - box.left, event.clientY - box.top);
    if (tile < 0) return this.leave();
    const inLayer = tile - (this.plane.wrapped ? 0 : this.plane.layer * this.plane.width * this.plane.height);
    this.cell = [inLayer % this.plane.width, Math.floor(inLayer / this.plane.width)];
    this.tell();
  }
  leave() {
    this.cell = null;
    this.point();
  }
  press(map, event) {
    const leap = event.shiftKey ? 0.1 : 0;
    const across = Math.max(1, Math.round(leap * this.plane.width));
    const down = Math.max(1, Math.round(leap * this.plane.height));
    const moves = { ArrowLeft: [-across, 0], ArrowRight: [across, 0], ArrowUp: [0, -down], ArrowDown: [0, down] };
    if (moves[event.key]) {
      const [x, y] = this.cell || [0, 0];
      const [dx, dy] = this.cell ? moves[event.key] : [0, 0];
      const column = Math.min(this.plane.width - 1, Math.max(0, x + dx));
      const row = Math.min(this.plane.height - 1, Math.max(0, y + dy));
      if (this.plane.tileAt(column, row) >= 0) this.cell = [column, row];
      this.bringIntoView(map);
      this.tell();
    } else if (event.key === "+" || event.key === "=") this.zoomBy(2);
    else if (event.key === "-") this.zoomBy(0.5);
    else if (event.key === "0") this.zoomBy(0);
    else return;
    event.preventDefault();
  }
  bringIntoView(map) {
    const w = map.cellWidth(), h = map.cellHeight(), { x, y, k } = map.transform;
    const left = this.cell[0] * w + x, top = this.cell[1] * h + y;
    if (left >= 0 && top >= 0 && left + w <= map.width + 1 && top + h <= map.height + 1) return;
    const base = [(this.cell[0] + 0.5) * w / k, (this.cell[1] + 0.5) * h / k];
    d3.select(map.canvas).call(map.zoom.translateTo, ...base);
  }
  point() {
    for (const map of this.maps) map.point(...(this.cell || [0, 0]), Boolean(this.cell));
  }
  /** Says what computes the tile under the cursor. */
  tell() {
    this.point();
    if (!this.cell) return;
    const { order } = this, tile = this.plane.tileAt(...this.cell);
    const say = after => {
      const workgroup = order.workgroupOf(tile, after);
      const where = order.dies > 1 ? `, on die ${order.dieOf(workgroup)}, as number ${order.turnOf(workgroup)} there` : "";
      return `workgroup ${order.name(workgroup)} (number ${workgroup})${where}`;
    };
    this.readout.replaceChildren(make("b", {}, `Tile ${order.name(tile)}`), make("br"),
      order.workgroups ? `before: ${say(false)}` : say(false));
    if (order.workgroups) this.readout.append(make("br"), `after: ${say(true)}`);
  }
}
