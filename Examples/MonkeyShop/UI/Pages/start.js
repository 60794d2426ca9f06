// Submits the form at once, unless the visit of a link can end another visit. In a browser without scripts, the button submits the form.
"use strict";

const start = document.getElementById("start");
if (!("waits" in start.dataset)) {
    start.querySelector("button").disabled = true;
    start.requestSubmit();
}
