// Part of the Swizzle project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE.TXT for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page: a list of kernels, and the sections of the one that is chosen.

const data = JSON.parse(document.getElementById("data").textContent);

function showKernel(kernel) {
  delete document.documentElement.dataset.mapped;
  const parts = sectionsOf(kernel).filter(Boolean);
  document.getElementById("main").replaceChildren(...parts);
}

/** The list on the left; arrow keys move in it. */
function showList(chosen) {
  const buttons = data.kernels.map((kernel, k) => make("button",
    { type: "button", "aria-current": k === chosen, click: () => choose(k) },
    nameOf(kernel), make("small", {}, shortOutcome(kernel))));
  const nav = document.getElementById("kernels");
  nav.replaceChildren(...buttons);
  return buttons;
}
function choose(k, focus) {
  const buttons = showList(k);
  if (focus) buttons[k].focus();
  history.replaceState(null, "", `#${k + 1}`);
  showKernel(data.kernels[k]);
}
function chosenNow() {
  const k = Number(location.hash.slice(1)) - 1;
  return k >= 0 && k < data.kernels.length ? k : 0;
}

/** Light, dark, or as the system has it. */
const themes = {
  stored: null,
  apply() {
    const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
    document.documentElement.dataset.theme = this.stored || (dark ? "dark" : "light");
    document.getElementById("theme").textContent =
      document.documentElement.dataset.theme === "dark" ? "Light page" : "Dark page";
  },
};

function start() {
  document.getElementById("sources").textContent = data.sources.join("  ·  ");
  themes.apply();
  document.getElementById("theme").addEventListener("click", () => {
    themes.stored = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    themes.apply();
    choose(chosenNow());
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    themes.apply();
    choose(chosenNow());
  });
  document.getElementById("kernels").addEventListener("keydown", event => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    choose(Math.max(0, Math.min(data.kernels.length - 1, chosenNow() + step)), true);
  });
  if (data.kernels.length) choose(chosenNow());
  else document.getElementById("main").textContent = "There is no kernel in these reports.";
  document.documentElement.dataset.ready = "true";
}
start();
