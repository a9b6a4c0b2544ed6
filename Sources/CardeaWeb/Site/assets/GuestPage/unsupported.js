// Only browsers without module scripts run this, so it is written for them.
document.addEventListener("DOMContentLoaded", function () {
  document.querySelector("main").textContent = "This browser is too old to hold a pass. Open your link in a newer browser, or ask someone in the house to open the door for you.";
});
