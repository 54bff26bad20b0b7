(function () {
  "use strict";
  var colours = JSON.parse(document.getElementById("colours").textContent);
  var all = Array.prototype.slice.call(document.querySelectorAll("[data-p]"));
  var tip = document.getElementById("tip");
  var root = document.documentElement;
  var page = document.body;

  function each(selector, run) { Array.prototype.forEach.call(document.querySelectorAll(selector), run); }

  function colourBy(axis) {
    all.forEach(function (item) {
      var name = (colours.of[item.dataset.p] || [])[axis];
      if (name) item.style.setProperty("--c", "var(" + name + ")");
    });
    each("[data-colour]", function (button) { button.setAttribute("aria-pressed", String(+button.dataset.colour === axis)); });
    each("[data-legend]", function (legend) { legend.hidden = +legend.dataset.legend !== axis; });
  }

  function scaleTo(kind) {
    each("#curves", function (section) { section.dataset.axis = kind; });
    each("[data-scale]", function (button) { button.setAttribute("aria-pressed", String(button.dataset.scale === kind)); });
  }

  function raise(place) {
    page.classList.toggle("dim", place !== null);
    all.forEach(function (item) { item.classList.toggle("hot", item.dataset.p === place); });
  }

  function tell(place, event) {
    var row = document.querySelector('tr[data-p="' + place + '"]');
    var heads = Array.prototype.map.call(document.querySelectorAll(".ranking th"), function (head) { return head.textContent; });
    var cells = Array.prototype.map.call(row.cells, function (cell) { return cell.textContent.trim(); });
    tip.textContent = "";
    var head = document.createElement("b");
    head.textContent = "#" + cells[0] + "   " + cells[1] + " " + cells[2];
    tip.appendChild(head);
    for (var k = 4; k < heads.indexOf("n"); k++) {
      if (!cells[k]) continue;
      var line = document.createElement("div");
      line.textContent = heads[k] + " " + cells[k];
      tip.appendChild(line);
    }
    tip.hidden = false;
    var x = Math.min(event.clientX + 14, window.innerWidth - tip.offsetWidth - 8);
    var y = Math.min(event.clientY + 14, window.innerHeight - tip.offsetHeight - 8);
    tip.style.left = Math.max(8, x) + "px";
    tip.style.top = Math.max(8, y) + "px";
  }

  all.forEach(function (item) {
    item.addEventListener("pointerenter", function (event) {
      raise(item.dataset.p);
      if (item.tagName !== "TR" && !item.closest("table")) tell(item.dataset.p, event);
    });
    item.addEventListener("pointermove", function (event) { if (!tip.hidden) tell(item.dataset.p, event); });
    item.addEventListener("pointerleave", function () { raise(null); tip.hidden = true; });
  });
  each("[data-colour]", function (button) { button.addEventListener("click", function () { colourBy(+button.dataset.colour); }); });
  each("[data-scale]", function (button) { button.addEventListener("click", function () { scaleTo(button.dataset.scale); }); });
  each(".controls", function (controls) { controls.hidden = false; });
  each("#curves", function (section) { scaleTo(section.dataset.axis); });

  var toggle = document.getElementById("theme");
  toggle.hidden = false;
  toggle.addEventListener("click", function () {
    var dark = root.dataset.theme ? root.dataset.theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  colourBy(0);
})();
