// tools/site/site.js -- search in titles and names, the sidebar on a phone, light and dark.
// SPDX-License-Identifier: BSD-3-Clause
(function () {
  const root = document.documentElement, up = document.body.dataset.up;
  const input = document.getElementById("search"), found = document.getElementById("found");
  const menu = document.getElementById("menu");

  menu.addEventListener("click", () => {
    const open = document.body.classList.toggle("open");
    menu.setAttribute("aria-expanded", open);
  });

  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.theme = root.dataset.theme; } catch (e) { /* private window */ }
  });

  function rank(title, words) {
    const text = title.toLowerCase();
    if (!words.every((word) => text.includes(word))) return 99;
    return text === words.join(" ") ? 0 : text.startsWith(words[0]) ? 1 : 2;
  }

  function show() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    found.replaceChildren();
    found.hidden = words.length === 0;
    if (found.hidden) return;
    const hits = window.pages.map(([title, to]) => [rank(title, words), title, to])
      .filter(([place]) => place < 99).sort((a, b) => a[0] - b[0] || a[1].length - b[1].length).slice(0, 12);
    for (const [, title, to] of hits) {
      const row = document.createElement("li"), link = document.createElement("a");
      link.href = up + to;
      link.textContent = title;
      row.append(link);
      found.append(row);
    }
    if (hits.length === 0) found.append(Object.assign(document.createElement("li"), {textContent: "nothing found"}));
  }
  input.addEventListener("input", show);
  input.form.addEventListener("submit", (event) => {
    event.preventDefault();
    const first = found.querySelector("a");
    if (first) location.href = first.href;
  });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") { input.value = ""; show(); input.blur(); }
    if (event.key === "/" && document.activeElement === document.body) { event.preventDefault(); input.focus(); }
  });
})();
