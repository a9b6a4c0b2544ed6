// Sets this browser's theme before the first paint. A classic script in the head, so that nothing flashes.
(function () {
  var theme = null;
  try {
    theme = localStorage.getItem("cardea-theme");
  } catch (_) {
    // Without storage the system decides.
  }
  if (theme !== "light" && theme !== "dark") return;
  document.documentElement.setAttribute("data-theme", theme);
  var metas = document.querySelectorAll("meta[name=theme-color]");
  for (var i = 0; i < metas.length; i += 1) metas[i].setAttribute("content", theme === "dark" ? "#111412" : "#F6F5F1");
})();
